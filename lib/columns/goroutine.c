/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "columns/state.h"

/*
 * The rules are those of gt_summary, so that the sums of rows are its times, but for switches
 * between coroutines: they are a moment, in which one stops and the other one runs.
 */

struct gt_column_goroutine *gt_columns_goroutine(struct gt_columns *columns, int64_t id)
{
    return gt_idmap_get(&columns->goroutines, (uint64_t) id);
}

static struct gt_column_goroutine *goroutine_new(struct gt_columns *columns, int64_t id)
{
    struct gt_column_goroutine *goroutine = gt_idmap_add(&columns->goroutines, (uint64_t) id);
    gt_status status = goroutine ? gt_roster_add(&columns->goroutine_list, &columns->mem, goroutine,
                                                 &goroutine->number)
                                 : gt_mem_failure(&columns->mem);
    if (status != GT_OK) {
        gt_columns_note(columns, status);
        if (goroutine)
            gt_idmap_drop(&columns->goroutines, (uint64_t) id, goroutine);
        return NULL;
    }
    goroutine->id = id;
    goroutine->state = GT_GO_NOT_EXIST;
    goroutine->creator = GT_NO_GOROUTINE;
    columns->goroutine_count++;
    return goroutine;
}

static void goroutine_free(struct gt_columns *columns, struct gt_column_goroutine *goroutine)
{
    if (goroutine->syscall && goroutine->syscall->syscall == goroutine)
        goroutine->syscall->syscall = NULL;
    gt_array_free(&columns->mem, &goroutine->regions);
    gt_roster_remove(&columns->goroutine_list, goroutine->number);
    gt_idmap_drop(&columns->goroutines, (uint64_t) goroutine->id, goroutine);
}

/* Takes the function that a goroutine starts with from the first stack that has one. */
static void goroutine_name(struct gt_columns *columns, struct gt_column_goroutine *goroutine,
                           gt_stack stack)
{
    const gt_frame *frames;
    size_t count;
    if (goroutine->function != GT_NO_TEXT || stack == GT_STACK_NONE)
        return;
    if (gt_stack_view(columns->reader, stack, &frames, &count) == GT_OK && count > 0)
        goroutine->function = gt_columns_text(columns, frames[count - 1].function);
}

/* Begins an interval, at a time that is not that of the event if the state is older. */
static void goroutine_enter(struct gt_columns *columns, struct gt_column_goroutine *goroutine,
                            uint32_t state, int64_t time, gt_string reason)
{
    const struct gt_open_region *region =
        goroutine->regions.count > 0 ? &goroutine->regions.items[goroutine->regions.count - 1]
                                     : NULL;
    goroutine->state = state;
    goroutine->since = time;
    goroutine->reason = gt_columns_text(columns, reason);
    goroutine->cut = 0;
    goroutine->proc = GT_NO_PROC;
    goroutine->thread = GT_NO_THREAD;
    goroutine->stack = (struct gt_stack_ref){.is_known = false};
    goroutine->region = region ? region->id : 0;
    goroutine->task = region ? region->task : GT_BACKGROUND_TASK;
    goroutine->region_type = region ? region->type : GT_NO_TEXT;
    goroutine->task_type = region ? region->task_type : GT_NO_TEXT;
    goroutine->lost_since = goroutine->lost = 0;
}

/* Adds a goroutine that was in `state` since the last Sync, and earlier. */
static struct gt_column_goroutine *goroutine_discover(struct gt_columns *columns,
                                                      const gt_event *event,
                                                      const gt_transition *change, uint32_t state)
{
    struct gt_column_goroutine *goroutine = goroutine_new(columns, change->resource.id);
    if (!goroutine)
        return NULL;
    goroutine->existed = true;
    goroutine_enter(columns, goroutine, state, columns->sync_time, change->reason);
    goroutine->cut = GT_CUT_BEGIN;
    if (state == GT_GO_SYSCALL && event->proc == GT_NO_PROC)
        goroutine->lost = gt_time_minus(event->time, columns->sync_time);
    return goroutine;
}

static struct gt_column_goroutine *
goroutine_create(struct gt_columns *columns, const gt_event *event, const gt_transition *change)
{
    struct gt_column_goroutine *goroutine = goroutine_new(columns, change->resource.id);
    if (!goroutine)
        return NULL;
    goroutine->creator = event->goroutine;
    goroutine->creation = gt_columns_stack(columns, gt_event_stack(event));
    return goroutine;
}

/* The stack of a goroutine that changes its state: the event's only if that happens to itself. */
static struct gt_stack_ref goroutine_stack(struct gt_columns *columns, const gt_event *event,
                                           const gt_transition *change)
{
    gt_stack stack = change->stack;
    if (stack == GT_STACK_NONE && event->goroutine == change->resource.id)
        stack = gt_event_stack(event);
    return gt_columns_stack(columns, stack);
}

