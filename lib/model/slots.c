/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/slots.h"

#include <string.h>

/*
 * How much larger than the number of ids an id may be to index the array. The runtime writes a
 * table in the order of its hash table, so the first ids need not be small. This bounds the memory
 * that a hostile file can make the array take.
 */
enum {
    DENSE_HEAD_START = 1 << 16,
    DENSE_FACTOR = 4,
    MAX_SLOTS = INT32_MAX
};

void gt_slots_init(struct gt_slots *slots, struct gt_mem *mem)
{
    memset(slots, 0, sizeof(*slots));
    slots->mem = mem;
    gt_idmap_init(&slots->sparse, mem);
}

void gt_slots_destroy(struct gt_slots *slots)
{
    gt_mem_free(slots->mem, slots->dense, slots->dense_capacity * sizeof(*slots->dense));
    gt_idmap_destroy(&slots->sparse);
    gt_slots_init(slots, slots->mem);
}

void gt_slots_clear(struct gt_slots *slots)
{
    slots->dense_size = 0;
    slots->count = 0;
    if (slots->sparse_count != 0)
        gt_idmap_destroy(&slots->sparse);
    slots->sparse_count = 0;
}

uint32_t gt_slots_find_sparse(const struct gt_slots *slots, uint64_t id)
{
    return (uint32_t) gt_idmap_get_number(&slots->sparse, id);
}

static gt_status slots_add_sparse(struct gt_slots *slots, uint64_t id)
{
    gt_status status = gt_idmap_put_number(&slots->sparse, id, (size_t) slots->count + 1);
    if (status == GT_OK) {
        slots->count++;
        slots->sparse_count++;
    }
    return status;
}

gt_status gt_slots_add_plain(struct gt_slots *slots)
{
    if (slots->count == MAX_SLOTS)
        return gt_mem_fail(slots->mem, GT_ERR_LIMIT);
    slots->count++;
    return GT_OK;
}

gt_status gt_slots_add(struct gt_slots *slots, uint64_t id)
{
    if (slots->count == MAX_SLOTS)
        return gt_mem_fail(slots->mem, GT_ERR_LIMIT);
    if (id >= DENSE_HEAD_START + (uint64_t) slots->count * DENSE_FACTOR)
        return slots_add_sparse(slots, id);
    if (id >= slots->dense_size) {
        gt_status status = gt_mem_reserve(slots->mem, &slots->dense, &slots->dense_capacity,
                                          (size_t) id + 1, sizeof(*slots->dense));
        if (status != GT_OK)
            return status;
        memset(slots->dense + slots->dense_size, 0,
               ((size_t) id + 1 - slots->dense_size) * sizeof(*slots->dense));
        slots->dense_size = (size_t) id + 1;
    }
    slots->dense[id] = ++slots->count;
    return GT_OK;
}
