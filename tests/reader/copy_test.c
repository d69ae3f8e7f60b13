/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Copies of events, which outlive the reader and its input and are read by other threads; and what
 * tells that an event is no longer valid.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/getters.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"

enum {
    MOST_KEPT = 4000,
    THREADS = 4
};

/* A copy, and what its getters must return. */
struct kept {
    gt_event *copy;
    void *memory; /* the caller's, which it lies in, or NULL */
    uint64_t hash;
    char *text; /* as Go prints the event */
};

struct keeping {
    struct kept list[MOST_KEPT];
    size_t count;
    struct fold fold;
};

static uint64_t hash_of(struct fold *fold, const gt_event *event)
{
    fold->hash = 0;
    assert_status(fold_event(fold, event), GT_OK);
    return fold->hash;
}

/* The text of an event, which the caller frees. */
static char *text_of(gt_reader *reader, const gt_event *event)
{
    size_t size, again;
    assert_status(gt_event_format(reader, event, NULL, 0, &size), GT_OK);
    char *text = calloc(1, size + 2);
    assert_status(gt_event_format(reader, event, text, size + 1, &again), GT_OK);
    assert_int_equal(again, size);
    return text;
}

/* Copies an event in one of three ways: by the library, to own memory, or from another copy. */
static void keep_event(struct keeping *keeping, gt_reader *reader, const gt_event *event)
{
    struct kept *kept = &keeping->list[keeping->count];
    size_t size, needed;
    assert_true(keeping->count < MOST_KEPT);
    kept->hash = hash_of(&keeping->fold, event);
    kept->text = text_of(reader, event);
    kept->memory = NULL;
    assert_status(gt_event_copy(reader, event, NULL, &kept->copy), GT_OK);
    if (keeping->count++ % 3 == 0)
        return;
    gt_event *first = kept->copy;
    assert_status(gt_event_copy_into(reader, event, NULL, 0, &size, &kept->copy), GT_ERR_LIMIT);
    assert_null(kept->copy);
    kept->memory = malloc(size);
    assert_status(gt_event_copy_into(reader, event, kept->memory, size - 1, &needed, &kept->copy),
                  GT_ERR_LIMIT);
    assert_int_equal(needed, size);
    if (keeping->count % 3 == 0)
        assert_status(gt_event_copy_into(NULL, first, kept->memory, size, &needed, &kept->copy),
                      GT_OK);
    else
        assert_status(gt_event_copy_into(reader, event, kept->memory, size, &needed, &kept->copy),
                      GT_OK);
    assert_int_equal(needed, size);
    gt_event_free(&first);
    assert_null(first);
}

/* Asserts that all copies are what the events were. */
static void check_copies(struct keeping *keeping)
{
    struct fold *fold = calloc(1, sizeof(*fold));
    for (size_t i = 0; i < keeping->count; i++) {
        fold->copy = keeping->list[i].copy;
        assert_true(hash_of(fold, fold->copy) == keeping->list[i].hash);
        char *text = text_of(NULL, fold->copy);
        assert_string_equal(text, keeping->list[i].text);
        free(text);
    }
    free(fold);
}

static void *check_in_thread(void *data)
{
    check_copies(data);
    return NULL;
}

static void free_copies(struct keeping *keeping)
{
    for (size_t i = 0; i < keeping->count; i++) {
        gt_event_free(&keeping->list[i].copy);
        assert_null(keeping->list[i].copy);
        free(keeping->list[i].memory);
        free(keeping->list[i].text);
    }
    keeping->count = 0;
}

/* Keeps every `step`th event of a trace, fed in pieces of `piece` bytes, and closes the reader. */
static void keep_trace(struct keeping *keeping, uint8_t *data, size_t size, uint64_t flags,
                       size_t step, size_t piece)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    const gt_event *event;
    uint64_t number = 0;
    gt_reader *reader;
    gt_status status;
    size_t at = 0;
    options.flags = flags;
    assert_status(gt_reader_open_push(&reader, &options, NULL), GT_OK);
    memset(&keeping->fold, 0, sizeof(keeping->fold));
    keeping->fold.reader = reader;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK || status == GT_AGAIN) {
        if (status == GT_OK) {
            assert_int_equal(gt_reader_event_number(reader), number + 1);
            assert_int_equal(gt_reader_has_event(reader, event), 1);
            if (number++ % step == 0 || event->kind == GT_EVENT_SYNC)
                keep_event(keeping, reader, event);
            continue;
        }
        size_t left = size - at, fed = left < piece ? left : piece;
        assert_int_equal(gt_reader_event_number(reader), 0);
        status = at < size ? gt_reader_feed(reader, data + at, fed) : gt_reader_finish(reader);
        if (status < 0)
            break;
        at += fed;
    }
    gt_reader_close(&reader);
    memset(data, 0xee, size);
}

