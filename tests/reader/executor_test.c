/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * gt_reader_options.execute: threads of the host read generations, and whatever the host does with
 * the jobs, a reader gives the same.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "support/digest.h"
#include "support/sample.h"
#include "support/test.h"

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
        assert_true(pool.taken > 0);
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
    assert_int_equal(pool.most_running, 1);
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
    assert_true(calls > 0);
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
    assert_int_equal(calls, 1);
}

static void test_jobs_that_run_only_when_the_reader_is_closed_do_no_harm(void **state)
{
    struct pool pool;
    const gt_event *event;
    gt_status status;
    uint64_t count = 0;
    const struct sample *sample = *state;
    pool_start(&pool, 1, false);
    gt_reader *reader = sample_open(sample, pool_add, &pool);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        count++;
    assert_status(status, GT_END);
    assert_int_equal(count, sample->plain.count);
    assert_int_equal(pool.added, WORKERS);
    pool_open(&pool);
    gt_reader_close(&reader);
    pool_end(&pool);
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

static void read_all(void *reader)
{
    const gt_event *event;
    while (gt_reader_next_event(reader, &event) == GT_OK)
        continue;
}

/* The only thread of a pool uses the reader, so it cannot run the reader's jobs meanwhile. */
static void test_reader_makes_progress_in_the_only_thread_of_a_pool(void **state)
{
    struct pool pool;
    const gt_event *event;
    pool_start(&pool, 1, true);
    gt_reader *reader = sample_open(*state, pool_add, &pool);
    assert_int_equal(pool_add(&pool, read_all, reader), 0);
    pool_end(&pool);
    assert_status(gt_reader_next_event(reader, &event), GT_END);
    gt_reader_close(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_of_the_host_read_the_same),
        cmocka_unit_test(test_no_more_jobs_than_workers_run_at_once),
        cmocka_unit_test(test_host_may_refuse_all_jobs),
        cmocka_unit_test(test_host_may_refuse_some_jobs),
        cmocka_unit_test(test_job_that_runs_in_the_thread_of_the_reader_does_nothing),
        cmocka_unit_test(test_jobs_that_run_only_when_the_reader_is_closed_do_no_harm),
        cmocka_unit_test(test_reader_can_be_closed_anywhere),
        cmocka_unit_test(test_reader_makes_progress_in_the_only_thread_of_a_pool),
    };
    return cmocka_run_group_tests(tests, sample_make, sample_free);
}
