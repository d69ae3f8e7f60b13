/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_ANSWER_H
#define HTTP_ANSWER_H

/* What a server answers to a client: the head, and the body as the head says that it is framed. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far the body has come: what the next byte belongs to. */
enum http_framing_state {
    HTTP_FRAMING_DATA,      /* the body or a chunk, of which `left` bytes follow */
    HTTP_FRAMING_TO_END,    /* the body, which ends with the connection */
    HTTP_FRAMING_SIZE,      /* the digits of the size of a chunk */
    HTTP_FRAMING_EXTENSION, /* what follows the digits, up to the end of the line */
    HTTP_FRAMING_CHUNK_END, /* the line end after a chunk */
    HTTP_FRAMING_TRAILER,   /* a line after the last chunk; an empty one is the end */
    HTTP_FRAMING_COMPLETE,
    HTTP_FRAMING_MALFORMED
};

struct http_framing {
    enum http_framing_state state;
    bool is_chunked;
    uint64_t left;
    /* The number of digits of the size so far, and of bytes of framing since the last data. */
    unsigned int digits;
    size_t overhead;
    /* The line of a trailer has a byte other than CR. */
    bool has_text;
};

struct http_answer {
    int status;
    /* Where a redirect leads to, or NULL. */
    const char *location;
    struct http_framing framing;
};

/*
 * Parses a complete head of `size` bytes, which http_head_find has found. `data` is modified, and
 * must remain valid as long as `*answer`, which points into it. Returns false if the head is
 * malformed, or the body is framed in a way that is not known.
 */
bool http_answer_parse(char *data, size_t size, struct http_answer *answer);

/*
 * Parses the next `size` bytes of an answer after its head. Sets `*skipped` to the number of bytes
 * of framing at their beginning. Returns the number of bytes of the body that follow these, which
 * is 0 if more is needed, or if the state has become HTTP_FRAMING_COMPLETE or
 * HTTP_FRAMING_MALFORMED.
 */
size_t http_framing_take(struct http_framing *framing, const char *data, size_t size,
                         size_t *skipped);

#endif
