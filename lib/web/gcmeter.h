/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_GCMETER_H
#define GT_WEB_GCMETER_H

/* Measures how long each of many goroutines or procs does something. */

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/idmap.h"

struct gt_gc_measured {
    int64_t id;
    /* The time at which the current activity began, or GT_RECORD_NONE if there is none. */
    int64_t since;
    /* The total duration and the number of the activities that have ended. */
    int64_t time;
    uint64_t count;
    /* The mode that the caller has passed to the last call of gt_gc_meter_begin. */
    uint32_t mode;
};

struct gt_gc_meter {
    struct gt_mem *mem;
    /* The number of the element for each id, plus 1. */
    struct gt_idmap numbers;
    GT_ARRAY(struct gt_gc_measured) list;
};

void gt_gc_meter_init(struct gt_gc_meter *meter, struct gt_mem *mem);
void gt_gc_meter_free(struct gt_gc_meter *meter);

/* Returns the element of an id, or NULL if there is none. */
struct gt_gc_measured *gt_gc_meter_find(const struct gt_gc_meter *meter, int64_t id);
/* Notes that `id` begins an activity, unless it has begun one already. Returns false if memory runs
 * out. */
bool gt_gc_meter_begin(struct gt_gc_meter *meter, int64_t id, int64_t time, uint32_t mode);
/*
 * Notes the end of an activity. Returns its duration, or GT_RECORD_NONE if it had not begun.
 * `measured` may be NULL.
 */
int64_t gt_gc_meter_end(struct gt_gc_measured *measured, int64_t time);

#endif
