/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/waiting.h"

#include <stdlib.h>
#include <time.h>

#include "support/test.h"

#define PATIENCE 60

double waiting_patience(void)
{
    const char *scale = getenv("GT_TIME_SCALE");

    return scale ? PATIENCE * atof(scale) : PATIENCE;
}

double waiting_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

void waiting_pause(struct waiting *waiting, const char *what)
{
    const struct timespec pause = {0, 10000000};

    if (waiting->end == 0)
        waiting->end = waiting_now() + waiting_patience();
    if (waiting_now() > waiting->end)
        fail_msg("waited %.0f s for %s", waiting_patience(), what);
    nanosleep(&pause, NULL);
}
