/* SPDX-License-Identifier: BSD-3-Clause */

/* Memory: the caller's allocator, its failures, and the limit. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/files.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"
#include "support/v1wire.h"

enum source {
    FROM_MEMORY,
    FROM_CALLBACK,
    FROM_FILE,
    SOURCES
};

/* One way to read one trace. */
struct setup {
    struct wire *wire;
    const char *path;
    enum source source;
    uint64_t flags;
    gt_symbolize_fn symbolize;
};

static gt_status open_source(gt_reader **reader, const struct setup *setup, struct feed *feed,
                             const gt_reader_options *options)
{
    static const size_t step = 700;
    switch (setup->source) {
    case FROM_CALLBACK:
        feed_init(feed, setup->wire->data, setup->wire->size);
        feed->steps = &step;
        feed->step_count = 1;
        return gt_reader_open_callback(reader, feed_read, feed, options, NULL);
    case FROM_FILE:
        return gt_reader_open_file(reader, setup->path, options, NULL);
    default:
        return gt_reader_open_memory(reader, setup->wire->data, setup->wire->size, options, NULL);
    }
}

/* Reads everything with `probe` as the allocator. */
static void read_probed(struct digest *digest, const struct setup *setup, struct probe *probe,
                        uint64_t limit)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    struct feed feed;
    gt_status status;
    options.flags = setup->flags;
    options.symbolize = setup->symbolize;
    options.memory_limit = limit;
    options.allocator = &probe->allocator;
    status = open_source(&reader, setup, &feed, &options);
    if (status == GT_OK) {
        digest_read(digest, &reader);
    } else {
        *digest = (struct digest){0};
        digest->status = status;
    }
}

/* Runs `check` for every source, with and without GT_READER_KEEP. */
static void for_all(unsigned version, void (*check)(const struct setup *setup))
{
    struct wire wire = {0};
    struct setup setup = {&wire, NULL, FROM_MEMORY, 0, NULL};
    char *path;
    sample_trace(&wire, version, 3, 40);
    path = files_temporary(wire.data, wire.size);
    setup.path = path;
    for (int source = 0; source < SOURCES; source++) {
        setup.source = (enum source) source;
        setup.flags = 0;
        check(&setup);
        setup.flags = GT_READER_KEEP;
        check(&setup);
    }
    remove(path);
    free(path);
    wire_free(&wire);
}

static void check_allocator(const struct setup *setup)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    const gt_event *event;
    gt_reader *reader;
    struct probe probe;
    struct feed feed;
    probe_init(&probe);
    options.flags = setup->flags;
    options.allocator = &probe.allocator;
    assert_status(open_source(&reader, setup, &feed, &options), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        assert_status(gt_reader_get_info(reader, &info), GT_OK);
        assert_int_equal(info.memory, probe.live_bytes);
        assert_int_equal(info.memory_peak, probe.peak_bytes);
    }
    gt_reader_close(&reader);
    assert_true(probe.calls > 0);
    probe_check(&probe);
}

static void test_all_memory_is_from_the_allocator(void **state)
{
    (void) state;
    for_all(5, check_allocator);
    for_all(21, check_allocator);
    for_all(23, check_allocator);
    for_all(26, check_allocator);
}

/* The allocator and the options that named it are gone after they were copied. */
static void test_allocator_is_copied(void **state)
{
    struct wire wire = {0};
    gt_reader *reader;
    struct digest digest;
    struct probe probe;
    (void) state;
    probe_init(&probe);
    sample_trace(&wire, 22, 2, 40);
    {
        gt_allocator allocator = probe.allocator;
        gt_reader_options options = GT_READER_OPTIONS_INIT;
        options.allocator = &allocator;
        assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, &options, NULL), GT_OK);
        allocator = (gt_allocator){0, NULL, NULL, NULL, NULL};
        memset(&options, 0, sizeof(options));
    }
    digest_read(&digest, &reader);
    assert_status(digest.status, GT_END);
    probe_check(&probe);
    digest_free(&digest);
    wire_free(&wire);
}

/*
 * If an allocation fails, the reader either reports that after good events, or it works without the
 * memory and delivers all events.
 */
static void check_outcome(const struct digest *digest, const struct digest *whole,
                          gt_status failure)
{
    if (digest->status == GT_END) {
        digest_assert_equal(digest, whole);
        return;
    }
    assert_status(digest->status, failure);
    assert_int_equal(digest_common(digest, whole), digest->count);
}

