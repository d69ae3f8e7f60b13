/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Futile wakeups: before Go 1.11 a goroutine that was woken up in vain records that, and its events
 * since the wakeup are left out. Later versions have no such event.
 */

#include "support/fault.h"
#include "support/probe.h"
#include "support/reading.h"
#include "support/test.h"
#include "support/v1wire.h"

/* The versions before 1.11. */
#define OLD_VERSIONS 5

/* Goroutine 2 runs on proc 1, whose batch stays open; its next sequence number is 2. */
static void begin(struct reading *r, unsigned version)
{
    v1_start(&r->wire, version);
    V1_EVENT(&r->wire, V1_GO_CREATE, 1, 2, 0, 0);
    v1_batch(&r->wire, 1, V1_TICKS + 50);
    V1_EVENT(&r->wire, V1_PROC_START, 1, 6);
    V1_EVENT(&r->wire, V1_GO_START, 1, 2, 1);
}

#define BEGIN_EVENTS (V1_START_EVENTS + 3)

/* The events that follow are on this proc, later than all before. */
static void move(struct reading *r, uint64_t proc, uint64_t time)
{
    v1_batch(&r->wire, proc, V1_TICKS + time);
}

static void open_begun(struct reading *r)
{
    reading_open(r, NULL);
    reading_skip(r, BEGIN_EVENTS);
}

/* A complete futile wakeup: unblock, start, preemption, another start, marker, block. */
static void write_futile(struct reading *r, uint64_t time, uint64_t sequence, unsigned block)
{
    move(r, 0, time);
    V1_EVENT(&r->wire, V1_GO_UNBLOCK, 1, 2, sequence, 0);
    move(r, 1, time + 10);
    V1_EVENT(&r->wire, V1_GO_START, 1, 2, sequence + 1);
    V1_EVENT(&r->wire, V1_GO_PREEMPT, 1, 0);
    V1_EVENT(&r->wire, V1_GO_START, 1, 2, sequence + 2);
    V1_EVENT(&r->wire, V1_FUTILE_WAKEUP, 1);
    V1_EVENT(&r->wire, block, 1, 0);
}

static void test_futile_wakeup_is_left_out(void **state)
{
    static const unsigned blocks[] = {V1_GO_BLOCK,        V1_GO_BLOCK_SEND, V1_GO_BLOCK_RECV,
                                      V1_GO_BLOCK_SELECT, V1_GO_BLOCK_SYNC, V1_GO_BLOCK_COND};
    struct reading r = {0};
    (void) state;
    for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
        for (size_t k = 0; k < OLD_VERSIONS; k++) {
            begin(&r, v1_versions[k]);
            V1_EVENT(&r.wire, V1_GO_BLOCK_RECV, 1, 0);
            write_futile(&r, 100, 2, blocks[i]);
            write_futile(&r, 200, 5, blocks[i]);
            move(&r, 0, 300);
            V1_EVENT(&r.wire, V1_GO_UNBLOCK, 1, 2, 8, 0);
            move(&r, 1, 310);
            V1_EVENT(&r.wire, V1_GO_START, 1, 2, 9);
            V1_EVENT(&r.wire, V1_GO_BLOCK_SEND, 1, 0);
            open_begun(&r);
            reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_WAITING);
            assert_text(reading_transition(&r).reason, "chan receive");
            reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
            assert_int_equal(r.event->time, 300);
            reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
            assert_int_equal(r.event->time, 310);
            reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_WAITING);
            assert_text(reading_transition(&r).reason, "chan send");
            reading_end(&r);
        }
    }
}

/*
 * The events of other goroutines in the meantime are kept, and so are those that are not part of a
 * wakeup.
 */
