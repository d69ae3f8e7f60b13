/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that the rows of goroutines, procs, threads and tasks contain what was emitted. */
#include <string.h>

#include "support/test.h"
#include "view/filling.h"

static const struct filling_state no_state = {.proc = -1, .thread = -1, .by = -1};

static struct filling_state state_of(const char *name, int64_t start, int64_t end)
{
    struct filling_state said = no_state;
    said.name = name;
    said.start = start;
    said.end = end;
    return said;
}

static void run(struct filling *f, int64_t goroutine, const char *name, int64_t start, int64_t end,
                int64_t proc, int64_t thread)
{
    struct filling_state said = state_of(name, start, end);
    said.proc = proc;
    said.thread = thread;
    filling_state(f, goroutine, &said);
}

static void wait(struct filling *f, int64_t goroutine, const char *reason, int64_t start,
                 int64_t end)
{
    struct filling_state said = state_of("Waiting", start, end);
    said.reason = reason;
    filling_state(f, goroutine, &said);
}

static void wake(struct filling *f, int64_t goroutine, int64_t by, int64_t start, int64_t end)
{
    struct filling_state said = state_of("Runnable", start, end);
    said.by = by;
    filling_state(f, goroutine, &said);
}

static void test_states_fill_the_row(void **state)
{
    (void) state;
    struct filling f;
    filling_open(&f);
    filling_goroutine(&f, 1, "main.main", -1);
    assert_status(filling_add_goroutine(&f, 7, "", 1, NULL, 0), GT_OK);
    wake(&f, 7, 1, 100, 150);
    run(&f, 7, "Running", 150, 400, 2, 55);
    assert_status(filling_add_goroutine(&f, 7, "main.work", -1, "busy", 0), GT_OK);
    wait(&f, 7, "chan receive", 400, 1000);
    run(&f, 1, "Running", 0, 1100, 0, 54);
    struct gt_store_row row = filling_row(&f, GT_STORE_VIEW_GOROUTINE, 7);
    assert_int_equal(row.ordinal, 1);
    assert_text(row.name, "main.work");
    assert_text(row.label, "busy");
    assert_int_equal(row.parent, 0);
    assert_int_equal(row.start, 100);
    assert_int_equal(row.end, 1000);
    assert_int_equal(row.lane_count, 1);
    assert_int_equal(row.lanes[0].kind, GT_LANE_STATE);
    assert_int_equal(row.time[GT_CLASS_RUNNABLE], 50);
    assert_int_equal(row.time[GT_CLASS_RUNNING], 250);
    assert_int_equal(row.time[GT_CLASS_WAIT_CHAN], 600);
    struct gt_span span = filling_span(&f, &row, 0, 0);
    assert_int_equal(span.cls, GT_CLASS_RUNNABLE);
    assert_int_equal(span.by, 0);
    assert_int_equal(span.goroutine, 1);
    assert_int_equal(span.proc, GT_STORE_NONE);
    span = filling_span(&f, &row, 0, 1);
    assert_int_equal(span.cls, GT_CLASS_RUNNING);
    assert_int_equal(span.by, GT_STORE_NONE);
    assert_int_equal(span.proc, filling_row(&f, GT_STORE_VIEW_PROC, 2).ordinal);
    assert_int_equal(span.thread, filling_row(&f, GT_STORE_VIEW_THREAD, 55).ordinal);
    span = filling_span(&f, &row, 0, 2);
    assert_text(gt_store_text(f.store, span.name), "chan receive");
    assert_int_equal(gt_store_row_count(f.store, GT_STORE_VIEW_GOROUTINE), 2);
    assert_int_equal(gt_store_end(f.store), 1100);
    assert_int_equal(filling_row(&f, GT_STORE_VIEW_GOROUTINE, 1).parent, GT_STORE_NONE);
    filling_close(&f);
}

