/* SPDX-License-Identifier: BSD-3-Clause */

/* The same trace from every kind of source, in pieces of many sizes, and from sources that fail. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/files.h"
#include "support/sample.h"
#include "support/test.h"

/* A trace, and what is read of it from memory. */
struct whole {
    struct wire wire;
    struct digest digest;
};

static void write_whole(void **state, unsigned version)
{
    struct whole *whole = calloc(1, sizeof(*whole));
    assert_non_null(whole);
    sample_trace(&whole->wire, version, 6, 400);
    digest_memory(&whole->digest, whole->wire.data, whole->wire.size, NULL);
    assert_status(whole->digest.status, GT_END);
    assert_true(whole->digest.count > 6 * 400);
    *state = whole;
}

static int setup(void **state)
{
    write_whole(state, 25);
    return 0;
}

/* A trace that the reader holds completely, from its first byte to its last. */
static int setup_old(void **state)
{
    write_whole(state, 19);
    return 0;
}

static int teardown(void **state)
{
    struct whole *whole = *state;
    wire_free(&whole->wire);
    digest_free(&whole->digest);
    free(whole);
    return 0;
}

/* Reads from the reader that was opened, and asserts that the result is the same. */
static void expect_same(struct whole *whole, gt_reader *reader)
{
    struct digest digest;
    digest_read(&digest, &reader);
    digest_assert_equal(&digest, &whole->digest);
    digest_free(&digest);
}

static void test_file_gives_the_same(void **state)
{
    struct whole *whole = *state;
    char *path = files_temporary(whole->wire.data, whole->wire.size);
    gt_reader *reader;
    assert_status(gt_reader_open_file(&reader, path, NULL, NULL), GT_OK);
    expect_same(whole, reader);
    assert_int_equal(remove(path), 0);
    free(path);
}

/* The mapping outlives the file's name. */
static void test_removed_file_can_still_be_read(void **state)
{
    struct whole *whole = *state;
    char *path = files_temporary(whole->wire.data, whole->wire.size);
    gt_reader *reader;
    assert_status(gt_reader_open_file(&reader, path, NULL, NULL), GT_OK);
    assert_int_equal(remove(path), 0);
    expect_same(whole, reader);
    free(path);
}

static void test_descriptor_stays_the_callers(void **state)
{
    struct whole *whole = *state;
    char *path = files_temporary(whole->wire.data, whole->wire.size);
    int fd = open(path, O_RDONLY);
    gt_reader *reader;
    assert_true(fd >= 0);
    assert_status(gt_reader_open_fd(&reader, fd, NULL, NULL), GT_OK);
    expect_same(whole, reader);
    /* The descriptor stays the caller's, and is at the end of the file. */
    assert_int_equal(lseek(fd, 0, SEEK_CUR), whole->wire.size);
    assert_int_equal(close(fd), 0);
    remove(path);
    free(path);
}

/* Reading begins at the descriptor's position. */
static void test_reading_begins_where_the_descriptor_stands(void **state)
{
    struct whole *whole = *state;
    size_t size = whole->wire.size + 100;
    uint8_t *bytes = calloc(1, size);
    gt_reader *reader;
    char *path;
    int fd;
    assert_non_null(bytes);
    memcpy(bytes + 100, whole->wire.data, whole->wire.size);
    path = files_temporary(bytes, size);
    fd = open(path, O_RDONLY);
    assert_int_equal(lseek(fd, 100, SEEK_SET), 100);
    assert_status(gt_reader_open_fd(&reader, fd, NULL, NULL), GT_OK);
    expect_same(whole, reader);
    close(fd);
    remove(path);
    free(path);
    free(bytes);
}

static void test_pipe_gives_the_same(void **state)
{
    static const size_t steps[] = {0, 1, 4096, 5000};
    struct whole *whole = *state;
    struct writer writer;
    gt_reader *reader;
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
        writer_start(&writer, whole->wire.data, whole->wire.size, steps[i], 0);
        assert_status(gt_reader_open_fd(&reader, writer.fd, NULL, NULL), GT_OK);
        expect_same(whole, reader);
        writer_stop(&writer);
    }
}

