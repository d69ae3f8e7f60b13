/* SPDX-License-Identifier: BSD-3-Clause */

/* A writer that writes other texts than those of the input, and nothing of where it was recorded.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/copy.h"
#include "support/files.h"
#include "support/probe.h"
#include "support/test.h"

enum {
    KINDS = GT_TEXT_CAUSE + 1,
    TEXT_ROOM = 2048
};

/* Puts a letter for its kind in front of each text. */
struct renamer {
    char text[TEXT_ROOM];
    uint64_t calls[KINDS];
    uint64_t all;
    uint64_t fail_at; /* the call that fails; 0: none */
    bool is_long;     /* texts become too long */
};

static int rename_text(void *user_data, gt_text_kind kind, gt_string *text)
{
    struct renamer *renamer = user_data;
    assert_in_range(kind, GT_TEXT_FUNCTION, GT_TEXT_CAUSE);
    assert_true(text->size > 0 && text->size < TEXT_ROOM - 1);
    renamer->calls[kind]++;
    if (++renamer->all == renamer->fail_at)
        return 1;
    memset(renamer->text, 'x', TEXT_ROOM);
    renamer->text[0] = (char) ('A' + kind);
    memcpy(renamer->text + 1, text->data, text->size);
    *text = (gt_string){renamer->text, renamer->is_long ? TEXT_ROOM : text->size + 1};
    return 0;
}

static void load(struct copy *copy, const char *name, uint8_t **data, size_t *size,
                 struct renamer *renamer)
{
    char path[200];
    snprintf(path, sizeof(path), "v2/%s.trace", name);
    char *full = files_join(files_testdata(), path);
    *data = files_read(full, size);
    free(full);
    memset(renamer, 0, sizeof(*renamer));
    copy_init(copy);
    copy->options.text = rename_text;
    copy->options.text_data = renamer;
}

static void expect_renamed(gt_string found, gt_string original, gt_text_kind kind)
{
    if (original.size == 0) {
        assert_int_equal(found.size, 0);
        return;
    }
    assert_int_equal(found.size, original.size + 1);
    assert_int_equal(found.data[0], 'A' + kind);
    assert_memory_equal(found.data + 1, original.data, original.size);
}

static void expect_renamed_frames(gt_reader *a_reader, gt_stack a, gt_reader *b_reader, gt_stack b)
{
    const gt_frame *a_frames, *b_frames;
    size_t a_count, b_count;
    if (a == GT_STACK_NONE)
        return;
    assert_status(gt_stack_view(a_reader, a, &a_frames, &a_count), GT_OK);
    assert_status(gt_stack_view(b_reader, b, &b_frames, &b_count), GT_OK);
    assert_int_equal(a_count, b_count);
    for (size_t i = 0; i < a_count; i++) {
        expect_renamed(b_frames[i].function, a_frames[i].function, GT_TEXT_FUNCTION);
        expect_renamed(b_frames[i].file, a_frames[i].file, GT_TEXT_FILE);
        assert_int_equal(b_frames[i].line, a_frames[i].line);
    }
}

static void expect_renamed_user_event(const gt_event *a, const gt_event *b)
{
    gt_task tasks[2] = {GT_TASK_INIT, GT_TASK_INIT};
    gt_region regions[2] = {GT_REGION_INIT, GT_REGION_INIT};
    gt_log logs[2] = {GT_LOG_INIT, GT_LOG_INIT};
    if (gt_event_task(a, &tasks[0]) == GT_OK) {
        assert_status(gt_event_task(b, &tasks[1]), GT_OK);
        expect_renamed(tasks[1].type, tasks[0].type, GT_TEXT_TASK);
    }
    if (gt_event_region(a, &regions[0]) == GT_OK) {
        assert_status(gt_event_region(b, &regions[1]), GT_OK);
        expect_renamed(regions[1].type, regions[0].type, GT_TEXT_REGION);
    }
    if (gt_event_log(a, &logs[0]) == GT_OK) {
        assert_status(gt_event_log(b, &logs[1]), GT_OK);
        expect_renamed(logs[1].category, logs[0].category, GT_TEXT_CATEGORY);
        expect_renamed(logs[1].message, logs[0].message, GT_TEXT_MESSAGE);
    }
}

