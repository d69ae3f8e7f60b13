/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/queue.h"

#include <string.h>

#define OPS_BYTES ((size_t) GT_QUEUE_BATCHES * GT_QUEUE_BATCH * sizeof(struct gt_op))

bool gt_queue_init(struct gt_queue *queue, struct gt_mem *mem)
{
    memset(queue, 0, sizeof(*queue));
    queue->mem = mem;
    queue->ops = gt_mem_alloc(mem, OPS_BYTES);
    if (!queue->ops)
        return false;
    if (pthread_mutex_init(&queue->mutex, NULL) != 0) {
        gt_mem_free(queue->mem, queue->ops, OPS_BYTES);
        return false;
    }
    if (pthread_cond_init(&queue->changed, NULL) != 0) {
        pthread_mutex_destroy(&queue->mutex);
        gt_mem_free(queue->mem, queue->ops, OPS_BYTES);
        return false;
    }
    return true;
}

void gt_queue_destroy(struct gt_queue *queue)
{
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->mutex);
    gt_mem_free(queue->mem, queue->ops, OPS_BYTES);
}

static struct gt_op *queue_batch_at(const struct gt_queue *queue, size_t batch)
{
    return queue->ops + batch % GT_QUEUE_BATCHES * GT_QUEUE_BATCH;
}

/* Hands the batch over, and waits until there is room for another. */
static bool queue_hand_on(struct gt_queue *queue)
{
    bool has_failed;
    pthread_mutex_lock(&queue->mutex);
    queue->counts[queue->made % GT_QUEUE_BATCHES] = queue->filled;
    queue->made++;
    queue->filled = 0;
    pthread_cond_signal(&queue->changed);
    while (queue->made - queue->applied == GT_QUEUE_BATCHES && !queue->has_failed)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    has_failed = queue->has_failed;
    pthread_mutex_unlock(&queue->mutex);
    return !has_failed;
}

bool gt_queue_put(struct gt_queue *queue, const struct gt_op *op)
{
    queue_batch_at(queue, queue->made)[queue->filled++] = *op;
    return queue->filled < GT_QUEUE_BATCH || queue_hand_on(queue);
}

bool gt_queue_flush(struct gt_queue *queue)
{
    return queue->filled == 0 || queue_hand_on(queue);
}

void gt_queue_close(struct gt_queue *queue)
{
    if (queue->filled > 0)
        queue_hand_on(queue);
    pthread_mutex_lock(&queue->mutex);
    queue->is_closed = true;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

const struct gt_op *gt_queue_next(struct gt_queue *queue, size_t *count)
{
    const struct gt_op *batch = NULL;
    pthread_mutex_lock(&queue->mutex);
    while (queue->made == queue->applied && !queue->is_closed)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    if (queue->made != queue->applied) {
        batch = queue_batch_at(queue, queue->applied);
        *count = queue->counts[queue->applied % GT_QUEUE_BATCHES];
    }
    pthread_mutex_unlock(&queue->mutex);
    return batch;
}

void gt_queue_done(struct gt_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->applied++;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

void gt_queue_fail(struct gt_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->has_failed = true;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}
