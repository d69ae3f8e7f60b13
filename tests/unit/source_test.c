/* SPDX-License-Identifier: BSD-3-Clause */

/* The window over the bytes of a trace, from every kind of source. */

#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/feed.h"
#include "support/temporary.h"
#include "support/test.h"
#include "unit/failing.h"

/* Longer than several chunks, and no multiple of a chunk. */
#define INPUT 3000017

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    gt_error error;
    struct gt_source source;
    struct feed feed;
};

static uint8_t *input;

/* Bytes that tell their position. */
static int setup_input(void **state)
{
    uint64_t seed = 5551212;
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
}

/* Starts a source that gets `size` bytes in reads of these sizes in turn. */
static void begin_feed(struct fixture *f, size_t size, const size_t *steps, size_t count)
{
    begin(f);
    feed_init(&f->feed, input, size);
    f->feed.steps = steps;
    f->feed.step_count = count;
    gt_source_open_callback(&f->source, feed_read, &f->feed);
}

static void end(struct fixture *f)
{
    gt_source_close(&f->source);
    assert_int_equal(gt_source_left(&f->source), 0);
    probe_check(&f->probe);
    assert_int_equal(f->mem.used, 0);
}

static void test_empty_source_has_ended(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    assert_true(f.source.ended);
    assert_int_equal(gt_source_left(&f.source), 0);
    assert_int_equal(gt_source_offset(&f.source), 0);
    assert_status(gt_source_need(&f.source, 100), GT_OK);
    gt_source_release(&f.source);
    gt_source_open_memory(&f.source, NULL, 0);
    assert_status(gt_source_need(&f.source, 1), GT_OK);
    assert_int_equal(gt_source_left(&f.source), 0);
    assert_true(f.source.ended);
    end(&f);
    assert_int_equal(f.probe.calls, 0);
}

/* Memory is used in place. */
static void test_memory_is_used_in_place(void **state)
{
    struct fixture f;
    size_t size = 1000;
    (void) state;
    begin(&f);
    gt_source_open_memory(&f.source, input, size);
    assert_ptr_equal(f.source.cur, input);
    assert_int_equal(gt_source_left(&f.source), size);
    assert_true(f.source.ended);
    assert_status(gt_source_need(&f.source, SIZE_MAX), GT_OK);
    f.source.cur += 600;
    gt_source_release(&f.source);
    assert_ptr_equal(f.source.cur, input + 600);
    assert_int_equal(gt_source_left(&f.source), 400);
    assert_int_equal(gt_source_offset(&f.source), 600);
    /* After the last byte nothing may be read. */
    assert_true(gt_source_slack(&f.source, input + size - GT_SOURCE_SLACK));
    assert_false(gt_source_slack(&f.source, input + size - GT_SOURCE_SLACK + 1));
    assert_false(gt_source_slack(&f.source, input + size));
    end(&f);
    assert_int_equal(f.probe.calls, 0);
}

/* Pieces that were used, and that must stay in place until the next release. */
struct used {
    const uint8_t *bytes[64];
    size_t offset[64];
    size_t size[64];
    size_t count;
};

static void check_used(struct used *used)
{
    for (size_t i = 0; i < used->count; i++)
        assert_memory_equal(used->bytes[i], input + used->offset[i], used->size[i]);
    used->count = 0;
}

/* Requests `need` bytes at `offset`, and checks the window. */
static size_t look(struct fixture *f, size_t size, size_t offset, size_t need)
{
    size_t expected = need < size - offset ? need : size - offset;
    uint64_t calls = f->feed.calls;
    size_t left = gt_source_left(&f->source);
    assert_int_equal(gt_source_offset(&f->source), offset);
    assert_status(gt_source_need(&f->source, need), GT_OK);
    if (left >= need)
        assert_int_equal(f->feed.calls, calls);
    assert_true(gt_source_left(&f->source) >= expected);
    assert_int_equal(f->source.ended, gt_source_left(&f->source) < need);
    assert_memory_equal(f->source.cur, input + offset, gt_source_left(&f->source));
    assert_int_equal(gt_source_offset(&f->source), offset);
    return expected;
}

/* A sanitizer reports if the bytes after the window cannot be read. */
static unsigned touch_slack(const struct fixture *f)
{
    unsigned sum = 0;
    assert_true(gt_source_slack(&f->source, f->source.end));
    for (size_t i = 0; i < GT_SOURCE_SLACK; i++)
        sum += f->source.end[i];
    return sum;
}

