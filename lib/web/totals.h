/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TOTALS_H
#define GT_WEB_TOTALS_H

/*
 * The result of an analysis by gt_summary: what goroutines, regions and tasks spent their time
 * on. All times are nanoseconds since the start of the trace, except `start` in struct gt_totals.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/summary.h>

#include "base/array.h"
#include "base/idmap.h"
#include "web/analysis.h"
#include "web/dictionary.h"
#include "web/distribution.h"
#include "web/histogram.h"
#include "web/pack.h"
#include "web/record.h"

enum {
    GT_TOTALS_PERCENTILES = 3,
    /* A further type is treated as if memory had run out. */
    GT_TOTALS_REGION_TYPES_MAX = 1 << 22
};

extern const unsigned int gt_totals_percents[GT_TOTALS_PERCENTILES];

/* Goroutines that have the same start function. */
struct gt_totals_group {
    gt_string name; /* one of the totals' names */
    uint64_t pc;
    /* Sums over all goroutines, in nanoseconds. Computed by gt_totals_finish_groups. */
    size_t count;
    int64_t sums[GT_RECORD_TIMES];
    /*
     * The records, each a struct gt_record_goroutine, in the order in which the goroutines ended.
     */
    struct gt_pack records;
    int64_t percentiles[GT_RECORD_TIMES][GT_TOTALS_PERCENTILES];
};

/* The distribution of the durations of regions or tasks. */
struct gt_totals_lengths {
    uint64_t count;
    struct gt_histogram histogram;
    int64_t percentiles[GT_TOTALS_PERCENTILES];
    int64_t most;
};

/* Regions of one type that begin at one place. Texts are ids in `names`. */
struct gt_totals_region_type {
    uint32_t type, function, file;
    uint64_t pc, line;
    /* The records, each a struct gt_record_region, in the order in which the regions ended. */
    struct gt_pack records;
    struct gt_totals_lengths lengths;
};

/* Tasks of one name. */
struct gt_totals_task_type {
    uint32_t name;
    uint64_t count;
    /* The durations of the tasks that are complete. */
    struct gt_totals_lengths lengths;
};

struct gt_totals_task {
    uint64_t id;
    uint64_t parent;
    uint32_t name;
    bool has_begin, has_end;
    /*
     * The number + 1 of the task's last child, and of the child before this one of the same
     * parent. 0 means none.
     */
    uint32_t last_child, previous_sibling;
    int64_t begin, end;
    uint64_t regions;
    /* The offset of the task's last event in totals.events, + 1. 0 means none. */
    uint64_t last_event;
    struct gt_record_place last_region;
};

struct gt_totals {
    struct gt_mem *mem;
    /*
     * Whether there was an event, the time of the first one, and the time from that to the last
     * one.
     */
    bool begun;
    int64_t start;
    int64_t end;
    struct gt_dictionary names;
    GT_ARRAY(struct gt_totals_group) groups;
    /* Indexed by the number of a name: the number of its group + 1, or 0 if it has none. */
    GT_ARRAY(uint32_t) group_numbers;
    /* Maps the properties of a region to its type. It is empty once the analysis is complete. */
    struct gt_dictionary region_keys;
    GT_ARRAY(struct gt_totals_region_type) region_types;
    struct gt_idmap task_ids;
    GT_ARRAY(struct gt_totals_task) tasks;
    GT_ARRAY(struct gt_totals_task_type) task_types;
    /* The begins, ends and logs of tasks; see struct gt_totals_event. */
    struct gt_pack events;
};

enum gt_totals_event_kind {
    GT_TOTALS_TASK_BEGIN,
    GT_TOTALS_TASK_END,
    GT_TOTALS_LOG
};

struct gt_totals_event {
    enum gt_totals_event_kind kind;
    int64_t time;
    int64_t goroutine;
    /* The offset of the previous event of the same task, + 1. 0 means none. */
    uint64_t previous;
    /* Set for logs only. `category` is an id in `names`. */
    uint32_t category;
    gt_string message;
};

/* The kind of the analysis. Its key is empty. */
extern const struct gt_analysis_kind gt_totals_kind;

/*
 * The functions below fill the totals while the trace is read. Goroutines, regions and tasks each
 * have their own file. All that return bool return false if memory runs out.
 */

bool gt_totals_add_goroutine(struct gt_totals *totals, const gt_goroutine_summary *goroutine);
bool gt_totals_finish_groups(struct gt_totals *totals);
void gt_totals_free_groups(struct gt_totals *totals);

bool gt_totals_add_region(struct gt_totals *totals, const gt_region_summary *region);
bool gt_totals_finish_regions(struct gt_totals *totals);
void gt_totals_free_regions(struct gt_totals *totals);

/*
 * Returns the number of the task + 1, and adds the task if it is new. Returns 0 if memory runs
 * out.
 */
uint32_t gt_totals_task_number(struct gt_totals *totals, uint64_t id);
bool gt_totals_add_task(struct gt_totals *totals, const gt_task_summary *task);
bool gt_totals_add_event(struct gt_totals *totals, const gt_event *event);
bool gt_totals_finish_tasks(struct gt_totals *totals);
void gt_totals_free_tasks(struct gt_totals *totals);

/* Fills in the members of `*lengths` except the histogram, and frees the distribution. */
void gt_totals_measure(struct gt_totals_lengths *lengths, struct gt_mem *mem,
                       struct gt_distribution *distribution);

/* The functions below read the result. */

/* Returns the group of this name, or NULL if there is none. */
const struct gt_totals_group *gt_totals_find_group(const struct gt_totals *totals, gt_string name);
/* Both return a duration. If the begin or the end is not in the trace, the trace's own is used. */
int64_t gt_totals_region_length(const struct gt_totals *totals,
                                const struct gt_record_region *region);
int64_t gt_totals_task_length(const struct gt_totals *totals, const struct gt_totals_task *task);
void gt_totals_get_event(const struct gt_totals *totals, uint64_t at,
                         struct gt_totals_event *event);

#endif
