/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEW_SERVING_H
#define TESTS_VIEW_SERVING_H

/*
 * A server in a thread of its own. It has
 *
 *   /             "root"
 *   /echo         method, path and query, and what becomes of the parameters a, n and u
 *   /under/       what follows
 *   /big?n=N      N bytes, see serving_byte
 *   /cut?n=N      the same, and then an error
 *   /header?v=V   a header "X-Test: V"
 *   /hold         waits for serving_release, or until the client is gone
 *   /endless      writes until the client is gone
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
    /* With the lock held: handlers of /hold and /endless that began and ended, ... */
    int begun;
    int ended;
    /* ... and how many of those that hold may go. */
    int released;
};

/* `settings` may be NULL. */
void serving_start(struct serving *serving, const char *address,
                   const struct http_settings *settings);

/* Stops it, if that was not done, and waits until it has. */
void serving_stop(struct serving *serving);

/* Waits until that many handlers have begun, or ended. */
void serving_await_begun(struct serving *serving, int count);
void serving_await_ended(struct serving *serving, int count);
void serving_release(struct serving *serving);

/* What the body of /big has at `index`. */
char serving_byte(size_t index);

#endif
