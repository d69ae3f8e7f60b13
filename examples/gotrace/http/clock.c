/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock.h"

#include <time.h>

int64_t http_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
