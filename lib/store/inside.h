/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_INSIDE_H
#define GT_STORE_INSIDE_H

/* The members of a store. Only for the files in this folder that fill it and query it. */

#include <pthread.h>

#include "base/array.h"
#include "base/texts.h"
#include "store/decode.h"
#include "store/lock.h"
#include "store/losses.h"
#include "store/marks.h"
#include "store/queue.h"
#include "store/rows.h"
#include "store/store.h"
#include "store/uses.h"
#include "store/wakes.h"

struct gt_store {
    struct gt_lock lock;
    /* Counts all memory except the decoder's and the queue's. */
    struct gt_mem mem;
    /* Their bytes belong to the decoder's texts. */
    struct gt_texts texts;
    size_t text_bytes;
    /* By their ids, minus 1. */
    GT_ARRAY(struct gt_store_frame) frames;
    struct gt_store_rows rows[GT_STORE_VIEWS];
    struct gt_tracks tracks;
    /* The uses of the spans of goroutines. */
    struct gt_uses uses;
    /* For each task, by its ordinal, the number of its parent, or 0. It is not the parent's
     * ordinal, since the parent's row may be made later. */
    GT_ARRAY(int64_t) task_parents;
    struct gt_marks marks;
    struct gt_wakes wakes;
    struct gt_store_counter counters[GT_COUNTERS];
    /* Holds the samples of the counters. */
    struct gt_store_pool samples;
    struct gt_track gc, stw;
    /* A cache: the class of a wait by the text of its reason, plus 1; 0 if the text has not been
     * classified yet. */
    GT_ARRAY(uint8_t) waits;
    struct gt_losses losses;
    /* A loss was announced. */
    bool has_losses;
    struct gt_store_counts counts;
    int64_t end;
    bool failed;
    /* Owned by the thread that calls the consumer, except for the bytes of its texts: those never
     * change, and `texts` refers to them. */
    struct gt_store_decoder decoder;
    /* The queue to the thread `applier`, and that thread, if `has_applier`. */
    struct gt_queue queue;
    pthread_t applier;
    bool has_applier;
    /* Neither the store nor its queries may start threads. */
    bool single_threaded;
};

#endif