/* Reads everything in pieces of random sizes up to `most`, and releases now and then. */
static void read_all(struct fixture *f, size_t size, size_t most, uint64_t seed)
{
    struct used used = {.count = 0};
    size_t offset = 0;
    while (offset < size) {
        uint64_t pick = test_random(&seed);
        size_t need = 1 + pick % most, taken = look(f, size, offset, need);
        assert_true(touch_slack(f) <= GT_SOURCE_SLACK * 255);
        used.bytes[used.count] = f->source.cur;
        used.offset[used.count] = offset;
        used.size[used.count++] = taken;
        f->source.cur += taken;
        offset += taken;
        if (used.count == 64 || (pick >> 32) % 16 == 0) {
            check_used(&used);
            gt_source_release(&f->source);
            assert_int_equal(gt_source_offset(&f->source), offset);
        }
    }
    check_used(&used);
    look(f, size, offset, 1);
    assert_true(f->source.ended);
    assert_int_equal(f->feed.position, size);
}

static void test_reads_of_any_size_give_the_same_bytes(void **state)
{
    static const size_t odd[] = {7, 1, 300, 4096, 1, 65537, 13};
    static const size_t page[] = {4096};
    static const size_t huge[] = {SIZE_MAX};

    static const struct {
        const size_t *steps;
        size_t count, size, most;
    } cases[] = {
        {odd, 7, INPUT, 70000},          {odd, 7, INPUT / 3, 3000}, {page, 1, INPUT, 70000},
        {page, 1, INPUT / 3, 200000},    {huge, 1, INPUT, 70000},   {huge, 1, 131072, 65536},
        {huge, 1, 131073, 65536},        {odd, 2, 5000, 100},       {huge, 1, 1, 1},
        {huge, 1, 2 * 131072 + 1, 9999},
    };
    struct fixture f;
    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin_feed(&f, cases[i].size, cases[i].steps, cases[i].count);
        read_all(&f, cases[i].size, cases[i].most, i + 1);
        end(&f);
    }
}

/* No more is read than was requested, one byte at a time if necessary. */
static void test_no_more_is_read_than_requested(void **state)
{
    static const size_t one[] = {1};
    struct fixture f;
    (void) state;
    begin_feed(&f, 10000, one, 1);
    for (size_t i = 0; i < 5000; i += 100) {
        assert_status(gt_source_need(&f.source, 50), GT_OK);
        assert_int_equal(f.feed.position, i + 50);
        assert_status(gt_source_need(&f.source, 100), GT_OK);
        assert_int_equal(f.feed.position, i + 100);
        f.source.cur += 100;
    }
    end(&f);
}

/* The end is read only once: a terminal may go on after it. */
static void test_end_is_read_once(void **state)
{
    struct fixture f;
    uint64_t calls;
    (void) state;
    begin_feed(&f, 100, NULL, 0);
    assert_status(gt_source_need(&f.source, 100), GT_OK);
    assert_false(f.source.ended);
    assert_status(gt_source_need(&f.source, 101), GT_OK);
    assert_true(f.source.ended);
    assert_int_equal(gt_source_left(&f.source), 100);
    calls = f.feed.calls;
    f.feed.size = INPUT;
    f.source.cur += 100;
    assert_status(gt_source_need(&f.source, 1), GT_OK);
    assert_int_equal(gt_source_left(&f.source), 0);
    assert_int_equal(f.feed.calls, calls);
    end(&f);
}

/* What was read before a failure is kept, and the error has the offset. */
static void test_failing_read_is_reported_with_its_offset(void **state)
{
    static const size_t step[] = {1000};
    (void) state;
    for (size_t at = 0; at <= 300000; at += 50000) {
        struct fixture f;
        begin_feed(&f, INPUT, step, 1);
        f.feed.fail_at = at;
        f.feed.failure = -1;
        while (gt_source_need(&f.source, 10) == GT_OK)
            f.source.cur += 10;
        assert_int_equal(gt_source_left(&f.source), 0);
        assert_int_equal(gt_source_offset(&f.source), at);
        assert_status((gt_status) f.error.status, GT_ERR_IO);
        assert_int_equal(f.error.offset, at);
        assert_int_equal(f.error.generation, 0);
        assert_int_equal(f.error.system_error, 0);
        assert_string_equal(f.error.message, "reading failed");
        end(&f);
    }
}

static int64_t give_too_much(void *user_data, void *buffer, size_t capacity)
{
    (void) buffer;
    return *(const int *) user_data ? INT64_MAX : (int64_t) capacity + 1;
}

