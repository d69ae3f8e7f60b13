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
struct gt_pack {
    unsigned char *data;
    size_t size, capacity;
    /* Memory ran out: what was to be added since is not there. */
    bool failed;
};

void gt_pack_unsigned(struct gt_pack *pack, uint64_t value);
void gt_pack_signed(struct gt_pack *pack, int64_t value);
void gt_pack_bytes(struct gt_pack *pack, gt_string bytes);
/* Bytes alone, for what is no record: it does not say how many there are. */
void gt_pack_raw(struct gt_pack *pack, const void *data, size_t size);

/* Gives back the room that was kept for more. */
void gt_pack_trim(struct gt_pack *pack);
void gt_pack_free(struct gt_pack *pack);

/* A place in a pack; what is read is behind it then. */
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
/* Good until something is added to the pack. */
gt_string gt_unpack_bytes(struct gt_unpack *unpack);

#endif
