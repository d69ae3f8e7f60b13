/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/thread.h"

#include <signal.h>
#include <stddef.h>

static void thread_blocked_signals(sigset_t *set)
{
    static const int raised[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigfillset(set);
    for (size_t i = 0; i < sizeof(raised) / sizeof(raised[0]); i++)
        sigdelset(set, raised[i]);
}

bool gt_thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    sigset_t blocked, old;
    thread_blocked_signals(&blocked);
    if (pthread_sigmask(SIG_SETMASK, &blocked, &old) != 0)
        return false;
    bool is_started = pthread_create(thread, NULL, run, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return is_started;
}
