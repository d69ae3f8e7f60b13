/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_HYBRID_H
#define GT_PARQUET_HYBRID_H

#include "parquet/bytes.h"

/* Parquet's hybrid of run lengths and packed bits, for levels and for indexes of dictionaries. */

/* Appends numbers of `width` bits, from 1 to 32. */
void gt_hybrid_put(struct gt_pq_bytes *out, const uint32_t *numbers, size_t count, unsigned width);

/* Appends a number of `width` bits `count` times. */
void gt_hybrid_run_put(struct gt_pq_bytes *out, uint32_t number, size_t count, unsigned width);

/* Appends numbers of one bit, which are packed already. The bits behind the last one are zeros. */
void gt_hybrid_bits_put(struct gt_pq_bytes *out, const uint8_t *bits, size_t count);

#endif
