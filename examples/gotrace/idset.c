/* SPDX-License-Identifier: BSD-3-Clause */
#include "idset.h"

#include <stdlib.h>
#include <time.h>

/*
 * The ids come from the trace. With a fixed hash function somebody could make a trace whose ids all
 * collide.
 */
static uint64_t idset_make_seed(const struct idset *set)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t) now.tv_nsec * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t) (uintptr_t) set;
}

static uint64_t idset_hash(const struct idset *set, uint64_t block)
{
    uint64_t value = block ^ set->seed;
    value = (value ^ value >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 29) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 32;
}

/* Returns the slot of a block, or the free slot for it. The table must have a free slot. */
static struct idset_slot *idset_find_slot(const struct idset *set, uint64_t block)
{
    size_t mask = set->capacity - 1;
    size_t i = (size_t) idset_hash(set, block) & mask;
    while (set->slots[i].members != 0 && set->slots[i].block != block)
        i = (i + 1) & mask;
    return &set->slots[i];
}

static bool idset_grow(struct idset *set)
{
    size_t capacity = set->capacity == 0 ? 64 : 2 * set->capacity;
    struct idset_slot *slots = calloc(capacity, sizeof(*slots));
    if (!slots)
        return false;
    struct idset old = *set;
    set->slots = slots;
    set->capacity = capacity;
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.slots[i].members != 0)
            *idset_find_slot(set, old.slots[i].block) = old.slots[i];
    }
    free(old.slots);
    return true;
}

bool idset_add_new(struct idset *set, int64_t id)
{
    if (id == IDSET_NONE)
        return true;
    if (set->capacity == 0)
        set->seed = idset_make_seed(set);
    /* The table is at most half full, so that probe sequences stay short. */
    if (set->used >= set->capacity / 2 && !idset_grow(set))
        return false;
    uint64_t block = (uint64_t) id / IDSET_BLOCK;
    uint64_t member = UINT64_C(1) << (uint64_t) id % IDSET_BLOCK;
    struct idset_slot *slot = idset_find_slot(set, block);
    set->used += slot->members == 0;
    set->count += (slot->members & member) == 0;
    slot->block = block;
    slot->members |= member;
    set->recent[(uint64_t) id % IDSET_RECENT] = ~id;
    return true;
}

void idset_free(struct idset *set)
{
    free(set->slots);
    *set = (struct idset){0};
}
