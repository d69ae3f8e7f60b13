/* SPDX-License-Identifier: BSD-3-Clause */
/* For pthread_tryjoin_np. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "agent/call.h"
#include "agent/memory.h"
#include "agent/names.h"
#include "agent/thread.h"

/* Threads: their creation, their end, and those that wait for it. */

AGENT_REAL(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *) )
AGENT_REAL(int, pthread_join, (pthread_t, void **) )
AGENT_REAL(int, pthread_tryjoin_np, (pthread_t, void **) )
AGENT_REAL(int, pthread_timedjoin_np, (pthread_t, void **, const struct timespec *) )
AGENT_REAL(int, pthread_clockjoin_np, (pthread_t, void **, clockid_t, const struct timespec *) )
AGENT_REAL(int, thrd_create, (thrd_t *, thrd_start_t, void *) )
AGENT_REAL(int, thrd_join, (thrd_t, int *) )

/* What a new thread runs. */
struct thread_start {
    union {
        void *(*of_posix)(void *);
        thrd_start_t of_c11;
    } routine;

    void *argument;
    gt_rec_go *go; /* NULL: it attaches itself later */
    bool is_own;   /* a thread of the recorder, which is not recorded */
};

static pthread_key_t thread_key;

/* What is waited for when a thread is joined. */
static const void *thread_end(pthread_t thread)
{
    return (const void *) thread;
}

/* At the end of a thread. What its other destructors do is not recorded. */
static void thread_leave(void *user_data)
{
    struct agent_thread *self = user_data;
    agent_wake(thread_end(pthread_self()), AGENT_ALL);
    self->inside++;
    self->is_over = true;
    if (self->waiter.on)
        agent_waiter_remove(&self->waiter);
    gt_rec_thread_detach(&self->thread);
    self->inside--;
}

bool agent_threads_init(void)
{
    return pthread_key_create(&thread_key, thread_leave) == 0;
}

void agent_thread_end_later(struct agent_thread *self)
{
    pthread_setspecific(thread_key, self);
}

/* Attaches a thread that whoever created it has told of. */
static void thread_attach(gt_rec_go *go)
{
    struct agent_thread *self = &agent_self;
    self->inside++;
    if (gt_rec_thread_attach_go(agent_recorder, go, &self->thread) == GT_OK)
        agent_thread_end_later(self);
    else
        self->is_over = true;
    self->inside--;
}

/* Takes what the calling thread, which is new, is to run. */
static struct thread_start thread_begin(void *user_data)
{
    struct thread_start start = *(struct thread_start *) user_data;
    agent_free(user_data, sizeof(start));
    if (start.is_own)
        agent_self.inside++;
    else if (start.go)
        thread_attach(start.go);
    return start;
}

static void *thread_run(void *user_data)
{
    struct thread_start start = thread_begin(user_data);
    return start.routine.of_posix(start.argument);
}

static int thread_run_c11(void *user_data)
{
    struct thread_start start = thread_begin(user_data);
    return start.routine.of_c11(start.argument);
}

/* Tells of a thread that is created. */
static GT_ALWAYS_INLINE gt_rec_go *thread_tell(uintptr_t routine)
{
    gt_rec_go *go = NULL;
    int error = errno;
    struct agent_thread *self = agent_enter(AGENT_ANY);
    if (!self)
        return NULL;
    /* Without memory for it, it is attached when it first waits. */
    (void) gt_rec_go_create(self->thread, agent_name(routine), 0, &go);
    agent_leave(self);
    errno = error;
    return go;
}

/* The thread could not be created: it runs for a moment, and ends. */
static void thread_take_back(gt_rec_go *go)
{
    struct agent_thread *self = go ? agent_enter(AGENT_ANY) : NULL;
    if (!self)
        return;
    if (gt_rec_go_stop(self->thread, GT_REC_YIELD) == GT_OK) {
        (void) gt_rec_go_start(self->thread, go);
        (void) gt_rec_go_end(self->thread);
        (void) gt_rec_go_release(&go);
        (void) gt_rec_go_resume(self->thread);
    }
    agent_leave(self);
}

static bool thread_is_told(void)
{
    return agent_self.inside > 0 || gt_atomic_peek(&agent_kinds) != 0;
}

/* Tells of a thread that is created, and prepares what it runs. Returns NULL without memory. */
static GT_ALWAYS_INLINE struct thread_start *thread_prepare(uintptr_t routine, void *argument)
{
    bool is_own = agent_self.inside > 0;
    struct thread_start *start = agent_alloc(sizeof(*start));
    if (start) {
        start->argument = argument;
        start->go = is_own ? NULL : thread_tell(routine);
        start->is_own = is_own;
    }
    return start;
}

/* The thread could not be created, of which `go` was told. */
static void thread_cancel(struct thread_start *start, gt_rec_go *go)
{
    agent_free(start, sizeof(*start));
    thread_take_back(go);
}

AGENT_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                void *(*routine)(void *), void *argument)
{
    if (!thread_is_told())
        return real_pthread_create()(thread, attributes, routine, argument);
    struct thread_start *start = thread_prepare((uintptr_t) routine, argument);
    if (!start)
        return EAGAIN;
    gt_rec_go *go = start->go;
    start->routine.of_posix = routine;
    int result = real_pthread_create()(thread, attributes, thread_run, start);
    if (result != 0)
        thread_cancel(start, go);
    return result;
}

/* It calls a function within libc, as the others of C11 do. */
AGENT_EXPORT int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
    if (!thread_is_told())
        return real_thrd_create()(thread, routine, argument);
    struct thread_start *start = thread_prepare((uintptr_t) routine, argument);
    if (!start)
        return thrd_nomem;
    gt_rec_go *go = start->go;
    start->routine.of_c11 = routine;
    int result = real_thrd_create()(thread, thread_run_c11, start);
    if (result != thrd_success)
        thread_cancel(start, go);
    return result;
}

AGENT_EXPORT int pthread_join(pthread_t thread, void **value)
{
    int result = real_pthread_tryjoin_np()(thread, value);
    if (result != EBUSY)
        return result;
    AGENT_WAIT(int, agent_block(AGENT_SYNC, thread_end(thread), GT_REC_SYNC),
               real_pthread_join()(thread, value));
}

/* A thread of C11 is one of POSIX, with a number for its result. */
AGENT_EXPORT int thrd_join(thrd_t thread, int *value)
{
    void *end = NULL;
    int result = real_pthread_tryjoin_np()(thread, &end);
    if (result == 0) {
        if (value)
            *value = (int) (intptr_t) end;
        return thrd_success;
    }
    struct agent_thread *self = NULL;
    if (result == EBUSY)
        self = agent_block(AGENT_SYNC, thread_end(thread), GT_REC_SYNC);
    result = real_thrd_join()(thread, value);
    agent_go_on(self);
    return result;
}

AGENT_EXPORT int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until)
{
    int result = real_pthread_tryjoin_np()(thread, value);
    if (result != EBUSY)
        return result;
    AGENT_WAIT(int, agent_block(AGENT_SYNC, thread_end(thread), GT_REC_SYNC),
               real_pthread_timedjoin_np()(thread, value, until));
}

AGENT_EXPORT int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock,
                                      const struct timespec *until)
{
    /* A bad clock is refused also where the thread has ended. */
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return real_pthread_clockjoin_np()(thread, value, clock, until);
    int result = real_pthread_tryjoin_np()(thread, value);
    if (result != EBUSY)
        return result;
    AGENT_WAIT(int, agent_block(AGENT_SYNC, thread_end(thread), GT_REC_SYNC),
               real_pthread_clockjoin_np()(thread, value, clock, until));
}
