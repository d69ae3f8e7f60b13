/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The context that each event needs: a thread, a proc, a goroutine, and one that has not ended.
 * Without what it needs the event is an error at its position; without the rest it is good.
 */

#include <stdbool.h>

#include "support/digest.h"
#include "support/fault.h"
#include "support/gen_events.h"
#include "support/test.h"

enum {
    THREAD = 1 << 0,
    PROC = 1 << 1,
    GOROUTINE = 1 << 2,
    /* The goroutine's state matters, so it must not have ended on another thread. */
    LIVE = 1 << 3,
    USER = THREAD | PROC | GOROUTINE,
};

/* An event of thread 5, where goroutine 1 runs on proc 0 until part of the context is removed. */
static const struct event {
    const char *name;
    unsigned type;
    unsigned needs;
    /* An event that comes before, while the context is complete; EV_NONE for none. */
    unsigned before;
    /* The number of events of the garbage collector before it. */
    unsigned collector;
    /* The event comes one generation later. */
    bool later;
    size_t count;
    uint64_t args[4];
} events[] = {
    {"ProcStop", EV_PROC_STOP, THREAD | PROC, EV_NONE, 0, false, 0, {0}},
    {"ProcSteal", EV_PROC_STEAL, THREAD, EV_NONE, 0, false, 3, {90, 2, 9}},
    {"GoCreate", EV_GO_CREATE, THREAD | PROC, EV_NONE, 0, false, 3, {70, 0, 0}},
    {"GoCreateBlocked", EV_GO_CREATE_BLOCKED, THREAD | PROC, EV_NONE, 0, false, 3, {70, 0, 0}},
    {"GoDestroy", EV_GO_DESTROY, USER | LIVE, EV_NONE, 0, false, 0, {0}},
    {"GoStop", EV_GO_STOP, USER | LIVE, EV_NONE, 0, false, 2, {0, 0}},
    {"GoBlock", EV_GO_BLOCK, USER | LIVE, EV_NONE, 0, false, 2, {0, 0}},
    {"GoUnblock", EV_GO_UNBLOCK, 0, EV_NONE, 0, false, 3, {91, 1, 0}},
    {"GoSwitch", EV_GO_SWITCH, USER | LIVE, EV_NONE, 0, false, 2, {91, 1}},
    {"GoSwitchDestroy", EV_GO_SWITCH_DESTROY, USER | LIVE, EV_NONE, 0, false, 2, {91, 1}},
    {"GoSyscallBegin", EV_GO_SYSCALL_BEGIN, USER | LIVE, EV_NONE, 0, false, 2, {1, 0}},
    {"STWBegin", EV_STW_BEGIN, USER | LIVE, EV_NONE, 0, false, 2, {0, 0}},
    {"STWEnd", EV_STW_END, USER | LIVE, EV_STW_BEGIN, 0, false, 0, {0}},
    {"GCActive", EV_GC_ACTIVE, 0, EV_NONE, 0, false, 1, {1}},
    {"GCActive, later", EV_GC_ACTIVE, USER, EV_NONE, 1, true, 1, {2}},
    {"GCBegin, the first", EV_GC_BEGIN, 0, EV_NONE, 0, false, 2, {7, 0}},
    {"GCBegin", EV_GC_BEGIN, USER, EV_NONE, 2, false, 2, {3, 0}},
    {"GCEnd", EV_GC_END, USER, EV_NONE, 1, false, 1, {2}},
    {"GCSweepActive", EV_GC_SWEEP_ACTIVE, 0, EV_NONE, 0, false, 1, {90}},
    {"GCSweepBegin", EV_GC_SWEEP_BEGIN, THREAD | PROC, EV_NONE, 0, false, 1, {0}},
    {"GCSweepEnd", EV_GC_SWEEP_END, THREAD | PROC, EV_GC_SWEEP_BEGIN, 0, false, 2, {1, 1}},
    {"GCMarkAssistActive", EV_GC_MARK_ASSIST_ACTIVE, 0, EV_NONE, 0, false, 1, {91}},
    {"GCMarkAssistBegin", EV_GC_MARK_ASSIST_BEGIN, USER | LIVE, EV_NONE, 0, false, 1, {0}},
    {"GCMarkAssistEnd",
     EV_GC_MARK_ASSIST_END,
     USER | LIVE,
     EV_GC_MARK_ASSIST_BEGIN,
     0,
     false,
     0,
     {0}},
    {"ProcsChange", EV_PROCS_CHANGE, USER, EV_NONE, 0, false, 2, {4, 0}},
    {"HeapAlloc", EV_HEAP_ALLOC, THREAD | PROC, EV_NONE, 0, false, 1, {1}},
    {"HeapGoal", EV_HEAP_GOAL, THREAD | PROC, EV_NONE, 0, false, 1, {1}},
    {"GoLabel", EV_GO_LABEL, USER, EV_NONE, 0, false, 1, {0}},
    {"UserTaskBegin", EV_USER_TASK_BEGIN, USER, EV_NONE, 0, false, 4, {7, 0, 0, 0}},
    {"UserTaskEnd", EV_USER_TASK_END, USER, EV_NONE, 0, false, 2, {7, 0}},
    {"UserRegionBegin", EV_USER_REGION_BEGIN, USER | LIVE, EV_NONE, 0, false, 3, {7, 0, 0}},
    {"UserRegionEnd", EV_USER_REGION_END, USER | LIVE, EV_NONE, 0, false, 3, {7, 0, 0}},
    {"UserLog", EV_USER_LOG, USER, EV_NONE, 0, false, 4, {7, 0, 0, 0}},
    {"Span", EV_SPAN, THREAD, EV_NONE, 0, false, 3, {1, 1, 1}},
    {"SpanAlloc", EV_SPAN_ALLOC, THREAD, EV_NONE, 0, false, 3, {1, 1, 1}},
    {"SpanFree", EV_SPAN_FREE, THREAD, EV_NONE, 0, false, 1, {1}},
    {"HeapObject", EV_HEAP_OBJECT, THREAD, EV_NONE, 0, false, 2, {1, 1}},
    {"HeapObjectAlloc", EV_HEAP_OBJECT_ALLOC, THREAD, EV_NONE, 0, false, 2, {1, 1}},
    {"HeapObjectFree", EV_HEAP_OBJECT_FREE, THREAD, EV_NONE, 0, false, 1, {1}},
    {"GoroutineStack", EV_GOROUTINE_STACK, THREAD, EV_NONE, 0, false, 2, {1, 1}},
    {"GoroutineStackAlloc", EV_GOROUTINE_STACK_ALLOC, THREAD, EV_NONE, 0, false, 2, {1, 1}},
    {"GoroutineStackFree", EV_GOROUTINE_STACK_FREE, THREAD, EV_NONE, 0, false, 1, {1}},
};

