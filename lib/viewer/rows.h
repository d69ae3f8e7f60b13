/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_ROWS_H
#define GT_VIEWER_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/idmap.h"
#include "base/mem.h"

struct gt_row_name {
    uint64_t id;
    int64_t place;
    char *text; /* NULL where it is empty */
    size_t size;
};

/* The rows of one section that have a name. */
struct gt_rows {
    struct gt_mem *mem;
    struct gt_row_name *list;
    size_t count;
    size_t capacity;
    struct gt_idmap index; /* from ids to positions in the list, counted from 1 */
};

void gt_rows_init(struct gt_rows *rows, struct gt_mem *mem);
void gt_rows_destroy(struct gt_rows *rows);

/* Names a row, or names it anew. The name is copied. */
gt_status gt_rows_put(struct gt_rows *rows, uint64_t id, gt_string name, int64_t place);

/* Sorts the list by id. Nothing can be put after that. */
void gt_rows_sort(struct gt_rows *rows);

#endif
