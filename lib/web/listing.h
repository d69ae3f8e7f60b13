/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_LISTING_H
#define GT_WEB_LISTING_H

/*
 * A listing says which rows of a view are shown, and in which order. There can be millions of rows,
 * so a listing is made once and kept while the user scrolls through it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "store/store.h"
#include "web/names.h"
#include "web/tasktree.h"

enum gt_listing_sort {
    /* The classes come first: a value below GT_STORE_CLASSES sorts by the time in that class. */
    GT_SORT_START = GT_STORE_CLASSES,
    GT_SORT_ID,
    GT_SORT_NAME,
    GT_SORT_DURATION,
    GT_SORT_WAITING,
    /* Each row follows its parent, depth first. */
    GT_SORT_PARENT,
    GT_LISTING_SORTS
};

enum {
    /* In bytes. */
    GT_LISTING_FILTER_MAX = 256
};

/*
 * Which rows are wanted, and in which order. gt_listing_order_init clears the padding as well, so
 * that equal orders have equal bytes.
 */
struct gt_listing_order {
    /* An enum gt_store_view, and a class or an enum gt_listing_sort. */
    uint32_t view;
    uint32_t sort;
    bool descending;
    /* Rows with the same name are put together, with a header before them. */
    bool grouped;
    /* The rows are those of the tree of `task`, of several views; the order is that of the tree. */
    bool has_task;
    uint64_t task;
    /* Leave out rows in which nothing happens from `start` to `end`, in nanoseconds. */
    bool hide_idle;
    int64_t start, end;
    size_t filter_size;
    /*
     * The filter, in lower case. One that is an id selects the row with that id; any other one
     * selects the rows whose title or label contains it. In the tree of a task no filter is an id,
     * and the tasks above the selected rows are listed as well.
     */
    char filter[GT_LISTING_FILTER_MAX];
};

struct gt_listing_group {
    /* The line of its header. The lines of its members follow. */
    size_t position;
    uint32_t members;
    /* The number of its name in gt_listing.names. */
    uint32_t name;
    /* The sums over all members, in nanoseconds. */
    int64_t duration;
    int64_t time[GT_STORE_CLASSES];
};

/* The rows that are listed. */
struct gt_listing {
    struct gt_mem *mem;
    uint32_t view;
    /* The ordinals of the rows, in their order. */
    uint32_t *rows;
    size_t row_count;
    /*
     * The depth of each row in the tree, if the sort is GT_SORT_PARENT without groups; otherwise
     * NULL.
     */
    uint16_t *depths;
    /* If the order has a task, its tree. The other members are not used then. */
    bool has_tree;
    struct gt_tasktree tree;
    struct gt_listing_group *groups;
    size_t group_count, group_capacity;
    struct gt_web_names names;
};

/*
 * One line: a row, or the header of a group, in which case `ordinal` is GT_STORE_NONE. `header` is
 * NULL for a row.
 */
struct gt_listing_line {
    const struct gt_listing_group *header;
    /* An enum gt_store_view. */
    uint32_t view;
    uint32_t ordinal;
    uint32_t depth;
    /* The line of the tree of a task, otherwise NULL. */
    const struct gt_tasktree_line *branch;
};

/* Sets the default order of a view: by id for procs and threads, otherwise by start. */
void gt_listing_order_init(struct gt_listing_order *order, uint32_t view);
/* Sets the filter, which is cut to GT_LISTING_FILTER_MAX bytes. */
void gt_listing_order_filter(struct gt_listing_order *order, gt_string filter);

/*
 * Makes `*listing`, to be freed with gt_listing_free. Locks the store for reading repeatedly; rows
 * that are added meanwhile are left out. `maker` is needed for the tree of a task only. Returns
 * false if there is not enough memory; nothing needs to be freed then.
 */
bool gt_listing_make(struct gt_listing *listing, struct gt_mem *mem, struct gt_store *store,
                     const struct gt_tasktree_maker *maker, const struct gt_listing_order *order);
void gt_listing_free(struct gt_listing *listing);

/* Returns the number of lines: rows and headers. */
size_t gt_listing_count(const struct gt_listing *listing);
/*
 * Sets `*line` to the line at `position`, which must be less than gt_listing_count().
 * `line->header` is valid as long as the listing.
 */
void gt_listing_get(const struct gt_listing *listing, size_t position,
                    struct gt_listing_line *line);
/* Returns the title of a group, which is not empty. It is valid as long as the listing. */
gt_string gt_listing_title(const struct gt_listing *listing, const struct gt_listing_group *group);
/* Returns the number of groups whose headers are at `position` or before. */
size_t gt_listing_headers_until(const struct gt_listing *listing, size_t position);
/* Returns the position of the line of a row, or -1 if the row is not listed. In the tree of a task,
 * a goroutine may have several lines, of which this is the first. */
int64_t gt_listing_position(const struct gt_listing *listing, uint32_t view, uint32_t ordinal);

#endif
