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

struct gt_tl_goroutine *gt_tl_goroutine_find(struct gt_timeline *t, int64_t id)
{
    return gt_idmap_get(&t->goroutines.map, (uint64_t) id);
}

struct gt_tl_goroutine *gt_tl_goroutine_make(struct gt_timeline *t, int64_t id)
{
    struct gt_tl_goroutine *g = gt_tl_goroutine_find(t, id);
    if (g)
        return g;
    g = gt_pool_take(&t->goroutines.pool);
    if (!g || gt_idmap_put(&t->goroutines.map, (uint64_t) id, g) != GT_OK) {
        gt_tl_note(t, gt_mem_failure(&t->mem));
        if (g)
            gt_pool_give(&t->goroutines.pool, g);
        return NULL;
    }
    /* Goroutines come by the million: with a size known to it, gcc clears them slowly. */
    memset(g, 0, t->goroutines.pool.object);
    g->id = id;
    g->row = GT_TL_NOWHERE;
    g->next = t->goroutines.first;
    if (g->next)
        g->next->previous = g;
    t->goroutines.first = g;
    return g;
}

void gt_tl_goroutine_free(struct gt_timeline *t, struct gt_tl_goroutine *g)
{
    struct gt_tl_text *texts[] = {g->root, g->label, g->block_reason, g->cause_reason};
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        gt_tl_text_drop(&t->texts, texts[i]);
    gt_tl_ranges_free(t, &g->active);
    for (struct gt_tl_range *range = g->completed; range; range = range->next)
        t->goroutines.completed--;
    gt_tl_ranges_free(t, &g->completed);
    gt_tl_regions_free(t, g);
    if (g->previous)
        g->previous->next = g->next;
    else
        t->goroutines.first = g->next;
    if (g->next)
        g->next->previous = g->previous;
    gt_idmap_remove(&t->goroutines.map, (uint64_t) g->id);
    gt_pool_give(&t->goroutines.pool, g);
}

void gt_tl_goroutine_augment(struct gt_timeline *t, struct gt_tl_goroutine *g, gt_stack stack)
{
    if (g->root || stack == GT_STACK_NONE)
        return;
    gt_status status = gt_tl_stack_root(&t->stacks, stack, &g->root);
    if (status != GT_OK)
        gt_tl_note(t, status);
    else
        gt_tl_text_hold(g->root);
}

gt_string gt_tl_goroutine_name(struct gt_timeline *t, const struct gt_tl_goroutine *g)
{
    gt_tl_name_string(t, GT_TL_STRING("G"));
    gt_tl_name_signed(t, g->id);
    if (g->root) {
        gt_tl_name_string(t, GT_TL_STRING(" "));
        gt_tl_name_text(t, g->root);
    }
    if (g->label && g->label->size > 0) {
        gt_tl_name_string(t, GT_TL_STRING(" ("));
        gt_tl_name_text(t, g->label);
        gt_tl_name_string(t, GT_TL_STRING(")"));
    }
    return gt_tl_name_take(t);
}

/* Puts a text for `string` in place of the one that was there; NULL for an empty one. */
static void replace_text(struct gt_timeline *t, struct gt_tl_text **text, gt_string string)
{
    gt_tl_text_drop(&t->texts, *text);
    *text = NULL;
    if (string.size == 0)
        return;
    *text = gt_tl_text_of_trace(&t->texts, string);
    if (!*text)
        gt_tl_note(t, gt_mem_failure(&t->mem));
}

void gt_tl_goroutine_label(struct gt_timeline *t, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    gt_event_label(event, &label);
    if (label.resource.kind != GT_RESOURCE_GOROUTINE)
        return;
    struct gt_tl_goroutine *g = gt_tl_goroutine_find(t, label.resource.id);
    if (!g)
        return;
    replace_text(t, &g->label, label.label);
    if (t->states)
        gt_tl_state_labelled(t, g);
}

static void set_cause(struct gt_timeline *t, struct gt_tl_goroutine *g, enum gt_tl_cause cause,
                      int64_t row)
{
    gt_tl_text_drop(&t->texts, g->cause_reason);
    g->cause_reason = NULL;
    g->cause = cause;
    g->cause_time = t->now;
    g->cause_row = row;
    g->cause_stack = t->stack;
}

