/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_QUEUE_H
#define GT_STORE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "store/op.h"

enum {
    GT_QUEUE_BATCHES = 8,
    /* The number of operations in a batch. The store's lock is held while a batch is applied. This
     * takes some tenths of a millisecond, for which requests have to wait. */
    GT_QUEUE_BATCH = 2048
};

/*
 * A bounded queue of operations, from the thread that makes them, the producer, to the thread that
 * applies them, the consumer. Operations are handed over in batches, which are slots of a ring
 * buffer. The producer calls gt_queue_put and gt_queue_close; the consumer calls gt_queue_next,
 * gt_queue_done and gt_queue_fail.
 */
struct gt_queue {
    struct gt_mem *mem; /* of the producer */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* The ring buffer: GT_QUEUE_BATCHES batches of GT_QUEUE_BATCH operations. */
    struct gt_op *ops;
    /* The number of operations in the batch that is being filled. Only its producer uses it. */
    size_t filled;
    /* The number of operations in each batch that was handed over. */
    size_t counts[GT_QUEUE_BATCHES];
    /* The number of batches that were handed over, and that were applied. */
    size_t made, applied;
    bool is_closed;
    /* The consumer has stopped. */
    bool has_failed;
};

/* False: out of memory. Only the producer's thread uses `mem`. */
bool gt_queue_init(struct gt_queue *queue, struct gt_mem *mem);
void gt_queue_destroy(struct gt_queue *queue);

/* Appends an operation, and waits while the queue is full. False: the consumer has failed. */
bool gt_queue_put(struct gt_queue *queue, const struct gt_op *op);
/* Hands over what has been put, without waiting until it is a batch. False: the consumer has
 * failed. */
bool gt_queue_flush(struct gt_queue *queue);
/* Hands over the last batch, and tells the consumer that no more will come. */
void gt_queue_close(struct gt_queue *queue);

/* Waits for a batch of `*count` operations, which is valid until gt_queue_done. NULL: there will be
 * no more. */
const struct gt_op *gt_queue_next(struct gt_queue *queue, size_t *count);
/* Frees the batch for the producer. */
void gt_queue_done(struct gt_queue *queue);
/* Tells the producer that nothing will be applied any more. */
void gt_queue_fail(struct gt_queue *queue);

#endif
