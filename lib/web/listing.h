/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_LISTING_H
#define GT_WEB_LISTING_H

/*
 * Which rows of a view are shown and in which order. There can be millions of them, so
 * that a listing is made once and kept while one scrolls through it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "store/store.h"
#include "web/names.h"

enum listing_sort {
    /* After the classes, which are sorts as well: by the time that a row was in one. */
    SORT_START = STORE_CLASSES,
    SORT_ID,
    SORT_NAME,
    SORT_DURATION,
    SORT_WAITING,
    /* Each row after the one that made it, depth first. */
    SORT_PARENT,
    LISTING_SORTS
};

enum {
    LISTING_FILTER_MAX = 256
};

/* What is asked for. Made by listing_order_init, so that equal ones have equal bytes. */
struct listing_order {
    uint32_t view;
    uint32_t sort;
    bool descending;
    /* Rows of one name after each other, with a header before them. */
    bool grouped;
    /* Without rows where nothing happens from `start` to `end`. */
    bool hide_idle;
    int64_t start, end;
    size_t filter_size;
    /* In lower case. */
    char filter[LISTING_FILTER_MAX];
};

struct listing_group {
    /* Where its header is; its members follow. */
    size_t position;
    uint32_t members;
    /* Of listing.names. */
    uint32_t name;
    /* Of all members. */
    int64_t duration;
    int64_t time[STORE_CLASSES];
};

/* Ordinals of rows. */
struct listing {
    uint32_t *rows;
    size_t row_count;
    /* Of each row, where the sort is SORT_PARENT; else NULL. */
    uint16_t *depths;
    struct listing_group *groups;
    size_t group_count;
    struct names names;
};

/* One line: a row, or the header of a group. */
struct listing_line {
    const struct listing_group *header;
    uint32_t ordinal;
    uint32_t depth;
};

void listing_order_init(struct listing_order *order, uint32_t view);
/* Longer ones are cut. */
void listing_order_filter(struct listing_order *order, gt_string filter);

/*
 * Locks the store for reading, time and again: what appears meanwhile is left out. False
 * where there is no memory.
 */
bool listing_make(struct listing *listing, struct store *store, const struct listing_order *order);
void listing_free(struct listing *listing);

/* Rows and headers. */
size_t listing_count(const struct listing *listing);
/* `position` < listing_count(). */
void listing_get(const struct listing *listing, size_t position, struct listing_line *line);
/* Where a row is; -1 where it is not. */
int64_t listing_position(const struct listing *listing, uint32_t ordinal);

#endif