/* A file that is not a regular one is read instead of mapped. */
static void test_fifo_gives_the_same(void **state)
{
    struct whole *whole = *state;
    char *path = files_temporary(NULL, 0);
    struct writer writer;
    gt_reader *reader;
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    writer_start_fifo(&writer, path, whole->wire.data, whole->wire.size);
    assert_status(gt_reader_open_file(&reader, path, NULL, NULL), GT_OK);
    expect_same(whole, reader);
    writer_stop(&writer);
    remove(path);
    free(path);
}

static volatile sig_atomic_t interruptions;

static void count_interruption(int number)
{
    (void) number;
    interruptions++;
}

static void test_interrupted_reads_are_repeated(void **state)
{
    struct whole *whole = *state;
    struct sigaction action, before;
    struct writer writer;
    gt_reader *reader;
    memset(&action, 0, sizeof(action));
    action.sa_handler = count_interruption;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, &before);
    writer_start(&writer, whole->wire.data, whole->wire.size, whole->wire.size / 40, SIGUSR1);
    assert_status(gt_reader_open_fd(&reader, writer.fd, NULL, NULL), GT_OK);
    expect_same(whole, reader);
    writer_stop(&writer);
    sigaction(SIGUSR1, &before, NULL);
    assert_true(interruptions > 0);
}

static void expect_steps(struct whole *whole, const size_t *steps, size_t count, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct feed feed;
    gt_reader *reader;
    options.flags = flags;
    feed_init(&feed, whole->wire.data, whole->wire.size);
    feed.steps = steps;
    feed.step_count = count;
    assert_status(gt_reader_open_callback(&reader, feed_read, &feed, &options, NULL), GT_OK);
    expect_same(whole, reader);
}

static void test_callback_of_equal_pieces_gives_the_same(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 7, 13, 4096, 65536};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        expect_steps(*state, &sizes[i], 1, 0);
        expect_steps(*state, &sizes[i], 1, GT_READER_KEEP);
    }
    expect_steps(*state, NULL, 0, 0);
    expect_steps(*state, NULL, 0, GT_READER_KEEP);
}

static void test_callback_of_mixed_pieces_gives_the_same(void **state)
{
    size_t sizes[97];
    uint64_t seed = 7;
    for (size_t i = 0; i < 97; i++)
        sizes[i] = 1 + (size_t) (test_random(&seed) % (i % 3 == 0 ? 9000 : 40));
    expect_steps(*state, sizes, 97, 0);
}

/* Generations of more than a megabyte, in pieces of many sizes. */
static void test_large_generations_in_pieces_are_the_same(void **state)
{
    static const size_t sizes[] = {1000, 65536, 1 << 20, SIZE_MAX};
    struct whole large = {{0}, {0}};
    (void) state;
    sample_trace(&large.wire, 26, 4, 300000);
    assert_true(large.wire.size > 4 << 20);
    digest_memory(&large.digest, large.wire.data, large.wire.size, NULL);
    assert_status(large.digest.status, GT_END);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        expect_steps(&large, &sizes[i], 1, i % 2 ? GT_READER_KEEP : 0);
    wire_free(&large.wire);
    digest_free(&large.digest);
}

/* The header may also arrive one byte at a time, and opening reads nothing beyond it. */
static void test_opening_reads_only_the_header(void **state)
{
    static const size_t one = 1;
    struct whole *whole = *state;
    struct feed feed;
    gt_reader *reader;
    feed_init(&feed, whole->wire.data, whole->wire.size);
    feed.steps = &one;
    feed.step_count = 1;
    assert_status(gt_reader_open_callback(&reader, feed_read, &feed, NULL, NULL), GT_OK);
    assert_int_equal(feed.position, 16);
    gt_reader_close(&reader);
}

static int64_t read_too_much(void *user_data, void *buffer, size_t capacity)
{
    struct feed *feed = user_data;
    int64_t count = feed_read(feed, buffer, capacity);
    return feed->position > 2000 ? (int64_t) capacity + 1 : count;
}

