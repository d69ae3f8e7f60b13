/* SPDX-License-Identifier: BSD-3-Clause */

/* The kinds that Go has: which waits count, with which stack, and for how long. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profiling.h"

#define AT(gen, name, line) GEN_STACK((gen), {name, "main.go", line}, {"main.main", "main.go", 1})

/* Thread 5 runs proc 0 and goroutine 1; events are 10 ns apart. */
static void begin(struct gen *g, unsigned version)
{
    gen_begin(g, version);
    gen_generation(g, 1);
    g->dt = 10;
    gen_running(g, 5, 0, 1);
}

/* Goroutine 2 was created, has run and has blocked. */
static void begin_two(struct gen *g)
{
    begin(g, 26);
    gen_go_create(g, 2, GEN_STACK(g, {"main.two", "main.go", 2}), AT(g, "main.create", 3));
    gen_go_stop(g, "preempted", AT(g, "main.stop", 4));
    gen_go_start(g, 2);
}

static void test_each_reason_counts_in_its_kind(void **state)
{
    static const struct {
        const char *reason;
        uint32_t kind;
    } cases[] = {
        {"network", GT_PROFILE_NET},
        {"chan receive", GT_PROFILE_SYNC},
        {"chan send", GT_PROFILE_SYNC},
        {"sync", GT_PROFILE_SYNC},
        {"sync (cond)", GT_PROFILE_SYNC},
        {"select", GT_PROFILE_SYNC},
        {"sleep", 0},
        {"network wait", 0},
        {"system goroutine wait", 0},
        {"cha", 0},
    };

    gt_profile_options options = profiling_options();
    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct gen g = {0};
        gt_profile *profile;
        begin_two(&g);
        gen_go_block(&g, cases[i].reason, AT(&g, "main.wait", 5));
        gen_go_start(&g, 1);
        gen_go_unblock(&g, 2, AT(&g, "main.wake", 6));
        gen_go_block(&g, "sleep", 0);
        gen_go_start(&g, 2);
        profile = profiling_of(&g, &options);
        profiling_expect(profile, GT_PROFILE_NET,
                         cases[i].kind == GT_PROFILE_NET ? "1 20 main.wait:5;main.main:1\n" : "");
        profiling_expect(profile, GT_PROFILE_SYNC,
                         cases[i].kind == GT_PROFILE_SYNC ? "1 20 main.wait:5;main.main:1\n" : "");
        profiling_expect(profile, GT_PROFILE_SYSCALL, "");
        profiling_expect(profile, GT_PROFILE_SCHED,
                         "1 30 main.stop:4;main.main:1\n1 20 main.wake:6;main.main:1\n");
        gt_profile_close(&profile);
    }
}

static void test_syscalls_are_added_up(void **state)
{
    struct gen g = {0};
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    (void) state;
    begin(&g, 26);
    for (unsigned i = 0; i < 3; i++) {
        gen_syscall_begin(&g, AT(&g, "main.read", 3));
        g.dt = 25;
        gen_syscall_end(&g);
    }
    profile = profiling_of(&g, &options);
    profiling_expect(profile, GT_PROFILE_SYSCALL, "3 75 main.read:3;main.main:1\n");
    profiling_expect(profile, GT_PROFILE_SCHED, "");
    gt_profile_close(&profile);
}

/* A wait that does not end is not counted, nor is one before a goroutine first runs. */
static void test_wait_without_end_does_not_count(void **state)
{
    struct gen g = {0};
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    (void) state;
    begin_two(&g);
    gen_go_block(&g, "chan receive", AT(&g, "main.wait", 5));
    profile = profiling_of(&g, &options);
    profiling_expect(profile, GT_PROFILE_SYNC, "");
    profiling_expect(profile, GT_PROFILE_SCHED, "");
    gt_profile_close(&profile);
}

/*
 * Goroutine 2 is in a system call when the trace begins, which ends; then the goroutine runs if
 * `runs` is set.
 */
