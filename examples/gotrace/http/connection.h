/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_CONNECTION_H
#define HTTP_CONNECTION_H

/* One connection, whose requests are served one after another in its own thread. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "head.h"
#include "server.h"

/* The part of the server that all connections share. */
struct http_shared {
    http_handler *handle;
    void *user_data;
    struct http_settings settings;
    /* The host for which the server was opened; "" if there is none. */
    char host[HTTP_TEXT_MAX];
    /* Requests that change something are accepted, with bodies of at most that many bytes. */
    bool accepts_changes;
    uint64_t body_max;
    /* The server is to stop, and so are long handlers. */
    atomic_bool stopping;
    /* Guards the members of connections and of slots of the server that say so. */
    pthread_mutex_t lock;
};

enum http_state {
    /* It waits for a request or for the rest of one, or is about to end. */
    HTTP_READING,
    /* A handler is running. */
    HTTP_WORKING,
    /* It waits until the client accepts more of an answer, or sends more of a body. */
    HTTP_STALLED
};

struct http_connection {
    struct http_shared *shared;
    int fd;
    /*
     * What the connection does, and since when, in milliseconds of http_clock. Guarded by the lock.
     */
    enum http_state state;
    int64_t since;
    /* A request has arrived. Guarded by the lock. */
    bool is_used;
    /* The server has shut it down. Guarded by the lock. */
    bool is_shut;
    /* The next time at which http_is_gone may check whether the client is still there. */
    int64_t next_check;
    bool is_gone;
    /* The body of the request that is being answered. */
    struct http_body body;
    /* The client is told to send the body when the handler reads it. */
    bool waits_to_continue;
    /* When the next part of the body must have come, and how many bytes of it are missing. */
    int64_t body_deadline;
    size_t body_part;
    /* How many of the bytes behind the head are those of the body that were read. */
    size_t body_taken;
    /* The size of the head of the request that is being answered. */
    size_t head_size;
    /* The `used` bytes that were received. They begin with the request that is being answered. */
    size_t used;
    char data[HTTP_HEAD_MAX + 1];
};

/* Serves requests until the connection ends. The caller closes `fd`. */
void http_connection_serve(struct http_connection *connection);

/*
 * Returns whether a connection may be shut down to make room for another one. It must not be shut
 * down while a handler runs, while it has unread input, or before the time for its first request or
 * for accepting more of an answer has passed. The lock is held.
 */
bool http_connection_may_go(const struct http_connection *connection);

/* Makes a connection end soon. The lock is held. */
void http_connection_shut(struct http_connection *connection);

#endif
