/* SPDX-License-Identifier: BSD-3-Clause */
/* For close_range and dup3. */
#define _GNU_SOURCE

#include "agent/descriptors.h"

#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/process.h"

enum {
    DESCRIPTORS = 3,
    DESCRIPTOR_TRACE = 2, /* after the two of the pipe */
    /* Programs choose numbers below by hand. */
    DESCRIPTOR_LEAST = 256,
    /* The system has a table up to the highest number, which fork copies. */
    DESCRIPTOR_MOST = 1 << 13,
    DESCRIPTOR_ROOM = 8
};

AGENT_REAL(int, close, (int) )
AGENT_REAL(int, close_range, (unsigned, unsigned, int) )
AGENT_REAL(void, closefrom, (int) )
AGENT_REAL(int, dup2, (int, int) )
AGENT_REAL(int, dup3, (int, int, int) )

static atomic_int descriptors[DESCRIPTORS] = {-1, -1, -1};

/* Where the recorder has the numbers. It reads them again before each call. */
static volatile int *descriptor_places[DESCRIPTORS];

/* The number from which on descriptors of the agent are looked for. */
static int descriptor_high(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return DESCRIPTOR_LEAST;
    rlim_t most = limit.rlim_cur < DESCRIPTOR_MOST ? limit.rlim_cur : DESCRIPTOR_MOST;
    return most > DESCRIPTOR_ROOM ? (int) most - DESCRIPTOR_ROOM : 0;
}

/* Returns a copy with a high number, or -1. */
static int descriptor_copy(int fd)
{
    int other = fcntl(fd, F_DUPFD_CLOEXEC, descriptor_high());
    return other < 0 ? fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTOR_LEAST) : other;
}

int agent_descriptor_move(int fd)
{
    int other = descriptor_copy(fd);
    if (other < 0)
        return fd;
    real_close()(fd);
    return other;
}

static void descriptor_set(size_t i, int *place)
{
    descriptor_places[i] = place;
    descriptors[i] = *place;
}

void agent_descriptors_set(int *pipe)
{
    descriptor_set(0, pipe);
    descriptor_set(1, pipe + 1);
}

void agent_descriptor_keep(int *fd)
{
    descriptor_set(DESCRIPTOR_TRACE, fd);
}

void agent_descriptors_forget(void)
{
    descriptors[0] = -1;
    descriptors[1] = -1;
}

int agent_descriptor_release(void)
{
    return atomic_exchange(&descriptors[DESCRIPTOR_TRACE], -1);
}

/* The first descriptor of the agent from one on, or INT_MAX. */
static int descriptor_next(int fd)
{
    int next = INT_MAX;
    for (size_t i = 0; i < DESCRIPTORS; i++) {
        int number = descriptors[i];
        if (number >= fd && number < next)
            next = number;
    }
    return next;
}

/*
 * Whether the program means a descriptor of the agent, of which it does not know. The child of a
 * vfork has descriptors of its own, which it may close and replace, but the memory of its parent.
 */
static bool descriptor_is_hidden(int fd)
{
    return GT_UNLIKELY(fd >= 0 && descriptor_next(fd) == fd) && agent_self.inside == 0 &&
           agent_is_own_process();
}

/*
 * Moves the agent's descriptor away from a number. A signal handler may do that, so there is no
 * lock: of two threads that take the same number one moves the descriptor. What the recorder has
 * begun to write goes on with the file of the old number.
 */
static bool descriptor_yield(int fd)
{
    int other = descriptor_copy(fd);
    if (other < 0)
        return false;
    for (size_t i = 0; i < DESCRIPTORS; i++) {
        int number = fd;
        if (atomic_compare_exchange_strong(&descriptors[i], &number, other)) {
            *descriptor_places[i] = other;
            return true;
        }
    }
    real_close()(other);
    return true;
}

/* Whether dup2 and dup3 may be called. Otherwise errno is set. */
static bool descriptor_prepare(int fd, int target)
{
    if (descriptor_is_hidden(fd)) {
        errno = EBADF;
        return false;
    }
    int error = errno;
    if (descriptor_is_hidden(target) && !descriptor_yield(target)) {
        errno = EBUSY;
        return false;
    }
    errno = error;
    return true;
}

AGENT_EXPORT int dup2(int fd, int target)
{
    return descriptor_prepare(fd, target) ? real_dup2()(fd, target) : -1;
}

AGENT_EXPORT int dup3(int fd, int target, int flags)
{
    return descriptor_prepare(fd, target) ? real_dup3()(fd, target, flags) : -1;
}

AGENT_EXPORT int close(int fd)
{
    if (descriptor_is_hidden(fd)) {
        errno = EBADF;
        return -1;
    }
    return real_close()(fd);
}

/* Each piece between descriptors of the agent. What is no range is the kernel's to refuse. */
AGENT_EXPORT int close_range(unsigned first, unsigned last, int flags)
{
    int result = 0;
    if (first > last || !agent_is_own_process())
        return real_close_range()(first, last, flags);
    while (result == 0 && first <= last && first < INT_MAX) {
        unsigned next = (unsigned) descriptor_next((int) first);
        if (next > last)
            return real_close_range()(first, last, flags);
        if (next > first)
            result = real_close_range()(first, next - 1, flags);
        first = next + 1;
    }
    return result;
}

AGENT_EXPORT void closefrom(int first)
{
    int next = descriptor_next(first < 0 ? 0 : first);
    if (next == INT_MAX || !agent_is_own_process())
        real_closefrom()(first);
    else
        close_range(first < 0 ? 0 : (unsigned) first, UINT_MAX, 0);
}
