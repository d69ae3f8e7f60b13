/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_INSIDE_H
#define GT_STORE_INSIDE_H

/* The members of a store. Only for the files in this folder that fill it and query it. */

#include <pthread.h>

#include "store/decode.h"
#include "store/frames.h"
#include "store/lock.h"
#include "store/marks.h"
#include "store/queue.h"
#include "store/rows.h"
#include "store/store.h"
#include "store/texts.h"
#include "store/uses.h"
#include "store/wakes.h"

struct gt_store {
    struct gt_lock lock;
    struct gt_store_texts texts;
    struct gt_store_frames frames;
    struct gt_store_rows rows[GT_STORE_VIEWS];
    struct gt_tracks tracks;
    /* The uses of the spans of goroutines. */
    struct gt_uses uses;
    /* For each task, by its ordinal, the number of its parent, or 0. It is not the parent's
     * ordinal, since the parent's row may be made later. */
    int64_t *task_parents;
    size_t task_parent_count, task_parent_room;
    struct gt_marks marks;
    struct gt_wakes wakes;
    struct gt_store_counter counters[GT_COUNTERS];
    /* Holds the samples of the counters. */
    struct gt_store_pool samples;
    struct gt_track gc, stw;
    /* A cache: the class of a wait by the text of its reason, or GT_STORE_CLASSES if the text has
     * not been classified yet. */
    uint8_t *waits;
    size_t wait_count, wait_room;
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
