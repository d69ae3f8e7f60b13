/* SPDX-License-Identifier: BSD-3-Clause */

/* What a reader tells of the program at its position, with every trace of the test data. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "living.h"
#include "support/files.h"
#include "support/probe.h"
#include "support/suite.h"

enum {
    POSITIONS = 12
};

static gt_reader *open_trace(const char *path, uint64_t flags, const gt_allocator *allocator)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;

    options.flags = flags | GT_READER_TRACK;
    options.allocator = allocator;
    assert_status(gt_reader_open_file(&reader, path, &options, NULL), GT_OK);
    return reader;
}

static char *text_of(gt_reader *reader)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_status(living_print(out, reader), GT_END);
    assert_int_equal(fclose(out), 0);
    return text;
}

static uint32_t version_of(const gt_reader *reader)
{
    gt_reader_info info = GT_READER_INFO_INIT;

    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    return info.version;
}

static void ask_thread(gt_reader *reader, int64_t id, gt_thread_info *info)
{
    *info = (gt_thread_info) GT_THREAD_INFO_INIT;
    info->proc = GT_NO_PROC;
    info->goroutine = GT_NO_GOROUTINE;
    gt_status status = gt_reader_thread(reader, id, info);
    assert_true(status == GT_OK || status == GT_ERR_NOT_AVAILABLE);
}

/* Asks for the state of the resource of a transition, which is 0 if nothing is known of it. */
static uint32_t ask_state(gt_reader *reader, const gt_resource *resource, int64_t *since)
{
    gt_goroutine_info goroutine = GT_GOROUTINE_INFO_INIT;
    gt_proc_info proc = GT_PROC_INFO_INIT;
    bool is_proc = resource->kind == GT_RESOURCE_PROC;
    gt_status status = is_proc ? gt_reader_proc(reader, resource->id, &proc)
                               : gt_reader_goroutine(reader, resource->id, &goroutine);

    assert_true(status == GT_OK || status == GT_ERR_NOT_AVAILABLE);
    *since = is_proc ? proc.since : goroutine.since;
    return is_proc ? proc.state : goroutine.state;
}

static void check_transition(gt_reader *reader, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    int64_t since;

    assert_status(gt_event_transition(event, &change), GT_OK);
    assert_int_equal(ask_state(reader, &change.resource, &since), change.to);
    if (change.from != change.to && change.from != GT_GO_UNDETERMINED)
        assert_int_equal(since, event->time);
}

/*
 * A thread has the proc and the goroutine that the next event names as its context. The threads of
 * events of Go 1.21 and earlier have those from after the event, or procs that do not exist.
 */
static void test_threads_are_the_context_of_events(void **state)
{
    gt_reader *reader = open_trace(*state, 0, NULL), *ahead = open_trace(*state, 0, NULL);
    const gt_event *event, *next;

    while (gt_reader_next_event(ahead, &next) == GT_OK) {
        gt_thread_info thread;
        if (next->kind != GT_EVENT_STACK_SAMPLE && next->thread != GT_NO_THREAD &&
            version_of(reader) >= 22) {
            ask_thread(reader, next->thread, &thread);
            assert_int_equal(thread.proc, next->proc);
            assert_int_equal(thread.goroutine, next->goroutine);
        }
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
        if (event->kind == GT_EVENT_STATE_TRANSITION)
            check_transition(reader, event);
    }
    gt_reader_close(&reader);
    gt_reader_close(&ahead);
}

/* Reads a trace in one of several ways, and keeps what lives at some positions. */
static void read_tables(gt_reader *reader, uint64_t step, bool asks_always, char **tables)
{
    const gt_event *event;
    uint64_t read = 0;

    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
        if (asks_always)
            gt_reader_goroutine(reader, event->goroutine, &info);
        if (++read % step == 0 && read / step < POSITIONS)
            tables[read / step] = text_of(reader);
    }
    tables[0] = text_of(reader);
    gt_reader_close(&reader);
}

static uint64_t count_events(const char *path)
{
    gt_reader *reader = open_trace(path, GT_READER_LENIENT, NULL);
    const gt_event *event;
    uint64_t count = 0;

    while (gt_reader_next_event(reader, &event) == GT_OK)
        count++;
    gt_reader_close(&reader);
    return count;
}