static gt_profile *before_first_run(bool runs)
{
    struct gen g = {0};
    gt_profile_options options = profiling_options();
    begin(&g, 26);
    gen_on_at(&g, 6, g.time + 10);
    gen_go_status_stack(&g, 2, 6, 3, AT(&g, "main.read", 3));
    gen_syscall_end_blocked(&g);
    gen_on_at(&g, 5, g.time + 10);
    gen_go_block(&g, "sleep", 0);
    if (runs)
        gen_go_start(&g, 2);
    return profiling_of(&g, &options);
}

static void test_syscall_before_the_first_run_does_not_count(void **state)
{
    gt_profile *profile;
    (void) state;
    profile = before_first_run(true);
    profiling_expect(profile, GT_PROFILE_SYSCALL, "");
    gt_profile_close(&profile);
    profile = before_first_run(false);
    profiling_expect(profile, GT_PROFILE_SYSCALL, "1 10 main.read:3;main.main:1\n");
    gt_profile_close(&profile);
}

/* A wait goes on over the status events of a new generation, and its stack stays the same. */
static void test_wait_goes_on_over_generations(void **state)
{
    struct gen g = {0};
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
    gt_profile_info info = GT_PROFILE_INFO_INIT;
    (void) state;
    begin(&g, 26);
    /* Made first, so that its pc is the same in both generations. */
    AT(&g, "main.wait", 5);
    gen_go_create(&g, 2, GEN_STACK(&g, {"main.two", "main.go", 2}), AT(&g, "main.create", 3));
    gen_go_stop(&g, "preempted", AT(&g, "main.stop", 4));
    gen_go_start(&g, 2);
    gen_go_block(&g, "chan receive", AT(&g, "main.wait", 5));
    gen_go_start(&g, 1);
    gen_generation(&g, 2);
    AT(&g, "main.wait", 5);
    gen_running(&g, 5, 0, 1);
    gen_go_status(&g, 2, WIRE_NONE, 4);
    gen_go_unblock(&g, 2, 0);
    gen_go_stop(&g, "preempted", AT(&g, "main.stop", 4));
    gen_go_start(&g, 2);
    gen_go_block(&g, "chan receive", AT(&g, "main.wait", 5));
    gen_go_start(&g, 1);
    gen_go_unblock(&g, 2, 0);
    profile = profiling_of(&g, &options);
    assert_int_equal(gt_profile_count(profile, GT_PROFILE_SYNC), 1);
    assert_status(gt_profile_get_sample(profile, GT_PROFILE_SYNC, 0, &sample), GT_OK);
    assert_int_equal(sample.count, 2);
    assert_int_equal(sample.nanoseconds, 50 + 20);
    assert_int_equal(sample.frame_count, 2);
    assert_text(sample.frames[0].function, "main.wait");
    assert_text(sample.frames[0].file, "main.go");
    assert_int_equal(sample.frames[0].line, 5);
    assert_text(sample.frames[1].function, "main.main");
    assert_status(gt_profile_get_info(profile, &info), GT_OK);
    assert_int_equal(info.selected, 2);
    gt_profile_close(&profile);
}

/* The low bits of a handle belong to another stack in the next generation. */
static void test_stacks_of_generations_are_distinct(void **state)
{
    struct gen g = {0};
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    (void) state;
    begin(&g, 26);
    for (uint64_t generation = 1; generation <= 2; generation++) {
        for (uint64_t line = 1; line <= 2; line++) {
            uint64_t stack = generation == 1 ? GEN_STACK(&g, {"main.one", "main.go", line})
                                             : AT(&g, "main.two", line);
            gen_syscall_begin(&g, stack);
            gen_syscall_end(&g);
        }
        if (generation == 1) {
            gen_generation(&g, 2);
            gen_running(&g, 5, 0, 1);
        }
    }
    profile = profiling_of(&g, &options);
    profiling_expect(profile, GT_PROFILE_SYSCALL,
                     "1 10 main.one:1\n1 10 main.two:1;main.main:1\n"
                     "1 10 main.one:2\n1 10 main.two:2;main.main:1\n");
    gt_profile_close(&profile);
}

