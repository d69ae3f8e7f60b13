/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/scope.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *) a, right = *(const uint32_t *) b;
    return (left > right) - (left < right);
}

/* A track that is named twice must not count twice. */
static void make_unique(struct query_tracks *tracks)
{
    size_t kept = 0;
    if (tracks->count > 0)
        qsort(tracks->list, tracks->count, sizeof(*tracks->list), compare);
    for (size_t i = 0; i < tracks->count; i++) {
        if (kept == 0 || tracks->list[kept - 1] != tracks->list[i])
            tracks->list[kept++] = tracks->list[i];
    }
    tracks->count = kept;
}

void scope_take(struct scope *scope, struct query *query, struct store *store)
{
    *scope = (struct scope){.view = VIEW_GOROUTINE, .has_tracks = query_has(query, "tracks")};
    struct query_range range = {0};
    store_lock_read(store);
    range.end = store_end(store);
    store_unlock(store);
    query_range(query, &range);
    query_view(query, &scope->view);
    query_tracks(query, QUERY_TRACKS_MAX, &scope->tracks);
    scope->start = range.start;
    scope->end = range.end;
    make_unique(&scope->tracks);
}

void scope_free(struct scope *scope)
{
    query_tracks_free(&scope->tracks);
}
