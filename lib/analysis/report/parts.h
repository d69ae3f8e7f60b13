/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_REPORT_PARTS_H
#define GT_ANALYSIS_REPORT_PARTS_H

/*
 * What a report keeps for each group of findings, which a file of the same name counts from the
 * events and turns into findings at the end.
 */

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

#include "analysis/report/found.h"
#include "base/array.h"
#include "base/idmap.h"
#include "base/pool.h"

struct gt_report;
struct gt_report_change;
struct gt_report_goroutine;

/* How many goroutines run and wait for a proc, and for how long that was so. */
struct gt_report_cpu {
    uint64_t procs;
    uint64_t running;
    uint64_t runnable;
    int64_t since;     /* until when the times below are counted */
    int64_t saturated; /* as many goroutines as procs ran, and others were runnable */
    double proc_time;  /* of all procs that there could be, as far as that is known */
    bool is_saturated;
    int64_t saturated_since;
    struct gt_report_span saturated_longest;
};

/* Counts the time until now. Must be called before anything in the structure changes. */
void gt_report_cpu_advance(struct gt_report *report);

void gt_report_cpu_change(struct gt_report *report, const struct gt_report_change *change);

gt_status gt_report_cpu_set_procs(struct gt_report *report, uint64_t procs);

/* Asks the reader for GOMAXPROCS, where no event tells it at first, since goroutines run now. */
gt_status gt_report_cpu_first_procs(struct gt_report *report);

/*
 * The time of all procs that there could be, until now. Where the trace does not tell how many
 * there could be, as many as have run at once.
 */
double gt_report_proc_time(const struct gt_report *report);

gt_status gt_report_cpu_find(struct gt_report *report);

/* Counts the time from runnable to running, and finds the groups in which it is long. */
gt_status gt_report_latency_add(struct gt_report *report,
                                const struct gt_report_goroutine *goroutine);
gt_status gt_report_latency_find(struct gt_report *report);

/* The goroutines that wait at one stack for a lock. */
struct gt_report_queue {
    uint32_t stack;
    uint32_t group; /* of the last goroutine that came */
    uint64_t waiting;
    uint64_t served;     /* those that have left since the queue was empty */
    int64_t served_last; /* when the last one of them has left */
    int64_t since;       /* since when it has not been empty */
    int64_t time;        /* in convoys */
    uint64_t convoys;
    struct gt_report_span longest; /* convoy; the goroutine is the last one in it */
};

struct gt_report_blocking {
    GT_ARRAY(struct gt_report_queue) queues;
};

/* A goroutine begins to wait for a lock. */
gt_status gt_report_lock_enter(struct gt_report *report,
                               const struct gt_report_goroutine *goroutine);

/* Counts the time of its wait until now; `waker` is where another goroutine ended it, or 0. */
gt_status gt_report_lock_add(struct gt_report *report, const struct gt_report_goroutine *goroutine,
                             uint32_t waker);

/* Its wait has ended, so the queue is one shorter. */
gt_status gt_report_lock_leave(struct gt_report *report,
                               const struct gt_report_goroutine *goroutine);

/* A goroutine leaves a system call for the state `to`. */
gt_status gt_report_syscall_add(struct gt_report *report,
                                const struct gt_report_goroutine *goroutine, uint32_t to);
gt_status gt_report_syscall_find(struct gt_report *report);

/* A goroutine stops running, at this stack of the current event. */
gt_status gt_report_run_add(struct gt_report *report, const struct gt_report_goroutine *goroutine,
                            gt_stack stack);
gt_status gt_report_run_find(struct gt_report *report);

gt_status gt_report_lock_find(struct gt_report *report);
gt_status gt_report_convoy_find(struct gt_report *report);

/* Stops of the world for one cause. */
struct gt_report_stop {
    uint32_t cause; /* the text */
    /* The longest time for which a goroutine ran on that had to stop. */
    struct gt_report_span held;
    uint32_t held_group; /* the number */
    uint32_t held_stack; /* at which it stopped */
    uint64_t held_count;
    uint32_t stack; /* of the longest one, as is the next */
    uint32_t group; /* the text */
    uint64_t count;
    int64_t time;
    struct gt_report_span longest;
};