/* Go's reasons, and some that are not Go's. */
static void test_reasons_have_their_classes(void **state)
{
    (void) state;

    static const struct {
        const char *reason;
        uint32_t cls;
    } waits[] = {
        {"chan receive", GT_CLASS_WAIT_CHAN},
        {"chan send", GT_CLASS_WAIT_CHAN},
        {"select", GT_CLASS_WAIT_CHAN},
        {"forever", GT_CLASS_WAIT_CHAN},
        {"sync", GT_CLASS_WAIT_SYNC},
        {"sync.(*Cond).Wait", GT_CLASS_WAIT_SYNC},
        {"synctest", GT_CLASS_WAIT_SYNC},
        {"network", GT_CLASS_WAIT_NET},
        {"sleep", GT_CLASS_WAIT_SLEEP},
        {"GC mark assist wait for work", GT_CLASS_WAIT_GC},
        {"GC background sweeper wait", GT_CLASS_WAIT_GC},
        {"GC weak to strong wait", GT_CLASS_WAIT_GC},
        {"wait until GC ends", GT_CLASS_WAIT_GC},
        {"system goroutine wait", GT_CLASS_WAIT_OTHER},
        {"preempted", GT_CLASS_WAIT_OTHER},
        {"", GT_CLASS_WAIT_OTHER},
        {NULL, GT_CLASS_WAIT_OTHER},
        {"something new", GT_CLASS_WAIT_OTHER},
        {"sync", GT_CLASS_WAIT_SYNC},
    };

    const uint32_t count = sizeof(waits) / sizeof(waits[0]);
    struct filling f;
    filling_open(&f);
    for (uint32_t i = 0; i < count; i++)
        wait(&f, 1, waits[i].reason, i, i + 1);
    struct gt_store_row row = filling_row(&f, GT_STORE_VIEW_GOROUTINE, 1);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(filling_span(&f, &row, 0, i).cls, waits[i].cls);
    filling_close(&f);
}

static void test_gc_workers_have_a_class_of_their_own(void **state)
{
    (void) state;
    struct filling f;
    filling_open(&f);
    filling_goroutine(&f, 2, "runtime.gcBgMarkWorker", -1);
    run(&f, 2, "Running", 0, 10, 0, -1);
    filling_goroutine(&f, 3, "runtime.gcBgMark", -1);
    run(&f, 3, "Running", 10, 30, 0, -1);
    assert_int_equal(filling_row(&f, GT_STORE_VIEW_GOROUTINE, 2).time[GT_CLASS_RUNNING_GC], 10);
    assert_int_equal(filling_row(&f, GT_STORE_VIEW_GOROUTINE, 3).time[GT_CLASS_RUNNING], 20);
    struct gt_store_row proc = filling_row(&f, GT_STORE_VIEW_PROC, 0);
    assert_int_equal(proc.time[GT_CLASS_RUNNING_GC], 10);
    assert_int_equal(proc.time[GT_CLASS_RUNNING], 20);
    filling_close(&f);
}

/* A system call that has lost its proc is still on its thread. */
static void test_blocked_call_stays_on_its_thread(void **state)
{
    (void) state;
    struct filling f;
    filling_open(&f);
    run(&f, 1, "Running", 0, 10, 3, 9);
    run(&f, 1, "Syscall", 10, 30, 3, 9);
    run(&f, 2, "Running", 30, 70, 3, 8);
    run(&f, 1, "Syscall, blocked", 30, 100, -1, 9);
    struct gt_store_row proc = filling_row(&f, GT_STORE_VIEW_PROC, 3);
    assert_int_equal(gt_track_count(gt_store_track(f.store, proc.lanes[0].track)), 3);
    assert_int_equal(filling_span(&f, &proc, 0, 1).cls, GT_CLASS_SYSCALL);
    assert_int_equal(filling_span(&f, &proc, 0, 1).goroutine, 0);
    assert_int_equal(filling_span(&f, &proc, 0, 2).goroutine, 1);
    assert_int_equal(filling_span(&f, &proc, 0, 2).start, 30);
    struct gt_store_row thread = filling_row(&f, GT_STORE_VIEW_THREAD, 9);
    assert_int_equal(thread.time[GT_CLASS_RUNNING], 10);
    assert_int_equal(thread.time[GT_CLASS_SYSCALL], 20);
    assert_int_equal(thread.time[GT_CLASS_SYSCALL_BLOCKED], 70);
    uint32_t view, ordinal;
    assert_true(gt_store_track_row(f.store, thread.lanes[0].track, &view, &ordinal));
    assert_int_equal(view, GT_STORE_VIEW_THREAD);
    assert_int_equal(ordinal, thread.ordinal);
    assert_false(gt_store_track_row(f.store, gt_store_track_count(f.store), &view, &ordinal));
    assert_null(gt_store_track(f.store, gt_store_track_count(f.store)));
    filling_close(&f);
}

