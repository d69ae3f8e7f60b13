/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_SYSTEM_H
#define GT_RECORDER_SYSTEM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What the recorder needs of the system. A test has its own system.c. */

/* The unit of the clock in nanoseconds, for which readers lose nothing in conversions. */
enum {
    GT_CLOCK_UNIT = 64
};

/* The monotonic and the wall clock, at one moment. */
struct gt_system_moment {
    uint64_t monotonic; /* ns */
    uint64_t seconds;   /* since 1970 */
    uint64_t nanoseconds;
};

/* The monotonic clock, in units of GT_CLOCK_UNIT. */
uint64_t gt_system_clock(void);
struct gt_system_moment gt_system_moment(void);

/* Whether the processor has a counter that can be read fast. */
static inline bool gt_system_has_counter(void)
{
#ifdef __x86_64__
    return true;
#else
    return false;
#endif
}

static inline uint64_t gt_system_counter(void)
{
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

/* Whether the kernel takes the counter as its clock: it is the same on all processors, and steady.
 */
bool gt_system_trusts_counter(void);

void gt_system_sleep(uint64_t nanoseconds);

/* The id that the system has for the calling thread, and for the process. */
uint64_t gt_system_thread_id(void);
uint64_t gt_system_process_id(void);

/*
 * A full barrier in all running threads of the process, by which they need none in sections.
 * gt_system_barrier_register returns whether the system has it, and must be called before. If the
 * system refuses it later, as a program may ask for, so much time passes that it is as good.
 */
bool gt_system_barrier_register(void);
void gt_system_barrier(void);

/* How many processors the program may use. */
uint64_t gt_system_processor_count(void);

/* Sets the bounds of the stack of the calling thread. Returns false if they are not known. */
bool gt_system_stack(uintptr_t *low, uintptr_t *high);

/* Registers of a thread: the next instruction, the stack pointer and the frame pointer. */
struct gt_system_registers {
    uintptr_t pc, sp, fp;
};

/*
 * Where a signal has interrupted a thread; `context` is the ucontext_t of its handler. Returns
 * false if that is not known.
 */
bool gt_system_interrupted(const void *context, struct gt_system_registers *registers);

/* The name of the function at an address, or NULL. */
const char *gt_system_symbol(uint64_t pc);

/* Lets other threads run, because the caller waits for one. */
void gt_system_yield(void);

/*
 * Writes to a file descriptor, as write does, but a pipe or socket that nobody reads is an error
 * without SIGPIPE.
 */
ssize_t gt_system_write(int fd, const void *data, size_t size);

/*
 * Puts off the cancellation of the calling thread, which holds locks, and permits it again, unless
 * it was put off before, which is what the former returns.
 */
int gt_system_hold_cancel(void);
void gt_system_release_cancel(int held);

/* A pointer of each thread. When a thread ends, `leave` is called with its own, unless that is
 * NULL. */
struct gt_system_self {
    pthread_key_t key;
};

bool gt_system_self_init(struct gt_system_self *self, void (*leave)(void *));
void gt_system_self_destroy(struct gt_system_self *self);
void *gt_system_self_get(struct gt_system_self *self);
bool gt_system_self_set(struct gt_system_self *self, void *value);

/* What wakes a thread, by whoever rings: signal handlers, too. */
struct gt_system_bell {
    int fds[2];
};

bool gt_system_bell_init(struct gt_system_bell *bell);
void gt_system_bell_destroy(struct gt_system_bell *bell);
void gt_system_bell_ring(const struct gt_system_bell *bell);

/*
 * Waits until somebody has rung, but not much longer than so many nanoseconds. Without its pipe,
 * which the program may have closed, it waits for a short while.
 */
void gt_system_bell_wait(const struct gt_system_bell *bell, uint64_t nanoseconds);

struct gt_system_mutex {
    pthread_mutex_t mutex;
};

bool gt_system_mutex_init(struct gt_system_mutex *mutex);
void gt_system_mutex_destroy(struct gt_system_mutex *mutex);
void gt_system_lock(struct gt_system_mutex *mutex);
bool gt_system_try_lock(struct gt_system_mutex *mutex);
void gt_system_unlock(struct gt_system_mutex *mutex);

#endif
