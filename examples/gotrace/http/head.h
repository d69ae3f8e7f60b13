/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_HEAD_H
#define HTTP_HEAD_H

/*
 * The head of a request: the request line and the headers. The head of an answer (answer.h) differs
 * from it only in its first line.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "request.h"

enum {
    /* The most bytes of a head, and the most headers. */
    HTTP_HEAD_MAX = 16 * 1024,
    HTTP_HEADERS_MAX = 100
};

struct http_head {
    struct http_request request;
    /* The host that is addressed; NULL if there is none, which HTTP/1.0 permits. */
    const char *host;
    /* The version is HTTP/1.1 or later, not 1.0. */
    bool is_newer;
    /* The values of the headers Origin and Content-Type; NULL if there are none. */
    const char *origin;
    const char *type;
    /* The size of the body of a POST, if `has_length`. */
    uint64_t length;
    bool has_length;
    /* The client sends the body only after it was told to continue. */
    bool waits_to_continue;
    /* The client allows another request on the same connection. */
    bool keep_alive;
};

/*
 * Returns how many of `size` bytes are a complete head, or 0 if more are needed. If the head is
 * malformed or too long, it returns 0 and sets `*status` to the status to answer with; otherwise
 * `*status` becomes 0.
 */
size_t http_head_find(const char *data, size_t size, int *status);

/* Returns the line at `*at` without its CRLF, which it has, and advances `*at` to the next line. */
char *http_head_take_line(char **at);

/*
 * Splits the line "NAME: VALUE" of a header. Returns the value without blanks around it; the name
 * is then at `line`. Returns NULL if the line is malformed, or continues the previous header.
 */
char *http_head_split(char *line);

/*
 * Parses a complete head of `size` bytes. `data` is modified, and must remain valid as long as
 * `*head`, which points into it. Returns 0, or the status to answer with; `*head` then contains
 * what could be parsed.
 */
int http_head_parse(char *data, size_t size, struct http_head *head);

#endif
