/* SPDX-License-Identifier: BSD-3-Clause */
#include "agent/agent.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "agent/call.h"
#include "recorder/system_timer.h"

/* Waits for signals. */

AGENT_REAL(int, sigwait, (const sigset_t *, int *) )
AGENT_REAL(int, sigwaitinfo, (const sigset_t *, siginfo_t *) )
AGENT_REAL(int, sigtimedwait, (const sigset_t *, siginfo_t *, const struct timespec *) )
AGENT_REAL(int, sigsuspend, (const sigset_t *) )
AGENT_REAL(int, pause, (void) )

/* Whether a wait may end by a signal that a timer of the recorder has sent, which is not meant for
 * the program. */
static bool signal_may_be_own(const sigset_t *set)
{
    return gt_system_timers_exist() && sigismember(set, SIGPROF) == 1;
}

/* Waits for signals of the program. `info` and `time` may be NULL. */
static int signal_wait(const sigset_t *set, siginfo_t *info, const struct timespec *time)
{
    siginfo_t unused;
    int number;
    if (!info)
        info = &unused;
    do
        number = real_sigtimedwait()(set, info, time);
    while (number == SIGPROF && gt_system_timers_sent(info));
    return number;
}

/* The same as sigwait: its result is the error, and handlers do not end it. */
static int signal_wait_number(const sigset_t *set, int *number)
{
    int error = errno, found;
    do
        found = signal_wait(set, NULL, NULL);
    while (found < 0 && errno == EINTR);
    int result = found < 0 ? errno : 0;
    if (found >= 0)
        *number = found;
    errno = error;
    return result;
}

AGENT_EXPORT int sigwait(const sigset_t *set, int *number)
{
    AGENT_CALL(int, signal_may_be_own(set) ? signal_wait_number(set, number)
                                           : real_sigwait()(set, number));
}

AGENT_EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
    AGENT_CALL(int, signal_may_be_own(set) ? signal_wait(set, info, NULL)
                                           : real_sigwaitinfo()(set, info));
}

AGENT_EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time)
{
    AGENT_CALL(int, signal_may_be_own(set) ? signal_wait(set, info, time)
                                           : real_sigtimedwait()(set, info, time));
}

AGENT_EXPORT int sigsuspend(const sigset_t *mask)
{
    AGENT_CALL(int, real_sigsuspend()(mask));
}

AGENT_EXPORT int pause(void)
{
    AGENT_CALL(int, real_pause()());
}
