/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Traces of Go 1.21 and before, written in the current format: the events in their order, with
 * their times, on threads that can have them. If $GT_PEER names a binary that does what `go tool
 * trace` does, it has to read the copies, too.
 */

#include <stdlib.h>
#include <string.h>

#include "rewrite/copy.h"
#include "support/files.h"
#include "support/probe.h"
#include "support/test.h"
#include "support/v1sample.h"
#include "support/v1wire.h"

/* What the copy of a recorded trace has not as the input. The others have everything. */
struct losses {
    const char *name;
    uint64_t left_out;
    uint64_t moved;
    uint64_t handed_over;
};

static const struct losses known_losses[] = {
    {"found-no-gomaxprocs.trace", 32, 0, 0},
    {"go1.19-cpu.trace", 0, 2, 0},
    {"go1.19-gc.trace", 0, 3, 0},
    {"go1.21-cpu.trace", 0, 2, 0},
    {"go1.21-gc.trace", 0, 3, 0},
    {"go1.21-restart.trace", 0, 1, 0},
};

static void expect_losses(const char *name, const gt_writer_info *info)
{
    struct losses expected = {name, 0, 0, 0};
    for (size_t i = 0; i < sizeof(known_losses) / sizeof(*known_losses); i++) {
        if (strcmp(known_losses[i].name, name) == 0)
            expected = known_losses[i];
    }
    assert_int_equal(info->left_out, expected.left_out);
    assert_int_equal(info->moved, expected.moved);
    assert_int_equal(info->handed_over, expected.handed_over);
}

static void expect_same_frames(gt_reader *a_reader, gt_stack a, gt_reader *b_reader, gt_stack b)
{
    const gt_frame *a_frames, *b_frames;
    size_t a_count = 0, b_count = 0;
    if (a == GT_STACK_NONE)
        return;
    assert_status(gt_stack_view(a_reader, a, &a_frames, &a_count), GT_OK);
    assert_status(gt_stack_view(b_reader, b, &b_frames, &b_count), GT_OK);
    assert_int_equal(b_count, a_count < 128 ? a_count : 128);
    for (size_t i = 0; i < b_count; i++) {
        assert_int_equal(b_frames[i].pc, a_frames[i].pc);
        assert_int_equal(b_frames[i].line, a_frames[i].line);
        assert_int_equal(b_frames[i].function.size, a_frames[i].function.size);
        assert_memory_equal(b_frames[i].function.data, a_frames[i].function.data,
                            a_frames[i].function.size);
    }
}

static void expect_same_event(gt_reader *input, const gt_event *a, gt_reader *output,
                              const gt_event *b)
{
    gt_wire_event wires[2] = {GT_WIRE_EVENT_INIT, GT_WIRE_EVENT_INIT};
    gt_transition changes[2] = {GT_TRANSITION_INIT, GT_TRANSITION_INIT};
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(b->time, a->time + GT_WRITER_V1_OFFSET);
    assert_status(gt_event_wire(a, &wires[0]), GT_OK);
    assert_status(gt_event_wire(b, &wires[1]), GT_OK);
    assert_int_equal(wires[0].type, wires[1].type);
    expect_same_frames(input, gt_event_stack(a), output, gt_event_stack(b));
    if (gt_event_transition(a, &changes[0]) != GT_OK)
        return;
    assert_status(gt_event_transition(b, &changes[1]), GT_OK);
    assert_int_equal(changes[0].resource.kind, changes[1].resource.kind);
    assert_int_equal(changes[0].resource.id, changes[1].resource.id);
    assert_int_equal(changes[0].to, changes[1].to);
    assert_int_equal(changes[0].reason.size, changes[1].reason.size);
}

/* Compares all events but for Syncs, of a copy that lacks none. */
static void check_events(const void *data, size_t size, const struct copy *copy)
{
    const gt_event *a, *b;
    gt_reader *input, *output = copy_open(copy);
    uint64_t events = 0;
    assert_status(gt_reader_open_memory(&input, data, size, NULL, NULL), GT_OK);
    while (gt_reader_next_event(input, &a) == GT_OK) {
        assert_status(gt_reader_next_event(output, &b), GT_OK);
        if (a->kind == GT_EVENT_SYNC)
            continue;
        expect_same_event(input, a, output, b);
        events++;
    }
    assert_int_equal(events, copy->info.events);
    gt_reader_close(&input);
    gt_reader_close(&output);
}

