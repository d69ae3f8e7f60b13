/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_COMPARE_H
#define GT_ANALYSIS_COMPARE_H

#include <stdbool.h>

#include <gotrace/compare.h>

#include "analysis/compare/series.h"
#include "analysis/stackset.h"
#include "base/idmap.h"
#include "base/pool.h"
#include "base/switch.h"
#include "base/texts.h"

enum {
    GT_COMPARE_TIMES = GT_COMPARE_ASSIST + 1,
    /* The longest name of a stack in bytes. */
    GT_COMPARE_STACK_NAME = 4000
};

/* The times of a goroutine by measure. */
struct gt_compare_times {
    double by[GT_COMPARE_TIMES];
};

/* A region that is open on a goroutine. */
struct gt_compare_region {
    struct gt_compare_region *outer;
    int64_t begin;
    uint64_t task;
    uint32_t type;
    struct gt_compare_times times; /* those of the goroutine when it began */
    /* Those from which on its task does not have the time yet, from a region around it. */
    struct gt_compare_times given;
};

struct gt_compare_goroutine {
    int64_t id;
    int64_t since; /* when its state began */
    int64_t born;
    int64_t range_since;               /* when it began to help the collector */
    int64_t stop_since;                /* when it began to stop the world */
    struct gt_compare_region *regions; /* the innermost first */
    struct gt_compare_times times;     /* in its life so far, without its current state */
    uint32_t state;                    /* a gt_go_state */
    uint32_t group;                    /* the text of its start function */
    uint32_t reason;                   /* the text of why it waits */
    uint32_t stack;                    /* the text of where it stopped last, or 0 */
    uint32_t stop_cause;               /* a text */
    bool is_named;
    bool is_system;
    bool is_of_tracing;  /* what tracing itself needs is no property of the program */
    bool is_idle_worker; /* of the collector: it runs only because the proc has nothing to do */
    bool has_birth;      /* it was created in the trace */
    bool is_measured;    /* its state began in the trace */
    bool assists;
    bool stops;
};

struct gt_compare_task {
    int64_t begin;
    int64_t goroutine; /* on which it began */
    uint32_t type;
    bool has_times;
    struct gt_compare_times before; /* those of that goroutine when it began */
    struct gt_compare_times times;  /* in its regions on other goroutines */
};

/* Stacks are tested apart, because there are many of them. */
enum gt_compare_family {
    GT_COMPARE_OF_NAMES,
    GT_COMPARE_OF_STACKS,
    GT_COMPARE_FAMILIES
};

/* A difference that is being tested. */
struct gt_compare_row {
    gt_compare_difference difference;
    uint32_t series; /* its number */
    double chance;   /* the probability of such a difference if nothing differs */
    double factor;   /* by which the figures differ at least */
    bool matters;
};

struct gt_compare {
    struct gt_mem mem;
    gt_compare_options options;
    gt_status failure; /* the first failure, which every later call returns as well */
    bool busy;         /* a call is in progress */
    bool begun;        /* gt_compare_begin was called for the current trace */
    bool in_trace;     /* and the trace has had events */
    bool finished;
    uint32_t side;
    const gt_event *event;    /* the current one */
    struct gt_reader *reader; /* that it is of; NULL: of none */
    uint64_t events;
    uint32_t traces[GT_COMPARE_SIDES];
    struct gt_texts texts;
    struct gt_compare_set set;
    /* Of the current trace. */
    struct gt_stackset stacks;
    GT_ARRAY(uint32_t) stack_names; /* the texts of stacks by their number, or 0 */
    char stack_name[GT_COMPARE_STACK_NAME];
    struct gt_idmap goroutines;
    struct gt_switch switched;
    struct gt_idmap tasks;
    struct gt_pool region_pool;
    bool is_marking;
    int64_t mark_since;
    bool has_heap;
    uint64_t heap;
    /* The result. */
    GT_ARRAY(struct gt_compare_row) rows;
    GT_ARRAY(uint32_t) order; /* of the rows */
    uint64_t tested[GT_COMPARE_FAMILIES];
    uint64_t *counts; /* of all buckets, for quantiles */
};

/* Each of these takes in an event of its kind. */
gt_status gt_compare_transition(struct gt_compare *compare, const gt_event *event);
gt_status gt_compare_task_event(struct gt_compare *compare, const gt_event *event);
gt_status gt_compare_region_begin(struct gt_compare *compare, const gt_event *event);
gt_status gt_compare_region_end(struct gt_compare *compare, const gt_event *event);
gt_status gt_compare_range(struct gt_compare *compare, const gt_event *event);
gt_status gt_compare_metric(struct gt_compare *compare, const gt_event *event);
gt_status gt_compare_label(struct gt_compare *compare, const gt_event *event);

/* Makes a stack the one at which the goroutine stops, if it is known. */
gt_status gt_compare_stack_take(struct gt_compare *compare, struct gt_compare_goroutine *goroutine,
                                gt_stack stack);

/* Counts the time since the goroutine entered its state for the stack at which it stopped. */
gt_status gt_compare_stack_leave(struct gt_compare *compare,
                                 const struct gt_compare_goroutine *goroutine, uint32_t measure);

/* The times of a goroutine until now. */
void gt_compare_times_get(const struct gt_compare *compare,
                          const struct gt_compare_goroutine *goroutine,
                          struct gt_compare_times *times);

/* Counts the times of one task or region, or of one goroutine, by measure. */
gt_status gt_compare_times_add(struct gt_compare *compare, uint32_t subject, uint32_t name,
                               const struct gt_compare_times *times);

/* Counts what lasts at the end of the trace, and forgets the goroutines. */
gt_status gt_compare_goroutines_end(struct gt_compare *compare);

/* Closes all regions of a goroutine. */
void gt_compare_regions_drop(struct gt_compare *compare, struct gt_compare_goroutine *goroutine);

static inline struct gt_compare_goroutine *
gt_compare_goroutine_get(const struct gt_compare *compare, int64_t id)
{
    return gt_idmap_get(&compare->goroutines, (uint64_t) id);
}

/* Counts a duration that has ended now, of one task, region or goroutine. */
gt_status gt_compare_ended(struct gt_compare *compare, uint32_t subject, uint32_t name,
                           int64_t begin);

/* Computes the differences of all series. */
gt_status gt_compare_all(struct gt_compare *compare);

#endif
