/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

enum http_method {
    HTTP_GET,
    HTTP_HEAD
};

/* What a client asks for. All of it is valid for as long as the handler runs. */
struct http_request {
    enum http_method method;
    /* Decoded; begins with '/'. */
    const char *path;
    /* What follows the '?', as it was sent; "" where there is none. */
    const char *query;
};

#endif
