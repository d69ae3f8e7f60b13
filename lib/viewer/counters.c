/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/counters.h"

#include "viewer/check.h"
#include "viewer/emitter.h"

/* Above it a goal stands for none: the runtime knows no goal yet, or GOGC is off. */
#define MOST_GOAL (UINT64_C(1) << 50)

static gt_viewer_argument number(const char *key, size_t size, uint32_t kind, uint64_t value)
{
    return (gt_viewer_argument){
        .key = {key, size}, .kind = kind, .number = value, .string = {"", 0}};
}

#define NUMBER(key, kind, value) number((key), sizeof(key) - 1, (kind), (uint64_t) (value))

static gt_status give(struct gt_emitter *emitter, int64_t time, gt_string name,
                      const gt_viewer_argument *arguments, size_t count)
{
    if (!gt_emitter_in_range(emitter, time))
        return GT_OK;
    gt_viewer_event event = gt_viewer_event_make('C', GT_SECTION_STATS, 0, time);
    event.name = name;
    event.arguments = arguments;
    event.argument_count = count;
    return gt_emitter_give(emitter, &event, 0);
}

static gt_status count_goroutine(struct gt_emitter *emitter, int64_t time, uint32_t from,
                                 uint32_t to)
{
    static const gt_string name = GT_LITERAL("Goroutines");
    if (from >= GT_COUNTED_STATES || to >= GT_COUNTED_STATES)
        return GT_ERR_INVALID_ARGUMENT;
    if (from == to)
        return GT_OK;
    struct gt_counters *counters = &emitter->counters;
    int64_t *counts = counters->goroutines;
    counts[from]--;
    counts[to]++;
    if (counts[GT_COUNTED_RUNNABLE] < 0 || counts[GT_COUNTED_RUNNING] < 0)
        counters->inconsistent = 1;
    const gt_viewer_argument arguments[] = {
        NUMBER("Running", GT_VIEWER_UNSIGNED, counts[GT_COUNTED_RUNNING]),
        NUMBER("Runnable", GT_VIEWER_UNSIGNED, counts[GT_COUNTED_RUNNABLE]),
        NUMBER("GCWaiting", GT_VIEWER_UNSIGNED, counts[GT_COUNTED_WAITING_GC]),
    };
    return give(emitter, time, name, arguments, sizeof(arguments) / sizeof(*arguments));
}

gt_status gt_emitter_count_goroutine(gt_emitter *emitter, int64_t time, uint32_t from, uint32_t to)
{
    gt_status status = gt_emitter_enter(emitter);
    if (status != GT_OK)
        return status;
    return gt_emitter_leave(emitter, count_goroutine(emitter, time, from, to));
}

static int overflows(int64_t count, int64_t change)
{
    return change > 0 ? count > INT64_MAX - change : count < INT64_MIN - change;
}

static gt_status count_threads(struct gt_emitter *emitter, int64_t time, uint32_t state,
                               int64_t change)
{
    static const gt_string name = GT_LITERAL("Threads");
    struct gt_counters *counters = &emitter->counters;
    int64_t *counts = counters->threads;
    if (state >= GT_COUNTED_THREADS || overflows(counts[state], change))
        return GT_ERR_INVALID_ARGUMENT;
    if (change == 0)
        return GT_OK;
    counts[state] += change;
    if (counts[GT_COUNTED_IN_SYSCALL] < 0 || counts[GT_COUNTED_IN_SYSCALL_RUNTIME] < 0)
        counters->inconsistent = 1;
    const gt_viewer_argument arguments[] = {
        NUMBER("Running", GT_VIEWER_SIGNED, counts[GT_COUNTED_THREAD_RUNNING]),
        NUMBER("InSyscall", GT_VIEWER_SIGNED, counts[GT_COUNTED_IN_SYSCALL]),
    };
    return give(emitter, time, name, arguments, sizeof(arguments) / sizeof(*arguments));
}

gt_status gt_emitter_count_threads(gt_emitter *emitter, int64_t time, uint32_t state,
                                   int64_t change)
{
    gt_status status = gt_emitter_enter(emitter);
    if (status != GT_OK)
        return status;
    return gt_emitter_leave(emitter, count_threads(emitter, time, state, change));
}

/* What may still be allocated is shown in the place of the goal, as the two are stacked. */
static gt_status set_heap(struct gt_emitter *emitter, int64_t time, uint64_t *member,
                          uint64_t bytes)
{
    static const gt_string name = GT_LITERAL("Heap");
    const struct gt_counters *counters = &emitter->counters;
    if (*member == bytes)
        return GT_OK;
    *member = bytes;
    uint64_t left = counters->heap_goal > counters->heap ? counters->heap_goal - counters->heap : 0;
    const gt_viewer_argument arguments[] = {
        NUMBER("Allocated", GT_VIEWER_UNSIGNED, counters->heap),
        NUMBER("NextGC", GT_VIEWER_UNSIGNED, left),
    };
    return give(emitter, time, name, arguments, sizeof(arguments) / sizeof(*arguments));
}

gt_status gt_emitter_heap(gt_emitter *emitter, int64_t time, uint64_t bytes)
{
    gt_status status = gt_emitter_enter(emitter);
    if (status != GT_OK)
        return status;
    return gt_emitter_leave(emitter, set_heap(emitter, time, &emitter->counters.heap, bytes));
}

gt_status gt_emitter_heap_goal(gt_emitter *emitter, int64_t time, uint64_t bytes)
{
    gt_status status = gt_emitter_enter(emitter);
    if (status != GT_OK)
        return status;
    if (bytes > MOST_GOAL)
        bytes = 0;
    return gt_emitter_leave(emitter, set_heap(emitter, time, &emitter->counters.heap_goal, bytes));
}
