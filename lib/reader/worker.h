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

/* Decodes the next events to `*events`, as gt_decoder_more does. */
typedef bool gt_worker_decode_fn(void *decoder, struct gt_events *events);

/*
 * Creates the thread, which waits for gt_worker_start. From then on both threads may use `mem`,
 * from which the worker is allocated. Returns NULL if there is no memory, or if the system cannot
 * start a thread.
 */
struct gt_worker *gt_worker_create(struct gt_mem *mem, gt_worker_decode_fn *decode, void *decoder);

/* Ends the thread, whatever its state is. `worker` may be NULL. */
void gt_worker_destroy(struct gt_worker *worker);

/*
 * Hands the decoder to the worker. Since the last handoff, gt_worker_next must have returned NULL.
 */
void gt_worker_start(struct gt_worker *worker);

/*
 * Waits for the next events, and returns them; they are valid until the next call. Returns NULL
 * when all have been returned and the decoder has no more events; the decoder then belongs to the
 * caller's thread again.
 */
const struct gt_events *gt_worker_next(struct gt_worker *worker);

/* A function to be called in the caller's thread. */
typedef void gt_worker_call_fn(void *data, const void *argument);

/*
 * Calls the function in the caller's thread, after that thread has taken all events decoded before,
 * and waits until the function returns. Must be called by the thread that owns the decoder. If that
 * is the caller's thread, the function is called directly.
 */
void gt_worker_call(struct gt_worker *worker, gt_worker_call_fn *call, void *data,
                    const void *argument);

#endif
