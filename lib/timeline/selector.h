/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_SELECTOR_H
#define GT_TIMELINE_SELECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/timeline.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "timeline/pairs.h"

/* A task that an event mentioned. */
struct gt_selector_task {
    uint64_t id;
    struct gt_selector_task *parent;
    struct gt_selector_task *first_child;
    struct gt_selector_task *last_child;
    struct gt_selector_task *sibling; /* the next child of the same parent */
    bool has_start;
    bool has_end;
    int64_t start;
    int64_t end;
    bool has_goroutine;
    int64_t goroutine; /* the one that began the task, or else the first that took part in it */
    bool is_shown;
    size_t order; /* among the tasks shown, before they are sorted */
};

struct gt_selector {
    struct gt_mem mem;
    gt_selector_options options;
    uint32_t selection;
    uint64_t id;
    gt_status status;
    bool busy; /* in a call that may call the caller back */
    bool finished;
    uint64_t events;
    int64_t start; /* the first event's time */
    int64_t now;   /* the current event's time */

    /* With GT_SELECT_GOROUTINE: the properties of the goroutine. */
    bool is_found;
    bool has_run;
    bool has_ended;
    int64_t run_time; /* when it first ran */
    int64_t end_time;

    /*
     * With GT_SELECT_GOROUTINE, each pair is a goroutine and another one that unblocked it.
     * Otherwise each pair is a task and a goroutine that took part in it.
     */
    struct gt_tl_pairs pairs;
    struct gt_idmap tasks;
    struct gt_idmap region_depths; /* how many regions each goroutine is in */

    /* The result. */
    int64_t range_start;
    int64_t range_end;
    int64_t focus;
    struct gt_idmap rows; /* by goroutine: the round in which its row was added, plus 1 */
    GT_ARRAY(struct gt_selector_task *) shown; /* in the order of their rows */
};

/* These functions are in selector_task.c and implement the selection of tasks. */
gt_status gt_selector_take_task(struct gt_selector *selector, const gt_event *event);
gt_status gt_selector_finish_task(struct gt_selector *selector);

/* Adds the row of a goroutine, in the given round, unless it was added before. */
gt_status gt_selector_add_row(struct gt_selector *selector, int64_t goroutine, unsigned round);

#endif
