/* SPDX-License-Identifier: BSD-3-Clause */
/* For close_range. */
#define _GNU_SOURCE

#include "agent/descriptors.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

enum {
    DESCRIPTORS = 3,
    DESCRIPTORS_FIRST = 200
};

AGENT_REAL(int, close, (int) )
AGENT_REAL(int, close_range, (unsigned, unsigned, int) )
AGENT_REAL(void, closefrom, (int) )

static _Atomic int descriptors[DESCRIPTORS] = {-1, -1, -1};

int agent_descriptor_move(int fd)
{
    int other = fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTORS_FIRST);
    if (other < 0)
        return fd;
    real_close()(fd);
    return other;
}

void agent_descriptors_set(int one, int other)
{
    descriptors[0] = one;
    descriptors[1] = other;
}

void agent_descriptor_keep(int fd)
{
    descriptors[2] = fd;
}

/* The first descriptor of the agent from one on, or INT_MAX. */
static int descriptor_next(int fd)
{
    int next = INT_MAX;
    for (size_t i = 0; i < DESCRIPTORS; i++) {
        if (descriptors[i] >= fd && descriptors[i] < next)
            next = descriptors[i];
    }
    return next;
}

AGENT_EXPORT int close(int fd)
{
    if (GT_UNLIKELY(fd >= 0 && descriptor_next(fd) == fd) && agent_self.inside == 0) {
        errno = EBADF;
        return -1;
    }
    return real_close()(fd);
}

/* Each piece between descriptors of the agent. */
AGENT_EXPORT int close_range(unsigned first, unsigned last, int flags)
{
    int result = 0;
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
    if (next == INT_MAX)
        real_closefrom()(first);
    else
        close_range(first < 0 ? 0 : (unsigned) first, UINT_MAX, 0);
}
