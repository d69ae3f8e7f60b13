/* SPDX-License-Identifier: BSD-3-Clause */
#include "agent/agent.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <time.h>

#include "agent/call.h"

/* Sockets. To receive is tried without a wait; a socket that never waits is not
 * waited for. */

/* Of Linux; the header has it only with names that ISO C does not permit to
 * define. */
int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags);
struct mmsghdr;
int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout);
int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags);

/* What programs call that are compiled with _FORTIFY_SOURCE. */
ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *to, size_t size, size_t room, int flags, struct sockaddr *from,
                       socklen_t *from_size);

AGENT_REAL(ssize_t, __recv_chk, (int, void *, size_t, size_t, int) )
AGENT_REAL(ssize_t, __recvfrom_chk,
           (int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *) )
AGENT_REAL(ssize_t, recv, (int, void *, size_t, int) )
AGENT_REAL(ssize_t, recvfrom, (int, void *, size_t, int, struct sockaddr *, socklen_t *) )
AGENT_REAL(ssize_t, recvmsg, (int, struct msghdr *, int) )
AGENT_REAL(int, recvmmsg, (int, struct mmsghdr *, unsigned, int, struct timespec *) )
AGENT_REAL(int, sendmmsg, (int, struct mmsghdr *, unsigned, int) )
AGENT_REAL(ssize_t, send, (int, const void *, size_t, int) )
AGENT_REAL(ssize_t, sendto, (int, const void *, size_t, int, const struct sockaddr *, socklen_t))
AGENT_REAL(ssize_t, sendmsg, (int, const struct msghdr *, int) )
AGENT_REAL(int, connect, (int, const struct sockaddr *, socklen_t))
AGENT_REAL(int, accept, (int, struct sockaddr *, socklen_t *) )
AGENT_REAL(int, accept4, (int, struct sockaddr *, socklen_t *, int) )

/* Begins a wait for a socket, if calls for it wait at all. */
static GT_ALWAYS_INLINE struct agent_thread *socket_block(int fd, int flags)
{
    int error = errno;
    bool waits = (flags & MSG_DONTWAIT) == 0 && (gt_atomic_peek(&agent_kinds) & AGENT_NET);
    if (waits) {
        int mode = fcntl(fd, F_GETFL);
        waits = mode >= 0 && (mode & O_NONBLOCK) == 0;
    }
    errno = error;
    return waits ? agent_block(AGENT_NET, NULL, GT_REC_NETWORK) : NULL;
}

/* Whether a call of the program that would wait can be tried without a wait. */
static bool socket_can_try(int flags)
{
    return (flags & (MSG_WAITALL | MSG_DONTWAIT | MSG_ERRQUEUE)) == 0 &&
           (gt_atomic_peek(&agent_kinds) & AGENT_NET) != 0;
}

/* Whether a call that was tried has to be made again, because it would have
 * waited. */
static bool socket_would_wait(ssize_t result, int error)
{
    if (result >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
        return false;
    errno = error;
    return true;
}

/* Inlined in all functions that do so, as a stack begins with what the program has called. */
static GT_ALWAYS_INLINE ssize_t socket_receive(int fd, void *to, size_t size, int flags)
{
    int error = errno;
    if (socket_can_try(flags)) {
        ssize_t result = real_recv()(fd, to, size, flags | MSG_DONTWAIT);
        if (!socket_would_wait(result, error))
            return result;
    }
    AGENT_WAIT(ssize_t, socket_block(fd, flags), real_recv()(fd, to, size, flags));
}

AGENT_EXPORT ssize_t recv(int fd, void *to, size_t size, int flags)
{
    return socket_receive(fd, to, size, flags);
}

/* What aborts because there is not so much room does so in the function of libc. */
AGENT_EXPORT ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags)
{
    return size > room ? real___recv_chk()(fd, to, size, room, flags)
                       : socket_receive(fd, to, size, flags);
}

static GT_ALWAYS_INLINE ssize_t socket_receive_from(int fd, void *to, size_t size, int flags,
                                                    struct sockaddr *from, socklen_t *from_size)
{
    int error = errno;
    if (socket_can_try(flags)) {
        ssize_t result = real_recvfrom()(fd, to, size, flags | MSG_DONTWAIT, from, from_size);
        if (!socket_would_wait(result, error))
            return result;
    }
    AGENT_WAIT(ssize_t, socket_block(fd, flags),
               real_recvfrom()(fd, to, size, flags, from, from_size));
}

AGENT_EXPORT ssize_t recvfrom(int fd, void *to, size_t size, int flags, struct sockaddr *from,
                              socklen_t *from_size)
{
    return socket_receive_from(fd, to, size, flags, from, from_size);
}

AGENT_EXPORT ssize_t __recvfrom_chk(int fd, void *to, size_t size, size_t room, int flags,
                                    struct sockaddr *from, socklen_t *from_size)
{
    if (size > room)
        return real___recvfrom_chk()(fd, to, size, room, flags, from, from_size);
    return socket_receive_from(fd, to, size, flags, from, from_size);
}

/* Without a message the structure is not changed, so that it can be used again. */
AGENT_EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    int error = errno;
    if (socket_can_try(flags)) {
        ssize_t result = real_recvmsg()(fd, message, flags | MSG_DONTWAIT);
        if (!socket_would_wait(result, error))
            return result;
    }
    AGENT_WAIT(ssize_t, socket_block(fd, flags), real_recvmsg()(fd, message, flags));
}

/* It waits for all messages, unless the program wants only those that are there after the first. */
AGENT_EXPORT int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags,
                          struct timespec *timeout)
{
    int error = errno;
    if ((flags & MSG_WAITFORONE) != 0 && socket_can_try(flags)) {
        int result = real_recvmmsg()(fd, messages, count, flags | MSG_DONTWAIT, timeout);
        if (!socket_would_wait(result, error))
            return result;
    }
    AGENT_WAIT(int, socket_block(fd, flags), real_recvmmsg()(fd, messages, count, flags, timeout));
}

AGENT_EXPORT int connect(int fd, const struct sockaddr *address, socklen_t size)
{
    AGENT_WAIT(int, socket_block(fd, 0), real_connect()(fd, address, size));
}

AGENT_EXPORT int accept(int fd, struct sockaddr *address, socklen_t *size)
{
    AGENT_WAIT(int, socket_block(fd, 0), real_accept()(fd, address, size));
}

AGENT_EXPORT int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
    AGENT_WAIT(int, socket_block(fd, 0), real_accept4()(fd, address, size, flags));
}

/* To send may send a part where it must not wait, so it is not tried, but a
 * system call. */
AGENT_EXPORT ssize_t send(int fd, const void *data, size_t size, int flags)
{
    AGENT_CALL(ssize_t, real_send()(fd, data, size, flags));
}

AGENT_EXPORT ssize_t sendto(int fd, const void *data, size_t size, int flags,
                            const struct sockaddr *to, socklen_t to_size)
{
    AGENT_CALL(ssize_t, real_sendto()(fd, data, size, flags, to, to_size));
}

AGENT_EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    AGENT_CALL(ssize_t, real_sendmsg()(fd, message, flags));
}

AGENT_EXPORT int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags)
{
    AGENT_CALL(int, real_sendmmsg()(fd, messages, count, flags));
}