static void test_events_of_others_are_kept(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < OLD_VERSIONS; k++) {
        begin(&r, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_BLOCK_SYNC, 1, 0);
        move(&r, 0, 100);
        V1_EVENT(&r.wire, V1_GO_UNBLOCK, 1, 2, 2, 0);
        V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
        move(&r, 1, 110);
        V1_EVENT(&r.wire, V1_GO_START, 1, 2, 3);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 7);
        V1_EVENT(&r.wire, V1_FUTILE_WAKEUP, 1);
        V1_EVENT(&r.wire, V1_GO_BLOCK_SYNC, 1, 0);
        V1_EVENT(&r.wire, V1_PROC_STOP, 1);
        open_begun(&r);
        reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_WAITING);
        reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNABLE);
        reading_next(&r, GT_EVENT_METRIC);
        reading_proc(&r, 1, GT_PROC_RUNNING, GT_PROC_IDLE);
        reading_end(&r);
    }
}

/* A wakeup that was not in vain is not a futile one, although the goroutine blocks in the end. */
static void test_useful_wakeup_is_kept(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < OLD_VERSIONS; k++) {
        begin(&r, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_BLOCK_SYNC, 1, 0);
        move(&r, 0, 100);
        V1_EVENT(&r.wire, V1_GO_UNBLOCK, 1, 2, 2, 0);
        move(&r, 1, 110);
        V1_EVENT(&r.wire, V1_GO_START, 1, 2, 3);
        V1_EVENT(&r.wire, V1_GO_BLOCK_SYNC, 1, 0);
        write_futile(&r, 200, 4, V1_GO_BLOCK_SYNC);
        open_begun(&r);
        reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_WAITING);
        reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
        reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_WAITING);
        reading_end(&r);
    }
}

/* The trace begins, or ends, between the unblock and the block. */
static void test_cut_futile_wakeup_is_left_out(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < OLD_VERSIONS; k++) {
        v1_start_open(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_CREATE, 1, 2, 0, 0);
        V1_EVENT(&r.wire, V1_GOMAXPROCS, 1, 4, 0);
        v1_batch(&r.wire, 1, V1_TICKS + 50);
        V1_EVENT(&r.wire, V1_PROC_START, 1, 6);
        V1_EVENT(&r.wire, V1_GO_START, 1, 2, 1);
        V1_EVENT(&r.wire, V1_FUTILE_WAKEUP, 1);
        V1_EVENT(&r.wire, V1_GO_BLOCK_RECV, 1, 0);
        V1_EVENT(&r.wire, V1_PROC_STOP, 1);
        reading_open(&r, NULL);
        reading_skip(&r, V1_START_EVENTS);
        reading_goroutine(&r, 2, GT_GO_UNDETERMINED, GT_GO_RUNNABLE);
        reading_proc(&r, 1, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
        reading_proc(&r, 1, GT_PROC_RUNNING, GT_PROC_IDLE);
        reading_end(&r);
        begin(&r, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_BLOCK_RECV, 1, 0);
        move(&r, 0, 100);
        V1_EVENT(&r.wire, V1_GO_UNBLOCK, 1, 2, 2, 0);
        move(&r, 1, 110);
        V1_EVENT(&r.wire, V1_GO_START, 1, 2, 3);
        V1_EVENT(&r.wire, V1_FUTILE_WAKEUP, 1);
        open_begun(&r);
        reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_WAITING);
        reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
        reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reading_end(&r);
    }
}

/*
 * The search for futile wakeups comes first, and ends where the trace does: here while the next
 * event of a proc has just become possible through one that is too early.
 */
static void test_fault_ends_the_search_for_futile_wakeups(void **state)
{
    struct fault fault = {GT_ERR_TIME, 0, 0, V1_START_EVENTS + 1};
    struct reading r = {0};
    int bad = 0;
    (void) state;
    for (size_t k = 1; k < OLD_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        move(&r, 2, 10);
        V1_EVENT(&r.wire, V1_GO_UNBLOCK_LOCAL, 1, 3, 0);
        move(&r, 3, 20);
        fault.offset = r.wire.size;
        V1_EVENT(&r.wire, V1_GO_WAITING, 1, 3);
        move(&r, 1, 300);
        V1_EVENT(&r.wire, V1_GO_CREATE, 1, 3, 0, 0);
        V1_EVENT(&r.wire, V1_FUTILE_WAKEUP, 1);
        bad += fault_check("fault among futile wakeups", &r.wire, &fault);
    }
    assert_int_equal(bad, 0);
}

