/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_BUFFERS_H
#define GT_V2_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "source/source.h"

/*
 * Buffers for the batches of events that the merge has reached, one for each thread, into which
 * they are read from a mapped file. A thread's next batch takes the place of the last one, so that
 * the pages of the mapping are never touched: see gt_source_reread. A thread without a buffer has
 * its batches in the mapping.
 */
enum {
    GT_V2_MOST_BUFFERS = 64
};

struct gt_v2_buffers {
    uint8_t *list[GT_V2_MOST_BUFFERS]; /* first those that are spare, then those in use */
    unsigned spare;
    unsigned made; /* the number of all */
};

void gt_v2_buffers_destroy(struct gt_v2_buffers *buffers, struct gt_mem *mem);

/* Takes back all buffers. */
static inline void gt_v2_buffers_reset(struct gt_v2_buffers *buffers)
{
    buffers->spare = buffers->made;
}

/* Returns a buffer for a batch, or NULL if the source needs none or there are no more. */
uint8_t *gt_v2_buffers_take(struct gt_v2_buffers *buffers, struct gt_mem *mem,
                            const struct gt_source *source);

/* Takes a buffer back, unless `batch`, where a batch was, is not one of them. */
void gt_v2_buffers_give(struct gt_v2_buffers *buffers, const uint8_t *batch);

#endif
