/* SPDX-License-Identifier: BSD-3-Clause */

/* Tasks, regions, logs and labels: what each call records, and what it refuses. */

#include <string.h>

#include "recorder/scene.h"
#include "support/test.h"

static void tasks_have_parents_and_end_anywhere(void **state)
{
    (void) state;
    struct scene s;
    uint64_t task, part;
    scene_open(&s);
    gt_rec_text request = recorded_text(s.recorder, "request");
    scene_start(&s);
    scene_run(&s);
    assert_status(gt_rec_task_begin(s.thread, 0, request, &task), GT_OK);
    assert_status(gt_rec_task_begin(s.thread, task, s.name, &part), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_rec_go_end(s.thread), GT_OK);
    scene_run(&s);
    assert_status(gt_rec_task_end(s.thread, task), GT_OK);
    assert_status(gt_rec_task_end(s.thread, part), GT_OK);
    assert_status(gt_rec_task_end(s.thread, part), GT_OK);
    scene_expect(&s, "task begin 1 0 request; task begin 2 1 work; task end 1 0 request; "
                     "task end 2 1 work; task end 2 0 ; ");
    /* A task that began before the trace. */
    assert_status(gt_rec_task_begin(s.thread, 0, request, &task), GT_OK);
    scene_start(&s);
    assert_status(gt_rec_task_end(s.thread, task), GT_OK);
    scene_expect(&s, "task end 3 0 ; ");
    scene_close(&s);
}

static void regions_are_nested_in_each_goroutine(void **state)
{
    (void) state;
    struct scene s;
    uint64_t task;
    scene_open(&s);
    gt_rec_text read = recorded_text(s.recorder, "read"),
                parse = recorded_text(s.recorder, "parse");
    scene_start(&s);
    gt_rec_go *first = scene_run(&s);
    assert_status(gt_rec_task_begin(s.thread, 0, 0, &task), GT_OK);
    assert_status(gt_rec_region_begin(s.thread, task, read), GT_OK);
    assert_status(gt_rec_region_begin(s.thread, 0, parse), GT_OK);
    assert_status(gt_rec_go_stop(s.thread, GT_REC_YIELD), GT_OK);
    scene_run(&s);
    assert_status(gt_rec_region_end(s.thread), GT_ERR_STATE);
    assert_status(gt_rec_region_begin(s.thread, 0, read), GT_OK);
    assert_status(gt_rec_go_end(s.thread), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_rec_go_start(s.thread, first), GT_OK);
    assert_status(gt_rec_region_end(s.thread), GT_OK);
    assert_status(gt_rec_region_end(s.thread), GT_OK);
    assert_status(gt_rec_region_end(s.thread), GT_ERR_STATE);
    scene_expect(&s, "task begin 1 0 ; region begin 1 read; region begin 0 parse; "
                     "region begin 0 read; region end 0 parse; region end 1 read; ");
    scene_close(&s);
}

static void regions_may_be_open_when_recording_starts(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    gt_rec_text outer = recorded_text(s.recorder, "outer"), inner = recorded_text(s.recorder, "in");
    scene_run(&s);
    assert_status(gt_rec_region_begin(s.thread, 0, outer), GT_OK);
    scene_start(&s);
    assert_status(gt_rec_region_begin(s.thread, 0, inner), GT_OK);
    assert_status(gt_rec_region_end(s.thread), GT_OK);
    assert_status(gt_rec_region_end(s.thread), GT_OK);
    scene_expect(&s, "region begin 0 in; region end 0 in; region end 0 outer; ");
    for (unsigned i = 0; i < 1000; i++)
        assert_status(gt_rec_region_begin(s.thread, 0, i % 2 ? inner : outer), GT_OK);
    scene_start(&s);
    for (unsigned i = 0; i < 900; i++)
        assert_status(gt_rec_region_end(s.thread), GT_OK);
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
    assert_true(recorded_check_by_peer(&s.trace) > 900);
    /* Those that are left are freed. */
    scene_close(&s);
}