/* Events after the last Sync belong to no complete generation, and Go leaves them out. */
static void test_events_after_the_last_sync_do_not_count(void **state)
{
    struct gen g = {0};
    struct reading reading = {0};
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    (void) state;
    begin(&g, 26);
    gen_syscall_begin(&g, AT(&g, "main.first", 3));
    gen_syscall_end(&g);
    gen_generation(&g, 2);
    AT(&g, "main.first", 3);
    gen_running(&g, 5, 0, 1);
    gen_syscall_begin(&g, AT(&g, "main.second", 4));
    gen_syscall_end(&g);
    /* There is no such goroutine. */
    gen_go_unblock(&g, 77, 0);
    gen_read(&g, &reading);
    profile = profiling_read(&reading, &options);
    reading_close(&reading);
    profiling_expect(profile, GT_PROFILE_SYSCALL, "1 10 main.first:3;main.main:1\n");
    profiling_expect(profile, GT_PROFILE_WALL,
                     "1 30 [Running]\n"
                     "1 30 [Running];main.first:3;main.main:1\n"
                     "1 10 [Syscall];main.first:3;main.main:1\n"
                     "1 10 [Syscall];main.second:4;main.main:1\n");
    gt_profile_close(&profile);
}

/* A select without cases ends a goroutine in Go's summary. */
static void test_waiting_forever_does_not_count(void **state)
{
    struct gen g = {0};
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    (void) state;
    begin_two(&g);
    gen_go_block(&g, "forever", AT(&g, "main.never", 5));
    gen_go_start(&g, 1);
    gen_generation(&g, 2);
    gen_running(&g, 5, 0, 1);
    gen_go_status(&g, 2, WIRE_NONE, 4);
    profile = profiling_of(&g, &options);
    profiling_expect(profile, GT_PROFILE_SYNC, "");
    profiling_expect(profile, GT_PROFILE_SCHED, "1 30 main.stop:4;main.main:1\n");
    profiling_expect(profile, GT_PROFILE_OFFCPU, "1 30 main.stop:4;main.main:1\n1 20 main.two:2\n");
    gt_profile_close(&profile);
}

/*
 * C makes goroutine 9: it begins on thread 6, takes a proc, reads for 10 ns, and ends; or it ends
 * before it runs.
 */
static void call_from_c(struct gen *g, uint64_t proc, const char *name, uint64_t line, bool runs)
{
    gen_on_at(g, 6, g->time + 10);
    gen_go_create_syscall(g, 9);
    if (runs) {
        gen_proc_status(g, proc, PROC_IDLE);
        gen_proc_start(g, proc);
        gen_syscall_end_blocked(g);
        gen_go_start(g, 9);
        gen_syscall_begin(
            g, GEN_STACK(g, {name, "main.go", line}, {"runtime.cgocallback", "asm.s", 1}));
        gen_syscall_end(g);
        gen_syscall_begin(g, 0);
    }
    gen_go_destroy_syscall(g);
}

static gt_profile *calls_from_c(bool last_runs)
{
    struct gen g = {0};
    gt_profile_options options = profiling_options();
    begin(&g, 26);
    call_from_c(&g, 1, "main.one", 3, true);
    call_from_c(&g, 2, "main.two", 4, true);
    if (!last_runs)
        call_from_c(&g, 0, "", 0, false);
    return profiling_of(&g, &options);
}

/*
 * Of several goroutines with one id, Go counts only what falls into the time of the last one, which
 * begins when that first runs, or is all time if it never runs.
 */
static void test_last_goroutine_of_an_id_has_the_time(void **state)
{
    gt_profile *profile;
    (void) state;
    profile = calls_from_c(true);
    profiling_expect(profile, GT_PROFILE_SYSCALL, "1 11 \n1 10 main.two:4;runtime.cgocallback:1\n");
    gt_profile_close(&profile);
    profile = calls_from_c(false);
    profiling_expect(profile, GT_PROFILE_SYSCALL,
                     "5 92 \n1 10 main.one:3;runtime.cgocallback:1\n"
                     "1 10 main.two:4;runtime.cgocallback:1\n");
    gt_profile_close(&profile);
}

