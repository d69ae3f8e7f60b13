/* SPDX-License-Identifier: BSD-3-Clause */

/* Getting all the rest of an input in one window, from every kind of source. */

#include "source/source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/feed.h"
#include "support/temporary.h"
#include "support/test.h"
#include "unit/failing.h"

/* Longer than several pieces, and no multiple of a piece. */
#define INPUT 3000017

/* The size of what is read and taken before all the rest is requested: a header. */
#define HEADER 16

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    gt_error error;
    struct gt_source source;
    struct feed feed;
};

static uint8_t *input;

static int setup_input(void **state)
{
    uint64_t seed = 1618033;
    (void) state;
    input = malloc(INPUT);
    assert_non_null(input);
    for (size_t i = 0; i < INPUT; i++)
        input[i] = (uint8_t) (test_random(&seed) >> 32);
    return 0;
}

static int teardown_input(void **state)
{
    (void) state;
    free(input);
    return 0;
}

static void begin(struct fixture *f)
{
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    memset(&f->error, 0, sizeof(f->error));
    gt_source_init(&f->source, &f->mem, &f->error);
    feed_init(&f->feed, input, 0);
}

/* Starts a source that gets `size` bytes in reads of these sizes in turn. */
static void begin_feed(struct fixture *f, size_t size, const size_t *steps, size_t count)
{
    begin(f);
    f->feed.size = size;
    f->feed.steps = steps;
    f->feed.step_count = count;
    gt_source_open_callback(&f->source, feed_read, &f->feed);
}

static void end(struct fixture *f)
{
    gt_source_close(&f->source);
    probe_check(&f->probe);
    assert_int_equal(f->mem.used, 0);
}

/* Takes bytes from the start, at most `piece` at a time. */
static void take(struct fixture *f, size_t size, size_t piece)
{
    while (size > 0) {
        size_t part = size < piece ? size : piece;
        assert_status(gt_source_need(&f->source, part), GT_OK);
        f->source.cur += part;
        size -= part;
    }
}

/* Asserts that the window is all of the input from `offset` on. */
static void assert_rest(const struct fixture *f, size_t size, size_t offset)
{
    assert_true(f->source.ended);
    assert_int_equal(gt_source_offset(&f->source), offset);
    assert_int_equal(gt_source_left(&f->source), size - offset);
    assert_memory_equal(f->source.cur, input + offset, size - offset);
}

/* A sanitizer reports if the bytes after the window cannot be read. */
static void touch_slack(const struct fixture *f)
{
    unsigned sum = 0;
    assert_true(gt_source_slack(&f->source, f->source.end));
    for (size_t i = 0; i < GT_SOURCE_SLACK; i++)
        sum += f->source.end[i];
    assert_true(sum <= GT_SOURCE_SLACK * 255);
}

/* Fills, and checks the result; afterwards nothing more is read. */
static void check_fill(struct fixture *f, size_t size, size_t offset)
{
    uint64_t reads, calls;
    size_t part = (size - offset) / 3;
    assert_status(gt_source_fill_all(&f->source), GT_OK);
    assert_rest(f, size, offset);
    reads = f->feed.calls;
    calls = f->probe.calls;
    assert_status(gt_source_fill_all(&f->source), GT_OK);
    assert_rest(f, size, offset);
    f->source.cur += part;
    assert_status(gt_source_need(&f->source, size + 1), GT_OK);
    assert_rest(f, size, offset + part);
    assert_status(gt_source_fill_all(&f->source), GT_OK);
    assert_rest(f, size, offset + part);
    gt_source_release(&f->source);
    assert_rest(f, size, offset + part);
    f->source.cur = f->source.end;
    assert_int_equal(gt_source_offset(&f->source), size);
    assert_int_equal(f->feed.calls, reads);
    assert_int_equal(f->probe.calls, calls);
}

/* Memory is used in place. */
static void test_memory_is_used_in_place(void **state)
{
    static const size_t offsets[] = {0, HEADER, 1000};
    struct fixture f;
    (void) state;
    for (size_t i = 0; i < 3; i++) {
        begin(&f);
        gt_source_open_memory(&f.source, input, 1000);
        f.source.cur += offsets[i];
        assert_status(gt_source_fill_all(&f.source), GT_OK);
        assert_ptr_equal(f.source.cur, input + offsets[i]);
        check_fill(&f, 1000, offsets[i]);
        assert_int_equal(f.probe.calls, 0);
        end(&f);
    }
}

