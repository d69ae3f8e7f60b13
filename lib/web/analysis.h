/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ANALYSIS_H
#define GT_WEB_ANALYSIS_H

/*
 * Analyses: what takes a pass of its own over the trace. Each is made once, when it is first
 * asked for, by the one thread that they have, after the timeline is there. What came of
 * the last ones is kept.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/reader.h>

#include "web/response.h"
#include "web/web.h"

/* One of them: a kind, and what exactly is asked for. */
struct gt_analysis_job;

/* What an analysis works with. */
struct gt_analysis_pass {
    struct gt_web *web;
    struct gt_analysis_job *job;
    /* What it could not do. */
    gt_error error;
};

struct gt_analysis_kind {
    /*
     * Makes the result, from malloc or the like; NULL where that fails, with the reason in
     * pass->error. `key` is what is asked for.
     */
    void *(*run)(struct gt_analysis_pass *pass, const void *key);
    void (*free)(void *result);
};

/* Told of each event. What it returns other than GT_OK ends the pass. */
typedef gt_status gt_analysis_event_fn(void *user_data, gt_reader *reader, const gt_event *event);

/*
 * Reads all events, or those before what is wrong with the trace, which is no error here: the
 * timeline says so. False where the pass failed, or is to stop, as is in pass->error then.
 */
bool gt_analysis_read(struct gt_analysis_pass *pass, gt_analysis_event_fn *on_event,
                      void *user_data);

/*
 * For what takes long besides that: tells how much of all is done, from 0 to 1. False where
 * it is to stop.
 */
bool gt_analysis_go_on(struct gt_analysis_pass *pass, double fraction);

/* Sets pass->error. Returns NULL. */
void *gt_analysis_fail(struct gt_analysis_pass *pass, gt_status status);

/*
 * The result of an analysis, which a key of `key_size` bytes describes; `wait` until it
 * is there, or else answer how far it is. NULL where there is none yet, and `response` has the
 * answer then. Else it is read-only and goes with gt_analysis_release.
 */
struct gt_analysis_job *gt_analysis_demand(struct gt_web *web, const struct gt_analysis_kind *kind,
                                           const void *key, size_t key_size, bool wait,
                                           struct gt_response *response);
void *gt_analysis_result(const struct gt_analysis_job *job);
void gt_analysis_release(struct gt_web *web, struct gt_analysis_job *job);

/* Where threads are forbidden and the trace is loaded: makes an analysis that was asked for. */
void gt_analysis_step(struct gt_web *web);
bool gt_analysis_is_waiting(struct gt_web *web);

/* Stops them and frees all. No handler may run any more. */
void gt_analysis_close(struct gt_web *web);

#endif
