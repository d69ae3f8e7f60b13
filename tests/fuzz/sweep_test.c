/* SPDX-License-Identifier: BSD-3-Clause */

/* Recorded traces, cut everywhere, damaged everywhere, and read in pieces of any size. */

#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/files.h"
#include "support/probe.h"
#include "support/test.h"

/* A block of its own size, so that tools see reads beyond it. */
static uint8_t *load(const char *name, size_t *size)
{
    char *path = files_join(files_testdata(), name);
    uint8_t *data = files_read(path, size), *copy = malloc(*size);

    assert_non_null(copy);
    memcpy(copy, data, *size);
    free(data);
    free(path);
    return copy;
}

/* Reads it all, strictly or leniently, in no more memory than a reader may take. */
static void read_all(struct digest *digest, const uint8_t *data, size_t size, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct probe probe;

    probe_init(&probe);
    options.flags = flags;
    options.allocator = &probe.allocator;
    digest_memory(digest, data, size, &options);
    probe_check(&probe);
    assert_true(probe.peak_bytes <= 32 * size + (1 << 20));
    assert_true(digest->status != GT_ERR_NO_MEMORY);
}

/*
 * Before 1.26 the last generation is read as far as it is there, and its events are then
 * others; so are all of Go 1.21 and before.
 */
static void check_prefix(const struct digest *part, const struct digest *whole, unsigned version)
{
    if (version > LAST_OPEN) {
        digest_assert_prefix(part, whole);
        assert_true(part->status == GT_END || part->status == GT_ERR_TRUNCATED);
    } else if (version >= 22) {
        assert_true(digest_common(part, whole) >= part->last_generation);
    }
}

static void check_prefixes(const char *name, size_t step)
{
    size_t size, cut;
    uint8_t *data = load(name, &size), *bytes;
    unsigned version = (unsigned) strtoul((const char *) data + strlen("go 1."), NULL, 10);
    struct digest whole, part;

    read_all(&whole, data, size, 0);
    assert_status(whole.status, GT_END);
    for (cut = 1; cut < size; cut += step) {
        bytes = malloc(cut);
        assert_non_null(bytes);
        memcpy(bytes, data, cut);
        read_all(&part, bytes, cut, 0);
        if (cut < 16)
            assert_status(part.status, GT_ERR_NOT_A_TRACE);
        else
            check_prefix(&part, &whole, version);
        digest_free(&part);
        if (cut >= 16) {
            read_all(&part, bytes, cut, GT_READER_LENIENT);
            assert_status(part.status, GT_END);
            digest_free(&part);
        }
        free(bytes);
    }
    digest_free(&whole);
    free(data);
}

static void test_prefixes_of_small(void **state)
{
    static const char *const names[] = {
        "v1/go1.19-idle.trace",  "v1/go1.21-procs.trace",  "v2/go1.22-tasks.trace",
        "v2/go1.23-coro.trace",  "v2/go1.24-chan.trace",   "v2/go1.25-coro.trace",
        "v2/go1.26-tasks.trace", "v2/go1.27-thread.trace",
    };
    size_t i;

    (void) state;
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        check_prefixes(names[i], 1);
}

/* Steps that are coprime to all that is regular in a file. */
static void test_prefixes_of_large(void **state)
{
    (void) state;
    check_prefixes("v1/go1.21-cpu.trace", 13);
    check_prefixes("v2/go1.23-gc.trace", 13);
    check_prefixes("v2/go1.27-alloc.trace", 13);
}

static void flip_bits(const char *name)
{
    struct digest digest;
    size_t size, i;
    uint8_t *data = load(name, &size);
    unsigned bit;

    for (i = 0; i < size; i++) {
        for (bit = 0; bit < 8; bit++) {
            data[i] ^= (uint8_t) (1u << bit);
            read_all(&digest, data, size, 0);
            digest_free(&digest);
            data[i] ^= (uint8_t) (1u << bit);
        }
    }
    free(data);
}

static void test_flips(void **state)
{
    (void) state;
    flip_bits("v1/go1.19-idle.trace");
    flip_bits("v1/go1.21-procs.trace");
    flip_bits("v2/go1.22-idle.trace");
    flip_bits("v2/go1.24-coro.trace");
    flip_bits("v2/go1.27-idle.trace");
}

/* Every size of read gives the same. */
static void check_sizes(const char *name)
{
    struct digest whole, digest;
    size_t size, step;
    uint8_t *data = load(name, &size);

    read_all(&whole, data, size, 0);
    assert_status(whole.status, GT_END);
    for (step = 1; step <= 4096; step++) {
        gt_reader *reader;
        struct feed feed;

        feed_init(&feed, data, size);
        feed.steps = &step;
        feed.step_count = 1;
        assert_status(gt_reader_open_callback(&reader, feed_read, &feed, NULL, NULL), GT_OK);
        digest_read(&digest, &reader);
        digest_assert_equal(&digest, &whole);
        digest_free(&digest);
    }
    digest_free(&whole);
    free(data);
}

static void test_sizes(void **state)
{
    (void) state;
    check_sizes("v1/go1.19-sync.trace");
    check_sizes("v2/go1.23-restart.trace");
    check_sizes("v2/go1.27-tasks.trace");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prefixes_of_small),
        cmocka_unit_test(test_prefixes_of_large),
        cmocka_unit_test(test_flips),
        cmocka_unit_test(test_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
