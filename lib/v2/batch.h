/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_BATCH_H
#define GT_V2_BATCH_H

#include <stdint.h>

#include <gotrace/status.h>

#include "source/source.h"

/* A batch as it lies in the input. */
struct gt_v2_batch {
    uint64_t offset; /* of its first byte */
    uint64_t data_offset;
    const uint8_t *data;
    uint64_t generation;
    uint64_t thread;
    uint64_t time;
    uint32_t size;
    uint8_t experiment;
    uint8_t end_of_generation; /* the lone byte 52: nothing else is set */
};

/*
 * Reads the next batch, but does not take it: see gt_v2_batch_take. GT_END where
 * the input is over. An error has its place, and `generation` as far as it was read; of a
 * batch that is cut off, what is there of it is in `*batch`, else batch->data is NULL.
 */
gt_status gt_v2_batch_peek(struct gt_source *source, struct gt_v2_batch *batch);

/* Whether the batch that is next is followed by one of the same generation. */
gt_status gt_v2_batch_is_followed(struct gt_source *source, struct gt_v2_batch *batch, int *is);

/*
 * Moves the source on, by a byte at least, to what looks like a batch of the generation, or
 * the one after it, or to the end; `*skipped` is how far. Generation 0 stands for any.
 */
gt_status gt_v2_batch_find(struct gt_source *source, uint32_t version, uint64_t generation,
                           uint64_t *skipped);

/* Moves the source behind the batch. */
void gt_v2_batch_take(struct gt_source *source, const struct gt_v2_batch *batch);

#endif
