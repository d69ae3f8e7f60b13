/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_BATCH_H
#define GT_V2_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "source/source.h"

/* A batch in the input. */
struct gt_v2_batch {
    uint64_t offset; /* the offset of its first byte */
    uint64_t data_offset;
    const uint8_t *data;
    uint8_t first; /* the first byte of the data, which tells its kind; GT_WIRE_NONE: no data */
    uint64_t generation;
    uint64_t thread;
    uint64_t time;
    uint32_t size;
    uint8_t experiment;
    bool end_of_generation; /* it is the end marker, byte 52; no other member is set */
};

/*
 * Reads the next batch without advancing the source: see gt_v2_batch_take. Returns GT_END at the
 * end of the input. An error is set with its place, and with the generation if that was read. If
 * the batch is cut off, `*batch` contains the part that is left; after other errors batch->data is
 * NULL.
 */
gt_status gt_v2_batch_peek(struct gt_source *source, struct gt_v2_batch *batch);

/* Sets `*is` to whether the batch after this one belongs to the same generation. */
gt_status gt_v2_batch_is_followed(struct gt_source *source, struct gt_v2_batch *batch, bool *is);

/*
 * Advances the source by at least one byte, to something that looks like a batch of the generation
 * or the next one, or to the end of the input. Generation 0 stands for any. Adds the number of
 * bytes to `*skipped`, which must be 0 at first. After GT_AGAIN, another call with the same
 * `*skipped` continues.
 */
gt_status gt_v2_batch_find(struct gt_source *source, uint32_t version, uint64_t generation,
                           uint64_t *skipped);

/* Advances the source to the end of the batch. */
void gt_v2_batch_take(struct gt_source *source, const struct gt_v2_batch *batch);

#endif
