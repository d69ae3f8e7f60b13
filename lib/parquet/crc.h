/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_CRC_H
#define GT_PARQUET_CRC_H

#include <stddef.h>
#include <stdint.h>

enum {
    GT_CRC_LANES = 8
};

/* Tables for a CRC-32 of eight bytes at a time. */
struct gt_crc {
    uint32_t table[GT_CRC_LANES][256];
};

void gt_crc_init(struct gt_crc *crc);

/* The CRC-32 of gzip, whose polynomial is 0x04c11db7. */
uint32_t gt_crc(const struct gt_crc *crc, const uint8_t *data, size_t size);

#endif
