/* SPDX-License-Identifier: BSD-3-Clause */

/* gt_reader_next_events gives the events, and the end, that gt_reader_next_event gives. */

#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/files.h"
#include "support/getters.h"
#include "support/reading.h"
#include "support/sample.h"
#include "support/test.h"

static const uint64_t flags[] = {
    0,
    GT_READER_KEEP,
    GT_READER_LENIENT,
    GT_READER_AHEAD,
    GT_READER_TRACK,
    GT_READER_LENIENT | GT_READER_KEEP | GT_READER_AS_RECORDED,
    GT_READER_LENIENT | GT_READER_AHEAD | GT_READER_TRACK,
};

#define FLAGS (sizeof(flags) / sizeof(flags[0]))

static void check_memory(const uint8_t *data, size_t size, uint64_t flag)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct digest single, batches;
    gt_reader *reader;
    options.flags = flag;
    digest_memory(&single, data, size, &options);
    if (gt_reader_open_memory(&reader, data, size, &options, NULL) == GT_OK) {
        digest_read_batches(&batches, &reader);
        digest_assert_equal(&batches, &single);
        digest_free(&batches);
    }
    digest_free(&single);
}

static void check_push(const uint8_t *data, size_t size, size_t step, uint64_t flag)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct digest single, batches;
    struct feed feed;
    options.flags = flag;
    digest_memory(&single, data, size, &options);
    feed_init(&feed, data, size);
    feed.steps = &step;
    feed.step_count = 1;
    digest_push_batches(&batches, &feed, &options);
    digest_assert_equal(&batches, &single);
    digest_free(&batches);
    digest_free(&single);
}

static void check_folder(const char *version, void (*check)(const uint8_t *data, size_t size))
{
    char *folder = files_join(files_testdata(), version);
    struct file_list list = {0};
    files_list(&list, folder, "", ".trace");
    assert_true(list.count > 0);
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(folder, list.names[i]);
        size_t size;
        uint8_t *data = files_read(path, &size);
        check(data, size);
        free(data);
        free(path);
    }
    files_list_free(&list);
    free(folder);
}

static void check_flags(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < FLAGS; i++)
        check_memory(data, size, flags[i]);
    check_memory(data, size * 2 / 3, 0);
    check_memory(data, size * 2 / 3, GT_READER_LENIENT);
}

static void test_batches_give_the_same_with_all_flags(void **state)
{
    (void) state;
    check_folder("v1", check_flags);
    check_folder("v2", check_flags);
}

static void check_pieces(const uint8_t *data, size_t size)
{
    static const size_t steps[] = {17, 4093, 65537};
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
        check_push(data, size, steps[i], flags[i]);
}

static void test_batches_give_the_same_piece_by_piece(void **state)
{
    (void) state;
    check_folder("v1", check_pieces);
    check_folder("v2", check_pieces);
}

/* Several generations that a second thread decodes. */
static void test_batches_give_the_same_of_a_long_trace(void **state)
{
    struct wire wire = {0};
    (void) state;
    sample_trace(&wire, 26, 3, 12000);
    for (size_t i = 0; i < FLAGS; i++)
        check_memory(wire.data, wire.size, flags[i]);
    wire_free(&wire);
}

