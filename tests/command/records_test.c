/* SPDX-License-Identifier: BSD-3-Clause */

/* gotrace wire, text, encode and footprint, where tests/golden/wire_test.c has no trace. */

/* For posix_openpt. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "support/files.h"
#include "support/test.h"

static const char text[] = "Trace Go1.26\n"
                           "EventBatch gen=7 m=1 time=2 size=3\n"
                           "GoDestroy dt=1\n"
                           "GoDestroy dt=300\n";

/* The same in bytes: with the size that the text says, and with that of the batch. */
static const char bytes[] = "go 1.26 trace\0\0\0\1\7\1\2\203\200\200\200\200\200\200\200\200\0"
                            "\21\1\21\254\2";

static char *write_text(void)
{
    return files_temporary(text, strlen(text));
}

/* Runs a script in a shell, in which $0 is the command and $1 is the path. */
static void run_shell(struct capture *run, const char *script, const char *path)
{
    const char *const arguments[] = {"-c", script, getenv("GT_COMMAND"), path, NULL};

    capture_program(run, "sh", arguments);
}

/* Bytes may be NUL, so they are compared as od prints them. */
static void check_bytes(const char *script, const char *path, unsigned size)
{
    char expected[sizeof(bytes)], words[4 * sizeof(bytes)];
    struct capture run;

    memcpy(expected, bytes, sizeof(bytes));
    expected[20] = (char) (0x80 | size);
    for (size_t i = 0; i + 1 < sizeof(bytes); i++)
        snprintf(words + 3 * i, 4, " %02x", (unsigned char) expected[i]);
    run_shell(&run, script, path);
    assert_int_equal(run.exit_status, 0);
    assert_string_equal(run.errors, "");
    assert_string_equal(run.output, words);
    capture_free(&run);
}

static void test_set_sizes_sets_the_sizes_of_batches(void **state)
{
    char *path = write_text();

    (void) state;
    check_bytes("\"$0\" encode \"$1\" | od -An -v -tx1 | tr -d '\\n'", path, 3);
    check_bytes("\"$0\" encode --set-sizes \"$1\" | od -An -v -tx1 | tr -d '\\n'", path, 5);
    check_bytes("\"$0\" encode - <\"$1\" | od -An -v -tx1 | tr -d '\\n'", path, 3);
    check_bytes("\"$0\" encode \"$1\" | \"$0\" encode - | od -An -v -tx1 | tr -d '\\n'", path, 3);
    unlink(path);
    free(path);
}

static void test_text_and_bytes_convert_into_each_other(void **state)
{
    char *path = write_text();
    struct capture run;

    (void) state;
    CAPTURE(&run, "text", path);
    assert_int_equal(run.exit_status, 0);
    assert_string_equal(run.output, text);
    capture_free(&run);
    CAPTURE(&run, "-d", "wire", path);
    assert_int_equal(run.exit_status, 0);
    assert_string_equal(run.output, strchr(text, '\n') + 1);
    capture_free(&run);
    CAPTURE(&run, "-d=footprint", path);
    assert_int_equal(run.exit_status, 0);
    /* The size of a batch takes 10 bytes, although 1 is enough. */
    assert_string_equal(run.output, "Event                Bytes  %       Count  %\n"
                                    "-                    -      -       -      -\n"
                                    "EventBatch           5      14.29%  1      33.33%\n"
                                    "GoDestroy            5      14.29%  2      66.67%\n");
    capture_free(&run);
    unlink(path);
    free(path);
}

static void test_trace_without_records_has_no_shares(void **state)
{
    char *path = files_temporary(bytes, 16);
    struct capture run;

    (void) state;
    CAPTURE(&run, "footprint", path);
    assert_int_equal(run.exit_status, 0);
    assert_int_equal(capture_count(run.output, "\n"), 2);
    capture_free(&run);
    CAPTURE(&run, "wire", path);
    assert_int_equal(run.exit_status, 0);
    assert_string_equal(run.output, "");
    capture_free(&run);
    unlink(path);
    free(path);
}

