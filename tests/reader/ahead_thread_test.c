/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The worker thread of a reader with GT_READER_AHEAD: when it starts, that it ends with the reader
 * in whatever state it is, what it does not touch, and how reading works where there is none.
 */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"

/* The worker thread starts after more than ALONE events, and has started after BY. */
#define ALONE 300
#define BY    600

/* The least memory that the worker thread takes. */
#define RING_BYTES 200000

static void nap(long microseconds)
{
    const struct timespec duration = {0, 1000 * microseconds};
    nanosleep(&duration, NULL);
}

/* An allocator that records which threads call it, and whether two of them do so at once. */
struct watch {
    gt_allocator allocator;
    struct probe probe;
    pthread_t thread;
    atomic_int inside;
    size_t overlaps;
    size_t others;
};

static void enter(struct watch *watch)
{
    watch->overlaps += atomic_fetch_add(&watch->inside, 1) != 0;
    watch->others += !pthread_equal(watch->thread, pthread_self());
    sched_yield();
}

static void leave(struct watch *watch)
{
    atomic_fetch_sub(&watch->inside, 1);
}

static void *watch_allocate(void *context, size_t bytes)
{
    struct watch *watch = context;
    void *block;
    enter(watch);
    block = watch->probe.allocator.allocate(&watch->probe, bytes);
    leave(watch);
    return block;
}

static void *watch_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    struct watch *watch = context;
    void *moved;
    enter(watch);
    moved = watch->probe.allocator.reallocate(&watch->probe, block, old_bytes, bytes);
    leave(watch);
    return moved;
}

static void watch_release(void *context, void *block, size_t bytes)
{
    struct watch *watch = context;
    enter(watch);
    watch->probe.allocator.release(&watch->probe, block, bytes);
    leave(watch);
}

static void watch_init(struct watch *watch)
{
    memset(watch, 0, sizeof(*watch));
    probe_init(&watch->probe);
    watch->thread = pthread_self();
    watch->allocator.size = sizeof(watch->allocator);
    watch->allocator.context = watch;
    watch->allocator.allocate = watch_allocate;
    watch->allocator.reallocate = watch_reallocate;
    watch->allocator.release = watch_release;
}

static void watch_check(const struct watch *watch)
{
    probe_check(&watch->probe);
    assert_int_equal(watch->overlaps, 0);
}

/* New goroutines, tasks and ranges all the time, so that both threads allocate. */
static void write_new(struct wire *wire, unsigned count)
{
    wire_begin(wire, 26);
    wire_sync(wire, 1, 1, WIRE_NANOSECONDS);
    wire_batch(wire, 1, 5, 10);
    wire_running(wire, 5, 0, 1);
    for (uint64_t i = 1; i <= count; i++) {
        if (wire->size - wire->content_at > 60000)
            wire_batch(wire, 1, 5, 10000000 + i);
        WIRE_EVENT(wire, EV_GO_CREATE, 1, 100 * i, 1 + i % 500, 0);
        WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, 100 * i, 0, 0, 1 + i % 500);
        /* Nothing created it. */
        if (i % 500 == 0)
            WIRE_EVENT(wire, EV_GO_UNBLOCK, 1, 100 * i + 1, 1, 0);
    }
    wire_stacks(wire, 1);
    for (uint64_t i = 1; i <= 500; i++) {
        wire_stack(wire, i, 1);
        wire_frame(wire, i, 0, 0, i);
    }
    wire_generation_end(wire);
}

static gt_status open_trace(gt_reader **reader, const struct wire *wire, uint64_t flags,
                            const gt_allocator *allocator, uint64_t limit)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.flags = flags;
    options.allocator = allocator;
    options.memory_limit = limit;
    return gt_reader_open_memory(reader, wire->data, wire->size, &options, NULL);
}

static gt_reader_info info_of(const gt_reader *reader)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    return info;
}

static void skip_events(gt_reader *reader, size_t count)
{
    const gt_event *event;
    for (; count > 0; count--)
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
}