static void expect_renamed_event(const gt_event *a, const gt_event *b)
{
    gt_label labels[2] = {GT_LABEL_INIT, GT_LABEL_INIT};
    gt_range ranges[2] = {GT_RANGE_INIT, GT_RANGE_INIT};
    gt_transition changes[2] = {GT_TRANSITION_INIT, GT_TRANSITION_INIT};
    if (gt_event_label(a, &labels[0]) == GT_OK) {
        assert_status(gt_event_label(b, &labels[1]), GT_OK);
        expect_renamed(labels[1].label, labels[0].label, GT_TEXT_LABEL);
    }
    if (gt_event_range(a, &ranges[0]) == GT_OK) {
        assert_status(gt_event_range(b, &ranges[1]), GT_OK);
        expect_renamed(ranges[1].cause, ranges[0].cause, GT_TEXT_CAUSE);
    }
    if (gt_event_goroutine_transition(a, &changes[0]) == GT_OK) {
        assert_status(gt_event_goroutine_transition(b, &changes[1]), GT_OK);
        expect_renamed(changes[1].reason, changes[0].reason, GT_TEXT_REASON);
    }
    expect_renamed_user_event(a, b);
}

static void check_names(const char *name)
{
    struct renamer renamer;
    const gt_event *a, *b;
    gt_reader *input, *output;
    struct copy copy;
    uint8_t *data;
    size_t size;
    load(&copy, name, &data, &size, &renamer);
    copy_make(&copy, data, size);
    copy_expect_good(&copy);
    output = copy_open(&copy);
    assert_status(gt_reader_open_memory(&input, data, size, NULL, NULL), GT_OK);
    while (gt_reader_next_event(input, &a) == GT_OK) {
        assert_status(gt_reader_next_event(output, &b), GT_OK);
        assert_int_equal(a->time, b->time);
        expect_renamed_event(a, b);
        expect_renamed_frames(input, gt_event_stack(a), output, gt_event_stack(b));
    }
    assert_status(gt_reader_next_event(output, &b), GT_END);
    gt_reader_close(&input);
    gt_reader_close(&output);
    copy_free(&copy);
    free(data);
}

static void test_every_text_is_the_one_of_the_function(void **state)
{
    (void) state;
    check_names("go1.27-tasks");
    check_names("go1.27-gcgens");
    check_names("go1.26-stw");
    check_names("go1.26-net");
}

/* A text that occurs in each generation is asked for in each, and only once. */
static void test_function_is_called_once_for_a_text_in_a_generation(void **state)
{
    struct renamer renamer;
    struct copy copy;
    uint8_t *data;
    size_t size;
    (void) state;
    load(&copy, "go1.27-gcgens", &data, &size, &renamer);
    copy_make(&copy, data, size);
    copy_expect_good(&copy);
    assert_true(copy.info.generations > 1);
    assert_in_range(renamer.calls[GT_TEXT_CAUSE], copy.info.generations, 4 * copy.info.generations);
    assert_in_range(renamer.calls[GT_TEXT_REASON], copy.info.generations,
                    16 * copy.info.generations);
    copy_free(&copy);
    free(data);
}

static void test_long_texts_are_cut_off(void **state)
{
    struct renamer renamer;
    struct copy copy;
    uint8_t *data;
    size_t size;
    (void) state;
    load(&copy, "go1.27-tasks", &data, &size, &renamer);
    renamer.is_long = true;
    copy_make(&copy, data, size);
    copy_expect_good(&copy);
    assert_int_equal(copy_validate(copy.out.data, copy.out.size).findings, 0);
    copy_free(&copy);
    free(data);
}

static void test_failure_of_the_function_is_reported(void **state)
{
    struct renamer renamer;
    struct copy copy;
    uint8_t *data;
    size_t size;
    (void) state;
    load(&copy, "go1.27-tasks", &data, &size, &renamer);
    copy_make(&copy, data, size);
    uint64_t calls = renamer.all;
    for (uint64_t at = 1; at <= calls; at++) {
        memset(&renamer, 0, sizeof(renamer));
        renamer.fail_at = at;
        copy_make(&copy, data, size);
        assert_status(copy.wrote, GT_ERR_CALLBACK);
        assert_string_equal(copy.error.message, "the function for texts failed");
        assert_int_equal(renamer.all, at);
    }
    copy_free(&copy);
    free(data);
}

/* The number that stands for an id of the input, by which it is found. */
struct numbering {
    uint64_t ids[1 << 16];
    uint64_t count;
};

