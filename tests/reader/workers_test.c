/* SPDX-License-Identifier: BSD-3-Clause */

/* gt_reader_options.workers: a reader gives the same with and without them. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/files.h"
#include "support/hostile.h"
#include "support/probe.h"
#include "support/repairs.h"
#include "support/sample.h"
#include "support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void read_all(struct digest *digest, struct repairs *repairs, const uint8_t *data,
                     size_t size, uint64_t flags, unsigned workers, uint64_t bytes)
{
    gt_reader_options options = repairs_options(repairs);
    *digest = (struct digest){0};
    digest->error = (gt_error) GT_ERROR_INIT;
    options.flags = flags;
    options.workers = workers;
    options.ahead_bytes = bytes;
    digest_memory(digest, data, size, &options);
}

static void check(const uint8_t *data, size_t size, uint64_t flags)
{
    static const unsigned workers[] = {1, 2, 4};
    struct digest plain, ahead;
    struct repairs plain_repairs, ahead_repairs;
    read_all(&plain, &plain_repairs, data, size, flags, 0, 0);
    for (size_t i = 0; i < COUNT(workers); i++) {
        read_all(&ahead, &ahead_repairs, data, size, flags, workers[i], i % 2);
        digest_assert_equal(&ahead, &plain);
        repairs_assert_equal(&ahead_repairs, &plain_repairs);
        digest_free(&ahead);
    }
    digest_free(&plain);
}

static const uint64_t flags[] = {0, GT_READER_KEEP, GT_READER_LENIENT,
                                 GT_READER_LENIENT | GT_READER_KEEP};

/* Checks the trace, a prefix of it, and a damaged copy, each with different flags. */
static void check_ways(uint8_t *data, size_t size, size_t turn, uint64_t *random)
{
    check(data, size, flags[turn % COUNT(flags)]);
    check(data, size - test_random(random) % (size / 2), flags[(turn + 1) % COUNT(flags)]);
    for (size_t i = 2; i < 4; i++) {
        for (unsigned n = 0; n < 2 && size > 16; n++)
            data[16 + test_random(random) % (size - 16)] ^= (uint8_t) (1 + n);
        check(data, size, flags[(turn + i) % COUNT(flags)]);
    }
}

static void check_folder(const char *folder, const char *suffix)
{
    struct file_list list = {0};
    uint64_t random = 21;
    files_list(&list, folder, "", suffix);
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(folder, list.names[i]);
        size_t size;
        uint8_t *data = files_read(path, &size);
        check_ways(data, size, i, &random);
        free(data);
        free(path);
    }
    files_list_free(&list);
}

static void test_testdata_is_the_same_with_workers(void **state)
{
    char *v1 = files_join(files_testdata(), "v1"), *v2 = files_join(files_testdata(), "v2");
    (void) state;
    check_folder(v1, ".trace");
    check_folder(v2, ".trace");
    free(v1);
    free(v2);
}

static void test_corpus_is_the_same_with_workers(void **state)
{
    (void) state;
    if (!files_corpus())
        skip();
    check_folder(files_corpus(), ".trace");
}

static void test_large_generations_are_the_same_with_workers(void **state)
{
    static const unsigned versions[] = {22, 25, 26};
    uint64_t random = 22;
    (void) state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        struct wire wire = {0};
        sample_trace(&wire, versions[i], 4, 30000);
        check(wire.data, wire.size, 0);
        check_ways(wire.data, wire.size, i, &random);
        wire_free(&wire);
    }
}

static void test_hostile_traces_are_the_same_with_workers(void **state)
{
    (void) state;
    for (size_t i = 0; i < hostile_count; i++) {
        struct wire wire = {0};
        hostiles[i].write(&wire, hostiles[i].n / 10);
        check(wire.data, wire.size, flags[i % COUNT(flags)]);
        wire_free(&wire);
    }
}

