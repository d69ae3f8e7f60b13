/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * gt_reader_options.execute: threads of the host read generations, and whatever the host does with
 * the jobs, a reader gives the same.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "support/digest.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"

#ifndef LIBRARY_HAS_THREADS
#define LIBRARY_HAS_THREADS 1
#endif

enum {
    JOBS_MAX = 256,
    POOL_THREADS = 3,
    /* More than these threads, so that jobs wait in the queue, too. */
    WORKERS = 5
};

struct job {
    gt_job_fn run;
    void *data;
};

/* A host with threads that run jobs in their order, as soon as `is_open` is set. */
struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t threads[POOL_THREADS];
    unsigned thread_count;
    struct job jobs[JOBS_MAX];
    unsigned added, taken;
    unsigned running, most_running;
    bool is_open;
    bool is_ending;
};

static void *pool_work(void *data)
{
    struct pool *pool = data;
    pthread_mutex_lock(&pool->lock);
    while (!pool->is_ending || pool->taken < pool->added) {
        if (!pool->is_open || pool->taken == pool->added) {
            pthread_cond_wait(&pool->changed, &pool->lock);
            continue;
        }
        struct job job = pool->jobs[pool->taken++];
        pool->running++;
        if (pool->running > pool->most_running)
            pool->most_running = pool->running;
        pthread_mutex_unlock(&pool->lock);
        job.run(job.data);
        pthread_mutex_lock(&pool->lock);
        pool->running--;
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void pool_start(struct pool *pool, unsigned threads, bool is_open)
{
    *pool = (struct pool){.is_open = is_open};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    for (; pool->thread_count < threads; pool->thread_count++)
        assert_int_equal(pthread_create(&pool->threads[pool->thread_count], NULL, pool_work, pool),
                         0);
}

static void pool_open(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->is_open = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

static void pool_end(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->is_ending = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->thread_count; i++)
        assert_int_equal(pthread_join(pool->threads[i], NULL), 0);
    assert_int_equal(pool->taken, pool->added);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
}

static int pool_add(void *user_data, gt_job_fn run, void *job)
{
    struct pool *pool = user_data;
    pthread_mutex_lock(&pool->lock);
    bool has_room = pool->added < JOBS_MAX;
    if (has_room)
        pool->jobs[pool->added++] = (struct job){run, job};
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    return has_room ? 0 : -1;
}

/* A trace of several generations, and what a reader without threads makes of it. */
struct sample {
    struct wire wire;
    struct digest plain;
};

static int sample_make(void **state)
{
    static struct sample sample;
    sample_trace(&sample.wire, 26, 6, 20000);
    digest_memory(&sample.plain, sample.wire.data, sample.wire.size, NULL);
    *state = &sample;
    return 0;
}

static int sample_free(void **state)
{
    struct sample *sample = *state;
    digest_free(&sample->plain);
    wire_free(&sample->wire);
    return 0;
}

static gt_reader *sample_open(const struct sample *sample, gt_execute_fn execute, void *data)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    options.workers = WORKERS;
    options.execute = execute;
    options.execute_data = data;
    assert_status(
        gt_reader_open_memory(&reader, sample->wire.data, sample->wire.size, &options, NULL),
        GT_OK);
    return reader;
}

/* Reads the whole sample and compares; the reader is closed. */
static void check(const struct sample *sample, gt_execute_fn execute, void *data)
{
    gt_reader *reader = sample_open(sample, execute, data);
    struct digest digest = {0};
    digest.error = (gt_error) GT_ERROR_INIT;
    digest_read(&digest, &reader);
    digest_assert_equal(&digest, &sample->plain);
    digest_free(&digest);
}

static void test_threads_of_the_host_read_the_same(void **state)
{
    for (unsigned threads = 1; threads <= POOL_THREADS; threads++) {
        struct pool pool;
        pool_start(&pool, threads, true);
        check(*state, pool_add, &pool);
        pool_end(&pool);
        assert_int_equal(pool.taken > 0, LIBRARY_HAS_THREADS);
        assert_int_equal(pool.running, 0);
    }
}

static void test_no_more_jobs_than_workers_run_at_once(void **state)
{
    struct pool pool;
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    const struct sample *sample = *state;
    struct digest digest = {0};
    pool_start(&pool, POOL_THREADS, true);
    options.workers = 1;
    options.execute = pool_add;
    options.execute_data = &pool;
    digest.error = (gt_error) GT_ERROR_INIT;
    digest_memory(&digest, sample->wire.data, sample->wire.size, &options);
    digest_assert_equal(&digest, &sample->plain);
    digest_free(&digest);
    pool_end(&pool);
    assert_int_equal(pool.most_running, LIBRARY_HAS_THREADS);
}

static int refuse(void *user_data, gt_job_fn run, void *job)
{
    unsigned *calls = user_data;
    (void) run;
    (void) job;
    ++*calls;
    return -1;
}

static void test_host_may_refuse_all_jobs(void **state)
{
    unsigned calls = 0;
    check(*state, refuse, &calls);
    assert_int_equal(calls > 0, LIBRARY_HAS_THREADS);
}

static int refuse_every_other(void *user_data, gt_job_fn run, void *job)
{
    struct pool *pool = user_data;
    static unsigned turn;
    return ++turn % 2 ? -1 : pool_add(pool, run, job);
}

static void test_host_may_refuse_some_jobs(void **state)
{
    struct pool pool;
    pool_start(&pool, POOL_THREADS, true);
    check(*state, refuse_every_other, &pool);
    pool_end(&pool);
}

static int run_at_once(void *user_data, gt_job_fn run, void *job)
{
    unsigned *calls = user_data;
    ++*calls;
    run(job);
    return 0;
}

/* This is not allowed, but must neither hang nor change what is read. */
static void test_job_that_runs_in_the_thread_of_the_reader_does_nothing(void **state)
{
    unsigned calls = 0;
    check(*state, run_at_once, &calls);
    assert_int_equal(calls, LIBRARY_HAS_THREADS);
}

/*
 * The host may have ended the allocator, or use it in another thread: late jobs leave it alone. The
 * limit of memory nevertheless counts what they have.
 */
static void test_jobs_that_run_after_the_reader_was_closed_do_nothing(void **state)
{
    struct pool pool;
    struct probe probe;
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader *reader;
    const gt_event *event;
    gt_status status;
    uint64_t count = 0;
    const struct sample *sample = *state;
    pool_start(&pool, 1, false);
    probe_init(&probe);
    options.allocator = &probe.allocator;
    options.workers = WORKERS;
    options.execute = pool_add;
    options.execute_data = &pool;
    assert_status(
        gt_reader_open_memory(&reader, sample->wire.data, sample->wire.size, &options, NULL),
        GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        count++;
    assert_status(status, GT_END);
    assert_int_equal(count, sample->plain.count);
    assert_int_equal(pool.added, LIBRARY_HAS_THREADS * WORKERS);
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    assert_int_equal(info.memory > probe.live_bytes, LIBRARY_HAS_THREADS);
    gt_reader_close(&reader);
    probe_check(&probe);
    pool_open(&pool);
    pool_end(&pool);
    probe_check(&probe);
}

static void test_reader_can_be_closed_anywhere(void **state)
{
    for (unsigned stop = 0; stop < 110000; stop = stop * 3 + 1) {
        struct pool pool;
        const gt_event *event;
        pool_start(&pool, POOL_THREADS, true);
        gt_reader *reader = sample_open(*state, pool_add, &pool);
        for (unsigned i = 0; i < stop; i++)
            assert_status(gt_reader_next_event(reader, &event), GT_OK);
        gt_reader_close(&reader);
        pool_end(&pool);
    }
}

/* Reads all events of a reader, which is then at the end of the trace, and closes it. */
static void read_and_close(void *data)
{
    gt_reader *reader = data;
    const gt_event *event;
    gt_status status;
    do
        status = gt_reader_next_event(reader, &event);
    while (status == GT_OK);
    assert_status(status, GT_END);
    gt_reader_close(&reader);
}

/* The only thread of a pool uses the reader, so it cannot run the reader's jobs meanwhile. */
static void test_reader_is_used_and_closed_in_the_only_thread_of_a_pool(void **state)
{
    struct pool pool;
    pool_start(&pool, 1, true);
    assert_int_equal(pool_add(&pool, read_and_close, sample_open(*state, pool_add, &pool)), 0);
    pool_end(&pool);
}

/* Whichever allocation fails, nothing leaks, and no event is lost but those after the failure. */
static void test_failed_allocations_lose_nothing_but_the_rest(void **state)
{
    const struct sample *sample = *state;
    uint64_t calls = 1;
    for (uint64_t at = 1; at <= calls; at++) {
        gt_reader_options options = GT_READER_OPTIONS_INIT;
        struct digest digest = {0};
        struct probe probe;
        gt_reader *reader;
        unsigned refused = 0;
        probe_init(&probe);
        probe.fail_at = at;
        options.allocator = &probe.allocator;
        options.workers = WORKERS;
        options.execute = refuse;
        options.execute_data = &refused;
        digest.error = (gt_error) GT_ERROR_INIT;
        digest.status =
            gt_reader_open_memory(&reader, sample->wire.data, sample->wire.size, &options, NULL);
        if (digest.status == GT_OK)
            digest_read(&digest, &reader);
        if (digest.status == GT_END)
            digest_assert_equal(&digest, &sample->plain);
        else
            assert_status(digest.status, GT_ERR_NO_MEMORY);
        digest_free(&digest);
        probe_check(&probe);
        calls = probe.calls < 60 ? probe.calls : 60; /* the rest is the same without a host */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_of_the_host_read_the_same),
        cmocka_unit_test(test_no_more_jobs_than_workers_run_at_once),
        cmocka_unit_test(test_host_may_refuse_all_jobs),
        cmocka_unit_test(test_host_may_refuse_some_jobs),
        cmocka_unit_test(test_job_that_runs_in_the_thread_of_the_reader_does_nothing),
        cmocka_unit_test(test_jobs_that_run_after_the_reader_was_closed_do_nothing),
        cmocka_unit_test(test_reader_can_be_closed_anywhere),
        cmocka_unit_test(test_reader_is_used_and_closed_in_the_only_thread_of_a_pool),
        cmocka_unit_test(test_failed_allocations_lose_nothing_but_the_rest),
    };
    return cmocka_run_group_tests(tests, sample_make, sample_free);
}
