/* SPDX-License-Identifier: BSD-3-Clause */
/* The build chooses offsets of 64 bits, by which fcntl would be fcntl64. */
#undef _FILE_OFFSET_BITS
/* For lockf64 and F_OFD_SETLKW. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <unistd.h>

#include "agent/call.h"

/* Locks of files, which other processes or threads may have. */

AGENT_REAL(int, flock, (int, int) )
AGENT_REAL(int, lockf, (int, int, off_t))
AGENT_REAL(int, lockf64, (int, int, off64_t))
AGENT_REAL(int, fcntl, (int, int, ...))
AGENT_REAL(int, fcntl64, (int, int, ...))

AGENT_EXPORT int flock(int fd, int operation)
{
    AGENT_CALL(int, real_flock()(fd, operation));
}

AGENT_EXPORT int lockf(int fd, int command, off_t size)
{
    AGENT_CALL(int, real_lockf()(fd, command, size));
}

AGENT_EXPORT int lockf64(int fd, int command, off64_t size)
{
    AGENT_CALL(int, real_lockf64()(fd, command, size));
}

/* Other commands never wait, and programs use some of them often. */
static bool fcntl_waits(int command)
{
    return command == F_SETLKW || command == F_OFD_SETLKW;
}

/*
 * The body of fcntl and of fcntl64. The last argument, if there is one, is a number or a pointer,
 * and is passed on as it was, which is what glibc itself does.
 */
#define AGENT_FCNTL(real, fd, command)                                                             \
    do {                                                                                           \
        va_list list;                                                                              \
        va_start(list, command);                                                                   \
        void *argument = va_arg(list, void *);                                                     \
        va_end(list);                                                                              \
        if (!fcntl_waits(command))                                                                 \
            return real()(fd, command, argument);                                                  \
        AGENT_CALL(int, real()(fd, command, argument));                                            \
    } while (0)

AGENT_EXPORT int fcntl(int fd, int command, ...)
{
    AGENT_FCNTL(real_fcntl, fd, command);
}

AGENT_EXPORT int fcntl64(int fd, int command, ...)
{
    AGENT_FCNTL(real_fcntl64, fd, command);
}
