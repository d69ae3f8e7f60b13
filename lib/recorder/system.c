/* SPDX-License-Identifier: BSD-3-Clause */
/* For syscall. */
#define _DEFAULT_SOURCE

#include "recorder/system.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/membarrier.h>
#include <sys/syscall.h>
#endif

/* The thread sanitizer does not know what membarrier does. */
#if defined(__SANITIZE_THREAD__)
#define SYSTEM_HAS_BARRIER 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SYSTEM_HAS_BARRIER 0
#endif
#endif
#ifndef SYSTEM_HAS_BARRIER
#ifdef __linux__
#define SYSTEM_HAS_BARRIER 1
#else
#define SYSTEM_HAS_BARRIER 0
#endif
#endif

static uint64_t system_nanoseconds(const struct timespec *time)
{
    return (uint64_t) time->tv_sec * 1000000000 + (uint64_t) time->tv_nsec;
}

uint64_t gt_system_clock(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return system_nanoseconds(&now) / GT_CLOCK_UNIT;
}

struct gt_system_moment gt_system_moment(void)
{
    struct timespec wall = {0, 0}, monotonic = {0, 0};
    clock_gettime(CLOCK_REALTIME, &wall);
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    return (struct gt_system_moment){system_nanoseconds(&monotonic), (uint64_t) wall.tv_sec,
                                     (uint64_t) wall.tv_nsec};
}

uint64_t gt_system_thread_id(void)
{
#ifdef __linux__
    return (uint64_t) syscall(SYS_gettid);
#else
    return (uint64_t) (uintptr_t) pthread_self();
#endif
}

bool gt_system_barrier_register(void)
{
#if SYSTEM_HAS_BARRIER
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#else
    return false;
#endif
}

void gt_system_barrier(void)
{
#if SYSTEM_HAS_BARRIER
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
#endif
}

void gt_system_yield(void)
{
    sched_yield();
}

bool gt_system_self_init(struct gt_system_self *self, void (*leave)(void *))
{
    return pthread_key_create(&self->key, leave) == 0;
}

void gt_system_self_destroy(struct gt_system_self *self)
{
    pthread_key_delete(self->key);
}

void *gt_system_self_get(struct gt_system_self *self)
{
    return pthread_getspecific(self->key);
}

bool gt_system_self_set(struct gt_system_self *self, void *value)
{
    return pthread_setspecific(self->key, value) == 0;
}

bool gt_system_mutex_init(struct gt_system_mutex *mutex)
{
    return pthread_mutex_init(&mutex->mutex, NULL) == 0;
}

void gt_system_mutex_destroy(struct gt_system_mutex *mutex)
{
    pthread_mutex_destroy(&mutex->mutex);
}

void gt_system_lock(struct gt_system_mutex *mutex)
{
    pthread_mutex_lock(&mutex->mutex);
}

bool gt_system_try_lock(struct gt_system_mutex *mutex)
{
    return pthread_mutex_trylock(&mutex->mutex) == 0;
}

void gt_system_unlock(struct gt_system_mutex *mutex)
{
    pthread_mutex_unlock(&mutex->mutex);
}
