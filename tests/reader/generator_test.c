/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The generator of test traces: its traces are valid unless it is told otherwise, and each of its
 * faults leads to exactly the expected error.
 */

#include <string.h>

#include "support/digest.h"
#include "support/fault.h"
#include "support/gen_events.h"
#include "support/gen_moments.h"
#include "support/test.h"

static void write_goroutines(struct gen *g)
{
    uint64_t stack = GEN_STACK(g, {"main.main", "main.go", 5});
    gen_running(g, 5, 0, 1);
    gen_go_create(g, 2, GEN_STACK(g, {"main.work", "main.go", 7}), stack);
    gen_go_create_blocked(g, 3, 0, stack);
    gen_go_create_blocked(g, 4, 0, stack);
    gen_go_unblock(g, 3, 0);
    gen_go_block(g, "chan receive", stack);
    gen_go_start(g, 3);
    gen_go_stop(g, "preempted", 0);
    gen_go_start(g, 3);
    gen_label(g, "a label");
    gen_go_switch(g, 4);
    gen_go_switch_destroy(g, 3);
    gen_go_destroy(g);
}

static void write_system_calls(struct gen *g)
{
    gen_go_start(g, 2);
    gen_syscall_begin(g, GEN_STACK(g, {"syscall.read", "read.go", 1}));
    gen_syscall_end(g);
    gen_syscall_begin(g, 0);
    gen_on(g, 6);
    gen_proc_steal(g, 0, 5);
    gen_proc_start(g, 0);
    gen_on(g, 5);
    gen_syscall_end_blocked(g);
    gen_on(g, 7);
    gen_go_create_syscall(g, 8);
    gen_go_destroy_syscall(g);
    gen_on(g, 6);
    gen_go_start(g, 2);
}

static void write_ranges(struct gen *g)
{
    gen_gc_begin(g, 0);
    gen_stw_begin(g, "GC mark termination", 0);
    gen_bare(g, EV_STW_END);
    gen_gc_end(g);
    gen_task_begin(g, 1, 0, "a task", 0);
    gen_region_begin(g, 1, "a region", 0);
    gen_log(g, 1, "a key", "a value", 0);
    gen_region_end(g, 1, "a region", 0);
    gen_task_end(g, 1, 0);
    gen_sample(g, 6, 0, 2, GEN_STACK(g, {"main.work", "main.go", 8}));
    GEN_EVENT(g, EV_HEAP_ALLOC, 4096);
    gen_gc_begin(g, 0);
}

/* All features of the generator; goroutine 2 runs on thread 6 at the end. */
static void write_all(struct gen *g)
{
    gen_generation(g, 1);
    write_goroutines(g);
    write_system_calls(g);
    write_ranges(g);
    gen_generation(g, 2);
    gen_running(g, 6, 0, 2);
    gen_gc_active(g);
    gen_gc_end(g);
    gen_go_status_stack(g, 1, WIRE_NONE, GO_WAITING, GEN_STACK(g, {"main.wait", "main.go", 9}));
    gen_go_unblock(g, 1, 0);
    gen_experiment(g, 1, "content", 7);
    gen_proc_stop(g);
}

/* The Syncs, and the events of each function above; a switch is three events. */
#define ALL_EVENTS (3 + (12 + 2 * 3) + 10 + 12 + 7)

static void test_generated_trace_is_good(void **state)
{
    struct digest digest;
    struct reading r = {0};
    struct gen g = {0};
    (void) state;
    for (size_t k = 0; k < FAULT_VERSIONS; k++) {
        gen_begin(&g, fault_versions[k]);
        write_all(&g);
        gen_read(&g, &r);
        digest_memory(&digest, r.wire.data, r.wire.size, NULL);
        assert_string_equal(digest.error.message, "");
        assert_status(digest.status, GT_END);
        assert_int_equal(digest.count, ALL_EVENTS);
        digest_free(&digest);
        reading_close(&r);
    }
}

/* A description results in the same bytes each time. */
static void test_same_description_makes_the_same_bytes(void **state)
{
    struct gen one = {0}, other = {0};
    (void) state;
    gen_begin(&one, 26);
    write_all(&one);
    gen_end(&one);
    gen_begin(&other, 26);
    write_all(&other);
    gen_end(&other);
    assert_int_equal(one.wire.size, other.wire.size);
    assert_memory_equal(one.wire.data, other.wire.data, one.wire.size);
    gen_free(&one);
    gen_free(&other);
}

/* Each event is one unit of time after the one before it, on any thread. */
static void test_events_are_one_unit_of_time_apart(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    (void) state;
    gen_begin(&g, 22);
    gen_generation(&g, 1);
    for (int64_t i = 0; i < 6; i++) {
        gen_on(&g, 5 + (uint64_t) i % 2);
        gen_proc_status(&g, 0, PROC_IDLE);
    }
    gen_sample(&g, 5, 0, 1, 0);
    gen_on_at(&g, 5, 100);
    g.dt = 50;
    gen_proc_status(&g, 0, PROC_IDLE);
    gen_read(&g, &r);
    reading_sync(&r);
    reading_time(&r, 1);
    for (int64_t i = 0; i < 6; i++) {
        reading_next(&r, GT_EVENT_STATE_TRANSITION);
        reading_time(&r, 2 + i);
        assert_int_equal(r.event->thread, 5 + i % 2);
    }
    reading_next(&r, GT_EVENT_STACK_SAMPLE);
    reading_time(&r, 8);
    reading_next(&r, GT_EVENT_STATE_TRANSITION);
    reading_time(&r, 150);
    reading_end(&r);
}

