/* SPDX-License-Identifier: BSD-3-Clause */
/* The build chooses offsets of 64 bits, by which stat would be stat64. */
#undef _FILE_OFFSET_BITS
/* For stat64 and statx. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "agent/call.h"

/* What is asked about files: the system may have to read a folder from a disk or another machine.
 */

/* What programs call that are compiled with a glibc before 2.33. */
int __xstat(int version, const char *path, struct stat *about);
int __xstat64(int version, const char *path, struct stat64 *about);
int __lxstat(int version, const char *path, struct stat *about);
int __lxstat64(int version, const char *path, struct stat64 *about);
int __fxstat(int version, int fd, struct stat *about);
int __fxstat64(int version, int fd, struct stat64 *about);
int __fxstatat(int version, int folder, const char *path, struct stat *about, int flags);
int __fxstatat64(int version, int folder, const char *path, struct stat64 *about, int flags);

AGENT_REAL(int, __xstat, (int, const char *, struct stat *) )
AGENT_REAL(int, __xstat64, (int, const char *, struct stat64 *) )
AGENT_REAL(int, __lxstat, (int, const char *, struct stat *) )
AGENT_REAL(int, __lxstat64, (int, const char *, struct stat64 *) )
AGENT_REAL(int, __fxstat, (int, int, struct stat *) )
AGENT_REAL(int, __fxstat64, (int, int, struct stat64 *) )
AGENT_REAL(int, __fxstatat, (int, int, const char *, struct stat *, int) )
AGENT_REAL(int, __fxstatat64, (int, int, const char *, struct stat64 *, int) )
AGENT_REAL(int, stat, (const char *, struct stat *) )
AGENT_REAL(int, stat64, (const char *, struct stat64 *) )
AGENT_REAL(int, lstat, (const char *, struct stat *) )
AGENT_REAL(int, lstat64, (const char *, struct stat64 *) )
AGENT_REAL(int, fstat, (int, struct stat *) )
AGENT_REAL(int, fstat64, (int, struct stat64 *) )
AGENT_REAL(int, fstatat, (int, const char *, struct stat *, int) )
AGENT_REAL(int, fstatat64, (int, const char *, struct stat64 *, int) )
AGENT_REAL(int, statx, (int, const char *, int, unsigned, struct statx *) )

AGENT_EXPORT int __xstat(int version, const char *path, struct stat *about)
{
    AGENT_CALL(int, real___xstat()(version, path, about));
}

AGENT_EXPORT int __xstat64(int version, const char *path, struct stat64 *about)
{
    AGENT_CALL(int, real___xstat64()(version, path, about));
}

AGENT_EXPORT int __lxstat(int version, const char *path, struct stat *about)
{
    AGENT_CALL(int, real___lxstat()(version, path, about));
}

AGENT_EXPORT int __lxstat64(int version, const char *path, struct stat64 *about)
{
    AGENT_CALL(int, real___lxstat64()(version, path, about));
}

AGENT_EXPORT int __fxstat(int version, int fd, struct stat *about)
{
    AGENT_CALL(int, real___fxstat()(version, fd, about));
}

AGENT_EXPORT int __fxstat64(int version, int fd, struct stat64 *about)
{
    AGENT_CALL(int, real___fxstat64()(version, fd, about));
}

AGENT_EXPORT int __fxstatat(int version, int folder, const char *path, struct stat *about,
                            int flags)
{
    AGENT_CALL(int, real___fxstatat()(version, folder, path, about, flags));
}

AGENT_EXPORT int __fxstatat64(int version, int folder, const char *path, struct stat64 *about,
                              int flags)
{
    AGENT_CALL(int, real___fxstatat64()(version, folder, path, about, flags));
}

AGENT_EXPORT int stat(const char *path, struct stat *about)
{
    AGENT_CALL(int, real_stat()(path, about));
}

AGENT_EXPORT int stat64(const char *path, struct stat64 *about)
{
    AGENT_CALL(int, real_stat64()(path, about));
}

AGENT_EXPORT int lstat(const char *path, struct stat *about)
{
    AGENT_CALL(int, real_lstat()(path, about));
}

AGENT_EXPORT int lstat64(const char *path, struct stat64 *about)
{
    AGENT_CALL(int, real_lstat64()(path, about));
}

AGENT_EXPORT int fstat(int fd, struct stat *about)
{
    AGENT_CALL(int, real_fstat()(fd, about));
}

AGENT_EXPORT int fstat64(int fd, struct stat64 *about)
{
    AGENT_CALL(int, real_fstat64()(fd, about));
}

AGENT_EXPORT int fstatat(int folder, const char *path, struct stat *about, int flags)
{
    AGENT_CALL(int, real_fstatat()(folder, path, about, flags));
}

AGENT_EXPORT int fstatat64(int folder, const char *path, struct stat64 *about, int flags)
{
    AGENT_CALL(int, real_fstatat64()(folder, path, about, flags));
}

AGENT_EXPORT int statx(int folder, const char *path, int flags, unsigned mask, struct statx *about)
{
    AGENT_CALL(int, real_statx()(folder, path, flags, mask, about));
}
