/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_CLIENT_H
#define HTTP_CLIENT_H

/*
 * An HTTP/1.1 client, which gets what a URL names, in one request on a connection of its own. The
 * server may take its time with the answer, as one does that records something meanwhile; the
 * client can tell it to stop, and gets what it has recorded until then.
 */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "answer.h"
#include "head.h"
#include "url.h"

enum {
    /* How long connecting to an address may take, in milliseconds. */
    HTTP_CLIENT_CONNECT = 5000,
    /* How long the rest of the answer may take after the client has been stopped. */
    HTTP_CLIENT_REST = 3000
};

/* How long the server may take, in milliseconds. */
struct http_patience {
    /* The time that the server takes before it has to send anything. */
    int64_t work;
    /* The longest time without a byte after that. */
    int64_t silence;
    /* The longest time for everything; 0 if there is no limit. */
    int64_t total;
};

struct http_client {
    /* -1 if there is no connection. */
    volatile sig_atomic_t fd;
    volatile sig_atomic_t is_stopped;
    struct http_patience patience;
    /* The times of the request, of the last byte, and of when the stop was noticed (or 0). */
    int64_t begin;
    int64_t last;
    int64_t stop;
    bool has_head; /* the head of the answer has come */
    struct http_framing framing;
    /* The answer broke off, or took too long. `error` says which. */
    bool is_cut;
    /* Received bytes that were not used yet. */
    char buffer[HTTP_HEAD_MAX];
    size_t start;
    size_t size;
    char error[HTTP_TEXT_MAX];
};

/* Sets up a client without a connection, which http_client_stop may already be called for. */
void http_client_init(struct http_client *client);

/*
 * Requests what a URL names, and receives the head of the answer. Returns false on failure, also if
 * the status of the answer is not 200, with the reason in client->error.
 */
bool http_client_get(struct http_client *client, const struct http_url *url,
                     const struct http_patience *patience);

/*
 * Receives the next bytes of the body, and waits for them. Returns their number, at most
 * `capacity`, or 0 at the end. The end is also reached when the answer breaks off or takes too
 * long: client->is_cut is then set, and the reason is in client->error.
 */
size_t http_client_read(struct http_client *client, void *buffer, size_t capacity);

/*
 * Lets the server end its work: closes the direction to it, which servers notice. The rest of the
 * answer is still received. May be called in a signal handler, and by another thread while that
 * makes sure that the client is not closed.
 */
void http_client_stop(struct http_client *client);

/* Lets http_client_read in another thread reach the end, without the rest of the answer. */
void http_client_abandon(struct http_client *client);

/* Closes the connection. The error remains. */
void http_client_close(struct http_client *client);

#endif
