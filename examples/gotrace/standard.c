/* SPDX-License-Identifier: BSD-3-Clause */
#include "standard.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

#include <gotrace/reader.h>

/* Whether reading may be tried again after errno, which it has failed with. */
static bool standard_may_retry(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (errno == EINTR)
        return true;
    if (errno != EAGAIN && errno != EWOULDBLOCK)
        return false;
    return poll(&input, 1, -1) >= 0 || errno == EINTR;
}

int64_t standard_read(void *user_data, void *buffer, size_t capacity)
{
    ssize_t got;
    (void) user_data;
    do
        got = read(STDIN_FILENO, buffer, capacity);
    while (got < 0 && standard_may_retry());
    return got < 0 ? GT_READ_FAILED(errno) : (int64_t) got;
}
