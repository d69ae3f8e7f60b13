/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SERIES_H
#define SERIES_H

/*
 * Traces that are taken from a URL again and again while the viewer runs. Each is a tab; the last
 * ones are kept, and those before are closed.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/client.h"
#include "tabs.h"

enum {
    /* How many traces are kept. */
    SERIES_KEPT = 10
};

struct series {
    struct tabs *tabs;
    const char *url; /* Borrowed. */
    int64_t every;   /* the time between two traces, in nanoseconds */
    pthread_t thread;
    bool is_running;
    /* Guards `is_stopping`, whose change is signalled, and the client when it begins and ends. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_stopping;
    struct http_client client;
    bool has_failed; /* the last one could not be taken, which has been reported */
    /* The tabs, from the oldest on. */
    uint32_t ids[SERIES_KEPT];
    size_t count;
};

/*
 * Begins to take traces, the first of them after `every`. The tabs have one already, of the id 1.
 * Returns false if no thread can be started.
 */
bool series_start(struct series *series, struct tabs *tabs, const char *url, int64_t every);

/* Ends that. Does nothing if it was not started. */
void series_stop(struct series *series);

#endif
