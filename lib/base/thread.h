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
 * Starts a thread of the library's own. Signals that are sent to the process are blocked in it,
 * because they are meant for the program's threads. Signals that the thread itself raises are not
 * blocked, such as that for an access to a truncated mapped file, because no other thread could
 * handle them. Returns false if no thread can be started.
 */
bool gt_thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument);

/* A mutex that can be the lock of a struct gt_mem. */
struct gt_thread_mutex {
    struct gt_mem_lock lock; /* must be the first member */
    pthread_mutex_t mutex;
};

/* Initialises a mutex. Returns false if the system refuses; then nothing must be destroyed. */
bool gt_thread_mutex_init(struct gt_thread_mutex *mutex);
void gt_thread_mutex_destroy(struct gt_thread_mutex *mutex);

#endif
