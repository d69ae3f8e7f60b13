/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/spanlinks.h"

#include "web/answer.h"

enum {
    /* A goroutine may go in and out of system calls for long before it waits again. */
    STEPS_MAX = 64
};

static void link_nobody(struct span_link *link)
{
    *link = (struct span_link){.goroutine = STORE_NONE, .track = STORE_NONE};
}

static void link_to(const struct store *store, uint32_t goroutine, int64_t time, uint32_t stack,
                    struct span_link *link)
{
    struct span span;
    link_nobody(link);
    if (goroutine == STORE_NONE)
        return;
    link->goroutine = goroutine;
    link->time = time;
    link->stack = stack;
    link->track = answer_state_at(store, goroutine, time, &span);
    if (link->track != STORE_NONE)
        link->index = span.index;
}

void span_link_creator(const struct store *store, uint32_t goroutine, struct span_link *link)
{
    struct store_row row;
    link_nobody(link);
    if (store_get_row_brief(store, VIEW_GOROUTINE, goroutine, &row))
        link_to(store, row.parent, row.start, row.stack, link);
}

void span_link_before(const struct store *store, uint32_t track, const struct span *state,
                      struct span_link *link)
{
    const struct track *states = store_track(store, track);
    link_nobody(link);
    if (states == NULL)
        return;
    struct span span = *state;
    for (uint32_t i = 0; i < STEPS_MAX; i++) {
        if (span.cls == CLASS_RUNNABLE) {
            link_to(store, span.by, span.start, span.stack, link);
            return;
        }
        if (span.index == 0 || !track_get(states, span.index - 1, &span))
            return;
    }
}

void span_link_next(const struct store *store, uint32_t track, const struct span *state,
                    struct span_link *link)
{
    const struct track *states = store_track(store, track);
    struct span span;
    link_nobody(link);
    if (states != NULL && track_get(states, state->index + 1, &span) && span.cls == CLASS_RUNNABLE)
        link_to(store, span.by, span.start, span.stack, link);
}