static void assert_lane(const struct filling *f, const struct gt_store_row *row, size_t lane,
                        uint32_t kind, const char *const *names)
{
    uint32_t i = 0;
    assert_int_equal(row->lanes[lane].kind, kind);
    for (; names[i]; i++)
        assert_text(gt_store_text(f->store, filling_span(f, row, lane, i).name), names[i]);
    assert_int_equal(gt_track_count(gt_store_track(f->store, row->lanes[lane].track)), i);
}

/* Inner spans are emitted first, and lie in lanes after those of the outer ones. */
static void test_inner_spans_lie_in_later_lanes(void **state)
{
    (void) state;
    struct filling f;
    filling_open(&f);
    run(&f, 1, "Running", 0, 100, 0, 0);
    assert_status(filling_add_range(&f, 1, "GC mark assist", 11, 12), GT_OK);
    assert_status(filling_add_region(&f, 1, "c", 12, 20), GT_OK);
    assert_status(filling_add_region(&f, 1, "b", 10, 30), GT_OK);
    assert_status(filling_add_region(&f, 1, "b2", 30, 40), GT_OK);
    assert_status(filling_add_region(&f, 1, "a", 5, 50), GT_OK);
    assert_status(filling_add_range(&f, 1, "stop-the-world (x)", 52, 54), GT_OK);
    assert_status(filling_add_range(&f, 1, "GC incremental sweep", 51, 55), GT_OK);
    assert_status(filling_add_region(&f, 1, "d", 60, 70), GT_OK);
    struct gt_store_row row = filling_row(&f, GT_STORE_VIEW_GOROUTINE, 1);
    assert_int_equal(row.lane_count, 6);
    assert_int_equal(row.lanes[0].kind, GT_LANE_STATE);
    assert_lane(&f, &row, 1, GT_LANE_REGION, (const char *const[]){"a", NULL});
    assert_lane(&f, &row, 2, GT_LANE_REGION, (const char *const[]){"b", NULL});
    assert_lane(&f, &row, 3, GT_LANE_REGION, (const char *const[]){"c", "b2", "d", NULL});
    assert_lane(&f, &row, 4, GT_LANE_RANGE, (const char *const[]){"GC incremental sweep", NULL});
    assert_lane(&f, &row, 5, GT_LANE_RANGE,
                (const char *const[]){"GC mark assist", "stop-the-world (x)", NULL});
    assert_int_equal(filling_span(&f, &row, 1, 0).start, 5);
    assert_int_equal(filling_span(&f, &row, 1, 0).end, 50);
    assert_int_equal(filling_span(&f, &row, 1, 0).cls, GT_CLASS_REGION);
    assert_int_equal(filling_span(&f, &row, 5, 0).cls, GT_CLASS_RANGE);
    assert_int_equal(filling_span(&f, &row, 5, 1).cls, GT_CLASS_STW);
    assert_int_equal(gt_track_count(gt_store_stw(f.store)), 1);
    struct gt_store_counts counts;
    gt_store_get_counts(f.store, &counts);
    assert_int_equal(counts.regions, 5);
    filling_close(&f);
}

/* Returns how many spans of goroutines have a name and a class, and sets the mask of the pair. */
static uint64_t count_uses(const struct filling *f, const char *name, uint32_t cls, uint32_t *mask)
{
    struct gt_store_use use;
    uint64_t count = 0;
    *mask = 0;
    for (uint32_t i = 0; i < gt_store_use_count(f->store); i++) {
        assert_true(gt_store_get_use(f->store, i, &use));
        gt_string text = gt_store_text(f->store, use.name);
        if (use.cls != cls || text.size != strlen(name) || memcmp(text.data, name, text.size) != 0)
            continue;
        assert_int_equal(count, 0);
        count = use.count;
        *mask = use.mask;
    }
    assert_false(gt_store_get_use(f->store, gt_store_use_count(f->store), &use));
    return count;
}

