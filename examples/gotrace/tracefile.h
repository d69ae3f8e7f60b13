/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACEFILE_H
#define TRACEFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "output.h"
#include "replacement.h"

/*
 * The output of a command that writes a trace: standard output, or a file. The file has another
 * name until it is complete, so that nothing incomplete is found under the name that the user gave.
 */
struct tracefile {
    /* The name that the user gave, or NULL for standard output. Borrowed. */
    const char *path;
    struct output *out;
    struct replacement replacement;
};

/*
 * Opens the output. Returns false, and reports why on standard error, if the file cannot be made or
 * must not be replaced: it is the input, which has the name `input`, or is not a plain file.
 */
bool tracefile_open(struct tracefile *file, const char *path, const char *input,
                    struct output *out);

/*
 * Returns whether a file of the name `path`, which may be NULL, is not the input `input`. Otherwise
 * reports that.
 */
bool tracefile_is_free(const char *path, const char *input);

/* A gt_write_fn, whose user data is the tracefile. */
int tracefile_write(void *user_data, const void *data, size_t size);

/* Forgets what was written. Must not be called for standard output. */
void tracefile_restart(struct tracefile *file);

/*
 * Closes the file. If `keeps` is true, the file gets its name; otherwise it is removed. Returns
 * false if something could not be written. It reports that on standard error, but not for standard
 * output, of which main reports it.
 */
bool tracefile_close(struct tracefile *file, bool keeps);

#endif
