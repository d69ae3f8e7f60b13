/* SPDX-License-Identifier: BSD-3-Clause */
/* For sem_clockwait. */
#define _GNU_SOURCE

#include "agent/control.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/descriptors.h"
#include "agent/output.h"
#include "recorder/inside.h"

#define CONTROL_SECOND UINT64_C(1000000000)

static struct {
    const struct agent_settings *settings;
    pthread_mutex_t lock; /* of the next three */
    bool is_recording;
    bool is_over;
    struct agent_output output; /* of a recording that is no window */
    pthread_mutex_t dump_lock;  /* a window is being written */
    sem_t bell;                 /* something was asked for */
    /* How often another state was asked for: the process is to be recorded if that is odd. A signal
     * that asks for the same state again does nothing, and none is lost that comes while a trace
     * begins or ends. */
    atomic_uint asked;
} control = {.lock = PTHREAD_MUTEX_INITIALIZER,
             .output = {.fd = -1},
             .dump_lock = PTHREAD_MUTEX_INITIALIZER};

/* Writes the window to a file of its own. */
static void control_dump(void)
{
    struct agent_output output;
    gt_error error = GT_ERROR_INIT;
    pthread_mutex_lock(&control.dump_lock);
    if (agent_output_open(&output, control.settings)) {
        gt_status status = gt_recorder_window_write_fd(agent_recorder, output.fd, &error);
        if (status == GT_STALE)
            agent_output_drop(&output, control.settings, "nothing was recorded");
        else
            agent_output_close(&output, control.settings, status);
    }
    pthread_mutex_unlock(&control.dump_lock);
}

/* Called by the thread of the recorder. */
static void control_answer(void *user_data)
{
    (void) user_data;
    control_dump();
}

static bool control_start_window(void)
{
    gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    options.min_age = control.settings->age;
    options.max_bytes = control.settings->bytes;
    options.on_request = control_answer;
    if (gt_recorder_window_start(agent_recorder, &options, &error) == GT_OK)
        return true;
    agent_report_failure(control.settings, "recording", error.message);
    return false;
}

static bool control_start_stream(void)
{
    gt_error error = GT_ERROR_INIT;
    if (!agent_output_open(&control.output, control.settings))
        return false;
    if (gt_recorder_start_fd(agent_recorder, control.output.fd, &error) == GT_OK) {
        agent_descriptor_keep(&agent_recorder->file.fd);
        return true;
    }
    agent_output_drop(&control.output, control.settings, error.message);
    return false;
}

static bool control_start(void)
{
    pthread_mutex_lock(&control.lock);
    if (!control.is_recording && !control.is_over)
        control.is_recording =
            control.settings->is_flight ? control_start_window() : control_start_stream();
    bool is_recording = control.is_recording;
    pthread_mutex_unlock(&control.lock);
    return is_recording;
}

static void control_stop(void)
{
    gt_error error = GT_ERROR_INIT;
    if (!control.is_recording)
        return;
    if (control.settings->is_flight) {
        control_dump();
        (void) gt_recorder_window_stop(agent_recorder);
    } else {
        gt_status status = gt_recorder_stop(agent_recorder, &error);
        control.output.fd = agent_descriptor_release();
        agent_output_close(&control.output, control.settings, status);
    }
    control.is_recording = false;
}

/* Asks for a state, unless that was asked for already. */
static void control_ask(bool is_recording)
{
    unsigned asked = atomic_load(&control.asked);
    while ((asked % 2 != 0) != is_recording) {
        if (atomic_compare_exchange_weak(&control.asked, &asked, asked + 1))
            return;
    }
}

/* Asks for the state after `done`, unless a signal has asked for it. */
static void control_ask_next(unsigned done)
{
    atomic_compare_exchange_strong(&control.asked, &done, done + 1);
}

/* Waits until more was asked for than `done`, at most for some nanoseconds; 0: without an end. */
static void control_wait(uint64_t time, unsigned done)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t end = (uint64_t) until.tv_nsec + time % CONTROL_SECOND;
    until.tv_sec += (time_t) (time / CONTROL_SECOND + end / CONTROL_SECOND);
    until.tv_nsec = (long) (end % CONTROL_SECOND);
    while (atomic_load(&control.asked) == done) {
        int result = time == 0 ? sem_wait(&control.bell)
                               : sem_clockwait(&control.bell, CLOCK_MONOTONIC, &until);
        if (result != 0 && errno == ETIMEDOUT)
            return;
    }
}

/* Begins when it is time, and ends when it is time; again and again if a signal says so. */
static void *control_run(void *user_data)
{
    const struct agent_settings *settings = control.settings;
    unsigned done = 0;
    (void) user_data;
    if (settings->delay > 0)
        gt_system_sleep(settings->delay);
    do {
        if (settings->start_on == 0)
            control_ask_next(done);
        control_wait(0, done);
        done++;
        if (!control_start())
            break;
        if (settings->duration == 0 && settings->stop_on == 0)
            break;
        control_wait(settings->duration, done);
        control_ask_next(done);
        done++;
        pthread_mutex_lock(&control.lock);
        control_stop();
        pthread_mutex_unlock(&control.lock);
    } while (settings->start_on != 0);
    /* There is nothing to record any more, or everything to the end. */
    if (!control.is_recording)
        gt_atomic_set(&agent_kinds, 0);
    return NULL;
}

/* Whatever the program does with its signals, this thread has none. */
static bool control_run_thread(void)
{
    pthread_t thread;
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool is_good = sem_init(&control.bell, 0, 0) == 0;
    int failure = errno;
    if (is_good) {
        failure = pthread_create(&thread, NULL, control_run, NULL);
        is_good = failure == 0;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (is_good)
        pthread_detach(thread);
    else
        agent_report_failure(control.settings, "recording", strerror(failure));
    return is_good;
}

static void control_signal(int number)
{
    int error = errno, held = gt_system_hold_cancel();
    const struct agent_settings *settings = control.settings;
    if (number == settings->dump_on && agent_recorder)
        gt_recorder_window_request(agent_recorder);
    if (number == settings->start_on || number == settings->stop_on) {
        control_ask(number == settings->start_on);
        sem_post(&control.bell);
    }
    gt_system_release_cancel(held);
    errno = error;
}

/* Signals are taken one after the other, as they come. */
static void control_take_signal(int number)
{
    struct sigaction action;
    if (number == 0)
        return;
    memset(&action, 0, sizeof(action));
    sigfillset(&action.sa_mask);
    action.sa_handler = control_signal;
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, NULL);
}

bool agent_control_begin(const struct agent_settings *settings)
{
    control.settings = settings;
    bool has_thread = settings->delay > 0 || settings->duration > 0 || settings->start_on != 0 ||
                      settings->stop_on != 0;
    bool is_good = has_thread ? control_run_thread() : control_start();
    if (settings->is_flight)
        control_take_signal(settings->dump_on);
    control_take_signal(settings->start_on);
    control_take_signal(settings->stop_on);
    return is_good;
}

void agent_control_end(void)
{
    pthread_mutex_lock(&control.lock);
    control.is_over = true;
    control_stop();
    pthread_mutex_unlock(&control.lock);
}

void agent_control_forget(void)
{
    static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
    control.lock = unlocked;
    control.dump_lock = unlocked;
    control.is_recording = control.is_over = false;
    int fd = agent_descriptor_release();
    if (fd >= 0)
        close(fd);
    control.output.fd = -1;
    atomic_store(&control.asked, 0);
}