/* Makes a temporary file of the first bytes of the input; returns it, open. */
static int make_file(char **path, size_t size)
{
    int fd = temporary_new_file(path);
    assert_int_equal(write(fd, input, size), size);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

/* A file is mapped, and a descriptor is read from its position. */
static void test_file_is_mapped_and_descriptor_read(void **state)
{
    static const size_t sizes[] = {HEADER, 4096, 131072, 1000000};
    struct fixture f;
    char *path;
    (void) state;
    for (size_t i = 0; i < 4; i++) {
        int fd = make_file(&path, sizes[i]);
        begin(&f);
        assert_status(gt_source_open_file(&f.source, path), GT_OK);
        unlink(path);
        free(path);
        take(&f, HEADER, HEADER);
        check_fill(&f, sizes[i], HEADER);
        assert_int_equal(f.probe.calls, 0);
        end(&f);
        begin(&f);
        gt_source_open_fd(&f.source, fd);
        take(&f, HEADER, HEADER);
        check_fill(&f, sizes[i], HEADER);
        touch_slack(&f);
        end(&f);
        close(fd);
    }
}

/* A pipe returns what is in it, which is less than there is room for. */
static void test_pipe_is_read_to_its_end(void **state)
{
    struct writer writer;
    struct fixture f;
    (void) state;
    writer_start(&writer, input, 1000000, 0, 0);
    begin(&f);
    gt_source_open_fd(&f.source, writer.fd);
    take(&f, HEADER, HEADER);
    check_fill(&f, 1000000, HEADER);
    end(&f);
    writer_stop(&writer);
}

/* An empty input, and an input with nothing after what was taken. */
static void test_empty_input_gives_an_empty_window(void **state)
{
    struct fixture f;
    char *path;
    (void) state;
    begin(&f);
    assert_status(gt_source_fill_all(&f.source), GT_OK);
    gt_source_open_memory(&f.source, NULL, 0);
    assert_status(gt_source_fill_all(&f.source), GT_OK);
    assert_rest(&f, 0, 0);
    assert_int_equal(f.probe.calls, 0);
    end(&f);
    begin_feed(&f, 0, NULL, 0);
    check_fill(&f, 0, 0);
    touch_slack(&f);
    assert_int_equal(f.feed.calls, 1);
    end(&f);
    begin_feed(&f, HEADER, NULL, 0);
    take(&f, HEADER, HEADER);
    check_fill(&f, HEADER, HEADER);
    end(&f);
    close(make_file(&path, 0));
    begin(&f);
    assert_status(gt_source_open_file(&f.source, path), GT_OK);
    unlink(path);
    free(path);
    check_fill(&f, 0, 0);
    end(&f);
}

/* The same input in reads of one byte, of a few, and of as much as there is room for. */
static void test_reads_of_any_size_give_the_same_window(void **state)
{
    static const size_t one[] = {1};
    static const size_t odd[] = {7, 1, 300, 4096, 1, 65537, 13};
    static const size_t large[] = {1000003};

    static const struct {
        const size_t *steps;
        size_t count, size;
    } cases[] = {
        {one, 1, 1},       {one, 1, 300001},  {odd, 7, 5000},    {odd, 7, INPUT},
        {large, 1, INPUT}, {NULL, 0, 1},      {NULL, 0, 131071}, {NULL, 0, 131072},
        {NULL, 0, 131073}, {NULL, 0, 196608}, {NULL, 0, 262144}, {NULL, 0, INPUT},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t size = cases[i].size;
        for (size_t offset = 0; offset <= HEADER && offset <= size; offset += HEADER) {
            struct fixture f;
            begin_feed(&f, size, cases[i].steps, cases[i].count);
            take(&f, offset, HEADER);
            check_fill(&f, size, offset);
            touch_slack(&f);
            /* Little memory is wasted if the size is not known. */
            assert_true(f.mem.used <= size * 3 / 2 + (512 << 10));
            end(&f);
        }
    }
}

/* The positions at which reads were made. */
struct log {
    struct feed feed;
    size_t positions[64];
    size_t count;
};

static int64_t log_read(void *user_data, void *buffer, size_t capacity)
{
    struct log *log = user_data;
    assert_true(log->count < 64);
    log->positions[log->count++] = log->feed.position;
    assert_true(capacity > 0);
    return feed_read(&log->feed, buffer, capacity);
}

/* Inputs that end where no room is left, one byte before, or one after. */
static void test_input_may_end_where_the_room_does(void **state)
{
    static struct log log;
    (void) state;
    for (size_t taken = 0; taken <= HEADER; taken += HEADER) {
        struct fixture f;
        memset(&log, 0, sizeof(log));
        feed_init(&log.feed, input, INPUT);
        begin(&f);
        gt_source_open_callback(&f.source, log_read, &log);
        take(&f, taken, HEADER);
        check_fill(&f, INPUT, taken);
        end(&f);
        assert_true(log.count > 4);
        for (size_t i = 1; i < log.count; i++) {
            size_t last = log.positions[i] < INPUT ? log.positions[i] + 1 : INPUT;
            for (size_t size = log.positions[i] - 1; size <= last; size++) {
                begin_feed(&f, size, NULL, 0);
                take(&f, taken, HEADER);
                check_fill(&f, size, taken);
                touch_slack(&f);
                end(&f);
            }
        }
    }
}

/* What was taken before, in whatever pieces, is not kept in front of the window. */
static void test_taken_bytes_are_not_kept(void **state)
{
    static const size_t offsets[] = {1, HEADER, 131071, 131072, 131073, 400000, 2999999, INPUT};
    static const size_t pieces[] = {HEADER, 50000, 700000};
    static const size_t steps[] = {30000};
    (void) state;
    for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        for (size_t k = 0; k < 3; k++) {
            for (size_t released = 0; released <= 1; released++) {
                struct fixture f;
                begin_feed(&f, INPUT, steps, k == 0 ? 0 : 1);
                take(&f, offsets[i], pieces[k]);
                if (released)
                    gt_source_release(&f.source);
                assert_status(gt_source_fill_all(&f.source), GT_OK);
                assert_ptr_equal(f.source.base, f.source.cur);
                check_fill(&f, INPUT, offsets[i]);
                touch_slack(&f);
                end(&f);
            }
        }
    }
}

