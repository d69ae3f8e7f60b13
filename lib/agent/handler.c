/* SPDX-License-Identifier: BSD-3-Clause */
/* For sighandler_t. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>

#include "recorder/system_timer.h"

/*
 * The handler of SIGPROF, which the timers of the recorder send for samples. The program sees and
 * sets its own, which gets the signals that others send.
 */

AGENT_REAL(int, sigaction, (int, const struct sigaction *, struct sigaction *) )
AGENT_REAL(sighandler_t, signal, (int, sighandler_t))
AGENT_REAL(int, signalfd, (int, const sigset_t *, int) )

/* The recorder itself sets the handler that takes samples. */
static bool handler_is_shared(int number)
{
    return number == SIGPROF && agent_self.inside == 0 && gt_system_timers_exist();
}

/* Returns false if the system has to do it. */
static bool handler_change(const struct sigaction *action, struct sigaction *old)
{
    agent_self.inside++;
    bool is_done = gt_system_timers_sigaction(action, old);
    agent_self.inside--;
    return is_done;
}

AGENT_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (handler_is_shared(number) && handler_change(action, old))
        return 0;
    return real_sigaction()(number, action, old);
}

AGENT_EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    struct sigaction action, old;
    if (handler == SIG_ERR || !handler_is_shared(number))
        return real_signal()(number, handler);
    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaddset(&action.sa_mask, number);
    return handler_change(&action, &old) ? old.sa_handler : real_signal()(number, handler);
}

/* What is read from the descriptor cannot be told apart, and a timer's signal is nobody's. */
AGENT_EXPORT int signalfd(int fd, const sigset_t *mask, int flags)
{
    sigset_t others;
    if (!handler_is_shared(SIGPROF) || sigismember(mask, SIGPROF) != 1)
        return real_signalfd()(fd, mask, flags);
    others = *mask;
    sigdelset(&others, SIGPROF);
    return real_signalfd()(fd, &others, flags);
}
