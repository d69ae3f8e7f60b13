/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_REPORT_H
#define GT_ANALYSIS_REPORT_H

#include <stdbool.h>

#include <gotrace/report.h>

#include "analysis/durations.h"
#include "analysis/report/found.h"
#include "analysis/report/kinds.h"
#include "analysis/report/parts.h"
#include "analysis/report/tally.h"
#include "analysis/stackset.h"
#include "base/idmap.h"
#include "base/switch.h"
#include "base/texts.h"

/* What a goroutine waits for, by the reason or, before the trace, by the stack. */
enum gt_wait_kind {
    GT_WAIT_UNKNOWN,
    GT_WAIT_OTHER,
    GT_WAIT_LOCK,
    GT_WAIT_SYNC, /* sync.WaitGroup and the like, where nobody holds anything */
    GT_WAIT_COND,
    GT_WAIT_SEND,    /* to a channel */
    GT_WAIT_CHANNEL, /* to receive, or in a select */
    GT_WAIT_NETWORK,
    GT_WAIT_SLEEP,
    GT_WAIT_MARK_DONE, /* to end a phase of marking, which one goroutine can at a time */
    GT_WAIT_COLLECTION /* in runtime.GC */
};

/* Goroutines that start with the same function. Times saturate. */
struct gt_report_group {
    uint32_t text; /* the function */
    bool is_system;
    bool is_worker;  /* of the garbage collector */
    bool is_tracing; /* it writes the trace */
    bool is_host;    /* while it runs, a JavaScript host has control, and the program is idle */
    bool is_blocked; /* on channels, which is known at the end */
    int64_t time;    /* in all states */
    int64_t running;
    int64_t runnable;
    int64_t locked; /* in waits for locks */
    int64_t assist; /* part of `running` */
    uint64_t assists;
    uint64_t runs;               /* how often a goroutine stopped running */
    struct gt_durations latency; /* from runnable to running */
    struct gt_report_span latest;
    struct gt_report_span longest_assist;
};

/* What is known of a stack, by its number. The numbers of other things are one more than those. */
struct gt_report_place {
    uint32_t group_plus_1;
    uint32_t queue_plus_1;
    uint32_t creation_plus_1;
    uint8_t wait;     /* an enum gt_wait_kind, or GT_WAIT_UNKNOWN before it was asked for */
    bool is_stuck;    /* the goroutines that wait here to the end are told as stuck */
    bool has_moved;   /* a wait here has ended */
    int64_t moved_at; /* the last one then */
};

struct gt_report_goroutine {
    int64_t id;
    int64_t since;            /* when its state began */
    int64_t run_first;        /* when it ran first, if it was created in the trace */
    int64_t saturated_before; /* how long the procs were saturated before it ran */
    int64_t assist_since;
    int64_t mark_until; /* when it had nothing more to mark, if that is known; or INT64_MAX */
    int64_t stop_since; /* when it began to stop the world */
    struct gt_report_goroutine *ready_before; /* in the list of those that are runnable */
    struct gt_report_goroutine *ready_after;
    /* The goroutines that it has made runnable since it began to run or to wake others. */
    uint64_t burst;      /* the number of these wakeups */
    uint64_t woken_in;   /* the number of those in which it was woken itself */
    int64_t wakes_since; /* when the first of these wakeups was */
    int64_t wakes_last;
    uint32_t wakes;
    bool is_storm;                   /* the burst was counted as one */
    uint32_t tasks;                  /* that it has begun and that are open */
    uint32_t task_regions;           /* the regions of tasks that are open */
    uint32_t regions_left_out;       /* those that are open and not in the list */
    struct gt_report_region *region; /* the innermost one */
    uint32_t state;                  /* a gt_go_state */
    uint32_t group;
    uint32_t stack;      /* where it waits, or waited before it became runnable */
    uint32_t creation;   /* the number of what created it plus 1, or 0 */
    uint32_t stop_cause; /* the text */
    uint32_t stop_stack;
    uint8_t wait; /* an enum gt_wait_kind */
    bool is_named;
    bool is_in_host;     /* it runs, and so the program does not */
    bool is_idle_worker; /* it marks only because the proc has nothing else to do */
    bool assists;
    bool stops;
    bool is_ready;       /* it is in the list of those that are runnable */
    bool is_networked;   /* it has waited for the network */
    bool is_network_due; /* it is runnable after such a wait */
};

