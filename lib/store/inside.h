/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_INSIDE_H
#define GT_STORE_INSIDE_H

/* What a store is made of: for those that fill it and ask it, in this folder. */

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
    /* Of spans of goroutines. */
    struct gt_uses uses;
    /* The parents' numbers by ordinals of tasks, whose own rows may come later; 0 for none. */
    int64_t *task_parents;
    size_t task_parent_count, task_parent_room;
    struct gt_marks marks;
    struct gt_wakes wakes;
    struct gt_store_counter counters[GT_COUNTERS];
    /* Of their samples. */
    struct gt_store_pool samples;
    struct gt_track gc, stw;
    /* Classes of waits by their reasons' texts; GT_STORE_CLASSES where not asked yet. */
    uint8_t *waits;
    size_t wait_count, wait_room;
    struct gt_store_counts counts;
    int64_t end;
    bool failed;
    /* Of the thread that calls the consumer, but for the bytes of its texts. */
    struct gt_store_decoder decoder;
    /* To the thread that applies, if there is one. */
    struct gt_queue queue;
    pthread_t applier;
    bool has_applier;
    /* No threads are to be started. */
    bool is_alone;
};

#endif
