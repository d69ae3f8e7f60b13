/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPLACEMENT_H
#define REPLACEMENT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A file that is written under a temporary name in the same directory and gets its own name when it
 * is complete. Until then a file of that name keeps its content, and a program that has it open
 * continues to see the old content afterwards. SIGINT, SIGTERM and SIGHUP remove the temporary file
 * if they end the program.
 */
struct replacement {
    /* The name that the file gets. Borrowed. */
    const char *path;
    /* The name that it has until then. Owned. */
    char *temporary;
    /* A signal that ends the program removes it. */
    bool is_temporary;
    int fd;
    /* The errno of the first call that failed, or 0. */
    int error;
};

/*
 * Creates the temporary file, with the permissions of the file that it is to replace. Returns
 * false, and sets errno, on failure; then there is nothing to close.
 */
bool replacement_open(struct replacement *file, const char *path);

/* Writes everything. Returns false on failure; nothing is written after one. */
bool replacement_write(struct replacement *file, const void *data, size_t size);

/* Forgets what was written, so that the file can be written anew. */
void replacement_restart(struct replacement *file);

/* Waits until what was written is on the disk. */
void replacement_sync(struct replacement *file);

/*
 * Closes the descriptor of a file that is complete, so that many files can wait for their names.
 * Returns false, and sets file->error, if something failed since it was opened.
 */
bool replacement_end(struct replacement *file);

/*
 * Closes the file. If `keeps` is true and nothing failed, the file gets its name; otherwise it is
 * removed. Returns false, and sets errno, if something failed since it was opened.
 */
bool replacement_close(struct replacement *file, bool keeps);

#endif
