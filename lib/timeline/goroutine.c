/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/goroutine.h"

#include <string.h>

#include "timeline/timeline.h"

enum {
    /*
     * How many completed ranges wait until their goroutines stop, as Go draws them.
     * Beyond, they are drawn at once, for a goroutine may make system calls for ever.
     */
    MAX_COMPLETED = 4096
};

struct gt_tl_goroutine *gt_tl_goroutine_find(struct gt_timeline *timeline, int64_t id)
{
    return gt_idmap_get(&timeline->goroutines.map, (uint64_t) id);
}

struct gt_tl_goroutine *gt_tl_goroutine_make(struct gt_timeline *timeline, int64_t id)
{
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_find(timeline, id);
    if (goroutine)
        return goroutine;
    goroutine = gt_pool_take(&timeline->goroutines.pool);
    if (!goroutine || gt_idmap_put(&timeline->goroutines.map, (uint64_t) id, goroutine) != GT_OK) {
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
        if (goroutine)
            gt_pool_give(&timeline->goroutines.pool, goroutine);
        return NULL;
    }
    /* Goroutines come by the million: with a size known to it, gcc clears them slowly. */
    memset(goroutine, 0, timeline->goroutines.pool.object);
    goroutine->id = id;
    goroutine->row = GT_TL_NOWHERE;
    goroutine->next = timeline->goroutines.first;
    if (goroutine->next)
        goroutine->next->previous = goroutine;
    timeline->goroutines.first = goroutine;
    return goroutine;
}

void gt_tl_goroutine_free(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine)
{
    struct gt_tl_text *texts[] = {goroutine->root, goroutine->label, goroutine->block_reason,
                                  goroutine->cause_reason};
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        gt_tl_text_drop(&timeline->texts, texts[i]);
    gt_tl_ranges_free(timeline, &goroutine->active);
    for (struct gt_tl_range *range = goroutine->completed; range; range = range->next)
        timeline->goroutines.completed--;
    gt_tl_ranges_free(timeline, &goroutine->completed);
    gt_tl_regions_free(timeline, goroutine);
    if (goroutine->previous)
        goroutine->previous->next = goroutine->next;
    else
        timeline->goroutines.first = goroutine->next;
    if (goroutine->next)
        goroutine->next->previous = goroutine->previous;
    gt_idmap_remove(&timeline->goroutines.map, (uint64_t) goroutine->id);
    gt_pool_give(&timeline->goroutines.pool, goroutine);
}

void gt_tl_goroutine_augment(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                             gt_stack stack)
{
    if (goroutine->root || stack == GT_STACK_NONE)
        return;
    gt_status status = gt_tl_stack_root(&timeline->stacks, stack, &goroutine->root);
    if (status != GT_OK)
        gt_tl_note(timeline, status);
    else
        gt_tl_text_hold(goroutine->root);
}

gt_string gt_tl_goroutine_name(struct gt_timeline *timeline,
                               const struct gt_tl_goroutine *goroutine)
{
    gt_tl_name_string(timeline, GT_TL_STRING("G"));
    gt_tl_name_signed(timeline, goroutine->id);
    if (goroutine->root) {
        gt_tl_name_string(timeline, GT_TL_STRING(" "));
        gt_tl_name_text(timeline, goroutine->root);
    }
    if (goroutine->label && goroutine->label->size > 0) {
        gt_tl_name_string(timeline, GT_TL_STRING(" ("));
        gt_tl_name_text(timeline, goroutine->label);
        gt_tl_name_string(timeline, GT_TL_STRING(")"));
    }
    return gt_tl_name_take(timeline);
}

/* Puts a text for `string` in place of the one that was there; NULL for an empty one. */
static void replace_text(struct gt_timeline *timeline, struct gt_tl_text **text, gt_string string)
{
    gt_tl_text_drop(&timeline->texts, *text);
    *text = NULL;
    if (string.size == 0)
        return;
    *text = gt_tl_text_of_trace(&timeline->texts, string);
    if (!*text)
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
}

void gt_tl_goroutine_label(struct gt_timeline *timeline, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    gt_event_label(event, &label);
    if (label.resource.kind != GT_RESOURCE_GOROUTINE)
        return;
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_find(timeline, label.resource.id);
    if (!goroutine)
        return;
    replace_text(timeline, &goroutine->label, label.label);
    if (timeline->states)
        gt_tl_state_labelled(timeline, goroutine);
}

static void set_cause(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                      enum gt_tl_cause cause, int64_t row)
{
    gt_tl_text_drop(&timeline->texts, goroutine->cause_reason);
    goroutine->cause_reason = NULL;
    goroutine->cause = cause;
    goroutine->cause_time = timeline->now;
    goroutine->cause_row = row;
    goroutine->cause_stack = timeline->stack;
}

