/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_LOAD_H
#define GT_WEB_LOAD_H

/* Loading reads the trace once and draws it into the store. */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/emitter.h>
#include <gotrace/reader.h>
#include <gotrace/status.h>
#include <gotrace/timeline.h>
#include <gotrace/types.h>

#include "store/counter.h"
#include "store/pool.h"
#include "web/lastseen.h"
#include "web/repairkinds.h"
#include "web/trace_info.h"

struct gt_web;

enum {
    /* The most repairs whose texts are kept; further ones are only counted. */
    GT_WEB_REPAIRS_MAX = 100
};

/* The part of loading that only the loading thread uses. */
struct gt_web_loader {
    gt_reader *reader;
    gt_emitter *emitter;
    gt_timeline *timeline;
    /* The statuses with which reading and drawing ended; GT_OK until then. */
    gt_status reading, drawing;
    /* See gt_web_source_forget. */
    uint64_t forgotten;
    /* The reader had nothing more for now. */
    bool is_waiting;
    /* There was not enough memory for the text of a repair. */
    bool is_short;
    /* The time of the last event since the start of the trace. */
    int64_t time;
    /* Whether the trace was cut off, and the time of the last event of each thread since that was
     * found. */
    bool is_cut;
    struct gt_last_seen last_seen;
};

/*
 * The state of loading. The loading thread writes it and requests read it, both with `lock` held.
 */
struct gt_web_loading {
    pthread_mutex_t lock;
    bool done;
    /* The trace is still being recorded, and everything that has come was read at some time. */
    bool is_live;
    /* How the recording has ended. */
    gt_ending ending;
    /* The number of bytes and events that were read so far. */
    uint64_t bytes;
    uint64_t events;
    /* The part of the input that was read so far, from 0 to 1. */
    double fraction;
    /* The error that ended loading early; its status is GT_OK if there was none. */
    gt_error error;
    /* The first repairs. The texts are in web->texts. */
    gt_string repairs[GT_WEB_REPAIRS_MAX];
    size_t repair_count;
    uint64_t repairs_total;
    /* All repairs, counted by kind. The texts are in web->texts as well. */
    struct gt_repairkinds repairkinds;
    /* The version in the trace's header; 0 until it has been read. */
    uint32_t version;
    struct gt_trace_info info;
    /*
     * GOMAXPROCS over time, which the store does not have because no viewer event shows it. Its
     * samples are in the pool.
     */
    struct gt_store_counter gomaxprocs;
    struct gt_store_pool samples;
    /* Used by the loading thread alone, without the lock. */
    struct gt_web_loader loader;
    pthread_t thread;
    bool has_thread;
    bool is_begun;
};

/*
 * Creates web->store, and starts the thread that fills it unless threads are forbidden. Returns
 * GT_ERR_NO_MEMORY if there is not enough memory or no thread; nothing needs to be freed then.
 */
gt_status gt_web_load_start(struct gt_web *web);

/*
 * Loads for about `max_ns` nanoseconds, but at least one batch of events; for hosts that forbid
 * threads. Returns whether there is more to load now, which a trace that is being recorded may not
 * have although loading has not ended.
 */
bool gt_web_load_step(struct gt_web *web, uint64_t max_ns);

/*
 * Stops loading if it has not ended, and frees the store and the state of loading. Does nothing if
 * gt_web_load_start has failed.
 */
void gt_web_load_stop(struct gt_web *web);

/* Returns whether loading has ended. Takes the lock. */
bool gt_web_load_is_done(struct gt_web *web);

/*
 * Returns whether analyses may read the trace: loading has ended, or has come to the end of what is
 * recorded so far. Takes the lock.
 */
bool gt_web_load_has_caught_up(struct gt_web *web);

/*
 * Returns whether `status`, with which another reading of the trace ended, is a failure of that
 * reading alone: there was not enough memory, or the input could not be read although loading could
 * read it. Other errors are faults of the trace, which loading has met too. Takes the lock.
 */
bool gt_web_load_is_failure(struct gt_web *web, gt_status status);

#endif
