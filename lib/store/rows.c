/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/rows.h"

#include <string.h>

#include "base/wraps.h"

enum {
    OWNER_BITS = 30,
    /* The largest number of lanes of regions in a row, and likewise of lanes of ranges. A span that
     * would need a further lane is added to the outermost one, where its start is cut off. */
    LANES_MAX = 32
};

#define OWNERS_MAX (UINT32_C(1) << OWNER_BITS)
/* The largest value of gt_store_row_data.lanes. */
#define LANES_LISTS_MAX (UINT32_MAX >> 1)

void gt_store_rows_init(struct gt_store_rows *rows, struct gt_mem *mem)
{
    memset(rows, 0, sizeof(*rows));
    rows->mem = mem;
    gt_idmap_init(&rows->ids, mem);
    gt_idmap_init(&rows->labels, mem);
}

void gt_store_rows_destroy(struct gt_store_rows *rows)
{
    gt_array_free(rows->mem, &rows->list);
    gt_idmap_destroy(&rows->ids);
    gt_idmap_destroy(&rows->labels);
}

void gt_tracks_destroy(struct gt_tracks *tracks)
{
    for (size_t i = 0; i < tracks->list.count; i++)
        gt_track_free(&tracks->list.items[i], tracks->mem);
    for (size_t i = 0; i < tracks->lanes.count; i++) {
        const struct gt_rows_lanes *lanes = &tracks->lanes.items[i];
        if (lanes->count > 2)
            gt_mem_free(tracks->mem, lanes->more, lanes->count * sizeof(*lanes->more));
    }
    gt_store_pool_destroy(&tracks->pool);
    gt_array_free(tracks->mem, &tracks->list);
    gt_array_free(tracks->mem, &tracks->owners);
    gt_array_free(tracks->mem, &tracks->uses);
    gt_array_free(tracks->mem, &tracks->lanes);
}

/* Adds an empty track. False: out of memory. */
static bool rows_add_track(struct gt_tracks *tracks, uint32_t view, uint32_t ordinal,
                           uint32_t *track)
{
    if (tracks->list.count + 1 >= GT_STORE_NONE ||
        gt_array_reserve(tracks->mem, &tracks->list, 1) != GT_OK ||
        gt_array_reserve(tracks->mem, &tracks->owners, 1) != GT_OK ||
        gt_array_reserve(tracks->mem, &tracks->uses, 1) != GT_OK)
        return false;
    *track = (uint32_t) tracks->list.count;
    tracks->list.items[tracks->list.count++] = (struct gt_track){0};
    tracks->owners.items[tracks->owners.count++] = view << OWNER_BITS | ordinal;
    tracks->uses.items[tracks->uses.count++] = 0;
    return true;
}

/* The map returns 0 for an unknown id; subtracting 1 turns that into GT_STORE_NONE. */
GT_WRAPS uint32_t gt_rows_find(const struct gt_store_rows *rows, int64_t id)
{
    return (uint32_t) (gt_idmap_get_number(&rows->ids, (uint64_t) id) - 1);
}

bool gt_rows_make(struct gt_store_rows *rows, struct gt_tracks *tracks, uint32_t view, int64_t id,
                  uint32_t *ordinal)
{
    struct gt_store_row_data *row;
    *ordinal = gt_rows_find(rows, id);
    if (*ordinal != GT_STORE_NONE)
        return true;
    if (rows->list.count >= OWNERS_MAX || gt_array_reserve(rows->mem, &rows->list, 1) != GT_OK)
        return false;
    *ordinal = (uint32_t) rows->list.count;
    row = &rows->list.items[*ordinal];
    memset(row, 0, sizeof(*row));
    row->id = id;
    row->parent = GT_STORE_NONE;
    row->first.kind = view == GT_VIEW_TASK ? GT_LANE_TASK : GT_LANE_STATE;
    if (gt_idmap_put_number(&rows->ids, (uint64_t) id, *ordinal + (size_t) 1) != GT_OK ||
        !rows_add_track(tracks, view, *ordinal, &row->first.track)) {
        gt_idmap_remove(&rows->ids, (uint64_t) id);
        return false;
    }
    rows->list.count++;
    return true;
}

uint32_t gt_rows_label(const struct gt_store_rows *rows, uint32_t ordinal)
{
    return (uint32_t) gt_idmap_get_number(&rows->labels, ordinal);
}

bool gt_rows_set_label(struct gt_store_rows *rows, uint32_t ordinal, uint32_t label)
{
    if (label != 0)
        return gt_idmap_put_number(&rows->labels, ordinal, label) == GT_OK;
    if (rows->labels.used > 0)
        gt_idmap_remove(&rows->labels, ordinal);
    return true;
}

static struct gt_store_lane *rows_list_of(struct gt_rows_lanes *lanes)
{
    return lanes->count > 2 ? lanes->more : lanes->two;
}

/* Returns the list of a row's lanes. A row that has had only its first lane gets a list that
 * contains it. NULL: out of memory. */
