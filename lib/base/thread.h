/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_THREAD_H
#define GT_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

#include "base/mem.h"

/* Whether threads can be started at all: not in a build with -Dthreads=disabled. */
#ifdef GT_WITHOUT_THREADS
enum {
    GT_HAS_THREADS = 0
};
#else
enum {
    GT_HAS_THREADS = 1
};
#endif

/*
 * Starts a thread of the library's own, in which signals are blocked: they are for the
 * program's threads. Those that a thread itself raises are not, as where a mapped file was cut
 * short: a handler could not have these otherwise. False where there is no thread to be had.
 */
bool gt_thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument);

/* A mutex that can be the lock of a struct gt_mem. */
struct gt_thread_mutex {
    struct gt_mem_lock lock; /* must be the first member */
    pthread_mutex_t mutex;
};

/* False if the system refuses: then there is nothing to destroy. */
bool gt_thread_mutex_init(struct gt_thread_mutex *mutex);
void gt_thread_mutex_destroy(struct gt_thread_mutex *mutex);

#endif
