/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_SIGNAL_H
#define HOST_SIGNAL_H

/*
 * What the command needs of <signal.h> besides the emulation of wasi-libc. WASI has no signals, so
 * handlers are not called, and nothing is blocked.
 */

#include_next <signal.h>

typedef int sigset_t;

struct sigaction {
    void (*sa_handler)(int);
    sigset_t sa_mask;
    int sa_flags;
};

#define SA_RESTART  0
#define SIG_BLOCK   0
#define SIG_SETMASK 0

static inline int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    (void) number, (void) action;
    if (before)
        *before = (struct sigaction){.sa_handler = SIG_DFL};
    return 0;
}

static inline int host_signals(const sigset_t *set)
{
    (void) set;
    return 0;
}

#define sigemptyset(set)                  host_signals(set)
#define sigfillset(set)                   host_signals(set)
#define sigaddset(set, number)            host_signals(set)
#define pthread_sigmask(how, set, before) ((void) (before), host_signals(set))

int kill(int process, int number);

#endif
