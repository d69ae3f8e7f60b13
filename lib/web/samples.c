/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/samples.h"

#include <stdlib.h>

#include "web/answer.h"

enum {
    /* Marks that are looked at while the lock is held once. */
    STEP = 4096
};

/* The rows of a scope's tracks, by view and ordinal. */
struct rows {
    bool *has[STORE_VIEWS];
    uint32_t count[STORE_VIEWS];
};

static bool rows_has(const struct rows *rows, uint32_t view, uint32_t ordinal)
{
    return ordinal < rows->count[view] && rows->has[view][ordinal];
}

static bool rows_make(struct rows *rows, struct store *store, const struct scope *scope)
{
    bool made = true;
    store_lock_read(store);
    for (uint32_t view = 0; view < STORE_VIEWS && made; view++) {
        rows->count[view] = store_row_count(store, view);
        rows->has[view] = calloc((size_t) rows->count[view] + 1, sizeof(bool));
        made = rows->has[view] != NULL;
    }
    for (size_t i = 0; i < scope->tracks.count && made; i++) {
        uint32_t view, ordinal;
        if (store_track_row(store, scope->tracks.list[i], &view, &ordinal) &&
            ordinal < rows->count[view])
            rows->has[view][ordinal] = true;
    }
    store_unlock(store);
    return made;
}

static void rows_free(struct rows *rows)
{
    for (uint32_t view = 0; view < STORE_VIEWS; view++)
        free(rows->has[view]);
}

static bool is_in(const struct rows *rows, const struct store *store, const struct mark *sample)
{
    struct span state;
    if (rows_has(rows, VIEW_GOROUTINE, sample->goroutine))
        return true;
    if (answer_state_at(store, sample->goroutine, sample->time, &state) == STORE_NONE)
        return false;
    return rows_has(rows, VIEW_PROC, state.proc) || rows_has(rows, VIEW_THREAD, state.thread);
}

/* Goes on from `*index` for a while; sets it to UINT64_MAX at the end. */
static bool step(const struct store *store, const struct scope *scope, const struct rows *rows,
                 uint64_t *index, samples_fn *each, void *user_data)
{
    struct mark mark;
    for (size_t i = 0; i < STEP; i++, (*index)++) {
        if (!store_get_mark(store, *index, &mark) || mark.time >= scope->end) {
            *index = UINT64_MAX;
            return true;
        }
        if (mark.kind != MARK_SAMPLE || (scope->has_tracks && !is_in(rows, store, &mark)))
            continue;
        if (!each(user_data, &mark))
            return false;
    }
    return true;
}

bool samples_each(struct store *store, const struct scope *scope,
                  struct gt_response *response, samples_fn *each, void *user_data)
{
    struct rows rows = {0};
    bool good = !scope->has_tracks || rows_make(&rows, store, scope);
    uint64_t index = 0;
    if (good) {
        store_lock_read(store);
        index = store_mark_find(store, scope->start);
        store_unlock(store);
    }
    while (good && index != UINT64_MAX) {
        store_lock_read(store);
        good = step(store, scope, &rows, &index, each, user_data);
        store_unlock(store);
        good = good && (response == NULL || !gt_response_is_over(response));
    }
    rows_free(&rows);
    return good;
}