/*
 * Thread 9 has the garbage collector's events, a proc that can be stolen, and a goroutine that
 * waits.
 */
static void write_other(struct gen *g, const struct event *event)
{
    gen_running(g, 9, 90, 90);
    gen_go_status(g, 91, WIRE_NONE, GO_WAITING);
    if (event->collector > 0)
        gen_gc_begin(g, 0);
    if (event->collector > 1)
        gen_gc_end(g);
    gen_syscall_begin(g, 0);
}

static void write_before(struct gen *g, const struct event *event)
{
    gen_running(g, 5, 0, 1);
    if (event->before == EV_STW_BEGIN)
        gen_stw_begin(g, "", 0);
    else if (event->before != EV_NONE)
        GEN_EVENT(g, event->before, 0);
}

static void take_away(struct gen *g, unsigned missing)
{
    if (missing == THREAD)
        gen_on(g, WIRE_NONE);
    if (missing == PROC)
        gen_proc_stop(g);
    if (missing == GOROUTINE)
        gen_go_block(g, "", 0);
    if (missing != LIVE)
        return;
    gen_running(g, 8, 80, 1);
    gen_go_destroy(g);
    gen_on(g, 5);
}

/*
 * Writes everything before the event, and the event too if `with` is set: it is followed by as many
 * events as it takes for it not to be at the end of its batch, where it would be read another way.
 * Returns the offset of the event.
 */
