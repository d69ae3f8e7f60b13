/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef KEEPER_H
#define KEEPER_H

/*
 * Keeps the newest part of a trace that is viewed while it is being recorded. When twice as much is
 * shown, the newest part is loaded again beside it and then takes its place, so that neither memory
 * nor temporary files grow without end.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording.h"

struct epoch;
struct tab;

/* Where a generation begins, in the recording and in time. */
struct keeper_moment {
    uint64_t offset;
    int64_t time;
};

struct keeper {
    struct tab *tab;
    struct recording *recording;
    int64_t keep; /* in nanoseconds */
    pthread_t thread;
    bool is_running;
    /* Guards `is_stopping`, whose change is signalled. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_stopping;

    /* What is known of the recording: its version, the end of the batches that were found, and the
     * generation to which the last of them belongs, unless `is_open` says that there is none. */
    uint32_t version;
    uint64_t at;
    uint64_t number;
    uint64_t begin;
    bool is_open;
    /* No more generations can be found. */
    bool is_done;
    /* The complete generations from the first one on that is shown. */
    struct keeper_moment *list;
    size_t count;
    size_t capacity;

    /* The time of the first event that was recorded. */
    int64_t first;
    uint64_t epochs;
    /* What is being loaded, from which generation on, and where it has been loaded far enough. */
    struct epoch *next;
    size_t next_index;
    uint64_t next_end;
    /* What was shown before may still be asked for, or used. */
    bool has_former;
    /* How many more looks at the recording it can be asked for. */
    uint32_t lasting;
    bool has_failed; /* something could not be loaded, which has been reported */
};

/* Starts to keep the newest `keep` nanoseconds. Returns false if no thread can be started. */
bool keeper_start(struct keeper *keeper, struct tab *tab, struct recording *recording,
                  int64_t keep);

/* Ends that. Does nothing if it was not started. */
void keeper_stop(struct keeper *keeper);

#endif
