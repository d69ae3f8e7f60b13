/* SPDX-License-Identifier: BSD-3-Clause */
/* For pthread_cond_clockwait. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "agent/call.h"

/* Condition variables and barriers. */

AGENT_REAL(int, pthread_cond_wait, (pthread_cond_t *, pthread_mutex_t *) )
AGENT_REAL(int, pthread_cond_timedwait,
           (pthread_cond_t *, pthread_mutex_t *, const struct timespec *) )
AGENT_REAL(int, pthread_cond_clockwait,
           (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *) )
AGENT_REAL(int, pthread_cond_signal, (pthread_cond_t *) )
AGENT_REAL(int, pthread_cond_broadcast, (pthread_cond_t *) )
AGENT_REAL(int, cnd_wait, (cnd_t *, mtx_t *) )
AGENT_REAL(int, cnd_timedwait, (cnd_t *, mtx_t *, const struct timespec *) )
AGENT_REAL(int, cnd_signal, (cnd_t *) )
AGENT_REAL(int, cnd_broadcast, (cnd_t *) )
AGENT_REAL(int, pthread_barrier_wait, (pthread_barrier_t *) )

/* The mutex becomes free, as by pthread_mutex_unlock. */
static GT_ALWAYS_INLINE struct agent_thread *condition_block(const void *condition,
                                                             const void *mutex)
{
    agent_wake(mutex, 1);
    return agent_block(AGENT_SYNC, condition, GT_REC_COND);
}

AGENT_EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    AGENT_WAIT(int, condition_block(condition, mutex), real_pthread_cond_wait()(condition, mutex));
}

AGENT_EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                        const struct timespec *until)
{
    AGENT_WAIT(int, condition_block(condition, mutex),
               real_pthread_cond_timedwait()(condition, mutex, until));
}

AGENT_EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                        clockid_t clock, const struct timespec *until)
{
    AGENT_WAIT(int, condition_block(condition, mutex),
               real_pthread_cond_clockwait()(condition, mutex, clock, until));
}

AGENT_EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
    agent_wake(condition, 1);
    return real_pthread_cond_signal()(condition);
}

AGENT_EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
    agent_wake(condition, AGENT_ALL);
    return real_pthread_cond_broadcast()(condition);
}

AGENT_EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    AGENT_WAIT(int, condition_block(condition, mutex), real_cnd_wait()(condition, mutex));
}

AGENT_EXPORT int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until)
{
    AGENT_WAIT(int, condition_block(condition, mutex),
               real_cnd_timedwait()(condition, mutex, until));
}

AGENT_EXPORT int cnd_signal(cnd_t *condition)
{
    agent_wake(condition, 1);
    return real_cnd_signal()(condition);
}

AGENT_EXPORT int cnd_broadcast(cnd_t *condition)
{
    agent_wake(condition, AGENT_ALL);
    return real_cnd_broadcast()(condition);
}

/* What glibc has at the beginning of a barrier. */
struct barrier_state {
    _Atomic unsigned arrived; /* in all rounds together */
    _Atomic unsigned round;   /* how many of them are in rounds that are over */
    unsigned count;           /* of a round */
};

/* Whether the calling thread is the one that all others wait for. If two arrive at the same time it
 * may seem that neither is: then those that wait are shown as going on by themselves. */
static bool barrier_is_last(const pthread_barrier_t *barrier)
{
    const struct barrier_state *state = (const void *) barrier;
    return state->arrived - state->round + 1 >= state->count;
}

AGENT_EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    struct agent_thread *self = NULL;
    if (barrier_is_last(barrier))
        agent_wake(barrier, AGENT_ALL);
    else
        self = agent_block(AGENT_SYNC, barrier, GT_REC_SYNC);
    int result = real_pthread_barrier_wait()(barrier);
    agent_go_on(self);
    return result;
}
