/* SPDX-License-Identifier: BSD-3-Clause */

/* Samples by timers of the processor time of threads, and what they do to the program's signals. */

/* For syscall. */
#define _DEFAULT_SOURCE

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "recorder/recorded.h"
#include "support/test.h"

#ifdef __linux__
#define HAS_TIMERS true
#else
#define HAS_TIMERS false
#endif

#define MILLISECOND UINT64_C(1000000)

static volatile uint64_t burnt;

static uint64_t used_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t) now.tv_sec * 1000 * MILLISECOND + (uint64_t) now.tv_nsec;
}

/* Takes so much processor time. */
NOT_INLINED static void burn(uint64_t time)
{
    uint64_t end = used_time() + time;
    while (used_time() < end) {
        for (unsigned i = 0; i < 10000; i++)
            burnt += i;
    }
}

static gt_recorder *open_recorder(uint64_t sample_hz)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_recorder *recorder;
    options.flags = GT_RECORDER_NO_THREAD | GT_RECORDER_IMPLICIT;
    options.sample_hz = sample_hz;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_OK);
    return recorder;
}

/* Returns how many samples the trace has of a thread, or with 0 of all. */
static uint64_t count_samples(const struct recorded *trace, uint64_t thread)
{
    const gt_event *event;
    uint64_t count = 0;
    gt_reader *reader = recorded_open(trace);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        count += event->kind == GT_EVENT_STACK_SAMPLE &&
                 (thread == 0 || (uint64_t) event->thread == thread);
    gt_reader_close(&reader);
    return count;
}

static uint64_t stop(gt_recorder *recorder, struct recorded *trace)
{
    assert_status(gt_recorder_stop(recorder, NULL), GT_OK);
    recorded_check_by_peer(trace);
    return count_samples(trace, 0);
}

static bool has_pending_signal(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGPROF);
}

static void block_signal(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    assert_int_equal(pthread_sigmask(how, &set, NULL), 0);
}

/* What a thread does: it burns, and waits until it may end. */
struct worker {
    pthread_t thread;
    gt_recorder *recorder;
    uint64_t time;
    uint64_t used, id;
    sem_t done, end;
};

static void *worker_run(void *argument)
{
    struct worker *worker = argument;
    gt_rec_thread *thread;
    if (gt_rec_thread_attach(worker->recorder, &thread) != GT_OK)
        abort();
    uint64_t before = used_time();
    if (worker->time > 0)
        burn(worker->time);
    worker->used = used_time() - before;
    worker->id = (uint64_t) syscall(SYS_gettid);
    sem_post(&worker->done);
    sem_wait(&worker->end);
    gt_rec_thread_detach(&thread);
    return NULL;
}

static void worker_start(struct worker *worker, gt_recorder *recorder, uint64_t time)
{
    worker->recorder = recorder;
    worker->time = time;
    sem_init(&worker->done, 0, 0);
    sem_init(&worker->end, 0, 0);
    assert_int_equal(pthread_create(&worker->thread, NULL, worker_run, worker), 0);
}

static void worker_end(struct worker *worker)
{
    sem_post(&worker->end);
    pthread_join(worker->thread, NULL);
    sem_destroy(&worker->done);
    sem_destroy(&worker->end);
}