static void logs_have_any_text(void **state)
{
    (void) state;
    struct scene s;
    uint64_t task;
    char text[2000];
    scene_open(&s);
    gt_rec_text key = recorded_text(s.recorder, "key");
    scene_start(&s);
    scene_run(&s);
    assert_status(gt_rec_task_begin(s.thread, 0, 0, &task), GT_OK);
    assert_status(gt_rec_log(s.thread, task, key, "one more", 3), GT_OK);
    assert_status(gt_rec_log(s.thread, 0, 0, NULL, 0), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_rec_log(s.thread, 0, key, "two", 3), GT_OK);
    scene_expect(&s, "task begin 1 0 ; log 1 key one; log 0  ; log 0 key two; ");
    /* The longest one, often enough for many batches, and cut between characters. */
    memset(text, 'x', sizeof(text));
    memcpy(text + 1023, "\xc3\xa4", 2);
    scene_start(&s);
    for (unsigned i = 0; i < 500; i++)
        assert_status(gt_rec_log(s.thread, 0, 0, text, sizeof(text)), GT_OK);
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
    recorded_check_by_peer(&s.trace);
    unsigned logs = 0;
    const gt_event *event;
    gt_reader *reader = recorded_open(&s.trace);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_log log = GT_LOG_INIT;
        if (gt_event_log(event, &log) != GT_OK)
            continue;
        assert_int_equal(log.message.size, 1023);
        assert_memory_equal(log.message.data, text, 1023);
        logs++;
    }
    gt_reader_close(&reader);
    assert_int_equal(logs, 500);
    scene_close(&s);
}

static void labels_are_those_of_the_goroutine(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    gt_rec_text label = recorded_text(s.recorder, "tenant 7");
    scene_start(&s);
    scene_run(&s);
    assert_status(gt_rec_go_label(s.thread, label), GT_OK);
    scene_expect(&s, "label 1 tenant 7; ");
    scene_close(&s);
}

static void only_a_goroutine_that_runs_has_annotations(void **state)
{
    (void) state;
    struct scene s;
    uint64_t task = 7;
    scene_open(&s);
    scene_start(&s);
    for (unsigned i = 0; i < 2; i++) {
        assert_status(gt_rec_task_begin(s.thread, 0, 0, &task), GT_ERR_STATE);
        assert_int_equal(task, 0);
        assert_status(gt_rec_region_begin(s.thread, 0, 0), GT_ERR_STATE);
        assert_status(gt_rec_region_end(s.thread), GT_ERR_STATE);
        assert_status(gt_rec_log(s.thread, 0, 0, "", 0), GT_ERR_STATE);
        assert_status(gt_rec_go_label(s.thread, s.name), GT_ERR_STATE);
        if (i == 0) {
            scene_run(&s);
            assert_status(gt_rec_syscall_begin(s.thread), GT_OK);
        }
    }
    assert_status(gt_rec_syscall_end(s.thread), GT_OK);
    assert_status(gt_rec_task_begin(s.thread, 0, 0, &task), GT_OK);
    assert_status(gt_rec_syscall_begin(s.thread), GT_OK);
    assert_status(gt_rec_task_end(s.thread, task), GT_ERR_STATE);
    scene_expect(&s, "task begin 1 0 ; ");
    scene_close(&s);
}

static void wrong_arguments_are_refused(void **state)
{
    (void) state;
    struct scene s;
    uint64_t task;
    gt_rec_text unknown;
    scene_open(&s);
    scene_start(&s);
    scene_run(&s);
    unknown = s.name + 1;
    assert_status(gt_rec_task_begin(NULL, 0, 0, &task), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_task_begin(s.thread, 0, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_task_begin(s.thread, 0, unknown, &task), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_task_begin(s.thread, 1, 0, &task), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_task_end(NULL, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_task_end(s.thread, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_task_end(s.thread, UINT64_MAX), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_region_begin(NULL, 0, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_region_begin(s.thread, 1, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_region_begin(s.thread, 0, unknown), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_region_end(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_log(NULL, 0, 0, "", 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_log(s.thread, 1, 0, "", 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_log(s.thread, 0, unknown, "", 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_log(s.thread, 0, 0, NULL, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_label(NULL, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_label(s.thread, unknown), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_label(s.thread, 0), GT_ERR_INVALID_ARGUMENT);
    scene_expect(&s, "");
    scene_close(&s);
}

static void regions_need_memory(void **state)
{
    (void) state;
    struct scene s;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.memory_limit = 512 << 10;
    scene_open_with(&s, &options);
    gt_status status = GT_OK;
    unsigned count = 0;
    scene_run(&s);
    while (count < 1000000 && (status = gt_rec_region_begin(s.thread, 0, s.name)) == GT_OK)
        count++;
    assert_status(status, GT_ERR_LIMIT);
    while (count-- > 0)
        assert_status(gt_rec_region_end(s.thread), GT_OK);
    assert_status(gt_rec_region_end(s.thread), GT_ERR_STATE);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_have_parents_and_end_anywhere),
        cmocka_unit_test(regions_are_nested_in_each_goroutine),
        cmocka_unit_test(regions_may_be_open_when_recording_starts),
        cmocka_unit_test(logs_have_any_text),
        cmocka_unit_test(labels_are_those_of_the_goroutine),
        cmocka_unit_test(only_a_goroutine_that_runs_has_annotations),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(regions_need_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
