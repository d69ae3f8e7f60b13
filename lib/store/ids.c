/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/ids.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/hash.h"
#include "store/span.h"

enum {
    /* A block is as large as a line of most caches. */
    BLOCK_BITS = 4,
    BLOCK = 1 << BLOCK_BITS,
    FIRST_SLOTS = 64
};

struct gt_ids_block {
    uint32_t ordinals[BLOCK];
};

struct gt_ids_slot {
    uint64_t key;
    /* From 1 on; 0 is free. */
    uint32_t block;
};

void gt_ids_init(struct gt_ids *ids)
{
    memset(ids, 0, sizeof(*ids));
    ids->secret = gt_store_hash_secret(ids);
}

void gt_ids_destroy(struct gt_ids *ids)
{
    free(ids->blocks);
    free(ids->slots);
    memset(ids, 0, sizeof(*ids));
}

/* The slot with the key, or the one for it. */
static struct gt_ids_slot *ids_find_slot(struct gt_ids_slot *slots, size_t count, uint64_t secret,
                                         uint64_t key)
{
    size_t mask = count - 1;
    size_t at = (size_t) gt_hash_mix(key ^ secret) & mask;
    while (slots[at].block != 0 && slots[at].key != key)
        at = (at + 1) & mask;
    return &slots[at];
}

uint32_t gt_ids_find(const struct gt_ids *ids, int64_t id)
{
    const struct gt_ids_slot *slot;
    if (ids->slot_count == 0)
        return GT_STORE_NONE;
    slot = ids_find_slot(ids->slots, ids->slot_count, ids->secret, (uint64_t) id >> BLOCK_BITS);
    if (slot->block == 0)
        return GT_STORE_NONE;
    return ids->blocks[slot->block - 1].ordinals[(uint64_t) id % BLOCK];
}

static bool ids_grow_slots(struct gt_ids *ids)
{
    size_t count = ids->slot_count == 0 ? FIRST_SLOTS : ids->slot_count * 2;
    struct gt_ids_slot *slots = gt_array_zeros(count, sizeof(*slots));
    if (!slots)
        return false;
    for (size_t i = 0; i < ids->slot_count; i++) {
        if (ids->slots[i].block != 0)
            *ids_find_slot(slots, count, ids->secret, ids->slots[i].key) = ids->slots[i];
    }
    free(ids->slots);
    ids->slots = slots;
    ids->slot_count = count;
    return true;
}

bool gt_ids_put(struct gt_ids *ids, int64_t id, uint32_t ordinal)
{
    struct gt_ids_slot *slot;
    uint64_t key = (uint64_t) id >> BLOCK_BITS;
    if (ids->block_count * 2 >= ids->slot_count && !ids_grow_slots(ids))
        return false;
    slot = ids_find_slot(ids->slots, ids->slot_count, ids->secret, key);
    if (slot->block == 0) {
        if (!gt_store_array_reserve(&ids->blocks, &ids->block_room, ids->block_count + 1,
                                    sizeof(*ids->blocks)))
            return false;
        memset(&ids->blocks[ids->block_count], 0xff, sizeof(*ids->blocks));
        slot->key = key;
        slot->block = (uint32_t) ++ids->block_count;
    }
    ids->blocks[slot->block - 1].ordinals[(uint64_t) id % BLOCK] = ordinal;
    return true;
}

size_t gt_ids_memory(const struct gt_ids *ids)
{
    return ids->block_room * sizeof(*ids->blocks) + ids->slot_count * sizeof(*ids->slots);
}