/* The window already has more than the header, and perhaps the end of the input. */
static void test_bytes_in_the_window_are_kept(void **state)
{
    static const size_t known[] = {17, 131072, 131073, 500000, 999999, 1000000, 1000001, INPUT};
    (void) state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct fixture f;
        begin_feed(&f, 1000000, NULL, 0);
        assert_status(gt_source_need(&f.source, known[i]), GT_OK);
        f.source.cur += HEADER;
        check_fill(&f, 1000000, HEADER);
        touch_slack(&f);
        end(&f);
    }
}

/*
 * What was read before a failure is kept, the error has the offset, and the call can be repeated.
 */
static void test_failing_read_can_be_repeated(void **state)
{
    static const size_t places[] = {16, 17, 1000, 131071, 131072, 131073, 200000, 1000000, INPUT};
    (void) state;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        for (size_t step = 1000; step <= INPUT; step *= 100) {
            struct fixture f;
            begin_feed(&f, INPUT, &step, 1);
            f.feed.fail_at = places[i];
            f.feed.failure = -1;
            take(&f, HEADER, HEADER);
            assert_status(gt_source_fill_all(&f.source), GT_ERR_IO);
            assert_int_equal(f.error.status, GT_ERR_IO);
            assert_int_equal(f.error.offset, places[i]);
            assert_int_equal(f.error.generation, 0);
            assert_int_equal(f.error.system_error, 0);
            assert_string_equal(f.error.message, "reading failed");
            assert_int_equal(gt_source_offset(&f.source), HEADER);
            assert_int_equal(gt_source_left(&f.source), places[i] - HEADER);
            assert_memory_equal(f.source.cur, input + HEADER, places[i] - HEADER);
            assert_status(gt_source_fill_all(&f.source), GT_ERR_IO);
            assert_int_equal(f.error.offset, places[i]);
            f.feed.fail_at = SIZE_MAX;
            check_fill(&f, INPUT, HEADER);
            end(&f);
        }
    }
}

/* Like feed_read, but returns more than it was asked for near the end. */
static int64_t give_too_much(void *user_data, void *buffer, size_t capacity)
{
    struct feed *feed = user_data;
    if (feed->position > 100000)
        return (int64_t) capacity + 1;
    return feed_read(feed, buffer, capacity);
}

static void test_read_of_too_much_is_an_error(void **state)
{
    static const size_t steps[] = {50001};
    struct fixture f;
    (void) state;
    begin_feed(&f, INPUT, steps, 1);
    f.source.read = give_too_much;
    take(&f, HEADER, HEADER);
    assert_status(gt_source_fill_all(&f.source), GT_ERR_IO);
    assert_int_equal(f.error.offset, 2 * 50001);
    assert_string_equal(f.error.message, "the read callback gave more than was asked for");
    assert_int_equal(gt_source_left(&f.source), 2 * 50001 - HEADER);
    end(&f);
}