/* Made traces have frames without names and files, which a validator reports in newer versions. */
static void check_good(const struct copy *copy, bool is_recorded)
{
    copy_expect_good(copy);
    struct findings found = copy_validate(copy->out.data, copy->out.size);
    assert_status(found.read, GT_END);
    if (is_recorded)
        assert_int_equal(found.findings, 0);
    output_expect_peer_reads(copy->out.data, copy->out.size);
}

static void check_recorded(const char *directory, const char *name)
{
    char *path = files_join(directory, name);
    struct copy copy;
    size_t size;
    uint8_t *data = files_read(path, &size);
    copy_init(&copy);
    copy.options.version = 26;
    copy_make(&copy, data, size);
    if (copy.read == GT_END) {
        check_good(&copy, true);
        expect_losses(name, &copy.info);
        if (copy.info.left_out == 0)
            check_events(data, size, &copy);
    }
    copy_free(&copy);
    free(data);
    free(path);
}

static void test_recorded_traces_have_the_same_events(void **state)
{
    char *directory = files_join(files_testdata(), "v1");
    struct file_list list = {NULL, 0};
    (void) state;
    files_list(&list, directory, "", ".trace");
    assert_true(list.count > 20);
    for (size_t i = 0; i < list.count; i++)
        check_recorded(directory, list.names[i]);
    files_list_free(&list);
    free(directory);
}

/* All kinds of events, in each version of the format. */
static void test_each_version_becomes_a_good_trace(void **state)
{
    static const unsigned versions[] = {5, 7, 8, 9, 10, 11, 19, 21};
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        struct wire wire = {0};
        struct copy copy;
        v1_sample_trace(&wire, versions[i], 2000);
        copy_init(&copy);
        copy_make(&copy, wire.data, wire.size);
        check_good(&copy, false);
        assert_int_equal(copy.info.version, 23);
        assert_true(copy.info.left_out * 4 < copy.info.events);
        copy_free(&copy);
        wire_free(&wire);
    }
}

static void test_output_may_begin_within_the_trace(void **state)
{
    struct wire wire = {0};
    (void) state;
    v1_sample_trace(&wire, 21, 300);
    for (uint64_t first = 2; first < 300; first += 7) {
        struct copy copy;
        copy_init(&copy);
        copy.first = first;
        copy_make(&copy, wire.data, wire.size);
        check_good(&copy, false);
        copy_free(&copy);
    }
    wire_free(&wire);
}

/*
 * Goroutines that C code creates: each creation is taken back, also if its batch was just written
 * because it was full, or because all batches together were too large.
 */
static void check_callbacks(unsigned before, unsigned callbacks, unsigned between)
{
    struct wire wire = {0};
    struct copy copy;
    v1_start(&wire, 21);
    for (unsigned i = 0; i < before; i++)
        V1_EVENT(&wire, V1_HEAP_ALLOC, 1, 1000000 + i);
    for (unsigned i = 0; i < callbacks; i++) {
        for (unsigned j = 0; j < between; j++)
            V1_EVENT(&wire, V1_HEAP_ALLOC, 1, 1000000 + i);
        V1_EVENT(&wire, V1_GO_CREATE, 1, 10 + i, 0, 0);
        V1_EVENT(&wire, V1_GO_IN_SYSCALL, 1, 10 + i);
    }
    copy_init(&copy);
    copy_make(&copy, wire.data, wire.size);
    check_good(&copy, false);
    copy_free(&copy);
    wire_free(&wire);
}

static void test_creation_is_taken_back_after_its_batch_was_written(void **state)
{
    (void) state;
    check_callbacks(0, 30000, 1);
    check_callbacks(10000, 120000, 0);
}

/* Converts a trace and frees it. The copy must be good. */
static gt_writer_info info_of_good_copy(struct wire *wire)
{
    struct copy copy;
    copy_init(&copy);
    copy_make(&copy, wire->data, wire->size);
    check_good(&copy, false);
    gt_writer_info info = copy.info;
    copy_free(&copy);
    wire_free(wire);
    return info;
}

/* A malformed trace starts the proc of batches that have none; the current format cannot. */
static void test_start_of_no_proc_is_left_out(void **state)
{
    static const uint64_t procs[] = {UINT64_MAX, 1000000, INT32_MAX};
    (void) state;
    for (size_t i = 0; i < sizeof(procs) / sizeof(*procs); i++) {
        struct wire wire = {0};
        v1_start(&wire, 21);
        v1_batch(&wire, procs[i], 2 * V1_TICKS);
        V1_EVENT(&wire, V1_PROC_START, 1, 7);
        V1_EVENT(&wire, V1_PROC_STOP, 1);
        gt_writer_info info = info_of_good_copy(&wire);
        assert_int_equal(info.left_out, 2);
    }
}

