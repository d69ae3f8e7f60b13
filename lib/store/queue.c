/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/queue.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"

bool queue_init(struct queue *queue)
{
    memset(queue, 0, sizeof(*queue));
    queue->ops = array_zeros((size_t) QUEUE_BATCHES * QUEUE_BATCH, sizeof(*queue->ops));
    if (queue->ops == NULL)
        return false;
    if (pthread_mutex_init(&queue->mutex, NULL) != 0) {
        free(queue->ops);
        return false;
    }
    if (pthread_cond_init(&queue->changed, NULL) != 0) {
        pthread_mutex_destroy(&queue->mutex);
        free(queue->ops);
        return false;
    }
    return true;
}

void queue_destroy(struct queue *queue)
{
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->mutex);
    free(queue->ops);
}

static struct op *batch_at(const struct queue *queue, size_t batch)
{
    return queue->ops + batch % QUEUE_BATCHES * QUEUE_BATCH;
}

/* Hands the batch on, and waits until there is room for another. */
static bool hand_on(struct queue *queue)
{
    bool has_failed;
    pthread_mutex_lock(&queue->mutex);
    queue->last = queue->filled;
    queue->made++;
    queue->filled = 0;
    pthread_cond_signal(&queue->changed);
    while (queue->made - queue->applied == QUEUE_BATCHES && !queue->has_failed)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    has_failed = queue->has_failed;
    pthread_mutex_unlock(&queue->mutex);
    return !has_failed;
}

bool queue_put(struct queue *queue, const struct op *op)
{
    batch_at(queue, queue->made)[queue->filled++] = *op;
    return queue->filled < QUEUE_BATCH || hand_on(queue);
}

void queue_close(struct queue *queue)
{
    if (queue->filled > 0)
        hand_on(queue);
    pthread_mutex_lock(&queue->mutex);
    queue->is_closed = true;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

const struct op *queue_next(struct queue *queue, size_t *count)
{
    const struct op *batch = NULL;
    pthread_mutex_lock(&queue->mutex);
    while (queue->made == queue->applied && !queue->is_closed)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    if (queue->made != queue->applied) {
        batch = batch_at(queue, queue->applied);
        /* All are full but perhaps the last. */
        *count = queue->made - queue->applied == 1 ? queue->last : QUEUE_BATCH;
    }
    pthread_mutex_unlock(&queue->mutex);
    return batch;
}

void queue_done(struct queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->applied++;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

void queue_fail(struct queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->has_failed = true;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}
