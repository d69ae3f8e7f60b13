/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/scope.h"

#include <stdlib.h>

#include "web/answer.h"

/* Sorts the tracks and removes duplicates, as a track that is named twice must count once. */
static void scope_make_unique(struct gt_query_tracks *tracks)
{
    size_t kept = 0;
    if (tracks->count > 0)
        qsort(tracks->list, tracks->count, sizeof(*tracks->list), gt_answer_compare);
    for (size_t i = 0; i < tracks->count; i++) {
        if (kept == 0 || tracks->list[kept - 1] != tracks->list[i])
            tracks->list[kept++] = tracks->list[i];
    }
    tracks->count = kept;
}

void gt_scope_take(struct gt_scope *scope, struct gt_query *query, struct gt_store *store)
{
    *scope = (struct gt_scope){.view = GT_STORE_VIEW_GOROUTINE,
                               .has_tracks = gt_query_has(query, "tracks")};
    struct gt_query_range range;
    gt_query_whole(query, store, &range);
    gt_query_view(query, &scope->view);
    gt_query_tracks(query, GT_QUERY_TRACKS_MAX, &scope->tracks);
    scope->start = range.start;
    scope->end = range.end;
    scope_make_unique(&scope->tracks);
}

void gt_scope_free(struct gt_scope *scope)
{
    gt_query_tracks_free(&scope->tracks);
}