static int64_t read_far_too_much(void *user_data, void *buffer, size_t capacity)
{
    struct feed *feed = user_data;
    int64_t count = feed_read(feed, buffer, capacity);
    return feed->position > 2000 ? INT64_MAX : count;
}

/*
 * Reads a source that fails, and asserts that good events come first, and then always the failure.
 */
static void expect_failure(struct whole *whole, gt_reader *reader)
{
    struct digest digest;
    digest_read(&digest, &reader);
    assert_status(digest.status, GT_ERR_IO);
    assert_true(strlen(digest.error.message) > 0);
    assert_int_equal(digest_common(&digest, &whole->digest), digest.count);
    digest_free(&digest);
}

static void test_callback_that_claims_too_much_is_an_error(void **state)
{
    static const size_t step = 100;
    const gt_read_fn reads[] = {read_too_much, read_far_too_much};
    struct whole *whole = *state;
    struct feed feed;
    gt_reader *reader;
    for (size_t i = 0; i < 2; i++) {
        feed_init(&feed, whole->wire.data, whole->wire.size);
        feed.steps = &step;
        feed.step_count = 1;
        assert_status(gt_reader_open_callback(&reader, reads[i], &feed, NULL, NULL), GT_OK);
        expect_failure(whole, reader);
    }
}

static void test_failing_callback_is_an_error(void **state)
{
    static const size_t step = 1000;
    struct whole *whole = *state;
    gt_error error = GT_ERROR_INIT;
    struct feed feed;
    gt_reader *reader;
    for (size_t k = 0; k <= whole->wire.size; k += k < 40 ? 1 : whole->wire.size / 50) {
        feed_init(&feed, whole->wire.data, whole->wire.size);
        feed.steps = &step;
        feed.step_count = 1;
        feed.fail_at = k;
        feed.failure = k % 2 ? -1 : INT64_MIN + 1;
        if (k < 16) {
            assert_status(gt_reader_open_callback(&reader, feed_read, &feed, NULL, &error),
                          GT_ERR_IO);
            assert_null(reader);
            assert_int_equal(error.status, GT_ERR_IO);
            assert_int_equal(error.offset, k);
        } else {
            assert_status(gt_reader_open_callback(&reader, feed_read, &feed, NULL, NULL), GT_OK);
            expect_failure(whole, reader);
        }
    }
}

/* Once reading has failed or ended, the callback is not called again. */
static void test_callback_is_not_called_after_the_end(void **state)
{
    struct whole *whole = *state;
    const gt_event *event;
    struct feed feed;
    gt_reader *reader;
    uint64_t calls;
    for (int fails = 0; fails < 2; fails++) {
        feed_init(&feed, whole->wire.data, whole->wire.size);
        if (fails) {
            feed.fail_at = whole->wire.size / 2;
            feed.failure = -1;
        }
        assert_status(gt_reader_open_callback(&reader, feed_read, &feed, NULL, NULL), GT_OK);
        while (gt_reader_next_event(reader, &event) == GT_OK)
            continue;
        calls = feed.calls;
        assert_status(gt_reader_next_event(reader, &event), fails ? GT_ERR_IO : GT_END);
        gt_reader_close(&reader);
        assert_int_equal(feed.calls, calls);
    }
}

static void test_bad_descriptor_is_an_error(void **state)
{
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader = (gt_reader *) &error;
    int fd = open("/", O_RDONLY);
    (void) state;
    assert_status(gt_reader_open_fd(&reader, -1, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_null(reader);
    assert_status(gt_reader_open_fd(&reader, fd, NULL, &error), GT_ERR_IO);
    assert_null(reader);
    assert_int_equal(error.system_error, EISDIR);
    close(fd);
    assert_status(gt_reader_open_fd(&reader, fd, NULL, &error), GT_ERR_IO);
    assert_int_equal(error.system_error, EBADF);
}

/* Whether a file is mapped into this process; false where the system does not provide that. */
static bool is_mapped(const char *path)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1024];
    bool found = false;
    while (maps && fgets(line, sizeof(line), maps))
        found = found || strstr(line, path);
    if (maps)
        fclose(maps);
    return found;
}

