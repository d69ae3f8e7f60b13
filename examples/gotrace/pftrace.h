/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PFTRACE_H
#define PFTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/timeline.h>
#include <gotrace/viewer_perfetto.h>

#include "input.h"
#include "moment.h"
#include "selection.h"
#include "tracefile.h"

enum {
    /* Goroutines, procs and threads. */
    PFTRACE_VIEWS = 3,
    /* How CPU samples are written. */
    PFTRACE_INSTANTS = 1,
    PFTRACE_STACKS = 2
};

/* What the user wants to have drawn. */
struct pfsettings {
    bool procs;
    bool threads;
    bool no_wakes;
    bool no_clock;
    uint32_t samples; /* PFTRACE_INSTANTS, PFTRACE_STACKS, or both */
    uint64_t pid;     /* 0: the lowest id of a thread */
    const char *name; /* NULL: that of the file */
    bool has_start;
    bool has_end;
    struct moment start;
    struct moment end;
};

/* What the traces in one file have in common. All zeros at first. */
struct pfshared {
    uint32_t count; /* the number of traces that were begun */
    int64_t start;  /* when the first trace begins */
    bool has_wall;
    int64_t wall; /* how far the wall clock is ahead of the monotonic one in the first trace */
    uint32_t pids[64];
    uint32_t pid_count;
};

/* A trace that is drawn into the file. */
struct pftrace {
    struct input in;
    const struct pfsettings *settings;
    struct pfshared *shared;
    struct tracefile *file;
    struct selection selection;
    uint32_t ordinal; /* from 0 */
    gt_perfetto_writer *writer;
    gt_emitter *emitters[PFTRACE_VIEWS];
    gt_timeline *timelines[PFTRACE_VIEWS];
    /* The time of the first event, and of the last one that was taken. */
    int64_t start;
    int64_t last;
    /* The time of the last event of the whole trace, if a time counts from its end. */
    int64_t end;
    /* GOMAXPROCS has been written. */
    bool has_procs;
    /* The clocks at the beginning. */
    gt_sync sync;
    /* The lowest id of a thread, which on Linux is that of the process; 0: none is known. */
    int64_t lowest_thread;
    uint64_t experimental; /* the number of events that are not shown */
    bool is_complete;
    bool has_events;
};

/*
 * Reads a trace and writes it. The caller has set the members of the first block, and in.name.
 * Reports what went wrong. Returns the exit code of the program. Sets trace->is_complete if
 * everything that could be read was written.
 */
int pftrace_run(struct pftrace *trace, struct output *out);

#endif
