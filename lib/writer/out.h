/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WRITER_OUT_H
#define GT_WRITER_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gotrace/types.h>
#include <gotrace/write.h>

#include "writer/number.h"

enum {
    /* A usual size of the buffer. */
    GT_JSON_BUFFER = 16384,
    /* The room that gt_json_out_reserve makes. */
    GT_JSON_PIECE = 2048
};

/*
 * A buffer in front of the caller's write function. After that function has failed, all output
 * is dropped, so that `failed` need not be checked after each write.
 */
struct gt_json_out {
    gt_write_fn write; /* NULL: output is only counted */
    void *user_data;
    uint64_t flushed; /* the number of bytes passed to `write` */
    bool failed;
    struct gt_time_digits time; /* the digits of the last event's time */
    char *end;                  /* the end of the bytes in the buffer */
    char *buffer;
    char *limit; /* the end of the buffer */
};

/* Sets up an empty buffer of `size` bytes, which must be at least GT_JSON_PIECE. */
void gt_json_out_init(struct gt_json_out *out, char *buffer, size_t size, gt_write_fn write,
                      void *user_data);

/* Passes all bytes in the buffer to the write function. */
void gt_json_out_flush(struct gt_json_out *out);

/* The number of bytes written so far. */
static inline uint64_t gt_json_out_size(const struct gt_json_out *out)
{
    return out->flushed + (uint64_t) (out->end - out->buffer);
}

static inline size_t gt_json_out_room(const struct gt_json_out *out)
{
    return (size_t) (out->limit - out->end);
}

/* Makes room for GT_JSON_PIECE bytes. */
static inline void gt_json_out_reserve(struct gt_json_out *out)
{
    if (gt_json_out_room(out) < GT_JSON_PIECE)
        gt_json_out_flush(out);
}

/* Writes a JSON string of any length, and then makes room for GT_JSON_PIECE bytes. */
void gt_json_put_string(struct gt_json_out *out, gt_string text);

/* Writes a literal, for which there must be room. */
#define GT_JSON_PUT(out, literal)                                                                  \
    do {                                                                                           \
        memcpy((out)->end, (literal), sizeof(literal) - 1);                                        \
        (out)->end += sizeof(literal) - 1;                                                         \
    } while (0)

#endif
