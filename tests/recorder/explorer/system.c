/* SPDX-License-Identifier: BSD-3-Clause */
/* The system of the explorer: its threads, and a clock that stands still. */
#include "recorder/system.h"

#include <unistd.h>

#include "explorer.h"
#include "recorder/system_modules.h"
#include "recorder/system_timer.h"

/* A clock that stands still makes equal traces of equal orders of events. */
uint64_t gt_system_clock(void)
{
    return 1000;
}

struct gt_system_moment gt_system_moment(void)
{
    return (struct gt_system_moment){1000 * GT_CLOCK_UNIT, 1, 1};
}

bool gt_system_trusts_counter(void)
{
    return false;
}

void gt_system_sleep(uint64_t nanoseconds)
{
    (void) nanoseconds;
}

uint64_t gt_system_thread_id(void)
{
    return 100 + explorer_self();
}

uint64_t gt_system_process_id(void)
{
    return 1;
}

bool gt_system_barrier_register(void)
{
    return true;
}

void gt_system_barrier(void)
{
    explorer_barrier();
}

uint64_t gt_system_processor_count(void)
{
    return 2;
}

bool gt_system_stack(uintptr_t *low, uintptr_t *high)
{
    (void) low;
    (void) high;
    return false;
}

bool gt_system_interrupted(const void *context, struct gt_system_registers *registers)
{
    (void) context;
    (void) registers;
    return false;
}

struct gt_system_timers *gt_system_timers_open(void *owner, gt_system_timer_fn *take)
{
    (void) owner;
    (void) take;
    return NULL;
}

void gt_system_timers_close(struct gt_system_timers *closed, bool is_child)
{
    (void) closed;
    (void) is_child;
}

void gt_system_timer_init(struct gt_system_timer *timer, struct gt_system_timers *owner)
{
    (void) timer;
    (void) owner;
}

void gt_system_timer_set(const struct gt_system_timer *timer, uint64_t first, uint64_t period)
{
    (void) timer;
    (void) first;
    (void) period;
}

void gt_system_timer_destroy(struct gt_system_timer *timer)
{
    (void) timer;
}

const char *gt_system_symbol(uint64_t pc)
{
    (void) pc;
    return NULL;
}

bool gt_system_modules_visit(uint64_t *changes, gt_system_module_fn *visit, void *user_data)
{
    (void) changes;
    (void) visit;
    (void) user_data;
    return false;
}

size_t gt_system_program_path(char *path, size_t size)
{
    (void) path;
    (void) size;
    return 0;
}

bool gt_system_file_open(struct gt_system_file *file, const char *path)
{
    (void) file;
    (void) path;
    return false;
}

bool gt_system_file_read(void *data, uint64_t offset, void *to, size_t size)
{
    (void) data;
    (void) offset;
    (void) to;
    (void) size;
    return false;
}

void gt_system_file_close(struct gt_system_file *file)
{
    (void) file;
}

ssize_t gt_system_write(int fd, const void *data, size_t size)
{
    return write(fd, data, size);
}

int gt_system_hold_cancel(void)
{
    return 0;
}

void gt_system_release_cancel(int held)
{
    (void) held;
}

void gt_system_yield(void)
{
    explorer_wait();
}

/* The handle of each thread of the only recorder. */
static void *selves[EXPLORER_THREADS + 1];

bool gt_system_self_init(struct gt_system_self *self, void (*leave)(void *))
{
    (void) self;
    (void) leave;
    for (unsigned i = 0; i <= EXPLORER_THREADS; i++)
        selves[i] = NULL;
    return true;
}

void gt_system_self_destroy(struct gt_system_self *self)
{
    (void) self;
}

void *gt_system_self_get(struct gt_system_self *self)
{
    (void) self;
    return selves[explorer_self()];
}

bool gt_system_self_set(struct gt_system_self *self, void *value)
{
    (void) self;
    selves[explorer_self()] = value;
    return true;
}

/* There is no thread of the library that waits. */
bool gt_system_bell_init(struct gt_system_bell *bell)
{
    (void) bell;
    return true;
}

void gt_system_bell_destroy(struct gt_system_bell *bell)
{
    (void) bell;
}

void gt_system_bell_ring(const struct gt_system_bell *bell)
{
    (void) bell;
}

void gt_system_bell_wait(const struct gt_system_bell *bell, uint64_t nanoseconds)
{
    (void) bell;
    (void) nanoseconds;
}

/* A mutex is a pthread_mutex_t that is never waited for. */
bool gt_system_mutex_init(struct gt_system_mutex *mutex)
{
    return pthread_mutex_init(&mutex->mutex, NULL) == 0;
}

void gt_system_mutex_destroy(struct gt_system_mutex *mutex)
{
    pthread_mutex_destroy(&mutex->mutex);
}

bool gt_system_try_lock(struct gt_system_mutex *mutex)
{
    explorer_point();
    explorer_flush();
    return pthread_mutex_trylock(&mutex->mutex) == 0;
}

void gt_system_lock(struct gt_system_mutex *mutex)
{
    while (!gt_system_try_lock(mutex))
        explorer_wait();
}

void gt_system_unlock(struct gt_system_mutex *mutex)
{
    explorer_flush();
    pthread_mutex_unlock(&mutex->mutex);
}
