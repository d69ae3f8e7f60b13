/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_QUEUE_H
#define GT_STORE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "store/op.h"

enum {
    GT_QUEUE_BATCHES = 8,
    /* What a batch takes to apply, some tenths of a millisecond, is how long requests wait. */
    GT_QUEUE_BATCH = 2048
};

/* Ops on their way from the thread that makes them to the one that applies them. */
struct gt_queue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* GT_QUEUE_BATCHES of GT_QUEUE_BATCH, in turn. */
    struct gt_op *ops;
    /* How many there are in the batch that is being made, which no other thread looks at. */
    size_t filled;
    /* How many batches were made and applied, and how many ops the last one has. */
    size_t made, applied, last;
    bool is_closed;
    /* Nobody applies any more. */
    bool has_failed;
};

/* False: out of memory. */
bool gt_queue_init(struct gt_queue *queue);
void gt_queue_destroy(struct gt_queue *queue);

/* Waits where there is no room. False: it has failed. */
bool gt_queue_put(struct gt_queue *queue, const struct gt_op *op);
/* There are no more. */
void gt_queue_close(struct gt_queue *queue);

/* Waits for a batch, which stays until it is said to be done; NULL: there are no more. */
const struct gt_op *gt_queue_next(struct gt_queue *queue, size_t *count);
void gt_queue_done(struct gt_queue *queue);
void gt_queue_fail(struct gt_queue *queue);

#endif
