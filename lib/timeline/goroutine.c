/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/goroutine.h"

#include "base/text.h"
#include "timeline/timeline.h"

enum {
    /*
     * The largest number of completed ranges that are kept until their goroutines stop, which is
     * when Go draws them. Further ranges are drawn immediately, because a goroutine may make any
     * number of system calls before it stops, and memory must stay bounded.
     */
    GOROUTINE_MAX_COMPLETED = 4096
};

struct gt_tl_goroutine *gt_tl_goroutine_find(struct gt_timeline *timeline, int64_t id)
{
    return gt_idmap_get(&timeline->goroutines.map, (uint64_t) id);
}

struct gt_tl_goroutine *gt_tl_goroutine_make(struct gt_timeline *timeline, int64_t id)
{
    struct gt_tl_goroutines *goroutines = &timeline->goroutines;
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_find(timeline, id);
    if (goroutine)
        return goroutine;
    goroutine = gt_idmap_add(&goroutines->map, (uint64_t) id);
    if (!goroutine) {
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
        return NULL;
    }
    goroutine->id = id;
    goroutine->row = GT_TL_NO_ROW;
    goroutine->next = goroutines->first;
    if (goroutine->next)
        goroutine->next->previous = goroutine;
    goroutines->first = goroutine;
    return goroutine;
}

void gt_tl_goroutine_free(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine)
{
    struct gt_tl_goroutines *goroutines = &timeline->goroutines;
    struct gt_shared_text *texts[] = {goroutine->root, goroutine->label, goroutine->block_reason,
                                      goroutine->cause_reason};
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        gt_shared_text_drop(&timeline->texts, texts[i]);
    gt_tl_ranges_free(timeline, &goroutine->active);
    for (struct gt_tl_range *range = goroutine->completed; range; range = range->next)
        goroutines->completed--;
    gt_tl_ranges_free(timeline, &goroutine->completed);
    gt_tl_regions_free(timeline, goroutine);
    if (goroutine->previous)
        goroutine->previous->next = goroutine->next;
    else
        goroutines->first = goroutine->next;
    if (goroutine->next)
        goroutine->next->previous = goroutine->previous;
    gt_idmap_drop(&goroutines->map, (uint64_t) goroutine->id, goroutine);
}

void gt_tl_goroutine_set_root(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                              gt_stack stack)
{
    if (goroutine->root || stack == GT_STACK_NONE)
        return;
    gt_status status = gt_tl_stack_root(&timeline->stacks, stack, &goroutine->root);
    if (status != GT_OK)
        gt_tl_note(timeline, status);
    else
        gt_shared_text_hold(goroutine->root);
}

static gt_string goroutine_name(struct gt_timeline *timeline,
                                const struct gt_tl_goroutine *goroutine)
{
    gt_tl_name_string(&timeline->name, GT_TL_STRING("G"));
    gt_tl_name_signed(&timeline->name, goroutine->id);
    if (goroutine->root) {
        gt_tl_name_string(&timeline->name, GT_TL_STRING(" "));
        gt_tl_name_string(&timeline->name, goroutine->root->string);
    }
    if (goroutine->label && goroutine->label->string.size > 0)
        gt_tl_name_in_parentheses(&timeline->name, goroutine->label->string);
    return gt_tl_name_end(timeline);
}

void gt_tl_goroutine_name_row(struct gt_timeline *timeline, const struct gt_tl_goroutine *goroutine)
{
    gt_tl_name_row(timeline, goroutine->id, goroutine_name(timeline, goroutine));
}

/* Replaces a text of the goroutine. An empty string leaves NULL. */
static void goroutine_set_text(struct gt_timeline *timeline, struct gt_shared_text **text,
                               gt_string string)
{
    gt_shared_text_drop(&timeline->texts, *text);
    *text = NULL;
    if (string.size > 0)
        *text = gt_tl_text_get(timeline, string);
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
    goroutine_set_text(timeline, &goroutine->label, label.label);
    if (timeline->states)
        gt_tl_state_label(timeline, goroutine);
}

static void goroutine_set_cause(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                                enum gt_tl_cause cause, int64_t row)
{
    gt_shared_text_drop(&timeline->texts, goroutine->cause_reason);
    goroutine->cause_reason = NULL;
    goroutine->cause = cause;
    goroutine->cause_time = timeline->now;
    goroutine->cause_row = row;
    goroutine->cause_stack = timeline->stack;
}

