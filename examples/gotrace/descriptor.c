/* SPDX-License-Identifier: BSD-3-Clause */
#include "descriptor.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <gotrace/reader.h>

#include "interrupt.h"

/* Returns whether reading, which has failed with errno, may be tried again. Waits until the
 * descriptor is readable if needed. */
static bool descriptor_may_retry(int fd)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};
    if (errno == EINTR)
        return !interrupt_has_come();
    if (errno != EAGAIN && errno != EWOULDBLOCK)
        return false;
    return poll(&input, 1, -1) >= 0 || (errno == EINTR && !interrupt_has_come());
}

int64_t descriptor_read(int fd, void *buffer, size_t capacity)
{
    ssize_t got;
    do
        got = read(fd, buffer, capacity);
    while (got < 0 && descriptor_may_retry(fd));
    return got < 0 ? GT_READ_FAILED(errno) : (int64_t) got;
}

bool descriptor_has_trace(int fd)
{
    static const char magic[] = "go 1.";
    char start[sizeof(magic) - 1];
    return pread(fd, start, sizeof(start), 0) == (ssize_t) sizeof(start) &&
           memcmp(start, magic, sizeof(start)) == 0;
}

void descriptor_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}