/*
 * Reading where no thread can be created. It runs in a process of its own, which has no memory for
 * another stack. This must be the first test, because stacks of threads that ended would be used
 * again.
 */
static int read_without_room(const struct wire *wire)
{
    struct rlimit limit = {0, 0};
    const gt_event *event;
    unsigned long pages = 0;
    size_t events = 0;
    gt_reader *reader;
    gt_reader_info info = GT_READER_INFO_INIT;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1)
        return 3;
    fclose(file);
    limit.rlim_cur = limit.rlim_max = (rlim_t) pages * (rlim_t) sysconf(_SC_PAGESIZE) + (4 << 20);
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return 3;
    if (open_trace(&reader, wire, GT_READER_AHEAD, NULL, 0) != GT_OK)
        return 4;
    while (gt_reader_next_event(reader, &event) == GT_OK)
        events++;
    if (gt_reader_get_info(reader, &info) != GT_OK || info.repairs != 0)
        return 5;
    gt_reader_close(&reader);
    /* The ring buffer was allocated, and released again. */
    return events < ALONE ? 6 : info.memory >= info.memory_peak ? 7 : 0;
}

static void test_reading_succeeds_without_a_thread(void **state)
{
    struct wire wire = {0};
    int status = 0;
    pid_t child;
    (void) state;
    /* The memory that sanitizers map cannot be predicted. */
    if (TEST_SANITIZED)
        skip();
    sample_trace(&wire, 26, 2, 3000);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(read_without_room(&wire));
    assert_int_equal(waitpid(child, &status, 0), child);
    wire_free(&wire);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 3)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* The worker thread starts only after many events, so that short traces have none. */
static void test_worker_starts_after_many_events(void **state)
{
    struct wire wire = {0};
    struct watch watch;
    gt_reader *reader;
    uint64_t before;
    (void) state;
    write_new(&wire, 8000);
    watch_init(&watch);
    assert_status(open_trace(&reader, &wire, GT_READER_AHEAD, &watch.allocator, 0), GT_OK);
    before = info_of(reader).memory;
    skip_events(reader, ALONE);
    assert_true(info_of(reader).memory < before + RING_BYTES);
    before = info_of(reader).memory;
    skip_events(reader, BY - ALONE);
    assert_true(info_of(reader).memory >= before + RING_BYTES);
    gt_reader_close(&reader);
    watch_check(&watch);
    wire_free(&wire);
}

/* Both threads allocate, but never at the same time. */
static void test_allocator_is_never_called_by_two_threads_at_once(void **state)
{
    struct wire wire = {0};
    struct digest plain, ahead;
    struct watch watch;
    gt_reader *reader;
    (void) state;
    write_new(&wire, 8000);
    assert_status(open_trace(&reader, &wire, GT_READER_LENIENT, NULL, 0), GT_OK);
    digest_read(&plain, &reader);
    watch_init(&watch);
    assert_status(
        open_trace(&reader, &wire, GT_READER_LENIENT | GT_READER_AHEAD, &watch.allocator, 0),
        GT_OK);
    digest_read(&ahead, &reader);
    digest_assert_equal(&ahead, &plain);
    assert_true(watch.others > 0);
    watch_check(&watch);
    digest_free(&plain);
    digest_free(&ahead);
    wire_free(&wire);
}

static void close_after(const struct wire *wire, size_t events, long microseconds)
{
    struct watch watch;
    gt_reader *reader;
    watch_init(&watch);
    assert_status(open_trace(&reader, wire, GT_READER_AHEAD, &watch.allocator, 0), GT_OK);
    skip_events(reader, events);
    if (microseconds)
        nap(microseconds);
    gt_reader_close(&reader);
    assert_null(reader);
    watch_check(&watch);
}