/* Closing releases everything that opening took, and so does opening that fails. */
static void test_nothing_stays_open(void **state)
{
    struct whole *whole = *state;
    char *good = files_temporary(whole->wire.data, whole->wire.size);
    char *bad = files_temporary("no trace", 8);
    int before = dup(0), after;
    gt_reader *reader;
    assert_true(before >= 0);
    close(before);
    assert_status(gt_reader_open_file(&reader, good, NULL, NULL), GT_OK);
    gt_reader_close(&reader);
    assert_status(gt_reader_open_file(&reader, bad, NULL, NULL), GT_ERR_NOT_A_TRACE);
    assert_status(gt_reader_open_file(&reader, "/dev/zero", NULL, NULL), GT_ERR_NOT_A_TRACE);
    assert_status(gt_reader_open_file(&reader, "/", NULL, NULL), GT_ERR_IO);
    after = dup(0);
    assert_int_equal(after, before);
    close(after);
    assert_false(is_mapped(good));
    assert_false(is_mapped(bad));
    remove(good);
    remove(bad);
    free(good);
    free(bad);
}

static void test_bad_file_is_an_error(void **state)
{
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader = (gt_reader *) &error;
    (void) state;
    assert_status(gt_reader_open_file(&reader, "/nowhere/at/all", NULL, &error), GT_ERR_IO);
    assert_null(reader);
    assert_int_equal(error.status, GT_ERR_IO);
    assert_int_equal(error.system_error, ENOENT);
    assert_true(strlen(error.message) > 0);
    assert_string_equal(error.message, "cannot open the file: No such file or directory");
    assert_status(gt_reader_open_file(&reader, "/", NULL, &error), GT_ERR_IO);
    assert_int_equal(error.system_error, EISDIR);
    assert_string_equal(error.message, "reading failed: Is a directory");
}

static void test_empty_source_is_not_a_trace(void **state)
{
    char *path = files_temporary(NULL, 0);
    struct feed feed;
    gt_reader *reader;
    (void) state;
    assert_status(gt_reader_open_file(&reader, path, NULL, NULL), GT_ERR_NOT_A_TRACE);
    assert_status(gt_reader_open_file(&reader, "/dev/null", NULL, NULL), GT_ERR_NOT_A_TRACE);
    assert_status(gt_reader_open_memory(&reader, NULL, 0, NULL, NULL), GT_ERR_NOT_A_TRACE);
    feed_init(&feed, "", 0);
    assert_status(gt_reader_open_callback(&reader, feed_read, &feed, NULL, NULL),
                  GT_ERR_NOT_A_TRACE);
    remove(path);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_gives_the_same),
        cmocka_unit_test(test_removed_file_can_still_be_read),
        cmocka_unit_test(test_descriptor_stays_the_callers),
        cmocka_unit_test(test_reading_begins_where_the_descriptor_stands),
        cmocka_unit_test(test_pipe_gives_the_same),
        cmocka_unit_test(test_fifo_gives_the_same),
        cmocka_unit_test(test_interrupted_reads_are_repeated),
        cmocka_unit_test(test_callback_of_equal_pieces_gives_the_same),
        cmocka_unit_test(test_callback_of_mixed_pieces_gives_the_same),
        cmocka_unit_test(test_opening_reads_only_the_header),
        cmocka_unit_test(test_callback_that_claims_too_much_is_an_error),
        cmocka_unit_test(test_failing_callback_is_an_error),
        cmocka_unit_test(test_callback_is_not_called_after_the_end),
        cmocka_unit_test(test_bad_descriptor_is_an_error),
        cmocka_unit_test(test_bad_file_is_an_error),
        cmocka_unit_test(test_nothing_stays_open),
        cmocka_unit_test(test_empty_source_is_not_a_trace),
    };
    const struct CMUnitTest large[] = {
        cmocka_unit_test(test_large_generations_in_pieces_are_the_same),
    };
    return cmocka_run_group_tests_name("large sources", large, NULL, NULL) +
           cmocka_run_group_tests_name("sources", tests, setup, teardown) +
           cmocka_run_group_tests_name("sources of old traces", tests, setup_old, teardown);
}
