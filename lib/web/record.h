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
    RECORD_NONE = -1
};

enum record_time {
    RECORD_EXECUTION,
    RECORD_SCHED_WAIT,
    RECORD_SYSCALL,
    RECORD_SYSCALL_BLOCK,
    RECORD_BLOCK,
    RECORD_UNKNOWN,
    RECORD_TOTAL,
    RECORD_TIMES
};

/* What they are called in JSON and in queries. */
extern const char *const record_time_names[RECORD_TIMES];

/* Some of the time, by name. */
struct record_named {
    uint32_t name;
    int64_t time;
};

struct record_list {
    size_t count;
    /* There is one more name where the others are added up. */
    struct record_named list[GT_SUMMARY_MAX_NAMES + 1];
};

struct record_times {
    int64_t values[RECORD_TIMES];
    struct record_list blocks, ranges;
};

struct record_goroutine {
    int64_t id;
    int64_t created, started, ended;
    struct record_times times;
};

/* A region, in the pack of its type. */
struct record_place {
    /* The number of the type + 1; 0 for none. */
    uint64_t type;
    uint64_t at;
};

struct record_region {
    int64_t goroutine;
    uint64_t task;
    int64_t begin, end;
    bool inherited;
    /* The one before it of the same task. */
    struct record_place previous;
    struct record_times times;
};

/* `start` is when the trace starts. False where there is no memory. */
bool record_put_goroutine(struct pack *pack, struct dictionary *names,
                          const gt_goroutine_summary *goroutine, int64_t start);
void record_get_goroutine(struct unpack *unpack, struct record_goroutine *record);

bool record_put_region(struct pack *pack, struct dictionary *names, const gt_region_summary *region,
                       struct record_place previous, int64_t start);
void record_get_region(struct unpack *unpack, struct record_region *record);

/* The time of a name; 0 for one that is not in the list. */
int64_t record_named_time(const struct record_list *list, uint32_t name);

/* {"execution":..}, with values[RECORD_TIMES] */
void record_write_times(struct json *json, const int64_t *values);
/* The key, and {name: time}; not between json_hold and json_release. */
void record_write_named(struct json *json, const char *key, const struct dictionary *names,
                        const struct record_list *list);
/* The key, and a time or null */
void record_write_time(struct json *json, const char *key, int64_t time);

#endif
