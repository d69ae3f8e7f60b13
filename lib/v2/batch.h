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
    bool is_padded;         /* its size is written in ten bytes, as the runtime writes it */
    bool end_of_generation; /* it is the end marker, byte 52; no other member is set */
};

/*
 * Reads the next batch without advancing the source: see gt_v2_batch_take. Returns GT_END at the
 * end of the input. An error is set with its place, and with the generation if that was read. If
 * the batch is cut off, `*batch` contains the part that is left; after other errors batch->data is
 * NULL.
 */
gt_status gt_v2_batch_peek(struct gt_source *source, struct gt_v2_batch *batch);

/* Whether a batch may begin with this byte. */
bool gt_v2_batch_may_start(uint8_t byte);

/*
 * Looks for the header of a batch `at` bytes ahead, of which only the data may be missing. Sets
 * `*end` to the distance of the end of the batch, or to 0 if there is no such header, and all
 * members of `*batch` but the place of its data, with its first byte if that is there. Returns
 * GT_AGAIN if bytes are not available yet.
 */
gt_status gt_v2_batch_look(struct gt_source *source, size_t at, struct gt_v2_batch *batch,
                           size_t *end);

/* Advances the source to the end of the batch. */
void gt_v2_batch_take(struct gt_source *source, const struct gt_v2_batch *batch);

#endif
