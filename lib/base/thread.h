/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_THREAD_H
#define GT_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/*
 * Starts a thread of the library's own, in which signals are blocked: they are for the
 * program's threads. Those that a thread itself raises are not, as where a mapped file was cut
 * short: a handler could not have these otherwise. False where there is no thread to be had.
 */
bool gt_thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument);

#endif
