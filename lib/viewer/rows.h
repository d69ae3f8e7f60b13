/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_ROWS_H
#define GT_VIEWER_ROWS_H

#include <stdint.h>

#include <gotrace/types.h>

#include "base/array.h"
#include "base/idmap.h"

struct gt_named_row {
    uint64_t id;
    int64_t place;
    char *name; /* NULL if it is empty */
    size_t name_size;
};

/* The rows of one section that have a name. */
struct gt_rows {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_named_row) list;
    struct gt_idmap index; /* from ids to indexes in the list, plus 1 */
};

void gt_rows_init(struct gt_rows *rows, struct gt_mem *mem);
void gt_rows_destroy(struct gt_rows *rows);

/* Gives a row a name and a place, which replace earlier ones. The name is copied. */
gt_status gt_rows_put(struct gt_rows *rows, uint64_t id, gt_string name, int64_t place);

/* Sorts the list by id. gt_rows_put must not be called afterwards. */
void gt_rows_sort(struct gt_rows *rows);

#endif
