/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ANALYSIS_H
#define GT_WEB_ANALYSIS_H

/*
 * An analysis makes its own pass over the trace, or over what is there of one that is still being
 * recorded. It is made when it is first requested, after loading has come to the end, by one thread
 * that makes all analyses one after another, or, if the host forbids threads, by gt_web_step or an
 * answer that waits for it. The most recent results are kept, those of a trace that is being
 * recorded only for a short time.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/reader.h>

#include "web/query.h"
#include "web/web.h"

/* One analysis: a kind and a key, which says what exactly is requested. */
struct gt_analysis_job;

/* The context that an analysis runs in. */
struct gt_analysis_pass {
    struct gt_web *web;
    struct gt_analysis_job *job;
    /*
     * The part of the whole progress that gt_analysis_read accounts for, from 0 to 1. It is 1
     * unless the analysis sets it.
     */
    double reading_share;
    /* The reason for which the analysis failed. */
    gt_error error;
};

struct gt_analysis_kind {
    /*
     * Makes the analysis that `key` describes. Returns the result, which the job owns from then on,
     * or NULL with the reason in pass->error. Called without any lock, by one thread at a time.
     */
    void *(*run)(struct gt_analysis_pass *pass, const void *key);
    /* Frees a result, with the memory of the gt_web. */
    void (*free)(struct gt_mem *mem, void *result);
};

/* Called for each event. A status other than GT_OK ends the pass. */
typedef gt_status gt_analysis_event_fn(void *user_data, gt_reader *reader, const gt_event *event);

/*
 * Reads all events, up to the first fault of the trace if there is one. A fault is not an error
 * here, because the timeline reports it. Returns false, with the reason in pass->error, if the pass
 * failed or is to stop.
 */
bool gt_analysis_read(struct gt_analysis_pass *pass, gt_analysis_event_fn *on_event,
                      void *user_data);

/*
 * Reports which part of the whole analysis is done, from 0 to 1; for long work outside of
 * gt_analysis_read. Returns false, with the reason in pass->error, if the analysis is to stop.
 */
bool gt_analysis_go_on(struct gt_analysis_pass *pass, double fraction);

/* Sets pass->error to `status` and its text. Returns NULL. */
void *gt_analysis_fail(struct gt_analysis_pass *pass, gt_status status);

/*
 * Requests the analysis that a key of `key_size` bytes describes. If the analysis is done, returns
 * its result, which is read-only and valid until the handler returns. Otherwise returns NULL and
 * answers the request: with the progress, or, if `wait` is set, only with an error. Returns NULL as
 * well if the query has failed. A handler may request one analysis.
 */
void *gt_analysis_demand(struct gt_web *web, struct gt_query *query,
                         const struct gt_analysis_kind *kind, const void *key, size_t key_size,
                         bool wait);

/*
 * Makes an analysis that was requested, if there is one. For hosts that forbid threads, once the
 * trace is loaded.
 */
void gt_analysis_step(struct gt_web *web);
/*
 * Returns whether gt_analysis_step has an analysis to make. Takes no lock, so the host must have
 * forbidden threads.
 */
bool gt_analysis_is_waiting(struct gt_web *web);

/* Stops the running analysis and frees all of them. No handler may be running. */
void gt_analysis_close(struct gt_web *web);

#endif