static void check_one_failure(const struct setup *setup, const struct digest *whole, uint64_t n,
                              int on)
{
    struct digest digest;
    struct probe probe;
    probe_init(&probe);
    probe.fail_at = n;
    probe.fail_on = on;
    read_probed(&digest, setup, &probe, 0);
    assert_true(probe.failed > 0);
    check_outcome(&digest, whole, GT_ERR_NO_MEMORY);
    probe_check(&probe);
    digest_free(&digest);
}

/* Each allocation in turn fails, once, and then together with all after it. */
static void check_failures(const struct setup *setup)
{
    struct digest whole, digest;
    struct probe probe;
    uint64_t calls;
    probe_init(&probe);
    read_probed(&whole, setup, &probe, 0);
    assert_status(whole.status, GT_END);
    probe_check(&probe);
    calls = probe.calls;
    for (uint64_t n = 1; n <= calls; n++) {
        check_one_failure(setup, &whole, n, 0);
        check_one_failure(setup, &whole, n, 1);
    }
    probe_init(&probe);
    probe.fail_at = 1;
    read_probed(&digest, setup, &probe, 0);
    assert_status(digest.status, GT_ERR_NO_MEMORY);
    digest_free(&whole);
}

static void test_every_failing_allocation_is_reported_or_harmless(void **state)
{
    (void) state;
    for_all(5, check_failures);
    for_all(21, check_failures);
    for_all(23, check_failures);
    for_all(26, check_failures);
}

/* So many objects of every kind that each kind needs more memory while reading. */
static void write_many(struct wire *wire, uint64_t n)
{
    wire_begin(wire, 26);
    wire_sync(wire, 1, 1, WIRE_NANOSECONDS);
    wire_batch(wire, 1, 5, 10);
    wire_running(wire, 5, 0, 1);
    for (uint64_t i = 1; i <= n; i++) {
        WIRE_EVENT(wire, EV_GO_CREATE, 1, 100 * i, 0, 0);
        WIRE_EVENT(wire, EV_GO_STATUS, 1, 100 * i + 50, 100 * i, GO_SYSCALL);
        WIRE_EVENT(wire, EV_PROC_STATUS, 1, 100 * i, PROC_IDLE);
        WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, 100 * i, 0, i, 0);
        WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, 0, i % 8, 0);
        WIRE_EVENT(wire, EV_STW_BEGIN, 1, i, 0);
        WIRE_EVENT(wire, EV_STW_END, 1);
    }
    for (uint64_t i = 1; i <= n; i++) {
        wire_batch(wire, 1, 100 * i + 1, 9000 + i);
        WIRE_EVENT(wire, EV_GO_CREATE_SYSCALL, 1, 100 * i + 1);
    }
    wire_strings(wire, 1);
    for (uint64_t i = 1; i <= n; i++)
        wire_string_sized(wire, i, &i, sizeof(i));
    wire_generation_end(wire);
}

static void test_failing_growth_of_every_table_is_reported(void **state)
{
    struct wire wire = {0};
    const struct setup setup = {&wire, NULL, FROM_MEMORY, 0, NULL};
    (void) state;
    write_many(&wire, 70);
    check_failures(&setup);
    wire_free(&wire);
}

static void damage_cut(struct wire *wire, size_t at)
{
    wire->size = at;
}

static void damage_byte(struct wire *wire, size_t at)
{
    wire->data[at] ^= 0xff;
}

/* Overwrites up to 200 bytes with bytes that are not a record. */
static void damage_much(struct wire *wire, size_t at)
{
    size_t size = wire->size - at < 200 ? wire->size - at : 200;
    memset(wire->data + at, 0xee, size);
}

/* A part of the trace is there twice. */
static void damage_twice(struct wire *wire, size_t at)
{
    memmove(wire->data + at, wire->data + at / 2, (wire->size - at) / 2);
}

/*
 * A lenient reader that lacks memory while it searches for good data reports that, and does not
 * take it for damage.
 */
static void check_damaged(unsigned version, enum source source)
{
    static void (*const damages[])(struct wire * wire, size_t at) = {damage_cut, damage_byte,
                                                                     damage_much, damage_twice};

    enum {
        PLACES = 6
    };

    for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
        for (size_t place = 1; place < PLACES; place++) {
            struct wire wire = {0};
            const struct setup setup = {&wire, NULL, source, GT_READER_LENIENT, NULL};
            sample_trace(&wire, version, 3, 40);
            damages[i](&wire, place * wire.size / PLACES);
            check_failures(&setup);
            wire_free(&wire);
        }
    }
}

