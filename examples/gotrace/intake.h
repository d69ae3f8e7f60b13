/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTAKE_H
#define INTAKE_H

/*
 * The bytes of the trace that a command is given: those of a file, a pipe, standard input or a URL,
 * which are decompressed on the way if they begin like those of gzip or zstd.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "follow.h"
#include "http/client.h"
#include "tracefile.h"
#include "unpacker.h"

/* How a source is read. */
struct intake_settings {
    /* The source is followed while it grows, by these rules. */
    bool follows;
    struct follow_rules rules;
    /* The file that keeps the bytes of a source that can be read only once, or NULL. Borrowed. */
    const char *keep;
};

struct intake {
    /* The descriptor that is read. It is closed at the end only if `is_owned`. */
    int from;
    bool is_owned;
    /* It is a file that was opened by its name, and not compressed. */
    bool is_plain_file;
    /* The first bytes of a pipe, until they are passed on. */
    char start[UNPACKER_MAGIC];
    size_t start_size;
    struct unpacker unpacker;
    bool has_unpacked; /* some bytes were decompressed */
    const struct intake_settings *settings;
    /* What is read instead of the descriptor itself, if these are set. */
    bool is_remote;
    bool is_followed;
    struct http_client client;
    struct follow follow;
    /* What was read is written there, too, if `is_kept`. */
    struct tracefile kept;
    bool is_kept;
    /* That could not be written, which has been reported. It remains when the intake is closed. */
    bool is_lost;
    /* Why the source ended too early, or empty. It remains when the intake is closed. */
    char cut[GT_ERROR_MESSAGE_SIZE];
    /* Returns whether saving must end because nobody needs the data any more; may be NULL. */
    bool (*is_gone)(const void *data);
    const void *gone_data;
};

/*
 * Opens the file or URL `name`, or standard input if that is "-". `settings` is NULL for the
 * defaults, and must otherwise remain valid. On failure returns false and fills `*error`. An intake
 * begins as zeros, and must not be moved while it is open.
 *
 * SIGINT and SIGTERM stop a server that records, and end the following, unless they are handled
 * otherwise.
 */
bool intake_open(struct intake *intake, const char *name, const struct intake_settings *settings,
                 gt_error *error);

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
 * If the source ended too early, and `*error` is no other fault than that the trace or its header
 * is not complete, makes it GT_ERR_TRUNCATED with the reason.
 */
void intake_note_cut(const struct intake *intake, gt_error *error);

/*
 * Copies everything that is left to an unnamed temporary file, which the caller closes. Returns
 * NULL on failure, and fills `*error`: its status is GT_ERR_LIMIT if there are more than `most`
 * bytes.
 */
FILE *intake_save(struct intake *intake, uint64_t most, gt_error *error);

/* Ends a recording or the following: see http_client_stop and follow_stop. */
void intake_stop(struct intake *intake);

/* Ends the reading in another thread, because nobody needs the trace any more. */
void intake_abandon(struct intake *intake);

/* Closes the source, and gives the file that keeps its bytes its name. */
void intake_close(struct intake *intake);

#endif
