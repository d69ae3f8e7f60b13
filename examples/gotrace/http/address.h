/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_ADDRESS_H
#define HTTP_ADDRESS_H

#include <stdbool.h>

#include "server.h"

/* HOST:PORT, taken apart. */
struct http_address {
    /* Without brackets; "" is all addresses of the machine. */
    char host[HTTP_TEXT_MAX];
    char port[8];
};

/* False, with the reason in `error`, where it is malformed. */
bool http_address_parse(const char *text, struct http_address *address, char *error);

/* Returns a socket that listens there and does not block; -1, and the reason in `error`. */
int http_address_listen(const struct http_address *address, char *error);

/* Where a browser on this machine finds what listens on `fd`. */
bool http_address_url(const struct http_address *address, int fd, char *url);

#endif