static struct keeping *keeping_new(void)
{
    struct keeping *keeping = calloc(1, sizeof(*keeping));
    assert_non_null(keeping);
    return keeping;
}

static const unsigned versions[] = {5, 7, 11, 19, 21, 22, 23, 25, 26};
#define VERSIONS (sizeof(versions) / sizeof(versions[0]))

static void test_copies_outlive_reader_and_input(void **state)
{
    static const uint64_t flags[] = {0, GT_READER_KEEP, GT_READER_LENIENT, GT_READER_AHEAD};
    struct keeping *keeping = keeping_new();
    (void) state;
    for (size_t i = 0; i < VERSIONS * 4; i++) {
        struct wire wire = {0};
        sample_trace(&wire, versions[i / 4], 3, 300);
        keep_trace(keeping, wire.data, wire.size, flags[i % 4], 1, i % 3 == 0 ? 1 : 3000);
        assert_true(keeping->count > 300);
        check_copies(keeping);
        free_copies(keeping);
        wire_free(&wire);
    }
    free(keeping);
}

static void test_copies_of_recorded_traces(void **state)
{
    static const char *const directories[] = {"v1", "v2"};
    struct keeping *keeping = keeping_new();
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        char *directory = files_join(files_testdata(), directories[i]);
        struct file_list list = {NULL, 0};
        files_list(&list, directory, "", ".trace");
        for (size_t k = 0; k < list.count; k++) {
            char *path = files_join(directory, list.names[k]);
            size_t size;
            uint8_t *data = files_read(path, &size);
            keep_trace(keeping, data, size, GT_READER_LENIENT, 41 + size / 3000, size);
            check_copies(keeping);
            free_copies(keeping);
            free(data);
            free(path);
        }
        files_list_free(&list);
        free(directory);
    }
    free(keeping);
}

static void test_copies_of_damaged_traces(void **state)
{
    struct keeping *keeping = keeping_new();
    uint64_t seed = 20;
    (void) state;
    for (size_t i = 0; i < VERSIONS * 6; i++) {
        struct wire wire = {0};
        sample_trace(&wire, versions[i / 6], 3, 100);
        for (int k = 0; k < 5; k++)
            wire.data[16 + test_random(&seed) % (wire.size - 16)] = (uint8_t) test_random(&seed);
        keep_trace(keeping, wire.data, wire.size, i % 2 == 0 ? 0 : GT_READER_LENIENT, 1, 500);
        check_copies(keeping);
        free_copies(keeping);
        wire_free(&wire);
    }
    free(keeping);
}

static void test_threads_read_copies_at_once(void **state)
{
    struct keeping *keeping = keeping_new();
    pthread_t threads[THREADS];
    struct wire wire = {0};
    (void) state;
    sample_trace(&wire, 26, 2, 500);
    keep_trace(keeping, wire.data, wire.size, 0, 1, 1000);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, check_in_thread, keeping), 0);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    free_copies(keeping);
    free(keeping);
    wire_free(&wire);
}

/* The number of the first event whose stack has frames. */
static uint64_t find_stack(const struct wire *wire)
{
    const gt_event *event;
    const gt_frame *frames;
    gt_reader *reader;
    size_t count = 0;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    while (count == 0) {
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
        assert_status(gt_event_frames(reader, event, gt_event_stack(event), &frames, &count),
                      GT_OK);
    }
    uint64_t number = gt_reader_event_number(reader);
    gt_reader_close(&reader);
    return number;
}

/* Opens a trace and reads up to an event whose stack has frames, which are not decoded yet. */
static gt_reader *open_at_stack(const struct wire *wire, const gt_reader_options *options,
                                const gt_event **event)
{
    gt_reader *reader;
    uint64_t number = find_stack(wire);
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, options, NULL), GT_OK);
    for (uint64_t i = 0; i < number; i++)
        assert_status(gt_reader_next_event(reader, event), GT_OK);
    return reader;
}