/* Asserts that `number` stands for `id`: numbers are assigned from 1 on, in any order. */
static void expect_number(struct numbering *numbering, uint64_t id, uint64_t number)
{
    assert_in_range(number, 1, sizeof(numbering->ids) / sizeof(*numbering->ids) - 1);
    if (numbering->ids[number] == 0) {
        numbering->ids[number] = id;
        numbering->count++;
    }
    assert_int_equal(numbering->ids[number], id);
}

static void expect_numbered_frames(struct numbering *pcs, gt_reader *a_reader, gt_stack a,
                                   gt_reader *b_reader, gt_stack b)
{
    const gt_frame *a_frames, *b_frames;
    size_t count;
    if (a == GT_STACK_NONE)
        return;
    assert_status(gt_stack_view(a_reader, a, &a_frames, &count), GT_OK);
    assert_status(gt_stack_view(b_reader, b, &b_frames, &count), GT_OK);
    for (size_t i = 0; i < count; i++) {
        if (a_frames[i].pc != 0)
            expect_number(pcs, a_frames[i].pc, b_frames[i].pc);
    }
}

static void expect_made_up_clock(const gt_event *event, bool is_first)
{
    gt_sync sync = GT_SYNC_INIT;
    assert_status(gt_event_sync(event, &sync), GT_OK);
    assert_int_equal(sync.batch_count, 0);
    if (sync.generation == 0)
        return;
    assert_int_equal(sync.has_clock, 1);
    assert_in_range(sync.clock_seconds, 1, 100);
    if (is_first)
        assert_int_equal(sync.clock_seconds, 1);
}

static void check_anonymous(const char *name)
{
    static struct numbering threads, pcs;
    struct renamer renamer;
    const gt_event *a, *b;
    gt_reader *input, *output;
    struct copy copy;
    uint8_t *data;
    size_t size;
    memset(&threads, 0, sizeof(threads));
    memset(&pcs, 0, sizeof(pcs));
    load(&copy, name, &data, &size, &renamer);
    copy.options.version = 26;
    copy.options.flags = GT_WRITER_ANONYMOUS;
    copy_make(&copy, data, size);
    copy_expect_good(&copy);
    output = copy_open(&copy);
    assert_status(gt_reader_open_memory(&input, data, size, NULL, NULL), GT_OK);
    for (int i = 0; gt_reader_next_event(input, &a) == GT_OK; i++) {
        assert_status(gt_reader_next_event(output, &b), GT_OK);
        if (a->kind == GT_EVENT_SYNC) {
            expect_made_up_clock(b, i == 0);
            continue;
        }
        assert_int_equal(a->time, b->time);
        if (a->thread == GT_NO_THREAD)
            assert_int_equal(b->thread, GT_NO_THREAD);
        else
            expect_number(&threads, (uint64_t) a->thread, (uint64_t) b->thread);
        expect_numbered_frames(&pcs, input, gt_event_stack(a), output, gt_event_stack(b));
    }
    assert_true(threads.count > 0 && pcs.count > 10);
    assert_int_equal(copy_validate(copy.out.data, copy.out.size).findings, 0);
    gt_reader_close(&input);
    gt_reader_close(&output);
    copy_free(&copy);
    free(data);
}

static void test_anonymous_output_has_numbers_and_no_clock(void **state)
{
    (void) state;
    check_anonymous("go1.27-gcgens");
    check_anonymous("go1.26-syscall");
    check_anonymous("go1.23-alloc");
    check_anonymous("go1.26-cpu");
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    struct renamer renamer;
    struct probe probe;
    struct copy copy;
    uint8_t *data;
    size_t size;
    (void) state;
    load(&copy, "go1.27-tasks", &data, &size, &renamer);
    copy.options.flags = GT_WRITER_ANONYMOUS;
    probe_init(&probe);
    copy.options.allocator = &probe.allocator;
    copy_make(&copy, data, size);
    copy_expect_good(&copy);
    probe_check(&probe);
    uint64_t calls = probe.calls;
    for (uint64_t at = 1; at <= calls; at++) {
        probe_init(&probe);
        probe.fail_at = at;
        copy_make(&copy, data, size);
        assert_status(copy.wrote, GT_ERR_NO_MEMORY);
        probe_check(&probe);
    }
    copy_free(&copy);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_text_is_the_one_of_the_function),
        cmocka_unit_test(test_function_is_called_once_for_a_text_in_a_generation),
        cmocka_unit_test(test_long_texts_are_cut_off),
        cmocka_unit_test(test_failure_of_the_function_is_reported),
        cmocka_unit_test(test_anonymous_output_has_numbers_and_no_clock),
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
