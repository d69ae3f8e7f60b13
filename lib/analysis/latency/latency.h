/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_LATENCY_H
#define GT_ANALYSIS_LATENCY_H

#include <gotrace/latency.h>

#include "analysis/latency/pairs.h"
#include "analysis/latency/series.h"
#include "analysis/stackset.h"
#include "base/idmap.h"
#include "base/pool.h"
#include "base/shared_text.h"

enum {
    GT_RECENT_REASONS = 32
};

/* A region that is open on a goroutine. */
struct gt_lregion {
    struct gt_lregion *outer;
    struct gt_shared_text *type; /* NULL: it stands for that of the creator */
    struct gt_shared_text *task; /* its name, NULL where that is not known */
    int64_t begin;
};

struct gt_lgoroutine {
    int64_t id;
    struct gt_shared_text *name;
    struct gt_shared_text
        *reason; /* of the state that it is in, or was before it became runnable */
    int64_t since;
    int waits; /* a GT_LATENCY_ kind: in a state that is measured, since then; or 0 */
    uint32_t stack;
    struct gt_lregion *regions; /* the innermost first */
};

struct gt_ltask {
    struct gt_shared_text *name;
    int64_t begin;
};

/* A reason that was looked up last, by where it lies; it is a user of the text. */
struct gt_recent_reason {
    const char *data;
    size_t size;
    struct gt_shared_text *text;
};

struct gt_latency {
    struct gt_mem mem;
    gt_latency_options options;
    gt_status failure; /* what every later call returns, too */
    int busy;
    int finished;
    struct gt_reader *reader;
    uint64_t events;
    struct gt_shared_texts texts;
    struct gt_shared_text *empty;
    struct gt_shared_text *created;
    struct gt_shared_text *syscall;
    struct gt_recent_reason recent[GT_RECENT_REASONS];
    struct gt_stackset stacks;
    struct gt_series_set series;
    struct gt_pairs pairs;
    struct gt_idmap goroutines;
    struct gt_pool goroutine_pool;
    struct gt_pool region_pool;
    struct gt_idmap tasks;
    struct gt_pool task_pool;
};

/* Where reasons lie can be another text now. */
void gt_latency_forget_reasons(struct gt_latency *l);

/* What each kind of event does. */
gt_status gt_latency_transition(struct gt_latency *l, const gt_event *event);
gt_status gt_latency_task(struct gt_latency *l, const gt_event *event);
gt_status gt_latency_region_begin(struct gt_latency *l, const gt_event *event);
gt_status gt_latency_region_end(struct gt_latency *l, const gt_event *event);

static inline struct gt_lgoroutine *gt_latency_goroutine(const struct gt_latency *l, int64_t id)
{
    return gt_idmap_get(&l->goroutines, (uint64_t) id);
}

/* A goroutine that `creator` creates belongs to the task of the region that this is in. */
gt_status gt_latency_inherit(struct gt_latency *l, struct gt_lgoroutine *g,
                             const struct gt_lgoroutine *creator);
/* Forgets the innermost region. */
void gt_latency_leave_region(struct gt_latency *l, struct gt_lgoroutine *g);

#endif
