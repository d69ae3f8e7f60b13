/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_RECORD_H
#define GT_WEB_RECORD_H

/* What is kept of each goroutine and region, in a pack. Times are since the trace's start. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/summary.h>

#include "web/dictionary.h"
#include "web/json.h"
#include "web/pack.h"

enum {
    /* Of an unknown time, and what there is not. */
    GT_RECORD_NONE = -1
};

enum gt_record_time {
    GT_RECORD_EXECUTION,
    GT_RECORD_SCHED_WAIT,
    GT_RECORD_SYSCALL,
    GT_RECORD_SYSCALL_BLOCK,
    GT_RECORD_BLOCK,
    GT_RECORD_UNKNOWN,
    GT_RECORD_TOTAL,
    GT_RECORD_TIMES
};

/* What they are called in JSON and in queries. */
extern const char *const gt_record_time_names[GT_RECORD_TIMES];

/* Some of the time, by name. */
struct gt_record_named {
    uint32_t name;
    int64_t time;
};

struct gt_record_list {
    size_t count;
    /* There is one more name where the others are added up. */
    struct gt_record_named list[GT_SUMMARY_MAX_NAMES + 1];
};

struct gt_record_times {
    int64_t values[GT_RECORD_TIMES];
    struct gt_record_list blocks, ranges;
};

struct gt_record_goroutine {
    int64_t id;
    int64_t created, started, ended;
    struct gt_record_times times;
};

/* A region, in the pack of its type. */
struct gt_record_place {
    /* The number of the type + 1; 0 for none. */
    uint64_t type;
    uint64_t at;
};

struct gt_record_region {
    int64_t goroutine;
    uint64_t task;
    int64_t begin, end;
    bool inherited;
    /* The one before it of the same task. */
    struct gt_record_place previous;
    struct gt_record_times times;
};

/* `start` is when the trace starts. False where there is no memory. */
bool gt_record_put_goroutine(struct gt_pack *pack, struct gt_dictionary *names,
                             const gt_goroutine_summary *goroutine, int64_t start);
void gt_record_get_goroutine(struct gt_unpack *unpack, struct gt_record_goroutine *record);

bool gt_record_put_region(struct gt_pack *pack, struct gt_dictionary *names,
                          const gt_region_summary *region, struct gt_record_place previous,
                          int64_t start);
void gt_record_get_region(struct gt_unpack *unpack, struct gt_record_region *record);

/* The time of a name; 0 for one that is not in the list. */
int64_t gt_record_named_time(const struct gt_record_list *list, uint32_t name);

/* {"execution":..}, with values[GT_RECORD_TIMES] */
void gt_record_write_times(struct gt_json *json, const int64_t *values);
/* The key, and {name: time}; not between gt_json_hold and gt_json_release. */
void gt_record_write_named(struct gt_json *json, const char *key, const struct gt_dictionary *names,
                           const struct gt_record_list *list);
/* The key, and a time or null */
void gt_record_write_time(struct gt_json *json, const char *key, int64_t time);

#endif
