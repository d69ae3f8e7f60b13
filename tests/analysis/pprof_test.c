/* SPDX-License-Identifier: BSD-3-Clause */

/* Profiles for pprof, written and read again: the samples are the same, and the rest is right. */

#include <stdlib.h>
#include <string.h>

#include "pprof_read.h"
#include "profiling.h"
#include "support/files.h"
#include "support/sample.h"

/* The bytes that were written; fails in call number `fail_at`, from 1. */
struct bytes {
    uint8_t *data;
    size_t size;
    unsigned calls;
    unsigned fail_at;
};

static int collect(void *user_data, const void *data, size_t size)
{
    struct bytes *bytes = user_data;
    if (++bytes->calls == bytes->fail_at)
        return -1;
    assert_true(size > 0);
    bytes->data = realloc(bytes->data, bytes->size + size);
    assert_non_null(bytes->data);
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return 0;
}

static gt_profile *profile_sample(unsigned version)
{
    struct reading reading = {0};
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    sample_trace(&reading.wire, version, 2, 1000);
    reading_open(&reading, NULL);
    profile = profiling_read(&reading, &options);
    reading_close(&reading);
    return profile;
}

static void check_samples(gt_profile *profile, uint32_t kind)
{
    struct bytes bytes = {NULL, 0, 0, 0};
    struct pprof_read read;
    char *expected = profiling_lines(profile, kind), *lines = NULL;
    size_t size;
    FILE *to = open_memstream(&lines, &size);
    assert_non_null(to);
    assert_status(gt_profile_write_pprof(profile, kind, collect, &bytes), GT_OK);
    pprof_read_open(&read, bytes.data, bytes.size);
    pprof_read_lines(&read, to);
    fclose(to);
    assert_string_equal(lines, expected);
    assert_int_equal(read.samples, gt_profile_count(profile, kind));
    assert_string_equal(read.types[0],
                        kind == GT_PROFILE_CPU ? "samples/count" : "contentions/count");
    assert_string_equal(read.types[1],
                        kind == GT_PROFILE_CPU ? "cpu/nanoseconds" : "delay/nanoseconds");
    assert_string_equal(read.types[2], kind == GT_PROFILE_CPU ? "cpu/nanoseconds" : "trace/count");
    assert_int_equal(read.period, kind == GT_PROFILE_CPU ? 10000000 : 1);
    free(lines);
    free(expected);
    free(bytes.data);
}

static void test_samples_are_read_back(void **state)
{
    static const unsigned versions[] = {5, 11, 21, 22, 26};
    size_t samples = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        gt_profile *profile = profile_sample(versions[i]);
        for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++) {
            check_samples(profile, kind);
            samples += gt_profile_count(profile, kind);
        }
        gt_profile_close(&profile);
    }
    assert_true(samples > 50);
}

/* The same trace gives the same bytes. */
static void test_same_trace_gives_the_same_bytes(void **state)
{
    struct bytes bytes[2] = {{NULL, 0, 0, 0}, {NULL, 0, 0, 0}};
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        gt_profile *profile = profile_sample(26);
        assert_status(gt_profile_write_pprof(profile, GT_PROFILE_WALL, collect, &bytes[i]), GT_OK);
        gt_profile_close(&profile);
    }
    assert_int_equal(bytes[0].size, bytes[1].size);
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].size);
    free(bytes[0].data);
    free(bytes[1].data);
}

static void expect_times(unsigned version, uint64_t time, uint64_t duration)
{
    struct gen g = {0};
    struct bytes bytes = {NULL, 0, 0, 0};
    struct pprof_read read;
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    gen_begin(&g, version);
    gen_generation(&g, 1);
    g.dt = 10;
    gen_running(&g, 5, 0, 1);
    profile = profiling_of(&g, &options);
    assert_status(gt_profile_write_pprof(profile, GT_PROFILE_NET, collect, &bytes), GT_OK);
    pprof_read_open(&read, bytes.data, bytes.size);
    assert_int_equal(read.time_nanos, time);
    assert_int_equal(read.duration_nanos, duration);
    gt_profile_close(&profile);
    free(bytes.data);
}

/* The Sync is 1 ns before the clock snapshot; the last one is 1 ns after the last event. */
static void test_profile_has_its_start_and_duration(void **state)
{
    (void) state;
    expect_times(26, UINT64_C(1700000000123456788), 21);
    expect_times(22, 0, 21);
}

/* Frames that stacks share are one location, and all lines of a function refer to one function. */
static void test_shared_frames_are_written_once(void **state)
{
    struct gen g = {0};
    struct bytes bytes = {NULL, 0, 0, 0};
    struct pprof_read read;
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    (void) state;
    gen_begin(&g, 26);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    for (uint64_t line = 1; line <= 3; line++) {
        gen_syscall_begin(
            &g, GEN_STACK(&g, {"main.leaf", "leaf.go", line}, {"main.root", "root.go", 1}));
        gen_syscall_end(&g);
    }
    profile = profiling_of(&g, &options);
    assert_status(gt_profile_write_pprof(profile, GT_PROFILE_SYSCALL, collect, &bytes), GT_OK);
    pprof_read_open(&read, bytes.data, bytes.size);
    assert_int_equal(read.samples, 3);
    assert_int_equal(read.locations, 4);
    assert_int_equal(read.functions, 2);
    gt_profile_close(&profile);
    free(bytes.data);
}

/*
 * Names of the trace that are not UTF-8 are mended, as the format demands; a NUL is a character
 * like any other.
 */
static void test_strings_are_utf8_whatever_the_names_are(void **state)
{
    char *path = files_join(files_testdata(), "hostile/names.trace");
    gt_profile_options options = profiling_options();
    struct reading reading = {0};
    size_t mended = 0, nuls = 0;
    gt_profile *profile;
    (void) state;
    assert_status(gt_reader_open_file(&reading.reader, path, NULL, NULL), GT_OK);
    profile = profiling_read(&reading, &options);
    reading_close(&reading);
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++) {
        struct bytes bytes = {NULL, 0, 0, 0};
        struct pprof_read read;
        assert_status(gt_profile_write_pprof(profile, kind, collect, &bytes), GT_OK);
        pprof_read_open(&read, bytes.data, bytes.size);
        mended += pprof_read_count(&read, "\357\277\275", 3);
        nuls += pprof_read_count(&read, "", 1);
        free(bytes.data);
    }
    assert_true(mended > 0 && nuls > 0);
    gt_profile_close(&profile);
    free(path);
}

/* A large profile is written in parts, each of which can fail. */
static void test_failing_write_is_reported(void **state)
{
    gt_profile *profile = profile_sample(26);
    gt_status status = GT_ERR_IO;
    unsigned at;
    (void) state;
    for (at = 1; status != GT_OK; at++) {
        struct bytes bytes = {NULL, 0, 0, at};
        status = gt_profile_write_pprof(profile, GT_PROFILE_WALL, collect, &bytes);
        if (status != GT_OK) {
            assert_status(status, GT_ERR_IO);
            assert_int_equal(bytes.calls, at);
        }
        free(bytes.data);
    }
    assert_true(at > 2);
    gt_profile_close(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_are_read_back),
        cmocka_unit_test(test_same_trace_gives_the_same_bytes),
        cmocka_unit_test(test_profile_has_its_start_and_duration),
        cmocka_unit_test(test_shared_frames_are_written_once),
        cmocka_unit_test(test_strings_are_utf8_whatever_the_names_are),
        cmocka_unit_test(test_failing_write_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
