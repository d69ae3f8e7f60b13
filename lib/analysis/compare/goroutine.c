/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/compare/compare.h"

#include "analysis/frames.h"
#include "base/system.h"
#include "base/text.h"
#include "base/time.h"

/* A goroutine has its group from the first stack that it shows. */
static gt_status compare_goroutine_name(struct gt_compare *compare,
                                        struct gt_compare_goroutine *goroutine, gt_stack stack)
{
    uint32_t number;
    if (goroutine->is_named || stack == GT_STACK_NONE ||
        !gt_frames_are_known(compare->reader, compare->event))
        return GT_OK;
    gt_status status =
        gt_stackset_number(&compare->stacks, compare->reader, compare->event, stack, &number);
    if (status != GT_OK)
        return status;
    gt_string root = gt_stackset_root(&compare->stacks, number);
    if (root.size == 0)
        return GT_OK;
    goroutine->is_named = true;
    goroutine->is_system = gt_is_system_goroutine(root);
    goroutine->is_of_tracing = gt_text_starts_with(root, "runtime/trace.");
    return gt_texts_add(&compare->texts, root, &goroutine->group);
}

static uint32_t compare_measure_of(const struct gt_compare_goroutine *goroutine)
{
    if (goroutine->is_of_tracing)
        return 0;
    switch (goroutine->state) {
    case GT_GO_RUNNING:
        return goroutine->is_idle_worker ? 0 : GT_COMPARE_RUNNING;
    case GT_GO_RUNNABLE:
        return goroutine->is_system ? 0 : GT_COMPARE_SCHEDULER;
    case GT_GO_WAITING:
        return goroutine->is_system ? 0 : GT_COMPARE_BLOCKED;
    case GT_GO_SYSCALL:
        return GT_COMPARE_SYSCALL;
    default:
        return 0;
    }
}

/* Counts the time since the goroutine entered its state. */
static gt_status compare_state_leave(struct gt_compare *compare,
                                     struct gt_compare_goroutine *goroutine, bool has_ended)
{
    struct gt_compare_key key = {
        GT_COMPARE_GOROUTINES, compare_measure_of(goroutine), goroutine->group, 0, false,
    };
    int64_t time = gt_time_minus(compare->set.now, goroutine->since);
    if (key.measure == 0)
        return GT_OK;
    if (key.measure == GT_COMPARE_BLOCKED)
        key.detail = goroutine->reason;
    goroutine->times.by[key.measure] += (double) time;
    gt_status status = gt_compare_add_time(&compare->set, &key, goroutine->since);
    if (status == GT_OK)
        status = gt_compare_stack_leave(compare, goroutine, key.measure);
    if (status == GT_OK && has_ended && goroutine->is_measured &&
        (key.measure == GT_COMPARE_SCHEDULER || key.measure == GT_COMPARE_BLOCKED))
        status = gt_compare_add_duration(&compare->set, &key, time);
    return status;
}

gt_status gt_compare_ended(struct gt_compare *compare, uint32_t subject, uint32_t name,
                           int64_t begin)
{
    const struct gt_compare_key key = {subject, GT_COMPARE_DURATION, name, 0, true};
    int64_t time = gt_time_minus(compare->set.now, begin);
    gt_status status = gt_compare_add_one(&compare->set, &key, (double) time);
    return status == GT_OK ? gt_compare_add_duration(&compare->set, &key, time) : status;
}

void gt_compare_times_get(const struct gt_compare *compare,
                          const struct gt_compare_goroutine *goroutine,
                          struct gt_compare_times *times)
{
    *times = goroutine->times;
    times->by[compare_measure_of(goroutine)] +=
        (double) gt_time_minus(compare->set.now, goroutine->since);
    if (goroutine->assists)
        times->by[GT_COMPARE_ASSIST] +=
            (double) gt_time_minus(compare->set.now, goroutine->range_since);
}

gt_status gt_compare_times_add(struct gt_compare *compare, uint32_t subject, uint32_t name,
                               const struct gt_compare_times *times)
{
    gt_status status = GT_OK;
    for (uint32_t i = GT_COMPARE_RUNNING; i < GT_COMPARE_TIMES && status == GT_OK; i++) {
        const struct gt_compare_key key = {subject, i, name, 0, true};
        status = gt_compare_add_one(&compare->set, &key, times->by[i]);
    }
    return status;
}

