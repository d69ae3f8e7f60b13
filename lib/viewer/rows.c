/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/rows.h"

#include <string.h>

#include "base/sort.h"

void gt_rows_init(struct gt_rows *rows, struct gt_mem *mem)
{
    memset(rows, 0, sizeof(*rows));
    rows->mem = mem;
    gt_idmap_init(&rows->index, mem);
}

void gt_rows_destroy(struct gt_rows *rows)
{
    for (size_t i = 0; i < rows->list.count; i++)
        gt_mem_free(rows->mem, rows->list.items[i].name, rows->list.items[i].name_size);
    gt_array_free(rows->mem, &rows->list);
    gt_idmap_destroy(&rows->index);
}

/* Returns the row, which is added without a name if it is new. NULL: see gt_mem_failure. */
static struct gt_named_row *named_row_make(struct gt_rows *rows, uint64_t id)
{
    size_t index_plus_1 = gt_idmap_get_number(&rows->index, id);
    if (index_plus_1 != 0)
        return &rows->list.items[index_plus_1 - 1];
    if (gt_array_reserve(rows->mem, &rows->list, 1) != GT_OK ||
        gt_idmap_put_number(&rows->index, id, rows->list.count + 1) != GT_OK)
        return NULL;
    struct gt_named_row *row = &rows->list.items[rows->list.count++];
    *row = (struct gt_named_row){.id = id};
    return row;
}

gt_status gt_rows_put(struct gt_rows *rows, uint64_t id, gt_string name, int64_t place)
{
    char *copy = NULL;
    if (name.size != 0) {
        copy = gt_mem_alloc(rows->mem, name.size);
        if (!copy)
            return gt_mem_failure(rows->mem);
        memcpy(copy, name.data, name.size);
    }
    struct gt_named_row *row = named_row_make(rows, id);
    if (!row) {
        gt_status status = gt_mem_failure(rows->mem);
        gt_mem_free(rows->mem, copy, name.size);
        return status;
    }
    gt_mem_free(rows->mem, row->name, row->name_size);
    row->name = copy;
    row->name_size = name.size;
    row->place = place;
    return GT_OK;
}

static bool row_before(const void *a, const void *b, void *context)
{
    (void) context;
    return ((const struct gt_named_row *) a)->id < ((const struct gt_named_row *) b)->id;
}

void gt_rows_sort(struct gt_rows *rows)
{
    gt_sort(rows->list.items, rows->list.count, sizeof(*rows->list.items), row_before, NULL);
}
