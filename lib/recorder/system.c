/* SPDX-License-Identifier: BSD-3-Clause */
/* For syscall, dladdr and pthread_getattr_np. */
#define _GNU_SOURCE

#include "recorder/system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/membarrier.h>
#include <sys/syscall.h>
#endif

/* The thread sanitizer does not know what membarrier does. */
#if defined(__SANITIZE_THREAD__)
#define SYSTEM_HAS_BARRIER 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SYSTEM_HAS_BARRIER 0
#endif
#endif
#ifndef SYSTEM_HAS_BARRIER
#ifdef __linux__
#define SYSTEM_HAS_BARRIER 1
#else
#define SYSTEM_HAS_BARRIER 0
#endif
#endif

enum {
    /* Programs that close or count descriptors of others mostly mean those with low numbers. */
    SYSTEM_DESCRIPTOR = 900
};

static uint64_t system_nanoseconds(const struct timespec *time)
{
    return (uint64_t) time->tv_sec * 1000000000 + (uint64_t) time->tv_nsec;
}

uint64_t gt_system_clock(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return system_nanoseconds(&now) / GT_CLOCK_UNIT;
}

struct gt_system_moment gt_system_moment(void)
{
    struct timespec wall = {0, 0}, monotonic = {0, 0};
    clock_gettime(CLOCK_REALTIME, &wall);
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    return (struct gt_system_moment){system_nanoseconds(&monotonic), (uint64_t) wall.tv_sec,
                                     (uint64_t) wall.tv_nsec};
}

bool gt_system_trusts_counter(void)
{
    static const char trusted[] = "tsc\n";
    char source[sizeof(trusted)] = "";
    int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                  O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t size = read(fd, source, sizeof(source) - 1);
    close(fd);
    return size == (ssize_t) sizeof(trusted) - 1 && strcmp(source, trusted) == 0;
}

void gt_system_sleep(uint64_t nanoseconds)
{
    struct timespec left = {(time_t) (nanoseconds / 1000000000), (long) (nanoseconds % 1000000000)};
    int held = gt_system_hold_cancel();
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
    gt_system_release_cancel(held);
}

uint64_t gt_system_thread_id(void)
{
#ifdef __linux__
    return (uint64_t) syscall(SYS_gettid);
#else
    return (uint64_t) (uintptr_t) pthread_self();
#endif
}

uint64_t gt_system_process_id(void)
{
    return (uint64_t) getpid();
}

bool gt_system_barrier_register(void)
{
#if SYSTEM_HAS_BARRIER
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#else
    return false;
#endif
}

#if SYSTEM_HAS_BARRIER
/*
 * A processor makes its stores visible in much less than a microsecond, or when it goes on to
 * another thread, but nothing promises that.
 */
static void system_rest(void)
{
    gt_system_sleep(5000000);
}
#endif

void gt_system_barrier(void)
{
#if SYSTEM_HAS_BARRIER
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        system_rest();
#endif
}

/* The threads of a program mostly have the set of processors of the one that opens a recorder. */
uint64_t gt_system_processor_count(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return (uint64_t) CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint64_t) count : 1;
}

bool gt_system_stack(uintptr_t *low, uintptr_t *high)
{
#ifdef __linux__
    pthread_attr_t attributes;
    void *begin;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    bool is_known = pthread_attr_getstack(&attributes, &begin, &size) == 0;
    pthread_attr_destroy(&attributes);
    if (!is_known)
        return false;
    *low = (uintptr_t) begin;
    *high = (uintptr_t) begin + size;
    return true;
#else
    (void) low;
    (void) high;
    return false;
#endif
}

bool gt_system_interrupted(const void *context, struct gt_system_registers *registers)
{
#if defined(__linux__) && defined(__x86_64__)
    const greg_t *values = ((const ucontext_t *) context)->uc_mcontext.gregs;
    *registers = (struct gt_system_registers){
        (uintptr_t) values[REG_RIP], (uintptr_t) values[REG_RSP], (uintptr_t) values[REG_RBP]};
    return true;
#elif defined(__linux__) && defined(__aarch64__)
    const mcontext_t *machine = &((const ucontext_t *) context)->uc_mcontext;
    *registers = (struct gt_system_registers){(uintptr_t) machine->pc, (uintptr_t) machine->sp,
                                              (uintptr_t) machine->regs[29]};
    return true;
#else
    (void) context;
    (void) registers;
    return false;
#endif
}

const char *gt_system_symbol(uint64_t pc)
{
    Dl_info info;
    return dladdr((void *) (uintptr_t) pc, &info) != 0 ? info.dli_sname : NULL;
}

void gt_system_yield(void)
{
    sched_yield();
}

