/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAB_H
#define TAB_H

/* One of the traces that `gotrace view` shows. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include <gotrace/web.h>

#include "intake.h"
#include "keeper.h"
#include "notefile.h"
#include "recording.h"
#include "repairs.h"
#include "symbols.h"

enum {
    /* Room for the address of a tab. */
    TAB_ADDRESS_ROOM = 32
};

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
    /* How much of a trace that is followed is kept at least, in nanoseconds; 0: all. */
    int64_t keep;
    /* The user's notes are kept in files beside the traces. */
    bool keeps_notes;
    /* The traces are those of a comparison, which the host shows. */
    bool compares;
    /* How the traces are read. */
    const struct intake_settings *intake;
};

struct tab;

/*
 * What a tab shows, until something else takes its place: the trace or, of one that is followed,
 * perhaps only what was recorded from some time on.
 */
struct epoch {
    struct tab *tab;
    gt_web *web;
    /* As in gt_web_options. */
    uint64_t number;
    /* What `web` reads from if the trace is followed. */
    struct recording_part part;
    bool has_part;
    /* Used by the thread that loads the trace; reported when that ends. */
    struct repairs repairs;
    /* The number of requests that use it. The lock of the tab guards it. */
    size_t users;
    /* Its requests must end, and there must be no more. */
    atomic_bool is_over;
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
    /* Held while the trace is opened. */
    pthread_mutex_t opening;
    /* Guards the next two members, and the users of what they lead to. */
    pthread_mutex_t lock;
    /* NULL until the trace is opened. */
    struct epoch *epoch;
    /* What was shown before, for pages that have not noticed the change; or NULL. */
    struct epoch *former;
    /* What is read if the trace is followed, or NULL; and what lets go of its older parts. */
    struct recording *recording;
    struct keeper keeper;
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

/*
 * Returns what an open tab shows, for a request with this query; or what it has shown before if the
 * query asks for that and it is still there. It is not freed before tab_give_back.
 */
struct epoch *tab_take(struct tab *tab, const char *query);

void tab_give_back(struct tab *tab, struct epoch *epoch);

/*
 * Opens what the tab's recording has from `begin` on, where a generation begins. `number` and
 * `dropped` are those of gt_web_options. Returns NULL after a failure, with `*error` filled. The
 * tab shows it after tab_show.
 */
struct epoch *tab_open_part(struct tab *tab, uint64_t begin, uint64_t number, int64_t dropped,
                            gt_error *error);

/* Lets the tab show it. What it has shown before becomes the former one, of which there must be
 * none yet. */
void tab_show(struct tab *tab, struct epoch *epoch);

/* Ends the requests for the former one. Does nothing if there is none. */
void tab_end_former(struct tab *tab);

/* Frees the former one unless requests still use it. Returns whether there is none any more. */
bool tab_free_former(struct tab *tab);

/* Frees what no request uses any more. Does nothing if it is NULL. */
void epoch_free(struct epoch *epoch);

/* Writes the address of the trace's timeline, relative to "/", to `to`. */
void tab_address(const struct tab *tab, char *to, size_t room);

#endif
