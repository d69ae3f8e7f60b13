/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_TASKS_H
#define GT_TIMELINE_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

#include "base/idmap.h"
#include "base/pool.h"
#include "base/shared_text.h"

struct gt_timeline;
struct gt_tl_goroutine;

/* A task that is drawn, in a row of its own. */
struct gt_tl_task {
    struct gt_tl_task *next;
    struct gt_tl_task *previous;
    uint64_t id;
    uint64_t parent; /* GT_NO_TASK if it is not known */
    int64_t place;   /* its index among the rows of tasks */
    struct gt_shared_text *name;
    bool has_start;
    int64_t start;
    int64_t start_goroutine;
    uint32_t start_stack;
    bool has_end;
    int64_t end;
    int64_t end_goroutine; /* 0 if the task did not end */
    uint32_t end_stack;
};

/* A region that is open. */
struct gt_tl_region {
    struct gt_tl_region *next; /* the enclosing region */
    /* NULL for a placeholder, which only tells that the goroutine's creator was in a region. */
    struct gt_shared_text *name;
    uint64_t task;
    int64_t start;
    int64_t goroutine;
    uint32_t stack;
};

/* Tasks and regions, as far as they are to be drawn. */
struct gt_tl_tasks {
    bool has_tasks;
    bool has_all_tasks;
    bool has_regions;
    bool has_all_regions;
    struct gt_idmap map;
    struct gt_tl_task *first;
    struct gt_tl_task *last;
    int64_t next_place;
    uint64_t lowest_begun; /* the lowest id of a task that began in the trace */
    struct gt_pool region_pool;
    /* Regions that stay open although their goroutines have ended; see gt_tl_regions_end. */
    struct gt_tl_region *orphans;
};

/* Lays out the rows of the selected tasks. */
void gt_tl_tasks_open(struct gt_timeline *timeline);
void gt_tl_tasks_close(struct gt_timeline *timeline);

/* Handles the begin or the end of a task. */
void gt_tl_task_event(struct gt_timeline *timeline, const gt_event *event);

/* Draws the tasks that are still open. */
void gt_tl_tasks_finish(struct gt_timeline *timeline);

/* In regions.c: handles the begin or the end of a region. */
void gt_tl_region_event(struct gt_timeline *timeline, const gt_event *event);

/* Notes that the goroutine `creator` has created `goroutine`. */
void gt_tl_regions_inherit(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                           int64_t creator);

/* Ends the regions of a goroutine that ends with an event of the goroutine `ender`. */
void gt_tl_regions_end(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                       int64_t ender);

/* Frees a goroutine's regions without drawing them. */
void gt_tl_regions_free(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine);

/* Draws the regions that are still open. */
void gt_tl_regions_finish(struct gt_timeline *timeline);

#endif
