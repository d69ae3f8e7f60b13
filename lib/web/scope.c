/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/scope.h"

#include "base/bisect.h"
#include "base/sort.h"

static bool scope_track_comes(const void *left, const void *right, void *context)
{
    const uint32_t *a = left, *b = right;
    (void) context;
    return *a < *b;
}

void gt_scope_sort_tracks(struct gt_query_tracks *tracks)
{
    size_t kept = 0;
    gt_sort(tracks->list, tracks->count, sizeof(*tracks->list), scope_track_comes, NULL);
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
    gt_scope_sort_tracks(&scope->tracks);
}

void gt_scope_free(struct gt_scope *scope)
{
    if (scope->tracks.mem)
        gt_array_free(scope->tracks.mem, &scope->pieces);
    gt_query_tracks_free(&scope->tracks);
}

size_t gt_scope_find(const struct gt_query_tracks *tracks, uint32_t track)
{
    size_t at;
    GT_BISECT(at, 0, tracks->count, tracks->list[at] < track);
    return at;
}

bool gt_scope_names(const struct gt_query_tracks *tracks, uint32_t track)
{
    size_t at = gt_scope_find(tracks, track);
    return at < tracks->count && tracks->list[at] == track;
}

bool gt_scope_has(const struct gt_scope *scope, uint32_t track, int64_t time)
{
    if (!scope->has_pieces)
        return gt_scope_names(&scope->tracks, track);
    size_t at;
    const struct gt_scope_piece *pieces = scope->pieces.items;
    GT_BISECT(at, 0, scope->pieces.count,
              pieces[at].track < track || (pieces[at].track == track && pieces[at].end <= time));
    return at < scope->pieces.count && pieces[at].track == track && pieces[at].start <= time;
}

int64_t gt_scope_time_on(const struct gt_scope *scope, uint32_t track, int64_t start, int64_t end)
{
    int64_t sum = 0;
    if (!scope->has_pieces)
        return gt_scope_clip_times(scope, start, end);
    for (size_t at = gt_scope_find(&scope->tracks, track);
         at < scope->pieces.count && scope->pieces.items[at].track == track; at++) {
        const struct gt_scope_piece *piece = &scope->pieces.items[at];
        if (piece->start < end && piece->end > start)
            gt_time_add_to(&sum, gt_time_overlap(start, end, piece->start, piece->end));
    }
    return sum;
}
