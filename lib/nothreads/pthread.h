/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_NOTHREADS_PTHREAD_H
#define GT_NOTHREADS_PTHREAD_H

/*
 * Takes the place of the system's header in a build with -Dthreads=disabled. There is only the
 * caller's thread, so locks are always free, nobody waits, and gt_thread_start of base/thread.h
 * starts nothing. The system declares some of these names elsewhere, too.
 */

#include <errno.h>
#include <sys/types.h>
#include <time.h>

#define GT_WITHOUT_THREADS 1

/* A thread, a mutex, a condition or attributes: something, as C has no empty structures. */
struct gt_nothing {
    char nothing;
};

#define pthread_t          struct gt_nothing
#define pthread_mutex_t    struct gt_nothing
#define pthread_cond_t     struct gt_nothing
#define pthread_condattr_t struct gt_nothing

static inline int gt_nothing_happens(struct gt_nothing *object)
{
    (void) object;
    return 0;
}

#define pthread_mutex_init(mutex, attributes)  gt_nothing_happens(mutex)
#define pthread_mutex_destroy(mutex)           gt_nothing_happens(mutex)
#define pthread_mutex_lock(mutex)              gt_nothing_happens(mutex)
#define pthread_mutex_unlock(mutex)            gt_nothing_happens(mutex)
#define pthread_cond_init(condition, from)     gt_nothing_happens(condition)
#define pthread_cond_destroy(condition)        gt_nothing_happens(condition)
#define pthread_cond_signal(condition)         gt_nothing_happens(condition)
#define pthread_cond_broadcast(condition)      gt_nothing_happens(condition)
#define pthread_cond_wait(condition, mutex)    gt_nothing_happens(condition)
#define pthread_condattr_init(attributes)      gt_nothing_happens(attributes)
#define pthread_condattr_destroy(attributes)   gt_nothing_happens(attributes)
#define pthread_condattr_setclock(from, clock) gt_nothing_happens(from)
#define pthread_join(thread, result)           gt_nothing_happens(&(thread))
#define pthread_equal(a, b)                    ((void) (a), (void) (b), 1)

static inline struct gt_nothing pthread_self(void)
{
    return (struct gt_nothing){0};
}

static inline int pthread_cond_timedwait(struct gt_nothing *condition, struct gt_nothing *mutex,
                                         const struct timespec *until)
{
    (void) condition;
    (void) mutex;
    (void) until;
    return ETIMEDOUT;
}

#endif
