/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OUTPUT_H
#define OUTPUT_H

/* Buffered standard output, and the formatting of numbers for it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gotrace/types.h>

#include "progress.h"
#include "terminal.h"

enum {
    OUTPUT_SIZE = 256 * 1024,
    /* The longest number in bytes: 2^64-1, or a sign and 2^63. */
    OUTPUT_NUMBER_MAX = 20
};

struct output {
    int fd;
    /* The errno of the first write that failed, or 0. Later output is dropped. */
    int error;
    size_t used;
    bool is_terminal;
    /* The user wants unescaped output even on a terminal. */
    bool is_raw;
    /* The user's options for the line about progress. */
    bool forces_progress;
    bool hides_progress;
    struct terminal terminal;
    char buffer[OUTPUT_SIZE];
};

void output_open(struct output *out, int fd);

/* Returns the mode of the line about progress according to the options. */
enum progress_mode output_progress_mode(const struct output *out);

/* Returns whether text is escaped as terminal.h describes. */
static inline bool output_escapes(const struct output *out)
{
    return out->is_terminal && !out->is_raw;
}

/* Writes the content of the buffer. Returns false if any write so far has failed. */
bool output_flush(struct output *out);

/* Empties the buffer in the middle of a text. */
void output_make_room(struct output *out);

/*
 * Returns room for `size` bytes, at most OUTPUT_SIZE. The caller fills it and passes the end of
 * what it wrote to output_commit.
 */
static inline char *output_reserve(struct output *out, size_t size)
{
    if (OUTPUT_SIZE - out->used < size)
        output_make_room(out);
    return out->buffer + out->used;
}

static inline void output_commit(struct output *out, const char *end)
{
    out->used = (size_t) (end - out->buffer);
}

/* Implements output_bytes for more bytes than the buffer has room for. */
void output_bytes_in_parts(struct output *out, const char *data, size_t size);

/* Writes any number of bytes. */
static inline void output_bytes(struct output *out, const char *data, size_t size)
{
    if (size > OUTPUT_SIZE - out->used) {
        output_bytes_in_parts(out, data, size);
        return;
    }
    memcpy(out->buffer + out->used, data, size);
    out->used += size;
}

/* Writes a string that ends in NUL. */
static inline void output_text(struct output *out, const char *text)
{
    output_bytes(out, text, strlen(text));
}

/*
 * Writes a string of the trace as it is. On a terminal its line feeds and tabs are escaped, as
 * otherwise it could look like lines that the command wrote.
 */
void output_string(struct output *out, gt_string string);

/*
 * Escapes a string of the trace for a terminal, including line feeds and tabs: a gt_escape_fn.
 */
size_t output_escape(gt_string *rest, char *to, size_t room);

void output_unsigned(struct output *out, uint64_t value);

/* The functions below write at `to`, where there must be room, and return the end. */

static inline char *put_bytes(char *to, const char *data, size_t size)
{
    memcpy(to, data, size);
    return to + size;
}

static inline char *put_text(char *to, const char *text)
{
    return put_bytes(to, text, strlen(text));
}

/* Writes a number below 1000 with leading zeros. */
static inline char *put_three(char *to, uint32_t value)
{
    to[0] = (char) ('0' + value / 100);
    to[1] = (char) ('0' + value / 10 % 10);
    to[2] = (char) ('0' + value % 10);
    return to + 3;
}

char *put_unsigned(char *to, uint64_t value);

static inline char *put_signed(char *to, int64_t value)
{
    if (value >= 0)
        return put_unsigned(to, (uint64_t) value);
    *to = '-';
    return put_unsigned(to + 1, 0 - (uint64_t) value);
}

#endif