void gt_tl_goroutine_created(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                             int64_t row)
{
    if (row != GT_TL_NOWHERE)
        set_cause(timeline, goroutine, GT_TL_CAUSE_CREATED, row);
}

static gt_string unblock_name(struct gt_timeline *timeline, const struct gt_tl_text *reason)
{
    gt_tl_name_string(timeline, GT_TL_STRING("unblock"));
    if (reason) {
        gt_tl_name_string(timeline, GT_TL_STRING(" ("));
        gt_tl_name_text(timeline, reason);
        gt_tl_name_string(timeline, GT_TL_STRING(")"));
    }
    return gt_tl_name_take(timeline);
}

static gt_string cause_name(struct gt_timeline *timeline, const struct gt_tl_goroutine *goroutine)
{
    if (goroutine->cause == GT_TL_CAUSE_CREATED)
        return GT_TL_STRING("go");
    if (goroutine->cause == GT_TL_CAUSE_EXITED)
        return GT_TL_STRING("exit blocked syscall");
    return unblock_name(timeline, goroutine->cause_reason);
}

static void draw_cause(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                       int64_t time, int64_t row)
{
    gt_arrow arrow = GT_ARROW_INIT;
    arrow.from = (uint64_t) goroutine->cause_row;
    arrow.to = (uint64_t) row;
    arrow.from_time = gt_tl_elapsed(timeline, goroutine->cause_time);
    arrow.to_time = gt_tl_elapsed(timeline, time);
    arrow.name = cause_name(timeline, goroutine);
    arrow.from_stack = goroutine->cause_stack;
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_arrow(timeline->emitter, &arrow));
    set_cause(timeline, goroutine, GT_TL_CAUSE_NONE, 0);
}

void gt_tl_goroutine_start(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                           int64_t time, int64_t row)
{
    for (struct gt_tl_range *range = goroutine->active; range; range = range->next) {
        range->has_begin = 1;
        range->begin = time;
        range->stack = 0;
    }
    if (goroutine->cause != GT_TL_CAUSE_NONE)
        draw_cause(timeline, goroutine, time, row);
    goroutine->row = row;
    goroutine->start = time;
}

void gt_tl_syscall_begin(struct gt_tl_goroutine *goroutine, int64_t time, int64_t row,
                         uint32_t stack)
{
    goroutine->in_syscall = 1;
    goroutine->syscall_start = time;
    goroutine->syscall_stack = stack;
    if (goroutine->row == GT_TL_NOWHERE) {
        goroutine->row = row;
        goroutine->start = time;
    }
}

/* Takes a range that is over, and is drawn when the goroutine stops. */
static void complete(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                     struct gt_tl_range *range)
{
    range->next = NULL;
    if (goroutine->row != GT_TL_NOWHERE && timeline->goroutines.completed >= MAX_COMPLETED) {
        gt_tl_range_draw(timeline, range, goroutine->row);
        gt_tl_ranges_free(timeline, &range);
        return;
    }
    if (goroutine->completed)
        goroutine->last_completed->next = range;
    else
        goroutine->completed = range;
    goroutine->last_completed = range;
    timeline->goroutines.completed++;
}

void gt_tl_syscall_end(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                       int64_t time, int blocked)
{
    if (!goroutine->in_syscall)
        return;
    goroutine->in_syscall = 0;
    struct gt_tl_range *range = gt_tl_range_new(timeline);
    if (!range)
        return;
    range->name = GT_TL_STRING("syscall");
    range->begin = goroutine->syscall_start;
    range->end = time;
    range->stack = goroutine->syscall_stack;
    range->blocked = blocked ? "yes" : "no";
    complete(timeline, goroutine, range);
}

void gt_tl_goroutine_exit_blocked(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine)
{
    set_cause(timeline, goroutine, GT_TL_CAUSE_EXITED, GT_ROW_SYSCALLS);
    gt_tl_instant(timeline, timeline->now, GT_ROW_SYSCALLS, GT_TL_STRING("exit blocked syscall"),
                  GT_TL_STRING(""));
}

static int is_network(const struct gt_tl_text *reason)
{
    static const char network[] = "network";
    const size_t size = sizeof(network) - 1;
    for (size_t i = 0; reason && i + size <= reason->size; i++) {
        if (memcmp(reason->data + i, network, size) == 0)
            return 1;
    }
    return 0;
}

