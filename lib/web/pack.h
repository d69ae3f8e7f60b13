/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_PACK_H
#define GT_WEB_PACK_H

/*
 * Records one after the other in few bytes, as there can be millions of them: numbers take
 * as many bytes as they need. Who reads knows what was written, and in which order.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

/* Starts as all zeros. */
struct pack {
    unsigned char *data;
    size_t size, capacity;
    /* Memory ran out: what was to be added since is not there. */
    bool failed;
};

void pack_unsigned(struct pack *pack, uint64_t value);
void pack_signed(struct pack *pack, int64_t value);
void pack_bytes(struct pack *pack, gt_string bytes);
/* Bytes alone, for what is no record: it does not say how many there are. */
void pack_raw(struct pack *pack, const void *data, size_t size);

/* Gives back the room that was kept for more. */
void pack_trim(struct pack *pack);
void pack_free(struct pack *pack);

/* A place in a pack; what is read is behind it then. */
struct unpack {
    const struct pack *pack;
    size_t at;
};

static inline bool unpack_is_end(const struct unpack *unpack)
{
    return unpack->at >= unpack->pack->size;
}

uint64_t unpack_unsigned(struct unpack *unpack);
int64_t unpack_signed(struct unpack *unpack);
/* Good until something is added to the pack. */
gt_string unpack_bytes(struct unpack *unpack);

#endif
