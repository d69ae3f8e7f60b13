/* SPDX-License-Identifier: BSD-3-Clause */
/* For pthread_setname_np. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>

/* Names that threads give themselves: tools show them as labels of goroutines. */

enum {
    LABEL_ARGUMENTS = 4,
    /* Every generation has all labels, so a program that changes names all the time has those of
     * the beginning. */
    LABELS_MOST = 4096
};

AGENT_REAL(int, pthread_setname_np, (pthread_t, const char *) )
AGENT_REAL(int, prctl, (int, ...))

static struct gt_atomic label_count;

/* Labels the goroutine of the calling thread. */
static void label_set(const char *name)
{
    int error = errno;
    gt_rec_text text = 0;
    if (gt_atomic_peek(&label_count) >= LABELS_MOST)
        return;
    struct agent_thread *self = agent_enter(AGENT_ANY);
    if (!self)
        return;
    gt_atomic_add(&label_count, 1);
    if (gt_recorder_text(agent_recorder, name, strlen(name), &text) == GT_OK)
        (void) gt_rec_go_label(self->thread, text);
    agent_leave(self);
    errno = error;
}

/* The name of another thread is not taken: only the thread itself can tell. */
AGENT_EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
    int result = real_pthread_setname_np()(thread, name);
    if (result == 0 && pthread_equal(thread, pthread_self()))
        label_set(name);
    return result;
}

AGENT_EXPORT int prctl(int option, ...)
{
    enum {
        NAME_SIZE = 16 /* what the kernel keeps, with the end */
    };

    unsigned long arguments[LABEL_ARGUMENTS];
    char name[NAME_SIZE] = "";
    va_list list;
    va_start(list, option);
    for (size_t i = 0; i < LABEL_ARGUMENTS; i++)
        arguments[i] = va_arg(list, unsigned long);
    va_end(list);
    int result = real_prctl()(option, arguments[0], arguments[1], arguments[2], arguments[3]);
    if (option == PR_SET_NAME && result == 0) {
        strncat(name, (const char *) arguments[0], NAME_SIZE - 1);
        label_set(name);
    }
    return result;
}
