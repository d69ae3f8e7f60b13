/* SPDX-License-Identifier: BSD-3-Clause */
/* For SIGEV_THREAD_ID. */
#define _GNU_SOURCE

#include "recorder/system_timer.h"

#include <stddef.h>

#ifdef __linux__

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "recorder/atomic.h"
#include "recorder/system.h"

/* The name of the member in the manual, which glibc did not have at first. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
    TIMERS_MOST = 16
};

struct gt_system_timers {
    struct gt_atomic_pointer owner; /* NULL: it is free, or was closed */
    gt_system_timer_fn *take;
    struct gt_atomic users; /* how many threads are in `take` */
    bool is_taken;          /* with the lock */
};

static struct {
    struct gt_atomic lock; /* the id of the process that holds it, or 0 */
    struct gt_system_timers owners[TIMERS_MOST];
    struct gt_atomic count;   /* of owners */
    struct gt_atomic process; /* that has opened the first of them */
    /* What the signal would do without the timers: one of `actions`, or NULL before the first. */
    struct gt_atomic_pointer before;
    struct sigaction actions[2];
} timers;

/*
 * In a child, another thread of the parent may have held the lock, which is not there. A signal
 * handler may call sigaction.
 */
static void timers_lock(sigset_t *mask)
{
    uint64_t process = gt_system_process_id(), holder = 0;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, mask);
    while (!gt_atomic_swap(&timers.lock, &holder, process)) {
        if (holder == process) {
            gt_system_yield();
            holder = 0;
        }
    }
}

static void timers_unlock(const sigset_t *mask)
{
    gt_atomic_set(&timers.lock, 0);
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

bool gt_system_timers_sent(const siginfo_t *info)
{
    uintptr_t sender = (uintptr_t) info->si_value.sival_ptr, first = (uintptr_t) timers.owners;
    return info->si_code == SI_TIMER && sender >= first && sender - first < sizeof(timers.owners);
}

bool gt_system_timers_exist(void)
{
    return gt_atomic_get(&timers.count) > 0;
}

/*
 * Lets the system end the process. The C library's function may be one that takes the place of
 * sigaction. An action of zeros is the default for the kernel.
 */
static void timers_end_process(int number)
{
    static const uint64_t none[8];
    syscall(SYS_rt_sigaction, number, none, NULL, (size_t) _NSIG / 8);
    raise(number);
}

static bool timers_have_handler(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/* Whether an action has a handler that is to be called once. */
static bool timers_is_once(const struct sigaction *action)
{
    return ((unsigned) action->sa_flags & SA_RESETHAND) != 0 && timers_have_handler(action);
}

/* Keeps what the signal would do without the timers. Handlers may still use the one before. */
static void timers_keep(const struct sigaction *before)
{
    bool is_first = gt_atomic_pointer_get(&timers.before) == &timers.actions[0];
    timers.actions[is_first] = *before;
    gt_atomic_pointer_set(&timers.before, &timers.actions[is_first]);
}

/*
 * Whether this is the child of a vfork: it has handlers of its own, but what is kept here is in the
 * memory of its parent.
 */
static bool timers_are_of_parent(void)
{
    return gt_atomic_get(&timers.process) != gt_system_process_id();
}

/* A handler that is to be called once is replaced by the default before it is called. */
static struct sigaction timers_take_once(void)
{
    sigset_t mask;
    timers_lock(&mask);
    struct sigaction before = *(const struct sigaction *) gt_atomic_pointer_get(&timers.before);
    struct sigaction after = before;
    after.sa_handler = SIG_DFL;
    if (timers_is_once(&before))
        timers_keep(&after);
    timers_unlock(&mask);
    return before;
}

/*
 * Blocks only the signals that the program wants to be blocked in its handler. Those that were
 * blocked before are in the context; the kernel writes only that many bytes of them.
 */
static void timers_set_mask(int number, const struct sigaction *action, const void *context)
{
    sigset_t mask, interrupted;
    sigemptyset(&interrupted);
    memcpy(&interrupted, &((const ucontext_t *) context)->uc_sigmask, (size_t) _NSIG / 8);
    sigorset(&mask, &interrupted, &action->sa_mask);
    if ((action->sa_flags & SA_NODEFER) == 0)
        sigaddset(&mask, number);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/* Does what the signal would have done without this handler. */
static void timers_pass_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction *kept = gt_atomic_pointer_get(&timers.before);
    if (!kept || kept->sa_handler == SIG_IGN)
        return;
    struct sigaction before = *kept;
    if (timers_is_once(&before) && !timers_are_of_parent())
        before = timers_take_once();
    if (before.sa_handler == SIG_DFL)
        timers_end_process(number);
    if (!timers_have_handler(&before))
        return;
    timers_set_mask(number, &before, context);
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, context);
    else
        before.sa_handler(number);
}

static void timers_handle(int number, siginfo_t *info, void *context)
{
    int error = errno;
    if (gt_system_timers_sent(info)) {
        struct gt_system_timers *sender = info->si_value.sival_ptr;
        gt_atomic_add(&sender->users, 1);
        void *owner = gt_atomic_pointer_get(&sender->owner);
        if (owner)
            sender->take(owner, context);
        gt_atomic_add(&sender->users, UINT64_MAX);
    } else {
        timers_pass_on(number, info, context);
    }
    errno = error;
}

static bool timers_have(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == timers_handle;
}

/*
 * The flags that the handler of the program asks for hold for that of the timers, too. All signals
 * are blocked in it: another handler could leave it by siglongjmp in the middle.
 */
static struct sigaction timers_action(const struct sigaction *before)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    sigfillset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    if (timers_have_handler(before))
        action.sa_flags = before->sa_flags & (int) ~(unsigned) SA_RESETHAND;
    action.sa_sigaction = timers_handle;
    action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
    return action;
}

