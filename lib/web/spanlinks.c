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

static const struct gt_span_link link_nobody = {
    .goroutine = GT_STORE_NONE,
    .track = GT_STORE_NONE,
};

static struct gt_span_link link_to(const struct gt_store *store, uint32_t goroutine, int64_t time,
                                   uint32_t stack)
{
    struct gt_span span = {.index = 0};
    if (goroutine == GT_STORE_NONE)
        return link_nobody;
    uint32_t track = gt_answer_state_at(store, goroutine, time, &span);
    return (struct gt_span_link){goroutine, time, track, span.index, stack};
}

struct gt_span_link gt_span_link_creator(const struct gt_store *store, uint32_t goroutine)
{
    struct gt_store_row row;
    if (!gt_store_get_row_brief(store, GT_STORE_VIEW_GOROUTINE, goroutine, &row))
        return link_nobody;
    return link_to(store, row.parent, row.start, row.stack);
}

struct gt_span_link gt_span_link_before(const struct gt_store *store, uint32_t track,
                                        const struct gt_span *state)
{
    const struct gt_track *states = gt_store_track(store, track);
    struct gt_span span = *state;
    for (uint32_t i = 0; states && i < STEPS_MAX; i++) {
        if (gt_span_is_woken(&span))
            return link_to(store, span.by, gt_span_wake_time(&span), span.stack);
        if (span.index == 0 || !gt_track_get(states, span.index - 1, &span))
            break;
    }
    return link_nobody;
}

struct gt_span_link gt_span_link_next(const struct gt_store *store, uint32_t track,
                                      const struct gt_span *state)
{
    const struct gt_track *states = gt_store_track(store, track);
    struct gt_span span;
    if (!states || !gt_track_get(states, state->index + 1, &span) || !gt_span_is_woken(&span))
        return link_nobody;
    return link_to(store, span.by, gt_span_wake_time(&span), span.stack);
}
