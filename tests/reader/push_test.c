/* SPDX-License-Identifier: BSD-3-Clause */

/* Readers that are fed, and sources that have no bytes yet. */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/files.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* All ways of reading that differ in what they keep and when. */
static const uint64_t ways[] = {
    0,
    GT_READER_LENIENT,
    GT_READER_KEEP,
    GT_READER_AHEAD,
    GT_READER_LENIENT | GT_READER_KEEP | GT_READER_AHEAD,
};

/* Blocks move whenever they grow, so that what is still in use must not grow. */
static void expect_same(const struct feed *feed, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct digest whole, pushed;
    struct probe probe;

    options.flags = flags;
    digest_memory(&whole, feed->data, feed->size, &options);
    probe_init(&probe);
    options.allocator = &probe.allocator;
    digest_push(&pushed, feed, &options);
    probe_check(&probe);
    digest_assert_equal(&pushed, &whole);
    digest_free(&whole);
    digest_free(&pushed);
}

/* Feeds the bytes in pieces of several sizes and at once. */
static void expect_same_in_pieces(const void *data, size_t size, const size_t *steps, size_t count)
{
    for (size_t i = 0; i < COUNT(ways); i++) {
        for (size_t step = 0; step <= count; step++) {
            struct feed feed;

            feed_init(&feed, data, size);
            feed.steps = step < count ? &steps[step] : NULL;
            feed.step_count = 1;
            expect_same(&feed, ways[i]);
        }
    }
}

static void test_pieces_of_any_size_give_the_same_events(void **state)
{
    static const unsigned versions[] = {11, 21, 22, 23, 25, 26};
    static const size_t steps[] = {1, 2, 7, 97, 4096, 65536, 200000};
    (void) state;

    for (size_t i = 0; i < COUNT(versions); i++) {
        struct wire wire = {0};

        sample_trace(&wire, versions[i], 4, 300);
        expect_same_in_pieces(wire.data, wire.size, steps, COUNT(steps));
        wire_free(&wire);
    }
}

/* The bytes of a generation do not fit where its first ones are. */
static void test_large_generations_are_the_same_in_pieces(void **state)
{
    static const unsigned versions[] = {19, 26};
    static const size_t steps[] = {5000, 65536};
    (void) state;

    for (size_t i = 0; i < COUNT(versions); i++) {
        struct wire wire = {0};

        sample_trace(&wire, versions[i], 2, 60000);
        assert_true(wire.size > 500000);
        expect_same_in_pieces(wire.data, wire.size, steps, COUNT(steps));
        wire_free(&wire);
    }
}

/* Pieces straddle batches in every way. */
static void test_recorded_traces_are_the_same_in_pieces(void **state)
{
    static const char *const names[] = {"v1/go1.19-idle.trace", "v2/go1.23-coro.trace",
                                        "v2/go1.27-coro.trace"};
    static const size_t steps[] = {33, 1021, 70001};
    (void) state;

    for (size_t i = 0; i < COUNT(names); i++) {
        char *path = files_join(files_testdata(), names[i]);
        size_t size;
        uint8_t *data = files_read(path, &size);

        expect_same_in_pieces(data, size, steps, COUNT(steps));
        free(data);
        free(path);
    }
}

/* Every end of the input, and a hole at every place: the errors and the repairs are the same. */
static void test_damaged_input_gives_the_same_errors_and_repairs(void **state)
{
    static const unsigned versions[] = {19, 25, 26};
    static const size_t step = 3;
    (void) state;

    for (size_t i = 0; i < COUNT(versions); i++) {
        struct wire wire = {0};
        struct feed feed;

        sample_trace(&wire, versions[i], 3, 12);
        for (size_t at = 0; at < wire.size; at += TEST_SANITIZED ? 35 : 5) {
            uint8_t *data = malloc(wire.size);

            assert_non_null(data);
            memcpy(data, wire.data, wire.size);
            feed_init(&feed, data, at);
            feed.steps = &step;
            feed.step_count = 1;
            expect_same(&feed, 0);
            expect_same(&feed, GT_READER_LENIENT);
            memmove(data + at, data + at + (wire.size - at) / 3,
                    wire.size - at - (wire.size - at) / 3);
            feed.size = wire.size - (wire.size - at) / 3;
            expect_same(&feed, 0);
            expect_same(&feed, GT_READER_LENIENT);
            free(data);
        }
        wire_free(&wire);
    }
}

