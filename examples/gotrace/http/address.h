/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_ADDRESS_H
#define HTTP_ADDRESS_H

#include <stdbool.h>

#include "server.h"

/* The parts of HOST:PORT. */
struct http_address {
    /* The host without brackets; "" means all addresses of the machine. */
    char host[HTTP_TEXT_MAX];
    /* Up to five decimal digits; 0 means any free port. */
    char port[8];
};

/*
 * Parses HOST:PORT, where an IPv6 address is in brackets. Returns false if it is malformed, with
 * the reason in `error`, which has room for HTTP_TEXT_MAX bytes.
 */
bool http_address_parse(const char *text, struct http_address *address, char *error);

/*
 * Returns a socket that listens at `address` and does not block. The caller closes it. Returns -1
 * on failure, with the reason in `error`, which has room for HTTP_TEXT_MAX bytes.
 */
int http_address_listen(const struct http_address *address, char *error);

/* Returns whether a socket listens at all addresses of the machine. */
bool http_address_is_any(int fd);

/* Returns whether a socket listens at an address that only this machine can reach. */
bool http_address_is_local(int fd);

/*
 * Writes the URL at which a browser on this machine finds the server that listens on `fd` to `url`,
 * which has room for HTTP_TEXT_MAX bytes. Returns false if the address of `fd` cannot be found out
 * or the URL is too long.
 */
bool http_address_url(const struct http_address *address, int fd, char *url);

#endif