/* The worker thread is active, waits for room in the ring buffer, or has nothing to do. */
static void test_close_ends_a_worker_in_any_state(void **state)
{
    static const long naps[] = {0, 1, 50, 2000};
    struct wire v1 = {0}, v2 = {0};
    uint64_t random = 15;
    (void) state;
    sample_trace(&v2, 26, 3, 3000);
    sample_trace(&v1, 21, 1, 6000);
    for (size_t i = 0; i <= 40; i++) {
        close_after(&v2, 32 * i, naps[i % 4]);
        close_after(&v2, 32 * i + 1, naps[(i + 1) % 4]);
        close_after(&v1, 32 * i + 1, naps[(i + 2) % 4]);
        close_after(&v2, test_random(&random) % 9000, naps[(i + 3) % 4]);
        close_after(&v1, test_random(&random) % 6000, naps[i % 4]);
    }
    wire_free(&v1);
    wire_free(&v2);
}

/* What a callback has seen. */
struct seen {
    gt_reader *reader;
    pthread_t thread;
    /* The number of events that the reader had delivered by then. */
    size_t events;
    size_t count;
    size_t strayed;
    gt_status use;
};

static void on_repair(void *user_data, const gt_error *repair)
{
    struct seen *seen = user_data;
    const gt_event *event;
    (void) repair;
    seen->strayed += !pthread_equal(seen->thread, pthread_self());
    seen->count++;
    seen->use = gt_reader_next_event(seen->reader, &event);
    gt_reader_close(&seen->reader);
}

static void open_seen(struct seen *seen, const struct wire *wire, const gt_allocator *allocator)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    memset(seen, 0, sizeof(*seen));
    seen->thread = pthread_self();
    options.flags = GT_READER_LENIENT | GT_READER_AHEAD;
    options.on_repair = on_repair;
    options.repair_data = seen;
    options.allocator = allocator;
    assert_status(gt_reader_open_memory(&seen->reader, wire->data, wire->size, &options, NULL),
                  GT_OK);
}

/* A callback can neither use the reader nor close it, and reading continues. */
static void test_callback_cannot_use_or_close_the_reader(void **state)
{
    struct wire wire = {0};
    struct watch watch;
    struct seen seen;
    const gt_event *event;
    (void) state;
    write_new(&wire, 8000);
    watch_init(&watch);
    open_seen(&seen, &wire, &watch.allocator);
    while (gt_reader_next_event(seen.reader, &event) == GT_OK)
        seen.events++;
    assert_int_equal(seen.count, 16);
    assert_int_equal(info_of(seen.reader).repairs, 16);
    assert_int_equal(seen.strayed, 0);
    assert_status(seen.use, GT_ERR_INVALID_ARGUMENT);
    assert_true(seen.events > 16000);
    gt_reader_close(&seen.reader);
    assert_null(seen.reader);
    watch_check(&watch);
    wire_free(&wire);
}

/* The worker thread waits to report a repair, because the events before it were not taken. */
static void test_close_drops_an_unreported_repair(void **state)
{
    struct wire wire = {0};
    struct watch watch;
    struct seen seen;
    (void) state;
    write_new(&wire, 2000);
    for (size_t i = 0; i < 12; i++) {
        watch_init(&watch);
        open_seen(&seen, &wire, &watch.allocator);
        skip_events(seen.reader, 600 + 30 * i);
        nap(3000);
        assert_int_equal(seen.count, 0);
        assert_int_equal(info_of(seen.reader).repairs, 0);
        gt_reader_close(&seen.reader);
        assert_int_equal(seen.count, 0);
        watch_check(&watch);
    }
    wire_free(&wire);
}

/* A memory limit without room for the worker thread is enough for reading without it. */
static void test_no_worker_without_room_below_the_limit(void **state)
{
    struct wire wire = {0};
    struct digest plain, ahead;
    struct watch watch;
    gt_reader *reader;
    uint64_t limit;
    (void) state;
    sample_trace(&wire, 26, 3, 3000);
    watch_init(&watch);
    assert_status(open_trace(&reader, &wire, 0, &watch.allocator, 0), GT_OK);
    digest_read(&plain, &reader);
    limit = watch.probe.peak_bytes;
    watch_init(&watch);
    assert_status(open_trace(&reader, &wire, GT_READER_AHEAD, &watch.allocator, limit), GT_OK);
    digest_read(&ahead, &reader);
    assert_true(watch.probe.peak_bytes <= limit);
    assert_int_equal(watch.others, 0);
    watch_check(&watch);
    digest_assert_equal(&ahead, &plain);
    digest_free(&plain);
    digest_free(&ahead);
    wire_free(&wire);
}

