/* SPDX-License-Identifier: BSD-3-Clause */

/* The kinds that Go does not have: CPU samples, time off the CPU, all time. */

#include <inttypes.h>
#include <string.h>

#include "profiling.h"
#include "support/sample.h"

#define AT(gen, name, line) GEN_STACK((gen), {name, "main.go", line}, {"main.main", "main.go", 1})

static void begin(struct gen *g)
{
    gen_begin(g, 26);
    gen_generation(g, 1);
    g->dt = 10;
    gen_running(g, 5, 0, 1);
}

static void test_cpu_samples_are_counted(void **state)
{
    struct gen g = {0};
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    (void) state;
    begin(&g);
    gen_sample(&g, 5, 0, 1, AT(&g, "main.busy", 9));
    gen_sample(&g, 5, 0, 1, AT(&g, "main.busy", 9));
    gen_sample(&g, 5, 0, WIRE_NONE, AT(&g, "main.none", 8));
    gen_sample(&g, 5, 0, 1, 0);
    profile = profiling_of(&g, &options);
    profiling_expect(profile, GT_PROFILE_CPU,
                     "2 20000000 main.busy:9;main.main:1\n"
                     "1 10000000 \n"
                     "1 10000000 main.none:8;main.main:1\n");
    gt_profile_close(&profile);
}

/*
 * A goroutine waits for an event and then for a proc, which is one time off the CPU, at the stack
 * where it stopped.
 */
static void write_blocked(struct gen *g)
{
    uint64_t start;
    begin(g);
    start = GEN_STACK(g, {"main.two", "main.go", 2});
    gen_go_create(g, 2, start, AT(g, "main.create", 3));
    gen_go_block(g, "chan receive", AT(g, "main.wait", 4));
    gen_go_start(g, 2);
    gen_go_unblock(g, 1, AT(g, "main.wake", 5));
    gen_go_block(g, "sleep", AT(g, "main.sleep", 6));
    gen_go_start(g, 1);
    gen_syscall_begin(g, AT(g, "main.read", 7));
    gen_syscall_end(g);
    gen_go_stop(g, "preempted", AT(g, "main.stop", 8));
}

static void test_time_off_the_cpu_is_counted_where_it_began(void **state)
{
    struct gen g = {0};
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    (void) state;
    write_blocked(&g);
    profile = profiling_of(&g, &options);
    /* Goroutine 2 waits until the last event, which is 1 later than the one before. */
    profiling_expect(profile, GT_PROFILE_OFFCPU,
                     "1 41 main.sleep:6;main.main:1\n"
                     "1 40 main.wait:4;main.main:1\n"
                     "1 20 main.two:2\n"
                     "1 1 main.stop:8;main.main:1\n");
    gt_profile_close(&profile);
}

static void test_all_time_is_counted_by_state(void **state)
{
    struct gen g = {0};
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    (void) state;
    write_blocked(&g);
    profile = profiling_of(&g, &options);
    profiling_expect(profile, GT_PROFILE_WALL,
                     "1 41 [Waiting];main.sleep:6;main.main:1\n"
                     "1 40 [Running]\n"
                     "1 20 [Runnable];main.two:2\n"
                     "1 20 [Running];main.two:2\n"
                     "1 20 [Runnable];main.wait:4;main.main:1\n"
                     "1 20 [Waiting];main.wait:4;main.main:1\n"
                     "1 10 [Running];main.wait:4;main.main:1\n"
                     "1 10 [Running];main.read:7;main.main:1\n"
                     "1 10 [Syscall];main.read:7;main.main:1\n"
                     "1 1 [Runnable];main.stop:8;main.main:1\n");
    gt_profile_close(&profile);
}

/* A state at the beginning of the trace lasts since the Sync; a new generation changes nothing. */
static void test_state_lasts_since_the_first_sync(void **state)
{
    struct gen g = {0};
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    (void) state;
    begin(&g);
    gen_go_status_stack(&g, 2, WIRE_NONE, GO_WAITING, AT(&g, "main.wait", 4));
    gen_generation(&g, 2);
    AT(&g, "main.wait", 4);
    gen_running(&g, 5, 0, 1);
    gen_go_status(&g, 2, WIRE_NONE, GO_WAITING);
    profile = profiling_of(&g, &options);
    /* From time 1 to 62, the last Sync. */
    profiling_expect(profile, GT_PROFILE_WALL,
                     "1 61 [Running]\n1 61 [Waiting];main.wait:4;main.main:1\n");
    profiling_expect(profile, GT_PROFILE_OFFCPU, "1 61 main.wait:4;main.main:1\n");
    gt_profile_close(&profile);
}

/* Adds up all time: every goroutine is in one state at each time. */
static uint64_t sum(gt_profile *profile, uint32_t kind, uint32_t first, uint32_t last)
{
    gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
    uint64_t total = 0;
    for (size_t i = 0; i < gt_profile_count(profile, kind); i++) {
        assert_status(gt_profile_get_sample(profile, kind, i, &sample), GT_OK);
        if (sample.state >= first && sample.state <= last)
            total += sample.nanoseconds;
    }
    return total;
}

/* Time off the CPU is the time of waiting and runnable goroutines, in every version and size. */
static void test_time_off_the_cpu_is_waiting_and_runnable(void **state)
{
    static const unsigned versions[] = {11, 21, 22, 26};
    gt_profile_options options = profiling_options();
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        struct reading reading = {0};
        gt_profile *profile;
        uint64_t off;
        sample_trace(&reading.wire, versions[i], 3, 2000);
        reading_open(&reading, NULL);
        profile = profiling_read(&reading, &options);
        off = sum(profile, GT_PROFILE_WALL, GT_GO_RUNNABLE, GT_GO_RUNNABLE) +
              sum(profile, GT_PROFILE_WALL, GT_GO_WAITING, GT_GO_WAITING);
        assert_true(off > 0);
        assert_int_equal(sum(profile, GT_PROFILE_OFFCPU, 0, 0), off);
        gt_profile_close(&profile);
        reading_close(&reading);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpu_samples_are_counted),
        cmocka_unit_test(test_time_off_the_cpu_is_counted_where_it_began),
        cmocka_unit_test(test_all_time_is_counted_by_state),
        cmocka_unit_test(test_state_lasts_since_the_first_sync),
        cmocka_unit_test(test_time_off_the_cpu_is_waiting_and_runnable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
