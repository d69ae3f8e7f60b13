/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOTEFILE_H
#define NOTEFILE_H

/* The file beside a trace, FILE.notes.json, in which the viewer keeps the user's notes. */

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/status.h>

struct notefile {
    /* Owned. NULL if there is no place for notes. */
    char *path;
    /* The last part of the path. */
    const char *name;
    /* A file can be made in the directory. */
    bool can_store;
};

/*
 * Finds the place for the notes of a trace. Only a trace that is a file has one: what comes through
 * a pipe or from a device has not. `*file` begins as zeros.
 */
void notefile_place(struct notefile *file, const char *trace);
void notefile_free(struct notefile *file);

/* Reads the file: see gt_web_load_notes_fn. There need be none. */
gt_status notefile_load(const struct notefile *file, void *buffer, size_t capacity, size_t *size,
                        gt_error *error);

/*
 * Replaces the file in one step, so that it is complete at any moment: see gt_web_store_notes_fn.
 * Whoever holds the old file open keeps it.
 */
gt_status notefile_store(const struct notefile *file, const void *data, size_t size,
                         gt_error *error);

#endif
