/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_RESPONSE_H
#define HTTP_RESPONSE_H

/*
 * What a handler answers. Status and headers are set first, then the body is written in
 * any number of pieces. A body of up to HTTP_BUFFER_MAX bytes is held back until the
 * handler returns and goes out with its length, a longer one in chunks as it comes; from
 * its first chunk on, status and headers are settled. Nothing here fails in a way that a
 * handler must deal with: where memory runs out before that the client gets a 503, after
 * it a body that is visibly cut off.
 */

#include <stdbool.h>
#include <stddef.h>

enum {
    HTTP_BUFFER_MAX = 256 * 1024
};

struct http_response;

/* 200 if not set. */
void http_set_status(struct http_response *response, int status);

/* Content-Type; "application/octet-stream" if not set. `type` is not copied. */
void http_set_type(struct http_response *response, const char *type);

/*
 * One more header. Both are copied; a value with a control character in it, or one too many
 * or too long, makes the answer a 500. Those that the server makes itself, such as
 * Content-Length and Cache-Control, are not to be set.
 */
void http_set_header(struct http_response *response, const char *name, const char *value);

void http_bytes(struct http_response *response, const void *data, size_t size);

/* A string that ends in NUL. */
void http_text(struct http_response *response, const char *text);

/*
 * Whether it is in vain to go on: the client went away, the server is to stop, or all that
 * is wanted has been written. For handlers that write or work for long to ask.
 */
bool http_failed(const struct http_response *response);

/*
 * Makes the answer {"error":TEXT} with that status, in place of what was written so far.
 * Where some of that has gone out already, the body is cut off instead.
 */
void http_error(struct http_response *response, int status, const char *text);

#endif