static void test_uses_count_spans_by_name_and_class(void **state)
{
    (void) state;
    struct filling f;
    uint32_t running, waiting, region, stop, none;
    filling_open(&f);
    run(&f, 1, "Running", 0, 100, 0, 0);
    wait(&f, 1, "sync", 100, 200);
    run(&f, 1, "Running", 200, 300, 0, 0);
    run(&f, 2, "Running", 0, 100, 1, 1);
    wait(&f, 2, "select", 100, 200);
    assert_status(filling_add_region(&f, 1, "sync", 10, 20), GT_OK);
    assert_status(filling_add_range(&f, 2, "stop-the-world (x)", 52, 54), GT_OK);
    assert_status(filling_add_range(&f, GT_ROW_GC, "GC mark", 0, 60), GT_OK);
    assert_status(filling_add_task(&f, 7, "sync", 0, 20, 0), GT_OK);
    assert_int_equal(count_uses(&f, "", GT_CLASS_RUNNING, &running), 3);
    assert_int_equal(count_uses(&f, "sync", GT_CLASS_WAIT_SYNC, &waiting), 1);
    assert_int_equal(count_uses(&f, "sync", GT_CLASS_REGION, &region), 1);
    assert_int_equal(count_uses(&f, "stop-the-world (x)", GT_CLASS_STW, &stop), 1);
    assert_int_equal(count_uses(&f, "GC mark", GT_CLASS_GC, &none), 0);
    assert_int_equal(count_uses(&f, "sync", GT_CLASS_TASK, &none), 0);
    struct gt_store_row row = filling_row(&f, GT_STORE_VIEW_GOROUTINE, 1);
    assert_int_equal(gt_store_track_uses(f.store, row.lanes[0].track), running | waiting);
    assert_int_equal(gt_store_track_uses(f.store, row.lanes[1].track), region);
    row = filling_row(&f, GT_STORE_VIEW_GOROUTINE, 2);
    assert_int_equal(gt_store_track_uses(f.store, row.lanes[0].track) & (running | waiting),
                     running);
    assert_int_equal(gt_store_track_uses(f.store, row.lanes[1].track), stop);
    row = filling_row(&f, GT_VIEW_TASK, 7);
    assert_int_equal(gt_store_track_uses(f.store, row.lanes[0].track), 0);
    assert_int_equal(gt_store_track_uses(f.store, GT_STORE_NONE), 0);
    filling_close(&f);
}

static void test_brief_rows_equal_whole_rows(void **state)
{
    (void) state;
    struct filling f;
    filling_open(&f);
    filling_goroutine(&f, 1, "main.main", -1);
    assert_status(filling_add_goroutine(&f, 7, "main.work", 1, "busy", 0), GT_OK);
    run(&f, 7, "Running", 150, 400, 2, 55);
    wait(&f, 7, "sync", 400, 500);
    assert_status(filling_add_region(&f, 7, "a", 160, 170), GT_OK);
    assert_status(filling_add_task(&f, 3, "first", 0, 20, 0), GT_OK);
    assert_status(filling_add_task(&f, 4, "second", 5, 10, 3), GT_OK);
    for (uint32_t view = 0; view < GT_STORE_VIEWS; view++) {
        uint32_t count = gt_store_row_count(f.store, view);
        assert_true(count > 0);
        for (uint32_t i = 0; i < count; i++) {
            struct gt_store_row row = {0}, brief = {0};
            struct gt_store_head head;
            assert_true(gt_store_get_row(f.store, view, i, &row));
            assert_true(gt_store_get_row_brief(f.store, view, i, &brief));
            assert_true(gt_store_get_head(f.store, view, i, &head));
            memcpy(brief.time, row.time, sizeof(row.time));
            assert_memory_equal(&brief, &row, sizeof(row));
            assert_int_equal(head.id, row.id);
            assert_int_equal(head.name, row.name_text);
            assert_int_equal(head.parent, row.parent);
            assert_ptr_equal(gt_store_text(f.store, head.name).data, row.name.data);
            assert_ptr_equal(gt_store_text(f.store, head.label).data, row.label.data);
        }
        struct gt_store_row row;
        struct gt_store_head head;
        assert_false(gt_store_get_row_brief(f.store, view, count, &row));
        assert_false(gt_store_get_head(f.store, view, count, &head));
    }
    struct gt_store_row row = filling_row(&f, GT_STORE_VIEW_GOROUTINE, 7);
    assert_int_equal(row.start, 150);
    assert_int_equal(row.end, 500);
    assert_int_equal(row.time[GT_CLASS_RUNNING], 250);
    filling_close(&f);
}

