/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_HYBRID_H
#define GT_PARQUET_HYBRID_H

#include "parquet/bytes.h"

/*
 * Appends numbers of `width` bits, from 1 to 32, in Parquet's hybrid of run lengths and packed
 * bits: levels, and indexes into dictionaries.
 */
void gt_hybrid_put(struct gt_pq_bytes *out, const uint32_t *numbers, size_t count, unsigned width);

#endif