static void expect_frame(const gt_frame *frame, const char *function, uint64_t line)
{
    assert_text(frame->function, function);
    assert_text(frame->file, "main.go");
    assert_int_equal(frame->line, line);
}

/* Equal texts and stacks share an id, and equal places share a pc. */
static void test_equal_texts_and_stacks_share_an_id(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    gt_frame frames[2];
    uint64_t stack;
    size_t count;
    (void) state;
    gen_begin(&g, 22);
    gen_generation(&g, 1);
    assert_int_equal(gen_string(&g, ""), 0);
    assert_int_equal(gen_stack(&g, NULL, 0), 0);
    stack = GEN_STACK(&g, {"main.f", "main.go", 1}, {"main.main", "main.go", 2});
    assert_int_equal(GEN_STACK(&g, {"main.g", "main.go", 3}, {"main.main", "main.go", 2}),
                     stack + 1);
    assert_int_equal(GEN_STACK(&g, {"main.f", "main.go", 1}, {"main.main", "main.go", 2}), stack);
    assert_int_equal(gen_string(&g, "main.f"), gen_string_sized(&g, "main.f", 6));
    gen_running(&g, 5, 0, 1);
    gen_go_block(&g, "", stack);
    gen_go_unblock(&g, 1, stack + 1);
    gen_read(&g, &r);
    reading_skip(&r, 4);
    assert_status(gt_stack_frames(r.reader, gt_event_stack(r.event), frames, 2, &count), GT_OK);
    assert_int_equal(count, 2);
    expect_frame(&frames[0], "main.f", 1);
    expect_frame(&frames[1], "main.main", 2);
    reading_skip(&r, 1);
    assert_status(gt_stack_frames(r.reader, gt_event_stack(r.event), frames, 2, &count), GT_OK);
    expect_frame(&frames[0], "main.g", 3);
    expect_frame(&frames[1], "main.main", 2);
    reading_end(&r);
}

/* More events, strings and stacks than fit into a batch. */
static void write_much(struct gen *g)
{
    static char text[1000];
    struct gen_frame frames[128];
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
    for (size_t i = 0; i < 40000; i++)
        gen_proc_status(g, 0, PROC_RUNNING);
    memset(text, 'x', sizeof(text));
    for (size_t i = 0; i < 100; i++) {
        memcpy(text, &(char){(char) i}, 1);
        gen_log(g, i, "key", "", 0);
        gen_string_sized(g, text, sizeof(text));
        for (size_t k = 0; k < 128; k++)
            frames[k] = (struct gen_frame){"main.f", "main.go", 1000 + i};
        gen_stack(g, frames, 128);
    }
}

static void test_large_content_is_split_into_batches(void **state)
{
    struct digest digest;
    struct gen g = {0};
    (void) state;
    for (int large = 0; large <= 1; large++) {
        gen_begin(&g, 26);
        if (large)
            g.faults = GEN_LARGE_BATCHES;
        write_much(&g);
        gen_end(&g);
        digest_memory(&digest, g.wire.data, g.wire.size, NULL);
        assert_status(digest.status, large ? GT_ERR_BATCH : GT_END);
        assert_int_equal(digest.count, large ? 1 : 1 + 2 + 40000 + 100 + 1);
        digest_free(&digest);
        gen_free(&g);
    }
}

/* What the second generation lacks, or has in excess. */
static const struct gen_fault_row {
    const char *name;
    unsigned fault;
    unsigned least, most;
    gt_status status;
} fault_rows[] = {
    {"no batch of a frequency", GEN_NO_FREQUENCY, 22, 23, GT_ERR_TRUNCATED},
    {"no frequency", GEN_NO_FREQUENCY, 25, 26, GT_ERR_GENERATION},
    {"two frequencies", GEN_TWO_FREQUENCIES, 22, 26, GT_ERR_SYNC},
    {"no snapshot", GEN_NO_SNAPSHOT, 25, 26, GT_ERR_GENERATION},
    {"two snapshots", GEN_TWO_SNAPSHOTS, 25, 26, GT_ERR_SYNC},
    {"no strings", GEN_NO_STRINGS, 22, 26, GT_ERR_STACKS},
    {"a string twice", GEN_STRING_TWICE, 22, 26, GT_ERR_STRINGS},
    {"a string's claim", GEN_STRING_CLAIM, 22, 26, GT_ERR_STRINGS},
    {"a stack twice", GEN_STACK_TWICE, 22, 26, GT_ERR_STACKS},
    {"a stack's claim", GEN_STACK_CLAIM, 22, 26, GT_ERR_STACKS},
    {"no end", GEN_NO_END, 26, 26, GT_ERR_TRUNCATED},
};

