/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_IDS_H
#define GT_STORE_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gt_ids_block;
struct gt_ids_slot;

/*
 * Ordinals by numbers. Numbers that are near to each other lie near to each other, as Go
 * hands them out in sequence, and who runs at the same time was made at about the same time.
 */
struct gt_ids {
    struct gt_ids_block *blocks;
    size_t block_count, block_room;
    /* Where the blocks are, open addressing. A power of two, or 0. */
    struct gt_ids_slot *slots;
    size_t slot_count;
    uint64_t secret;
};

void gt_ids_init(struct gt_ids *ids);
void gt_ids_destroy(struct gt_ids *ids);

/* GT_STORE_NONE where there is none. */
uint32_t gt_ids_find(const struct gt_ids *ids, int64_t id);
/* `id` must be new. False: out of memory. */
bool gt_ids_put(struct gt_ids *ids, int64_t id, uint32_t ordinal);
size_t gt_ids_memory(const struct gt_ids *ids);

#endif
