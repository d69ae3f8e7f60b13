/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/thread.h"

#include <stddef.h>

#ifdef GT_WITHOUT_THREADS

bool gt_thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    (void) thread;
    (void) run;
    (void) argument;
    return false;
}

#else

#include <signal.h>

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

#endif

static pthread_mutex_t *thread_mutex_of(struct gt_mem_lock *lock)
{
    return &((struct gt_thread_mutex *) lock)->mutex;
}

static void thread_mutex_acquire(struct gt_mem_lock *lock)
{
    pthread_mutex_lock(thread_mutex_of(lock));
}

static void thread_mutex_release(struct gt_mem_lock *lock)
{
    pthread_mutex_unlock(thread_mutex_of(lock));
}

bool gt_thread_mutex_init(struct gt_thread_mutex *mutex)
{
    mutex->lock = (struct gt_mem_lock){thread_mutex_acquire, thread_mutex_release};
    return pthread_mutex_init(&mutex->mutex, NULL) == 0;
}

void gt_thread_mutex_destroy(struct gt_thread_mutex *mutex)
{
    pthread_mutex_destroy(&mutex->mutex);
}
