/* SPDX-License-Identifier: BSD-3-Clause */
/* For wait4. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/call.h"

/* Files, pipes and processes: system calls, which may take long or not. */

/* What programs call that are compiled with _FORTIFY_SOURCE. */
ssize_t __read_chk(int fd, void *to, size_t size, size_t room);

AGENT_REAL(ssize_t, read, (int, void *, size_t))
AGENT_REAL(ssize_t, __read_chk, (int, void *, size_t, size_t))
AGENT_REAL(ssize_t, write, (int, const void *, size_t))
AGENT_REAL(ssize_t, readv, (int, const struct iovec *, int) )
AGENT_REAL(ssize_t, writev, (int, const struct iovec *, int) )
AGENT_REAL(int, fsync, (int) )
AGENT_REAL(int, fdatasync, (int) )
AGENT_REAL(pid_t, wait, (int *) )
AGENT_REAL(pid_t, waitpid, (pid_t, int *, int) )
AGENT_REAL(int, waitid, (idtype_t, id_t, siginfo_t *, int) )
AGENT_REAL(pid_t, wait4, (pid_t, int *, int, struct rusage *) )

AGENT_EXPORT ssize_t read(int fd, void *to, size_t size)
{
    AGENT_CALL(ssize_t, real_read()(fd, to, size));
}

AGENT_EXPORT ssize_t __read_chk(int fd, void *to, size_t size, size_t room)
{
    AGENT_CALL(ssize_t, real___read_chk()(fd, to, size, room));
}

AGENT_EXPORT ssize_t write(int fd, const void *data, size_t size)
{
    AGENT_CALL(ssize_t, real_write()(fd, data, size));
}

AGENT_EXPORT ssize_t readv(int fd, const struct iovec *parts, int count)
{
    AGENT_CALL(ssize_t, real_readv()(fd, parts, count));
}

AGENT_EXPORT ssize_t writev(int fd, const struct iovec *parts, int count)
{
    AGENT_CALL(ssize_t, real_writev()(fd, parts, count));
}

AGENT_EXPORT int fsync(int fd)
{
    AGENT_CALL(int, real_fsync()(fd));
}

AGENT_EXPORT int fdatasync(int fd)
{
    AGENT_CALL(int, real_fdatasync()(fd));
}

AGENT_EXPORT pid_t wait(int *status)
{
    AGENT_CALL(pid_t, real_wait()(status));
}

AGENT_EXPORT pid_t waitpid(pid_t child, int *status, int options)
{
    AGENT_CALL(pid_t, real_waitpid()(child, status, options));
}

AGENT_EXPORT pid_t wait4(pid_t child, int *status, int options, struct rusage *usage)
{
    AGENT_CALL(pid_t, real_wait4()(child, status, options, usage));
}

AGENT_EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    AGENT_CALL(int, real_waitid()(type, id, info, options));
}
