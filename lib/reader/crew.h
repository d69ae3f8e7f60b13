/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_CREW_H
#define GT_READER_CREW_H

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/reader.h>

#include "base/mem.h"
#include "source/source.h"
#include "v2/apart.h"
#include "v2/record.h"

/*
 * Threads that read generations apart, ahead of the caller's thread, which takes their records. All
 * functions are for the caller's thread.
 */
struct gt_crew;

/* A generation, which one of the threads reads. */
struct gt_crew_job {
    struct gt_crew_job *next;
    struct gt_v2_extent extent;
    struct gt_v2_apart apart;
    struct gt_v2_block *first; /* the blocks that the caller has not taken yet */
    struct gt_v2_block *last;
    size_t queued; /* their number */
    bool is_begun;
    bool is_over;    /* no thread uses it, and it will get no more blocks */
    bool is_dropped; /* the caller does not need its blocks */
};

/* How large a crew is, and whose threads it has. */
struct gt_crew_size {
    unsigned workers; /* the most threads */
    uint64_t bytes;   /* about what the blocks of all threads may take */
    gt_execute_fn execute;
    void *execute_data;
};

/*
 * Starts the threads for the generations of the source from its window on, or gives their work to
 * `execute`. From now on all threads may use `mem`. Returns NULL if there is no memory, or if the
 * system cannot start a thread.
 */
struct gt_crew *gt_crew_create(struct gt_mem *mem, const struct gt_source *source, uint32_t version,
                               const struct gt_crew_size *size);

/* Ends the threads, whatever their state is. `crew` may be NULL. */
void gt_crew_destroy(struct gt_crew *crew);

/*
 * Returns the job of the earliest generation that the caller has not ended, or NULL if all are
 * ended, the rest of the input is unusual, or there is no memory.
 */
struct gt_crew_job *gt_crew_first(struct gt_crew *crew);

/*
 * Waits for the next block of the first job. Returns NULL if the job has no more blocks. A job that
 * the host's threads do not begin is over, and has failed.
 */
struct gt_v2_block *gt_crew_take(struct gt_crew *crew, struct gt_crew_job *job);

/* Returns a block whose records are no longer needed. */
void gt_crew_give(struct gt_crew *crew, struct gt_v2_block *block);

/*
 * Ends the first job, whatever its state is, and waits for its thread. The reading apart remains
 * until gt_crew_free.
 */
void gt_crew_end(struct gt_crew *crew, struct gt_crew_job *job);

/* Frees a job that was ended. */
void gt_crew_free(struct gt_crew *crew, struct gt_crew_job *job);

#endif
