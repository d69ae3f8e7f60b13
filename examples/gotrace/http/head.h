/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_HEAD_H
#define HTTP_HEAD_H

/* The head of a request: its line and its headers. */

#include <stdbool.h>
#include <stddef.h>

#include "request.h"

enum {
    HTTP_HEAD_MAX = 16 * 1024,
    HTTP_HEADERS_MAX = 100
};

struct http_head {
    struct http_request request;
    /* NULL where it is not said, which HTTP/1.0 permits. */
    const char *host;
    /* HTTP/1.1, not 1.0. */
    bool is_newer;
    bool keep_alive;
};

/*
 * How many of `size` bytes are a whole head. 0 where more are needed; `*status` becomes
 * what to answer where it is malformed or too long, else 0.
 */
size_t http_head_find(const char *data, size_t size, int *status);

/*
 * Parses a whole head, which is written to and must stay. Returns 0, or the status to answer; what
 * can be known of the rest is set.
 */
int http_head_parse(char *data, size_t size, struct http_head *head);

#endif
