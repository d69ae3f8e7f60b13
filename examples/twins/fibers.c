/* SPDX-License-Identifier: BSD-3-Clause */
/* For the functions of ucontext.h. */
#define _XOPEN_SOURCE 700

#include "fibers.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

enum {
    STACK_SIZE = 64 << 10,
    THREADS_MOST = 16
};

struct fiber {
    ucontext_t context;
    gt_rec_go *go;
    struct fiber *next;
    void (*function)(void *argument);
    void *argument;
    long value; /* that it sends or has received */
    bool has_value, is_done;
    struct timespec wakes; /* if it sleeps */
    char stack[STACK_SIZE];
};

struct worker {
    ucontext_t context;
    gt_rec_thread *thread;
    gt_rec_proc *proc;
    bool has_proc;
    struct fiber *fiber;
    pthread_t pthread;
};

/* All of this, and all that fibers wait for, belongs to whoever has the lock. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    gt_recorder *recorder;
    struct fiber_list runnable, sleeping;
    unsigned live, running;
    bool has_timekeeper;
} fibers = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void must(gt_status status, const char *what)
{
    if (status < 0) {
        fprintf(stderr, "fibers: %s: %s\n", what, gt_status_text(status));
        abort();
    }
}

static _Thread_local struct worker *this_worker;

/* Not inlined: a fiber that has waited may be on another thread. */
__attribute__((noinline)) static struct worker *worker_self(void)
{
    return this_worker;
}

static void list_push(struct fiber_list *list, struct fiber *fiber)
{
    fiber->next = NULL;
    if (list->last)
        list->last->next = fiber;
    else
        list->first = fiber;
    list->last = fiber;
}

static struct fiber *list_pop(struct fiber_list *list)
{
    struct fiber *fiber = list->first;
    if (!fiber)
        return NULL;
    list->first = fiber->next;
    if (!list->first)
        list->last = NULL;
    return fiber;
}

gt_rec_text fibers_text(const char *name)
{
    gt_rec_text text;
    must(gt_recorder_text(fibers.recorder, name, strlen(name), &text), "text");
    return text;
}

gt_rec_thread *fibers_thread(void)
{
    return worker_self()->thread;
}

/* Others can find the fiber in the list when the lock is free: after its wait was recorded. */
static void fiber_wait(struct fiber_list *list, gt_rec_text reason)
{
    struct worker *worker = worker_self();
    struct fiber *fiber = worker->fiber;
    must(gt_rec_go_block(worker->thread, reason), "block");
    list_push(list, fiber);
    /* The lock passes to the scheduler and back. */
    swapcontext(&fiber->context, &worker->context);
}

static void fiber_wake(struct fiber *fiber)
{
    must(gt_rec_go_unblock(worker_self()->thread, fiber->go), "unblock");
    list_push(&fibers.runnable, fiber);
    pthread_cond_signal(&fibers.changed);
}

static void fiber_main(void)
{
    struct fiber *fiber = worker_self()->fiber;
    pthread_mutex_unlock(&fibers.lock);
    fiber->function(fiber->argument);
    pthread_mutex_lock(&fibers.lock);
    struct worker *worker = worker_self();
    must(gt_rec_go_end(worker->thread), "end");
    fiber->is_done = true;
    setcontext(&worker->context);
}

/* With the lock, on a thread that has a proc. */
static void fiber_create(const char *name, void (*function)(void *), void *argument)
{
    struct fiber *fiber = calloc(1, sizeof(*fiber));
    if (!fiber)
        abort();
    fiber->function = function;
    fiber->argument = argument;
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack;
    fiber->context.uc_stack.ss_size = STACK_SIZE;
    makecontext(&fiber->context, fiber_main, 0);
    must(gt_rec_go_create(worker_self()->thread, fibers_text(name), 0, &fiber->go), "create");
    must(gt_rec_go_stack(fiber->go, fiber->stack, STACK_SIZE), "stack");
    fibers.live++;
    list_push(&fibers.runnable, fiber);
    pthread_cond_signal(&fibers.changed);
}

void fibers_go(const char *name, void (*function)(void *argument), void *argument)
{
    pthread_mutex_lock(&fibers.lock);
    fiber_create(name, function, argument);
    pthread_mutex_unlock(&fibers.lock);
}

void fibers_sleep(unsigned milliseconds)
{
    struct fiber *fiber = worker_self()->fiber;
    clock_gettime(CLOCK_MONOTONIC, &fiber->wakes);
    fiber->wakes.tv_nsec += (long) milliseconds * 1000000;
    fiber->wakes.tv_sec += fiber->wakes.tv_nsec / 1000000000;
    fiber->wakes.tv_nsec %= 1000000000;
    pthread_mutex_lock(&fibers.lock);
    fiber_wait(&fibers.sleeping, GT_REC_SLEEP);
    pthread_mutex_unlock(&fibers.lock);
}

void channel_send(struct channel *channel, long value)
{
    pthread_mutex_lock(&fibers.lock);
    struct fiber *receiver = list_pop(&channel->receivers);
    if (receiver) {
        receiver->value = value;
        receiver->has_value = true;
        fiber_wake(receiver);
    } else {
        worker_self()->fiber->value = value;
        fiber_wait(&channel->senders, GT_REC_CHAN_SEND);
    }
    pthread_mutex_unlock(&fibers.lock);
}

