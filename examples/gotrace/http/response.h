/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_RESPONSE_H
#define HTTP_RESPONSE_H

/*
 * Sends the answer to one request over a connection. A handler begins the answer once, then writes
 * the body in any number of pieces. If the length of the body is not known, it is sent in chunks. A
 * response is used by one thread at a time.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* The length of a body whose length is not known when it begins. */
#define HTTP_LENGTH_UNKNOWN UINT64_MAX

enum {
    /* Room for the head: the status line and all headers. */
    HTTP_REPLY_HEAD_MAX = 8192
};

/* A header of an answer. Its strings belong to the caller. */
struct http_header {
    const char *name;
    const char *value;
};

/* The receiver of the bytes. */
struct http_sink {
    void *user_data;
    /* Sends `count` parts, which it may modify. Returns false if the client has disconnected. */
    bool (*send)(void *user_data, struct iovec *parts, size_t count);
    /* Returns whether the client has disconnected or the server is to stop. */
    bool (*is_gone)(void *user_data);
};

struct http_response {
    const struct http_sink *sink;
    /* The client understands chunks (HTTP/1.1). */
    bool can_chunk;
    /* The client wants only the head. */
    bool head_only;
    /* The connection is to remain open after the answer. */
    bool keep_alive;
    /* The body is sent in chunks. Set by http_begin, as is `is_begun`. */
    bool is_chunked;
    bool is_begun;
    /* The client has disconnected. */
    bool is_broken;
    /* The head, until it is sent together with the first bytes of the body. */
    char head[HTTP_REPLY_HEAD_MAX];
    size_t head_size;
};

/*
 * Initialises a response. `sink` must remain valid. Afterwards the caller sets `can_chunk`,
 * `head_only` and `keep_alive`.
 */
void http_response_init(struct http_response *response, const struct http_sink *sink);

/*
 * Begins the answer, and copies the headers. `length` is the size of the body in bytes, or
 * HTTP_LENGTH_UNKNOWN. The headers about date, length and connection are added. If the head is too
 * long, the answer becomes a 500 without a body.
 */
void http_begin(struct http_response *response, int status, const struct http_header *headers,
                size_t count, uint64_t length);

/* Sends a piece of the body. Returns false if the client has disconnected. */
bool http_write(struct http_response *response, const void *data, size_t size);

/*
 * Returns whether the client has disconnected or the server is to stop, so that no more of the
 * answer is needed.
 */
bool http_is_gone(const struct http_response *response);

/*
 * Answers {"error":TEXT} with a status. `text` must need no escapes in JSON, and have at most 240
 * bytes.
 */
void http_refuse(struct http_response *response, int status, const char *text);

/* Answers with a status and `size` bytes of JSON. */
void http_answer_json(struct http_response *response, int status, const char *body, size_t size);

/* Sends the client to another address, which may be relative to the one that it has asked for. */
void http_redirect(struct http_response *response, const char *address);

/*
 * Sends what is left of the answer. `is_whole` is false for a body that broke off; its end is then
 * not marked, so that the client notices. Returns whether the connection can be used again.
 */
bool http_response_finish(struct http_response *response, bool is_whole);

#endif
