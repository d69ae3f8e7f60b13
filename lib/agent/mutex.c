/* SPDX-License-Identifier: BSD-3-Clause */
/* For the functions of glibc that take a clock. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

#include "agent/call.h"

/* Mutexes, locks for readers and writers, semaphores. Those of C11 call functions within libc, so
 * they are replaced, too. */

AGENT_REAL(int, pthread_mutex_lock, (pthread_mutex_t *) )
AGENT_REAL(int, pthread_mutex_trylock, (pthread_mutex_t *) )
AGENT_REAL(int, pthread_mutex_timedlock, (pthread_mutex_t *, const struct timespec *) )
AGENT_REAL(int, pthread_mutex_clocklock, (pthread_mutex_t *, clockid_t, const struct timespec *) )
AGENT_REAL(int, pthread_mutex_unlock, (pthread_mutex_t *) )
AGENT_REAL(int, mtx_lock, (mtx_t *) )
AGENT_REAL(int, mtx_trylock, (mtx_t *) )
AGENT_REAL(int, mtx_timedlock, (mtx_t *, const struct timespec *) )
AGENT_REAL(int, mtx_unlock, (mtx_t *) )
AGENT_REAL(int, pthread_rwlock_rdlock, (pthread_rwlock_t *) )
AGENT_REAL(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *) )
AGENT_REAL(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *, const struct timespec *) )
AGENT_REAL(int, pthread_rwlock_clockrdlock,
           (pthread_rwlock_t *, clockid_t, const struct timespec *) )
AGENT_REAL(int, pthread_rwlock_wrlock, (pthread_rwlock_t *) )
AGENT_REAL(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *) )
AGENT_REAL(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *, const struct timespec *) )
AGENT_REAL(int, pthread_rwlock_clockwrlock,
           (pthread_rwlock_t *, clockid_t, const struct timespec *) )
AGENT_REAL(int, pthread_rwlock_unlock, (pthread_rwlock_t *) )
AGENT_REAL(int, sem_wait, (sem_t *) )
AGENT_REAL(int, sem_trywait, (sem_t *) )
AGENT_REAL(int, sem_timedwait, (sem_t *, const struct timespec *) )
AGENT_REAL(int, sem_clockwait, (sem_t *, clockid_t, const struct timespec *) )
AGENT_REAL(int, sem_post, (sem_t *) )

/* A lock that is free is taken by `attempt`, which otherwise returns `busy`; then the wait for it
 * by `call` is recorded. */
#define AGENT_LOCK_OF(lock, busy, attempt, call)                                                   \
    do {                                                                                           \
        int result = (attempt);                                                                    \
        if (GT_UNLIKELY(result == (busy)))                                                         \
            AGENT_WAIT(int, agent_block(AGENT_SYNC, (lock), GT_REC_SYNC), call);                   \
        return result;                                                                             \
    } while (0)

#define AGENT_LOCK(lock, attempt, call) AGENT_LOCK_OF(lock, EBUSY, attempt, call)

static bool lock_has_clock(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

/* Whether glibc takes a clock and a time. */
static bool lock_has_time(clockid_t clock, const struct timespec *until)
{
    return lock_has_clock(clock) && until && until->tv_nsec >= 0 && until->tv_nsec < 1000000000;
}

/* The same for a lock of which a bad clock or time is refused also where it is free. A mutex looks
 * at the time only if it has to wait. */
#define AGENT_LOCK_UNTIL(lock, is_good, attempt, call)                                             \
    do {                                                                                           \
        if (GT_UNLIKELY(!(is_good)))                                                               \
            return (call);                                                                         \
        AGENT_LOCK(lock, attempt, call);                                                           \
    } while (0)

AGENT_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    AGENT_LOCK(mutex, real_pthread_mutex_trylock()(mutex), real_pthread_mutex_lock()(mutex));
}

AGENT_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    AGENT_LOCK(mutex, real_pthread_mutex_trylock()(mutex),
               real_pthread_mutex_timedlock()(mutex, until));
}