/* The kernel may take a tick for the end of a timer, but not more often than the timer says. */
static void a_thread_has_samples_for_the_time_that_it_works(void **state)
{
    (void) state;
    struct recorded trace = {0};
    struct worker busy, idle;
    gt_recorder *recorder = open_recorder(100);
    assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
    worker_start(&busy, recorder, 400 * MILLISECOND);
    worker_start(&idle, recorder, 0);
    sem_wait(&busy.done);
    sem_wait(&idle.done);
    worker_end(&busy);
    worker_end(&idle);
    stop(recorder, &trace);
    uint64_t most = busy.used / (10 * MILLISECOND) + 1;
    uint64_t taken = count_samples(&trace, busy.id);
    assert_true(taken <= most);
    assert_true(taken >= most / 4);
    assert_true(count_samples(&trace, idle.id) <= 1);
    assert_int_equal(recorded_lost_samples(recorder), 0);
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

/* Takes samples of a deep stack. */
NOT_INLINED static void sample_deep(gt_rec_thread *thread, unsigned depth, unsigned samples)
{
    if (depth > 0)
        sample_deep(thread, depth - 1, samples);
    for (unsigned i = 0; depth == 0 && i < samples; i++)
        gt_rec_sample(thread, NULL);
    burnt++;
}

static void a_thread_that_always_works_has_room_for_its_samples(void **state)
{
    (void) state;
    struct recorded trace = {0};
    gt_rec_thread *thread;
    gt_recorder *recorder = open_recorder(100);
    assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
    block_signal(SIG_BLOCK);
    assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
    sample_deep(thread, 40, 100);
    assert_int_equal(recorded_lost_samples(recorder), 0);
    assert_int_equal(stop(recorder, &trace), 100);
    block_signal(SIG_UNBLOCK);
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

static void timers_run_only_while_something_is_recorded(void **state)
{
    (void) state;
    struct recorded trace = {0};
    gt_rec_thread *thread;
    gt_recorder *recorder = open_recorder(1000);
    assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
    block_signal(SIG_BLOCK);
    burn(50 * MILLISECOND);
    assert_false(has_pending_signal());
    for (unsigned i = 0; i < 2; i++) {
        assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
        burn(50 * MILLISECOND);
        assert_true(has_pending_signal());
        block_signal(SIG_UNBLOCK);
        block_signal(SIG_BLOCK);
        assert_true(stop(recorder, &trace) > 0);
        recorded_free(&trace);
        burn(50 * MILLISECOND);
        assert_false(has_pending_signal());
    }
    assert_status(gt_recorder_window_start(recorder, NULL, NULL), GT_OK);
    burn(50 * MILLISECOND);
    assert_true(has_pending_signal());
    block_signal(SIG_UNBLOCK);
    assert_status(gt_recorder_window_write(recorder, recorded_write, &trace, NULL), GT_OK);
    assert_true(count_samples(&trace, 0) > 0);
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

/* A stream that fails ends the recording, with which the timers stop. */
static void timers_stop_when_writing_fails(void **state)
{
    (void) state;
    struct recorded trace = {.fail_at = 2};
    gt_rec_thread *thread;
    gt_recorder *recorder = open_recorder(1000);
    assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
    assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
    assert_status(gt_recorder_advance(recorder), GT_ERR_IO);
    block_signal(SIG_BLOCK);
    burn(50 * MILLISECOND);
    assert_false(has_pending_signal());
    block_signal(SIG_UNBLOCK);
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

/* The signal of a timer waits for a thread while its recorder, and all that it had, goes away. The
 * timer is gone, too. */
static void a_signal_that_comes_late_does_no_harm(void **state)
{
    (void) state;
    struct recorded trace = {0};
    gt_rec_thread *thread;
    for (unsigned i = 0; i < 2; i++) {
        gt_recorder *recorder = open_recorder(1000);
        assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
        assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
        block_signal(SIG_BLOCK);
        burn(20 * MILLISECOND);
        assert_true(has_pending_signal());
        if (i == 0)
            gt_rec_thread_detach(&thread);
        else
            gt_recorder_close(&recorder);
        block_signal(SIG_UNBLOCK);
        block_signal(SIG_BLOCK);
        burn(20 * MILLISECOND);
        assert_false(has_pending_signal());
        block_signal(SIG_UNBLOCK);
        gt_recorder_close(&recorder);
        recorded_free(&trace);
    }
}

static atomic_uint own_signals;

static void count_own_signal(int number)
{
    (void) number;
    own_signals++;
}

static void count_own_signal_with_info(int number, siginfo_t *info, void *context)
{
    (void) context;
    if (info->si_signo == number)
        own_signals += 10;
}

static void set_handler(void (*handler)(int), void (*with_info)(int, siginfo_t *, void *))
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    if (with_info) {
        action.sa_sigaction = with_info;
        action.sa_flags = SA_SIGINFO;
    } else {
        action.sa_handler = handler;
    }
    assert_int_equal(sigaction(SIGPROF, &action, NULL), 0);
}

static void (*present_handler(void))(int)
{
    struct sigaction action;
    assert_int_equal(sigaction(SIGPROF, NULL, &action), 0);
    return action.sa_handler;
}

static void the_handler_of_the_program_gets_its_own_signals(void **state)
{
    (void) state;
    struct recorded trace = {0};
    gt_rec_thread *thread;
    own_signals = 0;
    set_handler(count_own_signal, NULL);
    gt_recorder *recorder = open_recorder(1000), *other = open_recorder(1000);
    assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
    assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
    burn(20 * MILLISECOND);
    assert_int_equal(own_signals, 0);
    raise(SIGPROF);
    assert_int_equal(own_signals, 1);
    assert_true(stop(recorder, &trace) > 0);
    gt_recorder_close(&other);
    raise(SIGPROF);
    assert_int_equal(own_signals, 2);
    gt_recorder_close(&recorder);
    assert_ptr_equal(present_handler(), count_own_signal);
    set_handler(NULL, count_own_signal_with_info);
    recorder = open_recorder(1000);
    raise(SIGPROF);
    assert_int_equal(own_signals, 12);
    set_handler(SIG_IGN, NULL);
    gt_recorder_close(&recorder);
    assert_ptr_equal(present_handler(), SIG_IGN);
    recorder = open_recorder(1000);
    raise(SIGPROF);
    gt_recorder_close(&recorder);
    assert_ptr_equal(present_handler(), SIG_IGN);
    set_handler(SIG_DFL, NULL);
    recorded_free(&trace);
}

/* Without the recorder it would end the process, too. */
static void a_signal_of_the_program_that_nothing_handles_ends_the_process(void **state)
{
    (void) state;
    int status;
    set_handler(SIG_DFL, NULL);
    gt_recorder *recorder = open_recorder(100);
    pid_t child = fork();
    if (child == 0) {
        raise(SIGPROF);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF);
    gt_recorder_close(&recorder);
    assert_ptr_equal(present_handler(), SIG_DFL);
}

/* In a child there are no timers of the parent; the child has its own. */
static void child_run(gt_recorder *parents)
{
    struct recorded trace = {0};
    gt_rec_thread *thread;
    burn(20 * MILLISECOND);
    gt_recorder_close(&parents);
    gt_recorder *recorder = open_recorder(1000);
    assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
    assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
    burn(20 * MILLISECOND);
    assert_status(gt_recorder_stop(recorder, NULL), GT_OK);
    bool has_samples = count_samples(&trace, 0) > 0;
    gt_recorder_close(&recorder);
    _exit(has_samples && present_handler() == SIG_DFL ? 0 : 1);
}

static void a_child_takes_samples_with_its_own_recorder(void **state)
{
    (void) state;
    struct recorded trace = {0};
    gt_rec_thread *thread;
    int status;
    gt_recorder *recorder = open_recorder(1000);
    assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
    assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
    pid_t child = fork();
    if (child == 0)
        child_run(recorder);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    burn(20 * MILLISECOND);
    assert_true(stop(recorder, &trace) > 0);
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

static void too_many_recorders_with_samples_are_refused(void **state)
{
    (void) state;

    enum {
        MOST = 16
    };

    gt_recorder *recorders[MOST], *more;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    for (unsigned i = 0; i < MOST; i++)
        recorders[i] = open_recorder(1);
    options.sample_hz = 1;
    assert_status(gt_recorder_open(&more, &options, &error), GT_ERR_LIMIT);
    assert_null(more);
    assert_non_null(strstr(error.message, "sample_hz"));
    gt_recorder_close(&recorders[3]);
    assert_status(gt_recorder_open(&recorders[3], &options, &error), GT_OK);
    for (unsigned i = 0; i < MOST; i++)
        gt_recorder_close(&recorders[i]);
    options.sample_hz = GT_REC_SAMPLE_HZ_MAX + 1;
    assert_status(gt_recorder_open(&more, &options, &error), GT_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "sample_hz"));
}

static atomic_bool stress_is_over;

/* Attaches and detaches again and again, and works between. */
static void *stress_run(void *argument)
{
    gt_recorder *recorder = argument;
    gt_rec_thread *thread;
    while (!stress_is_over) {
        if (gt_rec_thread_attach(recorder, &thread) != GT_OK)
            abort();
        burn(3 * MILLISECOND);
        if (gt_rec_go_block(thread, GT_REC_SYNC) != GT_OK || gt_rec_go_resume(thread) != GT_OK)
            abort();
        gt_rec_thread_detach(&thread);
    }
    return NULL;
}

static void threads_come_and_go_while_recording_starts_and_stops(void **state)
{
    (void) state;

    enum {
        THREADS = 4
    };

    pthread_t threads[THREADS];
    gt_recorder *recorder = open_recorder(1000);
    uint64_t samples = 0;
    stress_is_over = false;
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, stress_run, recorder), 0);
    for (unsigned i = 0; i < 20; i++) {
        struct recorded trace = {0};
        assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
        for (unsigned j = 0; j < 3; j++) {
            struct timespec pause = {0, 5 * MILLISECOND};
            nanosleep(&pause, NULL);
            assert_status(gt_recorder_advance(recorder), GT_OK);
        }
        assert_status(gt_recorder_stop(recorder, NULL), GT_OK);
        recorded_check(&trace);
        samples += count_samples(&trace, 0);
        recorded_free(&trace);
    }
    stress_is_over = true;
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_true(samples > 0);
    gt_recorder_close(&recorder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_has_samples_for_the_time_that_it_works),
        cmocka_unit_test(a_thread_that_always_works_has_room_for_its_samples),
        cmocka_unit_test(timers_run_only_while_something_is_recorded),
        cmocka_unit_test(timers_stop_when_writing_fails),
        cmocka_unit_test(a_signal_that_comes_late_does_no_harm),
        cmocka_unit_test(the_handler_of_the_program_gets_its_own_signals),
        cmocka_unit_test(a_signal_of_the_program_that_nothing_handles_ends_the_process),
        cmocka_unit_test(a_child_takes_samples_with_its_own_recorder),
        cmocka_unit_test(too_many_recorders_with_samples_are_refused),
        cmocka_unit_test(threads_come_and_go_while_recording_starts_and_stops),
    };
    if (!HAS_TIMERS) {
        puts("skipped: the system has no timers that send signals to threads");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