/* When the state changes. */
static int64_t goroutine_time(const struct gt_columns *columns, const gt_event *event)
{
    return columns->switched.step > GT_SWITCH_WAKES ? columns->switched.time : event->time;
}

static bool goroutine_executes(uint32_t state)
{
    return state == GT_GO_RUNNING || state == GT_GO_SYSCALL;
}

/* Begins the interval of the state after the event. */
static void goroutine_begin(struct gt_columns *columns, struct gt_column_goroutine *goroutine,
                            const gt_event *event, const gt_transition *change)
{
    goroutine_enter(columns, goroutine, change->to, goroutine_time(columns, event), change->reason);
    goroutine->stack = goroutine_stack(columns, event, change);
    if (goroutine_executes(change->to)) {
        goroutine->proc = event->proc;
        goroutine->thread = event->thread;
    }
    if (change->to == GT_GO_SYSCALL)
        gt_columns_syscall_enter(columns, goroutine, event);
}

/* Ends the interval of the state before the event. */
static void goroutine_end(struct gt_columns *columns, struct gt_column_goroutine *goroutine,
                          const gt_event *event)
{
    /* A coroutine that is switched to was not runnable at any time. */
    if (columns->switched.step == GT_SWITCH_STARTS)
        goroutine->state = GT_GO_NOT_EXIST;
    if (goroutine->state == GT_GO_SYSCALL)
        gt_columns_syscall_leave(goroutine, event->time);
    /* Where a state began that is older than the trace, its last event may still know. */
    if (goroutine->cut & GT_CUT_BEGIN && goroutine_executes(goroutine->state) &&
        event->goroutine == goroutine->id) {
        goroutine->proc = event->proc;
        goroutine->thread = event->thread;
    }
    gt_columns_state_put(columns, goroutine, goroutine_time(columns, event), event);
    goroutine->state = GT_GO_NOT_EXIST;
}

void gt_columns_goroutine_change(struct gt_columns *columns, const gt_event *event,
                                 const gt_transition *change)
{
    struct gt_column_goroutine *goroutine = gt_columns_goroutine(columns, change->resource.id);
    bool is_new = change->from == GT_GO_UNDETERMINED || change->from == GT_GO_NOT_EXIST;
    gt_switch_take(&columns->switched, event, change);
    if (is_new && goroutine)
        goroutine_free(columns, goroutine);
    if (change->from == GT_GO_UNDETERMINED)
        goroutine = goroutine_discover(columns, event, change, change->to);
    else if (change->from == GT_GO_NOT_EXIST)
        goroutine = goroutine_create(columns, event, change);
    else if (!goroutine)
        goroutine = goroutine_discover(columns, event, change, change->from);
    if (!goroutine)
        return;
    goroutine_name(columns, goroutine, change->stack);
    if (change->from == GT_GO_UNDETERMINED) {
        goroutine->stack = goroutine_stack(columns, event, change);
        if (change->to == GT_GO_SYSCALL)
            gt_columns_syscall_enter(columns, goroutine, event);
    } else {
        goroutine_end(columns, goroutine, event);
    }
    if (change->to == GT_GO_NOT_EXIST ||
        (change->to == GT_GO_WAITING && gt_text_is(change->reason, "forever")))
        goroutine_free(columns, goroutine);
    else if (change->from != GT_GO_UNDETERMINED)
        goroutine_begin(columns, goroutine, event, change);
}

void gt_columns_goroutines_finish(struct gt_columns *columns)
{
    uint64_t number = 0;
    struct gt_column_goroutine *goroutine;
    while ((goroutine = gt_roster_after(&columns->goroutine_list, number))) {
        number = goroutine->number;
        goroutine->cut |= GT_CUT_END;
        if (goroutine->lost_since != 0)
            goroutine->lost =
                gt_time_plus(goroutine->lost, gt_time_minus(columns->now, goroutine->lost_since));
        gt_columns_state_put(columns, goroutine, columns->now, NULL);
    }
}

void gt_columns_goroutines_clear(struct gt_columns *columns)
{
    uint64_t number = 0;
    struct gt_column_goroutine *goroutine;
    while ((goroutine = gt_roster_after(&columns->goroutine_list, number))) {
        number = goroutine->number;
        gt_array_free(&columns->mem, &goroutine->regions);
    }
    gt_roster_free(&columns->goroutine_list, &columns->mem);
    columns->goroutine_list = (struct gt_roster){.last = 0};
    gt_idmap_destroy(&columns->goroutines);
}
