/* SPDX-License-Identifier: BSD-3-Clause */
#include "remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/target.h"

enum {
    REMOTE_MS = 1000,
    REMOTE_NS_A_MS = 1000000,
    /* The longest silence, and the time for the answer besides the recording, in milliseconds. */
    REMOTE_SILENCE = 10 * REMOTE_MS,
    REMOTE_MORE = 15 * REMOTE_MS,
    /* Longer recordings count as this many seconds, some 30 years. */
    REMOTE_MOST_SECONDS = 1000000000
};

static const char remote_path[] = "/debug/pprof/trace";

bool remote_is(const char *name)
{
    return http_url_is(name);
}

/* Returns for how many seconds a query asks to record, rounded up, or 0 if it does not say that. */
static int64_t remote_seconds(const char *query)
{
    char text[32] = "";
    char *end;
    if (!http_query_value(query, "seconds", text, sizeof(text)) || text[0] < '0' || text[0] > '9')
        return 0;
    unsigned long long seconds = strtoull(text, &end, 10);
    return seconds < REMOTE_MOST_SECONDS ? (int64_t) seconds + (*end != '\0') : REMOTE_MOST_SECONDS;
}

/* Adds the path of net/http/pprof if the URL has none, and to that path for how long to record.
 * Returns false if there is no room for that. */
static bool remote_complete(struct http_url *url, bool follows)
{
    char target[HTTP_TARGET_MAX];
    size_t path = strcspn(url->target, "?");
    bool has_path = path > 1;
    const char *query = url->target + path;
    bool is_pprof =
        !has_path || (path == strlen(remote_path) && memcmp(url->target, remote_path, path) == 0);
    if (!is_pprof)
        return true;
    int size = snprintf(target, sizeof(target), "%s%s", remote_path, query);
    if (remote_seconds(query + (*query == '?')) == 0)
        size = snprintf(target, sizeof(target), "%s%s%sseconds=%d", remote_path,
                        *query != '\0' ? query : "?", query[0] != '\0' && query[1] ? "&" : "",
                        follows ? REMOTE_SECONDS_FOLLOWED : REMOTE_SECONDS);
    if (size < 0 || (size_t) size >= sizeof(target))
        return false;
    memcpy(url->target, target, (size_t) size + 1);
    return true;
}

bool remote_open(struct http_client *client, const char *name, bool follows, int64_t silence)
{
    struct http_url url;
    struct http_patience patience = {.silence = REMOTE_SILENCE};
    if (!http_url_parse(name, &url, client->error))
        return false;
    if (!remote_complete(&url, follows)) {
        snprintf(client->error, sizeof(client->error), "bad URL: it is too long");
        return false;
    }
    if (silence > 0)
        patience.silence = silence / REMOTE_NS_A_MS;
    const char *query = strchr(url.target, '?');
    int64_t seconds = query ? remote_seconds(query + 1) : 0;
    if (seconds > 0) {
        /* A program with little to record may keep that to itself until the end. */
        patience.work = silence > 0 ? 0 : seconds * REMOTE_MS;
        patience.total = seconds * REMOTE_MS + REMOTE_MORE;
    }
    return http_client_get(client, &url, &patience);
}
