/* SPDX-License-Identifier: BSD-3-Clause */
/* For ppoll. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "agent/call.h"

/* Waits for descriptors. What is ready is asked for without a wait first. */

/* What programs call that are compiled with _FORTIFY_SOURCE. */
int __poll_chk(struct pollfd *list, nfds_t count, int timeout, size_t room);
int __ppoll_chk(struct pollfd *list, nfds_t count, const struct timespec *timeout,
                const sigset_t *mask, size_t room);

/* Programs may have been linked with a later one. */
#if __GLIBC__ == 2 && __GLIBC_MINOR__ < 35
int epoll_pwait2(int fd, struct epoll_event *events, int room, const struct timespec *timeout,
                 const sigset_t *mask);
#endif

AGENT_REAL(int, __poll_chk, (struct pollfd *, nfds_t, int, size_t))
AGENT_REAL(int, __ppoll_chk,
           (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t))
AGENT_REAL(int, poll, (struct pollfd *, nfds_t, int) )
AGENT_REAL(int, ppoll, (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *) )
AGENT_REAL(int, select, (int, fd_set *, fd_set *, fd_set *, struct timeval *) )
AGENT_REAL(int, pselect,
           (int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *) )
AGENT_REAL(int, epoll_wait, (int, struct epoll_event *, int, int) )
AGENT_REAL(int, epoll_pwait, (int, struct epoll_event *, int, int, const sigset_t *) )
AGENT_REAL(int, epoll_pwait2,
           (int, struct epoll_event *, int, const struct timespec *, const sigset_t *) )

static gt_rec_text poll_reason(nfds_t count)
{
    return count == 1 ? GT_REC_NETWORK : GT_REC_SELECT;
}

/* Inlined in all functions that do so, as a stack begins with what the program has called. */
static GT_ALWAYS_INLINE int poll_any(struct pollfd *list, nfds_t count, int timeout)
{
    int result = real_poll()(list, count, 0);
    if (result != 0 || timeout == 0)
        return result;
    AGENT_WAIT(int, agent_block(AGENT_NET, NULL, poll_reason(count)),
               real_poll()(list, count, timeout));
}

AGENT_EXPORT int poll(struct pollfd *list, nfds_t count, int timeout)
{
    return poll_any(list, count, timeout);
}

static GT_ALWAYS_INLINE int poll_any_with(struct pollfd *list, nfds_t count,
                                          const struct timespec *timeout, const sigset_t *mask)
{
    static const struct timespec none = {0, 0};
    int result = real_ppoll()(list, count, &none, mask);
    if (result != 0)
        return result;
    AGENT_WAIT(int, agent_block(AGENT_NET, NULL, poll_reason(count)),
               real_ppoll()(list, count, timeout, mask));
}

AGENT_EXPORT int ppoll(struct pollfd *list, nfds_t count, const struct timespec *timeout,
                       const sigset_t *mask)
{
    return poll_any_with(list, count, timeout, mask);
}

/* What aborts because there is not so much room does so in the function of libc. */
AGENT_EXPORT int __poll_chk(struct pollfd *list, nfds_t count, int timeout, size_t room)
{
    if (room / sizeof(*list) < count)
        return real___poll_chk()(list, count, timeout, room);
    return poll_any(list, count, timeout);
}

AGENT_EXPORT int __ppoll_chk(struct pollfd *list, nfds_t count, const struct timespec *timeout,
                             const sigset_t *mask, size_t room)
{
    if (room / sizeof(*list) < count)
        return real___ppoll_chk()(list, count, timeout, mask, room);
    return poll_any_with(list, count, timeout, mask);
}

/* It changes the sets that it is given, and the time, so nothing is tried. */
AGENT_EXPORT int select(int count, fd_set *reads, fd_set *writes, fd_set *others,
                        struct timeval *timeout)
{
    bool is_sleep = !reads && !writes && !others;
    struct agent_thread *self = NULL;
    if (!timeout || timeout->tv_sec != 0 || timeout->tv_usec != 0)
        self = agent_block(is_sleep ? AGENT_SLEEP : AGENT_NET, NULL,
                           is_sleep ? GT_REC_SLEEP : GT_REC_SELECT);
    int result = real_select()(count, reads, writes, others, timeout);
    agent_go_on(self);
    return result;
}

AGENT_EXPORT int pselect(int count, fd_set *reads, fd_set *writes, fd_set *others,
                         const struct timespec *timeout, const sigset_t *mask)
{
    AGENT_WAIT(int, agent_block(AGENT_NET, NULL, GT_REC_SELECT),
               real_pselect()(count, reads, writes, others, timeout, mask));
}

AGENT_EXPORT int epoll_wait(int fd, struct epoll_event *events, int room, int timeout)
{
    int result = real_epoll_wait()(fd, events, room, 0);
    if (result != 0 || timeout == 0)
        return result;
    AGENT_WAIT(int, agent_block(AGENT_NET, NULL, GT_REC_SELECT),
               real_epoll_wait()(fd, events, room, timeout));
}

AGENT_EXPORT int epoll_pwait(int fd, struct epoll_event *events, int room, int timeout,
                             const sigset_t *mask)
{
    int result = real_epoll_pwait()(fd, events, room, 0, mask);
    if (result != 0 || timeout == 0)
        return result;
    AGENT_WAIT(int, agent_block(AGENT_NET, NULL, GT_REC_SELECT),
               real_epoll_pwait()(fd, events, room, timeout, mask));
}

AGENT_EXPORT int epoll_pwait2(int fd, struct epoll_event *events, int room,
                              const struct timespec *timeout, const sigset_t *mask)
{
    static const struct timespec none = {0, 0};
    int result = real_epoll_pwait2()(fd, events, room, &none, mask);
    if (result != 0)
        return result;
    AGENT_WAIT(int, agent_block(AGENT_NET, NULL, GT_REC_SELECT),
               real_epoll_pwait2()(fd, events, room, timeout, mask));
}
