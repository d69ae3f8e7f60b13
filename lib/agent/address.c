/* SPDX-License-Identifier: BSD-3-Clause */
/* For getaddrinfo. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <netdb.h>
#include <sys/socket.h>

#include "agent/call.h"

/* Addresses of names and names of addresses. Libc reads files and asks servers for them by
 * functions of its own, so each is recorded as one call. */

AGENT_REAL(int, getaddrinfo,
           (const char *, const char *, const struct addrinfo *, struct addrinfo **) )
AGENT_REAL(int, getnameinfo,
           (const struct sockaddr *, socklen_t, char *, socklen_t, char *, socklen_t, int) )
AGENT_REAL(struct hostent *, gethostbyname, (const char *) )

AGENT_EXPORT int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                             struct addrinfo **found)
{
    AGENT_CALL(int, real_getaddrinfo()(name, service, hints, found));
}

AGENT_EXPORT int getnameinfo(const struct sockaddr *address, socklen_t size, char *name,
                             socklen_t name_room, char *service, socklen_t service_room, int flags)
{
    AGENT_CALL(int,
               real_getnameinfo()(address, size, name, name_room, service, service_room, flags));
}

AGENT_EXPORT struct hostent *gethostbyname(const char *name)
{
    AGENT_CALL(struct hostent *, real_gethostbyname()(name));
}