/*
 * The events before a failure are the same as without the worker thread, and the failure is
 * reported.
 */
static uint64_t check_failure(const struct wire *wire, const struct digest *plain, uint64_t n,
                              int on)
{
    struct digest digest = {0};
    struct watch watch;
    gt_reader *reader;
    watch_init(&watch);
    watch.probe.fail_at = n;
    watch.probe.fail_on = on;
    digest.status =
        open_trace(&reader, wire, GT_READER_LENIENT | GT_READER_AHEAD, &watch.allocator, 0);
    if (digest.status == GT_OK)
        digest_read(&digest, &reader);
    if (digest.status == GT_END)
        digest_assert_equal(&digest, plain);
    else
        assert_status(digest.status, GT_ERR_NO_MEMORY);
    assert_int_equal(digest_common(&digest, plain), digest.count);
    watch_check(&watch);
    digest_free(&digest);
    return watch.probe.calls;
}

static void check_failures(const struct wire *wire)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct digest plain;
    uint64_t calls;
    options.flags = GT_READER_LENIENT;
    digest_memory(&plain, wire->data, wire->size, &options);
    assert_status(plain.status, GT_END);
    calls = check_failure(wire, &plain, 0, 0);
    assert_true(calls > 30);
    for (uint64_t n = 1; n <= calls; n++) {
        check_failure(wire, &plain, n, 0);
        check_failure(wire, &plain, n, 1);
    }
    digest_free(&plain);
}

static void test_every_failing_allocation_is_reported_in_order(void **state)
{
    struct wire wire = {0};
    (void) state;
    write_new(&wire, 2000);
    check_failures(&wire);
    sample_trace(&wire, 21, 1, 3000);
    check_failures(&wire);
    sample_trace(&wire, 26, 2, 1500);
    check_failures(&wire);
    wire_free(&wire);
}

/* The least CPU time of both threads over several readings. */
static double least_time(const struct wire *wire, uint64_t flags)
{
    double least = 1e9;
    for (int i = 0; i < 5; i++) {
        double start = test_cpu_seconds();
        const gt_event *event;
        gt_reader *reader;
        assert_status(open_trace(&reader, wire, flags, NULL, 0), GT_OK);
        while (gt_reader_next_event(reader, &event) == GT_OK)
            continue;
        gt_reader_close(&reader);
        if (test_cpu_seconds() - start < least)
            least = test_cpu_seconds() - start;
    }
    return least;
}

/* The worker thread costs little if each generation has little work for it. */
static void test_short_generations_take_at_most_twice_the_time(void **state)
{
    static const unsigned events[] = {40, 300, 700};
    /* A sanitizer makes reading ten times as slow. */
    const unsigned all = TEST_SANITIZED ? 96000 : 960000;
    (void) state;
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        struct wire wire = {0};
        double plain, ahead;
        sample_trace(&wire, 26, all / events[i], events[i]);
        plain = least_time(&wire, 0);
        ahead = least_time(&wire, GT_READER_AHEAD);
        assert_true(ahead < 2 * plain + 0.01);
        wire_free(&wire);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading_succeeds_without_a_thread),
        cmocka_unit_test(test_worker_starts_after_many_events),
        cmocka_unit_test(test_allocator_is_never_called_by_two_threads_at_once),
        cmocka_unit_test(test_close_ends_a_worker_in_any_state),
        cmocka_unit_test(test_callback_cannot_use_or_close_the_reader),
        cmocka_unit_test(test_close_drops_an_unreported_repair),
        cmocka_unit_test(test_no_worker_without_room_below_the_limit),
        cmocka_unit_test(test_every_failing_allocation_is_reported_in_order),
        cmocka_unit_test(test_short_generations_take_at_most_twice_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
