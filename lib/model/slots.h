/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_SLOTS_H
#define GT_MODEL_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/mem.h"

/*
 * Numbers the ids of a table from 1 in the order in which they are added; such a number is a slot.
 * The runtime's ids are small, so they index an array. Ids scattered over 64 bits, as a hostile
 * file may have, go to a map.
 */
struct gt_slots {
    struct gt_mem *mem;
    uint32_t *dense; /* slots by id; 0: none */
    size_t dense_size;
    size_t dense_capacity;
    struct gt_idmap sparse; /* slots of all other ids */
    uint32_t count;
    uint32_t sparse_count;
};

void gt_slots_init(struct gt_slots *slots, struct gt_mem *mem);
void gt_slots_destroy(struct gt_slots *slots);
/* Removes all ids, and keeps the memory. */
void gt_slots_clear(struct gt_slots *slots);

uint32_t gt_slots_find_sparse(const struct gt_slots *slots, uint64_t id);

/* The slot of `id`, or 0 if it has none. */
static inline uint32_t gt_slots_find(const struct gt_slots *slots, uint64_t id)
{
    if (id < slots->dense_size && slots->dense[id] != 0)
        return slots->dense[id];
    return slots->sparse_count == 0 ? 0 : gt_slots_find_sparse(slots, id);
}

/* Gives `id` the next slot, which replaces the one that it may have. */
gt_status gt_slots_add(struct gt_slots *slots, uint64_t id);

/* Assigns the next slot to something without an id. */
gt_status gt_slots_add_plain(struct gt_slots *slots);

#endif
