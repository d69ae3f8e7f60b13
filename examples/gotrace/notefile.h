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
 * Determines the file for the notes of a trace. Only a trace in a regular file has one; a pipe or a
 * device has none. `*file` begins as zeros.
 */
void notefile_place(struct notefile *file, const char *trace);
void notefile_free(struct notefile *file);

/* Reads the file: see gt_web_load_notes_fn. It is not an error if the file does not exist. */
gt_status notefile_load(const struct notefile *file, void *buffer, size_t capacity, size_t *size,
                        gt_error *error);

/*
 * Replaces the file atomically, so that it is complete at any time: see gt_web_store_notes_fn. A
 * program that has the old file open continues to see the old content.
 */
gt_status notefile_store(const struct notefile *file, const void *data, size_t size,
                         gt_error *error);

#endif