static gt_reader *push_open(uint64_t memory_limit)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;

    options.memory_limit = memory_limit;
    assert_status(gt_reader_open_push(&reader, &options, NULL), GT_OK);
    return reader;
}

static uint64_t read_until(gt_reader *reader, gt_status expected)
{
    const gt_event *event;
    gt_status status;
    uint64_t count = 0;

    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        count++;
    assert_null(event);
    assert_status(status, expected);
    return count;
}

/* A trace, and the number of its events and generations that are complete after each byte. */
static void expect_completed_at(unsigned version, const size_t *ends, size_t count,
                                const struct wire *wire)
{
    gt_reader *reader = push_open(0);
    gt_reader_info info = GT_READER_INFO_INIT;

    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    assert_int_equal(info.version, 0);
    for (size_t at = 0; at < wire->size; at++) {
        uint64_t complete = 0;

        assert_status(gt_reader_feed(reader, wire->data + at, 1), GT_OK);
        read_until(reader, GT_AGAIN);
        for (size_t i = 0; i < count; i++)
            complete += ends[i] <= at + 1;
        assert_status(gt_reader_get_info(reader, &info), GT_OK);
        assert_int_equal(info.version, at < 15 ? 0 : version);
        assert_int_equal(info.generations, complete);
    }
    assert_status(gt_reader_finish(reader), GT_OK);
    read_until(reader, GT_END);
    gt_reader_close(&reader);
}

/* Sizes of a trace of so many generations are where these generations end. */
static void make_ends(unsigned version, size_t *ends, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct wire part = {0};

        sample_trace(&part, version, (unsigned) i + 1, 5);
        ends[i] = part.size;
        wire_free(&part);
    }
}

static void test_end_marker_completes_a_generation_at_once(void **state)
{
    struct wire wire = {0};
    size_t ends[3];
    (void) state;

    sample_trace(&wire, 26, 3, 5);
    make_ends(26, ends, 3);
    expect_completed_at(26, ends, 3, &wire);
    wire_free(&wire);
}

/* Without markers, the first batch of the next generation has to be complete. */
static void test_next_batch_completes_a_generation_without_marker(void **state)
{
    struct wire wire = {0};
    size_t ends[2];
    gt_reader *reader = push_open(0);
    gt_reader_info info = GT_READER_INFO_INIT;
    (void) state;

    sample_trace(&wire, 25, 2, 5);
    make_ends(25, ends, 2);
    assert_status(gt_reader_feed(reader, wire.data, ends[0]), GT_OK);
    assert_int_equal(read_until(reader, GT_AGAIN), 0);
    assert_status(gt_reader_feed(reader, wire.data + ends[0], ends[1] - ends[0] - 1), GT_OK);
    assert_true(read_until(reader, GT_AGAIN) > 5);
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    assert_int_equal(info.generations, 1);
    wire_free(&wire);
    gt_reader_close(&reader);
}

static void test_event_stays_valid_while_bytes_are_fed(void **state)
{
    struct wire wire = {0};
    size_t end;
    gt_reader *reader = push_open(0);
    const gt_event *event;
    (void) state;

    sample_trace(&wire, 26, 2, 50);
    make_ends(26, &end, 1);
    assert_status(gt_reader_feed(reader, wire.data, end), GT_OK);
    for (int i = 0; i < 20; i++)
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
    gt_event copy = *event;
    for (int i = 0; i < 1000; i++)
        assert_status(gt_reader_feed(reader, wire.data + end, wire.size - end), GT_OK);
    assert_memory_equal(event, &copy, sizeof(copy));
    gt_reader_close(&reader);
    wire_free(&wire);
}

static void test_memory_is_that_of_a_generation(void **state)
{
    struct wire few = {0}, many = {0};
    gt_reader_info info = GT_READER_INFO_INIT;
    uint64_t peaks[2];
    const struct wire *wires[] = {&few, &many};
    (void) state;

    sample_trace(&few, 26, 3, 3000);
    sample_trace(&many, 26, 30, 3000);
    for (int i = 0; i < 2; i++) {
        gt_reader *reader = push_open(0);

        for (size_t at = 0; at < wires[i]->size; at += 1000) {
            size_t left = wires[i]->size - at;

            assert_status(gt_reader_feed(reader, wires[i]->data + at, left < 1000 ? left : 1000),
                          GT_OK);
            read_until(reader, GT_AGAIN);
        }
        assert_status(gt_reader_get_info(reader, &info), GT_OK);
        peaks[i] = info.memory_peak;
        gt_reader_close(&reader);
    }
    assert_true(many.size > 8 * few.size);
    assert_in_range(peaks[1], 1, peaks[0] + peaks[0] / 4);
    wire_free(&few);
    wire_free(&many);
}