/*
 * Each region encloses all before it. The number of lanes is limited, whatever the trace
 * contains.
 */
static void test_number_of_lanes_is_limited(void **state)
{
    (void) state;
    struct filling f;
    filling_open(&f);
    for (int i = 0; i < 1000; i++)
        assert_status(filling_add_region(&f, 1, "r", 1000 - i, 2000 + i), GT_OK);
    struct gt_store_row row = filling_row(&f, GT_STORE_VIEW_GOROUTINE, 1);
    assert_in_range(row.lane_count, 16, 64);
    uint32_t spans = 0;
    for (size_t i = 1; i < row.lane_count; i++)
        spans += gt_track_count(gt_store_track(f.store, row.lanes[i].track));
    assert_int_equal(spans, 1000);
    filling_close(&f);
}

static void test_phases_are_in_tracks_of_their_own(void **state)
{
    (void) state;
    struct filling f;
    struct gt_span span;
    filling_open(&f);
    assert_status(filling_add_range(&f, GT_ROW_GC, "GC concurrent mark phase", 10, 50), GT_OK);
    assert_status(filling_add_range(&f, GT_ROW_GC, "stop-the-world (sweep)", 8, 11), GT_OK);
    assert_true(gt_track_get(gt_store_gc(f.store), 0, &span));
    assert_int_equal(span.cls, GT_CLASS_GC);
    assert_int_equal(span.end, 50);
    assert_text(gt_store_text(f.store, span.name), "GC concurrent mark phase");
    assert_true(gt_track_get(gt_store_stw(f.store), 0, &span));
    assert_int_equal(span.cls, GT_CLASS_STW);
    assert_int_equal(gt_track_count(gt_store_gc(f.store)), 1);
    assert_int_equal(gt_store_row_count(f.store, GT_STORE_VIEW_GOROUTINE), 0);
    /* A goroutine may have the same number as the row. */
    run(&f, GT_ROW_GC, "Running", 0, 10, 0, 0);
    assert_int_equal(filling_row(&f, GT_STORE_VIEW_GOROUTINE, GT_ROW_GC).time[GT_CLASS_RUNNING],
                     10);
    filling_close(&f);
}

/* The parent ends after its child, so its row is added later. */
static void test_task_finds_its_parent_later(void **state)
{
    (void) state;
    struct filling f;
    filling_open(&f);
    assert_status(filling_add_task(&f, 5, "child", 20, 30, 4), GT_OK);
    assert_status(filling_add_task(&f, 6, "orphan", 21, 31, 99), GT_OK);
    assert_int_equal(filling_row(&f, GT_VIEW_TASK, 5).parent, GT_STORE_NONE);
    assert_status(filling_add_task(&f, 4, "father", 10, 40, 0), GT_OK);
    struct gt_store_row row = filling_row(&f, GT_VIEW_TASK, 5);
    assert_int_equal(row.parent, filling_row(&f, GT_VIEW_TASK, 4).ordinal);
    assert_text(row.name, "child");
    assert_int_equal(row.lanes[0].kind, GT_LANE_TASK);
    assert_int_equal(row.start, 20);
    assert_int_equal(row.end, 30);
    assert_int_equal(row.time[GT_CLASS_TASK], 10);
    assert_int_equal(filling_row(&f, GT_VIEW_TASK, 4).parent, GT_STORE_NONE);
    assert_int_equal(filling_row(&f, GT_VIEW_TASK, 6).parent, GT_STORE_NONE);
    assert_int_equal(gt_store_row_count(f.store, GT_VIEW_TASK), 3);
    filling_close(&f);
}