static void test_failed_allocation_leaves_the_event(void **state)
{
    struct probe probe, copies;
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct wire wire = {0};
    const gt_event *event;
    gt_event *copy;
    uint64_t failures = 0;
    (void) state;
    sample_trace(&wire, 26, 1, 50);
    for (bool is_done = false; !is_done;) {
        probe_init(&probe);
        probe_init(&copies);
        options.allocator = &probe.allocator;
        gt_reader *reader = open_at_stack(&wire, &options, &event);
        probe.fail_at = probe.calls + failures + 1;
        gt_status status = gt_event_copy(reader, event, &copies.allocator, &copy);
        is_done = status == GT_OK;
        if (!is_done) {
            assert_status(status, GT_ERR_NO_MEMORY);
            assert_null(copy);
            failures++;
            assert_status(gt_event_copy(reader, event, &copies.allocator, &copy), GT_OK);
        }
        gt_reader_close(&reader);
        probe_check(&probe);
        gt_event_free(&copy);
        probe_check(&copies);
    }
    assert_true(failures > 1);
    copies.fail_at = copies.calls + 1;
    gt_reader *reader = open_at_stack(&wire, NULL, &event);
    assert_status(gt_event_copy(reader, event, &copies.allocator, &copy), GT_ERR_NO_MEMORY);
    assert_null(copy);
    assert_status(gt_event_copy(reader, event, &copies.allocator, &copy), GT_OK);
    gt_reader_close(&reader);
    gt_event_free(&copy);
    probe_check(&copies);
    wire_free(&wire);
}

/* The limit is that of the reader, which decodes the frames; copies do not count. */
static void test_memory_limit_bounds_frames_but_not_copies(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT, after = GT_READER_INFO_INIT;
    struct wire wire = {0};
    gt_event *copies[50];
    const gt_event *event;
    (void) state;
    sample_trace(&wire, 26, 1, 50);
    gt_reader *reader = open_at_stack(&wire, NULL, &event);
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    gt_reader_close(&reader);
    options.memory_limit = info.memory_peak;
    reader = open_at_stack(&wire, &options, &event);
    assert_status(gt_event_copy(reader, event, NULL, &copies[0]), GT_ERR_LIMIT);
    gt_reader_close(&reader);
    options.memory_limit = 10 * info.memory_peak;
    reader = open_at_stack(&wire, &options, &event);
    for (size_t i = 0; i < 50; i++) {
        assert_status(gt_event_copy(reader, event, NULL, &copies[i]), GT_OK);
        if (i == 0)
            assert_status(gt_reader_get_info(reader, &info), GT_OK);
    }
    assert_status(gt_reader_get_info(reader, &after), GT_OK);
    assert_int_equal(after.memory, info.memory);
    gt_reader_close(&reader);
    for (size_t i = 0; i < 50; i++)
        gt_event_free(&copies[i]);
    wire_free(&wire);
}

/* An assignment copies the first members only, behind which getters would read. */
static void test_assigned_event_is_refused_by_all_getters(void **state)
{
    struct wire wire = {0};
    const gt_event *event;
    gt_event *copy = NULL;
    (void) state;
    sample_trace(&wire, 26, 1, 200);
    gt_reader *reader = open_at_stack(&wire, NULL, &event);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_metric metric = GT_METRIC_INIT;
        gt_label label = GT_LABEL_INIT;
        gt_range range = GT_RANGE_INIT;
        gt_task task = GT_TASK_INIT;
        gt_region region = GT_REGION_INIT;
        gt_log log = GT_LOG_INIT;
        gt_transition transition = GT_TRANSITION_INIT;
        gt_sync sync = GT_SYNC_INIT;
        gt_experimental experimental = GT_EXPERIMENTAL_INIT;
        gt_experimental_batch batch = GT_EXPERIMENTAL_BATCH_INIT;
        gt_event assigned = *event;
        gt_string name;
        gt_value value;
        int64_t seconds;
        uint32_t nanoseconds;
        const gt_status refused = GT_ERR_INVALID_ARGUMENT;
        assert_int_equal(assigned.time, event->time);
        assert_true(gt_event_stack(&assigned) == GT_STACK_NONE);
        assert_status(gt_event_metric(&assigned, &metric), refused);
        assert_status(gt_event_label(&assigned, &label), refused);
        assert_status(gt_event_range(&assigned, &range), refused);
        assert_status(gt_event_range_attribute(&assigned, 0, &name, &value), refused);
        assert_status(gt_event_task(&assigned, &task), refused);
        assert_status(gt_event_region(&assigned, &region), refused);
        assert_status(gt_event_log(&assigned, &log), refused);
        assert_status(gt_event_transition(&assigned, &transition), refused);
        assert_status(gt_event_sync(&assigned, &sync), refused);
        assert_status(gt_event_experimental(&assigned, &experimental), refused);
        assert_status(gt_event_experimental_argument(&assigned, 0, &name, &value), refused);
        assert_status(gt_event_experimental_batch(&assigned, 0, &batch), refused);
        assert_status(gt_event_wall_clock(&assigned, &seconds, &nanoseconds), refused);
        assert_status(gt_event_copy(reader, &assigned, NULL, &copy), refused);
        assert_int_equal(gt_reader_has_event(reader, &assigned), 0);
    }
    gt_reader_close(&reader);
    wire_free(&wire);
}

