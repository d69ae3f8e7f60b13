/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WRITER_OUT_H
#define GT_WRITER_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gotrace/types.h>
#include <gotrace/write.h>

#include "writer/number.h"

enum {
    GT_JSON_BUFFER = 16384,
    /* What one piece of JSON may have that is put without looking. */
    GT_JSON_PIECE = 2048
};

/*
 * Where JSON goes on its way to the caller's function. A failure is remembered, and
 * what is put from then on is lost, so that it is enough to look once in a while.
 */
struct gt_json_out {
    gt_write_fn write; /* NULL: everything is lost, but counted */
    void *user_data;
    uint64_t handed_on;
    int failed;
    struct gt_time_digits time; /* of the last event */
    char *at;
    char data[GT_JSON_BUFFER];
};

void gt_json_out_init(struct gt_json_out *out, gt_write_fn write, void *user_data);

/* Hands on all that is there. */
void gt_json_out_flush(struct gt_json_out *out);

/* How many bytes were put so far. */
static inline uint64_t gt_json_out_size(const struct gt_json_out *out)
{
    return out->handed_on + (uint64_t) (out->at - out->data);
}

static inline size_t gt_json_out_room(const struct gt_json_out *out)
{
    return (size_t) (out->data + GT_JSON_BUFFER - out->at);
}

/* Makes room for GT_JSON_PIECE bytes. */
static inline void gt_json_out_reserve(struct gt_json_out *out)
{
    if (gt_json_out_room(out) < GT_JSON_PIECE)
        gt_json_out_flush(out);
}

/* Puts bytes of which there are any number. */
void gt_json_put(struct gt_json_out *out, const char *data, size_t size);

/* Puts a JSON string of any length. Leaves room for GT_JSON_PIECE bytes. */
void gt_json_put_string(struct gt_json_out *out, gt_string text);

/* Puts a literal, for which there is room. */
#define GT_JSON_PUT(out, literal)                                                                  \
    do {                                                                                           \
        memcpy((out)->at, (literal), sizeof(literal) - 1);                                         \
        (out)->at += sizeof(literal) - 1;                                                          \
    } while (0)

#endif