void gt_tl_goroutine_unblock(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                             int64_t row)
{
    struct gt_tl_text *reason = goroutine->block_reason;
    goroutine->block_reason = NULL;
    if (is_network(reason)) {
        /* The poller runs wherever it likes, but on a thread that is the one. */
        if (timeline->view != GT_VIEW_THREAD)
            row = GT_ROW_NETWORK;
        if (!timeline->exact || row != GT_TL_NOWHERE)
            gt_tl_instant(timeline, timeline->now, row, unblock_name(timeline, reason),
                          GT_TL_STRING(""));
    }
    /* Go takes proc 0 for none, but not none. */
    if (timeline->exact ? row != GT_TL_NOWHERE : row != 0) {
        set_cause(timeline, goroutine, GT_TL_CAUSE_UNBLOCKED, row);
        goroutine->cause_reason = reason;
    } else {
        gt_tl_text_drop(&timeline->texts, reason);
    }
}

void gt_tl_goroutine_block(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                           gt_string reason)
{
    replace_text(timeline, &goroutine->block_reason, reason);
    gt_tl_goroutine_stop(timeline, goroutine, timeline->now, timeline->stack);
}

static void draw_run(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine, int64_t time,
                     uint32_t stack)
{
    gt_slice slice = gt_tl_slice(timeline, goroutine->row, goroutine->start, time);
    slice.name = gt_tl_goroutine_name(timeline, goroutine);
    slice.stack = goroutine->stop_stack;
    slice.end_stack = stack;
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_slice(timeline->emitter, &slice));
    while (goroutine->completed) {
        gt_tl_range_draw(timeline, goroutine->completed, goroutine->row);
        gt_tl_range_remove(timeline, &goroutine->completed);
        timeline->goroutines.completed--;
    }
    for (struct gt_tl_range *range = goroutine->active; range; range = range->next) {
        range->end = time;
        range->end_stack = 0;
        if (range->has_begin)
            gt_tl_range_draw(timeline, range, goroutine->row);
    }
}

void gt_tl_goroutine_stop(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                          int64_t time, uint32_t stack)
{
    if (goroutine->row != GT_TL_NOWHERE)
        draw_run(timeline, goroutine, time, stack);
    for (struct gt_tl_range *range = goroutine->active; range; range = range->next) {
        range->has_begin = 0;
        range->stack = 0;
    }
    goroutine->row = GT_TL_NOWHERE;
    goroutine->stop_stack = stack;
}

static void end_range(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                      const gt_event *event, const gt_range *range)
{
    if (goroutine->row == GT_TL_NOWHERE) {
        struct gt_tl_range **link = gt_tl_range_find(&goroutine->active, range);
        if (*link)
            gt_tl_range_remove(timeline, link);
        return;
    }
    struct gt_tl_range *active = gt_tl_range_make(timeline, &goroutine->active, range);
    if (!active)
        return;
    *gt_tl_range_find(&goroutine->active, range) = active->next;
    if (!active->has_begin)
        active->begin = timeline->start;
    active->end = event->time;
    active->end_stack = timeline->stack;
    complete(timeline, goroutine, active);
}

void gt_tl_goroutine_range(struct gt_timeline *timeline, const gt_event *event,
                           const gt_range *range)
{
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_find(timeline, range->scope.id);
    if (!goroutine)
        return;
    if (timeline->states) {
        gt_tl_range_changes(timeline, &goroutine->active, event, range, goroutine->id);
        return;
    }
    if (event->kind == GT_EVENT_RANGE_END) {
        end_range(timeline, goroutine, event, range);
        return;
    }
    struct gt_tl_range *active = gt_tl_range_make(timeline, &goroutine->active, range);
    if (!active)
        return;
    int begins = event->kind == GT_EVENT_RANGE_BEGIN;
    active->has_begin = goroutine->row != GT_TL_NOWHERE;
    active->begin = begins ? event->time : goroutine->start;
    active->stack = begins ? timeline->stack : 0;
}

void gt_tl_goroutines_finish(struct gt_timeline *timeline)
{
    for (struct gt_tl_goroutine *goroutine = timeline->goroutines.first;
         goroutine && timeline->status == GT_OK; goroutine = goroutine->next) {
        if (goroutine->row != GT_TL_NOWHERE) {
            gt_tl_syscall_end(timeline, goroutine, timeline->now, 0);
            gt_tl_goroutine_stop(timeline, goroutine, timeline->now, 0);
        }
        if (timeline->states) {
            gt_tl_state_finish(timeline, goroutine);
            gt_tl_ranges_finish(timeline, &goroutine->active, goroutine->id);
        } else if (timeline->view == GT_VIEW_GOROUTINE) {
            gt_tl_note(timeline,
                       gt_emitter_name_resource(timeline->emitter, (uint64_t) goroutine->id,
                                                gt_tl_goroutine_name(timeline, goroutine)));
        }
    }
}
