/* SPDX-License-Identifier: BSD-3-Clause */
/* The build chooses offsets of 64 bits, by which open would be open64, and the other way round
 * there is no name. */
#undef _FILE_OFFSET_BITS
/* For openat64. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <fcntl.h>
#include <stdarg.h>

#include "agent/call.h"

/* Files that are opened. */

/* What programs call that are compiled with _FORTIFY_SOURCE. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);

AGENT_REAL(int, open, (const char *, int, ...))
AGENT_REAL(int, open64, (const char *, int, ...))
AGENT_REAL(int, openat, (int, const char *, int, ...))
AGENT_REAL(int, openat64, (int, const char *, int, ...))
AGENT_REAL(int, creat, (const char *, mode_t))
AGENT_REAL(int, creat64, (const char *, mode_t))
AGENT_REAL(int, __open_2, (const char *, int) )
AGENT_REAL(int, __open64_2, (const char *, int) )
AGENT_REAL(int, __openat_2, (int, const char *, int) )
AGENT_REAL(int, __openat64_2, (int, const char *, int) )

/* Only a file that may be created has a mode. */
static bool open_has_mode(int flags)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

#define AGENT_TAKE_MODE(flags, mode)                                                               \
    do {                                                                                           \
        va_list list;                                                                              \
        va_start(list, flags);                                                                     \
        if (open_has_mode(flags))                                                                  \
            (mode) = va_arg(list, mode_t);                                                         \
        va_end(list);                                                                              \
    } while (0)

AGENT_EXPORT int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    AGENT_TAKE_MODE(flags, mode);
    AGENT_CALL(int, real_open()(path, flags, mode));
}

AGENT_EXPORT int open64(const char *path, int flags, ...)
{
    mode_t mode = 0;
    AGENT_TAKE_MODE(flags, mode);
    AGENT_CALL(int, real_open64()(path, flags, mode));
}

AGENT_EXPORT int openat(int folder, const char *path, int flags, ...)
{
    mode_t mode = 0;
    AGENT_TAKE_MODE(flags, mode);
    AGENT_CALL(int, real_openat()(folder, path, flags, mode));
}

AGENT_EXPORT int openat64(int folder, const char *path, int flags, ...)
{
    mode_t mode = 0;
    AGENT_TAKE_MODE(flags, mode);
    AGENT_CALL(int, real_openat64()(folder, path, flags, mode));
}

AGENT_EXPORT int creat(const char *path, mode_t mode)
{
    AGENT_CALL(int, real_creat()(path, mode));
}

AGENT_EXPORT int creat64(const char *path, mode_t mode)
{
    AGENT_CALL(int, real_creat64()(path, mode));
}

AGENT_EXPORT int __open_2(const char *path, int flags)
{
    AGENT_CALL(int, real___open_2()(path, flags));
}

AGENT_EXPORT int __open64_2(const char *path, int flags)
{
    AGENT_CALL(int, real___open64_2()(path, flags));
}

AGENT_EXPORT int __openat_2(int folder, const char *path, int flags)
{
    AGENT_CALL(int, real___openat_2()(folder, path, flags));
}

AGENT_EXPORT int __openat64_2(int folder, const char *path, int flags)
{
    AGENT_CALL(int, real___openat64_2()(folder, path, flags));
}