static void test_lenient_reader_reports_failing_allocations(void **state)
{
    (void) state;
    check_damaged(21, FROM_MEMORY);
    check_damaged(23, FROM_MEMORY);
    check_damaged(23, FROM_CALLBACK);
    check_damaged(26, FROM_MEMORY);
    check_damaged(26, FROM_CALLBACK);
}

/* Goroutine 1 wakes up goroutine 2 in vain, `times` times. */
static void write_futile(struct wire *wire, uint64_t times)
{
    uint64_t sequence = 2;
    v1_start(wire, 9);
    V1_EVENT(wire, V1_GO_CREATE, 1, 2, 0, 0);
    v1_batch(wire, 1, V1_TICKS + 50);
    V1_EVENT(wire, V1_PROC_START, 1, 6);
    V1_EVENT(wire, V1_GO_START, 1, 2, 1);
    V1_EVENT(wire, V1_GO_BLOCK_RECV, 1, 0);
    for (uint64_t i = 1; i <= times; i++, sequence += 2) {
        v1_batch(wire, 0, V1_TICKS + 100 * i);
        V1_EVENT(wire, V1_GO_UNBLOCK, 1, 2, sequence, 0);
        v1_batch(wire, 1, V1_TICKS + 100 * i + 10);
        V1_EVENT(wire, V1_GO_START, 1, 2, sequence + 1);
        V1_EVENT(wire, V1_FUTILE_WAKEUP, 1);
        V1_EVENT(wire, V1_GO_BLOCK_RECV, 1, 0);
    }
    V1_EVENT(wire, V1_PROC_STOP, 1);
}

static int name_even(void *user_data, gt_symbol *symbols, size_t count)
{
    (void) user_data;
    for (size_t i = 0; i < count; i++)
        if (symbols[i].address % 2 == 0)
            symbols[i].function = symbols[i].file = (gt_string){"even", 4};
    return 0;
}

/* What is searched before the first event: futile wakeups, and symbols. */
static void test_failures_before_the_first_event_are_reported(void **state)
{
    static const struct v1_frame frames[] = {{0x11, 0, 0, 0}, {0x22, 0, 0, 0}};
    struct wire wire = {0};
    struct setup setup = {&wire, NULL, FROM_MEMORY, 0, NULL};
    (void) state;
    write_futile(&wire, 300);
    check_failures(&setup);
    wire_free(&wire);
    v1_start(&wire, 5);
    for (uint64_t i = 0; i < 100; i++)
        V1_EVENT(&wire, V1_GO_CREATE, 1, 2 + i, 0x1000 + i, 1);
    v1_stack(&wire, 1, frames, 2);
    setup.symbolize = name_even;
    check_failures(&setup);
    wire_free(&wire);
}

/* Neither the caller's memory nor a mapped file counts. */
static void test_limit_is_for_own_memory(void **state)
{
    struct wire wire = {0};
    struct setup setup = {&wire, NULL, FROM_MEMORY, 0, NULL};
    struct digest digest;
    struct probe probe;
    char *path;
    (void) state;
    sample_trace(&wire, 26, 2, 200000);
    path = files_temporary(wire.data, wire.size);
    setup.path = path;
    probe_init(&probe);
    read_probed(&digest, &setup, &probe, wire.size / 10);
    assert_status(digest.status, GT_END);
    digest_free(&digest);
    setup.source = FROM_FILE;
    read_probed(&digest, &setup, &probe, wire.size / 10);
    assert_status(digest.status, GT_END);
    digest_free(&digest);
    setup.source = FROM_CALLBACK;
    read_probed(&digest, &setup, &probe, wire.size / 10);
    assert_status(digest.status, GT_ERR_LIMIT);
    digest_free(&digest);
    remove(path);
    free(path);
    wire_free(&wire);
}

/* The limit holds: the memory that is counted never exceeds it. */
static void check_limit(const struct setup *setup)
{
    struct digest whole, digest;
    struct probe probe;
    uint64_t peak;
    probe_init(&probe);
    read_probed(&whole, setup, &probe, 0);
    peak = probe.peak_bytes;
    for (uint64_t limit = peak; limit > 0; limit -= limit / 16 + 1) {
        probe_init(&probe);
        read_probed(&digest, setup, &probe, limit);
        check_outcome(&digest, &whole, limit == peak ? GT_END : GT_ERR_LIMIT);
        assert_true(probe.peak_bytes <= limit);
        probe_check(&probe);
        digest_free(&digest);
    }
    probe_init(&probe);
    read_probed(&digest, setup, &probe, 1);
    assert_status(digest.status, GT_ERR_LIMIT);
    assert_int_equal(probe.calls, 0);
    digest_free(&digest);
    digest_free(&whole);
}