void gt_tl_goroutine_created(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                             int64_t row)
{
    if (row != GT_TL_NO_ROW)
        goroutine_set_cause(timeline, goroutine, GT_TL_CAUSE_CREATED, row);
}

static gt_string goroutine_unblock_name(struct gt_timeline *timeline,
                                        const struct gt_shared_text *reason)
{
    gt_tl_name_string(&timeline->name, GT_TL_STRING("unblock"));
    if (reason)
        gt_tl_name_in_parentheses(&timeline->name, reason->string);
    return gt_tl_name_end(timeline);
}

static gt_string goroutine_cause_name(struct gt_timeline *timeline,
                                      const struct gt_tl_goroutine *goroutine)
{
    if (goroutine->cause == GT_TL_CAUSE_CREATED)
        return GT_TL_STRING("go");
    if (goroutine->cause == GT_TL_CAUSE_EXITED)
        return GT_TL_STRING("exit blocked syscall");
    return goroutine_unblock_name(timeline, goroutine->cause_reason);
}

static void goroutine_draw_cause(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                                 int64_t time, int64_t row)
{
    gt_arrow arrow = GT_ARROW_INIT;
    arrow.from = (uint64_t) goroutine->cause_row;
    arrow.to = (uint64_t) row;
    arrow.from_time = gt_tl_elapsed(timeline, goroutine->cause_time);
    arrow.to_time = gt_tl_elapsed(timeline, time);
    arrow.name = goroutine_cause_name(timeline, goroutine);
    arrow.from_stack = goroutine->cause_stack;
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_arrow(timeline->emitter, &arrow));
    goroutine_set_cause(timeline, goroutine, GT_TL_CAUSE_NONE, 0);
}

void gt_tl_goroutine_start(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                           int64_t time, int64_t row)
{
    for (struct gt_tl_range *range = goroutine->active; range; range = range->next) {
        range->has_begin = true;
        range->begin = time;
        range->stack = 0;
    }
    if (goroutine->cause != GT_TL_CAUSE_NONE)
        goroutine_draw_cause(timeline, goroutine, time, row);
    goroutine->row = row;
    goroutine->start = time;
}

void gt_tl_syscall_begin(struct gt_tl_goroutine *goroutine, int64_t time, int64_t row,
                         uint32_t stack)
{
    goroutine->in_syscall = true;
    goroutine->syscall_start = time;
    goroutine->syscall_stack = stack;
    if (goroutine->row == GT_TL_NO_ROW) {
        goroutine->row = row;
        goroutine->start = time;
    }
}

