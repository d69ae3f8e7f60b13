/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * With an arena as its allocator and a trace in memory a reader asks the system for nothing but the
 * time: it runs where no other system call is allowed.
 */

#define _GNU_SOURCE

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/arena.h"
#include "support/files.h"
#include "support/test.h"

#define ARENA_BYTES (64 << 20)
#define NOT_SEALED  (-2)

static const char *const traces[] = {
    "v1/go1.19-tasks.trace", "v1/go1.21-cut.trace",    "v2/go1.22-tasks.trace",
    "v2/go1.26-cut.trace",   "v2/go1.27-gcgens.trace",
};

struct trace {
    uint8_t *data;
    size_t size;
    struct arena *arena;
};

/* Counts the events, and calls the getters of each; -1 after a misuse. */
static int64_t count_events(const void *of)
{
    const struct trace *trace = of;
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    const gt_event *event;
    gt_reader *reader;
    int64_t count = 0;
    options.flags = GT_READER_LENIENT;
    options.allocator = &trace->arena->allocator;
    trace->arena->used = 0;
    if (gt_reader_open_memory(&reader, trace->data, trace->size, &options, NULL) != GT_OK)
        return -1;
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_transition change = GT_TRANSITION_INIT;
        gt_frame frames[8];
        size_t frame_count;
        if (event->kind == GT_EVENT_STATE_TRANSITION &&
            gt_event_transition(event, &change) != GT_OK)
            return -1;
        if (gt_stack_frames(reader, gt_event_stack(event), frames, 8, &frame_count) != GT_OK)
            return -1;
        count++;
    }
    gt_reader_close(&reader);
    return count;
}

/* Any system call but those that read the time, write and exit ends the process. */
static bool seal(void)
{
    static struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    static const struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/*
 * Runs the function in a process that is restricted in this way. False if the system ended the
 * process.
 */
static bool run_sealed(int64_t (*run)(const void *of), const void *of, int64_t *result)
{
    int ends[2], status;
    pid_t child;
    ssize_t size;
    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int64_t count;
        count = seal() ? run(of) : NOT_SEALED;
        size = write(ends[1], &count, sizeof(count));
        syscall(SYS_exit, size != sizeof(count));
    }
    close(ends[1]);
    size = read(ends[0], result, sizeof(*result));
    close(ends[0]);
    assert_true(waitpid(child, &status, 0) == child);
    return size == sizeof(*result) && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int64_t ask_for_parent(const void *of)
{
    (void) of;
    return getppid();
}

static void test_reader_with_an_arena_needs_no_system_calls(void **state)
{
    struct arena arena;
    int64_t sealed;
    (void) state;
    if (TEST_SANITIZED)
        skip();
    if (run_sealed(ask_for_parent, NULL, &sealed)) {
        assert_int_equal(sealed, NOT_SEALED);
        skip();
    }
    arena_init(&arena, ARENA_BYTES);
    for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
        char *path = files_join(files_testdata(), traces[i]);
        struct trace trace = {.arena = &arena};
        trace.data = files_read(path, &trace.size);
        if (!run_sealed(count_events, &trace, &sealed))
            fail_msg("%s: not without the system", traces[i]);
        assert_int_equal(sealed, count_events(&trace));
        assert_true(sealed > 50);
        free(trace.data);
        free(path);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reader_with_an_arena_needs_no_system_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