bool channel_receive(struct channel *channel, long *value)
{
    pthread_mutex_lock(&fibers.lock);
    struct fiber *sender = list_pop(&channel->senders), *self = worker_self()->fiber;
    bool has_value = sender;
    if (sender) {
        *value = sender->value;
        fiber_wake(sender);
    } else if (!channel->is_closed) {
        fiber_wait(&channel->receivers, GT_REC_CHAN_RECEIVE);
        has_value = self->has_value;
        *value = self->value;
    }
    pthread_mutex_unlock(&fibers.lock);
    return has_value;
}

void channel_close(struct channel *channel)
{
    struct fiber *receiver;
    pthread_mutex_lock(&fibers.lock);
    channel->is_closed = true;
    while ((receiver = list_pop(&channel->receivers))) {
        receiver->has_value = false;
        fiber_wake(receiver);
    }
    pthread_mutex_unlock(&fibers.lock);
}

void fiber_lock(struct fiber_mutex *mutex)
{
    pthread_mutex_lock(&fibers.lock);
    if (mutex->is_locked)
        fiber_wait(&mutex->waiting, GT_REC_SYNC);
    mutex->is_locked = true;
    pthread_mutex_unlock(&fibers.lock);
}

/* The mutex passes to the one that has waited longest. */
void fiber_unlock(struct fiber_mutex *mutex)
{
    pthread_mutex_lock(&fibers.lock);
    struct fiber *next = list_pop(&mutex->waiting);
    mutex->is_locked = next;
    if (next)
        fiber_wake(next);
    pthread_mutex_unlock(&fibers.lock);
}

void group_add(struct fiber_group *group, unsigned count)
{
    pthread_mutex_lock(&fibers.lock);
    group->count += count;
    pthread_mutex_unlock(&fibers.lock);
}

void group_done(struct fiber_group *group)
{
    struct fiber *waiting;
    pthread_mutex_lock(&fibers.lock);
    if (--group->count == 0) {
        while ((waiting = list_pop(&group->waiting)))
            fiber_wake(waiting);
    }
    pthread_mutex_unlock(&fibers.lock);
}

void group_wait(struct fiber_group *group)
{
    pthread_mutex_lock(&fibers.lock);
    if (group->count > 0)
        fiber_wait(&group->waiting, GT_REC_SYNC);
    pthread_mutex_unlock(&fibers.lock);
}

static void worker_run_fiber(struct worker *worker, struct fiber *fiber)
{
    if (!worker->has_proc)
        must(gt_rec_proc_start(worker->thread, worker->proc), "start proc");
    worker->has_proc = true;
    must(gt_rec_go_start(worker->thread, fiber->go), "start");
    worker->fiber = fiber;
    fibers.running++;
    swapcontext(&worker->context, &fiber->context);
    fibers.running--;
    if (!fiber->is_done)
        return;
    must(gt_rec_go_release(&fiber->go), "release");
    free(fiber);
    if (--fibers.live == 0)
        pthread_cond_broadcast(&fibers.changed);
}

/* All sleep equally long, so the first one wakes first. */
static void worker_keep_time(void)
{
    struct fiber *fiber = list_pop(&fibers.sleeping);
    fibers.has_timekeeper = true;
    pthread_mutex_unlock(&fibers.lock);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &fiber->wakes, NULL);
    pthread_mutex_lock(&fibers.lock);
    fibers.has_timekeeper = false;
    fiber_wake(fiber);
}

static void *worker_run(void *argument)
{
    struct worker *worker = argument;
    this_worker = worker;
    must(gt_rec_thread_attach(fibers.recorder, &worker->thread), "attach");
    pthread_mutex_lock(&fibers.lock);
    while (fibers.live > 0) {
        struct fiber *fiber = list_pop(&fibers.runnable);
        if (fiber) {
            worker_run_fiber(worker, fiber);
            continue;
        }
        /* A thread without work has no proc. */
        if (worker->has_proc)
            must(gt_rec_proc_stop(worker->thread), "stop proc");
        worker->has_proc = false;
        if (fibers.running == 0 && fibers.sleeping.first && !fibers.has_timekeeper)
            worker_keep_time();
        else
            pthread_cond_wait(&fibers.changed, &fibers.lock);
    }
    pthread_mutex_unlock(&fibers.lock);
    gt_rec_thread_detach(&worker->thread);
    return NULL;
}

void fibers_run(gt_recorder *recorder, unsigned threads, void (*function)(void *argument))
{
    static struct worker workers[THREADS_MOST];
    struct worker *first = &workers[0];
    fibers.recorder = recorder;
    for (unsigned i = 0; i < threads && i < THREADS_MOST; i++)
        must(gt_rec_proc_create(recorder, i, &workers[i].proc), "proc");
    /* The first fiber needs somebody who creates it. */
    this_worker = first;
    must(gt_rec_thread_attach(recorder, &first->thread), "attach");
    must(gt_rec_proc_start(first->thread, first->proc), "start proc");
    pthread_mutex_lock(&fibers.lock);
    fiber_create("main.main", function, NULL);
    pthread_mutex_unlock(&fibers.lock);
    must(gt_rec_proc_stop(first->thread), "stop proc");
    gt_rec_thread_detach(&first->thread);
    for (unsigned i = 0; i < threads && i < THREADS_MOST; i++) {
        if (pthread_create(&workers[i].pthread, NULL, worker_run, &workers[i]) != 0)
            abort();
    }
    for (unsigned i = 0; i < threads && i < THREADS_MOST; i++)
        pthread_join(workers[i].pthread, NULL);
}