/* The threads end wherever they are. */
static void test_reader_with_workers_can_be_closed_and_cancelled_anywhere(void **state)
{
    struct wire wire = {0};
    (void) state;
    sample_trace(&wire, 26, 4, 30000);
    for (unsigned stop = 0; stop < 110000; stop = stop * 3 + 1) {
        gt_reader_options options = GT_READER_OPTIONS_INIT;
        const gt_event *event;
        gt_reader *reader;
        gt_status status = GT_OK;
        options.workers = 1 + stop % 3;
        options.flags = stop % 2 ? GT_READER_KEEP : 0;
        options.ahead_bytes = stop % 5;
        assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, &options, NULL), GT_OK);
        for (unsigned i = 0; i < stop && status == GT_OK; i++)
            status = gt_reader_next_event(reader, &event);
        assert_status(status, GT_OK);
        if (stop % 4 != 0) {
            gt_reader_cancel(reader);
            assert_status(gt_reader_next_event(reader, &event), GT_CANCELLED);
        }
        gt_reader_close(&reader);
        assert_null(reader);
    }
    wire_free(&wire);
}

/* With less memory than the workers want, the reader still ends with a status that says so. */
static void test_workers_keep_to_the_limit_of_memory(void **state)
{
    struct wire wire = {0};
    (void) state;
    sample_trace(&wire, 26, 3, 20000);
    for (uint64_t limit = 20000; limit < 20000000; limit += limit / 2) {
        gt_reader_options options = GT_READER_OPTIONS_INIT;
        gt_reader_info info = GT_READER_INFO_INIT;
        const gt_event *event;
        gt_reader *reader;
        gt_status status;
        options.workers = 2;
        options.memory_limit = limit;
        status = gt_reader_open_memory(&reader, wire.data, wire.size, &options, NULL);
        while (status == GT_OK)
            status = gt_reader_next_event(reader, &event);
        assert_true(status == GT_END || status == GT_ERR_LIMIT);
        if (!reader)
            continue;
        assert_status(gt_reader_get_info(reader, &info), GT_OK);
        assert_true(info.memory_peak <= limit);
        gt_reader_close(&reader);
    }
    wire_free(&wire);
}

/* Returns whether the allocation `at` was reached; it fails, and all later ones if `on` is set. */
static bool check_failure(const struct wire *wire, const struct digest *plain, uint64_t at, bool on)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct digest digest = {0};
    struct probe probe;
    gt_reader *reader;
    probe_init(&probe);
    probe.fail_at = at;
    probe.fail_on = on;
    digest.error = (gt_error) GT_ERROR_INIT;
    options.allocator = &probe.allocator;
    options.workers = 2;
    digest.status = gt_reader_open_memory(&reader, wire->data, wire->size, &options, NULL);
    if (digest.status == GT_OK)
        digest_read(&digest, &reader);
    if (digest.status == GT_END) {
        digest_assert_equal(&digest, plain);
    } else {
        assert_status(digest.status, GT_ERR_NO_MEMORY);
        assert_int_equal(digest_common(&digest, plain), digest.count);
    }
    digest_free(&digest);
    probe_check(&probe);
    return probe.calls >= at;
}

/* Without memory for a worker the reader goes on by itself, or ends with a prefix of the events. */
static void test_failed_allocations_lose_nothing_but_the_rest(void **state)
{
    struct wire wire = {0};
    struct digest plain = {0};
    (void) state;
    sample_trace(&wire, 26, 3, 100);
    digest_memory(&plain, wire.data, wire.size, NULL);
    for (uint64_t at = 1; check_failure(&wire, &plain, at, at % 2); at++)
        continue;
    digest_free(&plain);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_testdata_is_the_same_with_workers),
        cmocka_unit_test(test_corpus_is_the_same_with_workers),
        cmocka_unit_test(test_large_generations_are_the_same_with_workers),
        cmocka_unit_test(test_hostile_traces_are_the_same_with_workers),
        cmocka_unit_test(test_reader_with_workers_can_be_closed_and_cancelled_anywhere),
        cmocka_unit_test(test_workers_keep_to_the_limit_of_memory),
        cmocka_unit_test(test_failed_allocations_lose_nothing_but_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