/* What each kind of Go counts of a trace, and what it counts with GT_PROFILE_ALL. */
static void expect_both(void (*write)(struct gen *g), uint32_t kind, const char *as_go,
                        const char *all)
{
    gt_profile_options options = profiling_options();
    for (unsigned i = 0; i < 2; i++) {
        struct gen g = {0};
        write(&g);
        options.flags = i == 0 ? 0 : GT_PROFILE_ALL;
        gt_profile *profile = profiling_of(&g, &options);
        profiling_expect(profile, kind, i == 0 ? as_go : all);
        gt_profile_close(&profile);
    }
}

/* The network poller wakes goroutine 2, which blocks and is woken; it never runs again. */
static void write_poller(struct gen *g)
{
    begin_two(g);
    gen_go_block(g, "network", AT(g, "main.read", 5));
    gen_go_unblock(g, 2, 0);
    gen_go_start(g, 1);
}

static void test_all_counts_what_has_no_end_and_no_waker(void **state)
{
    (void) state;
    expect_both(write_poller, GT_PROFILE_SCHED, "1 40 main.stop:4;main.main:1\n",
                "1 40 main.stop:4;main.main:1\n1 20 main.create:3;main.main:1\n"
                "1 11 main.read:5;main.main:1\n");
    expect_both(write_poller, GT_PROFILE_NET, "1 10 main.read:5;main.main:1\n",
                "1 10 main.read:5;main.main:1\n");
}

/* Goroutine 2 exists before the trace, in a system call, and the trace ends in another one. */
static void write_syscalls(struct gen *g)
{
    begin(g, 26);
    gen_on_at(g, 6, g->time + 10);
    gen_go_status_stack(g, 2, 6, 3, AT(g, "main.read", 3));
    gen_syscall_end_blocked(g);
    gen_on_at(g, 5, g->time + 10);
    gen_go_block(g, "sleep", 0);
    gen_go_start(g, 2);
    gen_syscall_begin(g, AT(g, "main.write", 4));
    gen_proc_status(g, 3, PROC_IDLE);
}

static void test_all_counts_from_the_first_sync_to_the_last_event(void **state)
{
    (void) state;
    expect_both(write_syscalls, GT_PROFILE_SYSCALL, "",
                "1 50 main.read:3;main.main:1\n1 11 main.write:4;main.main:1\n");
    expect_both(write_syscalls, GT_PROFILE_SCHED, "", "1 30 main.read:3;main.main:1\n");
}

static void write_calls_from_c(struct gen *g)
{
    begin(g, 26);
    call_from_c(g, 1, "main.one", 3, true);
    call_from_c(g, 2, "main.two", 4, true);
}

static void test_all_counts_every_goroutine_of_an_id(void **state)
{
    (void) state;
    expect_both(write_calls_from_c, GT_PROFILE_SYSCALL,
                "1 11 \n1 10 main.two:4;runtime.cgocallback:1\n",
                "2 60 \n2 21 main.one:3;runtime.cgocallback:1\n"
                "2 21 main.two:4;runtime.cgocallback:1\n");
}

int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_reason_counts_in_its_kind),
        cmocka_unit_test(test_syscalls_are_added_up),
        cmocka_unit_test(test_wait_without_end_does_not_count),
        cmocka_unit_test(test_syscall_before_the_first_run_does_not_count),
        cmocka_unit_test(test_wait_goes_on_over_generations),
        cmocka_unit_test(test_stacks_of_generations_are_distinct),
        cmocka_unit_test(test_events_after_the_last_sync_do_not_count),
        cmocka_unit_test(test_waiting_forever_does_not_count),
        cmocka_unit_test(test_last_goroutine_of_an_id_has_the_time),
        cmocka_unit_test(test_all_counts_what_has_no_end_and_no_waker),
        cmocka_unit_test(test_all_counts_from_the_first_sync_to_the_last_event),
        cmocka_unit_test(test_all_counts_every_goroutine_of_an_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
