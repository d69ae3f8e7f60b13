/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include <stddef.h>
#include <stdint.h>

enum http_method {
    HTTP_GET,
    HTTP_HEAD,
    /* The methods that change something, of which only POST has a body. */
    HTTP_POST,
    HTTP_DELETE
};

/* The body of a request. */
struct http_body {
    void *user_data;
    /* Receives 1 to `size` bytes. Returns their number, or -1. */
    int64_t (*receive)(void *user_data, void *to, size_t size);
    /* How many bytes the handler has not read yet. */
    uint64_t left;
};

/* A request. Its strings are valid while the handler runs. */
struct http_request {
    enum http_method method;
    /* The decoded path, which begins with '/'. */
    const char *path;
    /* The text after the '?' as it was sent, or "" if there is none. */
    const char *query;
    /* Its members are 0 if there is no body. */
    struct http_body *body;
};

/*
 * Reads up to `size` bytes of the body. Returns their number, 0 at its end, or -1 if the client has
 * disconnected or sends too slowly.
 */
int64_t http_read(const struct http_request *request, void *to, size_t size);

#endif
