/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_TASKS_H
#define GT_TIMELINE_TASKS_H

#include <stdint.h>

#include <gotrace/event.h>

#include "base/idmap.h"
#include "base/pool.h"
#include "timeline/texts.h"

struct gt_timeline;
struct gt_tl_goroutine;

/* The end of a task's row, and who ended it. */
struct gt_tl_end {
    int64_t time;
    int64_t goroutine; /* 0 where the task did not end */
    uint32_t stack;
};

/* A task whose row is shown. */
struct gt_tl_task {
    struct gt_tl_task *next;
    struct gt_tl_task *previous;
    uint64_t id;
    uint64_t parent; /* GT_NO_TASK where it is not known */
    int64_t place;   /* among the rows of tasks */
    struct gt_tl_text *name;
    int has_start;
    int64_t start;
    int64_t start_goroutine;
    uint32_t start_stack;
    int has_end;
    struct gt_tl_end end;
};

/* A region that is open. */
struct gt_tl_region {
    struct gt_tl_region *next; /* the one around it */
    /* NULL for one that only says that the creator of the goroutine was in a region. */
    struct gt_tl_text *name;
    uint64_t task;
    int64_t start;
    int64_t goroutine;
    uint32_t stack;
};

/* Tasks and regions that are to be shown, if any. */
struct gt_tl_tasks {
    int has_tasks;
    int has_all_tasks;
    int has_regions;
    int has_all_regions;
    struct gt_idmap map;
    struct gt_pool pool;
    struct gt_tl_task *first;
    struct gt_tl_task *last;
    int64_t places;
    uint64_t first_begun; /* the least task that was seen to begin */
    struct gt_pool region_pool;
    /* Of goroutines that ended, where Go does not see that these did. */
    struct gt_tl_region *orphans;
};

/* Lays out the rows of the tasks selected. */
void gt_tl_tasks_open(struct gt_timeline *timeline);
void gt_tl_tasks_close(struct gt_timeline *timeline);

/* A TaskBegin or a TaskEnd. */
void gt_tl_task_changes(struct gt_timeline *timeline, const gt_event *event);

/* Draws what is open. */
void gt_tl_tasks_finish(struct gt_timeline *timeline);

/* regions.c. A RegionBegin or a RegionEnd. */
void gt_tl_region_changes(struct gt_timeline *timeline, const gt_event *event);

/* The goroutine `creator` has created `goroutine`. */
void gt_tl_regions_inherit(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                           int64_t creator);
/* `goroutine` ended by an event of the goroutine `ender`, and with it its regions. */
void gt_tl_regions_end(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                       int64_t ender);
/* Frees what is open, and draws nothing. */
void gt_tl_regions_free(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine);

void gt_tl_regions_finish(struct gt_timeline *timeline);

#endif
