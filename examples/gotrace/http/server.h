/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

/*
 * An HTTP/1.1 server for the user's own browsers. It has a thread for each connection, and knows
 * GET and HEAD, and where bodies are accepted POST and DELETE, which must come from its own pages.
 * It answers only requests that are addressed to an IP address, to localhost, or
 * to the host for which it was opened, so that no foreign site can make a browser read from it
 * under a name of that site.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "request.h"
#include "response.h"

enum {
    /* Room for a URL or an error message, including the NUL. */
    HTTP_TEXT_MAX = 512
};

/*
 * Answers a request by means of the functions of response.h. Returns false if the answer broke off
 * after it had begun; the connection then ends. Called by several threads at the same time.
 */
typedef bool http_handler(void *user_data, const struct http_request *request,
                          struct http_response *response);

/*
 * Settings of a server. A member that is 0 has the value of HTTP_DEFAULTS. Times are in
 * milliseconds.
 */
struct http_settings {
    /*
     * How long the head of a request may take, from its first byte, or for the first request from
     * the opening of the connection.
     */
    int head_timeout;
    /* How long a connection may be idle before its next request. */
    int idle_timeout;
    /* How long a client may accept no data of an answer. */
    int write_timeout;
    /*
     * How long the client may take for the next part of a body, of 16 KiB or what is left of it.
     */
    int body_timeout;
    /* The most connections at the same time. */
    int connections;
};

#define HTTP_DEFAULTS                                                                              \
    {                                                                                              \
        10000, 60000, 30000, 30000, 64                                                             \
    }

struct http_server;

/*
 * Opens a server that listens at `address`: HOST:PORT, where port 0 means any free port, an IPv6
 * address is in brackets, and an empty host means all addresses of the machine. `settings` is
 * copied, and may be NULL for the defaults. Returns NULL on failure, with the reason in `error`,
 * which has room for HTTP_TEXT_MAX bytes.
 */
struct http_server *http_server_open(const char *address, http_handler *handle, void *user_data,
                                     const struct http_settings *settings, char *error);

/*
 * Returns the URL at which a browser finds the server, such as "http://127.0.0.1:6060". It is valid
 * until the server is closed.
 */
const char *http_server_url(const struct http_server *server);

/* Returns whether the server listens at all addresses of the machine. */
bool http_server_is_public(const struct http_server *server);

/* Returns whether only programs on this machine can reach the server. */
bool http_server_is_local(const struct http_server *server);

/*
 * Accepts requests that change something, with bodies of up to `most` bytes. A POST must have the
 * content type application/octet-stream, which forms of other sites cannot have. Called before
 * http_server_run.
 */
void http_server_accept_changes(struct http_server *server, uint64_t most);

/* Serves requests until http_server_stop is called; returns when all connections are closed. */
void http_server_run(struct http_server *server);

/*
 * Makes http_server_run return. May be called by any thread and by a signal handler, before, during
 * and after http_server_run.
 */
void http_server_stop(struct http_server *server);

/*
 * Closes and frees a server. Must not be called while http_server_run runs. Does nothing if
 * `server` is NULL.
 */
void http_server_close(struct http_server *server);

#endif
