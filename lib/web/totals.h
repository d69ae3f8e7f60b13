/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TOTALS_H
#define GT_WEB_TOTALS_H

/*
 * What goroutines, regions and tasks spent their time on: an analysis, of gt_summary. All
 * times are since the trace's start.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/summary.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "web/analysis.h"
#include "web/dictionary.h"
#include "web/distribution.h"
#include "web/funcgroups.h"
#include "web/histogram.h"
#include "web/pack.h"
#include "web/record.h"

enum {
    GT_TOTALS_PERCENTILES = 3,
    /* More are taken for the lack of memory that they come to. */
    GT_TOTALS_REGION_TYPES_MAX = 1 << 22
};

extern const unsigned int gt_totals_percents[GT_TOTALS_PERCENTILES];

/* Goroutines that start with one function. */
struct gt_totals_group {
    const struct gt_group *group;
    uint64_t pc;
    /* struct gt_record_goroutine, in the order in which they ended. */
    struct gt_pack records;
    int64_t percentiles[GT_RECORD_TIMES][GT_TOTALS_PERCENTILES];
};

/* How long things of one sort took. */
struct gt_totals_lengths {
    uint64_t count;
    struct gt_histogram histogram;
    int64_t percentiles[GT_TOTALS_PERCENTILES];
    int64_t most;
};

/* Regions of one type that begin at one place. The texts are names. */
struct gt_totals_region_type {
    uint32_t type, function, file;
    uint64_t pc, line;
    /* struct gt_record_region, in the order in which they ended. */
    struct gt_pack records;
    struct gt_totals_lengths lengths;
};

/* Tasks of one name. */
struct gt_totals_task_type {
    uint32_t name;
    uint64_t count;
    /* Of those that are complete. */
    struct gt_totals_lengths lengths;
};

struct gt_totals_task {
    uint64_t id;
    uint64_t parent;
    uint32_t name;
    bool has_begin, has_end;
    /* Numbers + 1 of the last task whose parent it is, and of the one before it of its parent. */
    uint32_t last_child, previous_sibling;
    int64_t begin, end;
    uint64_t regions;
    /* Where its last event is in totals.events, + 1. */
    uint64_t last_event;
    struct gt_record_place last_region;
};

struct gt_totals {
    /* When the first event was and how long after it the last one, once there is one. */
    bool begun;
    int64_t start;
    int64_t end;
    struct gt_dictionary names;
    struct gt_groups groups;
    /* By which the types of regions are found; empty once all are there. */
    struct gt_dictionary region_keys;
    struct gt_totals_region_type *region_types;
    size_t region_type_count, region_type_capacity;
    struct gt_idmap task_ids;
    struct gt_mem task_ids_mem;
    struct gt_totals_task *tasks;
    size_t task_count, task_capacity;
    struct gt_totals_task_type *task_types;
    size_t task_type_count;
    /* Of tasks: begins, ends and logs; see totals_event. */
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
    /* Where the one before it of the same task is, + 1; 0 for none. */
    uint64_t previous;
    /* Of a log; the category is a name. */
    uint32_t category;
    gt_string message;
};

/* The analysis; it has no key. */
extern const struct gt_analysis_kind gt_totals_kind;

/*
 * What follows takes in a trace; each in its own file. False where there is no memory.
 */

bool gt_totals_add_goroutine(struct gt_totals *totals, const gt_goroutine_summary *goroutine);
bool gt_totals_finish_groups(struct gt_totals *totals);
void gt_totals_free_groups(struct gt_totals *totals);

bool gt_totals_add_region(struct gt_totals *totals, const gt_region_summary *region);
bool gt_totals_finish_regions(struct gt_totals *totals);
void gt_totals_free_regions(struct gt_totals *totals);

/* The task's number + 1, for which there is a place then; 0 where there is no memory. */
uint32_t gt_totals_task_number(struct gt_totals *totals, uint64_t id);
bool gt_totals_add_task(struct gt_totals *totals, const gt_task_summary *task);
bool gt_totals_add_event(struct gt_totals *totals, const gt_event *event);
bool gt_totals_finish_tasks(struct gt_totals *totals);
void gt_totals_free_tasks(struct gt_totals *totals);

/* Fills `*lengths` with what was gathered, which is freed. */
void gt_totals_measure(struct gt_totals_lengths *lengths, struct gt_distribution *distribution);

/* For those who ask. */

/* The group of this name, or NULL. */
const struct gt_totals_group *gt_totals_find_group(const struct gt_totals *totals, gt_string name);
/* How long it took, as far as the trace has it. */
int64_t gt_totals_region_length(const struct gt_totals *totals,
                                const struct gt_record_region *region);
int64_t gt_totals_task_length(const struct gt_totals *totals, const struct gt_totals_task *task);
void gt_totals_get_event(const struct gt_totals *totals, uint64_t at,
                         struct gt_totals_event *event);

#endif
