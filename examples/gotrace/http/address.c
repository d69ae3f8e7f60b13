/* SPDX-License-Identifier: BSD-3-Clause */
#include "address.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "socket.h"

enum {
    ADDRESS_PORT_MAX = 65535
};

static bool address_fail(char *error, const char *what, const char *subject, const char *why)
{
    snprintf(error, HTTP_TEXT_MAX, "%s %.200s: %s", what, subject, why);
    return false;
}

bool http_address_parse(const char *text, struct http_address *address, char *error)
{
    const char *colon = strrchr(text, ':'), *host = text;
    size_t size = colon ? (size_t) (colon - text) : 0;
    bool is_bracketed = size >= 2 && text[0] == '[' && text[size - 1] == ']';
    if (!colon || colon[1] == '\0')
        return address_fail(error, "bad address", text, "not HOST:PORT");
    if (strspn(colon + 1, "0123456789") != strlen(colon + 1) || strlen(colon + 1) > 5 ||
        strtol(colon + 1, NULL, 10) > ADDRESS_PORT_MAX)
        return address_fail(error, "bad address", text, "no such port");
    if (is_bracketed) {
        host++;
        size -= 2;
    }
    if (size >= sizeof(address->host) || (!is_bracketed && memchr(host, ':', size)))
        return address_fail(error, "bad address", text, "no such host");
    memcpy(address->host, host, size);
    address->host[size] = '\0';
    strcpy(address->port, colon + 1);
    return true;
}

/* Returns a socket that listens at an address and does not block, or -1 with errno set. */
static int address_listen_at(const struct addrinfo *at)
{
    int on = 1, off = 0;
    int fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (at->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    if (http_socket_prepare(fd) && bind(fd, at->ai_addr, at->ai_addrlen) == 0 &&
        listen(fd, SOMAXCONN) == 0)
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/*
 * Listens at the first possible address of the list whose family is, or is not, `family`. Returns a
 * socket, or -1 with errno set if an address was tried.
 */
static int address_listen_first(const struct addrinfo *list, int family, bool is_of_family)
{
    int fd = -1;
    for (; list && fd < 0; list = list->ai_next) {
        if ((list->ai_family == family) == is_of_family)
            fd = address_listen_at(list);
    }
    return fd;
}

int http_address_listen(const struct http_address *address, char *error)
{
    const struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    const char *host = address->host[0] != '\0' ? address->host : NULL;
    struct addrinfo *list = NULL;
    int code = getaddrinfo(host, address->port, &hints, &list);
    if (code != 0) {
        address_fail(error, "cannot listen at", address->host, gai_strerror(code));
        return -1;
    }
    /*
     * Without a host IPv6 is tried first, because its socket also accepts IPv4 and so serves all
     * addresses of the machine. For a name such as localhost IPv4 is tried first, as it is by most
     * clients.
     */
    int family = !host ? AF_INET6 : AF_INET;
    int fd = address_listen_first(list, family, true);
    if (fd < 0)
        fd = address_listen_first(list, family, false);
    if (fd < 0) {
        int why = errno;
        snprintf(error, HTTP_TEXT_MAX, "cannot listen at %.200s:%s: %s", address->host,
                 address->port, strerror(why));
    }
    freeaddrinfo(list);
    return fd;
}

/* Returns whether an address is 0.0.0.0 or ::, which stands for all addresses of the machine. */
static bool address_is_any(const struct sockaddr_storage *at)
{
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    if (at->ss_family == AF_INET6) {
        memcpy(&six, at, sizeof(six));
        return IN6_IS_ADDR_UNSPECIFIED(&six.sin6_addr);
    }
    memcpy(&four, at, sizeof(four));
    return four.sin_addr.s_addr == htonl(INADDR_ANY);
}

bool http_address_is_any(int fd)
{
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof(at);
    return getsockname(fd, (struct sockaddr *) &at, &size) == 0 && address_is_any(&at);
}

bool http_address_is_local(int fd)
{
    struct sockaddr_storage at = {0};
    struct sockaddr_in6 six;
    struct sockaddr_in four;
    socklen_t size = sizeof(at);
    if (getsockname(fd, (struct sockaddr *) &at, &size) != 0)
        return false;
    memcpy(&six, &at, sizeof(six));
    memcpy(&four, &at, sizeof(four));
    if (at.ss_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&six.sin6_addr);
    return at.ss_family == AF_INET && ntohl(four.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

bool http_address_url(const struct http_address *address, int fd, char *url)
{
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof(at);
    char port[8];
    if (getsockname(fd, (struct sockaddr *) &at, &size) != 0 ||
        getnameinfo((struct sockaddr *) &at, size, NULL, 0, port, sizeof(port), NI_NUMERICSERV) !=
            0)
        return false;
    const char *host = address_is_any(&at) ? "127.0.0.1" : address->host;
    bool is_six = strchr(host, ':');
    return snprintf(url, HTTP_TEXT_MAX, "http://%s%s%s:%s", is_six ? "[" : "", host,
                    is_six ? "]" : "", port) < HTTP_TEXT_MAX;
}
