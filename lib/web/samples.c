/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/samples.h"

#include "web/answer.h"

enum {
    /* The number of marks that are visited before the lock is released for a moment. */
    STEP = 4096
};

/* Returns whether the scope contains a track of this row at a time. */
static bool sample_row_is_in(const struct gt_scope *scope, const struct gt_store *store,
                             uint32_t view, uint32_t ordinal, int64_t time)
{
    struct gt_store_row row;
    if (scope->tracks.count == 0 || !gt_store_get_row_brief(store, view, ordinal, &row))
        return false;
    for (size_t i = 0; i < row.lane_count; i++) {
        if (gt_scope_has(scope, row.lanes[i].track, time))
            return true;
    }
    return false;
}

static bool sample_is_in(const struct gt_scope *scope, const struct gt_store *store,
                         const struct gt_mark *sample)
{
    struct gt_span state;
    if (sample_row_is_in(scope, store, GT_STORE_VIEW_GOROUTINE, sample->goroutine, sample->time))
        return true;
    if (gt_answer_state_at(store, sample->goroutine, sample->time, &state) == GT_STORE_NONE)
        return false;
    return sample_row_is_in(scope, store, GT_STORE_VIEW_PROC, state.proc, sample->time) ||
           sample_row_is_in(scope, store, GT_STORE_VIEW_THREAD, state.thread, sample->time);
}

/*
 * Visits up to STEP marks from `*index` on. Sets `*index` to UINT64_MAX at the end. Returns false
 * if `each` did.
 */
static bool samples_visit(const struct gt_store *store, const struct gt_scope *scope,
                          uint64_t *index, gt_samples_fn *each, void *user_data)
{
    struct gt_mark mark;
    for (size_t i = 0; i < STEP; i++, (*index)++) {
        if (!gt_store_get_mark(store, *index, &mark) || mark.time >= scope->end) {
            *index = UINT64_MAX;
            return true;
        }
        if (mark.kind != GT_MARK_SAMPLE ||
            (scope->has_tracks && !sample_is_in(scope, store, &mark)))
            continue;
        if (!each(user_data, &mark))
            return false;
    }
    return true;
}

bool gt_samples_each(struct gt_store *store, const struct gt_scope *scope,
                     struct gt_response *response, gt_samples_fn *each, void *user_data)
{
    bool good = true;
    gt_store_lock_read(store);
    uint64_t index = gt_store_mark_find(store, scope->start);
    gt_store_unlock(store);
    while (good && index != UINT64_MAX) {
        gt_store_lock_read(store);
        good = samples_visit(store, scope, &index, each, user_data);
        gt_store_unlock(store);
        good = good && (!response || !gt_response_is_over(response));
    }
    return good;
}
