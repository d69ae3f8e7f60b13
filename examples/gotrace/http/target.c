/* SPDX-License-Identifier: BSD-3-Clause */
#include "target.h"

#include <string.h>
#include <strings.h>

static int target_hex_digit(char digit)
{
    const char *digits = "0123456789abcdef0123456789ABCDEF", *found = strchr(digits, digit);
    return digit == '\0' || !found ? -1 : (int) ((found - digits) % 16);
}

/*
 * Returns the byte for which "%XX" at `text` stands, or -1 if that is malformed or the byte is NUL.
 */
static int target_decode_escape(const char *text)
{
    int high = target_hex_digit(text[1]), low = high < 0 ? -1 : target_hex_digit(text[2]);
    return low < 0 || high + low == 0 ? -1 : high * 16 + low;
}

/*
 * Decodes a path of `size` bytes in place and terminates it by a NUL. Returns false if it is
 * malformed.
 */
static bool target_decode_path(char *path, size_t size)
{
    char *to = path;
    const char *end = path + size;
    for (const char *from = path; from < end; from++) {
        int byte = *from == '%' ? target_decode_escape(from) : (unsigned char) *from;
        if (byte < 0)
            return false;
        from += *from == '%' ? 2 : 0;
        *to++ = (char) byte;
    }
    *to = '\0';
    return true;
}

/* Returns whether all escapes of a query are well formed. The handler decodes them. */
static bool query_is_good(const char *query)
{
    for (; *query != '\0'; query++) {
        if (*query == '%' && target_decode_escape(query) < 0)
            return false;
    }
    return true;
}

/*
 * If the target is a URL, returns its host and advances `*target` past it, to a text that begins
 * with '/' or '?' or is empty. Otherwise returns NULL.
 */
static const char *target_take_host(char **target)
{
    static const char scheme[] = "http://";
    if (strncasecmp(*target, scheme, strlen(scheme)) != 0)
        return NULL;
    /* Moving the host one byte to the left makes room for its NUL. */
    char *host = *target + strlen(scheme) - 1;
    size_t size = strcspn(host + 1, "/?");
    memmove(host, host + 1, size);
    host[size] = '\0';
    *target = host + size + 1;
    return host;
}

bool http_target_parse(char *target, struct http_request *request, const char **host)
{
    char *rest = target;
    *host = target_take_host(&rest);
    for (const char *c = rest; *c != '\0'; c++) {
        if (*c <= ' ' || *c > '~' || *c == '#')
            return false;
    }
    char *query = strchr(rest, '?');
    size_t path_size = query ? (size_t) (query - rest) : strlen(rest);
    request->path = rest;
    request->query = query ? query + 1 : "";
    if (*host && path_size == 0)
        request->path = "/";
    else if (rest[0] != '/' || !target_decode_path(rest, path_size))
        return false;
    return query_is_good(request->query);
}

/* Copies `size` bytes of a query, which are well formed, and decodes them. */
static void query_decode(const char *from, size_t size, char *to, size_t room)
{
    const char *end = from + size;
    for (; from < end && room > 1; from++, room--) {
        *to++ = *from == '%' ? (char) target_decode_escape(from) : *from == '+' ? ' ' : *from;
        from += *from == '%' ? 2 : 0;
    }
    *to = '\0';
}

bool http_query_value(const char *query, const char *name, char *to, size_t room)
{
    size_t length = strlen(name);
    while (*query != '\0') {
        size_t size = strcspn(query, "&");
        if (size > length && strncmp(query, name, length) == 0 && query[length] == '=') {
            query_decode(query + length + 1, size - length - 1, to, room);
            return true;
        }
        query += size + (query[size] == '&');
    }
    return false;
}
