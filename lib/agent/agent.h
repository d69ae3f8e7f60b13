/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_AGENT_H
#define AGENT_AGENT_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/recorder.h>

#include "base/likely.h"
#include "recorder/atomic.h"

/*
 * The agent, which `gotrace record` loads into a program by LD_PRELOAD:
 * functions of libc in whose place it has its own, which tell a recorder when a
 * thread waits and who wakes it. The program gets the same results, errors and
 * signals as without.
 *
 * A call that need not wait is made at once, and nothing is recorded. So what
 * is not contended costs a branch.
 */

/* A function that takes the place of one of libc. */
#define AGENT_EXPORT __attribute__((visibility("default")))

/* The kinds of waits, which can be left out. */
enum {
    AGENT_SYNC = 1 << 0,
    AGENT_NET = 1 << 1,
    AGENT_SLEEP = 1 << 2,
    AGENT_SYSCALL = 1 << 3
};

/* For agent_enter: whatever kinds of waits are recorded. */
#define AGENT_ANY UINT32_MAX

/* A thread that waits until somebody changes what is at an address. */
struct agent_waiter {
    struct agent_waiter *next;
    const void *on; /* NULL: it is in no list */
    gt_rec_go *go;
};

/* What a thread does. */
enum agent_state {
    AGENT_RUNNING,
    AGENT_BLOCKED,
    AGENT_CALLING
};

/* What a thread has. All zeros at first. */
struct agent_thread {
    gt_rec_thread *thread;
    unsigned inside; /* it is in the agent or in the recorder, or is a thread of
                        these */
    bool is_over;    /* it ends, or cannot be recorded */
    enum agent_state state;
    uintptr_t stack; /* where its stack was when it began to wait */
    struct agent_waiter waiter;
};

extern _Thread_local struct agent_thread agent_self;

/* The kinds of waits that are recorded now; 0: none. */
extern struct gt_atomic agent_kinds;

/* NULL before recording begins. In a process that was forked it begins when a thread waits. */
extern gt_recorder *agent_recorder;

/*
 * Attaches the calling thread, or begins to record in a process that was
 * forked. Returns whether it can be recorded.
 */
bool agent_attach(struct agent_thread *self);

/* Adds the calling thread to those that wait for something, and removes it. */
void agent_waiter_add(struct agent_waiter *waiter, const void *on);
void agent_waiter_remove(struct agent_waiter *waiter);

/* How many threads wait for something. */
extern struct gt_atomic agent_waiters;

/* Tells that the calling thread wakes the first threads that wait for
 * something, at most `most`. */
void agent_wake_waiters(const void *on, unsigned most);

/* Forgets all waiters, in a process that was forked. */
void agent_forget_waiters(void);

/* Where the stack of the calling thread is now. */
static inline uintptr_t agent_stack(void)
{
    return (uintptr_t) __builtin_frame_address(0);
}

/*
 * Tells that a thread does not wait any more. That is known when the wait returns, or later, if a
 * signal handler has left it by longjmp.
 */
void agent_heal(struct agent_thread *self);

/*
 * Returns the calling thread if waits of a kind are recorded there, or NULL.
 * What it does then until agent_leave is not recorded.
 */
static GT_ALWAYS_INLINE struct agent_thread *agent_enter(unsigned kind)
{
    struct agent_thread *self = &agent_self;
    if ((gt_atomic_peek(&agent_kinds) & kind) == 0 || self->inside > 0 || self->is_over)
        return NULL;
    self->inside++;
    if (GT_UNLIKELY(!self->thread) && !agent_attach(self)) {
        self->inside--;
        return NULL;
    }
    if (GT_UNLIKELY(self->state != AGENT_RUNNING) && agent_stack() > self->stack)
        agent_heal(self);
    return self;
}

static GT_ALWAYS_INLINE void agent_leave(struct agent_thread *self)
{
    self->inside--;
}

/*
 * The calling thread begins to wait for what is at an address, or NULL. Returns
 * NULL if that is not recorded, and otherwise what agent_go_on needs. It is
 * inlined, so that a stack begins with the function that the program has
 * called.
 */
static GT_ALWAYS_INLINE struct agent_thread *agent_block(unsigned kind, const void *on,
                                                         gt_rec_text reason)
{
    int error = errno;
    struct agent_thread *self = agent_enter(kind);
    if (!self)
        return NULL;
    bool is_recorded =
        self->state == AGENT_RUNNING && gt_rec_go_block(self->thread, reason) == GT_OK;
    if (is_recorded) {
        self->state = AGENT_BLOCKED;
        self->stack = agent_stack();
        if (on)
            agent_waiter_add(&self->waiter, on);
    }
    agent_leave(self);
    errno = error;
    return is_recorded ? self : NULL;
}

/* The calling thread goes on after agent_block or agent_call, whose result is `self`. */
static inline void agent_go_on(struct agent_thread *self)
{
    int error = errno;
    if (!self)
        return;
    self->inside++;
    agent_heal(self);
    self->inside--;
    errno = error;
}

/* The same as agent_block, for a system call that may take long. */
static GT_ALWAYS_INLINE struct agent_thread *agent_call(void)
{
    int error = errno;
    struct agent_thread *self = agent_enter(AGENT_SYSCALL);
    if (!self)
        return NULL;
    bool is_recorded = self->state == AGENT_RUNNING && gt_rec_syscall_begin(self->thread) == GT_OK;
    if (is_recorded) {
        self->state = AGENT_CALLING;
        self->stack = agent_stack();
    }
    agent_leave(self);
    errno = error;
    return is_recorded ? self : NULL;
}

/* The calling thread changes what is at an address, which may wake others. */
static GT_ALWAYS_INLINE void agent_wake(const void *on, unsigned most)
{
    if (GT_UNLIKELY(gt_atomic_peek(&agent_waiters) > 0))
        agent_wake_waiters(on, most);
}

/* For agent_wake: all threads that wait. */
#define AGENT_ALL UINT32_MAX

/* Finds a function of libc that the agent replaces. Ends the process if there is none. */
void *agent_find(const char *name);

/* Defines the function real_NAME, which returns a pointer to the function NAME of libc. */
#define AGENT_REAL(result, name, parameters)                                                       \
    static struct gt_atomic_pointer found_##name;                                                  \
    static inline result(*real_##name(void)) parameters                                            \
    {                                                                                              \
        union {                                                                                    \
            void *pointer;                                                                         \
            result(*function) parameters;                                                          \
        } real = {gt_atomic_pointer_get(&found_##name)};                                           \
        if (GT_UNLIKELY(!real.pointer)) {                                                          \
            real.pointer = agent_find(#name);                                                      \
            gt_atomic_pointer_set(&found_##name, real.pointer);                                    \
        }                                                                                          \
        return real.function;                                                                      \
    }

#endif
