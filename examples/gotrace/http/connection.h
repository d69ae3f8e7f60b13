/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_CONNECTION_H
#define HTTP_CONNECTION_H

/* One connection: its requests, one after the other, in a thread of its own. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "head.h"
#include "server.h"

/* What all connections share. */
struct http_shared {
    http_handler *handle;
    void *user_data;
    struct http_settings settings;
    /* The host that the server was opened for; "" for none. */
    char host[HTTP_TEXT_MAX];
    atomic_bool stopping;
    /* Guards the members of connections that say so, and what the server knows of them. */
    pthread_mutex_t lock;
};

enum http_state {
    /* It waits for a request, or for the rest of one. */
    HTTP_READING,
    /* A handler is at work. */
    HTTP_WORKING,
    /* It waits for the client to take what was sent. */
    HTTP_STALLED
};

struct http_connection {
    struct http_shared *shared;
    int fd;
    /* With the lock held: what it does, and since when. */
    enum http_state state;
    int64_t since;
    /* With the lock held: the server has shut it down. */
    bool is_shut;
    /* When http_is_gone may look again whether the client is there. */
    int64_t next_look;
    bool is_gone;
    /* What came, of which the first bytes are the request that is being answered. */
    size_t used;
    char data[HTTP_HEAD_MAX + 1];
};

/* Serves it until it ends. Closing `fd` is left to the caller. */
void http_connection_serve(struct http_connection *connection);

/* With the lock held: ends it soon. */
void http_connection_shut(struct http_connection *connection);

#endif