static void test_marks_are_found_by_time(void **state)
{
    (void) state;
    struct filling f;
    struct gt_mark mark;
    filling_open(&f);
    gt_emitter_frame frame = {0x10, 12, filling_text("main.f"), filling_text("f.go")};
    uint32_t stack;
    assert_status(gt_emitter_stack(f.emitter, &frame, 1, &stack), GT_OK);
    assert_status(filling_add_mark(&f, 3, "CPU profile sample", "", 5, stack), GT_OK);
    assert_status(filling_add_mark(&f, 4, "[a] b", "user event", 7, stack), GT_OK);
    assert_status(filling_add_mark(&f, 3, "CPU profile sample", "", 9, 0), GT_OK);
    assert_status(filling_add_mark(&f, GT_ROW_SYSCALLS, "something", "", 10, 0), GT_OK);
    assert_int_equal(gt_store_mark_count(f.store), 3);
    assert_int_equal(gt_store_mark_find(f.store, 0), 0);
    assert_int_equal(gt_store_mark_find(f.store, 6), 1);
    assert_int_equal(gt_store_mark_find(f.store, 7), 1);
    assert_int_equal(gt_store_mark_find(f.store, 8), 2);
    assert_int_equal(gt_store_mark_find(f.store, 10), 3);
    assert_true(gt_store_get_mark(f.store, 0, &mark));
    assert_int_equal(mark.kind, GT_MARK_SAMPLE);
    assert_int_equal(mark.stack, stack);
    assert_int_equal(mark.goroutine, filling_row(&f, GT_STORE_VIEW_GOROUTINE, 3).ordinal);
    assert_true(gt_store_get_mark(f.store, 1, &mark));
    assert_int_equal(mark.kind, GT_MARK_LOG);
    assert_int_equal(mark.time, 7);
    assert_int_equal(mark.stack, stack);
    assert_text(mark.text, "[a] b");
    assert_false(gt_store_get_mark(f.store, 3, &mark));
    struct gt_store_counts counts;
    gt_store_get_counts(f.store, &counts);
    assert_int_equal(counts.logs, 1);
    assert_int_equal(counts.samples, 2);
    filling_close(&f);
}

static void test_frames_have_their_parents(void **state)
{
    (void) state;
    struct filling f;
    struct gt_store_frame frame;
    gt_emitter_frame frames[] = {
        {0x20, 7, filling_text("main.leaf"), filling_text("a.go")},
        {0x10, 5, filling_text("main.main"), filling_text("a.go")},
    };
    uint32_t stack;
    filling_open(&f);
    assert_status(gt_emitter_stack(f.emitter, frames, 2, &stack), GT_OK);
    assert_int_equal(gt_store_frame_count(f.store), 2);
    assert_true(gt_store_frame(f.store, stack, &frame));
    assert_text(gt_store_text(f.store, frame.function), "main.leaf");
    assert_int_equal(frame.line, 7);
    assert_int_equal(frame.pc, 0x20);
    uint32_t file = frame.file;
    assert_text(gt_store_text(f.store, file), "a.go");
    assert_true(gt_store_frame(f.store, frame.parent, &frame));
    assert_text(gt_store_text(f.store, frame.function), "main.main");
    assert_int_equal(frame.file, file);
    assert_int_equal(frame.parent, 0);
    assert_false(gt_store_frame(f.store, 0, &frame));
    assert_false(gt_store_frame(f.store, 3, &frame));
    filling_close(&f);
}

static void test_counters_have_the_emitted_values(void **state)
{
    (void) state;
    struct filling f;
    filling_open(&f);
    assert_status(gt_emitter_heap(f.emitter, 10, 1000), GT_OK);
    assert_status(gt_emitter_heap_goal(f.emitter, 20, 4000), GT_OK);
    assert_status(gt_emitter_heap(f.emitter, 30, 2000), GT_OK);
    assert_status(gt_emitter_count_goroutine(f.emitter, 5, GT_COUNTED_DEAD, GT_COUNTED_RUNNABLE),
                  GT_OK);
    assert_status(gt_emitter_count_goroutine(f.emitter, 6, GT_COUNTED_RUNNABLE, GT_COUNTED_RUNNING),
                  GT_OK);
    assert_status(gt_emitter_count_goroutine(f.emitter, 7, GT_COUNTED_DEAD, GT_COUNTED_WAITING_GC),
                  GT_OK);
    assert_status(gt_emitter_count_threads(f.emitter, 8, GT_COUNTED_THREAD_RUNNING, 3), GT_OK);
    assert_status(gt_emitter_count_threads(f.emitter, 9, GT_COUNTED_IN_SYSCALL, 2), GT_OK);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_HEAP), 29), 1000);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_HEAP), 30), 2000);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_GOAL), 19), 0);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_GOAL), 20), 4000);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_GOAL), 30), 4000);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_RUNNABLE), 5), 1);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_RUNNABLE), 6), 0);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_RUNNING), 6), 1);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_GC_WAITING), 7), 1);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_THREADS_RUNNING), 8), 3);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_THREADS_SYSCALL), 9), 2);
    assert_null(gt_store_counter(f.store, GT_COUNTERS));
    /* The heap exceeds the goal. */
    assert_status(gt_emitter_heap(f.emitter, 40, 5000), GT_OK);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_GOAL), 40), 4000);
    assert_status(gt_emitter_heap(f.emitter, 50, 3000), GT_OK);
    assert_status(gt_emitter_heap_goal(f.emitter, 60, UINT64_C(1) << 51), GT_OK);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_GOAL), 59), 4000);
    assert_int_equal(gt_counter_at(gt_store_counter(f.store, GT_COUNTER_GOAL), 60), 0);
    filling_close(&f);
}