static void test_bytes_beyond_the_limit_are_refused_and_can_be_fed_later(void **state)
{
    struct wire wire = {0};
    struct digest whole;
    gt_reader *reader = push_open(400000);
    gt_error error = GT_ERROR_INIT;
    uint64_t events = 0;
    size_t at = 0, refusals = 0;
    (void) state;

    sample_trace(&wire, 26, 60, 1500);
    digest_memory(&whole, wire.data, wire.size, NULL);
    while (at < wire.size) {
        size_t step = wire.size - at < 20000 ? wire.size - at : 20000;
        gt_status status = gt_reader_feed(reader, wire.data + at, step);

        if (status == GT_OK) {
            at += step;
            continue;
        }
        assert_status(status, GT_ERR_LIMIT);
        assert_status(gt_reader_error(reader, &error), GT_OK);
        assert_status(error.status, GT_OK);
        refusals++;
        uint64_t more = read_until(reader, GT_AGAIN);
        assert_true(more > 0);
        events += more;
    }
    assert_status(gt_reader_finish(reader), GT_OK);
    events += read_until(reader, GT_END);
    assert_true(refusals > 1);
    assert_int_equal(events, whole.count);
    digest_free(&whole);
    gt_reader_close(&reader);
    wire_free(&wire);
}

/* Feeds pieces, and reads when one is refused, as a host does. Returns how feeding ended. */
static gt_status feed_and_read(gt_reader *reader, const uint8_t *data, size_t size, size_t piece)
{
    size_t at = 0;
    for (unsigned calls = 0; at < size; calls++) {
        size_t step = size - at < piece ? size - at : piece;
        gt_status status = gt_reader_feed(reader, data + at, step);
        if (status == GT_OK)
            at += step;
        else if (status != GT_ERR_LIMIT)
            return status;
        const gt_event *event;
        do
            status = gt_reader_next_event(reader, &event);
        while (status == GT_OK);
        if (status != GT_AGAIN)
            return status;
        if (calls == 10000)
            fail_msg("it goes on for ever");
    }
    return GT_OK;
}

