/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_SELECTOR_H
#define GT_TIMELINE_SELECTOR_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/timeline.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "timeline/pairs.h"

/* A task that events spoke of. */
struct gt_selected {
    uint64_t id;
    struct gt_selected *parent;
    struct gt_selected *child; /* the first, ... */
    struct gt_selected *last_child;
    struct gt_selected *sibling; /* ... and the next of the same parent */
    int has_start;
    int has_end;
    int64_t start;
    int64_t end;
    /* Who began it, or else who is the first to have had to do with it. */
    int has_goroutine;
    int64_t goroutine;
    int is_shown;
    size_t order; /* among the tasks shown, before they are sorted */
};

struct gt_selector {
    struct gt_mem mem;
    uint32_t selection;
    uint64_t id;
    gt_status status;
    int busy;
    int finished;
    uint64_t events;
    int64_t start;
    int64_t now;
    /* GT_SELECT_GOROUTINE. */
    int is_found;
    int has_run;
    int has_ended;
    int64_t run_time;
    int64_t end_time;
    /* Who was unblocked by whom; or which task has to do with which goroutine. */
    struct gt_tl_pairs pairs;
    struct gt_idmap tasks;
    struct gt_pool task_pool;
    struct gt_idmap depths; /* of goroutines: how many regions they are in */
    /* What came of it. */
    int64_t range_start;
    int64_t range_end;
    int64_t focus;
    struct gt_idmap rows;       /* of goroutines: the round that added it, plus 1 */
    struct gt_selected **shown; /* in the order of their rows */
    size_t shown_count;
    size_t shown_capacity;
};

/* selector_task.c */
gt_status gt_selector_take_task(struct gt_selector *selector, const gt_event *event);
gt_status gt_selector_finish_task(struct gt_selector *selector);

/* Adds a row that is shown, in the how manieth round. */
gt_status gt_selector_add_row(struct gt_selector *selector, int64_t goroutine, unsigned round);

#endif
