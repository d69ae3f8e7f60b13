/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_ROWS_H
#define GT_STORE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/idmap.h"
#include "store/pool.h"
#include "store/store.h"

/* The lanes of a row that has several: its first lane, then the lanes of regions, then those of
 * ranges. */
struct gt_rows_lanes {
    /* The number of all lanes, and the number of lanes of regions. */
    uint32_t count, regions;

    /* Most rows in this list have two lanes, for which no memory is allocated. */
    union {
        struct gt_store_lane two[2];
        struct gt_store_lane *more;
    };
};

struct gt_store_row_data {
    int64_t id;
    uint32_t name; /* the id of a text */
    /* The ordinal of the creator, or GT_STORE_NONE. */
    uint32_t parent;
    uint32_t stack;
    struct gt_store_lane first;
    /* The index in gt_tracks.lanes, plus 1; 0 if `first` is the only lane. */
    uint32_t lanes : 31;
    uint32_t is_collector : 1;
};

/* The rows of a view. */
struct gt_store_rows {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_store_row_data) list;
    struct gt_idmap ids; /* from numbers to ordinals, plus 1 */
    /* From ordinals to ids of texts. Few rows have a label. */
    struct gt_idmap labels;
};

/* The tracks of all rows. An object of zeros is empty, but `mem` and `pool.mem` must be set. */
struct gt_tracks {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_track) list;
    /* The row of each track: the view in the upper two bits, the ordinal below. */
    GT_ARRAY(uint32_t) owners;
    /* For each track of a goroutine, the union of the masks of the uses of its spans; else 0. */
    GT_ARRAY(uint32_t) uses;
    /* The lanes of all rows that have several. */
    GT_ARRAY(struct gt_rows_lanes) lanes;
    /* Holds the chunks of all tracks. */
    struct gt_store_pool pool;
};

void gt_store_rows_init(struct gt_store_rows *rows, struct gt_mem *mem);
void gt_store_rows_destroy(struct gt_store_rows *rows);
void gt_tracks_destroy(struct gt_tracks *tracks);

/* The ordinal of the row of `id`, or GT_STORE_NONE. */
uint32_t gt_rows_find(const struct gt_store_rows *rows, int64_t id);
/* Finds the row of `id`; makes it with its first lane if it is new. False: out of memory. */
bool gt_rows_make(struct gt_store_rows *rows, struct gt_tracks *tracks, uint32_t view, int64_t id,
                  uint32_t *ordinal);

/* The id of the text of a row's label, 0 for none. Setting it returns false if memory runs out. */
uint32_t gt_rows_label(const struct gt_store_rows *rows, uint32_t ordinal);
bool gt_rows_set_label(struct gt_store_rows *rows, uint32_t ordinal, uint32_t label);

/*
 * Appends a span that may enclose spans that were appended before. Spans must come in the order of
 * their ends. The span is appended to the innermost lane of its kind whose last span ends before it
 * starts, or to a new lane outside all of that kind. Sets `*track` to the lane's track. False: out
 * of memory.
 */
bool gt_rows_nest(struct gt_store_rows *rows, struct gt_tracks *tracks, uint32_t view,
                  uint32_t ordinal, uint32_t kind, const struct gt_span *span, uint32_t *track);

/* Sets all members of `*out` except `view`, the texts and `time`. */
void gt_rows_get(const struct gt_store_rows *rows, const struct gt_tracks *tracks, uint32_t ordinal,
                 struct gt_store_row *out);
/* Appends a span to a track. False: out of memory. */
bool gt_tracks_append(struct gt_tracks *tracks, uint32_t track, const struct gt_span *span);
/* The row of a track; false if there is no such track. */
bool gt_tracks_owner(const struct gt_tracks *tracks, uint32_t track, uint32_t *view,
                     uint32_t *ordinal);

#endif
