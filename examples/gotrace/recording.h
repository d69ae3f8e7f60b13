/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RECORDING_H
#define RECORDING_H

/*
 * A trace that is viewed while it is being recorded. A thread copies what comes to an unnamed
 * temporary file, from which any number of readers read what is there so far.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <gotrace/reader.h>

#include "intake.h"

/* The position of a reader in a recording. */
struct recording_cursor;

struct recording {
    /* The name of the trace in messages. Borrowed. */
    const char *name;
    struct intake intake;
    FILE *file;
    pthread_t thread;
    /* How many bytes of the file are written. */
    atomic_uint_least64_t size;
    /* Nothing more will come. */
    atomic_bool is_over;
    /* The trace is being closed, so no fault matters any more. */
    atomic_bool is_closing;
    /* Guards the list. */
    pthread_mutex_t lock;
    struct recording_cursor *cursors;
};

/*
 * Opens the source and starts to copy it. Returns NULL on failure, with `*error` filled. `name` and
 * `settings` must remain valid.
 */
struct recording *recording_start(const char *name, const struct intake_settings *settings,
                                  gt_error *error);

/* A gt_web_open_fn, whose user data is the recording. Its readers return GT_AGAIN where more is to
 * come. */
gt_status recording_open(void *user_data, const gt_reader_options *options, gt_reader **reader,
                         gt_error *error);

/* Ends the recording; what the source still sends is copied. Any thread may call it. */
void recording_stop(struct recording *recording);

/* Frees the recording, of which no reader may be left. Does nothing if it is NULL. */
void recording_free(struct recording *recording);

#endif