static void test_event_of_the_past_is_told(void **state)
{
    struct wire wire = {0};
    const gt_event *first, *second;
    gt_event *copy;
    (void) state;
    sample_trace(&wire, 26, 1, 50);
    gt_reader *reader = open_at_stack(&wire, NULL, &first);
    uint64_t number = gt_reader_event_number(reader);
    assert_int_equal(gt_reader_has_event(reader, first), 1);
    assert_status(gt_event_copy(reader, first, NULL, &copy), GT_OK);
    assert_int_equal(gt_reader_has_event(reader, copy), 0);
    assert_status(gt_reader_next_event(reader, &second), GT_OK);
    assert_int_equal(gt_reader_event_number(reader), number + 1);
    assert_int_equal(gt_reader_has_event(reader, first), 0);
    assert_int_equal(gt_reader_has_event(reader, second), 1);
    gt_event *none = copy;
    assert_status(gt_event_copy(reader, first, NULL, &none), GT_ERR_INVALID_ARGUMENT);
    assert_null(none);
    while (gt_reader_next_event(reader, &second) == GT_OK)
        assert_int_equal(gt_reader_has_event(reader, second), 1);
    assert_int_equal(gt_reader_event_number(reader), 0);
    assert_int_equal(gt_reader_has_event(reader, first), 0);
    assert_int_equal(gt_reader_has_event(reader, NULL), 0);
    assert_int_equal(gt_reader_has_event(NULL, copy), 0);
    assert_int_equal(gt_reader_event_number(NULL), 0);
    gt_reader_close(&reader);
    gt_event_free(&copy);
    wire_free(&wire);
}

static void test_bad_arguments_are_refused(void **state)
{
    gt_allocator bad = {.size = sizeof(bad)};
    const gt_frame *frames = NULL;
    uint64_t memory[500];
    struct wire wire = {0};
    const gt_event *event;
    gt_event *copy;
    size_t size;
    (void) state;
    sample_trace(&wire, 26, 1, 50);
    gt_reader *reader = open_at_stack(&wire, NULL, &event);
    assert_status(gt_event_copy(reader, event, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_copy(reader, NULL, NULL, &copy), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_copy(NULL, event, NULL, &copy), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_copy(reader, event, &bad, &copy), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_copy_into(reader, event, memory, sizeof(memory), NULL, &copy),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_copy_into(reader, event, memory, sizeof(memory), &size, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_copy_into(reader, event, (char *) memory + 1, 3000, &size, &copy),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_copy_into(reader, event, memory, sizeof(memory), &size, &copy), GT_OK);
    assert_status(gt_event_frames(NULL, copy, 12345, &frames, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_frames(NULL, copy, GT_STACK_NONE, &frames, &size), GT_OK);
    assert_status(gt_event_frames(NULL, copy, GT_STACK_NONE, NULL, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_frames(NULL, event, gt_event_stack(event), &frames, &size),
                  GT_ERR_INVALID_ARGUMENT);
    gt_event_free(&copy);
    gt_event_free(&copy);
    gt_event_free(NULL);
    gt_reader_close(&reader);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_outlive_reader_and_input),
        cmocka_unit_test(test_copies_of_recorded_traces),
        cmocka_unit_test(test_copies_of_damaged_traces),
        cmocka_unit_test(test_threads_read_copies_at_once),
        cmocka_unit_test(test_failed_allocation_leaves_the_event),
        cmocka_unit_test(test_memory_limit_bounds_frames_but_not_copies),
        cmocka_unit_test(test_assigned_event_is_refused_by_all_getters),
        cmocka_unit_test(test_event_of_the_past_is_told),
        cmocka_unit_test(test_bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