static uint64_t write_event(struct gen *g, unsigned version, const struct event *event,
                            unsigned missing, bool with)
{
    uint64_t offset;
    gen_begin(g, version);
    gen_generation(g, 1);
    write_other(g, event);
    write_before(g, event);
    take_away(g, missing);
    if (event->later)
        gen_generation(g, 2);
    if (with)
        gen_event(g, event->type, event->args, event->count);
    offset = g->event_at;
    for (uint64_t i = 0; with && i < 4; i++)
        gen_proc_status(g, 100 + i, PROC_IDLE);
    gen_end(g);
    return offset;
}

/* All events before it, and a Sync after them. */
static size_t count_before(const struct event *event, unsigned version, unsigned missing)
{
    struct digest digest;
    struct gen g = {0};
    size_t count;
    write_event(&g, version, event, missing, false);
    digest_memory(&digest, g.wire.data, g.wire.size, NULL);
    assert_status(digest.status, GT_END);
    count = digest.count;
    digest_free(&digest);
    gen_free(&g);
    return count;
}

static int check_good(const struct event *event, unsigned version, unsigned missing)
{
    size_t before = count_before(event, version, missing);
    struct digest digest;
    struct gen g = {0};
    int bad;
    write_event(&g, version, event, missing, true);
    digest_memory(&digest, g.wire.data, g.wire.size, NULL);
    bad = digest.status != GT_END || digest.count <= before;
    if (bad)
        print_error("%s in version %u without %u: %s\n", event->name, version, missing,
                    digest.error.message);
    digest_free(&digest);
    gen_free(&g);
    return bad;
}

static int check_wrong(const struct event *event, unsigned version, unsigned missing)
{
    struct fault fault = {GT_ERR_ORDER, 0, event->later ? 2 : 1, 0};
    struct gen g = {0};
    int bad;
    fault.events = count_before(event, version, missing) - 1;
    fault.offset = write_event(&g, version, event, missing, true);
    bad = fault_check(event->name, &g.wire, &fault);
    if (bad)
        print_error("    in version %u without %u\n", version, missing);
    gen_free(&g);
    return bad;
}

static void check_all(unsigned missing)
{
    int bad = 0;
    for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
        for (size_t k = 0; k < FAULT_VERSIONS; k++)
            bad += events[i].needs & missing ? check_wrong(&events[i], fault_versions[k], missing)
                                             : check_good(&events[i], fault_versions[k], missing);
    }
    assert_int_equal(bad, 0);
}

static void test_event_with_all_it_needs_is_good(void **state)
{
    (void) state;
    check_all(0);
}

static void test_event_without_needed_thread_is_an_error(void **state)
{
    (void) state;
    check_all(THREAD);
}

static void test_event_without_needed_proc_is_an_error(void **state)
{
    (void) state;
    check_all(PROC);
}

static void test_event_without_needed_goroutine_is_an_error(void **state)
{
    (void) state;
    check_all(GOROUTINE);
}

static void test_event_of_ended_goroutine_is_an_error(void **state)
{
    (void) state;
    check_all(LIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_with_all_it_needs_is_good),
        cmocka_unit_test(test_event_without_needed_thread_is_an_error),
        cmocka_unit_test(test_event_without_needed_proc_is_an_error),
        cmocka_unit_test(test_event_without_needed_goroutine_is_an_error),
        cmocka_unit_test(test_event_of_ended_goroutine_is_an_error),
    };
    return cmocka_run_group_tests_name("context errors", tests, NULL, NULL);
}