/* A malformed trace starts a goroutine on a proc that has stopped. */
static void test_goroutine_starts_on_a_proc_that_stopped(void **state)
{
    struct wire wire = {0};
    (void) state;
    wire_begin(&wire, 21);
    v1_batch(&wire, 0, V1_TICKS);
    V1_EVENT(&wire, V1_FREQUENCY, WIRE_NANOSECONDS);
    V1_EVENT(&wire, V1_GO_CREATE, 1, 1, 0, 0);
    V1_EVENT(&wire, V1_PROC_START, 1, 5);
    V1_EVENT(&wire, V1_PROC_STOP, 1);
    V1_EVENT(&wire, V1_GO_START, 1, 1, 1);
    gt_writer_info info = info_of_good_copy(&wire);
    assert_int_equal(info.made_up, 1);
    assert_int_equal(info.left_out, 0);
}

/* A malformed trace starts a proc on which a goroutine runs already. */
static void test_proc_whose_status_was_made_up_gets_no_other(void **state)
{
    struct wire wire = {0};
    (void) state;
    wire_begin(&wire, 21);
    v1_batch(&wire, 0, V1_TICKS);
    V1_EVENT(&wire, V1_FREQUENCY, WIRE_NANOSECONDS);
    V1_EVENT(&wire, V1_GO_CREATE, 1, 1, 0, 0);
    V1_EVENT(&wire, V1_GO_START, 1, 1, 1);
    V1_EVENT(&wire, V1_PROC_START, 1, 5);
    gt_writer_info info = info_of_good_copy(&wire);
    assert_int_equal(info.made_up, 1);
    assert_int_equal(info.left_out, 1);
}

/* A malformed trace lets a proc create a goroutine while its own one is in a system call. */
static void test_goroutine_in_a_system_call_creates_none(void **state)
{
    struct wire wire = {0};
    (void) state;
    v1_start(&wire, 21);
    V1_EVENT(&wire, V1_GO_SYS_CALL, 1, 0);
    V1_EVENT(&wire, V1_GO_SYS_BLOCK, 1);
    V1_EVENT(&wire, V1_GO_CREATE, 1, 2, 0, 0);
    gt_writer_info info = info_of_good_copy(&wire);
    assert_int_equal(info.left_out, 1);
}

/* The current format needs a running goroutine for the beginning of a collection, and has none. */
static void test_collection_that_nobody_begins_has_no_end(void **state)
{
    struct wire wire = {0};
    (void) state;
    v1_start(&wire, 21);
    V1_EVENT(&wire, V1_GO_SCHED, 1, 0);
    V1_EVENT(&wire, V1_GC_START, 1, 0, 0);
    V1_EVENT(&wire, V1_GO_START, 1, 1, 2);
    V1_EVENT(&wire, V1_GC_DONE, 1);
    V1_EVENT(&wire, V1_GC_START, 1, 1, 0);
    V1_EVENT(&wire, V1_GC_DONE, 1);
    gt_writer_info info = info_of_good_copy(&wire);
    assert_int_equal(info.left_out, 2);
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    struct wire wire = {0};
    struct probe probe;
    struct copy copy;
    (void) state;
    v1_sample_trace(&wire, 21, 300);
    copy_init(&copy);
    probe_init(&probe);
    copy.options.allocator = &probe.allocator;
    copy_make(&copy, wire.data, wire.size);
    copy_expect_good(&copy);
    uint64_t calls = probe.calls;
    for (uint64_t at = 1; at <= calls; at++) {
        probe_init(&probe);
        probe.fail_at = at;
        copy_make(&copy, wire.data, wire.size);
        assert_status(copy.wrote, GT_ERR_NO_MEMORY);
        probe_check(&probe);
    }
    copy_free(&copy);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_traces_have_the_same_events),
        cmocka_unit_test(test_each_version_becomes_a_good_trace),
        cmocka_unit_test(test_output_may_begin_within_the_trace),
        cmocka_unit_test(test_creation_is_taken_back_after_its_batch_was_written),
        cmocka_unit_test(test_start_of_no_proc_is_left_out),
        cmocka_unit_test(test_goroutine_starts_on_a_proc_that_stopped),
        cmocka_unit_test(test_proc_whose_status_was_made_up_gets_no_other),
        cmocka_unit_test(test_goroutine_in_a_system_call_creates_none),
        cmocka_unit_test(test_collection_that_nobody_begins_has_no_end),
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
