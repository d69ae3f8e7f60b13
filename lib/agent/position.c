/* SPDX-License-Identifier: BSD-3-Clause */
/* The build chooses offsets of 64 bits, by which pread would be pread64. */
#undef _FILE_OFFSET_BITS
/* For preadv64. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <sys/sendfile.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "agent/call.h"

/* Reading and writing at a position of a file. */

/* What programs call that are compiled with _FORTIFY_SOURCE. */
ssize_t __pread_chk(int fd, void *to, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t size, off64_t at, size_t room);

AGENT_REAL(ssize_t, pread, (int, void *, size_t, off_t))
AGENT_REAL(ssize_t, pread64, (int, void *, size_t, off64_t))
AGENT_REAL(ssize_t, __pread_chk, (int, void *, size_t, off_t, size_t))
AGENT_REAL(ssize_t, __pread64_chk, (int, void *, size_t, off64_t, size_t))
AGENT_REAL(ssize_t, pwrite, (int, const void *, size_t, off_t))
AGENT_REAL(ssize_t, pwrite64, (int, const void *, size_t, off64_t))
AGENT_REAL(ssize_t, preadv, (int, const struct iovec *, int, off_t))
AGENT_REAL(ssize_t, preadv64, (int, const struct iovec *, int, off64_t))
AGENT_REAL(ssize_t, pwritev, (int, const struct iovec *, int, off_t))
AGENT_REAL(ssize_t, pwritev64, (int, const struct iovec *, int, off64_t))
AGENT_REAL(ssize_t, sendfile, (int, int, off_t *, size_t))
AGENT_REAL(ssize_t, sendfile64, (int, int, off64_t *, size_t))

AGENT_EXPORT ssize_t pread(int fd, void *to, size_t size, off_t at)
{
    AGENT_CALL(ssize_t, real_pread()(fd, to, size, at));
}

AGENT_EXPORT ssize_t pread64(int fd, void *to, size_t size, off64_t at)
{
    AGENT_CALL(ssize_t, real_pread64()(fd, to, size, at));
}

AGENT_EXPORT ssize_t __pread_chk(int fd, void *to, size_t size, off_t at, size_t room)
{
    AGENT_CALL(ssize_t, real___pread_chk()(fd, to, size, at, room));
}

AGENT_EXPORT ssize_t __pread64_chk(int fd, void *to, size_t size, off64_t at, size_t room)
{
    AGENT_CALL(ssize_t, real___pread64_chk()(fd, to, size, at, room));
}

AGENT_EXPORT ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    AGENT_CALL(ssize_t, real_pwrite()(fd, data, size, at));
}

AGENT_EXPORT ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    AGENT_CALL(ssize_t, real_pwrite64()(fd, data, size, at));
}

AGENT_EXPORT ssize_t preadv(int fd, const struct iovec *parts, int count, off_t at)
{
    AGENT_CALL(ssize_t, real_preadv()(fd, parts, count, at));
}

AGENT_EXPORT ssize_t preadv64(int fd, const struct iovec *parts, int count, off64_t at)
{
    AGENT_CALL(ssize_t, real_preadv64()(fd, parts, count, at));
}

AGENT_EXPORT ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at)
{
    AGENT_CALL(ssize_t, real_pwritev()(fd, parts, count, at));
}

AGENT_EXPORT ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at)
{
    AGENT_CALL(ssize_t, real_pwritev64()(fd, parts, count, at));
}

AGENT_EXPORT ssize_t sendfile(int to, int from, off_t *at, size_t size)
{
    AGENT_CALL(ssize_t, real_sendfile()(to, from, at, size));
}

AGENT_EXPORT ssize_t sendfile64(int to, int from, off64_t *at, size_t size)
{
    AGENT_CALL(ssize_t, real_sendfile64()(to, from, at, size));
}
