/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OUTPUT_H
#define OUTPUT_H

/*
 * Buffered standard output. It formats by hand: a dump consists of numbers and short words, and
 * stdio takes longer to format them than the library takes to read the trace.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gotrace/types.h>

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
    /* The user wants the bytes as they are even if it is a terminal. */
    bool is_raw;
    struct terminal terminal;
    char buffer[OUTPUT_SIZE];
};

void output_open(struct output *out, int fd);

/* Whether the text is escaped as terminal.h says. */
static inline bool output_escapes(const struct output *out)
{
    return out->is_terminal && !out->is_raw;
}

/* Writes everything out. Returns false if any write so far failed. */
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

/* output_bytes for more bytes than the buffer has room for. */
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

/* Up to three digits. All four bytes are copied in one move. */
struct put_word {
    char digits[3];
    uint8_t size;
};

extern const struct put_word put_words[1000];
extern const char put_pairs[200];

/* Writes a number below 1000 with leading zeros. */
static inline char *put_three(char *to, uint32_t value)
{
    *to = (char) ('0' + value / 100);
    memcpy(to + 1, put_pairs + (size_t) 2 * (value % 100), 2);
    return to + 3;
}

/* put_unsigned for numbers of 1000000 and more. */
char *put_long(char *to, uint64_t value);

/*
 * Dumps consist mostly of numbers. There is no branch on the number of digits, which would be
 * mispredicted whenever that changes. Needs room for four bytes, even if it writes fewer.
 */
static inline char *put_unsigned(char *to, uint64_t value)
{
    if (value >= 1000000)
        return put_long(to, value);
    uint32_t high = (uint32_t) value / 1000, low = (uint32_t) value % 1000;
    if (high == 0)
        high = low;
    memcpy(to, &put_words[high], sizeof(put_words[high]));
    to += put_words[high].size;
    return value < 1000 ? to : put_three(to, low);
}

static inline char *put_signed(char *to, int64_t value)
{
    if (value >= 0)
        return put_unsigned(to, (uint64_t) value);
    *to = '-';
    return put_unsigned(to + 1, 0 - (uint64_t) value);
}

/* Writes eight digits, with leading zeros. */
char *put_eight(char *to, uint32_t value);

/* Writes lower-case hexadecimal digits without 0x. */
char *put_hex(char *to, uint64_t value);

#endif