struct gt_report_collector {
    int64_t marking; /* of workers that take a proc from the program */
    int64_t assisting;
    int64_t sweeping;
    struct gt_idmap sweeps; /* by proc: the struct gt_report_sweep that is open */
    /* The goroutine that has stopped running last while the world was to stop. */
    struct gt_report_span holder;
    uint32_t holder_group;
    uint32_t holder_stack;
    GT_ARRAY(struct gt_report_stop) stops;
    GT_ARRAY(uint32_t) stop_of_text; /* the number of the stop plus 1, by its cause */
    uint64_t cycles;
    bool is_marking;
    int64_t cycle_since;
    struct gt_report_span longest_cycle;
    uint64_t goal; /* the largest goal of the heap */
};

struct gt_report_sweep {
    int64_t since;
};

gt_status gt_report_range(struct gt_report *report, const gt_event *event);
gt_status gt_report_label(struct gt_report *report, const gt_event *event);
gt_status gt_report_metric(struct gt_report *report, const gt_event *event);

/* The goroutine stops running, which it did since `since`. */
void gt_report_run_leave(struct gt_report *report, struct gt_report_goroutine *goroutine,
                         int64_t since);

/* The goroutine stops running, at this stack of the current event, while the world is to stop. */
gt_status gt_report_stop_hold(struct gt_report *report, const struct gt_report_goroutine *goroutine,
                              gt_stack stack);

/* Whether the world had to wait for long for a goroutine that would not stop. */
bool gt_report_stops_were_held(const struct gt_report *report);

/* The goroutine has had nothing more to mark since `time`. */
void gt_report_mark_end(struct gt_report_goroutine *goroutine, int64_t time);

gt_status gt_report_collector_find(struct gt_report *report);

/* The current event makes a goroutine runnable that waited. */
gt_status gt_report_wake_add(struct gt_report *report, struct gt_report_goroutine *woken);
gt_status gt_report_storm_find(struct gt_report *report);

/* A goroutine whose wait for the network has ended starts to run. */
gt_status gt_report_network_add(struct gt_report *report,
                                const struct gt_report_goroutine *goroutine);
gt_status gt_report_network_find(struct gt_report *report);

/* Whether a goroutine has a task, or has waited for the network. */
bool gt_report_is_serving(const struct gt_report_goroutine *goroutine);

/* Counts the wait of such a goroutine for a channel; see gt_report_lock_add. */
gt_status gt_report_channel_add(struct gt_report *report,
                                const struct gt_report_goroutine *goroutine, uint32_t waker);
gt_status gt_report_channel_find(struct gt_report *report);

enum {
    /* The most tasks and the most regions that can be open. Further ones are not looked at. */
    GT_REPORT_OPEN = 1 << 17
};

struct gt_report_task {
    int64_t since;
    int64_t goroutine; /* that began it */
    uint32_t group;    /* of that, the number */
    uint32_t type;     /* the text */
    uint32_t stack;
};

/* A region that is open. */
struct gt_report_region {
    struct gt_report_region *outer;
    uint64_t task;
    int64_t since;
    uint32_t type;
    uint32_t stack;
    bool is_of_task;
};

struct gt_report_tasks {
    struct gt_idmap open;
    size_t open_count;
    struct gt_pool regions;
    size_t region_count; /* those that are open */
};

void gt_report_tasks_init(struct gt_report *report);
void gt_report_tasks_free(struct gt_report *report);
gt_status gt_report_task_event(struct gt_report *report, const gt_event *event);
gt_status gt_report_region_event(struct gt_report *report, const gt_event *event);

/* A goroutine ends, and its regions with it. */
void gt_report_regions_drop(struct gt_report *report, struct gt_report_goroutine *goroutine);

