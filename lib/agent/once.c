/* SPDX-License-Identifier: BSD-3-Clause */
#include "agent/agent.h"

#include <pthread.h>
#include <threads.h>

/* What is done once: threads wait for the one that does it. */

AGENT_REAL(int, pthread_once, (pthread_once_t *, void (*)(void)))
AGENT_REAL(void, call_once, (once_flag *, void (*)(void)))

/* The bit that glibc sets while the routine runs. */
enum {
    ONCE_RUNS = 1
};

/* What the calling thread may be the one to do. */
static _Thread_local struct {
    const void *control;
    void (*routine)(void);
} once_next;

/* A routine that is left by an exception or by the end of the thread wakes
 * nobody: those that wait are shown as going on by themselves. */
static void once_run(void)
{
    const void *control = once_next.control;
    once_next.routine();
    agent_wake(control, AGENT_ALL);
}

/* Begins to wait if another thread runs the routine. The flag of C11 is the one of pthread_once. */
static GT_ALWAYS_INLINE struct agent_thread *once_block(const void *control, void (*routine)(void))
{
    const _Atomic pthread_once_t *state = control;
    struct agent_thread *self = NULL;
    if ((*state & ONCE_RUNS) != 0)
        self = agent_block(AGENT_SYNC, control, GT_REC_SYNC);
    once_next.control = control;
    once_next.routine = routine;
    return self;
}

AGENT_EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    struct agent_thread *self = once_block(control, routine);
    int result = real_pthread_once()(control, once_run);
    agent_go_on(self);
    return result;
}

AGENT_EXPORT void call_once(once_flag *flag, void (*routine)(void))
{
    struct agent_thread *self = once_block(flag, routine);
    real_call_once()(flag, once_run);
    agent_go_on(self);
}
