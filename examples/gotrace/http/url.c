/* SPDX-License-Identifier: BSD-3-Clause */
#include "url.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char url_scheme[] = "http://";
static const char url_secure_scheme[] = "https://";

static bool url_fail(char *error, const char *why)
{
    snprintf(error, HTTP_TEXT_MAX, "bad URL: %s", why);
    return false;
}

/* Returns whether a text begins with `prefix`, whatever its case. */
static bool url_begins_with(const char *text, const char *prefix)
{
    return strncasecmp(text, prefix, strlen(prefix)) == 0;
}

bool http_url_is(const char *text)
{
    return url_begins_with(text, url_scheme) || url_begins_with(text, url_secure_scheme);
}

/* Parses the `size` bytes between the scheme and the path. */
static bool url_parse_authority(const char *text, size_t size, struct http_url *url, char *error)
{
    char host_and_port[HTTP_TEXT_MAX + sizeof(":80")];
    if (size == 0 || text[0] == ':')
        return url_fail(error, "there is no host in it");
    if (size >= sizeof(url->authority) - sizeof(":80"))
        return url_fail(error, "the host is too long");
    if (memchr(text, '@', size))
        return url_fail(error, "user names and passwords are not supported");
    memcpy(url->authority, text, size);
    url->authority[size] = '\0';
    /* The colons of an IPv6 address are in brackets, and the port follows them. */
    const char *bracket = strrchr(url->authority, ']');
    bool has_port = strchr(bracket ? bracket : url->authority, ':');
    snprintf(host_and_port, sizeof(host_and_port), "%s%s", url->authority, has_port ? "" : ":80");
    return http_address_parse(host_and_port, &url->address, error);
}

bool http_url_parse(const char *text, struct http_url *url, char *error)
{
    if (url_begins_with(text, url_secure_scheme)) {
        snprintf(error, HTTP_TEXT_MAX,
                 "https is not supported; use: curl -sN 'URL' | gotrace COMMAND -");
        return false;
    }
    if (!url_begins_with(text, url_scheme))
        return url_fail(error, "it does not begin with http://");
    for (const char *c = text; *c != '\0'; c++) {
        if (*c <= ' ' || *c > '~')
            return url_fail(error, "blanks and other special characters must be escaped by %XX");
    }
    const char *authority = text + strlen(url_scheme);
    size_t size = strcspn(authority, "/?#");
    const char *target = authority + size;
    size_t target_size = strcspn(target, "#");
    if (target_size >= sizeof(url->target))
        return url_fail(error, "it is too long");
    memcpy(url->target, target, target_size);
    url->target[target_size] = '\0';
    return url_parse_authority(authority, size, url, error);
}