gt_status gt_report_outlier_find(struct gt_report *report);

/* The goroutines of the program that are runnable, and the time for which one was beside an idle
 * proc. */
struct gt_report_idle {
    struct gt_report_goroutine *first;
    struct gt_report_goroutine *last;
    uint64_t procs_running;
    uint64_t procs_most; /* that have run at once */
    uint64_t stops;      /* how many goroutines are stopping the world */
    int64_t since;       /* until when it is known whether a goroutine waited for too long */
    bool is_open;        /* one does, since the start of the span */
    struct gt_report_span open;
    uint32_t open_group;
    uint32_t open_stack;
};

/* Must be called before anything in the structure changes, and the next one after that. */
void gt_report_idle_advance(struct gt_report *report);
gt_status gt_report_idle_update(struct gt_report *report);

/* A goroutine becomes runnable, or is no longer so. */
void gt_report_idle_enter(struct gt_report *report, struct gt_report_goroutine *goroutine);
gt_status gt_report_idle_leave(struct gt_report *report, struct gt_report_goroutine *goroutine);

gt_status gt_report_idle_proc(struct gt_report *report, const gt_transition *change);
gt_status gt_report_idle_stop(struct gt_report *report, bool begins);
gt_status gt_report_idle_find(struct gt_report *report);

enum {
    GT_REPORT_PHASES = 20
};

/* Gaps without events. */
struct gt_report_phase {
    uint64_t count;
    int64_t time;
    struct gt_report_span longest;
};

struct gt_report_gaps {
    uint64_t count;
    double squares;                                  /* the sum of the squares of their times */
    struct gt_report_phase phases[GT_REPORT_PHASES]; /* by the part of a period in which they end */
    struct gt_report_phase stops;                    /* those in which all seems to stand still */
};

void gt_report_gaps_init(struct gt_report *report);

/* The next event comes at `end`. */
void gt_report_gap_add(struct gt_report *report, int64_t end);
gt_status gt_report_gaps_find(struct gt_report *report);

struct gt_report_health {
    uint64_t syncs;
    uint64_t yields; /* of collections that the program has asked for */
    uint64_t repairs;
    uint64_t steps; /* of the wall clock */
    bool has_clock;
    double wall; /* one moment on two clocks */
    int64_t trace;
    struct gt_report_span step; /* within which the clock was set */
};

gt_status gt_report_sync(struct gt_report *report, const gt_event *event);

/*
 * The current event yields a proc, at this stack. A call of runtime.GC does so thousands of times,
 * until all is swept, and these are no events that the program has asked for.
 */
gt_status gt_report_yield_add(struct gt_report *report, gt_stack stack);
gt_status gt_report_health_find(struct gt_report *report);

enum {
    GT_REPORT_BINS = 64
};

/* Goroutines that were created at one stack. */
struct gt_report_creation {
    uint32_t stack;
    uint32_t group; /* the number of that of the last one */
    uint64_t count;
    uint64_t brief; /* those that were soon at their end once they ran */
    struct gt_report_span brief_last;
    int64_t last; /* the id of the last one, and when it was created */
    int64_t last_time;
    uint64_t left;               /* counted at the end: those that will hardly end */
    bool is_growing;             /* told at the end: there are more and more of them */
    int64_t net[GT_REPORT_BINS]; /* created less ended, by time */
};

struct gt_report_creations {
    GT_ARRAY(struct gt_report_creation) list;
    unsigned shift; /* a bin takes 2^shift nanoseconds, which doubles as the trace goes on */
};

/* A goroutine is created, by the current event. */
gt_status gt_report_creation_add(struct gt_report *report, struct gt_report_goroutine *goroutine);

/* A goroutine ends. */
void gt_report_creation_end(struct gt_report *report, const struct gt_report_goroutine *goroutine);

gt_status gt_report_churn_find(struct gt_report *report);
gt_status gt_report_growth_find(struct gt_report *report);
gt_status gt_report_stuck_find(struct gt_report *report);

#endif
