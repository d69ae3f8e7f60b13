/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_RESPONSE_H
#define HTTP_RESPONSE_H

/*
 * The answer to one request as it goes over a connection: a handler begins it once, then writes
 * the body in any number of pieces. A body whose length is not known goes out in chunks.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#define HTTP_LENGTH_UNKNOWN UINT64_MAX

enum {
    /* Room for the head: the status line and all headers. */
    HTTP_REPLY_HEAD_MAX = 8192
};

struct http_header {
    const char *name;
    const char *value;
};

/* Where the bytes go. */
struct http_sink {
    void *user_data;
    /* Sends `count` parts, which it may change. False where the client went away. */
    bool (*send)(void *user_data, struct iovec *parts, size_t count);
    /* Whether the client went away, or the server is to stop. */
    bool (*is_gone)(void *user_data);
};

struct http_response {
    const struct http_sink *sink;
    /* The client understands chunks. */
    bool can_chunk;
    /* It wants the head alone. */
    bool head_only;
    /* The connection is to go on afterwards. */
    bool keep_alive;
    /* Set by http_begin. The body is cut into chunks. */
    bool is_chunked;
    bool is_begun;
    /* The client went away. */
    bool is_broken;
    /* The head, until it goes out together with the first bytes of the body. */
    char head[HTTP_REPLY_HEAD_MAX];
    size_t head_size;
};

/* The members that say what the client can do and wants are set after this. */
void http_response_init(struct http_response *response, const struct http_sink *sink);

/*
 * Begins the answer. `length` is that of the body, or HTTP_LENGTH_UNKNOWN. Headers on length and
 * connection are added. Answers whose head is too long become a 500 without a body.
 */
void http_begin(struct http_response *response, int status, const struct http_header *headers,
                size_t count, uint64_t length);

/* Sends a piece of the body. False where the client went away. */
bool http_write(struct http_response *response, const void *data, size_t size);

/* Whether the client went away, or the server is to stop: no more of the answer is needed. */
bool http_is_gone(const struct http_response *response);

/* Answers {"error":TEXT} with that status; `text` needs no escapes in JSON. */
void http_refuse(struct http_response *response, int status, const char *text);

/*
 * Sends what is left. `is_whole` is false for a body that was cut off, of which the client is to
 * see that it was. Whether the connection can go on.
 */
bool http_response_finish(struct http_response *response, bool is_whole);

#endif