static void check_fault(const struct gen_fault_row *row, unsigned version)
{
    struct digest digest;
    struct gen g = {0};
    gen_begin(&g, version);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    gen_end(&g);
    g.faults = row->fault;
    gen_generation(&g, 2);
    gen_running(&g, 5, 0, 1);
    gen_go_stop(&g, "reason", GEN_STACK(&g, {"main.main", "main.go", 1}));
    gen_end(&g);
    digest_memory(&digest, g.wire.data, g.wire.size, NULL);
    if (digest.status != row->status || digest.count != 4 || digest.error.generation != 2)
        fail_msg("%s in version %u: %s", row->name, version, digest.error.message);
    digest_free(&digest);
    gen_free(&g);
}

static void test_each_fault_has_its_own_error(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof(fault_rows) / sizeof(*fault_rows); i++) {
        for (size_t k = 0; k < FAULT_VERSIONS; k++) {
            if (fault_versions[k] >= fault_rows[i].least && fault_versions[k] <= fault_rows[i].most)
                check_fault(&fault_rows[i], fault_versions[k]);
        }
    }
}

static void write_no_stacks(struct gen *g)
{
    g->faults = GEN_NO_STACKS;
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
    gen_go_stop(g, "reason", GEN_STACK(g, {"main.main", "main.go", 1}));
}

static void write_wrong_seq(struct gen *g)
{
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
    gen_seq(g, 7);
    gen_syscall_begin(g, 0);
}

static const struct gen_moment running[] = {
    SYNC_OF(1),
    PROC(0, UNDETERMINED, RUNNING, 5, -1, -1),
    GO(1, UNDETERMINED, RUNNING, 5, 0, -1),
};

/* Wrong events: those before them are delivered. */
static void test_events_before_a_wrong_one_are_good(void **state)
{
    (void) state;
    gen_check_fault(write_no_stacks, 22, 26, GT_ERR_REFERENCE, GEN_MOMENTS(running));
    gen_check_fault(write_wrong_seq, 22, 26, GT_ERR_ORDER, GEN_MOMENTS(running));
}

/* An event is never written into a batch that was started through wire.h, nor after its end. */
static void write_between(struct gen *g)
{
    gen_generation(g, 1);
    gen_on(g, 5);
    gen_proc_status(g, 0, PROC_RUNNING);
    wire_batch(&g->wire, 1, 6, 50);
    WIRE_EVENT(&g->wire, EV_PROC_STATUS, 50, 1, PROC_RUNNING);
    gen_go_status(g, 1, 5, GO_RUNNING);
    wire_batch_end(&g->wire);
    gen_go_block(g, "", 0);
}

static const struct gen_moment between[] = {
    SYNC_OF(1),
    PROC(0, UNDETERMINED, RUNNING, 5, -1, -1),
    GO(1, UNDETERMINED, RUNNING, 5, 0, -1),
    GO(1, RUNNING, WAITING, 5, 0, 1),
    PROC(1, UNDETERMINED, RUNNING, 6, -1, -1),
};

static void test_generator_keeps_out_of_batches_of_wire(void **state)
{
    (void) state;
    gen_check(write_between, 22, 26, GEN_MOMENTS(between));
}

/* Numbers are as wide as wire.h is told, and batches as large as it says. */
static void write_wide(struct gen *g)
{
    g->wire.width = 10;
    g->wire.size_width = 3;
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
}

static void test_numbers_are_as_wide_as_wire_says(void **state)
{
    (void) state;
    gen_check(write_wide, 22, 26, GEN_MOMENTS(running));
}

static void test_wrong_batch_size_is_written(void **state)
{
    struct digest digest;
    struct gen g = {0};
    (void) state;
    gen_begin(&g, 26);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    wire_batch_end_size(&g.wire, 65537);
    gen_go_block(&g, "", 0);
    gen_end(&g);
    digest_memory(&digest, g.wire.data, g.wire.size, NULL);
    assert_status(digest.status, GT_ERR_BATCH);
    assert_int_equal(digest.count, 1);
    digest_free(&digest);
    gen_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generated_trace_is_good),
        cmocka_unit_test(test_same_description_makes_the_same_bytes),
        cmocka_unit_test(test_events_are_one_unit_of_time_apart),
        cmocka_unit_test(test_equal_texts_and_stacks_share_an_id),
        cmocka_unit_test(test_large_content_is_split_into_batches),
        cmocka_unit_test(test_each_fault_has_its_own_error),
        cmocka_unit_test(test_events_before_a_wrong_one_are_good),
        cmocka_unit_test(test_generator_keeps_out_of_batches_of_wire),
        cmocka_unit_test(test_numbers_are_as_wide_as_wire_says),
        cmocka_unit_test(test_wrong_batch_size_is_written),
    };
    return cmocka_run_group_tests_name("generator", tests, NULL, NULL);
}
