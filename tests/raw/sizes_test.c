/* SPDX-License-Identifier: BSD-3-Clause */

/* GT_RAW_SET_SIZES: the sizes of batches, in bytes and in text. */

#include <stdlib.h>
#include <string.h>

#include "raw/rewrite.h"
#include "support/files.h"
#include "support/sample.h"
#include "support/test.h"

/* Writes the text in both forms, and asserts that both have the sizes of `expected`. */
static void check(const char *text, const char *expected)
{
    struct rewritten out = {0}, bytes = {0};
    rewrite(&out, text, strlen(text), GT_RAW_TEXT, GT_RAW_SET_SIZES);
    assert_status(out.status, GT_END);
    assert_string_equal(out.data, expected);
    rewrite(&bytes, text, strlen(text), GT_RAW_BYTES, GT_RAW_SET_SIZES);
    rewrite(&out, bytes.data, bytes.size, GT_RAW_TEXT, 0);
    assert_status(out.status, GT_END);
    assert_string_equal(out.data, expected);
    rewritten_free(&out);
    rewritten_free(&bytes);
}

/*
 * A batch ends where another one begins, also one of an experiment, at EndOfGeneration, and at the
 * end.
 */
static void test_batch_ends_where_the_next_begins(void **state)
{
    (void) state;
    check("Trace Go1.26\n"
          "Frequency freq=1000\n"
          "EventBatch gen=1 m=2 time=3 size=99\n"
          "EventBatch gen=1 m=2 time=3 size=0\n"
          "Strings\n"
          "String id=1\n"
          "\tdata=\"abc\"\n"
          "EventBatch gen=1 m=2 time=3 size=0\n"
          "Stacks\n"
          "Stack id=1 nframes=1\n"
          "\tpc=1 func=2 file=3 line=400\n"
          "ExperimentalBatch exp=1 gen=1 m=2 time=3\n"
          "\tdata=\"abc\"\n"
          "GoDestroy dt=1\n"
          "EventBatch gen=1 m=2 time=3 size=0\n"
          "GoDestroy dt=1\n"
          "EndOfGeneration\n"
          "GoDestroy dt=1\n"
          "EventBatch gen=2 m=2 time=3 size=0\n"
          "GoDestroy dt=300\n",
          "Trace Go1.26\n"
          "Frequency freq=1000\n"
          "EventBatch gen=1 m=2 time=3 size=0\n"
          "EventBatch gen=1 m=2 time=3 size=7\n"
          "Strings\n"
          "String id=1\n"
          "\tdata=\"abc\"\n"
          "EventBatch gen=1 m=2 time=3 size=9\n"
          "Stacks\n"
          "Stack id=1 nframes=1\n"
          "\tpc=1 func=2 file=3 line=400\n"
          "ExperimentalBatch exp=1 gen=1 m=2 time=3\n"
          "\tdata=\"abc\"\n"
          "GoDestroy dt=1\n"
          "EventBatch gen=1 m=2 time=3 size=2\n"
          "GoDestroy dt=1\n"
          "EndOfGeneration\n"
          "GoDestroy dt=1\n"
          "EventBatch gen=2 m=2 time=3 size=3\n"
          "GoDestroy dt=300\n");
}

/* Widths stay, except that of the batch's size, which grows if the size does not fit into it. */
static void test_width_of_the_size_grows_if_needed(void **state)
{
    struct rewritten text = {0}, expected = {0};
    (void) state;
    check("Trace Go1.22\n"
          "#!widths 2 2 2 1\n"
          "EventBatch gen=1 m=2 time=3 size=99\n"
          "#!widths 10\n"
          "GoDestroy dt=1\n",
          "Trace Go1.22\n"
          "#!widths 2 2 2 1\n"
          "EventBatch gen=1 m=2 time=3 size=11\n"
          "#!widths 10\n"
          "GoDestroy dt=1\n");
    rewritten_take(&text, "Trace Go1.22\n#!widths 2 2 2 1\n", 30);
    rewritten_take(&text, "EventBatch gen=1 m=2 time=3 size=99\n", 36);
    rewritten_take(&expected, "Trace Go1.22\n#!widths 2 2 2 2\n", 30);
    rewritten_take(&expected, "EventBatch gen=1 m=2 time=3 size=200\n", 37);
    for (unsigned i = 0; i < 100; i++) {
        rewritten_take(&text, "GoDestroy dt=1\n", 15);
        rewritten_take(&expected, "GoDestroy dt=1\n", 15);
    }
    check(text.data, expected.data);
    rewritten_free(&text);
    rewritten_free(&expected);
}

/*
 * The writer finds the same sizes as the builder of traces. Go 1.22 is left out, because the
 * builder's traces have records that it did not have.
 */
static void test_sizes_equal_those_of_the_builder(void **state)
{
    static const unsigned versions[] = {23, 25, 26};
    struct rewritten out = {0};
    struct wire wire = {0};
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        sample_trace(&wire, versions[i], 3, 400);
        rewrite(&out, wire.data, wire.size, GT_RAW_BYTES, GT_RAW_SET_SIZES);
        assert_status(out.status, GT_END);
        assert_int_equal(out.size, wire.size);
        assert_memory_equal(out.data, wire.data, wire.size);
    }
    rewritten_free(&out);
    wire_free(&wire);
}

/* Before Go 1.22 batches have no size. */
static void test_old_batches_have_no_size(void **state)
{
    static const char text[] = "Trace Go1.21\n"
                               "Batch p=1 ticks=2\n"
                               "GoEnd dt=1\n";
    (void) state;
    check(text, text);
}

/* The sizes in recorded traces are right. */
static void test_sizes_of_recorded_traces_stay(void **state)
{
    static const char *const names[] = {"v2/go1.22-gens.trace", "v2/go1.23-alloc.trace",
                                        "v2/go1.27-mix.trace"};
    struct rewritten out = {0};
    size_t size;
    (void) state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *path = files_join(files_testdata(), names[i]);
        uint8_t *data = files_read(path, &size);
        rewrite(&out, data, size, GT_RAW_BYTES, GT_RAW_SET_SIZES);
        assert_int_equal(out.size, size);
        assert_memory_equal(out.data, data, size);
        free(data);
        free(path);
    }
    rewritten_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batch_ends_where_the_next_begins),
        cmocka_unit_test(test_width_of_the_size_grows_if_needed),
        cmocka_unit_test(test_sizes_equal_those_of_the_builder),
        cmocka_unit_test(test_old_batches_have_no_size),
        cmocka_unit_test(test_sizes_of_recorded_traces_stay),
    };
    return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}
