/* SPDX-License-Identifier: BSD-3-Clause */
/* What an event with one number costs with LTTng-UST: compare.sh runs this within a session. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include <stdio.h>
#include <time.h>

#include "lttng.h"

enum {
    ROUNDS = 2000000
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

int main(int argc, char **argv)
{
    double begin = now();
    for (unsigned i = 0; i < ROUNDS; i++)
        lttng_ust_tracepoint(bench, event, i);
    printf("lttng %s %.1f ns\n", argc > 1 ? argv[1] : "", (now() - begin) / ROUNDS);
    return 0;
}
