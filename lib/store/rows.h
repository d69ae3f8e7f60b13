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
struct rows_lanes {
    /* How many there are, and how many of regions. */
    uint32_t count, regions;

    /* Most have two. */
    union {
        struct store_lane two[2];
        struct store_lane *more;
    };
};

struct row {
    int64_t id;
    /* Texts. */
    uint32_t name, label;
    /* The creator's ordinal, or STORE_NONE. */
    uint32_t parent;
    uint32_t stack;
    struct store_lane first;
    /* In rows.lanes, from 1 on; 0 where `first` is all. */
    uint32_t lanes;
    bool is_collector;
};

/* The rows of a view. */
struct rows {
    struct row *list;
    size_t count, room;
    struct ids ids;
};

struct tracks {
    struct track *list;
    /* The view in the upper two bits, and the ordinal. */
    uint32_t *owners;
    /* Of goroutines' tracks: the masks of the uses that they have spans of. */
    uint32_t *uses;
    size_t count, room, owner_room, use_room;
    /* Of all rows. */
    struct rows_lanes *lanes;
    size_t lanes_count, lanes_room;
    /* What tracks have in memory. */
    struct pool pool;
};

void rows_destroy(struct rows *rows);
void tracks_destroy(struct tracks *tracks);

/* The row of `id`, made with its first lane where it is new. False: out of memory. */
bool rows_make(struct rows *rows, struct tracks *tracks, uint32_t view, int64_t id,
               uint32_t *ordinal);

/*
 * Appends a span that begins before others end that were appended before, if it encloses
 * them: to the innermost lane of its kind where it has room, or to a new one outside all.
 * Spans come in the order of their ends. Sets `*track` to which it was. False: out of memory.
 */
bool rows_nest(struct rows *rows, struct tracks *tracks, uint32_t view, uint32_t ordinal,
               uint32_t kind, const struct span *span, uint32_t *track);

/* All but `view`, texts and `time`. */
void rows_get(const struct rows *rows, const struct tracks *tracks, uint32_t ordinal,
              struct store_row *out);
/* Appends to a track. False: out of memory. */
bool tracks_append(struct tracks *tracks, uint32_t track, const struct span *span);
bool tracks_owner(const struct tracks *tracks, uint32_t track, uint32_t *view, uint32_t *ordinal);

size_t rows_memory(const struct rows *rows);
size_t tracks_memory(const struct tracks *tracks);

#endif
