/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_PARALLEL_H
#define GT_READER_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"
#include "reader/crew.h"
#include "reader/decoder.h"
#include "v2/seam.h"

/*
 * Reading with worker threads, each of which reads a generation apart. The caller's thread makes
 * events of their records. Where these do not fit the state of the program, and where anything else
 * is unusual, the decoder reads on by itself as if there were no threads, with the same results.
 */
struct gt_parallel {
    struct gt_v2 *v2;
    struct gt_crew *crew;
    struct gt_v2_seam seam;
    struct gt_crew_job *job;   /* the generation that is being delivered; NULL: v2 delivers */
    struct gt_v2_block *block; /* the block of its next records, or NULL */
    const struct gt_v2_record *record;
    /*
     * Jobs that were given up, linked by `next`. Events that were delivered refer to their tables.
     */
    struct gt_crew_job *retired;
    uint64_t ended; /* the number of generations that were delivered to their ends */
};

/*
 * Starts the threads; see gt_crew_create. The decoder must have read the header of a trace of
 * Go 1.22 or later, whose bytes keep their address. Returns NULL on failure.
 */
struct gt_parallel *gt_parallel_create(struct gt_decoder *decoder, const struct gt_crew_size *size);

/* Ends the threads. `parallel` may be NULL. */
void gt_parallel_destroy(struct gt_parallel *parallel);

/* Does what gt_decoder_fill does. */
gt_status gt_parallel_fill(struct gt_parallel *parallel, struct gt_events *events);

#endif