/* Asking often, rarely, with a thread that reads ahead, and after repairs: the same is told. */
static void test_every_way_of_reading_tells_the_same(void **state)
{
    const uint64_t flags[] = {0, GT_READER_AHEAD, GT_READER_KEEP};
    uint64_t step = count_events(*state) / POSITIONS + 1;
    char *expected[POSITIONS] = {0};

    read_tables(open_trace(*state, GT_READER_LENIENT, NULL), step, true, expected);
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        char *tables[POSITIONS] = {0};
        read_tables(open_trace(*state, GT_READER_LENIENT | flags[i], NULL), step, false, tables);
        for (size_t k = 0; k < POSITIONS; k++) {
            assert_int_equal(!tables[k], !expected[k]);
            if (tables[k])
                assert_string_equal(tables[k], expected[k]);
            free(tables[k]);
        }
    }
    for (size_t k = 0; k < POSITIONS; k++)
        free(expected[k]);
}

static char *mix_path(void)
{
    return files_join(files_testdata(), "v2/go1.27-mix.trace");
}

static void skip_events(gt_reader *reader, unsigned count)
{
    const gt_event *event;

    for (unsigned i = 0; i < count; i++)
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
}

/* Each allocation of a question fails in turn; then the answer is that of a reader with memory. */
static void test_a_question_without_memory_can_be_asked_again(void **state)
{
    char *path = mix_path();
    gt_reader *plain = open_trace(path, 0, NULL);
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
    struct probe probe;

    (void) state;
    probe_init(&probe);
    gt_reader *reader = open_trace(path, 0, &probe.allocator);
    for (unsigned i = 0; i < 40; i++) {
        skip_events(plain, 31);
        skip_events(reader, 31);
        uint64_t tries = 1;
        do {
            probe.fail_at = probe.calls + tries++;
        } while (gt_reader_goroutine(reader, 1, &info) == GT_ERR_NO_MEMORY);
        probe.fail_at = 0;
        char *expected = text_of(plain), *text = text_of(reader);
        assert_string_equal(text, expected);
        free(expected);
        free(text);
    }
    assert_true(probe.failed > 3);
    gt_reader_close(&plain);
    gt_reader_close(&reader);
    probe_check(&probe);
    free(path);
}

/* Reads until a transition of a goroutine to a state. */
static gt_transition read_to(gt_reader *reader, uint32_t state)
{
    gt_transition change = GT_TRANSITION_INIT;
    const gt_event *event;

    do {
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
    } while (gt_event_transition(event, &change) != GT_OK ||
             change.resource.kind != GT_RESOURCE_GOROUTINE || change.to != state ||
             change.from == GT_GO_UNDETERMINED);
    return change;
}

static void test_an_ended_goroutine_is_there_until_the_next_event(void **state)
{
    char *path = mix_path();
    gt_reader *reader = open_trace(path, 0, NULL);
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT, other = GT_GOROUTINE_INFO_INIT;
    gt_transition change = read_to(reader, GT_GO_NOT_EXIST);

    (void) state;
    assert_status(gt_reader_goroutine(reader, change.resource.id, &info), GT_OK);
    assert_int_equal(info.state, GT_GO_NOT_EXIST);
    assert_int_equal(info.previous_state, GT_GO_RUNNING);
    assert_true(info.previous_since < info.since);
    while (gt_reader_next_goroutine(reader, &other) == GT_OK)
        assert_int_not_equal(other.id, info.id);
    skip_events(reader, 1);
    assert_status(gt_reader_goroutine(reader, change.resource.id, &info), GT_ERR_NOT_AVAILABLE);
    gt_reader_close(&reader);
    free(path);
}

static void test_a_created_goroutine_knows_its_creator(void **state)
{
    char *path = mix_path();
    gt_reader *reader = open_trace(path, 0, NULL);
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
    gt_transition change;
    const gt_frame *frames;
    size_t count;

    (void) state;
    do {
        change = read_to(reader, GT_GO_RUNNABLE);
    } while (change.from != GT_GO_NOT_EXIST);
    assert_status(gt_reader_goroutine(reader, change.resource.id, &info), GT_OK);
    assert_true(info.creator > 0);
    assert_true(info.name.size > 0);
    assert_true(info.start_stack == change.stack);
    assert_int_equal(info.since, info.created);
    assert_int_equal(info.thread, GT_NO_THREAD);
    assert_status(gt_stack_view(reader, info.creator_stack, &frames, &count), GT_OK);
    assert_true(count > 0);
    gt_reader_close(&reader);
    free(path);
}