AGENT_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                         const struct timespec *until)
{
    AGENT_LOCK_UNTIL(mutex, lock_has_clock(clock), real_pthread_mutex_trylock()(mutex),
                     real_pthread_mutex_clocklock()(mutex, clock, until));
}

AGENT_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    agent_wake(mutex, 1);
    return real_pthread_mutex_unlock()(mutex);
}

AGENT_EXPORT int mtx_lock(mtx_t *mutex)
{
    AGENT_LOCK_OF(mutex, thrd_busy, real_mtx_trylock()(mutex), real_mtx_lock()(mutex));
}

AGENT_EXPORT int mtx_timedlock(mtx_t *mutex, const struct timespec *until)
{
    AGENT_LOCK_OF(mutex, thrd_busy, real_mtx_trylock()(mutex), real_mtx_timedlock()(mutex, until));
}

AGENT_EXPORT int mtx_unlock(mtx_t *mutex)
{
    agent_wake(mutex, 1);
    return real_mtx_unlock()(mutex);
}

AGENT_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    AGENT_LOCK(lock, real_pthread_rwlock_tryrdlock()(lock), real_pthread_rwlock_rdlock()(lock));
}

AGENT_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    AGENT_LOCK_UNTIL(lock, lock_has_time(CLOCK_REALTIME, until),
                     real_pthread_rwlock_tryrdlock()(lock),
                     real_pthread_rwlock_timedrdlock()(lock, until));
}

AGENT_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                            const struct timespec *until)
{
    AGENT_LOCK_UNTIL(lock, lock_has_time(clock, until), real_pthread_rwlock_tryrdlock()(lock),
                     real_pthread_rwlock_clockrdlock()(lock, clock, until));
}

AGENT_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    AGENT_LOCK(lock, real_pthread_rwlock_trywrlock()(lock), real_pthread_rwlock_wrlock()(lock));
}

AGENT_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    AGENT_LOCK_UNTIL(lock, lock_has_time(CLOCK_REALTIME, until),
                     real_pthread_rwlock_trywrlock()(lock),
                     real_pthread_rwlock_timedwrlock()(lock, until));
}

AGENT_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                            const struct timespec *until)
{
    AGENT_LOCK_UNTIL(lock, lock_has_time(clock, until), real_pthread_rwlock_trywrlock()(lock),
                     real_pthread_rwlock_clockwrlock()(lock, clock, until));
}

/* All readers go on at once. */
AGENT_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    agent_wake(lock, AGENT_ALL);
    return real_pthread_rwlock_unlock()(lock);
}

/* A semaphore that is free is taken, whose functions have their errors in errno. These are
 * cancellation points also then. */
static bool semaphore_take(sem_t *semaphore, int *result)
{
    int error = errno;
    pthread_testcancel();
    *result = real_sem_trywait()(semaphore);
    if (*result == 0 || errno != EAGAIN)
        return true;
    errno = error;
    return false;
}

AGENT_EXPORT int sem_wait(sem_t *semaphore)
{
    int result;
    if (semaphore_take(semaphore, &result))
        return result;
    AGENT_WAIT(int, agent_block(AGENT_SYNC, semaphore, GT_REC_SYNC), real_sem_wait()(semaphore));
}

AGENT_EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
    int result;
    if (!lock_has_time(CLOCK_REALTIME, until))
        return real_sem_timedwait()(semaphore, until);
    if (semaphore_take(semaphore, &result))
        return result;
    AGENT_WAIT(int, agent_block(AGENT_SYNC, semaphore, GT_REC_SYNC),
               real_sem_timedwait()(semaphore, until));
}

AGENT_EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
    int result;
    if (!lock_has_time(clock, until))
        return real_sem_clockwait()(semaphore, clock, until);
    if (semaphore_take(semaphore, &result))
        return result;
    AGENT_WAIT(int, agent_block(AGENT_SYNC, semaphore, GT_REC_SYNC),
               real_sem_clockwait()(semaphore, clock, until));
}

AGENT_EXPORT int sem_post(sem_t *semaphore)
{
    agent_wake(semaphore, 1);
    return real_sem_post()(semaphore);
}
