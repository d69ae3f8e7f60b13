/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_SYSTEM_TIMER_H
#define GT_RECORDER_SYSTEM_TIMER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/*
 * Timers of the processor time that threads take, which send SIGPROF to their threads. Only Linux
 * has them; elsewhere no timer can be made.
 */

/* One of the owners of timers in the process. */
struct gt_system_timers;

/* Called by a signal handler, in the thread whose timer has expired. */
typedef void gt_system_timer_fn(void *owner, const void *context);

/*
 * Adds an owner of timers. The first one takes SIGPROF, and passes signals that no timer has sent
 * on to the handler that was there. Returns NULL if there are too many owners.
 */
struct gt_system_timers *gt_system_timers_open(void *owner, gt_system_timer_fn *take);

/*
 * Removes an owner, whose timers were destroyed. When this returns, no thread is in its function or
 * will be. In a child of the process that has opened it no thread can be: `is_child`.
 */
void gt_system_timers_close(struct gt_system_timers *closed, bool is_child);

#ifdef __linux__
/*
 * Takes the place of sigaction for SIGPROF, for a program that shall not know of the timers.
 * Returns false if there are none; then the system has to do it. Async-signal-safe.
 */
bool gt_system_timers_sigaction(const struct sigaction *action, struct sigaction *old);

/* Whether a timer has sent a signal. Async-signal-safe. */
bool gt_system_timers_sent(const siginfo_t *info);

/* Whether there are owners. */
bool gt_system_timers_exist(void);
#endif

struct gt_system_timer {
#ifdef __linux__
    timer_t id;
#endif
    bool is_there;
};

/* Makes a timer of the calling thread, which is not set. Without one, nothing is done below. */
void gt_system_timer_init(struct gt_system_timer *timer, struct gt_system_timers *owner);

/*
 * Sets the timer, which any thread may do: it expires after `first` nanoseconds, and then after
 * each `period`. It stops if both are 0.
 */
void gt_system_timer_set(const struct gt_system_timer *timer, uint64_t first, uint64_t period);

void gt_system_timer_destroy(struct gt_system_timer *timer);

#endif
