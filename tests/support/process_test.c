/* SPDX-License-Identifier: BSD-3-Clause */

/* What a test starts does not depend on the signals that whoever started the test ignores. */

#include <signal.h>

#include "support/process.h"
#include "support/test.h"

static void test_ignored_and_blocked_signals_are_not_inherited(void **state)
{
    static const char *const commands[] = {"kill -HUP $$", "kill -INT $$", "kill -TERM $$",
                                           "kill -PIPE $$"};
    sigset_t all, before;
    struct process process;

    (void) state;
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        const char *const arguments[] = {"sh", "-c", commands[i], NULL};
        process_start(&process, arguments);
        assert_int_equal(process_wait(&process), -1);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static void test_exit_status_is_told(void **state)
{
    static const char *const arguments[] = {"sh", "-c", "echo text >&2; exit 3", NULL};
    struct process process;

    (void) state;
    process_start(&process, arguments);
    assert_int_equal(process_wait(&process), 3);
    assert_string_equal(process.errors, "text\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ignored_and_blocked_signals_are_not_inherited),
        cmocka_unit_test(test_exit_status_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