/* The error is one line after the records. */
static void test_damaged_trace_is_printed_before_its_error(void **state)
{
    char *path = files_temporary(bytes, sizeof(bytes) - 2), line[400];
    struct capture run;

    (void) state;
    snprintf(line, sizeof(line),
             "gotrace: %s: GoDestroy is cut off by the end of the input (offset 32, generation "
             "7)\n",
             path);
    CAPTURE(&run, "wire", path);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, "EventBatch gen=7 m=1 time=2 size=3\n"
                                    "GoDestroy dt=1\n");
    assert_string_equal(run.errors, line);
    capture_free(&run);
    CAPTURE(&run, "footprint", path);
    assert_int_equal(run.exit_status, 1);
    capture_find(run.output, "GoDestroy            2      6.25%   1      50.00%\n");
    assert_string_equal(run.errors, line);
    capture_free(&run);
    unlink(path);
    free(path);
    CAPTURE(&run, "text", "/nowhere");
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.errors,
                        "gotrace: /nowhere: cannot open the file: No such file or directory\n");
    capture_free(&run);
}

/* Makes a text whose bytes are more than the output buffer of the command holds. */
static char *write_large_text(void)
{
    static const char head[] = "Trace Go1.26\nString id=1\n\tdata=\"";
    size_t size = 1000000;
    char *large = malloc(size), *path;

    assert_non_null(large);
    memset(large, 'x', size);
    memcpy(large, head, strlen(head));
    memcpy(large + size - 2, "\"\n", 2);
    path = files_temporary(large, size);
    free(large);
    return path;
}

/* The input is good, so only the output is reported. */
static void test_full_output_is_the_only_error(void **state)
{
    static const char *const scripts[] = {
        "\"$0\" wire \"$1\" >/dev/full",
        "\"$0\" encode \"$1\" >/dev/full",
        "\"$0\" footprint \"$1\" >/dev/full",
    };
    char *paths[] = {write_text(), write_large_text()};

    (void) state;
    for (size_t i = 0; i < 6; i++) {
        struct capture run;

        run_shell(&run, scripts[i / 2], paths[i % 2]);
        assert_int_equal(run.exit_status, 1);
        assert_string_equal(run.errors, "gotrace: standard output: No space left on device\n");
        capture_free(&run);
    }
    for (size_t i = 0; i < 2; i++) {
        unlink(paths[i]);
        free(paths[i]);
    }
}

static void test_encode_refuses_a_terminal(void **state)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    char *path, script[400];
    struct capture run;

    (void) state;
    /* Not every system has terminals: a chroot may be without /dev/pts. */
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
        !files_exist(ptsname(master)))
        skip();
    path = write_text();
    snprintf(script, sizeof(script), "\"$0\" encode \"$1\" >%s", ptsname(master));
    run_shell(&run, script, path);
    assert_int_equal(run.exit_status, 2);
    capture_find(run.errors, "gotrace: encode: standard output is a terminal");
    capture_free(&run);
    snprintf(script, sizeof(script), "\"$0\" text \"$1\" >%s", ptsname(master));
    run_shell(&run, script, path);
    assert_int_equal(run.exit_status, 0);
    capture_free(&run);
    close(master);
    unlink(path);
    free(path);
}

static void test_wrong_options_exit_with_2(void **state)
{
    static const char *const commands[] = {"wire", "text", "encode", "footprint"};
    struct capture run;

    (void) state;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        CAPTURE(&run, commands[i]);
        assert_int_equal(run.exit_status, 2);
        capture_find(run.errors, "too few arguments");
        capture_free(&run);
        CAPTURE(&run, commands[i], "--lenient", "x");
        assert_int_equal(run.exit_status, 2);
        capture_free(&run);
        CAPTURE(&run, commands[i], "--help");
        assert_int_equal(run.exit_status, 0);
        capture_find(run.output, commands[i]);
        capture_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_sizes_sets_the_sizes_of_batches),
        cmocka_unit_test(test_text_and_bytes_convert_into_each_other),
        cmocka_unit_test(test_trace_without_records_has_no_shares),
        cmocka_unit_test(test_damaged_trace_is_printed_before_its_error),
        cmocka_unit_test(test_full_output_is_the_only_error),
        cmocka_unit_test(test_encode_refuses_a_terminal),
        cmocka_unit_test(test_wrong_options_exit_with_2),
    };

    return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