void gt_tl_goroutine_created(struct gt_timeline *t, struct gt_tl_goroutine *g, int64_t row)
{
    if (row != GT_TL_NOWHERE)
        set_cause(t, g, GT_TL_CAUSE_CREATED, row);
}

static gt_string unblock_name(struct gt_timeline *t, const struct gt_tl_text *reason)
{
    gt_tl_name_string(t, GT_TL_STRING("unblock"));
    if (reason) {
        gt_tl_name_string(t, GT_TL_STRING(" ("));
        gt_tl_name_text(t, reason);
        gt_tl_name_string(t, GT_TL_STRING(")"));
    }
    return gt_tl_name_take(t);
}

static gt_string cause_name(struct gt_timeline *t, const struct gt_tl_goroutine *g)
{
    if (g->cause == GT_TL_CAUSE_CREATED)
        return GT_TL_STRING("go");
    if (g->cause == GT_TL_CAUSE_EXITED)
        return GT_TL_STRING("exit blocked syscall");
    return unblock_name(t, g->cause_reason);
}

static void draw_cause(struct gt_timeline *t, struct gt_tl_goroutine *g, int64_t time, int64_t row)
{
    gt_arrow arrow = GT_ARROW_INIT;
    arrow.from = (uint64_t) g->cause_row;
    arrow.to = (uint64_t) row;
    arrow.from_time = gt_tl_elapsed(t, g->cause_time);
    arrow.to_time = gt_tl_elapsed(t, time);
    arrow.name = cause_name(t, g);
    arrow.from_stack = g->cause_stack;
    if (t->status == GT_OK)
        gt_tl_note(t, gt_emitter_arrow(t->emitter, &arrow));
    set_cause(t, g, GT_TL_CAUSE_NONE, 0);
}

void gt_tl_goroutine_start(struct gt_timeline *t, struct gt_tl_goroutine *g, int64_t time,
                           int64_t row)
{
    for (struct gt_tl_range *range = g->active; range; range = range->next) {
        range->has_begin = 1;
        range->begin = time;
        range->stack = 0;
    }
    if (g->cause != GT_TL_CAUSE_NONE)
        draw_cause(t, g, time, row);
    g->row = row;
    g->start = time;
}

void gt_tl_syscall_begin(struct gt_tl_goroutine *g, int64_t time, int64_t row, uint32_t stack)
{
    g->in_syscall = 1;
    g->syscall_start = time;
    g->syscall_stack = stack;
    if (g->row == GT_TL_NOWHERE) {
        g->row = row;
        g->start = time;
    }
}

/* Takes a range that is over, and is drawn when the goroutine stops. */
static void complete(struct gt_timeline *t, struct gt_tl_goroutine *g, struct gt_tl_range *range)
{
    range->next = NULL;
    if (g->row != GT_TL_NOWHERE && t->goroutines.completed >= MAX_COMPLETED) {
        gt_tl_range_draw(t, range, g->row);
        gt_tl_ranges_free(t, &range);
        return;
    }
    if (g->completed)
        g->last_completed->next = range;
    else
        g->completed = range;
    g->last_completed = range;
    t->goroutines.completed++;
}

void gt_tl_syscall_end(struct gt_timeline *t, struct gt_tl_goroutine *g, int64_t time, int blocked)
{
    if (!g->in_syscall)
        return;
    g->in_syscall = 0;
    struct gt_tl_range *range = gt_tl_range_new(t);
    if (!range)
        return;
    range->name = GT_TL_STRING("syscall");
    range->begin = g->syscall_start;
    range->end = time;
    range->stack = g->syscall_stack;
    range->blocked = blocked ? "yes" : "no";
    complete(t, g, range);
}