/* Counts the life of a goroutine that was created in the trace and ends. */
static gt_status compare_life_add(struct gt_compare *compare,
                                  const struct gt_compare_goroutine *goroutine)
{
    if (!goroutine->has_birth || goroutine->is_system || goroutine->is_of_tracing)
        return GT_OK;
    gt_status status =
        gt_compare_ended(compare, GT_COMPARE_GOROUTINES, goroutine->group, goroutine->born);
    return status == GT_OK ? gt_compare_times_add(compare, GT_COMPARE_GOROUTINES, goroutine->group,
                                                  &goroutine->times)
                           : status;
}

static void compare_goroutine_drop(struct gt_compare *compare,
                                   struct gt_compare_goroutine *goroutine)
{
    gt_compare_regions_drop(compare, goroutine);
    gt_idmap_drop(&compare->goroutines, (uint64_t) goroutine->id, goroutine);
}

/* Finds the goroutine that changes its state, or adds it. NULL: no memory. */
static struct gt_compare_goroutine *compare_goroutine_find(struct gt_compare *compare,
                                                           const gt_transition *change)
{
    int64_t id = change->resource.id;
    struct gt_compare_goroutine *goroutine = gt_compare_goroutine_get(compare, id);
    if (goroutine && change->from == GT_GO_NOT_EXIST) {
        compare_goroutine_drop(compare, goroutine);
        goroutine = NULL;
    }
    if (goroutine)
        return goroutine;
    goroutine = gt_idmap_add(&compare->goroutines, (uint64_t) id);
    if (!goroutine)
        return NULL;
    goroutine->id = id;
    goroutine->has_birth = change->from == GT_GO_NOT_EXIST;
    goroutine->born = compare->set.now;
    goroutine->since = compare->set.start;
    return goroutine;
}

static gt_status compare_state_enter(struct gt_compare *compare,
                                     struct gt_compare_goroutine *goroutine,
                                     const gt_transition *change)
{
    goroutine->state = change->to;
    goroutine->is_measured = change->from != GT_GO_UNDETERMINED;
    goroutine->since = goroutine->is_measured ? compare->set.now : compare->set.start;
    return change->to == GT_GO_WAITING
               ? gt_texts_add(&compare->texts, change->reason, &goroutine->reason)
               : GT_OK;
}

gt_status gt_compare_transition(struct gt_compare *compare, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(event, &change);
    if (status != GT_OK || change.from == change.to ||
        change.resource.kind != GT_RESOURCE_GOROUTINE)
        return status;
    struct gt_compare_goroutine *goroutine = compare_goroutine_find(compare, &change);
    if (!goroutine)
        return gt_mem_failure(&compare->mem);
    /* A coroutine that is switched to has run since it was no longer waiting. */
    if (gt_switch_take(&compare->switched, event, &change) == GT_SWITCH_STARTS) {
        goroutine->state = GT_GO_RUNNING;
        return GT_OK;
    }
    status = compare_goroutine_name(compare, goroutine, change.stack);
    if (status == GT_OK)
        status = gt_compare_stack_take(compare, goroutine, change.stack);
    if (status == GT_OK)
        status = compare_state_leave(compare, goroutine, true);
    if (status != GT_OK || change.to != GT_GO_NOT_EXIST)
        return status == GT_OK ? compare_state_enter(compare, goroutine, &change) : status;
    status = compare_life_add(compare, goroutine);
    compare_goroutine_drop(compare, goroutine);
    return status;
}

gt_status gt_compare_goroutines_end(struct gt_compare *compare)
{
    gt_status status = GT_OK;
    size_t place = 0;
    const struct gt_compare_goroutine *goroutine;
    while (status == GT_OK && (goroutine = gt_idmap_next(&compare->goroutines, &place))) {
        struct gt_compare_goroutine *own = gt_compare_goroutine_get(compare, goroutine->id);
        gt_compare_regions_drop(compare, own);
        status = compare_state_leave(compare, own, false);
    }
    gt_idmap_destroy(&compare->goroutines);
    return status;
}

gt_status gt_compare_label(struct gt_compare *compare, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    gt_status status = gt_event_label(event, &label);
    if (status != GT_OK || label.resource.kind != GT_RESOURCE_GOROUTINE)
        return status;
    struct gt_compare_goroutine *goroutine = gt_compare_goroutine_get(compare, label.resource.id);
    if (goroutine)
        goroutine->is_idle_worker = gt_text_is(label.label, "GC (idle)");
    return GT_OK;
}