static void test_read_of_too_much_is_an_error(void **state)
{
    (void) state;
    for (int far = 0; far <= 1; far++) {
        struct fixture f;
        begin(&f);
        gt_source_open_callback(&f.source, give_too_much, &far);
        assert_status(gt_source_need(&f.source, 1), GT_ERR_IO);
        assert_int_equal(gt_source_left(&f.source), 0);
        assert_int_equal(f.error.offset, 0);
        assert_string_equal(f.error.message, "the read callback gave more than was asked for");
        end(&f);
    }
}

/* Reads the input again and again, in pieces, with a release after some of them. */
static void check_bounded(int pieces, uint64_t most)
{
    const size_t piece = 60000;
    struct fixture f;
    uint64_t calls = 0;
    begin_feed(&f, INPUT, NULL, 0);
    for (int round = 0; round < 40; round++) {
        const uint8_t *used[100];
        size_t start = gt_source_offset(&f.source) % INPUT;
        for (size_t i = 0; i < (size_t) pieces; i++) {
            /* The input has no end here: it starts again. */
            if (f.feed.position == INPUT)
                f.feed.position = 0;
            assert_status(gt_source_need(&f.source, piece), GT_OK);
            used[i] = f.source.cur;
            f.source.cur += piece;
        }
        for (size_t i = 0; i < (size_t) pieces; i++) {
            size_t at = (start + i * piece) % INPUT;
            size_t size = piece < INPUT - at ? piece : INPUT - at;
            assert_memory_equal(used[i], input + at, size);
            assert_memory_equal(used[i] + size, input, piece - size);
        }
        gt_source_release(&f.source);
        if (round == 20)
            calls = f.probe.calls;
    }
    assert_int_equal(f.probe.calls, calls);
    assert_true(f.mem.peak <= most);
    end(&f);
}

/* With releases memory is used again, however long the input is. */
static void test_released_memory_is_used_again(void **state)
{
    (void) state;
    check_bounded(1, 1 << 20);
    check_bounded(4, 3 << 20);
    check_bounded(75, 10 << 20);
}

/* Without releases everything is kept, and little is wasted. */
static void test_without_release_everything_is_kept(void **state)
{
    struct fixture f;
    const uint8_t *first;
    (void) state;
    begin_feed(&f, INPUT, NULL, 0);
    assert_status(gt_source_need(&f.source, 100), GT_OK);
    first = f.source.cur;
    for (size_t i = 0; i < INPUT / 60000; i++) {
        assert_status(gt_source_need(&f.source, 60000), GT_OK);
        f.source.cur += 60000;
    }
    assert_memory_equal(first, input, 60000);
    assert_true(f.mem.used <= INPUT * 3 / 2 + (1 << 20));
    end(&f);
}

static void test_memory_limit_is_kept(void **state)
{
    struct fixture f;
    (void) state;
    begin_feed(&f, INPUT, NULL, 0);
    f.mem.limit = 1000;
    assert_status(gt_source_need(&f.source, 1), GT_ERR_LIMIT);
    assert_int_equal(f.error.status, GT_ERR_LIMIT);
    assert_int_equal(f.error.offset, GT_NO_OFFSET);
    assert_int_equal(f.feed.calls, 0);
    end(&f);
}

