/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef THREAD_H
#define THREAD_H

#include <pthread.h>
#include <stdbool.h>

/*
 * Starts a thread in which no signal is handled, because a handler shall interrupt the main thread,
 * which may wait for input. Returns false, and sets errno, if no thread can be started.
 */
bool thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument);

#endif
