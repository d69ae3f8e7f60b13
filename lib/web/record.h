/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_RECORD_H
#define GT_WEB_RECORD_H

/*
 * The records of goroutines and regions, which are stored in packs. Times are nanoseconds since
 * the start of the trace.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/summary.h>

#include "web/dictionary.h"
#include "web/json.h"
#include "web/pack.h"

enum {
    /* Stands for a time that is not known or does not exist. */
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

/* The names of the times in JSON and in queries. */
extern const char *const gt_record_time_names[GT_RECORD_TIMES];

/* The part of the time that belongs to one name: a reason for blocking, or a range. */
struct gt_record_named {
    uint32_t name;
    int64_t time;
};

struct gt_record_list {
    size_t count;
    /* One element more than a summary has names, for the sum of all further names. */
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

/* Locates a region in the pack of its type. */
struct gt_record_place {
    /* The number of the type + 1, or 0 if there is no region. */
    uint64_t type;
    uint64_t at;
};

struct gt_record_region {
    int64_t goroutine;
    uint64_t task;
    int64_t begin, end;
    bool inherited;
    /* The previous region of the same task. */
    struct gt_record_place previous;
    struct gt_record_times times;
};

/*
 * Appends a record. `start` is the time at which the trace starts. Returns false if memory runs
 * out.
 */
bool gt_record_put_goroutine(struct gt_pack *pack, struct gt_dictionary *names,
                             const gt_goroutine_summary *goroutine, int64_t start);
void gt_record_get_goroutine(struct gt_unpack *unpack, struct gt_record_goroutine *record);

bool gt_record_put_region(struct gt_pack *pack, struct gt_dictionary *names,
                          const gt_region_summary *region, struct gt_record_place previous,
                          int64_t start);
void gt_record_get_region(struct gt_unpack *unpack, struct gt_record_region *record);

/* Returns the time of a name, or 0 if the name is not in the list. */
int64_t gt_record_named_time(const struct gt_record_list *list, uint32_t name);

/* Writes {"execution":...} with all GT_RECORD_TIMES values, as the member "time". */
void gt_record_write_times(struct gt_json *json, const int64_t *values);
/* Writes the same, and the members "blocks" and "ranges", each of which is {name: time}. */
void gt_record_write_all_times(struct gt_json *json, const struct gt_dictionary *names,
                               const struct gt_record_times *times);
/* Writes the key, and the time or null. */
void gt_record_write_time(struct gt_json *json, const char *key, int64_t time);

#endif
