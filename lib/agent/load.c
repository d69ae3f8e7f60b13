/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "agent/control.h"
#include "agent/descriptors.h"
#include "agent/memory.h"
#include "agent/names.h"
#include "agent/output.h"
#include "agent/process.h"
#include "agent/settings.h"
#include "agent/thread.h"
#include "recorder/hold.h"

/* The recording of a process: it begins when the agent is loaded, and ends with
 * the process. */

_Thread_local struct agent_thread agent_self;
struct gt_atomic agent_kinds;
gt_recorder *agent_recorder;

static struct agent_settings agent_settings;
static pid_t agent_pid;
static pthread_mutex_t agent_lock = PTHREAD_MUTEX_INITIALIZER;

void agent_heal(struct agent_thread *self)
{
    if (self->waiter.on)
        agent_waiter_remove(&self->waiter);
    if (self->state == AGENT_BLOCKED)
        (void) gt_rec_go_resume(self->thread);
    else
        (void) gt_rec_syscall_end(self->thread);
    self->state = AGENT_RUNNING;
}

static void agent_move_descriptors(void)
{
    int *bell = agent_recorder->bell.fds;
    for (size_t i = 0; i < 2; i++)
        bell[i] = agent_descriptor_move(bell[i]);
    agent_descriptors_set(bell);
}

static bool agent_open_recorder(void)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    options.flags = GT_RECORDER_IMPLICIT;
    options.allocator = &agent_memory;
    if (agent_settings.has_tables)
        options.flags |= GT_RECORDER_UNWIND;
    if (agent_settings.waits)
        options.flags |= GT_RECORDER_WAIT;
    options.stack_depth = agent_settings.stack;
    options.memory_limit = agent_settings.memory;
    options.sample_hz = agent_settings.sample_hz;
    if (gt_recorder_open(&agent_recorder, &options, &error) == GT_OK) {
        agent_move_descriptors();
        return true;
    }
    agent_report_failure(&agent_settings, "recording", error.message);
    return false;
}

/* Begins to record. If that fails nothing is recorded, and the program runs as
 * without it. */
static bool agent_begin(void)
{
    if (agent_open_recorder()) {
        if (agent_control_begin(&agent_settings))
            return true;
        agent_descriptors_forget();
        gt_recorder_close(&agent_recorder);
    }
    gt_atomic_set(&agent_kinds, 0);
    return false;
}

/* Files are opened and written with the lock held, and what calls this may be no cancellation
 * point. */
static bool agent_begin_once(void)
{
    int held = gt_system_hold_cancel();
    pthread_mutex_lock(&agent_lock);
    bool is_good = agent_recorder || agent_begin();
    pthread_mutex_unlock(&agent_lock);
    gt_system_release_cancel(held);
    return is_good;
}

bool agent_attach(struct agent_thread *self)
{
    static const char name[] = "thread", first[] = "main";
    gt_rec_text text = 0;
    bool is_main = gt_system_thread_id() == (uint64_t) agent_pid;
    if (!agent_begin_once())
        return false;
    (void) gt_recorder_text(agent_recorder, is_main ? first : name,
                            is_main ? sizeof(first) - 1 : sizeof(name) - 1, &text);
    if (gt_rec_thread_attach_as(agent_recorder, text, &self->thread) != GT_OK) {
        self->is_over = true;
        return false;
    }
    agent_thread_end_later(self);
    return true;
}

bool agent_is_own_process(void)
{
    return agent_recorder && getpid() == agent_pid;
}

void agent_advance(void)
{
    int error = errno;
    agent_self.inside++;
    (void) gt_recorder_advance(agent_recorder);
    agent_self.inside--;
    errno = error;
}

void agent_end(void)
{
    if (!agent_is_own_process() || agent_self.inside > 0)
        return;
    agent_self.inside++;
    int held = gt_system_hold_cancel();
    gt_atomic_set(&agent_kinds, 0);
    agent_control_end();
    gt_system_release_cancel(held);
    agent_self.inside--;
}

/*
 * In a process that was forked the recorder of the old one is of no use: its
 * other threads are gone, whatever they were doing. It begins anew when it
 * first waits, as most of such processes only execute another program.
 */
static void agent_fork_child(void)
{
    gt_recorder *old = agent_recorder;
    static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
    agent_recorder = NULL;
    agent_pid = getpid();
    agent_lock = unlocked;
    if (old) {
        agent_self.inside++;
        gt_recorder_forget(old);
        agent_control_forget();
        agent_descriptors_forget();
    }
    memset(&agent_self, 0, sizeof(agent_self));
    agent_memory_after_fork();
    agent_forget_waiters();
    agent_forget_names();
    if (!agent_settings.follows)
        gt_atomic_set(&agent_kinds, 0);
}

__attribute__((constructor)) static void agent_load(void)
{
    struct agent_thread *self = &agent_self;
    if (!agent_settings_read(&agent_settings) || !agent_threads_init() ||
        pthread_atfork(NULL, NULL, agent_fork_child) != 0)
        return;
    agent_pid = getpid();
    if (agent_pid != agent_settings.first && !agent_settings.follows)
        return;
    gt_atomic_set(&agent_kinds, agent_settings.kinds);
    self->inside++;
    (void) agent_attach(self);
    self->inside--;
}

__attribute__((destructor)) static void agent_unload(void)
{
    agent_end();
}