/* Takes over a range that has ended and that is to be drawn when the goroutine stops. */
static void goroutine_complete_range(struct gt_timeline *timeline,
                                     struct gt_tl_goroutine *goroutine, struct gt_tl_range *range)
{
    range->next = NULL;
    if (goroutine->row != GT_TL_NO_ROW &&
        timeline->goroutines.completed >= GOROUTINE_MAX_COMPLETED) {
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
                       int64_t time, bool blocked)
{
    if (!goroutine->in_syscall)
        return;
    goroutine->in_syscall = false;
    struct gt_tl_range *range = gt_tl_range_new(timeline);
    if (!range)
        return;
    range->name = GT_TL_STRING("syscall");
    range->begin = goroutine->syscall_start;
    range->end = time;
    range->stack = goroutine->syscall_stack;
    range->blocked = blocked ? "yes" : "no";
    goroutine_complete_range(timeline, goroutine, range);
}

void gt_tl_goroutine_exit_blocked(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine)
{
    goroutine_set_cause(timeline, goroutine, GT_TL_CAUSE_EXITED, GT_ROW_SYSCALLS);
    gt_tl_draw_point(timeline, timeline->now, GT_ROW_SYSCALLS, GT_TL_STRING("exit blocked syscall"),
                     GT_TL_STRING(""));
}

void gt_tl_goroutine_unblock(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                             int64_t row)
{
    struct gt_shared_text *reason = goroutine->block_reason;
    goroutine->block_reason = NULL;
    if (reason && gt_text_contains(reason->string, "network")) {
        /* The network poller runs on any goroutine and proc, so only the row of its thread is
         * correct. */
        if (timeline->view != GT_VIEW_THREAD)
            row = GT_ROW_NETWORK;
        if (!timeline->exact || row != GT_TL_NO_ROW)
            gt_tl_draw_point(timeline, timeline->now, row, goroutine_unblock_name(timeline, reason),
                             GT_TL_STRING(""));
    }
    /* Go treats row 0 as no row and draws no arrow from it, but it does draw arrows from
     * GT_TL_NO_ROW. */
    if (timeline->exact ? row != GT_TL_NO_ROW : row != 0) {
        goroutine_set_cause(timeline, goroutine, GT_TL_CAUSE_UNBLOCKED, row);
        goroutine->cause_reason = reason;
    } else {
        gt_shared_text_drop(&timeline->texts, reason);
    }
}

void gt_tl_goroutine_block(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                           gt_string reason)
{
    goroutine_set_text(timeline, &goroutine->block_reason, reason);
    gt_tl_goroutine_stop(timeline, goroutine, timeline->now, timeline->stack);
}

static void goroutine_draw_run(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                               int64_t end, uint32_t end_stack)
{
    gt_slice slice = gt_tl_slice(timeline, goroutine->row, goroutine->start, end);
    slice.name = goroutine_name(timeline, goroutine);
    slice.stack = goroutine->stop_stack;
    slice.end_stack = end_stack;
    gt_tl_draw_slice(timeline, &slice);
    while (goroutine->completed) {
        gt_tl_range_draw(timeline, goroutine->completed, goroutine->row);
        gt_tl_range_remove(timeline, &goroutine->completed);
        timeline->goroutines.completed--;
    }
    for (struct gt_tl_range *range = goroutine->active; range; range = range->next) {
        range->end = end;
        range->end_stack = 0;
        if (range->has_begin)
            gt_tl_range_draw(timeline, range, goroutine->row);
    }
}

void gt_tl_goroutine_stop(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                          int64_t time, uint32_t stack)
{
    if (goroutine->row != GT_TL_NO_ROW)
        goroutine_draw_run(timeline, goroutine, time, stack);
    for (struct gt_tl_range *range = goroutine->active; range; range = range->next) {
        range->has_begin = false;
        range->stack = 0;
    }
    goroutine->row = GT_TL_NO_ROW;
    goroutine->stop_stack = stack;
}

static void goroutine_end_range(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                                const gt_event *event, const gt_range *range)
{
    if (goroutine->row == GT_TL_NO_ROW) {
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
    goroutine_complete_range(timeline, goroutine, active);
}

void gt_tl_goroutine_range(struct gt_timeline *timeline, const gt_event *event,
                           const gt_range *range)
{
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_find(timeline, range->scope.id);
    if (!goroutine)
        return;
    if (timeline->states) {
        gt_tl_range_event(timeline, &goroutine->active, event, range, goroutine->id);
        return;
    }
    if (event->kind == GT_EVENT_RANGE_END) {
        goroutine_end_range(timeline, goroutine, event, range);
        return;
    }
    struct gt_tl_range *active = gt_tl_range_make(timeline, &goroutine->active, range);
    if (!active)
        return;
    bool begins = event->kind == GT_EVENT_RANGE_BEGIN;
    active->has_begin = goroutine->row != GT_TL_NO_ROW;
    active->begin = begins ? event->time : goroutine->start;
    active->stack = begins ? timeline->stack : 0;
}

static void goroutine_finish(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine)
{
    if (goroutine->row != GT_TL_NO_ROW) {
        gt_tl_syscall_end(timeline, goroutine, timeline->now, false);
        gt_tl_goroutine_stop(timeline, goroutine, timeline->now, 0);
    }
    if (timeline->states) {
        gt_tl_state_finish(timeline, goroutine);
        gt_tl_ranges_finish(timeline, &goroutine->active, goroutine->id);
    } else if (timeline->view == GT_VIEW_GOROUTINE) {
        gt_tl_goroutine_name_row(timeline, goroutine);
    }
}

void gt_tl_goroutines_finish(struct gt_timeline *timeline)
{
    struct gt_tl_goroutine *goroutine = timeline->goroutines.first;
    for (; goroutine && timeline->status == GT_OK; goroutine = goroutine->next)
        goroutine_finish(timeline, goroutine);
}