/* Returns the number before these words of a message. */
static uint64_t number_before(const char *message, const char *words)
{
    const char *at = strstr(message, words);
    assert_non_null(at);
    while (at > message && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return strtoull(at, NULL, 10);
}

/* Otherwise a host feeds the same bytes for ever. */
static void expect_never_fits(const uint8_t *data, size_t size, size_t piece, uint64_t limit)
{
    gt_reader *reader = push_open(limit);
    const gt_event *event;
    gt_error error = GT_ERROR_INIT;
    char number[32];
    assert_status(feed_and_read(reader, data, size, piece), GT_ERR_LIMIT);
    assert_status(gt_reader_feed(reader, data, 1), GT_ERR_LIMIT);
    assert_status(gt_reader_finish(reader), GT_OK);
    assert_status(gt_reader_next_event(reader, &event), GT_ERR_LIMIT);
    assert_status(gt_reader_error(reader, &error), GT_OK);
    snprintf(number, sizeof(number), "limit of %u bytes", (unsigned) limit);
    assert_non_null(strstr(error.message, number));
    gt_reader_info info = GT_READER_INFO_INIT;
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    assert_int_equal(number_before(error.message, " bytes more do not fit"), piece);
    assert_in_range(number_before(error.message, " are held"), 1, limit);
    assert_in_range(number_before(error.message, " are needed at least"), limit + 1, UINT32_MAX);
    gt_reader_close(&reader);
}

/* With the limit that the message names the piece fits, and with a little less it does not. */
static void test_limit_that_is_needed_is_told(void **state)
{
    static const uint8_t bytes[200000] = "go 1.26 trace";
    gt_reader *reader = push_open(150000);
    gt_error error = GT_ERROR_INIT;
    const gt_event *event;
    (void) state;
    assert_status(gt_reader_next_event(reader, &event), GT_AGAIN);
    assert_status(gt_reader_feed(reader, bytes, sizeof(bytes)), GT_ERR_LIMIT);
    assert_status(gt_reader_error(reader, &error), GT_OK);
    assert_string_equal(strstr(error.message, "raise it"), "raise it, or feed smaller pieces");
    uint64_t needed = number_before(error.message, " are needed at least");
    gt_reader_close(&reader);
    reader = push_open(needed - 1);
    assert_status(gt_reader_feed(reader, bytes, sizeof(bytes)), GT_ERR_LIMIT);
    gt_reader_close(&reader);
    reader = push_open(needed);
    assert_status(gt_reader_feed(reader, bytes, sizeof(bytes)), GT_OK);
    gt_reader_close(&reader);
}

/* What is decoded does not fit either, and the message has the numbers. */
static void test_events_beyond_the_limit_tell_how_much_is_needed(void **state)
{
    size_t size;
    char *path = files_join(files_testdata(), "v2/go1.27-mix.trace");
    uint8_t *data = files_read(path, &size);
    gt_reader *reader = push_open(size + size / 2);
    gt_error error = GT_ERROR_INIT;
    const gt_event *event;
    gt_status status;
    (void) state;
    assert_status(gt_reader_feed(reader, data, size), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        continue;
    assert_status(status, GT_ERR_LIMIT);
    assert_status(gt_reader_error(reader, &error), GT_OK);
    assert_in_range(number_before(error.message, " bytes at least"), size + size / 2 + 1,
                    UINT32_MAX);
    gt_reader_close(&reader);
    free(data);
    free(path);
}

static void test_what_can_never_fit_is_an_error(void **state)
{
    static const unsigned versions[] = {21, 22, 26}; /* the first one is held whole */
    (void) state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        struct wire wire = {0};
        sample_trace(&wire, versions[i], 2, 40000);
        expect_never_fits(wire.data, wire.size, 20000, 300000);
        expect_never_fits(wire.data, wire.size, 100, 300000);
        expect_never_fits(wire.data, wire.size, wire.size, 300000);
        gt_reader *reader = push_open(20000000);
        assert_status(feed_and_read(reader, wire.data, wire.size, 20000), GT_OK);
        gt_reader_close(&reader);
        wire_free(&wire);
    }
}

static void test_feeding_is_refused_where_it_makes_no_sense(void **state)
{
    gt_reader *reader = push_open(0);
    const gt_event *event;
    (void) state;

    assert_status(gt_reader_feed(NULL, "", 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_open_push(NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_feed(reader, NULL, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_feed(reader, NULL, 0), GT_OK);
    assert_status(gt_reader_next_event(reader, &event), GT_AGAIN);
    assert_status(gt_reader_feed(reader, "no trace at all.", 16), GT_OK);
    assert_status(gt_reader_next_event(reader, &event), GT_ERR_NOT_A_TRACE);
    assert_status(gt_reader_feed(reader, "go on", 5), GT_ERR_NOT_A_TRACE);
    assert_status(gt_reader_next_event(reader, &event), GT_ERR_NOT_A_TRACE);
    gt_reader_close(&reader);

    reader = push_open(0);
    assert_status(gt_reader_finish(reader), GT_OK);
    assert_status(gt_reader_finish(reader), GT_OK);
    assert_status(gt_reader_feed(reader, "go 1.26", 7), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_next_event(reader, &event), GT_ERR_NOT_A_TRACE);
    gt_reader_close(&reader);

    assert_status(gt_reader_open_memory(&reader, "go 1.26 trace\0\0\0", 16, NULL, NULL), GT_OK);
    assert_status(gt_reader_feed(reader, "", 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_finish(reader), GT_ERR_INVALID_ARGUMENT);
    gt_reader_close(&reader);
}

struct slow {
    struct feed feed;
    bool has_bytes;
};

/* A gt_read_fn that has a piece only every other time. */
static int64_t read_sometimes(void *user_data, void *buffer, size_t capacity)
{
    struct slow *slow = user_data;

    slow->has_bytes = !slow->has_bytes;
    if (!slow->has_bytes)
        return GT_READ_AGAIN;
    return feed_read(&slow->feed, buffer, capacity < 50 ? capacity : 50);
}

/* Counts events through all GT_AGAIN up to the end, and how often there was nothing. */
static uint64_t read_through(gt_reader *reader, uint64_t *waits)
{
    const gt_event *event;
    gt_status status;
    uint64_t count = 0;

    while ((status = gt_reader_next_event(reader, &event)) == GT_OK || status == GT_AGAIN) {
        count += status == GT_OK;
        *waits += status == GT_AGAIN;
    }
    assert_status(status, GT_END);
    return count;
}

static int64_t read_nothing(void *user_data, void *buffer, size_t capacity)
{
    (void) buffer;
    (void) capacity;
    return GT_READ_FAILED(*(const int *) user_data);
}

static void test_error_has_the_errno_of_a_failed_callback(void **state)
{
    static const int codes[] = {0, EIO, ECONNRESET};
    (void) state;

    for (size_t i = 0; i < COUNT(codes); i++) {
        gt_error error = GT_ERROR_INIT;
        int code = codes[i];
        gt_reader *reader;

        assert_status(gt_reader_open_callback(&reader, read_nothing, &code, NULL, &error),
                      GT_ERR_IO);
        assert_int_equal(error.system_error, code);
        assert_int_equal(strstr(error.message, strerror(code)) != NULL, code != 0);
    }
}

static void test_callback_without_bytes_is_asked_again(void **state)
{
    static const unsigned versions[] = {19, 25, 26};
    (void) state;

    for (size_t i = 0; i < COUNT(versions); i++) {
        struct wire wire = {0};
        struct digest whole;
        struct slow slow = {.has_bytes = true};
        gt_reader *reader;
        uint64_t waits = 0;

        sample_trace(&wire, versions[i], 3, 200);
        digest_memory(&whole, wire.data, wire.size, NULL);
        feed_init(&slow.feed, wire.data, wire.size);
        assert_status(gt_reader_open_callback(&reader, read_sometimes, &slow, NULL, NULL), GT_OK);
        assert_int_equal(read_through(reader, &waits), whole.count);
        assert_true(waits >= wire.size / 50);
        gt_reader_close(&reader);
        digest_free(&whole);
        wire_free(&wire);
    }
}

static void test_non_blocking_descriptor_without_bytes_is_asked_again(void **state)
{
    struct wire wire = {0};
    struct digest whole;
    gt_reader *reader;
    uint64_t count = 0;
    int ends[2];
    (void) state;

    sample_trace(&wire, 26, 3, 200);
    digest_memory(&whole, wire.data, wire.size, NULL);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    assert_status(gt_reader_open_fd(&reader, ends[0], NULL, NULL), GT_OK);
    for (size_t at = 0; at < wire.size; at += 300) {
        size_t left = wire.size - at;

        count += read_until(reader, GT_AGAIN);
        assert_true(write(ends[1], wire.data + at, left < 300 ? left : 300) > 0);
    }
    close(ends[1]);
    count += read_until(reader, GT_END);
    assert_int_equal(count, whole.count);
    close(ends[0]);
    gt_reader_close(&reader);
    digest_free(&whole);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_of_any_size_give_the_same_events),
        cmocka_unit_test(test_large_generations_are_the_same_in_pieces),
        cmocka_unit_test(test_recorded_traces_are_the_same_in_pieces),
        cmocka_unit_test(test_damaged_input_gives_the_same_errors_and_repairs),
        cmocka_unit_test(test_end_marker_completes_a_generation_at_once),
        cmocka_unit_test(test_next_batch_completes_a_generation_without_marker),
        cmocka_unit_test(test_event_stays_valid_while_bytes_are_fed),
        cmocka_unit_test(test_memory_is_that_of_a_generation),
        cmocka_unit_test(test_bytes_beyond_the_limit_are_refused_and_can_be_fed_later),
        cmocka_unit_test(test_limit_that_is_needed_is_told),
        cmocka_unit_test(test_events_beyond_the_limit_tell_how_much_is_needed),
        cmocka_unit_test(test_what_can_never_fit_is_an_error),
        cmocka_unit_test(test_feeding_is_refused_where_it_makes_no_sense),
        cmocka_unit_test(test_error_has_the_errno_of_a_failed_callback),
        cmocka_unit_test(test_callback_without_bytes_is_asked_again),
        cmocka_unit_test(test_non_blocking_descriptor_without_bytes_is_asked_again),
    };

    return cmocka_run_group_tests_name("push", tests, NULL, NULL);
}