/* Reads the trace once without each of its allocations, which must be reported. */
static void check_allocations(const struct wire *wire)
{
    uint64_t failed = 1;
    for (uint64_t call = 1; failed > 0; call++) {
        gt_reader_options options = GT_READER_OPTIONS_INIT;
        struct probe probe;
        gt_reader *reader;
        const gt_event *event;
        probe_init(&probe);
        probe.fail_at = call;
        options.allocator = &probe.allocator;
        gt_status status = gt_reader_open_memory(&reader, wire->data, wire->size, &options, NULL);
        while (status == GT_OK)
            status = gt_reader_next_event(reader, &event);
        failed = probe.failed;
        assert_status(status, failed > 0 ? GT_ERR_NO_MEMORY : GT_END);
        gt_reader_close(&reader);
        probe_check(&probe);
    }
}

/*
 * The first that is known of a wakeup is that it was futile, and it is one more wakeup than there
 * is room for.
 */
static void test_lack_of_memory_at_a_futile_wakeup_is_reported(void **state)
{
    struct wire wire = {0};
    (void) state;
    for (uint64_t others = 0; others < 80; others++) {
        v1_start(&wire, v1_versions[OLD_VERSIONS - 1]);
        V1_EVENT(&wire, V1_GO_END, 1);
        for (uint64_t id = 2; id < 2 + others; id++) {
            V1_EVENT(&wire, V1_GO_CREATE, 1, id, 0, 0);
            V1_EVENT(&wire, V1_GO_START, 1, id, 1);
            V1_EVENT(&wire, V1_GO_END, 1);
        }
        V1_EVENT(&wire, V1_GO_CREATE, 1, 1000, 0, 0);
        V1_EVENT(&wire, V1_GO_START_LABEL, 1, 1000, 1, 0);
        V1_EVENT(&wire, V1_FUTILE_WAKEUP, 1);
        check_allocations(&wire);
    }
    wire_free(&wire);
}

static void test_futile_wakeup_of_later_version_is_an_error(void **state)
{
    struct fault fault = {GT_ERR_EVENT, 0, 0, BEGIN_EVENTS + 3};
    struct reading r = {0};
    int bad = 0;
    (void) state;
    for (size_t k = OLD_VERSIONS; k < V1_VERSIONS; k++) {
        begin(&r, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_BLOCK_RECV, 1, 0);
        move(&r, 0, 100);
        V1_EVENT(&r.wire, V1_GO_UNBLOCK, 1, 2, 2, 0);
        move(&r, 1, 110);
        V1_EVENT(&r.wire, V1_GO_START, 1, 2, 3);
        fault.offset = r.wire.size;
        V1_EVENT(&r.wire, V1_FUTILE_WAKEUP, 1);
        V1_EVENT(&r.wire, V1_GO_BLOCK_RECV, 1, 0);
        bad += fault_check("FutileWakeup", &r.wire, &fault);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_futile_wakeup_is_left_out),
        cmocka_unit_test(test_events_of_others_are_kept),
        cmocka_unit_test(test_useful_wakeup_is_kept),
        cmocka_unit_test(test_cut_futile_wakeup_is_left_out),
        cmocka_unit_test(test_fault_ends_the_search_for_futile_wakeups),
        cmocka_unit_test(test_lack_of_memory_at_a_futile_wakeup_is_reported),
        cmocka_unit_test(test_futile_wakeup_of_later_version_is_an_error),
    };
    return cmocka_run_group_tests_name("v1 futile wakeups", tests, NULL, NULL);
}
