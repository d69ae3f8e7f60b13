/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAB_H
#define TAB_H

/* One of the traces that `gotrace view` shows. */

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include <gotrace/web.h>

#include "intake.h"
#include "notefile.h"
#include "recording.h"
#include "symbols.h"

/* What all traces of a viewer have in common. Its texts are borrowed. */
struct tab_settings {
    uint64_t reader_flags;
    const char *page_directory;
    const char *frame_ancestors;
    const char *source_url;
    const char *perfetto_url;
    /* The program that was traced, or NULL. */
    const char *program;
    /* How often the list of traces changes by itself, in milliseconds; 0: it does not. */
    int64_t every;
    /* The user's notes are kept in files beside the traces. */
    bool keeps_notes;
    /* How the traces are read. */
    const struct intake_settings *intake;
};

struct tab {
    const struct tab_settings *settings;
    /* 1 for the trace that is found at "/". */
    uint32_t id;
    /* Owned. The name of the file, or the one that the client gave to what it has sent. */
    char *name;
    /* The trace, until it is opened, if it has no name in the file system; or NULL. Owned. */
    FILE *file;
    /* Used by the engine, never by two threads at once. */
    struct symbols symbols;
    /* Where the user's notes are kept, if they are. */
    struct notefile notes;
    /* A repair was reported. */
    bool has_repairs;
    /* Held while the trace is opened. */
    pthread_mutex_t opening;
    /* NULL until it is opened. */
    gt_web *web;
    /* What `web` reads from if the trace is followed, or NULL. */
    struct recording *recording;
    /* The number of requests that use the tab, and whether it was closed. The lock of the list of
     * tabs guards both. */
    size_t users;
    bool is_closed;
};

/* Returns a tab with a copy of `name`, or NULL if memory runs out. */
struct tab *tab_new(const struct tab_settings *settings, uint32_t id, const char *name);

/* Frees a tab that is not used any more, and its trace. May take a while. */
void tab_free(struct tab *tab);

/*
 * Finds out whether the trace can be opened, and closes it again. A source that can be read only
 * once is not opened. Returns GT_OK, or an error with `*error` filled.
 */
gt_status tab_check(const struct tab *tab, gt_error *error);

/*
 * Opens the trace of the file `name` unless it is open. A source that is not a regular file, or is
 * compressed, is copied to a temporary file first. Returns GT_OK, or an error with `*error` filled.
 * Several threads may call it.
 */
gt_status tab_open(struct tab *tab, gt_error *error);

/* Opens the trace in a file without a name. The caller may close the file afterwards. */
gt_status tab_open_file(struct tab *tab, FILE *file, gt_error *error);

/* Writes the address of the trace's timeline, relative to "/", to `to`. */
void tab_address(const struct tab *tab, char *to, size_t room);

#endif
