/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_LATENCY_H
#define GT_ANALYSIS_LATENCY_H

#include <stdbool.h>

#include <gotrace/latency.h>

#include "analysis/latency/pairs.h"
#include "analysis/latency/series.h"
#include "analysis/stackset.h"
#include "base/idmap.h"
#include "base/pool.h"
#include "base/shared_text.h"
#include "base/switch.h"

/* A region that is open on a goroutine. */
struct gt_timed_region {
    struct gt_timed_region *outer;
    struct gt_shared_text *type; /* NULL: stands for the regions of the goroutine's creator */
    uint64_t task_id;
    struct gt_shared_text *task; /* the task's name; NULL: not known */
    int64_t begin;
};

struct gt_timed_goroutine {
    int64_t id;
    struct gt_shared_text *name;
    struct gt_shared_text *reason; /* why it waits or, if it is runnable, why it waited before */
    int64_t since;                 /* when it entered its state */
    uint32_t measured; /* the GT_LATENCY_ kind as which its state counts; 0: it does not count */
    uint32_t stack;    /* where it waits */
    struct gt_timed_region *regions; /* the innermost first */
};

struct gt_timed_task {
    struct gt_shared_text *name;
    int64_t begin;
};

struct gt_latency {
    struct gt_mem mem;
    gt_latency_options options;
    gt_status failure; /* the first failure, which every later call returns as well */
    bool busy;         /* a call is in progress */
    bool finished;
    const gt_event *event;    /* the current one */
    struct gt_reader *reader; /* that it is of; NULL: of none */
    uint64_t events;
    uint64_t sorted_events; /* after so many events the results were sorted: they can be seen */
    struct gt_shared_texts texts;
    struct gt_shared_text *empty;
    struct gt_shared_text *created;
    struct gt_shared_text *syscall;
    struct gt_shared_text *coroutine;
    struct gt_recent_texts recent; /* of reasons */
    struct gt_stackset stacks;
    struct gt_series_set series;
    struct gt_pairs pairs;
    struct gt_idmap goroutines;
    struct gt_switch switched;
    struct gt_pool region_pool;
    struct gt_idmap tasks;
};

/* Each of these takes in an event of its kind. */
gt_status gt_latency_transition(struct gt_latency *latency, const gt_event *event);
gt_status gt_latency_task(struct gt_latency *latency, const gt_event *event);
gt_status gt_latency_region_begin(struct gt_latency *latency, const gt_event *event);
gt_status gt_latency_region_end(struct gt_latency *latency, const gt_event *event);

static inline struct gt_timed_goroutine *gt_latency_goroutine(const struct gt_latency *latency,
                                                              int64_t id)
{
    return gt_idmap_get(&latency->goroutines, (uint64_t) id);
}

/* A goroutine starts in the task of its creator's innermost region. */
gt_status gt_latency_inherit(struct gt_latency *latency, struct gt_timed_goroutine *goroutine,
                             const struct gt_timed_goroutine *creator);

/* Removes the first region of a list, or of the rest of one. */
void gt_latency_region_leave(struct gt_latency *latency, struct gt_timed_region **link);

#endif
