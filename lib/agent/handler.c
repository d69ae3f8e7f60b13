/* SPDX-License-Identifier: BSD-3-Clause */
/* For sighandler_t. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/signalfd.h>

#include "recorder/system_timer.h"

/*
 * The handler of SIGPROF, which the timers of the recorder send for samples. The program sees and
 * sets its own, which gets the signals that others send. Each function that sets a handler is
 * replaced, as within libc they do not call one another by name.
 */

/* <signal.h> declares it only for old standards. */
sighandler_t bsd_signal(int number, sighandler_t handler);

AGENT_REAL(int, sigaction, (int, const struct sigaction *, struct sigaction *) )
AGENT_REAL(sighandler_t, signal, (int, sighandler_t))
AGENT_REAL(sighandler_t, __sysv_signal, (int, sighandler_t))
AGENT_REAL(sighandler_t, sigset, (int, sighandler_t))
AGENT_REAL(int, sigignore, (int) )
AGENT_REAL(int, siginterrupt, (int, int) )
AGENT_REAL(int, signalfd, (int, const sigset_t *, int) )

/* Whether siginterrupt has asked that the handlers of signal interrupt system calls. */
static atomic_bool handler_interrupts;

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

/* Sets the handler of SIGPROF. Returns the old one. */
static sighandler_t handler_set(sighandler_t handler, int flags, bool has_mask)
{
    struct sigaction action, old;
    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    action.sa_flags = flags;
    if (has_mask)
        sigaddset(&action.sa_mask, SIGPROF);
    return sigaction(SIGPROF, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

AGENT_EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    if (handler == SIG_ERR || !handler_is_shared(number))
        return real_signal()(number, handler);
    return handler_set(handler, handler_interrupts ? 0 : SA_RESTART, true);
}

AGENT_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler)
{
    return signal(number, handler);
}

AGENT_EXPORT sighandler_t ssignal(int number, sighandler_t handler)
{
    return signal(number, handler);
}

/* What signal is in programs that ask for the standards of System V. */
AGENT_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler)
{
    if (handler == SIG_ERR || !handler_is_shared(number))
        return real___sysv_signal()(number, handler);
    return handler_set(handler, (int) SA_RESETHAND | SA_NODEFER, false);
}

AGENT_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler)
{
    return __sysv_signal(number, handler);
}

/* Blocks the signal or lets it through. Returns whether it was blocked. */
static bool handler_block(int how)
{
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    pthread_sigmask(how, &set, &old);
    return sigismember(&old, SIGPROF) == 1;
}

AGENT_EXPORT sighandler_t sigset(int number, sighandler_t handler)
{
    struct sigaction old;
    if (handler == SIG_ERR || !handler_is_shared(number))
        return real_sigset()(number, handler);
    if (handler == SIG_HOLD) {
        bool was_blocked = handler_block(SIG_BLOCK);
        return was_blocked || sigaction(number, NULL, &old) != 0 ? SIG_HOLD : old.sa_handler;
    }
    sighandler_t before = handler_set(handler, 0, false);
    return handler_block(SIG_UNBLOCK) ? SIG_HOLD : before;
}

AGENT_EXPORT int sigignore(int number)
{
    if (!handler_is_shared(number))
        return real_sigignore()(number);
    return handler_set(SIG_IGN, 0, false) == SIG_ERR ? -1 : 0;
}

/* It changes the flags of the handler that there is, and of those that signal will set. */
AGENT_EXPORT int siginterrupt(int number, int interrupts)
{
    struct sigaction action;
    int result = real_siginterrupt()(number, interrupts);
    if (result != 0 || number != SIGPROF)
        return result;
    handler_interrupts = interrupts != 0;
    if (!handler_is_shared(number) || sigaction(number, NULL, &action) != 0)
        return result;
    action.sa_flags &= (int) ~(unsigned) SA_RESTART;
    action.sa_flags |= interrupts ? 0 : SA_RESTART;
    return sigaction(number, &action, NULL);
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