static struct gt_rows_lanes *rows_open_lanes(struct gt_tracks *tracks,
                                             struct gt_store_row_data *row)
{
    struct gt_rows_lanes *lanes;
    if (row->lanes != 0)
        return &tracks->lanes.items[row->lanes - 1];
    lanes =
        tracks->lanes.count < LANES_LISTS_MAX ? gt_array_push(tracks->mem, &tracks->lanes) : NULL;
    if (!lanes)
        return NULL;
    lanes->two[0] = row->first;
    lanes->count = 1;
    lanes->regions = 0;
    row->lanes = tracks->lanes.count & LANES_LISTS_MAX;
    return lanes;
}

/* Makes room for one more lane. */
static bool rows_widen_lanes(struct gt_mem *mem, struct gt_rows_lanes *lanes)
{
    struct gt_store_lane *more = lanes->count == 2 ? NULL : lanes->more;
    if (lanes->count < 2)
        return true;
    more = gt_mem_realloc(mem, more, more ? lanes->count * sizeof(*more) : 0,
                          (lanes->count + 1) * sizeof(*more));
    if (!more)
        return false;
    if (lanes->count == 2)
        memcpy(more, lanes->two, sizeof(lanes->two));
    lanes->more = more;
    return true;
}

/* Sets `*first` to the first lane of a kind and `*last` to the one after the last. Regions come
 * before ranges. */
static void rows_find_lanes(const struct gt_rows_lanes *lanes, uint32_t kind, uint32_t *first,
                            uint32_t *last)
{
    *first = kind == GT_LANE_REGION ? 1 : 1 + lanes->regions;
    *last = kind == GT_LANE_REGION ? 1 + lanes->regions : lanes->count;
}

/* Adds a lane outside all others of its kind. */
static bool rows_add_lane(struct gt_tracks *tracks, struct gt_store_row_data *row, uint32_t view,
                          uint32_t ordinal, uint32_t kind, uint32_t *track)
{
    uint32_t first, last;
    struct gt_store_lane *list;
    struct gt_rows_lanes *lanes = rows_open_lanes(tracks, row);
    if (!lanes || !rows_add_track(tracks, view, ordinal, track) ||
        !rows_widen_lanes(tracks->mem, lanes))
        return false;
    rows_find_lanes(lanes, kind, &first, &last);
    list = lanes->count < 2 ? lanes->two : lanes->more;
    memmove(&list[first + 1], &list[first], (lanes->count - first) * sizeof(*list));
    list[first] = (struct gt_store_lane){*track, kind};
    lanes->count++;
    if (kind == GT_LANE_REGION)
        lanes->regions++;
    return true;
}

static bool rows_has_room(const struct gt_track *track, int64_t start)
{
    int64_t first, last;
    return !gt_track_extent(track, &first, &last) || last <= start;
}

bool gt_rows_nest(struct gt_store_rows *rows, struct gt_tracks *tracks, uint32_t view,
                  uint32_t ordinal, uint32_t kind, const struct gt_span *span, uint32_t *track)
{
    struct gt_store_row_data *row = &rows->list.items[ordinal];
    uint32_t first = 1, last = 1;
    *track = GT_STORE_NONE;
    const struct gt_store_lane *list = NULL;
    if (row->lanes != 0) {
        list = rows_list_of(&tracks->lanes.items[row->lanes - 1]);
        rows_find_lanes(&tracks->lanes.items[row->lanes - 1], kind, &first, &last);
    }
    for (uint32_t i = last; i > first && *track == GT_STORE_NONE; i--) {
        if (rows_has_room(&tracks->list.items[list[i - 1].track], span->start))
            *track = list[i - 1].track;
    }
    if (*track == GT_STORE_NONE && last - first >= LANES_MAX)
        *track = list[first].track;
    if (*track == GT_STORE_NONE && !rows_add_lane(tracks, row, view, ordinal, kind, track))
        return false;
    return gt_tracks_append(tracks, *track, span);
}

void gt_rows_get(const struct gt_store_rows *rows, const struct gt_tracks *tracks, uint32_t ordinal,
                 struct gt_store_row *out)
{
    const struct gt_store_row_data *row = &rows->list.items[ordinal];
    out->id = row->id;
    out->ordinal = ordinal;
    out->name_text = row->name;
    out->parent = row->parent;
    out->stack = row->stack;
    out->lanes = &row->first;
    out->lane_count = 1;
    if (row->lanes != 0) {
        out->lanes = rows_list_of(&tracks->lanes.items[row->lanes - 1]);
        out->lane_count = tracks->lanes.items[row->lanes - 1].count;
    }
    if (!gt_track_extent(&tracks->list.items[row->first.track], &out->start, &out->end))
        out->start = out->end = 0;
}

bool gt_tracks_append(struct gt_tracks *tracks, uint32_t track, const struct gt_span *span)
{
    return gt_track_append(&tracks->list.items[track], &tracks->pool, span);
}

bool gt_tracks_owner(const struct gt_tracks *tracks, uint32_t track, uint32_t *view,
                     uint32_t *ordinal)
{
    if (track >= tracks->list.count)
        return false;
    *view = tracks->owners.items[track] >> OWNER_BITS;
    *ordinal = tracks->owners.items[track] % OWNERS_MAX;
    return true;
}
