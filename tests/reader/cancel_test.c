/* SPDX-License-Identifier: BSD-3-Clause */

/* Cancelling a reader, and being told how far it has come. */

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/sample.h"
#include "support/test.h"
#include "support/v1hostile.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* As gt_progress_fn promises, and what one read may bring more. */
#define STEP (256 << 10)
#define SLOP (1 << 20)

/* The formats: with two merges, with one, with and without end markers of generations. */
static const unsigned versions[] = {10, 21, 23, 26};

static const uint64_t ways[] = {0, GT_READER_AHEAD, GT_READER_LENIENT | GT_READER_KEEP};

/* Large enough for several calls of on_progress in each phase. */
static struct wire traces[COUNT(versions)];

static int setup_traces(void **state)
{
    (void) state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        sample_trace(&traces[i], versions[i], 2, 200000);
        assert_true(traces[i].size > 4 * STEP);
    }
    return 0;
}

static int teardown_traces(void **state)
{
    (void) state;
    for (size_t i = 0; i < COUNT(versions); i++)
        wire_free(&traces[i]);
    return 0;
}

/* What on_progress was told, and what it does. */
struct watcher {
    gt_progress last;
    unsigned calls;
    unsigned stop_at;   /* the number of the call that returns 1; 0: none does */
    unsigned cancel_at; /* the number of the call that cancels the reader; 0: none does */
    bool is_one_batch;  /* whose events count as decoded all at once */
    gt_reader *reader;
    pthread_t thread;
    uint64_t total;
};

static int watcher_call(void *user_data, const gt_progress *progress)
{
    struct watcher *w = user_data;
    assert_true(pthread_equal(w->thread, pthread_self()));
    assert_int_equal(progress->size, sizeof(*progress));
    assert_true(progress->bytes_read >= w->last.bytes_read);
    assert_true(progress->bytes_decoded >= w->last.bytes_decoded);
    assert_true(progress->bytes_decoded <= progress->bytes_read);
    assert_true(progress->bytes_read - w->last.bytes_read <= STEP + SLOP);
    if (!w->is_one_batch)
        assert_true(progress->bytes_decoded - w->last.bytes_decoded <= STEP + SLOP);
    assert_int_equal(progress->bytes_total, w->total);
    w->last = *progress;
    w->calls++;
    if (w->calls == w->cancel_at)
        gt_reader_cancel(w->reader);
    return w->calls == w->stop_at;
}

static void watcher_init(struct watcher *w, gt_reader_options *options, uint64_t flags)
{
    memset(w, 0, sizeof(*w));
    w->thread = pthread_self();
    *options = (gt_reader_options) GT_READER_OPTIONS_INIT;
    options->flags = flags;
    options->on_progress = watcher_call;
    options->progress_data = w;
}

static void expect_cancelled(gt_reader *reader)
{
    const gt_event *event;
    gt_error error = GT_ERROR_INIT;
    for (int i = 0; i < 2; i++) {
        event = (const gt_event *) &error;
        assert_status(gt_reader_next_event(reader, &event), GT_CANCELLED);
        assert_null(event);
    }
    assert_status(gt_reader_error(reader, &error), GT_OK);
    assert_int_equal(error.status, GT_CANCELLED);
    assert_string_equal(error.message, "cancelled");
}

/* Reads `count` events at most. */
static gt_status read_some(gt_reader *reader, uint64_t count)
{
    const gt_event *event;
    gt_status status = GT_OK;
    for (; count > 0 && status == GT_OK; count--)
        status = gt_reader_next_event(reader, &event);
    return status;
}

static void test_cancelled_reader_gives_no_more_events(void **state)
{
    static const unsigned counts[] = {0, 1, 31, 33, 5000};
    (void) state;
    for (size_t i = 0; i < COUNT(versions) * COUNT(ways) * COUNT(counts); i++) {
        const struct wire *trace = &traces[i % COUNT(versions)];
        gt_reader_options options = GT_READER_OPTIONS_INIT;
        gt_reader_info info = GT_READER_INFO_INIT;
        unsigned count = counts[i / COUNT(versions) / COUNT(ways)];
        gt_reader *reader;
        options.flags = ways[i / COUNT(versions) % COUNT(ways)];
        assert_status(gt_reader_open_memory(&reader, trace->data, trace->size, &options, NULL),
                      GT_OK);
        const gt_event *event = NULL;
        for (unsigned k = 0; k < count; k++)
            assert_status(gt_reader_next_event(reader, &event), GT_OK);
        gt_reader_cancel(reader);
        expect_cancelled(reader);
        assert_false(gt_reader_has_event(reader, event));
        assert_status(gt_reader_get_info(reader, &info), GT_OK);
        assert_int_equal(info.events, count);
        assert_int_equal(info.repairs, 0);
        gt_reader_close(&reader);
    }
}

