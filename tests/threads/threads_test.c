/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What the headers promise about threads: different objects are independent, and any thread may use
 * a finished selector. These tests compare the results of many threads with those of one; only
 * tests/gates/threads.sh finds accesses to the same memory.
 */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "support/files.h"
#include "support/sample.h"
#include "support/test.h"

#define THREADS    16
#define JOBS       64
#define PER_THREAD (JOBS / THREADS)

/* The traces of testdata, and the one that has user tasks. */
static struct job_trace *traces;
static size_t trace_count;
static const struct job_trace *tasks;

static pthread_barrier_t start;

/* Runs the jobs so that all are open at the same time. */
static void run(struct job *jobs, size_t count)
{
    size_t left = count;

    for (size_t i = 0; i < count; i++)
        job_open(&jobs[i]);
    while (left > 0) {
        left = 0;
        for (size_t i = 0; i < count; i++)
            left += jobs[i].status == GT_OK && job_step(&jobs[i]);
    }
}

static void *run_share(void *user_data)
{
    pthread_barrier_wait(&start);
    run(user_data, PER_THREAD);
    return NULL;
}

static void run_threads(struct job *jobs)
{
    pthread_t threads[THREADS];

    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_share, &jobs[i * PER_THREAD]), 0);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(pthread_barrier_destroy(&start), 0);
}

/* The jobs have not begun. */
static void check(struct job *jobs)
{
    struct job alone[JOBS];
    uint64_t events = 0;

    memcpy(alone, jobs, sizeof(alone));
    for (size_t i = 0; i < JOBS; i++) {
        alone[i].is_ahead = 0;
        run(&alone[i], 1);
    }
    run_threads(jobs);
    for (size_t i = 0; i < JOBS; i++) {
        events += jobs[i].events;
        assert_status(jobs[i].status, alone[i].status);
        assert_int_equal(jobs[i].events, alone[i].events);
        assert_int_equal(jobs[i].hash, alone[i].hash);
    }
    /* Some traces are cut off before their first event. */
    assert_true(events > 100 * JOBS);
}

/* Jobs of all kinds, on all traces. */
static void test_readers_on_many_threads_equal_one_thread(void **state)
{
    struct job jobs[JOBS] = {{0}};

    (void) state;
    for (size_t i = 0; i < JOBS; i++) {
        jobs[i].kind = (enum job_kind)(i % JOB_KINDS);
        jobs[i].trace = &traces[i * trace_count / JOBS];
        jobs[i].by_path = i % 2 != 0;
        jobs[i].is_ahead = i / JOB_KINDS % 2;
    }
    check(jobs);
}

/* All readers read the same bytes in memory, and none writes to them. */
static void test_readers_share_the_bytes_of_a_trace(void **state)
{
    struct job jobs[JOBS] = {{0}};

    (void) state;
    for (size_t i = 0; i < JOBS; i++) {
        jobs[i].kind = (enum job_kind)(i % JOB_KINDS);
        jobs[i].trace = tasks;
    }
    check(jobs);
}

/* The trace is long enough for each reader to start its own thread, in several generations. */
static void test_readers_with_their_own_threads_equal_one_thread(void **state)
{
    struct job jobs[JOBS] = {{0}};
    struct job_trace trace = {0};
    struct wire wire = {0};

    (void) state;
    sample_trace(&wire, 26, 3, 2000);
    trace.data = wire.data;
    trace.size = wire.size;
    for (size_t i = 0; i < JOBS; i++) {
        jobs[i].kind = (enum job_kind)(i % JOB_KINDS);
        jobs[i].trace = &trace;
        jobs[i].is_ahead = 1;
    }
    check(jobs);
    wire_free(&wire);
}

static gt_selector *select_task(void)
{
    gt_selector *selector;
    gt_reader *reader;
    const gt_event *event;

    assert_status(gt_selector_open(&selector, GT_SELECT_TASK, 1, NULL, NULL), GT_OK);
    assert_status(gt_reader_open_memory(&reader, tasks->data, tasks->size, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_selector_event(selector, event), GT_OK);
    gt_reader_close(&reader);
    assert_status(gt_selector_finish(selector), GT_OK);
    return selector;
}

static void test_threads_share_a_finished_selector(void **state)
{
    struct job jobs[JOBS] = {{0}};
    gt_selector *selector = select_task();

    (void) state;
    for (size_t i = 0; i < JOBS; i++) {
        jobs[i].kind = JOB_DRAW;
        jobs[i].trace = tasks;
        jobs[i].selector = selector;
    }
    check(jobs);
    gt_selector_close(&selector);
}

static void add_traces(const char *folder)
{
    struct file_list list = {0};
    char *directory = files_join(files_testdata(), folder);

    files_list(&list, directory, "", ".trace");
    traces = realloc(traces, (trace_count + list.count) * sizeof(*traces));
    assert_non_null(traces);
    for (size_t i = 0; i < list.count; i++) {
        struct job_trace *trace = &traces[trace_count++];

        trace->path = files_join(directory, list.names[i]);
        trace->data = files_read(trace->path, &trace->size);
    }
    files_list_free(&list);
    free(directory);
}

static int set_up(void **state)
{
    (void) state;
    add_traces("v1");
    add_traces("v2");
    for (size_t i = 0; i < trace_count; i++) {
        if (strstr(traces[i].path, "go1.26-tasks"))
            tasks = &traces[i];
    }
    return tasks == NULL;
}

static int tear_down(void **state)
{
    (void) state;
    for (size_t i = 0; i < trace_count; i++) {
        free(traces[i].path);
        free(traces[i].data);
    }
    free(traces);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readers_on_many_threads_equal_one_thread),
        cmocka_unit_test(test_readers_share_the_bytes_of_a_trace),
        cmocka_unit_test(test_readers_with_their_own_threads_equal_one_thread),
        cmocka_unit_test(test_threads_share_a_finished_selector),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