/* The error has the system's error number. */
static void test_failing_descriptor_has_the_system_error(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    assert_status(gt_source_open_file(&f.source, "/tmp"), GT_OK);
    assert_status(gt_source_fill_all(&f.source), GT_ERR_IO);
    assert_int_equal(f.error.offset, 0);
    assert_int_equal(f.error.system_error, EISDIR);
    end(&f);
}

/* Fills within a limit; returns whether that sufficed. */
static bool fill_within(uint64_t limit)
{
    struct fixture f;
    gt_status status;
    begin_feed(&f, INPUT, NULL, 0);
    f.mem.limit = limit;
    status = gt_source_need(&f.source, HEADER);
    if (status == GT_OK) {
        f.source.cur += HEADER;
        status = gt_source_fill_all(&f.source);
    }
    assert_true(f.mem.peak <= limit);
    if (status == GT_OK) {
        assert_rest(&f, INPUT, HEADER);
    } else {
        assert_status(status, GT_ERR_LIMIT);
        assert_int_equal(f.error.status, GT_ERR_LIMIT);
        assert_int_equal(f.error.offset, GT_NO_OFFSET);
        /* What was read is not lost. */
        assert_memory_equal(f.source.cur, input + gt_source_offset(&f.source),
                            gt_source_left(&f.source));
        f.mem.limit = 0;
        take(&f, HEADER - (size_t) gt_source_offset(&f.source), HEADER);
        check_fill(&f, INPUT, HEADER);
    }
    end(&f);
    return status == GT_OK;
}

/* Not more memory than allowed is used, and three times the input always suffices. */
static void test_memory_limit_is_kept(void **state)
{
    (void) state;
    for (uint64_t limit = 1000; limit < INPUT; limit = limit * 5 / 4)
        assert_false(fill_within(limit));
    assert_true(fill_within(3 * INPUT));
    for (uint64_t limit = INPUT; limit < 3 * INPUT; limit += INPUT / 10)
        fill_within(limit);
}

/* Memory and mapped files need no memory. */
static void test_memory_in_place_needs_no_limit(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    f.mem.limit = 1;
    gt_source_open_memory(&f.source, input, INPUT);
    f.source.cur += HEADER;
    check_fill(&f, INPUT, HEADER);
    end(&f);
}

/* Fails where memory is needed, and continues from there in the next call. */
static void run(struct failing *failing)
{
    gt_error error = GT_ERROR_INIT;
    struct gt_source source;
    struct feed feed;
    feed_init(&feed, input, INPUT);
    gt_source_init(&source, &failing->mem, &error);
    gt_source_open_callback(&source, feed_read, &feed);
    if (TRY(failing, gt_source_need(&source, HEADER))) {
        source.cur += HEADER;
        if (TRY(failing, gt_source_fill_all(&source)))
            assert_int_equal(gt_source_left(&source), INPUT - HEADER);
        assert_int_equal(gt_source_offset(&source), HEADER);
        assert_memory_equal(source.cur, input + HEADER, gt_source_left(&source));
    }
    if (failing->probe.failed != 0) {
        assert_int_equal(error.status, GT_ERR_NO_MEMORY);
        assert_int_equal(error.offset, GT_NO_OFFSET);
    }
    gt_source_close(&source);
}

static void test_failing_allocation_can_be_repeated(void **state)
{
    (void) state;
    failing_each(run, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_is_used_in_place),
        cmocka_unit_test(test_file_is_mapped_and_descriptor_read),
        cmocka_unit_test(test_pipe_is_read_to_its_end),
        cmocka_unit_test(test_empty_input_gives_an_empty_window),
        cmocka_unit_test(test_reads_of_any_size_give_the_same_window),
        cmocka_unit_test(test_input_may_end_where_the_room_does),
        cmocka_unit_test(test_taken_bytes_are_not_kept),
        cmocka_unit_test(test_bytes_in_the_window_are_kept),
        cmocka_unit_test(test_failing_read_can_be_repeated),
        cmocka_unit_test(test_read_of_too_much_is_an_error),
        cmocka_unit_test(test_failing_descriptor_has_the_system_error),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_memory_in_place_needs_no_limit),
        cmocka_unit_test(test_failing_allocation_can_be_repeated),
    };
    return cmocka_run_group_tests_name("fill all", tests, setup_input, teardown_input);
}
