/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/losses.h"

void gt_losses_destroy(struct gt_losses *losses)
{
    gt_array_free(losses->mem, &losses->list);
    gt_array_free(losses->mem, &losses->goroutines);
    gt_array_free(losses->mem, &losses->threads);
}

bool gt_losses_expect_goroutine(struct gt_losses *losses, uint32_t ordinal, int64_t time)
{
    if (gt_array_extend(losses->mem, &losses->goroutines, ordinal + (size_t) 1) != GT_OK)
        return false;
    losses->goroutines.items[ordinal] = (struct gt_losses_time){time, true};
    return true;
}

bool gt_losses_expect_thread(struct gt_losses *losses, uint32_t ordinal, int64_t time)
{
    if (gt_array_extend(losses->mem, &losses->threads, ordinal + (size_t) 1) != GT_OK)
        return false;
    losses->threads.items[ordinal] = (struct gt_losses_time){time, true};
    return true;
}

static bool losses_add(struct gt_losses *losses, const struct gt_span *state, int64_t start,
                       int64_t end)
{
    struct gt_loss loss = {start, end, state->goroutine, state->proc, state->thread};
    if (end <= start)
        return true;
    return gt_array_add(losses->mem, &losses->list, loss) == GT_OK;
}

bool gt_losses_take(struct gt_losses *losses, struct gt_span *state, bool *is_left)
{
    uint32_t goroutine = state->goroutine, thread = state->thread;
    *is_left = true;
    if (goroutine < losses->goroutines.count && losses->goroutines.items[goroutine].is_set) {
        int64_t until = losses->goroutines.items[goroutine].time;
        if (!losses_add(losses, state, state->start, until < state->end ? until : state->end))
            return false;
        losses->goroutines.items[goroutine].is_set = until > state->end;
        *is_left = until < state->end;
        state->start = until > state->start ? until : state->start;
    }
    if (*is_left && thread < losses->threads.count && losses->threads.items[thread].is_set) {
        int64_t since = losses->threads.items[thread].time;
        if (!losses_add(losses, state, since > state->start ? since : state->start, state->end))
            return false;
        *is_left = since > state->start;
        state->end = since < state->end ? since : state->end;
    }
    return true;
}
