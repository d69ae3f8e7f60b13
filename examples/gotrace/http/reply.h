/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_REPLY_H
#define HTTP_REPLY_H

/* A struct http_response as the server sees it: from its start to the bytes that go out. */

#include <stdbool.h>
#include <stddef.h>

#include "response.h"

enum {
    HTTP_EXTRA_MAX = 2048
};

/* Where the bytes go. */
struct http_sink {
    void *user_data;
    /* False where the client went away. */
    bool (*send)(void *user_data, const void *data, size_t size);
    /* Whether to go on is in vain. */
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
    int status;
    const char *type;
    /* Headers of the handler's, as they go out. */
    char extra[HTTP_EXTRA_MAX];
    size_t extra_size;
    /* Room for the head, `room` bytes of the body, of which `used` are there, and an end. */
    char *buffer;
    size_t used;
    size_t room;
    bool is_head_sent;
    /* Nothing more of it can go out. */
    bool is_broken;
    /* There was no memory for it. */
    bool is_short;
};

/* The other members are set then; `response` has nothing to free yet. */
void http_response_init(struct http_response *response, const struct http_sink *sink);

/* Sends what is left and frees it. Whether the connection can go on. */
bool http_response_finish(struct http_response *response);

#endif
