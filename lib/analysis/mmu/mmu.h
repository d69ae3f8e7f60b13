/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_MMU_H
#define GT_ANALYSIS_MMU_H

#include <stdbool.h>

#include <gotrace/mmu.h>

#include "base/array.h"
#include "base/idmap.h"

enum {
    /* Procs with greater ids are ignored: a trace may claim any number of procs. */
    GT_MMU_MAX_PROCS = 4096,

    /* What a goroutine does, as bits of its activity. */
    GT_MMU_EXECUTES = 1 << 0,
    GT_MMU_ASSISTS = 1 << 1,
    GT_MMU_WORKS = 1 << 2
};

struct gt_mmu_proc {
    int64_t busy;   /* how many activities of the collector there are on it */
    int32_t series; /* the index of its series; -1: it has been free of the collector so far */
};

/* Procs that came into being at once: those from `first` up to the first one of the next run. */
struct gt_mmu_proc_run {
    int64_t start;
    uint64_t first;
};

/* The collector takes or leaves a proc. */
struct gt_mmu_toggle {
    int64_t time;
    int32_t next; /* the index of the next toggle of the same proc; -1: none */
    bool busy;
};

/* The life of a proc, for GT_MMU_PER_PROC. Procs without toggles may share one. */
struct gt_mmu_proc_series {
    int64_t start;
    int64_t end;
    int32_t first; /* the index of its first toggle; -1: none */
    int32_t last;
    uint32_t procs; /* how many procs share it */
};

/* The number of procs from a time on. */
struct gt_mmu_proc_count {
    int64_t time;
    uint64_t count;
};

/* A utilisation function. */
struct gt_mmu_function {
    const gt_utilization *points;
    size_t count;
    uint32_t procs; /* of how many procs it is the function */
};

struct gt_mmu {
    struct gt_mem mem;
    gt_mmu_options options;
    gt_status failure; /* GT_OK until memory runs out */
    bool finished;
    uint64_t syncs;
    int64_t time;  /* of the last event */
    bool recorded; /* nothing changed since the utilisation was last recorded */
    uint64_t proc_count;
    struct gt_mmu_proc procs[GT_MMU_MAX_PROCS];
    /* A bit for each proc whose element of `procs` is in use, so that unused ones cost no time. */
    uint64_t used[GT_MMU_MAX_PROCS / 64];
    GT_ARRAY(struct gt_mmu_proc_run) runs;
    uint64_t busy_procs;        /* how many of the procs are busy */
    int64_t stopped;            /* how many times the world is stopped */
    struct gt_idmap goroutines; /* the activities of those that have any */
    size_t goroutine_count;

    /*
     * Without GT_MMU_PER_PROC: the utilisation by all procs at its changes. In the first
     * generation, an activity may turn out to have gone on since the trace began. `late` has the
     * number of points at each time when this happened: their values are corrected at the end.
     */
    GT_ARRAY(gt_utilization) points;
    double last; /* the corrected value of the last point */
    GT_ARRAY(size_t) late;
    GT_ARRAY(struct gt_mmu_proc_count) proc_counts;

    /* With GT_MMU_PER_PROC. */
    GT_ARRAY(struct gt_mmu_proc_series) proc_series;
    GT_ARRAY(struct gt_mmu_toggle) toggles;
    GT_ARRAY(struct gt_mmu_toggle) stops; /* of the world; `next` is not used */

    GT_ARRAY(gt_utilization) built; /* the result of gt_mmu_build */
};

/* Each of these takes in an event: a transition, or one of another kind. */
gt_status gt_mmu_transition(struct gt_mmu *mmu, const gt_event *event);
gt_status gt_mmu_other(struct gt_mmu *mmu, const gt_event *event);

static inline bool gt_mmu_is_per_proc(const struct gt_mmu *mmu)
{
    return (mmu->options.flags & GT_MMU_PER_PROC) != 0;
}

/* Whether ranges may turn out to have begun before the trace: in the first generation only. */
static inline bool gt_mmu_may_be_late(const struct gt_mmu *mmu)
{
    return mmu->syncs <= 1;
}

/* Whether it must be known of every goroutine if it executes. */
static inline bool gt_mmu_follows_all(const struct gt_mmu *mmu)
{
    return mmu->options.flags & GT_MMU_ASSIST && gt_mmu_may_be_late(mmu);
}

static inline unsigned gt_mmu_activity(const struct gt_mmu *mmu, int64_t id)
{
    return (unsigned) gt_idmap_get_number(&mmu->goroutines, (uint64_t) id);
}

/* Changes the activity of a goroutine. It takes no memory if it does nothing. */
gt_status gt_mmu_activity_set(struct gt_mmu *mmu, int64_t id, unsigned before, unsigned activity);

/* These record what an event changes. They must be called in the order of the events. */
gt_status gt_mmu_procs_set(struct gt_mmu *mmu, uint64_t count);
gt_status gt_mmu_busy_change(struct gt_mmu *mmu, int64_t id, int change);
gt_status gt_mmu_stopped_change(struct gt_mmu *mmu, int change);
/* One more proc has been busy since the trace began. */
gt_status gt_mmu_late_add(struct gt_mmu *mmu);
/* Records the utilisation by all procs from now on. */
gt_status gt_mmu_record(struct gt_mmu *mmu);
gt_status gt_mmu_end(struct gt_mmu *mmu);

/* The number of utilisation functions: one of all procs together, or one of each proc. */
size_t gt_mmu_function_count(const struct gt_mmu *mmu);
/* Whether a function is known to lie within a time without building it. */
bool gt_mmu_is_within(const struct gt_mmu *mmu, size_t function, int64_t start, int64_t end);
/* Builds a function, which is valid until the next one is built. */
gt_status gt_mmu_build(struct gt_mmu *mmu, size_t number, struct gt_mmu_function *function);

/*
 * Called with the mean over the window that starts at `time`, for every time at which the slope of
 * the mean changes: in between it is linear. Returns by how much the mean must fall before a time
 * is of interest: times that are too near for that may be left out. A negative number ends the
 * calls.
 */
typedef double gt_mmu_mean_fn(void *user_data, int64_t time, double mean);

/*
 * Sets `*minimum` to the lowest mean of all windows; `with_bands` also includes the windows beyond
 * the end that Go includes.
 */
gt_status gt_mmu_least(struct gt_mmu *mmu, int64_t window, bool with_bands, double *minimum);

/* Slides a window over a function. A window that is longer than the function is shortened. */
void gt_mmu_slide(const struct gt_mmu_function *function, int64_t window, gt_mmu_mean_fn *take,
                  void *user_data);

#endif
