/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_WORKER_H
#define GT_READER_WORKER_H

#include <stdbool.h>

#include "base/mem.h"
#include "model/event.h"

/*
 * The worker thread of read-ahead, and the ring buffer through which its events reach the caller's
 * thread. All functions but gt_worker_call are for the caller's thread.
 */
struct gt_worker;

/* Decodes the next events to `*events`, like gt_decoder_more. */
typedef bool gt_worker_decode_fn(void *decoder, struct gt_events *events);

/*
 * Creates the thread, which waits for gt_worker_start. From here on both threads may use `mem`, of
 * which the worker is made. Returns NULL if there is no memory for it, or if the system has no
 * thread for us.
 */
struct gt_worker *gt_worker_create(struct gt_mem *mem, gt_worker_decode_fn *decode, void *decoder);

/* Ends the thread, whatever it is doing. `worker` may be NULL. */
void gt_worker_destroy(struct gt_worker *worker);

/* Hands the decoder to the worker. gt_worker_next must have returned NULL since the last time. */
void gt_worker_start(struct gt_worker *worker);

/*
 * Waits for the next events, and returns them; they are valid until the next call. Returns NULL
 * when all have been returned and the decoder has no others: it then belongs to the caller's thread
 * again.
 */
const struct gt_events *gt_worker_next(struct gt_worker *worker);

/* A function to be called in the caller's thread. */
typedef void gt_worker_call_fn(void *data, const void *argument);

/*
 * For the thread that owns the decoder. Calls the function in the caller's thread, once that has
 * taken all events decoded before, and waits for it to return. If the calling thread owns the
 * decoder, the function is simply called.
 */
void gt_worker_call(struct gt_worker *worker, gt_worker_call_fn *call, void *data,
                    const void *argument);

#endif
