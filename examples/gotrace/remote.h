/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REMOTE_H
#define REMOTE_H

/*
 * The URL of a trace that a running program records: that of net/http/pprof if it names no path,
 * or of any handler that writes a trace.
 */

#include <stdbool.h>
#include <stdint.h>

#include "http/client.h"

enum {
    /* For how many seconds net/http/pprof records if the URL does not say that. */
    REMOTE_SECONDS = 5,
    /* The same for a trace that is followed: an hour. */
    REMOTE_SECONDS_FOLLOWED = 3600
};

/* Returns whether the user gave a URL in the place of a file. */
bool remote_is(const char *name);

/*
 * Requests the trace. If the server records it meanwhile, the client waits for that. `silence` is
 * the longest time in nanoseconds without a byte; 0 is the default. Returns false on failure, with
 * the reason in client->error. The caller has initialised the client, and closes it.
 */
bool remote_open(struct http_client *client, const char *name, bool follows, int64_t silence);

#endif