/* No number stands for a goroutine, proc, thread or task that is not known. */
static void test_id_of_2_to_the_63_is_a_row(void **state)
{
    (void) state;
    struct filling f;
    filling_open(&f);
    filling_goroutine(&f, INT64_MIN, "main.main", -1);
    filling_goroutine(&f, 1, "main.child", INT64_MIN);
    wake(&f, 1, INT64_MIN, 2, 3);
    run(&f, INT64_MIN, "Running", 0, 10, INT64_MIN, INT64_MIN);
    assert_status(filling_add_region(&f, INT64_MIN, "region", 2, 4), GT_OK);
    assert_status(filling_add_range(&f, UINT64_C(1) << 63, "GC mark assist", 2, 4), GT_OK);
    assert_status(filling_add_mark(&f, INT64_MIN, "log", "user event", 5, 0), GT_OK);
    assert_status(filling_add_task(&f, UINT64_C(1) << 63, "task", 0, 10, 0), GT_OK);
    struct gt_store_row row = filling_row(&f, GT_STORE_VIEW_GOROUTINE, INT64_MIN);
    assert_text(row.name, "main.main");
    assert_int_equal(row.time[GT_CLASS_RUNNING], 10);
    assert_int_equal(row.lane_count, 3);
    assert_text(filling_row(&f, GT_VIEW_TASK, INT64_MIN).name, "task");
    const uint32_t places[] = {GT_STORE_VIEW_PROC, GT_STORE_VIEW_THREAD};
    for (size_t i = 0; i < 2; i++) {
        struct gt_store_row place = filling_row(&f, places[i], INT64_MIN);
        assert_int_equal(place.time[GT_CLASS_RUNNING], 10);
        assert_int_equal(filling_span(&f, &place, 0, 0).goroutine, row.ordinal);
    }
    struct gt_store_row child = filling_row(&f, GT_STORE_VIEW_GOROUTINE, 1);
    assert_int_equal(child.parent, row.ordinal);
    assert_int_equal(filling_span(&f, &child, 0, 0).by, row.ordinal);
    filling_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_fill_the_row),
        cmocka_unit_test(test_reasons_have_their_classes),
        cmocka_unit_test(test_gc_workers_have_a_class_of_their_own),
        cmocka_unit_test(test_blocked_call_stays_on_its_thread),
        cmocka_unit_test(test_inner_spans_lie_in_later_lanes),
        cmocka_unit_test(test_number_of_lanes_is_limited),
        cmocka_unit_test(test_phases_are_in_tracks_of_their_own),
        cmocka_unit_test(test_task_finds_its_parent_later),
        cmocka_unit_test(test_marks_are_found_by_time),
        cmocka_unit_test(test_frames_have_their_parents),
        cmocka_unit_test(test_counters_have_the_emitted_values),
        cmocka_unit_test(test_uses_count_spans_by_name_and_class),
        cmocka_unit_test(test_brief_rows_equal_whole_rows),
        cmocka_unit_test(test_id_of_2_to_the_63_is_a_row),
    };
    return cmocka_run_group_tests_name("view store", tests, NULL, NULL);
}
