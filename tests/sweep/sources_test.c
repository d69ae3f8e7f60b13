/* SPDX-License-Identifier: BSD-3-Clause */

/* Sources that misbehave at each of their reads, in every way. */

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/test.h"
#include "sweep/run.h"

#define STEP   97
#define HEADER 16

static const char *const names[] = {
    "v1/go1.19-idle.trace",
    "v2/go1.23-coro.trace",
    "v2/go1.27-coro.trace",
};
#define NAMES (sizeof(names) / sizeof(names[0]))

/* What a read does wrong. */
enum lie {
    /* Returns a failure, with various numbers. */
    LIE_NEGATIVE,
    LIE_LEAST,
    /* Returns more than was requested. */
    LIE_ONE_MORE,
    LIE_MUCH_MORE,
    /* Returns the end, although there is more. */
    LIE_END,
    LIES
};

struct liar {
    struct feed feed;
    enum lie lie;
    /* The number of the read that does it, counted from 1. */
    uint64_t at;
};

static int64_t read_or_lie(void *user_data, void *buffer, size_t capacity)
{
    struct liar *liar = user_data;

    if (liar->feed.calls + 1 != liar->at)
        return feed_read(&liar->feed, buffer, capacity);
    liar->feed.calls++;
    memset(buffer, 0xff, capacity);
    switch (liar->lie) {
    case LIE_NEGATIVE:
        return -(int64_t) capacity;
    case LIE_LEAST:
        return INT64_MIN + 1;
    case LIE_ONE_MORE:
        return (int64_t) capacity + 1;
    case LIE_MUCH_MORE:
        return INT64_MAX;
    default:
        return 0;
    }
}

static void begin(struct liar *liar, const struct trace *trace, enum lie lie, uint64_t at)
{
    static const size_t step = STEP;

    feed_init(&liar->feed, trace->data, trace->size);
    liar->feed.steps = &step;
    liar->feed.step_count = 1;
    liar->lie = lie;
    liar->at = at;
}

static void read_events(struct digest *digest, struct liar *liar)
{
    gt_reader *reader;
    gt_status status = gt_reader_open_callback(&reader, read_or_lie, liar, NULL, NULL);

    *digest = (struct digest){0};
    digest->status = status;
    if (status == GT_OK)
        digest_read(digest, &reader);
}

/* A failure is reported. An end is permanent, as if the trace ended there. */
static void check_events(const struct trace *trace, const struct digest *good, enum lie lie,
                         uint64_t at)
{
    struct digest digest, cut;
    struct liar liar;
    size_t size = (size_t) (at - 1) * STEP;

    begin(&liar, trace, lie, at);
    read_events(&digest, &liar);
    assert_int_equal(liar.feed.calls, at);
    digest_memory(&cut, trace->data, size < trace->size ? size : trace->size, NULL);
    if (lie == LIE_END) {
        assert_status(digest.status, cut.status);
        assert_int_equal(digest.count, cut.count);
        assert_int_equal(digest_common(&digest, &cut), cut.count);
    } else {
        assert_status(digest.status, GT_ERR_IO);
        assert_true(digest.count <= good->count);
        assert_true(digest_common(&digest, good) + (size_t) digest.bare_sync >= digest.count);
    }
    digest_free(&cut);
    digest_free(&digest);
}

static void test_misbehaving_source_of_events_is_reported(void **state)
{
    (void) state;
    for (size_t i = 0; i < NAMES; i++) {
        struct digest good;
        struct trace trace;
        uint64_t calls;
        struct liar liar;

        trace_load(&trace, names[i]);
        begin(&liar, &trace, LIE_END, 0);
        read_events(&good, &liar);
        assert_status(good.status, GT_END);
        calls = liar.feed.calls;
        assert_true(calls > trace.size / STEP);
        for (uint64_t at = 1; at <= calls; at++) {
            for (int lie = 0; lie < LIES; lie++)
                check_events(&trace, &good, (enum lie) lie, at);
        }
        digest_free(&good);
        trace_free(&trace);
    }
}

/* Counts the records up to the end or to the error, which must persist. */
static uint64_t count_records(struct liar *liar, gt_status *status)
{
    const gt_raw_event *event;
    gt_raw_reader *reader;
    uint64_t count = 0;

    *status = gt_raw_reader_open_callback(&reader, read_or_lie, liar, NULL, NULL);
    if (*status != GT_OK)
        return 0;
    while ((*status = gt_raw_reader_next_event(reader, &event)) == GT_OK)
        count++;
    assert_null(event);
    assert_status(gt_raw_reader_next_event(reader, &event), *status);
    gt_raw_reader_close(&reader);
    return count;
}

static void test_misbehaving_source_of_records_is_reported(void **state)
{
    (void) state;
    for (size_t i = 0; i < NAMES; i++) {
        uint64_t calls, count, whole;
        struct trace trace;
        struct liar liar;
        gt_status status;

        trace_load(&trace, names[i]);
        begin(&liar, &trace, LIE_END, 0);
        whole = count_records(&liar, &status);
        assert_status(status, GT_END);
        calls = liar.feed.calls;
        for (uint64_t at = 1; at <= calls; at++) {
            for (int lie = 0; lie < LIES; lie++) {
                begin(&liar, &trace, (enum lie) lie, at);
                count = count_records(&liar, &status);
                assert_true(count <= whole);
                assert_int_equal(liar.feed.calls, at);
                if (lie != LIE_END)
                    assert_status(status, GT_ERR_IO);
                else
                    assert_true(status != GT_ERR_IO);
            }
        }
        trace_free(&trace);
    }
}

/* A socket that holds some bytes and then fails: its peer has closed without reading a byte. */
static int open_socket(const struct trace *trace, size_t size)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(write(ends[1], trace->data, size), size);
    assert_int_equal(write(ends[0], "", 1), 1);
    close(ends[1]);
    return ends[0];
}

static void check_socket(const struct trace *trace, const struct digest *good, size_t size)
{
    gt_error error = GT_ERROR_INIT;
    struct digest digest = {0};
    gt_reader *reader;
    int fd = open_socket(trace, size);

    digest.status = gt_reader_open_fd(&reader, fd, NULL, &error);
    assert_status(digest.status, size < HEADER ? GT_ERR_IO : GT_OK);
    if (digest.status == GT_OK) {
        digest_read(&digest, &reader);
        error = digest.error;
    }
    assert_status(digest.status, GT_ERR_IO);
    assert_int_equal(error.system_error, ECONNRESET);
    assert_int_equal(error.offset, size);
    assert_true(digest_common(&digest, good) + (size_t) digest.bare_sync >= digest.count);
    digest_free(&digest);
    close(fd);
}

static void test_failing_descriptors_are_reported(void **state)
{
    (void) state;
    for (size_t i = 0; i < NAMES; i++) {
        struct digest good;
        struct trace trace;

        trace_load(&trace, names[i]);
        digest_memory(&good, trace.data, trace.size, NULL);
        for (size_t size = 0; size <= trace.size; size++)
            check_socket(&trace, &good, size);
        digest_free(&good);
        trace_free(&trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_misbehaving_source_of_events_is_reported),
        cmocka_unit_test(test_misbehaving_source_of_records_is_reported),
        cmocka_unit_test(test_failing_descriptors_are_reported),
    };

    return cmocka_run_group_tests_name("sources", tests, NULL, NULL);
}
