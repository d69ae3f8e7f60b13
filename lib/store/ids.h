/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_IDS_H
#define GT_STORE_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ids_block;
struct ids_slot;

/*
 * Ordinals by numbers. Numbers that are near to each other lie near to each other, as Go
 * hands them out in sequence, and who runs at the same time was made at about the same time.
 */
struct ids {
    struct ids_block *blocks;
    size_t block_count, block_room;
    /* Where the blocks are, open addressing. A power of two, or 0. */
    struct ids_slot *slots;
    size_t slot_count;
    uint64_t secret;
};

void ids_init(struct ids *ids);
void ids_destroy(struct ids *ids);

/* STORE_NONE where there is none. */
uint32_t ids_find(const struct ids *ids, int64_t id);
/* `id` must be new. False: out of memory. */
bool ids_put(struct ids *ids, int64_t id, uint32_t ordinal);
size_t ids_memory(const struct ids *ids);

#endif