/* What lives all the time is met once, in the order of the numbers, while events are read. */
static void test_a_loop_goes_on_while_events_are_read(void **state)
{
    char *path = mix_path();
    gt_reader *reader = open_trace(path, 0, NULL);
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT, after = GT_GOROUTINE_INFO_INIT;
    uint64_t last = 0, met = 0, stayed = 0, numbers[256];

    (void) state;
    skip_events(reader, 200);
    while (stayed < 256 && gt_reader_next_goroutine(reader, &info) == GT_OK)
        numbers[stayed++] = info.number;
    info = (gt_goroutine_info) GT_GOROUTINE_INFO_INIT;
    while (gt_reader_next_goroutine(reader, &info) == GT_OK) {
        assert_true(info.number > last);
        last = info.number;
        skip_events(reader, 3);
        for (uint64_t i = 0; i < stayed; i++)
            met += numbers[i] == info.number;
    }
    for (uint64_t i = 0; i < stayed; i++) {
        after.number = numbers[i] - 1;
        met += gt_reader_next_goroutine(reader, &after) != GT_OK || after.number != numbers[i];
    }
    assert_true(stayed > 3);
    assert_true(met >= stayed);
    gt_reader_close(&reader);
    free(path);
}

static void test_bad_questions_are_refused(void **state)
{
    char *path = mix_path();
    gt_goroutine_info goroutine = GT_GOROUTINE_INFO_INIT;
    gt_proc_info proc = GT_PROC_INFO_INIT;
    gt_thread_info thread = GT_THREAD_INFO_INIT;
    gt_reader *reader;

    (void) state;
    assert_status(gt_reader_open_file(&reader, path, NULL, NULL), GT_OK);
    assert_status(gt_reader_goroutine(reader, 1, &goroutine), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_next_proc(reader, &proc), GT_ERR_INVALID_ARGUMENT);
    gt_reader_close(&reader);
    reader = open_trace(path, 0, NULL);
    assert_status(gt_reader_goroutine(reader, 1, &goroutine), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_reader_next_goroutine(reader, &goroutine), GT_END);
    assert_status(gt_reader_goroutine(reader, 1, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_proc(NULL, 1, &proc), GT_ERR_INVALID_ARGUMENT);
    proc.size--;
    thread.size = 0;
    assert_status(gt_reader_proc(reader, 1, &proc), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_thread(reader, 1, &thread), GT_ERR_INVALID_ARGUMENT);
    gt_reader_close(&reader);
    free(path);
}

/* A trace that comes in pieces: between them the state is that after the last event. */
static void test_a_fed_reader_tells_what_is_there_so_far(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    char *path = files_join(files_testdata(), "v2/go1.26-strings.trace");
    gt_reader *fed, *whole = open_trace(path, 0, NULL);
    const gt_event *event;
    size_t size, at = 0;
    uint8_t *bytes = files_read(path, &size);

    (void) state;
    options.flags = GT_READER_TRACK;
    assert_status(gt_reader_open_push(&fed, &options, NULL), GT_OK);
    while (at < size) {
        size_t piece = size - at < 1000 ? size - at : 1000;
        assert_status(gt_reader_feed(fed, bytes + at, piece), GT_OK);
        at += piece;
        while (gt_reader_next_event(fed, &event) == GT_OK)
            skip_events(whole, 1);
        char *expected = text_of(whole), *text = text_of(fed);
        assert_string_equal(text, expected);
        free(expected);
        free(text);
    }
    gt_reader_close(&fed);
    gt_reader_close(&whole);
    free(bytes);
    free(path);
}

static void add_traces(struct suite *suite, const char *folder, CMUnitTestFunction test)
{
    char *directory = files_join(files_testdata(), folder);
    struct file_list list = {0};

    files_list(&list, directory, "", ".trace");
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(directory, list.names[i]);
        suite_add(suite, path, test, path);
    }
    files_list_free(&list);
    free(directory);
}

int main(void)
{
    struct suite suite = {0};

    add_traces(&suite, "v1", test_threads_are_the_context_of_events);
    add_traces(&suite, "v2", test_threads_are_the_context_of_events);
    add_traces(&suite, "v1", test_every_way_of_reading_tells_the_same);
    add_traces(&suite, "v2", test_every_way_of_reading_tells_the_same);
    suite_add(&suite, "memory", test_a_question_without_memory_can_be_asked_again, NULL);
    suite_add(&suite, "ended", test_an_ended_goroutine_is_there_until_the_next_event, NULL);
    suite_add(&suite, "creator", test_a_created_goroutine_knows_its_creator, NULL);
    suite_add(&suite, "loop", test_a_loop_goes_on_while_events_are_read, NULL);
    suite_add(&suite, "refused", test_bad_questions_are_refused, NULL);
    suite_add(&suite, "fed", test_a_fed_reader_tells_what_is_there_so_far, NULL);
    int failed = suite_run(&suite, "live");
    suite_free(&suite, free);
    return failed;
}
