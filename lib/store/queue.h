/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_QUEUE_H
#define GT_STORE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "store/op.h"

enum {
    QUEUE_BATCHES = 8,
    /* What a batch takes to apply, some tenths of a millisecond, is how long requests wait. */
    QUEUE_BATCH = 2048
};

/* Ops on their way from the thread that makes them to the one that applies them. */
struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* QUEUE_BATCHES of QUEUE_BATCH, in turn. */
    struct op *ops;
    /* How many there are in the batch that is being made, which no other thread looks at. */
    size_t filled;
    /* How many batches were made and applied, and how many ops the last one has. */
    size_t made, applied, last;
    bool is_closed;
    /* Nobody applies any more. */
    bool has_failed;
};

/* False: out of memory. */
bool queue_init(struct queue *queue);
void queue_destroy(struct queue *queue);

/* Waits where there is no room. False: it has failed. */
bool queue_put(struct queue *queue, const struct op *op);
/* There are no more. */
void queue_close(struct queue *queue);

/* Waits for a batch, which stays until it is said to be done; NULL: there are no more. */
const struct op *queue_next(struct queue *queue, size_t *count);
void queue_done(struct queue *queue);
void queue_fail(struct queue *queue);

#endif
