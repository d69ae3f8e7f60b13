/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACEFILE_H
#define TRACEFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "output.h"

/*
 * Where a command writes a trace: to standard output, or to a file, which has another name until
 * it is complete. So nothing incomplete is ever found under the name that the user gave.
 */
struct tracefile {
    /* As the user gave it; NULL for standard output. Borrowed. */
    const char *path;
    struct output *out;
    char *temporary;
    int fd;
    /* The errno of the first write to the file that failed, or 0. */
    int error;
};

/*
 * Opens it. On failure reports why on standard error, and returns false: the file cannot be made,
 * or is one that must not be replaced: the input, which has the name `input`, or no plain file.
 */
bool tracefile_open(struct tracefile *file, const char *path, const char *input,
                    struct output *out);

/* A gt_write_fn, whose user data is the tracefile. */
int tracefile_write(void *user_data, const void *data, size_t size);

/*
 * Closes the file; if `keeps`, it gets its name, and otherwise it is removed. Returns false if
 * something could not be written, after it has reported that; main reports it of standard output.
 */
bool tracefile_close(struct tracefile *file, bool keeps);

#endif