/* What was delivered before remains as it was. */
static void test_stack_of_the_last_event_outlives_cancelling(void **state)
{
    const struct wire *trace = &traces[COUNT(versions) - 1];
    const gt_event *event;
    const gt_frame *frames;
    size_t count = 0;
    gt_reader *reader;
    (void) state;
    assert_status(gt_reader_open_memory(&reader, trace->data, trace->size, NULL, NULL), GT_OK);
    gt_stack stack;
    do {
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
        stack = gt_event_stack(event);
        assert_status(gt_stack_view(reader, stack, &frames, &count), GT_OK);
    } while (count == 0);
    gt_reader_cancel(reader);
    assert_status(gt_reader_next_event(reader, &event), GT_CANCELLED);
    assert_status(gt_stack_view(reader, stack, &frames, &count), GT_OK);
    assert_true(count > 0);
    gt_reader_close(&reader);
}

static void test_cancelling_after_the_end_changes_nothing(void **state)
{
    struct wire wire = {0};
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader;
    (void) state;
    gt_reader_cancel(NULL);
    sample_trace(&wire, 26, 1, 50);
    assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, NULL, NULL), GT_OK);
    assert_status(read_some(reader, UINT64_MAX), GT_END);
    gt_reader_cancel(reader);
    assert_status(read_some(reader, 1), GT_END);
    gt_reader_close(&reader);
    assert_status(gt_reader_open_memory(&reader, wire.data, wire.size - 1, NULL, NULL), GT_OK);
    gt_status status = read_some(reader, UINT64_MAX);
    assert_true(status < 0);
    gt_reader_cancel(reader);
    assert_status(read_some(reader, 1), status);
    assert_status(gt_reader_error(reader, &error), GT_OK);
    assert_int_equal(error.status, status);
    gt_reader_close(&reader);
    wire_free(&wire);
}

/* Returns how often on_progress was called before the first event, and in total. */
static unsigned watch_reading(const struct wire *trace, uint64_t flags, unsigned *before)
{
    struct watcher w;
    gt_reader_options options;
    gt_reader *reader;
    watcher_init(&w, &options, flags);
    w.total = trace->size;
    assert_status(gt_reader_open_memory(&reader, trace->data, trace->size, &options, NULL), GT_OK);
    assert_int_equal(w.calls, 0);
    assert_status(read_some(reader, 1), GT_OK);
    *before = w.calls;
    assert_true(w.last.bytes_decoded < trace->size / 2);
    assert_status(read_some(reader, UINT64_MAX), GT_END);
    assert_true(w.last.bytes_read > trace->size - STEP);
    assert_true(w.last.bytes_decoded > trace->size - 2 * STEP);
    gt_reader_close(&reader);
    return w.calls;
}

static void test_progress_is_told_in_all_phases(void **state)
{
    (void) state;
    for (size_t i = 0; i < COUNT(versions) * COUNT(ways); i++) {
        const struct wire *trace = &traces[i % COUNT(versions)];
        unsigned before;
        unsigned calls = watch_reading(trace, ways[i / COUNT(versions)], &before);
        /* A generation is half of the trace, and what is older has only one. */
        size_t first = trace->size / (versions[i % COUNT(versions)] < 22 ? 1 : 2);
        assert_true(before >= first / STEP - 1);
        assert_true(calls >= 3 * (trace->size / STEP) / 2);
        assert_true(calls <= 5 * (trace->size / STEP));
    }
}

/* Cancels at each call in turn, once by what it returns, and once by gt_reader_cancel. */
static void test_every_call_of_progress_can_cancel(void **state)
{
    (void) state;
    for (size_t i = 0; i < COUNT(versions) * COUNT(ways) * 2; i++) {
        const struct wire *trace = &traces[i % COUNT(versions)];
        uint64_t flags = ways[i / COUNT(versions) % COUNT(ways)];
        unsigned before;
        unsigned calls = watch_reading(trace, flags, &before);
        unsigned step = TEST_STRIDE(3u);
        for (unsigned stop = 1; stop <= calls; stop += stop < before ? step : 7 * step) {
            struct watcher w;
            gt_reader_options options;
            watcher_init(&w, &options, flags);
            w.total = trace->size;
            *(i % 2 == 0 ? &w.stop_at : &w.cancel_at) = stop;
            assert_status(
                gt_reader_open_memory(&w.reader, trace->data, trace->size, &options, NULL), GT_OK);
            gt_status status = stop <= before ? GT_OK : read_some(w.reader, 1);
            assert_status(status, GT_OK);
            assert_status(read_some(w.reader, UINT64_MAX), GT_CANCELLED);
            expect_cancelled(w.reader);
            assert_int_equal(w.calls, stop);
            gt_reader_close(&w.reader);
        }
    }
}

