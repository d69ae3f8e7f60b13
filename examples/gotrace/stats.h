/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STATS_H
#define STATS_H

/*
 * What the events of a trace add up to.
 */

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

#include "idset.h"

enum {
    /* Kinds of event that are counted apart; 0 counts those that came later. */
    STATS_KINDS = GT_EVENT_EXPERIMENTAL + 1
};

/* The largest value of something, where there was any. */
struct stats_peak {
    bool known;
    uint64_t value;
};

struct stats {
    uint64_t events;
    uint64_t kinds[STATS_KINDS];
    int64_t first_time;
    int64_t last_time;
    bool has_wall_clock;
    int64_t wall_seconds;
    uint32_t wall_nanoseconds;
    struct idset goroutines;
    struct idset procs;
    struct idset threads;
    /* Set before the first event: the trace is of a Go that has gt_proc_stand_in for procs. */
    bool has_stand_ins;
    uint64_t goroutines_created;
    uint64_t goroutines_ended;
    uint64_t gc_cycles;
    bool gc_active;
    uint64_t stops;
    /* How many stops are going on, since when, and how long the world stood still before. */
    uint64_t stops_active;
    int64_t stop_time;
    uint64_t stopped;
    struct stats_peak gomaxprocs;
    struct stats_peak heap;
};

/* Starts as all zeros but for has_stand_ins. Adds an event; false where there is no memory. */
bool stats_add(struct stats *stats, const gt_event *event);

/* Nanoseconds from the first event to the last. */
uint64_t stats_duration(const struct stats *stats);

/* Nanoseconds for which the world was stopped. */
uint64_t stats_stopped(const struct stats *stats);

void stats_free(struct stats *stats);

#endif
