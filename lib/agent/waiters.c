/* SPDX-License-Identifier: BSD-3-Clause */
#include "agent/agent.h"

#include <pthread.h>
#include <string.h>

#include "base/hash.h"

/*
 * Threads that wait, by what they wait for. The kernel may wake another one
 * than the first: then the first is shown as ready though it still waits, and
 * the other one as woken by itself. Neither is lost, as the recorder lets only
 * one of the two tell that a thread goes on.
 */

enum {
    WAITERS_LISTS = 1024
};

struct waiters_list {
    pthread_mutex_t lock;
    struct agent_waiter *first;
};

static struct waiters_list waiters_lists[WAITERS_LISTS];
struct gt_atomic agent_waiters;

static struct waiters_list *waiters_of(const void *on)
{
    return &waiters_lists[gt_hash((uintptr_t) on, 0) % WAITERS_LISTS];
}

void agent_waiter_add(struct agent_waiter *waiter, const void *on)
{
    struct waiters_list *list = waiters_of(on);
    waiter->on = on;
    waiter->go = gt_rec_thread_go(agent_self.thread);
    waiter->next = NULL;
    pthread_mutex_lock(&list->lock);
    struct agent_waiter **end = &list->first;
    while (*end)
        end = &(*end)->next;
    *end = waiter;
    pthread_mutex_unlock(&list->lock);
    gt_atomic_add(&agent_waiters, 1);
}

void agent_waiter_remove(struct agent_waiter *waiter)
{
    struct waiters_list *list = waiters_of(waiter->on);
    pthread_mutex_lock(&list->lock);
    struct agent_waiter **link = &list->first;
    while (*link && *link != waiter)
        link = &(*link)->next;
    if (*link)
        *link = waiter->next;
    pthread_mutex_unlock(&list->lock);
    waiter->on = NULL;
    gt_atomic_add(&agent_waiters, UINT64_MAX);
}

/* A waiter remains in the list until it goes on: then it is the recorder that
 * knows of it. */
void agent_wake_waiters(const void *on, unsigned most)
{
    int error = errno;
    struct agent_thread *self = agent_enter(AGENT_ANY);
    if (!self)
        return;
    struct waiters_list *list = waiters_of(on);
    unsigned woken = 0;
    pthread_mutex_lock(&list->lock);
    for (struct agent_waiter *waiter = list->first; waiter && woken < most; waiter = waiter->next) {
        if (waiter->on == on && gt_rec_go_unblock(self->thread, waiter->go) == GT_OK)
            woken++;
    }
    pthread_mutex_unlock(&list->lock);
    agent_leave(self);
    errno = error;
}

void agent_forget_waiters(void)
{
    memset(waiters_lists, 0, sizeof(waiters_lists));
    gt_atomic_set(&agent_waiters, 0);
}
