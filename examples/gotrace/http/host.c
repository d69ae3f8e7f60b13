/* SPDX-License-Identifier: BSD-3-Clause */
#include "host.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum {
    HOST_MAX = 255
};

/* Returns whether a text is ":PORT" or empty. */
static bool host_port_is_valid(const char *text)
{
    size_t digits = text[0] == ':' ? strspn(text + 1, "0123456789") : 0;
    return text[0] == '\0' || (text[0] == ':' && digits <= 5 && text[1 + digits] == '\0');
}

bool http_host_is_good(const char *host, const char *own)
{
    unsigned char address[sizeof(struct in6_addr)];
    char name[HOST_MAX + 1];
    bool is_bracketed = host[0] == '[';
    const char *start = host + is_bracketed;
    size_t size = strcspn(start, is_bracketed ? "]" : ":");
    if (size == 0 || size > HOST_MAX)
        return false;
    memcpy(name, start, size);
    name[size] = '\0';
    const char *rest = start + size;
    if (is_bracketed)
        return rest[0] == ']' && host_port_is_valid(rest + 1) &&
               inet_pton(AF_INET6, name, address) == 1;
    return host_port_is_valid(rest) &&
           (inet_pton(AF_INET, name, address) == 1 || strcasecmp(name, "localhost") == 0 ||
            strcasecmp(name, own) == 0);
}

bool http_origin_is_same(const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    size_t size = strlen(scheme);
    return strncasecmp(origin, scheme, size) == 0 && strcasecmp(origin + size, host) == 0;
}