/* All of the trace is one wakeup that is left out, so that the first call merges it twice. */
static void test_search_for_futile_wakeups_can_be_cancelled(void **state)
{
    struct wire wire = {0};
    unsigned calls = 0;
    (void) state;
    for (size_t i = 0; i < v1_hostile_count; i++) {
        if (strcmp(v1_hostiles[i].name, "futile") == 0)
            v1_hostiles[i].write(&wire, 200000);
    }
    for (unsigned stop = 1; stop == calls + 1; stop++) {
        struct watcher w;
        gt_reader_options options;
        watcher_init(&w, &options, 0);
        w.total = wire.size;
        w.stop_at = stop;
        w.is_one_batch = true;
        assert_status(gt_reader_open_memory(&w.reader, wire.data, wire.size, &options, NULL),
                      GT_OK);
        if (read_some(w.reader, 1) == GT_CANCELLED)
            expect_cancelled(w.reader);
        calls = w.calls == stop ? stop : calls;
        gt_reader_close(&w.reader);
    }
    assert_true(calls >= wire.size / STEP + 600000 / 40000);
    wire_free(&wire);
}

/* A gt_read_fn that cancels the reader before it returns. */
struct cancelling {
    struct feed feed;
    gt_reader *reader;
    uint64_t at;
};

static int64_t cancelling_read(void *user_data, void *buffer, size_t capacity)
{
    struct cancelling *c = user_data;
    if (c->feed.calls == c->at)
        gt_reader_cancel(c->reader);
    return feed_read(&c->feed, buffer, capacity);
}

static void test_cancelled_reader_reads_no_further(void **state)
{
    static const size_t steps[] = {5000};
    (void) state;
    for (size_t i = 0; i < COUNT(versions) * COUNT(ways); i++) {
        const struct wire *trace = &traces[i % COUNT(versions)];
        gt_reader_options options = GT_READER_OPTIONS_INIT;
        struct cancelling c = {.at = 20};
        options.flags = ways[i / COUNT(versions)];
        feed_init(&c.feed, trace->data, trace->size);
        c.feed.steps = steps;
        c.feed.step_count = 1;
        assert_status(gt_reader_open_callback(&c.reader, cancelling_read, &c, &options, NULL),
                      GT_OK);
        assert_status(read_some(c.reader, UINT64_MAX), GT_CANCELLED);
        expect_cancelled(c.reader);
        assert_int_equal(c.feed.calls, c.at + 1);
        gt_reader_close(&c.reader);
    }
}

static void test_progress_knows_the_size_of_files_but_not_of_streams(void **state)
{
    (void) state;
    for (size_t i = 0; i < COUNT(versions) * 2; i++) {
        const struct wire *trace = &traces[i / 2];
        struct watcher w;
        gt_reader_options options;
        FILE *file = tmpfile();
        assert_non_null(file);
        /* Reading starts at the position of the descriptor. */
        assert_int_equal(fwrite("skipped", 1, 7, file), 7);
        assert_int_equal(fwrite(trace->data, 1, trace->size, file), trace->size);
        assert_int_equal(fflush(file), 0);
        assert_int_equal(lseek(fileno(file), 7, SEEK_SET), 7);
        watcher_init(&w, &options, 0);
        if (i % 2 == 0) {
            w.total = trace->size;
            assert_status(gt_reader_open_fd(&w.reader, fileno(file), &options, NULL), GT_OK);
        } else {
            struct writer writer;
            writer_start(&writer, trace->data, trace->size, 0, 0);
            assert_status(gt_reader_open_fd(&w.reader, writer.fd, &options, NULL), GT_OK);
            assert_status(read_some(w.reader, UINT64_MAX), GT_END);
            writer_stop(&writer);
        }
        assert_status(read_some(w.reader, UINT64_MAX), GT_END);
        assert_true(w.calls >= 3 * (trace->size / STEP) / 2);
        gt_reader_close(&w.reader);
        fclose(file);
    }
}

