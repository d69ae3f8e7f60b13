/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RECORDING_H
#define RECORDING_H

/*
 * A trace that is viewed while it is being recorded. A thread copies what comes to temporary files,
 * from which any number of readers read what is there so far.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <gotrace/reader.h>

#include "generations.h"
#include "intake.h"
#include "spool.h"

struct recording {
    /* The name of the trace in messages. Borrowed. */
    const char *name;
    struct intake intake;
    struct spool spool;
    /* The header, as soon as the spool has it. It remains when that part of the spool is dropped.
     */
    char head[TRACE_HEAD];
    pthread_t thread;
    /* Nothing more will come. */
    atomic_bool is_over;
    /* The trace is being closed, so no fault matters any more. */
    atomic_bool is_closing;
};

/*
 * Opens the source and starts to copy it. Returns NULL on failure, with `*error` filled. `name` and
 * `settings` must remain valid. If `may_drop`, parts of the recording may be dropped.
 */
struct recording *recording_start(const char *name, const struct intake_settings *settings,
                                  bool may_drop, gt_error *error);

/* The position of a reader in a recording. */
struct recording_cursor;

/* What a recording has from a place on, where a generation begins. */
struct recording_part {
    struct recording *recording;
    uint64_t begin;
    /* Guards the list. */
    pthread_mutex_t lock;
    struct recording_cursor *cursors;
};

/* Initialises a part. `begin` is 0 for the whole recording. */
void recording_part_init(struct recording_part *part, struct recording *recording, uint64_t begin);

/* A gt_web_open_fn, whose user data is the part: opens it as a trace of its own. Its readers return
 * GT_AGAIN where more is to come. */
gt_status recording_part_open(void *user_data, const gt_reader_options *options, gt_reader **reader,
                              gt_error *error);

/* Frees the positions of the readers, of which none may be left. */
void recording_part_free(struct recording_part *part);

/* Ends the recording; what the source still sends is copied. Any thread may call it. */
void recording_stop(struct recording *recording);

/* Frees the recording, of which no part may be left. Does nothing if it is NULL. */
void recording_free(struct recording *recording);

#endif
