/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/rows.h"

#include <string.h>

void gt_rows_init(struct gt_rows *rows, struct gt_mem *mem)
{
    memset(rows, 0, sizeof(*rows));
    rows->mem = mem;
    gt_idmap_init(&rows->index, mem);
}

void gt_rows_destroy(struct gt_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        gt_mem_free(rows->mem, rows->list[i].text, rows->list[i].size);
    gt_mem_free(rows->mem, rows->list, rows->capacity * sizeof(*rows->list));
    gt_idmap_destroy(&rows->index);
}

/* The row of `id`, without a name where it is new; NULL where there is no memory. */
static struct gt_row_name *find(struct gt_rows *rows, uint64_t id)
{
    size_t at = gt_idmap_get_number(&rows->index, id);
    if (at != 0)
        return &rows->list[at - 1];
    if (gt_mem_reserve(rows->mem, &rows->list, &rows->capacity, rows->count + 1,
                       sizeof(*rows->list)) != GT_OK)
        return NULL;
    at = rows->count + 1;
    if (gt_idmap_put_number(&rows->index, id, at) != GT_OK)
        return NULL;
    rows->list[rows->count++] = (struct gt_row_name){.id = id};
    return &rows->list[at - 1];
}

gt_status gt_rows_put(struct gt_rows *rows, uint64_t id, gt_string name, int64_t place)
{
    char *text = NULL;
    if (name.size != 0) {
        text = gt_mem_alloc(rows->mem, name.size);
        if (!text)
            return gt_mem_failure(rows->mem);
        memcpy(text, name.data, name.size);
    }
    struct gt_row_name *row = find(rows, id);
    if (!row) {
        gt_status status = gt_mem_failure(rows->mem);
        gt_mem_free(rows->mem, text, name.size);
        return status;
    }
    gt_mem_free(rows->mem, row->text, row->size);
    row->text = text;
    row->size = name.size;
    row->place = place;
    return GT_OK;
}

static void sift(struct gt_row_name *list, size_t i, size_t count)
{
    struct gt_row_name moved = list[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count)
            break;
        if (child + 1 < count && list[child + 1].id > list[child].id)
            child++;
        if (list[child].id <= moved.id)
            break;
        list[i] = list[child];
        i = child;
    }
    list[i] = moved;
}

/* Heapsort, as qsort promises nothing of time and memory. */
void gt_rows_sort(struct gt_rows *rows)
{
    struct gt_row_name *list = rows->list;
    for (size_t i = rows->count / 2; i > 0; i--)
        sift(list, i - 1, rows->count);
    for (size_t end = rows->count; end > 1; end--) {
        struct gt_row_name last = list[end - 1];
        list[end - 1] = list[0];
        list[0] = last;
        sift(list, 0, end - 1);
    }
}