static void test_arguments_are_checked(void **state)
{
    struct reading r = {0};
    const gt_event *const *events;
    size_t count;
    (void) state;
    reading_begin_running(&r);
    reading_open(&r, NULL);
    events = &r.event;
    count = 7;
    assert_status(gt_reader_next_events(NULL, &events, &count), GT_ERR_INVALID_ARGUMENT);
    assert_null(events);
    assert_int_equal(count, 0);
    count = 7;
    assert_status(gt_reader_next_events(r.reader, NULL, &count), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(count, 0);
    events = &r.event;
    assert_status(gt_reader_next_events(r.reader, &events, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(events);
    reading_skip(&r, 3);
    reading_end(&r);
}

/* Single events leave a rest, which is the next batch; single ones follow on it again. */
static void test_batch_is_the_rest_of_what_was_decoded(void **state)
{
    struct reading r = {0};
    const gt_event *const *events;
    const gt_event *first, *second;
    size_t count;
    (void) state;
    reading_begin_running(&r);
    for (unsigned i = 0; i < 8; i++)
        WIRE_EVENT(&r.wire, EV_HEAP_ALLOC, 1, i);
    reading_open(&r, NULL);
    reading_skip(&r, 4);
    first = r.event;
    assert_status(gt_reader_next_events(r.reader, &events, &count), GT_OK);
    assert_int_equal(count, 7);
    assert_int_equal(events[6]->time, first->time + 7);
    assert_int_equal(gt_reader_event_number(r.reader), 11);
    assert_int_equal(gt_reader_has_event(r.reader, first), 0);
    first = events[0];
    second = events[6];
    assert_int_equal(gt_reader_has_event(r.reader, first), 1);
    assert_int_equal(gt_reader_has_event(r.reader, second), 1);
    reading_next(&r, GT_EVENT_SYNC);
    assert_int_equal(gt_reader_has_event(r.reader, r.event), 1);
    assert_int_equal(gt_reader_has_event(r.reader, first) && first != r.event, 0);
    assert_int_equal(gt_reader_has_event(r.reader, second) && second != r.event, 0);
    assert_status(gt_reader_next_events(r.reader, &events, &count), GT_END);
    assert_int_equal(gt_reader_event_number(r.reader), 0);
    gt_reader_close(&r.reader);
    wire_free(&r.wire);
}

/* Every event of a batch can be copied, and its copy has what the event has. */
static void test_every_event_of_a_batch_can_be_copied(void **state)
{
    struct wire wire = {0};
    struct fold *fold = calloc(1, sizeof(*fold));
    const gt_event *const *events;
    size_t count, copied = 0;
    (void) state;
    sample_trace(&wire, 26, 1, 200);
    assert_non_null(fold);
    assert_status(gt_reader_open_memory(&fold->reader, wire.data, wire.size, NULL, NULL), GT_OK);
    while (gt_reader_next_events(fold->reader, &events, &count) == GT_OK) {
        for (size_t i = 0; i < count; i++, copied++) {
            gt_event *copy;
            fold->hash = 0;
            fold->copy = NULL;
            assert_status(fold_event(fold, events[i]), GT_OK);
            uint64_t hash = fold->hash;
            assert_status(gt_event_copy(fold->reader, events[i], NULL, &copy), GT_OK);
            fold->hash = 0;
            fold->copy = copy;
            assert_status(fold_event(fold, copy), GT_OK);
            assert_true(fold->hash == hash);
            gt_event_free(&copy);
        }
    }
    assert_true(copied > 200);
    gt_reader_close(&fold->reader);
    free(fold);
    wire_free(&wire);
}

static void check_cancelled(uint64_t flag)
{
    struct wire wire = {0};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    const gt_event *const *events;
    size_t count;
    options.flags = flag;
    sample_trace(&wire, 26, 2, 3000);
    assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, &options, NULL), GT_OK);
    for (int i = 0; i < 40; i++)
        assert_status(gt_reader_next_events(reader, &events, &count), GT_OK);
    const gt_event *last = events[0];
    int64_t time = last->time;
    gt_reader_cancel(reader);
    assert_int_equal(last->time, time);
    for (int i = 0; i < 2; i++) {
        assert_status(gt_reader_next_events(reader, &events, &count), GT_CANCELLED);
        assert_null(events);
        assert_int_equal(count, 0);
        assert_int_equal(gt_reader_has_event(reader, last), 0);
    }
    gt_reader_close(&reader);
    wire_free(&wire);
}

static void test_cancelled_reader_gives_no_batch(void **state)
{
    (void) state;
    check_cancelled(0);
    check_cancelled(GT_READER_AHEAD);
    check_cancelled(GT_READER_TRACK);
}

/* A goroutine that a batch has created lives after it, and is found. */
static void test_what_lives_is_of_the_end_of_the_batch(void **state)
{
    struct reading r = {0};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
    const gt_event *const *events;
    size_t count;
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_CREATE, 1, 2, 0, 0);
    options.flags = GT_READER_TRACK;
    reading_open(&r, &options);
    assert_status(gt_reader_next_events(r.reader, &events, &count), GT_OK);
    assert_int_equal(events[0]->kind, GT_EVENT_SYNC);
    assert_status(gt_reader_next_events(r.reader, &events, &count), GT_OK);
    assert_int_equal(count, 3);
    assert_status(gt_reader_goroutine(r.reader, 2, &info), GT_OK);
    assert_int_equal(info.created, events[2]->time);
    reading_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_give_the_same_with_all_flags),
        cmocka_unit_test(test_batches_give_the_same_piece_by_piece),
        cmocka_unit_test(test_batches_give_the_same_of_a_long_trace),
        cmocka_unit_test(test_arguments_are_checked),
        cmocka_unit_test(test_batch_is_the_rest_of_what_was_decoded),
        cmocka_unit_test(test_every_event_of_a_batch_can_be_copied),
        cmocka_unit_test(test_cancelled_reader_gives_no_batch),
        cmocka_unit_test(test_what_lives_is_of_the_end_of_the_batch),
    };
    return cmocka_run_group_tests_name("batches", tests, NULL, NULL);
}
