/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STATS_H
#define STATS_H

/* Counts and sums over the events of a trace. */

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

#include "idset.h"

enum {
    /* The kinds of events that are counted separately; index 0 counts later kinds. */
    STATS_KINDS = GT_EVENT_EXPERIMENTAL + 1
};

/* The largest value seen, if there was any. */
struct stats_peak {
    bool known;
    uint64_t value;
};

/* Where an event happened. */
struct stats_context {
    int64_t goroutine, proc, thread;
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
    /* Where the last event happened. */
    struct stats_context context;
    /*
     * Whether the version of Go uses the pseudo-procs of gt_proc_stand_in. Set before the first
     * event.
     */
    bool has_stand_ins;
    uint64_t goroutines_created;
    uint64_t goroutines_ended;
    uint64_t gc_cycles;
    bool gc_active;
    uint64_t stops;
    /* How many stops are active, since when, and how long earlier stops took. */
    uint64_t stops_active;
    int64_t stop_time;
    uint64_t stopped;
    struct stats_peak gomaxprocs;
    struct stats_peak heap;
};

/*
 * Adds an event. Returns false if there is not enough memory. A structure of zeros has no events.
 */
bool stats_add(struct stats *stats, const gt_event *event);

/* Adds the value of GOMAXPROCS that no event tells; 0 is none. */
void stats_note_first_procs(struct stats *stats, uint64_t procs);

/* Nanoseconds from the first event to the last. */
uint64_t stats_duration(const struct stats *stats);

/* Nanoseconds for which the world was stopped. */
uint64_t stats_stopped(const struct stats *stats);

void stats_free(struct stats *stats);

#endif
