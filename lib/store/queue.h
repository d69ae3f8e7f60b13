/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_QUEUE_H
#define GT_STORE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "store/op.h"

enum {
    GT_QUEUE_BATCHES = 8,
    /*
     * A request waits for as long as it takes to apply a batch of this size: some tenths of a
     * millisecond.
     */
    GT_QUEUE_BATCH = 2048
};

/* A ring buffer of operations between the thread that makes them and the one that applies them. */
struct gt_queue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Room for GT_QUEUE_BATCHES batches of GT_QUEUE_BATCH operations, which are used in turn. */
    struct gt_op *ops;
    /* The number of operations in the batch that is being made. Used by the maker only. */
    size_t filled;
    /* Numbers of batches made and applied, and of operations in the last batch. */
    size_t made, applied, last;
    bool is_closed;
    /* The applying thread has failed and takes no more batches. */
    bool has_failed;
};

/* Returns false if there is no memory. */
bool gt_queue_init(struct gt_queue *queue);
void gt_queue_destroy(struct gt_queue *queue);

/* Waits while the ring is full. Returns false if the applying thread has failed. */
bool gt_queue_put(struct gt_queue *queue, const struct gt_op *op);
/* Hands on the last batch. No more operations may follow. */
void gt_queue_close(struct gt_queue *queue);

/*
 * Waits for a batch, which is valid until gt_queue_done. Returns NULL when the queue is closed
 * and empty.
 */
const struct gt_op *gt_queue_next(struct gt_queue *queue, size_t *count);
void gt_queue_done(struct gt_queue *queue);
void gt_queue_fail(struct gt_queue *queue);

#endif
