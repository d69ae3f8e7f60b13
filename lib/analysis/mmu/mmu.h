/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_MMU_H
#define GT_ANALYSIS_MMU_H

#include <gotrace/mmu.h>

#include "base/idmap.h"
#include "base/mem.h"

enum {
    /* Procs from here on are not looked at: a trace may claim that there are any number. */
    GT_MMU_PROCS = 4096,

    /* What a goroutine does, as far as it matters. */
    GT_MMU_EXECUTES = 1 << 0,
    GT_MMU_ASSISTS = 1 << 1,
    GT_MMU_WORKS = 1 << 2
};

struct gt_mmu_proc {
    int64_t busy;   /* how many things on it are the collector's */
    int32_t series; /* its number, or -1 while nothing was ever the collector's */
};

/* Procs that came to be at once: `first` and all behind it, up to the next run's. */
struct gt_mmu_run {
    int64_t start;
    uint64_t first;
};

/* A proc becomes the collector's, or ceases to be. */
struct gt_mmu_toggle {
    int64_t time;
    int32_t next; /* of the same proc; -1: none */
    int32_t busy;
};

/* With GT_MMU_PER_PROC: what is known of a proc from `start` to `end`. */
struct gt_mmu_row {
    int64_t start;
    int64_t end;
    int32_t first; /* toggle; -1: none */
    int32_t last;
    uint32_t procs; /* that it is true of: more than one only without toggles */
};

/* How many procs there were from when on. */
struct gt_mmu_procs {
    int64_t time;
    uint64_t count;
};

struct gt_mmu {
    struct gt_mem mem;
    uint64_t flags;
    gt_status failure; /* GT_OK until memory runs out */
    int finished;
    uint64_t syncs;
    int64_t time; /* of the last event */
    int noted;    /* nothing changed since what is known of that time was noted */
    uint64_t proc_count;
    struct gt_mmu_proc procs[GT_MMU_PROCS];
    /* A bit for each proc that is in use in `procs`. Counts of procs cost nothing by themselves. */
    uint64_t touched[GT_MMU_PROCS / 64];
    struct gt_mmu_run *runs;
    size_t run_count, run_capacity;
    uint64_t busy_procs;        /* with GC, of those that are there */
    int64_t stopped;            /* how many times the world is stopped */
    struct gt_idmap goroutines; /* those that do anything: GT_MMU_EXECUTES and so on */
    size_t goroutine_count;

    /* Of all procs together: changes, ... */
    gt_utilization *points;
    size_t point_count, point_capacity;
    double last; /* the value of the last one, late ones counted in */
    /* ... how many of them there were each time that something shows to have been all along, ... */
    size_t *late;
    size_t late_count, late_capacity;
    /* ... and numbers of procs. */
    struct gt_mmu_procs *changes;
    size_t change_count, change_capacity;

    /* Of each proc. */
    struct gt_mmu_row *rows;
    size_t row_count, row_capacity;
    struct gt_mmu_toggle *toggles;
    size_t toggle_count, toggle_capacity;
    struct gt_mmu_toggle *stops; /* the same for the world; `next` is not used */
    size_t stop_count, stop_capacity;

    /* One function put together from a row; see gt_mmu_build. */
    gt_utilization *built;
    size_t built_count, built_capacity;
};

/* What an event does that matters: a transition, or another. */
gt_status gt_mmu_transition(struct gt_mmu *mmu, const gt_event *event);
gt_status gt_mmu_other(struct gt_mmu *mmu, const gt_event *event);

/* In the first generation ranges can show to have been there since the trace began. */
static inline int gt_mmu_may_be_late(const struct gt_mmu *mmu)
{
    return mmu->syncs <= 1;
}

/* Whether it must be known of each goroutine if it executes. */
static inline int gt_mmu_follows_all(const struct gt_mmu *mmu)
{
    return mmu->flags & GT_MMU_ASSIST && gt_mmu_may_be_late(mmu);
}

static inline unsigned gt_mmu_what_does(const struct gt_mmu *mmu, int64_t id)
{
    return (unsigned) gt_idmap_get_number(&mmu->goroutines, (uint64_t) id);
}

/* Changes what a goroutine does from `before`, and forgets it once that is nothing. */
gt_status gt_mmu_set_does(struct gt_mmu *mmu, int64_t id, unsigned before, unsigned does);

/* Recording: what an event changes, in the order of events. */
gt_status gt_mmu_set_procs(struct gt_mmu *mmu, uint64_t count);
gt_status gt_mmu_change_busy(struct gt_mmu *mmu, int64_t proc, int change);
gt_status gt_mmu_change_stopped(struct gt_mmu *mmu, int change);
/* One more proc was the collector's since the trace began. */
gt_status gt_mmu_add_late(struct gt_mmu *mmu);
/* Notes the utilisation of all procs from now on. */
gt_status gt_mmu_note(struct gt_mmu *mmu);
gt_status gt_mmu_end(struct gt_mmu *mmu);

/* How many functions there are, and the one of a number, with how many procs it is true of. */
size_t gt_mmu_function_count(const struct gt_mmu *mmu);
/* Whether that is known to be within a time without putting the function together. */
int gt_mmu_is_within(const struct gt_mmu *mmu, size_t function, int64_t start, int64_t end);
gt_status gt_mmu_build(struct gt_mmu *mmu, size_t function, const gt_utilization **points,
                       size_t *count, uint32_t *procs);

/*
 * Told of the mean over the window that begins at `time`, at all times where its
 * change over time bends: between two such times it is linear. Returns how much the
 * mean must fall for a time to be of interest: up to where it cannot have fallen so
 * far, times are left out. A negative number ends it.
 */
typedef double gt_mmu_mean_fn(void *user_data, int64_t time, double mean);

/* Slides a window of that length, or of the function's where that is less, over it. */
void gt_mmu_slide(const gt_utilization *points, size_t count, int64_t window, gt_mmu_mean_fn *take,
                  void *user_data);

#endif
