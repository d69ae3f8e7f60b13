/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/spanlinks.h"

#include "web/answer.h"

enum {
    /*
     * The number of earlier states that are searched: a goroutine may enter and leave many system
     * calls before it waits again.
     */
    STEPS_MAX = 64
};

static void link_nobody(struct gt_span_link *link)
{
    *link = (struct gt_span_link){.goroutine = GT_STORE_NONE, .track = GT_STORE_NONE};
}

static void link_to(const struct gt_store *store, uint32_t goroutine, int64_t time, uint32_t stack,
                    struct gt_span_link *link)
{
    struct gt_span span;
    link_nobody(link);
    if (goroutine == GT_STORE_NONE)
        return;
    link->goroutine = goroutine;
    link->time = time;
    link->stack = stack;
    link->track = gt_answer_state_at(store, goroutine, time, &span);
    if (link->track != GT_STORE_NONE)
        link->index = span.index;
}

void gt_span_link_creator(const struct gt_store *store, uint32_t goroutine,
                          struct gt_span_link *link)
{
    struct gt_store_row row;
    link_nobody(link);
    if (gt_store_get_row_brief(store, GT_STORE_VIEW_GOROUTINE, goroutine, &row))
        link_to(store, row.parent, row.start, row.stack, link);
}

void gt_span_link_before(const struct gt_store *store, uint32_t track, const struct gt_span *state,
                         struct gt_span_link *link)
{
    const struct gt_track *states = gt_store_track(store, track);
    link_nobody(link);
    if (!states)
        return;
    struct gt_span span = *state;
    for (uint32_t i = 0; i < STEPS_MAX; i++) {
        if (span.cls == GT_CLASS_RUNNABLE) {
            link_to(store, span.by, span.start, span.stack, link);
            return;
        }
        if (span.index == 0 || !gt_track_get(states, span.index - 1, &span))
            return;
    }
}

void gt_span_link_next(const struct gt_store *store, uint32_t track, const struct gt_span *state,
                       struct gt_span_link *link)
{
    const struct gt_track *states = gt_store_track(store, track);
    struct gt_span span;
    link_nobody(link);
    if (states && gt_track_get(states, state->index + 1, &span) && span.cls == GT_CLASS_RUNNABLE)
        link_to(store, span.by, span.start, span.stack, link);
}
