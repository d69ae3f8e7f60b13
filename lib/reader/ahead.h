/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_AHEAD_H
#define GT_READER_AHEAD_H

#include <stdbool.h>

#include "model/event.h"
#include "reader/crew.h"
#include "reader/decoder.h"

struct gt_parallel;
struct gt_worker;
struct gt_ahead_repairs;

/*
 * Read-ahead: a worker thread decodes events before they are asked for. The decoder belongs to one
 * thread at a time. The caller's thread decodes the first blocks of each generation, then hands the
 * decoder to the worker, and takes it back when the worker has reached the end of the generation.
 * So everything that makes earlier events invalid, above all the start of a generation, happens in
 * the caller's thread, and read-ahead changes nothing but the time that reading takes.
 */
struct gt_ahead {
    struct gt_decoder *decoder;
    struct gt_worker *worker; /* NULL until its first use */
    struct gt_events events;  /* the events that the caller's thread has decoded */
    struct gt_crew_size crew; /* what is still to be started; `bytes` may be 0 for the default */
    struct gt_parallel *parallel; /* NULL: there are no threads that read apart */
    bool is_enabled;
    bool worker_active;      /* the worker thread owns the decoder */
    unsigned worker_blocks;  /* the number of blocks since the decoder was handed to the worker */
    unsigned solo_blocks;    /* the number of consecutive blocks that the caller's thread decoded */
    unsigned solo_threshold; /* the value of `solo_blocks` at which the worker is started */
    gt_repair_fn on_repair;  /* the caller's callback; may be NULL */
    void *repair_data;
    struct gt_ahead_repairs *repairs; /* the repairs made by the worker; NULL until its first use */
    bool is_in_worker;                /* the decoder is decoding in the worker thread */
};

void gt_ahead_init(struct gt_ahead *ahead, struct gt_decoder *decoder);
void gt_ahead_destroy(struct gt_ahead *ahead);

/*
 * Reads the options of read-ahead. Changes `*options`, which are passed on to the decoder, so that
 * the decoder reports repairs to this module, which calls the caller's function in the caller's
 * thread.
 */
void gt_ahead_set_options(struct gt_ahead *ahead, gt_reader_options *options);

/*
 * Points `*events` at the next events, which either thread may decode. Returns GT_OK with at least
 * one event, GT_END, or an error; then `*events` is empty. The events of the previous call become
 * invalid.
 */
gt_status gt_ahead_fill(struct gt_ahead *ahead, const struct gt_events **events);

#endif
