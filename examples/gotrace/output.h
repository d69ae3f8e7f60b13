/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OUTPUT_H
#define OUTPUT_H

/*
 * Standard output, buffered. Text is put together by hand, for a dump is mostly
 * numbers and short words, and stdio's formatting takes longer than reading the
 * trace does.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    OUTPUT_SIZE = 256 * 1024,
    /* The most bytes that a number takes: 2^64-1, or a sign and 2^63. */
    OUTPUT_NUMBER_MAX = 20
};

struct output {
    int fd;
    /* errno of the first write that failed, else 0. What follows it is dropped. */
    int error;
    size_t used;
    char buffer[OUTPUT_SIZE];
};

void output_open(struct output *out, int fd);

/* Writes out what is held. False where any write so far failed. */
bool output_flush(struct output *out);

/*
 * Room for `size` bytes, at most OUTPUT_SIZE of them, to be filled in from the
 * pointer that is returned; output_commit takes the end of what was filled in.
 */
static inline char *output_reserve(struct output *out, size_t size)
{
    if (OUTPUT_SIZE - out->used < size)
        output_flush(out);
    return out->buffer + out->used;
}

static inline void output_commit(struct output *out, const char *end)
{
    out->used = (size_t) (end - out->buffer);
}

/* output_bytes where there is no room for all of them. */
void output_bytes_in_parts(struct output *out, const char *data, size_t size);

/* Any number of bytes. */
static inline void output_bytes(struct output *out, const char *data, size_t size)
{
    if (size > OUTPUT_SIZE - out->used) {
        output_bytes_in_parts(out, data, size);
        return;
    }
    memcpy(out->buffer + out->used, data, size);
    out->used += size;
}

/* A string that ends in NUL. */
static inline void output_text(struct output *out, const char *text)
{
    output_bytes(out, text, strlen(text));
}

void output_unsigned(struct output *out, uint64_t value);

/*
 * The functions below write at `to`, where there must be room, and return the
 * end of what they wrote.
 */

static inline char *put_bytes(char *to, const char *data, size_t size)
{
    memcpy(to, data, size);
    return to + size;
}

static inline char *put_text(char *to, const char *text)
{
    return put_bytes(to, text, strlen(text));
}

char *put_unsigned(char *to, uint64_t value);
char *put_signed(char *to, int64_t value);
/*
 * The same for a dump, which is mostly numbers: without a branch on how many digits there
 * are, which would be guessed wrong each time that changes. Any of OUTPUT_NUMBER_MAX bytes
 * may be written.
 */
char *put_long(char *to, uint64_t value);

/* Up to three digits. All four bytes are copied, for that is one move. */
struct put_word {
    char digits[3];
    uint8_t size;
};

extern const struct put_word put_words[1000];
extern const char put_pairs[200];

static inline char *put_quick(char *to, uint64_t value)
{
    if (value >= 1000000)
        return put_long(to, value);
    uint32_t high = (uint32_t) value / 1000, low = (uint32_t) value % 1000;
    if (high == 0)
        high = low;
    memcpy(to, &put_words[high], sizeof(put_words[high]));
    to += put_words[high].size;
    if (value < 1000)
        return to;
    *to = (char) ('0' + low / 100);
    memcpy(to + 1, put_pairs + (size_t) 2 * (low % 100), 2);
    return to + 3;
}

static inline char *put_quick_signed(char *to, int64_t value)
{
    return value >= 0 ? put_quick(to, (uint64_t) value) : put_signed(to, value);
}

/* Eight digits, zeros in front included. */
char *put_eight(char *to, uint32_t value);

/* At least `width` (up to OUTPUT_NUMBER_MAX) digits, with zeros in front. */
char *put_padded(char *to, uint64_t value, unsigned int width);
/* In lower case, without 0x. */
char *put_hex(char *to, uint64_t value);

#endif
