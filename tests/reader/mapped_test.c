/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Large files, of which a reader takes the events by reading them again and not out of the mapping:
 * it gives the same as for the same bytes in memory.
 */

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/digest.h"
#include "support/files.h"
#include "support/hostile.h"
#include "support/repairs.h"
#include "support/sample.h"
#include "support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Smaller files are read in place. */
#define LARGE (UINT64_C(1) << 20)

static void read_file(struct digest *digest, const char *path, const gt_reader_options *options)
{
    gt_reader *reader;
    *digest = (struct digest){0};
    digest->error = (gt_error) GT_ERROR_INIT;
    digest->status = gt_reader_open_file(&reader, path, options, &digest->error);
    if (digest->status == GT_OK)
        digest_read(digest, &reader);
}

/* Asserts that the file, read by so many workers, is the same as the bytes in memory. */
static void check(const uint8_t *data, size_t size, uint64_t flags, unsigned workers)
{
    struct repairs in_memory, in_file;
    struct digest memory = {0}, file;
    gt_reader_options options = repairs_options(&in_memory);
    char *path = files_temporary(data, size);
    options.flags = flags;
    digest_memory(&memory, data, size, &options);
    options = repairs_options(&in_file);
    options.flags = flags;
    options.workers = workers;
    read_file(&file, path, &options);
    digest_assert_equal(&file, &memory);
    repairs_assert_equal(&in_file, &in_memory);
    digest_free(&file);
    digest_free(&memory);
    assert_int_equal(remove(path), 0);
    free(path);
}

static void damage(uint8_t *data, size_t size, unsigned count, uint64_t *random)
{
    for (unsigned n = 0; n < count; n++)
        data[16 + test_random(random) % (size - 16)] ^= (uint8_t) (1 + n);
}

static void test_large_file_is_the_same_as_memory(void **state)
{
    static const unsigned versions[] = {22, 25, 26};
    uint64_t random = 22;
    (void) state;
    for (unsigned i = 0; i < COUNT(versions); i += TEST_STRIDE(2)) {
        struct wire wire = {0};
        sample_trace(&wire, versions[i], 4, 60000);
        assert_true(wire.size > LARGE);
        check(wire.data, wire.size, 0, 0);
        check(wire.data, wire.size, GT_READER_KEEP, 2);
        check(wire.data, wire.size - 1000 * (i + 1), GT_READER_LENIENT, 0);
        damage(wire.data, wire.size, 3, &random);
        check(wire.data, wire.size, 0, i);
        check(wire.data, wire.size, GT_READER_LENIENT, 2 - i);
        wire_free(&wire);
    }
}

/* With more threads than there are buffers, whose batches are of all sizes. */
static void test_large_hostile_files_are_the_same_as_memory(void **state)
{
    uint64_t random = 5;
    (void) state;
    for (size_t i = 0; i < hostile_count; i += TEST_STRIDE(4)) {
        struct wire wire = {0};
        hostiles[i].write(&wire, hostiles[i].n * 11);
        if (i % 3 == 0)
            damage(wire.data, wire.size, 10, &random);
        check(wire.data, wire.size, i % 3 == 0 ? GT_READER_LENIENT : 0, 0);
        wire_free(&wire);
    }
}

/* A limit of memory that is enough for the bytes in memory is enough for a file. */
static void test_large_file_needs_little_memory(void **state)
{
    struct wire wire = {0};
    (void) state;
    sample_trace(&wire, 26, 3, 60000);
    char *path = files_temporary(wire.data, wire.size);
    for (uint64_t limit = 20000; limit < 20000000; limit += limit / 4) {
        gt_reader_options options = GT_READER_OPTIONS_INIT;
        gt_reader_info info = GT_READER_INFO_INIT;
        const gt_event *event;
        gt_reader *reader;
        options.memory_limit = limit;
        gt_status status = gt_reader_open_file(&reader, path, &options, NULL);
        while (status == GT_OK)
            status = gt_reader_next_event(reader, &event);
        assert_true(status == GT_ERR_LIMIT || status == GT_END);
        if (!reader)
            continue;
        assert_status(gt_reader_get_info(reader, &info), GT_OK);
        assert_true(info.memory_peak <= limit);
        assert_true(status == GT_END || limit < 1000000);
        gt_reader_close(&reader);
    }
    assert_int_equal(remove(path), 0);
    free(path);
    wire_free(&wire);
}

/* The descriptor that the reader keeps is closed with it. */
static void test_large_file_is_closed(void **state)
{
    struct wire wire = {0};
    struct digest digest;
    (void) state;
    sample_trace(&wire, 26, 3, 60000);
    char *path = files_temporary(wire.data, wire.size);
    int before = dup(STDIN_FILENO);
    close(before);
    read_file(&digest, path, NULL);
    assert_status(digest.status, GT_END);
    int after = dup(STDIN_FILENO);
    close(after);
    assert_int_equal(after, before);
    digest_free(&digest);
    assert_int_equal(remove(path), 0);
    free(path);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_file_is_the_same_as_memory),
        cmocka_unit_test(test_large_hostile_files_are_the_same_as_memory),
        cmocka_unit_test(test_large_file_needs_little_memory),
        cmocka_unit_test(test_large_file_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