/* Makes a temporary file of the first bytes of the input; returns it, open. */
static int make_file(char **path, size_t size)
{
    int fd = temporary_new_file(path);
    assert_int_equal(write(fd, input, size), size);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

/* Opens a source of a file of `size` bytes, whose name is removed then. */
static void begin_file(struct fixture *f, size_t size)
{
    char *path;
    close(make_file(&path, size));
    begin(f);
    assert_status(gt_source_open_file(&f->source, path), GT_OK);
    unlink(path);
    free(path);
}

static void test_file_is_mapped(void **state)
{
    struct fixture f;
    (void) state;
    begin_file(&f, 200000);
    assert_status(gt_source_need(&f.source, 200001), GT_OK);
    assert_int_equal(gt_source_left(&f.source), 200000);
    assert_memory_equal(f.source.cur, input, 200000);
    /* The file was mapped, so no memory was allocated. */
    assert_int_equal(f.probe.calls, 0);
    end(&f);
}

static void test_empty_file_has_ended(void **state)
{
    struct fixture f;
    (void) state;
    begin_file(&f, 0);
    assert_status(gt_source_need(&f.source, 1), GT_OK);
    assert_int_equal(gt_source_left(&f.source), 0);
    assert_true(f.source.ended);
    end(&f);
}

static void test_missing_file_is_an_error(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    assert_status(gt_source_open_file(&f.source, "/nonexistent/trace"), GT_ERR_IO);
    assert_int_equal(f.error.status, GT_ERR_IO);
    assert_int_equal(f.error.offset, GT_NO_OFFSET);
    assert_int_equal(f.error.system_error, ENOENT);
    end(&f);
}

/* A descriptor is read from its position, and stays open. */
static void test_descriptor_is_read_from_its_position(void **state)
{
    char *path, byte;
    int fd = make_file(&path, 200000);
    struct fixture f;
    (void) state;
    unlink(path);
    free(path);
    assert_int_equal(lseek(fd, 5, SEEK_SET), 5);
    begin(&f);
    gt_source_open_fd(&f.source, fd);
    assert_status(gt_source_need(&f.source, 200000), GT_OK);
    assert_int_equal(gt_source_left(&f.source), 199995);
    assert_memory_equal(f.source.cur, input + 5, 199995);
    end(&f);
    assert_int_equal(read(fd, &byte, 1), 0);
    close(fd);
}

/* The error has the system's error number and an offset; what was opened is closed. */
static void test_failing_descriptor_has_the_system_error(void **state)
{
    char *path;
    int fd = make_file(&path, 10);
    struct fixture f;
    int folder;
    (void) state;
    begin(&f);
    gt_source_open_fd(&f.source, fd);
    assert_status(gt_source_need(&f.source, 10), GT_OK);
    f.source.cur += 10;
    close(fd);
    unlink(path);
    free(path);
    assert_status(gt_source_need(&f.source, 1), GT_ERR_IO);
    assert_int_equal(f.error.offset, 10);
    assert_int_equal(f.error.system_error, EBADF);
    end(&f);
    begin(&f);
    /* A folder can be opened, but not read. */
    assert_status(gt_source_open_file(&f.source, "/tmp"), GT_OK);
    assert_status(gt_source_need(&f.source, 1), GT_ERR_IO);
    assert_int_equal(f.error.offset, 0);
    assert_int_equal(f.error.system_error, EISDIR);
    folder = f.source.fd;
    assert_int_not_equal(fcntl(folder, F_GETFD), -1);
    end(&f);
    assert_int_equal(fcntl(folder, F_GETFD), -1);
}

/* Fails where a chunk is needed, and continues from there in the next call. */
static void run(struct failing *failing)
{
    gt_error error = GT_ERROR_INIT;
    struct gt_source source;
    size_t offset = 0;
    struct feed feed;
    feed_init(&feed, input, INPUT);
    gt_source_init(&source, &failing->mem, &error);
    gt_source_open_callback(&source, feed_read, &feed);
    while (TRY(failing, gt_source_need(&source, 50000))) {
        if (gt_source_left(&source) < 50000)
            break;
        assert_memory_equal(source.cur, input + offset, 50000);
        source.cur += 50000;
        offset += 50000;
        if (offset % 500000 == 0)
            gt_source_release(&source);
    }
    assert_int_equal(gt_source_offset(&source), offset);
    if (!failing->probe.fail_on)
        assert_int_equal(offset + gt_source_left(&source), INPUT);
    if (failing->probe.failed != 0)
        assert_int_equal(error.status, GT_ERR_NO_MEMORY);
    gt_source_close(&source);
}

static void test_failing_allocation_can_be_repeated(void **state)
{
    (void) state;
    failing_each(run, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_source_has_ended),
        cmocka_unit_test(test_memory_is_used_in_place),
        cmocka_unit_test(test_reads_of_any_size_give_the_same_bytes),
        cmocka_unit_test(test_no_more_is_read_than_requested),
        cmocka_unit_test(test_end_is_read_once),
        cmocka_unit_test(test_failing_read_is_reported_with_its_offset),
        cmocka_unit_test(test_read_of_too_much_is_an_error),
        cmocka_unit_test(test_released_memory_is_used_again),
        cmocka_unit_test(test_without_release_everything_is_kept),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_file_is_mapped),
        cmocka_unit_test(test_empty_file_has_ended),
        cmocka_unit_test(test_missing_file_is_an_error),
        cmocka_unit_test(test_descriptor_is_read_from_its_position),
        cmocka_unit_test(test_failing_descriptor_has_the_system_error),
        cmocka_unit_test(test_failing_allocation_can_be_repeated),
    };
    return cmocka_run_group_tests_name("source", tests, setup_input, teardown_input);
}