static void test_memory_limit_is_never_exceeded(void **state)
{
    (void) state;
    for_all(5, check_limit);
    for_all(21, check_limit);
    for_all(23, check_limit);
    for_all(26, check_limit);
}

/* A reader that reads in pieces holds one generation at a time. */
static void test_stream_holds_one_generation_at_a_time(void **state)
{
    uint64_t peaks[2];
    (void) state;
    for (int i = 0; i < 2; i++) {
        struct wire wire = {0};
        struct setup setup = {&wire, NULL, FROM_CALLBACK, 0, NULL};
        struct digest digest;
        struct probe probe;
        sample_trace(&wire, 26, i == 0 ? 4 : 400, 2000);
        probe_init(&probe);
        read_probed(&digest, &setup, &probe, 0);
        assert_status(digest.status, GT_END);
        probe_check(&probe);
        peaks[i] = probe.peak_bytes;
        digest_free(&digest);
        wire_free(&wire);
    }
    assert_true(peaks[1] < 2 * peaks[0]);
}

/* In its steady state a reader allocates nothing for events. */
static void test_events_need_no_allocations(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct wire wire = {0};
    const gt_event *event;
    gt_reader *reader;
    struct probe probe;
    uint64_t calls;
    unsigned i;
    (void) state;
    sample_trace(&wire, 26, 1, 4000);
    probe_init(&probe);
    options.allocator = &probe.allocator;
    assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, &options, NULL), GT_OK);
    for (i = 0; i < 100; i++)
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
    calls = probe.calls;
    for (; i < 4000; i++)
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
    /* Names of tasks, regions and stops are kept: once each, and there are 20. */
    assert_true(probe.calls - calls <= 25);
    gt_reader_close(&reader);
    probe_check(&probe);
    wire_free(&wire);
}

/* An allocator that calls the reader that called it. */
struct meddler {
    struct probe probe;
    gt_allocator allocator;
    gt_reader *reader;
    unsigned calls;
};

static void meddle(struct meddler *meddler)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader = meddler->reader;
    const gt_event *event;
    if (!reader)
        return;
    meddler->calls++;
    assert_status(gt_reader_next_event(reader, &event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_error(reader, &error), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_get_info(reader, &info), GT_ERR_INVALID_ARGUMENT);
    gt_reader_close(&reader);
    assert_ptr_equal(reader, meddler->reader);
}

static void *meddle_allocate(void *context, size_t bytes)
{
    struct meddler *meddler = context;
    meddle(meddler);
    return meddler->probe.allocator.allocate(meddler->probe.allocator.context, bytes);
}

static void *meddle_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    struct meddler *meddler = context;
    const gt_allocator *own = &meddler->probe.allocator;
    meddle(meddler);
    return own->reallocate(own->context, block, old_bytes, bytes);
}

static void meddle_release(void *context, void *block, size_t bytes)
{
    struct meddler *meddler = context;
    meddler->probe.allocator.release(meddler->probe.allocator.context, block, bytes);
}

static void test_allocator_cannot_use_the_reader(void **state)
{
    struct meddler meddler = {0};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct wire wire = {0};
    struct digest digest;
    gt_reader *reader;
    (void) state;
    probe_init(&meddler.probe);
    meddler.allocator = meddler.probe.allocator;
    meddler.allocator.context = &meddler;
    meddler.allocator.allocate = meddle_allocate;
    meddler.allocator.reallocate = meddle_reallocate;
    meddler.allocator.release = meddle_release;
    options.allocator = &meddler.allocator;
    sample_trace(&wire, 26, 2, 40);
    assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, &options, NULL), GT_OK);
    meddler.reader = reader;
    digest_read(&digest, &reader);
    assert_status(digest.status, GT_END);
    assert_true(meddler.calls > 10);
    probe_check(&meddler.probe);
    digest_free(&digest);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_memory_is_from_the_allocator),
        cmocka_unit_test(test_allocator_is_copied),
        cmocka_unit_test(test_every_failing_allocation_is_reported_or_harmless),
        cmocka_unit_test(test_failing_growth_of_every_table_is_reported),
        cmocka_unit_test(test_lenient_reader_reports_failing_allocations),
        cmocka_unit_test(test_failures_before_the_first_event_are_reported),
        cmocka_unit_test(test_memory_limit_is_never_exceeded),
        cmocka_unit_test(test_limit_is_for_own_memory),
        cmocka_unit_test(test_stream_holds_one_generation_at_a_time),
        cmocka_unit_test(test_events_need_no_allocations),
        cmocka_unit_test(test_allocator_cannot_use_the_reader),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
