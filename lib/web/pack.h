/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_PACK_H
#define GT_WEB_PACK_H

/*
 * A compact sequence of records, as there can be millions of them: numbers have a variable
 * length. Records do not describe themselves: the reader must know what was written, and in which
 * order.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/mem.h"

/* To initialise a pack, set `mem`, and all other bytes to 0. */
struct gt_pack {
    struct gt_mem *mem;
    unsigned char *data;
    size_t size, capacity;
    /* Memory ran out. What was added from then on is missing. */
    bool failed;
};

void gt_pack_unsigned(struct gt_pack *pack, uint64_t value);
void gt_pack_signed(struct gt_pack *pack, int64_t value);
void gt_pack_bytes(struct gt_pack *pack, gt_string bytes);
/* Appends bytes without their length, for data that is not read as records. */
void gt_pack_raw(struct gt_pack *pack, const void *data, size_t size);
/* Appends `size` bytes for the caller to fill in. Returns NULL if memory runs out. */
unsigned char *gt_pack_add(struct gt_pack *pack, size_t size);

/* Frees the memory that was allocated in advance for further records. */
void gt_pack_trim(struct gt_pack *pack);
void gt_pack_free(struct gt_pack *pack);

/* A position in a pack. Each function below reads one item there and moves `at` to the next one. */
struct gt_unpack {
    const struct gt_pack *pack;
    size_t at;
};

static inline bool gt_unpack_is_end(const struct gt_unpack *unpack)
{
    return unpack->at >= unpack->pack->size;
}

uint64_t gt_unpack_unsigned(struct gt_unpack *unpack);
int64_t gt_unpack_signed(struct gt_unpack *unpack);
/* Returns a string inside the pack. It is valid until something is added to the pack. */
gt_string gt_unpack_bytes(struct gt_unpack *unpack);

#endif
