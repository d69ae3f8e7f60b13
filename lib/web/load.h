/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_LOAD_H
#define GT_WEB_LOAD_H

/* Loading: the trace is read once, and drawn into the store. */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/emitter.h>
#include <gotrace/reader.h>
#include <gotrace/status.h>
#include <gotrace/timeline.h>

#include "web/errortext.h"
#include "web/trace_info.h"

struct gt_web;

enum {
    /* Repairs beyond these are only counted. */
    GT_WEB_REPAIRS_MAX = 100
};

/* The part of loading that only the loading thread uses. */
struct gt_web_loader {
    gt_reader *reader;
    gt_emitter *emitter;
    gt_timeline *timeline;
    /* How the reading has ended, and the drawing; GT_OK while they go on. */
    gt_status reading, drawing;
    /* The number of events after which bytes that were read were last given back. */
    uint64_t forgotten;
};

/* What is known of the loading. The loading thread writes, and requests read, with `lock` held. */
struct gt_web_loading {
    pthread_mutex_t lock;
    bool done;
    /* Bytes and events that were read. */
    uint64_t bytes;
    uint64_t events;
    /* The part of the input that was read: 0 to 1. */
    double fraction;
    /* What ended the reading early; its status is GT_OK where nothing did. */
    gt_error error;
    /* Texts from malloc. */
    char *repairs[GT_WEB_REPAIRS_MAX];
    size_t repair_count;
    uint64_t repairs_total;
    /* The version in the trace's header; 0 until it has been read. */
    uint32_t version;
    struct gt_trace_info info;
    /* Of the loading thread, without the lock. */
    struct gt_web_loader loader;
    pthread_t thread;
    bool has_thread;
    bool is_begun;
};

/*
 * Makes web->store, and starts the thread that fills it unless threads are forbidden.
 * GT_ERR_NO_MEMORY: there is no memory or no thread; nothing is left then.
 */
gt_status gt_web_load_start(struct gt_web *web);

/*
 * Where threads are forbidden: loads for about `max_ns` nanoseconds, at least one batch of
 * events. Whether there is more to load.
 */
bool gt_web_load_step(struct gt_web *web, uint64_t max_ns);

/*
 * Ends the loading, early where it is not done, and frees the store and what is known of the
 * loading. gt_web_load_start may have failed.
 */
void gt_web_load_stop(struct gt_web *web);

/* Whether the loading has ended. */
bool gt_web_load_is_done(struct gt_web *web);

#endif
