/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/counters.h"

#include <string.h>

#include "viewer/check.h"
#include "viewer/emitter.h"
#include "viewer/words.h"

/* A larger goal means that there is none: the runtime knows no goal yet, or GOGC is off. */
#define MAX_HEAP_GOAL (UINT64_C(1) << 50)

static void counters_init_event(struct gt_known_counter *counter, gt_string name)
{
    counter->event = gt_viewer_event_make('C', GT_SECTION_STATS, 0, 0);
    counter->event.name = name;
    counter->event.arguments = counter->counts;
}

static void counters_add_count(struct gt_known_counter *counter, gt_string key, uint32_t kind)
{
    static const gt_string none = {"", 0};
    gt_viewer_argument *count = &counter->counts[counter->event.argument_count++];
    count->key = key;
    count->kind = kind;
    count->string = none;
    count->real = 0;
}

void gt_counters_init(struct gt_counters *counters)
{
    memset(counters, 0, sizeof(*counters));
    counters_init_event(&counters->of_goroutines, GT_WORD(goroutines, "Goroutines"));
    counters_add_count(&counters->of_goroutines, GT_WORD(running, "Running"), GT_VIEWER_UNSIGNED);
    counters_add_count(&counters->of_goroutines, GT_WORD(runnable, "Runnable"), GT_VIEWER_UNSIGNED);
    counters_add_count(&counters->of_goroutines, GT_WORD(gc_waiting, "GCWaiting"),
                       GT_VIEWER_UNSIGNED);
    counters_init_event(&counters->of_threads, GT_WORD(threads, "Threads"));
    counters_add_count(&counters->of_threads, GT_WORD(running, "Running"), GT_VIEWER_SIGNED);
    counters_add_count(&counters->of_threads, GT_WORD(in_syscall, "InSyscall"), GT_VIEWER_SIGNED);
    counters_init_event(&counters->of_heap, GT_WORD(heap, "Heap"));
    counters_add_count(&counters->of_heap, GT_WORD(allocated, "Allocated"), GT_VIEWER_UNSIGNED);
    counters_add_count(&counters->of_heap, GT_WORD(next_gc, "NextGC"), GT_VIEWER_UNSIGNED);
}

static gt_status counters_emit(struct gt_emitter *emitter, int64_t time,
                               struct gt_known_counter *counter)
{
    if (!gt_emitter_in_range(emitter, time))
        return GT_OK;
    counter->event.time = time;
    return gt_emitter_give(emitter, &counter->event, false);
}

static gt_status counters_count_goroutine(struct gt_emitter *emitter, int64_t time, uint32_t from,
                                          uint32_t to)
{
    if (from >= GT_COUNTED_STATES || to >= GT_COUNTED_STATES)
        return gt_emitter_refuse(emitter, "there is no such state of goroutines");
    if (from == to)
        return GT_OK;
    struct gt_counters *counters = &emitter->counters;
    int64_t *counts = counters->goroutines;
    counts[from]--;
    counts[to]++;
    if (counts[GT_COUNTED_RUNNABLE] < 0 || counts[GT_COUNTED_RUNNING] < 0)
        counters->inconsistent = true;
    gt_viewer_argument *arguments = counters->of_goroutines.counts;
    arguments[0].number = (uint64_t) counts[GT_COUNTED_RUNNING];
    arguments[1].number = (uint64_t) counts[GT_COUNTED_RUNNABLE];
    arguments[2].number = (uint64_t) counts[GT_COUNTED_WAITING_GC];
    return counters_emit(emitter, time, &counters->of_goroutines);
}

gt_status gt_emitter_count_goroutine(gt_emitter *emitter, int64_t time, uint32_t from, uint32_t to)
{
    return gt_emitter_enter(emitter)
               ? gt_emitter_leave(emitter, counters_count_goroutine(emitter, time, from, to))
               : gt_emitter_refusal(emitter);
}

static bool count_overflows(int64_t count, int64_t change)
{
    return change > 0 ? count > INT64_MAX - change : count < INT64_MIN - change;
}

static gt_status counters_count_threads(struct gt_emitter *emitter, int64_t time, uint32_t state,
                                        int64_t change)
{
    struct gt_counters *counters = &emitter->counters;
    int64_t *counts = counters->threads;
    if (state >= GT_COUNTED_THREADS || count_overflows(counts[state], change))
        return gt_emitter_refuse(emitter, "there is no such state, or too many threads are in it");
    if (change == 0)
        return GT_OK;
    counts[state] += change;
    if (counts[GT_COUNTED_IN_SYSCALL] < 0 || counts[GT_COUNTED_IN_SYSCALL_RUNTIME] < 0)
        counters->inconsistent = true;
    gt_viewer_argument *arguments = counters->of_threads.counts;
    arguments[0].number = (uint64_t) counts[GT_COUNTED_THREAD_RUNNING];
    arguments[1].number = (uint64_t) counts[GT_COUNTED_IN_SYSCALL];
    return counters_emit(emitter, time, &counters->of_threads);
}

gt_status gt_emitter_count_threads(gt_emitter *emitter, int64_t time, uint32_t state,
                                   int64_t change)
{
    return gt_emitter_enter(emitter)
               ? gt_emitter_leave(emitter, counters_count_threads(emitter, time, state, change))
               : gt_emitter_refusal(emitter);
}

/*
 * The viewer stacks the two counts, so the second one is not the goal but what may still be
 * allocated until the goal is reached.
 */
static gt_status counters_set_heap(struct gt_emitter *emitter, int64_t time, uint64_t *member,
                                   uint64_t bytes)
{
    struct gt_counters *counters = &emitter->counters;
    if (*member == bytes)
        return GT_OK;
    *member = bytes;
    uint64_t left = counters->heap_goal > counters->heap ? counters->heap_goal - counters->heap : 0;
    counters->of_heap.counts[0].number = counters->heap;
    counters->of_heap.counts[1].number = left;
    return counters_emit(emitter, time, &counters->of_heap);
}

gt_status gt_emitter_heap(gt_emitter *emitter, int64_t time, uint64_t bytes)
{
    return gt_emitter_enter(emitter)
               ? gt_emitter_leave(emitter,
                                  counters_set_heap(emitter, time, &emitter->counters.heap, bytes))
               : gt_emitter_refusal(emitter);
}

gt_status gt_emitter_heap_goal(gt_emitter *emitter, int64_t time, uint64_t bytes)
{
    if (!gt_emitter_enter(emitter))
        return gt_emitter_refusal(emitter);
    if (bytes > MAX_HEAP_GOAL)
        bytes = 0;
    return gt_emitter_leave(emitter,
                            counters_set_heap(emitter, time, &emitter->counters.heap_goal, bytes));
}
