/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

enum http_method {
    HTTP_GET,
    HTTP_HEAD
};

/* A request. Its strings are valid while the handler runs. */
struct http_request {
    enum http_method method;
    /* The decoded path, which begins with '/'. */
    const char *path;
    /* The text after the '?' as it was sent, or "" if there is none. */
    const char *query;
};

#endif
