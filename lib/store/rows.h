/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_ROWS_H
#define GT_STORE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/ids.h"
#include "store/pool.h"
#include "store/store.h"

/* The lanes of a row that has more than one. */
struct gt_rows_lanes {
    /* How many there are, and how many of regions. */
    uint32_t count, regions;

    /* Most have two. */
    union {
        struct gt_store_lane two[2];
        struct gt_store_lane *more;
    };
};

struct gt_store_row_data {
    int64_t id;
    /* Texts. */
    uint32_t name, label;
    /* The creator's ordinal, or GT_STORE_NONE. */
    uint32_t parent;
    uint32_t stack;
    struct gt_store_lane first;
    /* In rows.lanes, from 1 on; 0 where `first` is all. */
    uint32_t lanes;
    bool is_collector;
};

/* The rows of a view. */
struct gt_store_rows {
    struct gt_store_row_data *list;
    size_t count, room;
    struct gt_ids ids;
};

struct gt_tracks {
    struct gt_track *list;
    /* The view in the upper two bits, and the ordinal. */
    uint32_t *owners;
    /* Of goroutines' tracks: the masks of the uses that they have spans of. */
    uint32_t *uses;
    size_t count, room, owner_room, use_room;
    /* Of all rows. */
    struct gt_rows_lanes *lanes;
    size_t lanes_count, lanes_room;
    /* What tracks have in memory. */
    struct gt_store_pool pool;
};

void gt_store_rows_destroy(struct gt_store_rows *rows);
void gt_tracks_destroy(struct gt_tracks *tracks);

/* The row of `id`, made with its first lane where it is new. False: out of memory. */
bool gt_rows_make(struct gt_store_rows *rows, struct gt_tracks *tracks, uint32_t view, int64_t id,
                  uint32_t *ordinal);

/*
 * Appends a span that begins before others end that were appended before, if it encloses
 * them: to the innermost lane of its kind where it has room, or to a new one outside all.
 * Spans come in the order of their ends. Sets `*track` to which it was. False: out of memory.
 */
bool gt_rows_nest(struct gt_store_rows *rows, struct gt_tracks *tracks, uint32_t view,
                  uint32_t ordinal, uint32_t kind, const struct gt_span *span, uint32_t *track);

/* All but `view`, texts and `time`. */
void gt_rows_get(const struct gt_store_rows *rows, const struct gt_tracks *tracks, uint32_t ordinal,
                 struct gt_store_row *out);
/* Appends to a track. False: out of memory. */
bool gt_tracks_append(struct gt_tracks *tracks, uint32_t track, const struct gt_span *span);
bool gt_tracks_owner(const struct gt_tracks *tracks, uint32_t track, uint32_t *view,
                     uint32_t *ordinal);

size_t gt_rows_memory(const struct gt_store_rows *rows);
size_t gt_tracks_memory(const struct gt_tracks *tracks);

#endif
