/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_URL_H
#define HTTP_URL_H

/* The URL of something that is read from a server: http://HOST[:PORT][/PATH][?QUERY]. */

#include <stdbool.h>

#include "address.h"

enum {
    /* Room for the path and the query of a URL, including the NUL. */
    HTTP_TARGET_MAX = 4096
};

struct http_url {
    struct http_address address;
    /* The host and the port as they are in the URL, for the header Host. */
    char authority[HTTP_TEXT_MAX];
    /* The path, which begins with '/' or is empty, and the query with its '?' if there is one. */
    char target[HTTP_TARGET_MAX];
};

/* Returns whether a name is a URL with the scheme http or https. */
bool http_url_is(const char *text);

/*
 * Parses a URL. A fragment is left out. Returns false if the URL is malformed, or one that this
 * client cannot read, with the reason in `error`, which has room for HTTP_TEXT_MAX bytes.
 */
bool http_url_parse(const char *text, struct http_url *url, char *error);

#endif
