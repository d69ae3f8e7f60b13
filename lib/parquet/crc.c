/* SPDX-License-Identifier: BSD-3-Clause */
#include "parquet/crc.h"

/* The polynomial with its bits in reverse order. */
#define CRC_POLYNOMIAL UINT32_C(0xedb88320)

void gt_crc_init(struct gt_crc *crc)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (value & 1 ? CRC_POLYNOMIAL : 0);
        crc->table[0][i] = value;
    }
    for (int lane = 1; lane < GT_CRC_LANES; lane++) {
        for (int i = 0; i < 256; i++) {
            uint32_t before = crc->table[lane - 1][i];
            crc->table[lane][i] = before >> 8 ^ crc->table[0][before & 0xff];
        }
    }
}

uint32_t gt_crc(const struct gt_crc *crc, const uint8_t *data, size_t size)
{
    uint32_t value = UINT32_MAX;
    for (; size >= GT_CRC_LANES; size -= GT_CRC_LANES, data += GT_CRC_LANES) {
        uint32_t next = 0;
        for (int i = 0; i < GT_CRC_LANES; i++) {
            uint8_t byte = i < 4 ? (uint8_t) (value >> 8 * i) : 0;
            next ^= crc->table[GT_CRC_LANES - 1 - i][data[i] ^ byte];
        }
        value = next;
    }
    for (; size > 0; size--, data++)
        value = value >> 8 ^ crc->table[0][(value ^ *data) & 0xff];
    return ~value;
}
