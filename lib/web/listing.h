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

enum gt_listing_sort {
    /* After the classes, which are sorts as well: by the time that a row was in one. */
    GT_SORT_START = GT_STORE_CLASSES,
    GT_SORT_ID,
    GT_SORT_NAME,
    GT_SORT_DURATION,
    GT_SORT_WAITING,
    /* Each row after the one that made it, depth first. */
    GT_SORT_PARENT,
    GT_LISTING_SORTS
};

enum {
    GT_LISTING_FILTER_MAX = 256
};

/* What is asked for. Made by gt_listing_order_init, so that equal ones have equal bytes. */
struct gt_listing_order {
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
    char filter[GT_LISTING_FILTER_MAX];
};

struct gt_listing_group {
    /* Where its header is; its members follow. */
    size_t position;
    uint32_t members;
    /* Of listing.names. */
    uint32_t name;
    /* Of all members. */
    int64_t duration;
    int64_t time[GT_STORE_CLASSES];
};

/* Ordinals of rows. */
struct gt_listing {
    uint32_t *rows;
    size_t row_count;
    /* Of each row, where the sort is GT_SORT_PARENT; else NULL. */
    uint16_t *depths;
    struct gt_listing_group *groups;
    size_t group_count;
    struct gt_web_names names;
};

/* One line: a row, or the header of a group. */
struct gt_listing_line {
    const struct gt_listing_group *header;
    uint32_t ordinal;
    uint32_t depth;
};

void gt_listing_order_init(struct gt_listing_order *order, uint32_t view);
/* Longer ones are cut. */
void gt_listing_order_filter(struct gt_listing_order *order, gt_string filter);

/*
 * Locks the store for reading, time and again: what appears meanwhile is left out. False
 * where there is no memory.
 */
bool gt_listing_make(struct gt_listing *listing, struct gt_store *store,
                     const struct gt_listing_order *order);
void gt_listing_free(struct gt_listing *listing);

/* Rows and headers. */
size_t gt_listing_count(const struct gt_listing *listing);
/* `position` < gt_listing_count(). */
void gt_listing_get(const struct gt_listing *listing, size_t position,
                    struct gt_listing_line *line);
/* Where a row is; -1 where it is not. */
int64_t gt_listing_position(const struct gt_listing *listing, uint32_t ordinal);

#endif
