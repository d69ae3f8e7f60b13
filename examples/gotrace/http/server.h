/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

/*
 * A server of HTTP/1.1 for browsers of the user's own: a thread for each connection, GET
 * and HEAD alone. It answers only what is addressed to an IP address, to localhost or to
 * the host it was opened for, so that no foreign site can have a browser read from it
 * under a name of its own.
 */

#include <stdbool.h>
#include <stddef.h>

#include "request.h"
#include "response.h"

enum {
    /* Room for a URL or for what went wrong. */
    HTTP_TEXT_MAX = 512
};

/*
 * Answers a request. False: the answer broke off after it had begun, and the connection is to
 * end. Called by several threads at once.
 */
typedef bool http_handler(void *user_data, const struct http_request *request,
                          struct http_response *response);

/* What is 0 is as HTTP_DEFAULTS has it. Times are in milliseconds. */
struct http_settings {
    /* From the first byte of a request's head, or the opening of the connection, to its end. */
    int head_timeout;
    /* How long a connection may wait for its next request. */
    int idle_timeout;
    /* How long a client may take nothing of what is sent to it. */
    int write_timeout;
    /* The most connections at a time. */
    int connections;
};

#define HTTP_DEFAULTS                                                                              \
    {                                                                                              \
        10000, 60000, 30000, 64                                                                    \
    }

struct http_server;

/*
 * Listens at `address`: HOST:PORT, where port 0 is any that is free, an IPv6 address is in
 * brackets, and no host is all addresses of the machine. `settings` may be NULL.
 * Returns NULL where that fails, with the reason in `error`, which has HTTP_TEXT_MAX bytes.
 */
struct http_server *http_server_open(const char *address, http_handler *handle, void *user_data,
                                     const struct http_settings *settings, char *error);

/* Where a browser finds it, such as "http://127.0.0.1:6060". Good until it is closed. */
const char *http_server_url(const struct http_server *server);

/* Serves until http_server_stop; all connections are closed then. */
void http_server_run(struct http_server *server);

/* Goes from any thread and from a signal handler, before, during and after http_server_run. */
void http_server_stop(struct http_server *server);

/* Not while http_server_run runs. NULL is fine. */
void http_server_close(struct http_server *server);

#endif
