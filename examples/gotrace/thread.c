/* SPDX-License-Identifier: BSD-3-Clause */
#include "thread.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

bool thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int code = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = code;
    return code == 0;
}
