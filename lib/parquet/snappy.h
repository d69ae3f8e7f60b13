/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_SNAPPY_H
#define GT_PARQUET_SNAPPY_H

#include "parquet/bytes.h"

enum {
    GT_SNAPPY_HASH_BITS = 14
};

/* Where in a block of 64 KiB four bytes of a hash were seen last. */
struct gt_snappy {
    uint16_t seen[1 << GT_SNAPPY_HASH_BITS];
};

/*
 * Appends the data, compressed in the format that Snappy's format_description.txt describes,
 * without framing. Less than 4 GiB can be compressed.
 */
void gt_snappy_put(struct gt_snappy *snappy, struct gt_pq_bytes *out, const uint8_t *data,
                   size_t size);

#endif