static void test_cancelled_reader_cannot_be_fed(void **state)
{
    const struct wire *trace = &traces[1];
    struct watcher w;
    gt_reader_options options;
    gt_reader *reader;
    (void) state;
    watcher_init(&w, &options, 0);
    assert_status(gt_reader_open_push(&reader, &options, NULL), GT_OK);
    assert_status(gt_reader_feed(reader, trace->data, 100000), GT_OK);
    assert_status(read_some(reader, 1), GT_AGAIN);
    gt_reader_cancel(reader);
    assert_status(gt_reader_feed(reader, trace->data + 100000, 1), GT_CANCELLED);
    expect_cancelled(reader);
    assert_status(gt_reader_feed(reader, trace->data + 100000, 1), GT_CANCELLED);
    assert_status(gt_reader_finish(reader), GT_OK);
    expect_cancelled(reader);
    gt_reader_close(&reader);
}

/* Everything that is fed is there before the first call, which checks it in one go. */
static void test_progress_cancels_what_was_fed(void **state)
{
    (void) state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        struct watcher w;
        gt_reader_options options;
        watcher_init(&w, &options, 0);
        w.stop_at = 2;
        assert_status(gt_reader_open_push(&w.reader, &options, NULL), GT_OK);
        assert_status(gt_reader_feed(w.reader, traces[i].data, traces[i].size), GT_OK);
        assert_status(gt_reader_finish(w.reader), GT_OK);
        expect_cancelled(w.reader);
        assert_int_equal(w.calls, 2);
        gt_reader_close(&w.reader);
    }
}

static gt_reader *signalled;

static void cancel_by_signal(int number)
{
    (void) number;
    gt_reader_cancel(signalled);
}

/* The reader waits for a pipe into which nothing is written. */
static void test_signal_handler_ends_the_wait_for_a_pipe(void **state)
{
    /* Repeated, since the first could come just before the read. */
    const struct itimerval every = {{0, 20000}, {0, 20000}};
    const struct itimerval never = {{0, 0}, {0, 0}};
    struct sigaction action, old;
    int ends[2];
    (void) state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], traces[3].data, 1000), 1000);
    assert_status(gt_reader_open_fd(&signalled, ends[0], NULL, NULL), GT_OK);
    memset(&action, 0, sizeof(action));
    action.sa_handler = cancel_by_signal;
    assert_int_equal(sigaction(SIGALRM, &action, &old), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &every, NULL), 0);
    expect_cancelled(signalled);
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &old, NULL), 0);
    gt_reader_close(&signalled);
    close(ends[0]);
    close(ends[1]);
}

/* Cancels a reader after a while. */
struct canceller {
    gt_reader *reader;
    long microseconds;
};

static void *canceller_run(void *data)
{
    const struct canceller *c = data;
    const struct timespec wait = {0, c->microseconds * 1000};
    nanosleep(&wait, NULL);
    gt_reader_cancel(c->reader);
    return NULL;
}

/* The thread sanitizer looks at this: nothing but the cancelling is shared. */
static void test_another_thread_cancels_at_any_time(void **state)
{
    (void) state;
    for (size_t i = 0; i < COUNT(versions) * COUNT(ways) * 8; i++) {
        const struct wire *trace = &traces[i % COUNT(versions)];
        struct watcher w;
        gt_reader_options options;
        pthread_t thread;
        watcher_init(&w, &options, ways[i / COUNT(versions) % COUNT(ways)]);
        w.total = trace->size;
        assert_status(gt_reader_open_memory(&w.reader, trace->data, trace->size, &options, NULL),
                      GT_OK);
        struct canceller canceller = {w.reader, (long) (i * 97 % 5000)};
        assert_int_equal(pthread_create(&thread, NULL, canceller_run, &canceller), 0);
        gt_status status = read_some(w.reader, UINT64_MAX);
        assert_true(status == GT_CANCELLED || status == GT_END);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_status(read_some(w.reader, 1), status);
        gt_reader_close(&w.reader);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cancelled_reader_gives_no_more_events),
        cmocka_unit_test(test_stack_of_the_last_event_outlives_cancelling),
        cmocka_unit_test(test_cancelling_after_the_end_changes_nothing),
        cmocka_unit_test(test_progress_is_told_in_all_phases),
        cmocka_unit_test(test_every_call_of_progress_can_cancel),
        cmocka_unit_test(test_search_for_futile_wakeups_can_be_cancelled),
        cmocka_unit_test(test_cancelled_reader_reads_no_further),
        cmocka_unit_test(test_progress_knows_the_size_of_files_but_not_of_streams),
        cmocka_unit_test(test_cancelled_reader_cannot_be_fed),
        cmocka_unit_test(test_progress_cancels_what_was_fed),
        cmocka_unit_test(test_signal_handler_ends_the_wait_for_a_pipe),
        cmocka_unit_test(test_another_thread_cancels_at_any_time),
    };
    return cmocka_run_group_tests(tests, setup_traces, teardown_traces);
}
