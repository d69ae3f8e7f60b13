/* SPDX-License-Identifier: BSD-3-Clause */

/* However a test program ends, it leaves no files: this one starts itself to end in all ways. */

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/files.h"
#include "support/process.h"
#include "support/temporary.h"
#include "support/test.h"
#include "support/waiting.h"

static const char *program;

/* A file, and a folder with one that is in a folder. */
static void leave_files(void)
{
    char *folder = temporary_new_folder(), *path = files_join(folder, "file");
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs("text", file);
    fclose(file);
    free(files_temporary("text", 4));
    assert_int_equal(strncmp(folder, temporary_folder(), strlen(temporary_folder())), 0);
    free(folder);
    free(path);
}

static void test_that_fails(void **state)
{
    (void) state;
    leave_files();
    fail_msg("as it has to");
}

static void test_that_crashes(void **state)
{
    (void) state;
    leave_files();
    /* A sanitizer ends the whole program then, with a status of its own. */
    if (TEST_SANITIZED)
        fail();
    raise(SIGSEGV);
}

/* A forked child uses the files, and is not the one who removes them. */
static void fork_one(void)
{
    char *path = files_temporary("text", 4);
    pid_t child = fork();
    int status;

    if (child == 0)
        exit(0);
    waitpid(child, &status, 0);
    if (!files_exist(path))
        _exit(1);
    free(path);
}

/* Ends this program in this way. */
static int end_by(const char *way)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_that_fails),
                                       cmocka_unit_test(test_that_crashes)};

    if (strcmp(way, "tests") == 0)
        return cmocka_run_group_tests(tests, NULL, NULL);
    leave_files();
    if (strcmp(way, "abort") == 0)
        abort();
    if (strcmp(way, "_exit") == 0)
        _exit(0);
    if (strcmp(way, "fork") == 0)
        fork_one();
    if (strcmp(way, "return") != 0 && strcmp(way, "fork") != 0)
        raise(atoi(way));
    return 0;
}

static bool is_empty(const char *path)
{
    struct file_list list = {0};
    bool is_it;

    files_list(&list, path, "", "");
    /* There are always "." and "..". */
    is_it = list.count == 2;
    files_list_free(&list);
    return is_it;
}

static void expect_nothing_left(const char *way, int status)
{
    const char *const arguments[] = {program, way, NULL};
    char *folder = temporary_new_folder();
    struct waiting waiting = {0};
    struct process process;

    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    process_start(&process, arguments);
    while (getc(process.output) != EOF)
        continue;
    assert_int_equal(process_wait(&process), status);
    /* Who removes the files of a process that was killed notices its end a little later. */
    while (!is_empty(folder)) {
        assert_int_equal(status, -1);
        waiting_pause(&waiting, way);
    }
    free(folder);
}

static void test_end_of_a_program_removes_its_files(void **state)
{
    (void) state;
    expect_nothing_left("return", 0);
    expect_nothing_left("fork", 0);
}

static void test_failed_assertion_and_crash_leave_no_files(void **state)
{
    (void) state;
    expect_nothing_left("tests", 2);
}

static void test_signal_leaves_no_files(void **state)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGKILL};
    char way[16];

    (void) state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        snprintf(way, sizeof(way), "%d", numbers[i]);
        expect_nothing_left(way, -1);
    }
    expect_nothing_left("abort", -1);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_end_of_a_program_removes_its_files),
        cmocka_unit_test(test_failed_assertion_and_crash_leave_no_files),
        cmocka_unit_test(test_signal_leaves_no_files),
    };

    if (count > 1)
        return end_by(arguments[1]);
    program = arguments[0];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
