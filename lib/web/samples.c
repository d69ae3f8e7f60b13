/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/samples.h"

#include <stdlib.h>

#include "web/answer.h"

enum {
    /* The number of marks that are visited before the lock is released for a moment. */
    STEP = 4096
};

/* Whether a row of a view has one of the scope's tracks, by view and ordinal. */
struct sample_rows {
    bool *has[GT_STORE_VIEWS];
    uint32_t count[GT_STORE_VIEWS];
};

static bool sample_rows_has(const struct sample_rows *rows, uint32_t view, uint32_t ordinal)
{
    return ordinal < rows->count[view] && rows->has[view][ordinal];
}

static bool sample_rows_make(struct sample_rows *rows, struct gt_store *store,
                             const struct gt_scope *scope)
{
    bool made = true;
    gt_store_lock_read(store);
    for (uint32_t view = 0; view < GT_STORE_VIEWS && made; view++) {
        rows->count[view] = gt_store_row_count(store, view);
        rows->has[view] = calloc((size_t) rows->count[view] + 1, sizeof(bool));
        made = rows->has[view];
    }
    for (size_t i = 0; i < scope->tracks.count && made; i++) {
        uint32_t view, ordinal;
        if (gt_store_track_row(store, scope->tracks.list[i], &view, &ordinal) &&
            ordinal < rows->count[view])
            rows->has[view][ordinal] = true;
    }
    gt_store_unlock(store);
    return made;
}

static void sample_rows_free(struct sample_rows *rows)
{
    for (uint32_t view = 0; view < GT_STORE_VIEWS; view++)
        free(rows->has[view]);
}

static bool sample_is_in(const struct sample_rows *rows, const struct gt_store *store,
                         const struct gt_mark *sample)
{
    struct gt_span state;
    if (sample_rows_has(rows, GT_STORE_VIEW_GOROUTINE, sample->goroutine))
        return true;
    if (gt_answer_state_at(store, sample->goroutine, sample->time, &state) == GT_STORE_NONE)
        return false;
    return sample_rows_has(rows, GT_STORE_VIEW_PROC, state.proc) ||
           sample_rows_has(rows, GT_STORE_VIEW_THREAD, state.thread);
}

/*
 * Visits up to STEP marks from `*index` on. Sets `*index` to UINT64_MAX at the end. Returns false
 * if `each` did.
 */
static bool samples_visit(const struct gt_store *store, const struct gt_scope *scope,
                          const struct sample_rows *rows, uint64_t *index, gt_samples_fn *each,
                          void *user_data)
{
    struct gt_mark mark;
    for (size_t i = 0; i < STEP; i++, (*index)++) {
        if (!gt_store_get_mark(store, *index, &mark) || mark.time >= scope->end) {
            *index = UINT64_MAX;
            return true;
        }
        if (mark.kind != GT_MARK_SAMPLE || (scope->has_tracks && !sample_is_in(rows, store, &mark)))
            continue;
        if (!each(user_data, &mark))
            return false;
    }
    return true;
}

bool gt_samples_each(struct gt_store *store, const struct gt_scope *scope,
                     struct gt_response *response, gt_samples_fn *each, void *user_data)
{
    struct sample_rows rows = {0};
    bool good = !scope->has_tracks || sample_rows_make(&rows, store, scope);
    uint64_t index = 0;
    if (good) {
        gt_store_lock_read(store);
        index = gt_store_mark_find(store, scope->start);
        gt_store_unlock(store);
    }
    while (good && index != UINT64_MAX) {
        gt_store_lock_read(store);
        good = samples_visit(store, scope, &rows, &index, each, user_data);
        gt_store_unlock(store);
        good = good && (!response || !gt_response_is_over(response));
    }
    sample_rows_free(&rows);
    return good;
}
