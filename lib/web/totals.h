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

#include "web/analysis.h"
#include "web/dictionary.h"
#include "web/funcgroups.h"
#include "web/histogram.h"
#include "web/idtable.h"
#include "web/pack.h"
#include "web/record.h"
#include "web/spread.h"

enum {
    TOTALS_PERCENTILES = 3,
    /* More are taken for the lack of memory that they come to. */
    TOTALS_REGION_TYPES_MAX = 1 << 22
};

extern const unsigned int totals_percents[TOTALS_PERCENTILES];

/* Goroutines that start with one function. */
struct totals_group {
    const struct group *group;
    uint64_t pc;
    /* struct record_goroutine, in the order in which they ended. */
    struct pack records;
    int64_t percentiles[RECORD_TIMES][TOTALS_PERCENTILES];
};

/* How long things of one sort took. */
struct totals_lengths {
    uint64_t count;
    struct histogram histogram;
    int64_t percentiles[TOTALS_PERCENTILES];
    int64_t most;
};

/* Regions of one type that begin at one place. The texts are names. */
struct totals_region_type {
    uint32_t type, function, file;
    uint64_t pc, line;
    /* struct record_region, in the order in which they ended. */
    struct pack records;
    struct totals_lengths lengths;
};

/* Tasks of one name. */
struct totals_task_type {
    uint32_t name;
    uint64_t count;
    /* Of those that are complete. */
    struct totals_lengths lengths;
};

struct totals_task {
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
    struct record_place last_region;
};

struct totals {
    /* When the first event was and how long after it the last one, once there is one. */
    bool begun;
    int64_t start;
    int64_t end;
    struct dictionary names;
    struct groups groups;
    /* By which the types of regions are found; empty once all are there. */
    struct dictionary region_keys;
    struct totals_region_type *region_types;
    size_t region_type_count, region_type_capacity;
    struct idtable task_ids;
    struct totals_task *tasks;
    size_t task_count, task_capacity;
    struct totals_task_type *task_types;
    size_t task_type_count;
    /* Of tasks: begins, ends and logs; see totals_event. */
    struct pack events;
};

enum totals_event_kind {
    TOTALS_TASK_BEGIN,
    TOTALS_TASK_END,
    TOTALS_LOG
};

struct totals_event {
    enum totals_event_kind kind;
    int64_t time;
    int64_t goroutine;
    /* Where the one before it of the same task is, + 1; 0 for none. */
    uint64_t previous;
    /* Of a log; the category is a name. */
    uint32_t category;
    gt_string message;
};

/* The analysis; it has no key. */
extern const struct analysis_kind totals_kind;

/*
 * What follows takes in a trace; each in its own file. False where there is no memory.
 */

bool totals_add_goroutine(struct totals *totals, const gt_goroutine_summary *goroutine);
bool totals_finish_groups(struct totals *totals);
void totals_free_groups(struct totals *totals);

bool totals_add_region(struct totals *totals, const gt_region_summary *region);
bool totals_finish_regions(struct totals *totals);
void totals_free_regions(struct totals *totals);

/* The task's number + 1, for which there is a place then; 0 where there is no memory. */
uint32_t totals_task_number(struct totals *totals, uint64_t id);
bool totals_add_task(struct totals *totals, const gt_task_summary *task);
bool totals_add_event(struct totals *totals, const gt_event *event);
bool totals_finish_tasks(struct totals *totals);
void totals_free_tasks(struct totals *totals);

/* Fills `*lengths` with what was gathered, which is freed. */
void totals_measure(struct totals_lengths *lengths, struct spread *spread);

/* For those who ask. */

/* The group of this name, or NULL. */
const struct totals_group *totals_find_group(const struct totals *totals, gt_string name);
/* How long it took, as far as the trace has it. */
int64_t totals_region_length(const struct totals *totals, const struct record_region *region);
int64_t totals_task_length(const struct totals *totals, const struct totals_task *task);
void totals_get_event(const struct totals *totals, uint64_t at, struct totals_event *event);

#endif