/* Takes a SIGPIPE that waits for the calling thread, in which it is blocked. */
static void system_take_pipe_signal(const sigset_t *pipe_signal)
{
    static const struct timespec none = {0, 0};
    while (sigtimedwait(pipe_signal, NULL, &none) < 0 && errno == EINTR) {
    }
}

ssize_t gt_system_write(int fd, const void *data, size_t size)
{
    sigset_t pipe_signal, before, old;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigemptyset(&before);
    sigpending(&before);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &old);
    ssize_t written = write(fd, data, size);
    int error = errno;
    /* One that waited before is the program's. */
    if (written < 0 && error == EPIPE && sigismember(&before, SIGPIPE) != 1)
        system_take_pipe_signal(&pipe_signal);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return written;
}

int gt_system_hold_cancel(void)
{
    int held = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &held);
    return held;
}

void gt_system_release_cancel(int held)
{
    pthread_setcancelstate(held, &held);
}

bool gt_system_self_init(struct gt_system_self *self, void (*leave)(void *))
{
    return pthread_key_create(&self->key, leave) == 0;
}

void gt_system_self_destroy(struct gt_system_self *self)
{
    pthread_key_delete(self->key);
}

void *gt_system_self_get(struct gt_system_self *self)
{
    return pthread_getspecific(self->key);
}

bool gt_system_self_set(struct gt_system_self *self, void *value)
{
    return pthread_setspecific(self->key, value) == 0;
}

#ifdef __linux__
/* Neither end waits, or is left to other programs, even one that is executed at this moment. */
static bool system_open_pipe(int *fds)
{
    return pipe2(fds, O_NONBLOCK | O_CLOEXEC) == 0;
}
#else
static bool system_prepare_pipe(int fd)
{
    return fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

static bool system_open_pipe(int *fds)
{
    if (pipe(fds) != 0)
        return false;
    if (system_prepare_pipe(fds[0]) && system_prepare_pipe(fds[1]))
        return true;
    close(fds[0]);
    close(fds[1]);
    return false;
}
#endif

/* Gives a descriptor a high number, if it can have one. */
static int system_raise(int fd)
{
    int raised = fcntl(fd, F_DUPFD_CLOEXEC, SYSTEM_DESCRIPTOR);
    if (raised < 0)
        return fd;
    close(fd);
    return raised;
}

bool gt_system_bell_init(struct gt_system_bell *bell)
{
    if (!system_open_pipe(bell->fds))
        return false;
    bell->fds[0] = system_raise(bell->fds[0]);
    bell->fds[1] = system_raise(bell->fds[1]);
    return true;
}

void gt_system_bell_destroy(struct gt_system_bell *bell)
{
    close(bell->fds[0]);
    close(bell->fds[1]);
}

/* A full pipe has rung already. */
void gt_system_bell_ring(const struct gt_system_bell *bell)
{
    int error = errno;
    while (write(bell->fds[1], "", 1) < 0 && errno == EINTR) {
    }
    errno = error;
}

/*
 * Where the pipe cannot be waited for, because the program has closed it, say, a thread would ask
 * for it again and again.
 */
static void system_pause(uint64_t nanoseconds)
{
    uint64_t most = UINT64_C(10000000);
    struct timespec pause = {0, (long) (nanoseconds < most ? nanoseconds : most)};
    nanosleep(&pause, NULL);
}

void gt_system_bell_wait(const struct gt_system_bell *bell, uint64_t nanoseconds)
{
    struct pollfd waited = {bell->fds[0], POLLIN, 0};
    uint64_t milliseconds = nanoseconds / 1000000 + (nanoseconds % 1000000 != 0);
    char rung[64];
    int ready = poll(&waited, 1, milliseconds < INT_MAX ? (int) milliseconds : INT_MAX);
    if (ready > 0 && (waited.revents & POLLIN) != 0) {
        while (read(bell->fds[0], rung, sizeof(rung)) == sizeof(rung)) {
        }
    } else if (ready > 0 || (ready < 0 && errno != EINTR)) {
        system_pause(nanoseconds);
    }
}

bool gt_system_mutex_init(struct gt_system_mutex *mutex)
{
    return pthread_mutex_init(&mutex->mutex, NULL) == 0;
}

void gt_system_mutex_destroy(struct gt_system_mutex *mutex)
{
    pthread_mutex_destroy(&mutex->mutex);
}

void gt_system_lock(struct gt_system_mutex *mutex)
{
    pthread_mutex_lock(&mutex->mutex);
}

bool gt_system_try_lock(struct gt_system_mutex *mutex)
{
    return pthread_mutex_trylock(&mutex->mutex) == 0;
}

void gt_system_unlock(struct gt_system_mutex *mutex)
{
    pthread_mutex_unlock(&mutex->mutex);
}
