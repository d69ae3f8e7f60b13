/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTAKE_H
#define INTAKE_H

/*
 * The bytes of the trace that a command is given: those of a file, a pipe or standard input, which
 * are decompressed on the way if they begin like those of gzip or zstd.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "unpacker.h"

struct intake {
    /* The descriptor that is read. It is closed at the end only if `is_owned`. */
    int from;
    bool is_open;
    bool is_owned;
    /* It is a file that was opened by its name, and not compressed. */
    bool is_plain_file;
    /* The first bytes of a pipe, until they are passed on. */
    char start[UNPACKER_MAGIC];
    size_t start_size;
    struct unpacker unpacker;
    /* Returns whether saving must end because nobody needs the data any more; may be NULL. */
    bool (*is_gone)(const void *data);
    const void *gone_data;
};

/*
 * Opens the file `name`, or standard input if that is "-". On failure returns false and fills
 * `*error`. An intake begins as zeros.
 */
bool intake_open(struct intake *intake, const char *name, gt_error *error);

/* Opens a descriptor, which remains the caller's. Fails like intake_open. */
bool intake_open_fd(struct intake *intake, int fd, gt_error *error);

/* A gt_read_fn, whose user data is the intake. */
int64_t intake_read(void *user_data, void *buffer, size_t capacity);

/*
 * Replaces the message of `*error` if it is about reading that failed because the data could not be
 * decompressed.
 */
void intake_explain(const struct intake *intake, gt_error *error);

/*
 * Copies everything that is left to an unnamed temporary file, which the caller closes. Returns
 * NULL on failure, and fills `*error`: its status is GT_ERR_LIMIT if there are more than `most`
 * bytes.
 */
FILE *intake_save(struct intake *intake, uint64_t most, gt_error *error);

void intake_close(struct intake *intake);

#endif
