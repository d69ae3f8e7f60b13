/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_FORMAT_SINK_H
#define GT_FORMAT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <gotrace/types.h>
#include <gotrace/write.h>

enum {
    /* Enough for text that consists of numbers and of names of kinds and states. */
    GT_SINK_PIECE = 256,
    GT_SINK_SCRATCH = 2 * GT_SINK_PIECE
};

/*
 * The destination of text: either the caller's buffer, beyond whose end bytes are only counted, or
 * a function, to which text is passed through a buffer. Text is written to a window [to, end); if
 * that has no room for the next piece, gt_sink_make_room makes another one.
 */
struct gt_sink {
    char *start; /* of the window */
    char *to;
    char *end;
    size_t gone;       /* the number of bytes of earlier windows */
    gt_write_fn write; /* NULL: the text goes to the caller's buffer */
    void *write_data;
    bool failed; /* `write` returned a failure */
    bool ends;   /* a NUL follows the text in the caller's buffer */
    char *rest;  /* the rest of the caller's buffer, once the window is `scratch` */
    char *rest_end;
    /* Takes the text that crosses the end of the caller's buffer, and the text that is only
     * counted. */
    char scratch[GT_SINK_SCRATCH];
};

/* Implements gt_sink_to_buffer for a buffer of at most one byte. */
void gt_sink_to_small_buffer(struct gt_sink *sink, char *text, size_t room);

/* Starts a text in the caller's buffer of `room` bytes; `text` may be NULL if that is 0. */
static inline void gt_sink_to_buffer(struct gt_sink *sink, char *text, size_t room)
{
    sink->gone = 0;
    sink->write = NULL;
    if (room <= 1) {
        gt_sink_to_small_buffer(sink, text, room);
        return;
    }
    sink->ends = true;
    sink->start = sink->to = text;
    sink->end = text + room - 1;
}

/* Starts a text that goes to `write` by way of `buffer`, of at least GT_SINK_PIECE bytes. */
void gt_sink_to_function(struct gt_sink *sink, char *buffer, size_t room, gt_write_fn write,
                         void *write_data);

/* Implements gt_sink_finish for text that does not fit into the caller's buffer, or is not written
 * there. */
size_t gt_sink_finish_parts(struct gt_sink *sink);

/* Ends the text. Returns the number of its bytes, including those that had no room. */
static inline size_t gt_sink_finish(struct gt_sink *sink)
{
    if (sink->write || sink->start == sink->scratch)
        return gt_sink_finish_parts(sink);
    char *end = sink->to;
    size_t size = (size_t) (end - sink->start);
    *end = '\0';
    return size;
}

/* Makes the window have room for at least GT_SINK_PIECE bytes. */
void gt_sink_make_room(struct gt_sink *sink);

/* Returns room for `size` bytes, at most GT_SINK_PIECE, whose end is passed to gt_sink_commit. */
static inline char *gt_sink_reserve(struct gt_sink *sink, size_t size)
{
    if ((size_t) (sink->end - sink->to) < size)
        gt_sink_make_room(sink);
    return sink->to;
}

static inline void gt_sink_commit(struct gt_sink *sink, char *end)
{
    sink->to = end;
}

/* Implements gt_sink_bytes for more bytes than the window has room for. */
void gt_sink_bytes_in_parts(struct gt_sink *sink, const char *data, size_t size);

/* Writes any number of bytes. */
static inline void gt_sink_bytes(struct gt_sink *sink, const char *data, size_t size)
{
    if (size > (size_t) (sink->end - sink->to)) {
        gt_sink_bytes_in_parts(sink, data, size);
        return;
    }
    memcpy(sink->to, data, size);
    sink->to += size;
}

/* Writes a string that ends in NUL. */
static inline void gt_sink_text(struct gt_sink *sink, const char *text)
{
    gt_sink_bytes(sink, text, strlen(text));
}

/*
 * A function that writes as much of a string as fits to `room` bytes, in another form, and advances
 * `*rest` past it, such as gt_string_quote.
 */
typedef size_t gt_sink_escape_fn(gt_string *rest, char *to, size_t room);

/* Writes a string in the form that `escape` gives it. */
void gt_sink_escaped(struct gt_sink *sink, gt_string string, gt_sink_escape_fn *escape);

/* Writes a string as Go's %q does: in double quotes, with escapes. */
void gt_sink_quoted(struct gt_sink *sink, gt_string string);

/* Copies a string that ends in NUL to `to`, where there must be room, and returns the end. */
static inline char *gt_sink_put(char *to, const char *text)
{
    size_t size = strlen(text);
    memcpy(to, text, size);
    return to + size;
}

#endif