struct gt_report {
    struct gt_mem mem;
    gt_report_options options;
    gt_status failure; /* the first failure, which every later call returns as well */
    bool busy;         /* a call is in progress */
    bool finished;
    const gt_event *event;    /* the current one */
    struct gt_reader *reader; /* that it is of; NULL: of none */
    uint64_t events;
    uint64_t bursts;          /* of wakeups */
    uint64_t goroutine_count; /* all that there were */
    uint64_t alive;           /* those that there are */
    int64_t start;
    int64_t now;
    uint64_t secret;
    double limits[GT_LIMITS];
    struct gt_texts texts;
    struct gt_stackset stacks;
    GT_ARRAY(struct gt_report_place) places;
    GT_ARRAY(struct gt_report_group) groups;
    GT_ARRAY(uint32_t) group_of_text; /* the group's number plus 1 */
    struct gt_pool octaves;
    struct gt_idmap goroutines;
    struct gt_switch switched;
    struct gt_report_tallies tallies;
    struct gt_report_cpu cpu;
    struct gt_report_idle idle;
    struct gt_report_gaps gaps;
    struct gt_report_health health;
    int64_t sync_last; /* when the last Sync was */
    struct gt_report_blocking blocking;
    struct gt_report_collector collector;
    struct gt_report_creations creations;
    struct gt_report_tasks tasks;
    struct gt_report_findings findings;
};

/* A change of a goroutine's state at report->now. */
struct gt_report_change {
    uint32_t from;
    uint32_t to;
    bool is_in_host; /* if it ran, a JavaScript host had control */
    bool is_to_host; /* if it will run, one will have control */
};

gt_status gt_report_transition(struct gt_report *report, const gt_event *event);

/* Counts the time of the states in which goroutines are at the end. */
gt_status gt_report_goroutines_finish(struct gt_report *report);

static inline struct gt_report_goroutine *gt_report_goroutine_get(const struct gt_report *report,
                                                                  int64_t id)
{
    return gt_idmap_get(&report->goroutines, (uint64_t) id);
}

static inline struct gt_report_group *
gt_report_group_of(const struct gt_report *report, const struct gt_report_goroutine *goroutine)
{
    return &report->groups.items[goroutine->group];
}

/* Sets `*number` to the number of a stack of the current event, which has a place then. */
gt_status gt_report_stack_number(struct gt_report *report, gt_stack stack, uint32_t *number);

/* The start function of the workers of the garbage collector. */
#define GT_REPORT_MARK_WORKER "runtime.gcBgMarkWorker"

/* Sets `*number` to the number of the group that starts with a function. */
gt_status gt_report_group_named(struct gt_report *report, gt_string function, uint32_t *number);

/* Sets `*number` to the number of the group that starts with the function at the root of a stack.
 */
gt_status gt_report_group_number(struct gt_report *report, uint32_t stack, uint32_t *number);

/* What a goroutine waits for that is at the stack with this number. */
enum gt_wait_kind gt_report_wait_at(struct gt_report *report, uint32_t stack);

/* The same, if the reason is known. */
enum gt_wait_kind gt_report_wait_kind(struct gt_report *report, gt_string reason, uint32_t stack);

/*
 * Whether a goroutine has waited all the time at the end for what others have to do soon: to
 * release a lock, or to receive what it sends. Those that receive or select may be idle, as the
 * connections of a pool, workers without work and subscribers are, and no trace tells these from
 * others.
 */
bool gt_report_is_stuck(struct gt_report *report, const struct gt_report_goroutine *goroutine);

/* Whether a wait is for a channel. */
static inline bool gt_report_is_for_channel(const struct gt_report_goroutine *goroutine)
{
    return goroutine->wait == GT_WAIT_CHANNEL || goroutine->wait == GT_WAIT_SEND;
}

/* The time of all goroutines in all states. */
double gt_report_all_time(const struct gt_report *report);

/* How often something happened in a second that was so often in the trace. */
double gt_report_rate(const struct gt_report *report, uint64_t count);

/* How long the trace has lasted, at least 1. */
int64_t gt_report_duration(const struct gt_report *report);

/*
 * `part` of `whole`, in percent: at most 100, as a trace that was damaged, cut or made may tell of
 * things that overlap though they cannot.
 */
double gt_report_percent(double part, double whole);

#endif
