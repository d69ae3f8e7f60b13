/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEW_SERVING_H
#define TESTS_VIEW_SERVING_H

/*
 * A server in its own thread. It has these paths:
 *   /             "root"
 *   /echo         method, path and query, and the values of the parameters a, n and u
 *   /under/       the part of the path that follows
 *   /big?n=N      N bytes, see serving_byte
 *   /cut?n=N      the same, and then an error
 *   /header?v=V   a header "X-Test: V"
 *   /hold         waits for serving_release, or until the client has gone away
 *   /endless      writes until the client has gone away
 * If it accepts changes, each path answers with the method and with the size and sum of the bytes
 * of the body, of which it reads only about N if the query is "n=N".
 */

#include <pthread.h>
#include <stddef.h>

#include "http/server.h"

struct serving {
    struct http_server *server;
    const char *url;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Protected by the lock: how many handlers of /hold and /endless have begun, and have ended. */
    int begun;
    int ended;
    /* Protected by the lock: how many handlers of /hold may end. */
    int released;
};

/* `settings` may be NULL. */
void serving_start(struct serving *serving, const char *address,
                   const struct http_settings *settings);

/* The same for a server that accepts changes, with bodies of up to `most` bytes. */
void serving_start_changing(struct serving *serving, const char *address,
                            const struct http_settings *settings, uint64_t most);

/* Stops the server, unless it was stopped, and waits for its end. */
void serving_stop(struct serving *serving);

/* Wait until this many handlers have begun, or ended. */
void serving_await_begun(struct serving *serving, int count);
void serving_await_ended(struct serving *serving, int count);
void serving_release(struct serving *serving);

/* Returns the byte of the body of /big at `index`. */
char serving_byte(size_t index);

#endif
