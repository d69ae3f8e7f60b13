/* SPDX-License-Identifier: BSD-3-Clause */
#include "target.h"

#include <string.h>
#include <strings.h>

static int hex(char digit)
{
    const char *digits = "0123456789abcdef0123456789ABCDEF", *found = strchr(digits, digit);
    return digit == '\0' || found == NULL ? -1 : (int) ((found - digits) % 16);
}

/*
 * Decodes `size` bytes at `from` to `to`, which may be the same, and a NUL. Returns where
 * that ends, after the NUL; NULL for what is malformed, or has a NUL itself.
 */
static char *decode(char *to, const char *from, size_t size, bool plus_is_blank)
{
    for (size_t i = 0; i < size; i++) {
        char c = from[i];
        if (c == '%') {
            int high = i + 2 < size ? hex(from[i + 1]) : -1;
            int low = i + 2 < size ? hex(from[i + 2]) : -1;
            if (high < 0 || low < 0 || high + low == 0)
                return NULL;
            c = (char) (high * 16 + low);
            i += 2;
        } else if (c == '+' && plus_is_blank) {
            c = ' ';
        }
        *to++ = c;
    }
    *to++ = '\0';
    return to;
}

/* Forms of browsers, and URLSearchParams, write queries: NAME=VALUE, joined by '&'. */
static bool decode_query(const char *query, char *pairs, struct http_request *request)
{
    char *to = pairs;
    while (*query != '\0') {
        size_t size = strcspn(query, "&"), name = strcspn(query, "&=");
        size_t value = name + (name < size);
        if (size != 0)
            to = decode(to, query, name, true);
        if (size != 0 && to != NULL)
            to = decode(to, query + value, size - value, true);
        if (to == NULL)
            return false;
        query += size + (query[size] == '&');
    }
    request->pairs = pairs;
    request->pairs_size = (size_t) (to - pairs);
    return true;
}

/* Cuts off the host of a URL; what is left of `*target` begins with '/' or '?', or is empty. */
static const char *take_host(char **target)
{
    static const char scheme[] = "http://";
    if (strncasecmp(*target, scheme, strlen(scheme)) != 0)
        return NULL;
    /* To move it one to the left leaves room for its NUL. */
    char *host = *target + strlen(scheme) - 1;
    size_t size = strcspn(host + 1, "/?");
    memmove(host, host + 1, size);
    host[size] = '\0';
    *target = host + size + 1;
    return host;
}

bool http_target_parse(char *target, char *pairs, struct http_request *request, const char **host)
{
    char *rest = target;
    *host = take_host(&rest);
    for (const char *c = rest; *c != '\0'; c++) {
        if (*c <= ' ' || *c > '~' || *c == '#')
            return false;
    }
    char *query = strchr(rest, '?');
    size_t path_size = query != NULL ? (size_t) (query - rest) : strlen(rest);
    request->path = rest;
    request->query = query != NULL ? query + 1 : "";
    if (*host != NULL && path_size == 0)
        request->path = "/";
    else if (rest[0] != '/' || decode(rest, rest, path_size, false) == NULL)
        return false;
    return decode_query(request->query, pairs, request);
}
