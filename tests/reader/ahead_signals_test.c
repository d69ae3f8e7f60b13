/* SPDX-License-Identifier: BSD-3-Clause */

/* Signals in a process whose reader has a worker thread that the program does not know of. */

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/sample.h"
#include "support/test.h"

static void nap(long microseconds)
{
    const struct timespec duration = {0, 1000 * microseconds};
    nanosleep(&duration, NULL);
}

static gt_status open_ahead(gt_reader **reader, const struct wire *wire)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.flags = GT_READER_AHEAD;
    return gt_reader_open_memory(reader, wire->data, wire->size, &options, NULL);
}

static void skip_events(gt_reader *reader, size_t count)
{
    const gt_event *event;
    for (; count > 0; count--)
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
}

static pthread_t main_thread;
static atomic_int handled, strayed;

static void on_signal(int number)
{
    (void) number;
    atomic_fetch_add(&handled, 1);
    if (!pthread_equal(main_thread, pthread_self()))
        atomic_fetch_add(&strayed, 1);
}

static void handle(int number, void (*handler)(int number))
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    assert_int_equal(sigaction(number, &action, NULL), 0);
}

/* Sends a signal that this thread blocks, so that only the worker thread could take it. */
static void send_blocked(int number, sigset_t *old)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &set, old), 0);
    atomic_store(&handled, 0);
    atomic_store(&strayed, 0);
    assert_int_equal(kill(getpid(), number), 0);
    for (int i = 0; i < 20; i++)
        nap(500);
}

/* A signal that a program waits for is not delivered to the worker thread. */
static void test_worker_takes_no_signals(void **state)
{
    struct wire wire = {0};
    gt_reader *reader;
    sigset_t old;
    (void) state;
    main_thread = pthread_self();
    handle(SIGUSR1, on_signal);
    sample_trace(&wire, 26, 1, 6000);
    assert_status(open_ahead(&reader, &wire), GT_OK);
    skip_events(reader, 2000);
    send_blocked(SIGUSR1, &old);
    assert_int_equal(atomic_load(&handled), 0);
    skip_events(reader, 3000);
    assert_int_equal(atomic_load(&handled), 0);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &old, NULL), 0);
    assert_int_equal(atomic_load(&handled), 1);
    assert_int_equal(atomic_load(&strayed), 0);
    handle(SIGUSR1, SIG_DFL);
    gt_reader_close(&reader);
    wire_free(&wire);
}

/*
 * The program's handler receives the signal of a fault in any thread, for example after a file was
 * truncated.
 */
static void test_fault_in_worker_reaches_the_handler(void **state)
{
    static const int numbers[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    struct wire wire = {0};
    gt_reader *reader;
    sigset_t old;
    (void) state;
    /* Sanitizers install handlers of their own. */
    if (TEST_SANITIZED)
        skip();
    main_thread = pthread_self();
    sample_trace(&wire, 26, 1, 6000);
    assert_status(open_ahead(&reader, &wire), GT_OK);
    skip_events(reader, 2000);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        handle(numbers[i], on_signal);
        send_blocked(numbers[i], &old);
        /* A busy machine may not let the worker run for a while. */
        for (int k = 0; k < 10000 && atomic_load(&strayed) == 0; k++)
            nap(500);
        assert_int_equal(atomic_load(&strayed), 1);
        assert_int_equal(pthread_sigmask(SIG_SETMASK, &old, NULL), 0);
        handle(numbers[i], SIG_DFL);
    }
    gt_reader_close(&reader);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worker_takes_no_signals),
        cmocka_unit_test(test_fault_in_worker_reaches_the_handler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
