/* SPDX-License-Identifier: BSD-3-Clause */
/* For usleep. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "agent/call.h"

/* Waits for a time to pass. */

AGENT_REAL(int, nanosleep, (const struct timespec *, struct timespec *) )
AGENT_REAL(int, thrd_sleep, (const struct timespec *, struct timespec *) )
AGENT_REAL(int, clock_nanosleep, (clockid_t, int, const struct timespec *, struct timespec *) )
AGENT_REAL(int, usleep, (useconds_t))
AGENT_REAL(unsigned, sleep, (unsigned) )

static GT_ALWAYS_INLINE struct agent_thread *sleep_begin(void)
{
    return agent_block(AGENT_SLEEP, NULL, GT_REC_SLEEP);
}

AGENT_EXPORT int nanosleep(const struct timespec *time, struct timespec *left)
{
    AGENT_WAIT(int, sleep_begin(), real_nanosleep()(time, left));
}

AGENT_EXPORT int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    AGENT_WAIT(int, sleep_begin(), real_thrd_sleep()(time, left));
}

AGENT_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                                 struct timespec *left)
{
    AGENT_WAIT(int, sleep_begin(), real_clock_nanosleep()(clock, flags, time, left));
}

AGENT_EXPORT int usleep(useconds_t time)
{
    AGENT_WAIT(int, sleep_begin(), real_usleep()(time));
}

AGENT_EXPORT unsigned sleep(unsigned seconds)
{
    AGENT_WAIT(unsigned, sleep_begin(), real_sleep()(seconds));
}
