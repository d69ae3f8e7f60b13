/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_APART_H
#define GT_V2_APART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/source.h"
#include "source/watch.h"
#include "v2/record.h"
#include "v2/v2.h"

/* Where a generation lies in a source whose bytes keep their address. */
struct gt_v2_extent {
    const uint8_t *start;
    const uint8_t *end;
    uint64_t number;
};

/*
 * Finds the generation that starts at extent->start, which must be in the window of `source`, by
 * the headers of its batches. `after` is the number of the generation before it, or 0. Returns
 * false if there is none, or if anything about its framing is unusual.
 */
bool gt_v2_extent_find(const struct gt_source *source, uint32_t version, uint64_t after,
                       struct gt_v2_extent *extent);

/*
 * The reading of one generation without the state before it: as if the trace began with it. What
 * that leaves open about its events is completed later; see v2/seam.h. Any fault, and anything
 * else that the state before might explain, ends the reading as a failure.
 */
struct gt_v2_apart {
    struct gt_v2 v2;
    struct gt_source source;
    struct gt_watch watch;
    gt_error error;
    struct gt_events events; /* the event that is packed next */
    bool failed;
};

/* `whole` is the source of the trace, of which the reading makes a copy. */
void gt_v2_apart_init(struct gt_v2_apart *apart, struct gt_mem *mem, const struct gt_source *whole,
                      const struct gt_v2_extent *extent, uint32_t version);
void gt_v2_apart_destroy(struct gt_v2_apart *apart);

/* Reads the generation up to its first event. Returns false on failure. */
bool gt_v2_apart_read(struct gt_v2_apart *apart);

/*
 * Fills an empty block with the next records. Returns false if there are no more: either all
 * events were packed, or apart->failed is set.
 */
bool gt_v2_apart_fill(struct gt_v2_apart *apart, struct gt_v2_block *block);

#endif