/* The program may have kept the handler of an earlier time, and set it again. */
static void timers_take_signal(void)
{
    struct sigaction before, action;
    if (sigaction(SIGPROF, NULL, &before) != 0)
        return;
    if (!timers_have(&before))
        timers_keep(&before);
    action = timers_action(gt_atomic_pointer_get(&timers.before));
    sigaction(SIGPROF, &action, NULL);
}

/*
 * Gives the signal back, unless the program has replaced the handler. A signal of a timer that
 * still waits for a thread in which it is blocked would end the process: ignored signals are
 * dropped.
 */
static void timers_give_signal_back(void)
{
    struct sigaction now, ignored;
    const struct sigaction *before = gt_atomic_pointer_get(&timers.before);
    if (sigaction(SIGPROF, NULL, &now) != 0 || !timers_have(&now))
        return;
    memset(&ignored, 0, sizeof(ignored));
    ignored.sa_handler = SIG_IGN;
    if (before->sa_handler == SIG_DFL)
        sigaction(SIGPROF, &ignored, NULL);
    sigaction(SIGPROF, before, NULL);
}

/* Changes the handler of a child that shares the memory, and nothing else. */
static bool timers_change_child(const struct sigaction *action, struct sigaction *old)
{
    const struct sigaction *before = gt_atomic_pointer_get(&timers.before);
    struct sigaction was;
    if (sigaction(SIGPROF, action, &was) != 0)
        return false;
    if (old)
        *old = timers_have(&was) && before ? *before : was;
    return true;
}

bool gt_system_timers_sigaction(const struct sigaction *action, struct sigaction *old)
{
    sigset_t mask;
    if (timers_are_of_parent())
        return timers_change_child(action, old);
    timers_lock(&mask);
    const struct sigaction *before = gt_atomic_pointer_get(&timers.before);
    bool has_timers = gt_system_timers_exist() && before;
    struct sigaction was;
    if (has_timers) {
        was = *before;
        if (action) {
            struct sigaction taken = timers_action(action);
            timers_keep(action);
            sigaction(SIGPROF, &taken, NULL);
        }
        if (old)
            *old = was;
    }
    timers_unlock(&mask);
    return has_timers;
}

struct gt_system_timers *gt_system_timers_open(void *owner, gt_system_timer_fn *take)
{
    struct gt_system_timers *found = NULL;
    sigset_t mask;
    timers_lock(&mask);
    for (unsigned i = 0; i < TIMERS_MOST && !found; i++)
        found = timers.owners[i].is_taken ? NULL : &timers.owners[i];
    if (found) {
        found->is_taken = true;
        found->take = take;
        gt_atomic_pointer_set(&found->owner, owner);
        gt_atomic_set(&timers.process, gt_system_process_id());
        if (gt_atomic_add(&timers.count, 1) == 0)
            timers_take_signal();
    }
    timers_unlock(&mask);
    return found;
}

void gt_system_timers_close(struct gt_system_timers *closed, bool is_child)
{
    void *owner = gt_atomic_pointer_get(&closed->owner);
    sigset_t mask;
    gt_atomic_pointer_swap(&closed->owner, &owner, NULL);
    if (is_child)
        gt_atomic_set(&closed->users, 0);
    while (gt_atomic_add(&closed->users, 0) != 0)
        gt_system_yield();
    timers_lock(&mask);
    closed->is_taken = false;
    if (gt_atomic_add(&timers.count, UINT64_MAX) == 1)
        timers_give_signal_back();
    timers_unlock(&mask);
}

void gt_system_timer_init(struct gt_system_timer *timer, struct gt_system_timers *owner)
{
    struct sigevent event;
    memset(&event, 0, sizeof(event));
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event.sigev_value.sival_ptr = owner;
    event.sigev_notify_thread_id = (pid_t) gt_system_thread_id();
    timer->is_there = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer->id) == 0;
}

static struct timespec timer_time(uint64_t nanoseconds)
{
    return (struct timespec){(time_t) (nanoseconds / 1000000000),
                             (long) (nanoseconds % 1000000000)};
}

void gt_system_timer_set(const struct gt_system_timer *timer, uint64_t first, uint64_t period)
{
    struct itimerspec times = {timer_time(period), timer_time(first)};
    if (timer->is_there)
        timer_settime(timer->id, 0, &times, NULL);
}

void gt_system_timer_destroy(struct gt_system_timer *timer)
{
    if (timer->is_there)
        timer_delete(timer->id);
    timer->is_there = false;
}

#else

struct gt_system_timers *gt_system_timers_open(void *owner, gt_system_timer_fn *take)
{
    (void) take;
    return owner;
}

void gt_system_timers_close(struct gt_system_timers *closed, bool is_child)
{
    (void) closed;
    (void) is_child;
}

void gt_system_timer_init(struct gt_system_timer *timer, struct gt_system_timers *owner)
{
    (void) owner;
    timer->is_there = false;
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

#endif