void gt_tl_goroutine_exit_blocked(struct gt_timeline *t, struct gt_tl_goroutine *g)
{
    set_cause(t, g, GT_TL_CAUSE_EXITED, GT_ROW_SYSCALLS);
    gt_tl_instant(t, t->now, GT_ROW_SYSCALLS, GT_TL_STRING("exit blocked syscall"),
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

void gt_tl_goroutine_unblock(struct gt_timeline *t, struct gt_tl_goroutine *g, int64_t row)
{
    struct gt_tl_text *reason = g->block_reason;
    g->block_reason = NULL;
    if (is_network(reason)) {
        /* The poller runs wherever it likes, but on a thread that is the one. */
        if (t->view != GT_VIEW_THREAD)
            row = GT_ROW_NETWORK;
        if (!t->exact || row != GT_TL_NOWHERE)
            gt_tl_instant(t, t->now, row, unblock_name(t, reason), GT_TL_STRING(""));
    }
    /* Go takes proc 0 for none, but not none. */
    if (t->exact ? row != GT_TL_NOWHERE : row != 0) {
        set_cause(t, g, GT_TL_CAUSE_UNBLOCKED, row);
        g->cause_reason = reason;
    } else {
        gt_tl_text_drop(&t->texts, reason);
    }
}

void gt_tl_goroutine_block(struct gt_timeline *t, struct gt_tl_goroutine *g, gt_string reason)
{
    replace_text(t, &g->block_reason, reason);
    gt_tl_goroutine_stop(t, g, t->now, t->stack);
}

static void draw_run(struct gt_timeline *t, struct gt_tl_goroutine *g, int64_t time, uint32_t stack)
{
    gt_slice slice = gt_tl_slice(t, g->row, g->start, time);
    slice.name = gt_tl_goroutine_name(t, g);
    slice.stack = g->stop_stack;
    slice.end_stack = stack;
    if (t->status == GT_OK)
        gt_tl_note(t, gt_emitter_slice(t->emitter, &slice));
    while (g->completed) {
        gt_tl_range_draw(t, g->completed, g->row);
        gt_tl_range_remove(t, &g->completed);
        t->goroutines.completed--;
    }
    for (struct gt_tl_range *range = g->active; range; range = range->next) {
        range->end = time;
        range->end_stack = 0;
        if (range->has_begin)
            gt_tl_range_draw(t, range, g->row);
    }
}

void gt_tl_goroutine_stop(struct gt_timeline *t, struct gt_tl_goroutine *g, int64_t time,
                          uint32_t stack)
{
    if (g->row != GT_TL_NOWHERE)
        draw_run(t, g, time, stack);
    for (struct gt_tl_range *range = g->active; range; range = range->next) {
        range->has_begin = 0;
        range->stack = 0;
    }
    g->row = GT_TL_NOWHERE;
    g->stop_stack = stack;
}

static void end_range(struct gt_timeline *t, struct gt_tl_goroutine *g, const gt_event *event,
                      const gt_range *range)
{
    if (g->row == GT_TL_NOWHERE) {
        struct gt_tl_range **link = gt_tl_range_find(&g->active, range);
        if (*link)
            gt_tl_range_remove(t, link);
        return;
    }
    struct gt_tl_range *active = gt_tl_range_make(t, &g->active, range);
    if (!active)
        return;
    *gt_tl_range_find(&g->active, range) = active->next;
    if (!active->has_begin)
        active->begin = t->start;
    active->end = event->time;
    active->end_stack = t->stack;
    complete(t, g, active);
}

void gt_tl_goroutine_range(struct gt_timeline *t, const gt_event *event, const gt_range *range)
{
    struct gt_tl_goroutine *g = gt_tl_goroutine_find(t, range->scope.id);
    if (!g)
        return;
    if (t->states) {
        gt_tl_range_changes(t, &g->active, event, range, g->id);
        return;
    }
    if (event->kind == GT_EVENT_RANGE_END) {
        end_range(t, g, event, range);
        return;
    }
    struct gt_tl_range *active = gt_tl_range_make(t, &g->active, range);
    if (!active)
        return;
    int begins = event->kind == GT_EVENT_RANGE_BEGIN;
    active->has_begin = g->row != GT_TL_NOWHERE;
    active->begin = begins ? event->time : g->start;
    active->stack = begins ? t->stack : 0;
}

void gt_tl_goroutines_finish(struct gt_timeline *t)
{
    for (struct gt_tl_goroutine *g = t->goroutines.first; g && t->status == GT_OK; g = g->next) {
        if (g->row != GT_TL_NOWHERE) {
            gt_tl_syscall_end(t, g, t->now, 0);
            gt_tl_goroutine_stop(t, g, t->now, 0);
        }
        if (t->states) {
            gt_tl_state_finish(t, g);
            gt_tl_ranges_finish(t, &g->active, g->id);
        } else if (t->view == GT_VIEW_GOROUTINE) {
            gt_tl_note(t, gt_emitter_name_resource(t->emitter, (uint64_t) g->id,
                                                   gt_tl_goroutine_name(t, g)));
        }
    }
}
