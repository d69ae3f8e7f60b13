/* SPDX-License-Identifier: BSD-3-Clause */

/* Profiles of groups of goroutines, and of regions. */

#include <string.h>

#include "profiling.h"

#define AT(gen, name, line) GEN_STACK((gen), {name, "main.go", line}, {"main.work", "main.go", 1})

/* Thread 5 runs proc 0 and goroutine 1; events are 10 ns apart. */
static void begin(struct gen *g)
{
    gen_begin(g, 26);
    gen_generation(g, 1);
    g->dt = 10;
    gen_running(g, 5, 0, 1);
}

/* The running goroutine makes a system call that takes `ns`. */
static void call(struct gen *g, const char *name, uint64_t line, uint64_t ns)
{
    gen_syscall_begin(g, AT(g, name, line));
    g->dt = ns;
    gen_syscall_end(g);
    g->dt = 10;
}

static void region_begin(struct gen *g, const char *type)
{
    gen_region_begin(g, 0, type, 0);
}

static void region_end(struct gen *g, const char *type)
{
    gen_region_end(g, 0, type, 0);
}

static gt_profile_options group(const char *name)
{
    gt_profile_options options = profiling_options();
    options.goroutine = (gt_string){name, strlen(name)};
    return options;
}

static gt_profile_options region(const char *type)
{
    gt_profile_options options = profiling_options();
    options.flags = GT_PROFILE_REGIONS;
    if (type)
        options.region_type = (gt_string){type, strlen(type)};
    return options;
}

/*
 * Asserts the system calls that count in the trace that `write` writes, and the number of matches.
 */
static void expect(void (*write)(struct gen *g), const gt_profile_options *options,
                   const char *lines, uint64_t selected)
{
    struct gen g = {0};
    gt_profile *profile;
    gt_profile_info info = GT_PROFILE_INFO_INIT;
    begin(&g);
    write(&g);
    profile = profiling_of(&g, options);
    profiling_expect(profile, GT_PROFILE_SYSCALL, lines);
    assert_status(gt_profile_get_info(profile, &info), GT_OK);
    assert_int_equal(info.selected, selected);
    gt_profile_close(&profile);
}

/*
 * Goroutine 1 is older than the trace, and named by its first stack; goroutine 2 is named by its
 * start.
 */
static void write_group(struct gen *g)
{
    uint64_t stack;
    gen_syscall_begin(g, 0);
    gen_syscall_end(g);
    call(g, "main.one", 3, 20);
    stack = GEN_STACK(g, {"main.other", "main.go", 7});
    gen_go_create(g, 2, stack, 0);
    gen_go_stop(g, "preempted", 0);
    gen_go_start(g, 2);
    call(g, "main.two", 4, 30);
    gen_go_destroy(g);
}

static void test_group_selects_goroutines_by_function(void **state)
{
    gt_profile_options options = group("main.work");
    (void) state;
    expect(write_group, &options, "1 20 main.one:3;main.work:1\n1 10 \n", 1);
    options = group("main.other");
    expect(write_group, &options, "1 30 main.two:4;main.work:1\n", 1);
    options = group("main.wor");
    expect(write_group, &options, "", 0);
    options = group("");
    expect(write_group, &options,
           "1 30 main.two:4;main.work:1\n1 20 main.one:3;main.work:1\n1 10 \n", 2);
}

/* The leaf does not name a goroutine, as it did in Go 1.24. */
static void test_leaf_does_not_name_a_group(void **state)
{
    gt_profile_options options = group("main.one");
    (void) state;
    expect(write_group, &options, "", 0);
}

/* System calls in a region, before and after it, and in a nested one. */
static void write_regions(struct gen *g)
{
    call(g, "main.before", 1, 10);
    region_begin(g, "outer");
    call(g, "main.outer", 2, 20);
    region_begin(g, "inner");
    call(g, "main.inner", 3, 30);
    region_end(g, "inner");
    region_begin(g, "inner");
    call(g, "main.inner", 3, 40);
    region_end(g, "inner");
    region_end(g, "outer");
    call(g, "main.after", 4, 50);
}

static void test_region_selects_time_by_type(void **state)
{
    gt_profile_options options = region("inner");
    (void) state;
    expect(write_regions, &options, "2 70 main.inner:3;main.work:1\n", 2);
    options = region("outer");
    expect(write_regions, &options,
           "2 70 main.inner:3;main.work:1\n1 20 main.outer:2;main.work:1\n", 1);
    options = region("");
    expect(write_regions, &options, "", 0);
    options = region(NULL);
    expect(write_regions, &options,
           "2 70 main.inner:3;main.work:1\n1 20 main.outer:2;main.work:1\n", 3);
}

/* The inner regions last 30 + 20 and 40 + 20 ns. They may match where the outer one does not. */
static void test_latency_selects_regions_by_duration(void **state)
{
    static const struct {
        int64_t min;
        int64_t max;
        const char *lines;
        uint64_t selected;
    } cases[] = {
        {50, 50, "1 30 main.inner:3;main.work:1\n", 1},
        {51, 60, "1 40 main.inner:3;main.work:1\n", 1},
        {0, 60, "2 70 main.inner:3;main.work:1\n", 2},
        {0, 49, "", 0},
        {61, INT64_MAX, "2 70 main.inner:3;main.work:1\n1 20 main.outer:2;main.work:1\n", 1},
        {0, -1, "", 0},
        {-5, INT64_MAX, "2 70 main.inner:3;main.work:1\n1 20 main.outer:2;main.work:1\n", 3},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        gt_profile_options options = region(NULL);
        options.latency_min = cases[i].min;
        options.latency_max = cases[i].max;
        expect(write_regions, &options, cases[i].lines, cases[i].selected);
    }
}

/*
 * Regions that are older than the trace: the first end covers all time before it, and no other end
 * does.
 */
static void write_old(struct gen *g)
{
    call(g, "main.first", 1, 10);
    region_end(g, "old");
    call(g, "main.second", 2, 20);
    region_end(g, "older");
    region_begin(g, "new");
    call(g, "main.third", 3, 30);
    region_end(g, "new");
}

static void test_first_end_covers_the_time_before(void **state)
{
    gt_profile_options options = region("old");
    (void) state;
    expect(write_old, &options, "1 10 main.first:1;main.work:1\n", 1);
    options = region("older");
    expect(write_old, &options, "1 20 main.second:2;main.work:1\n1 10 main.first:1;main.work:1\n",
           1);
    options = region(NULL);
    expect(write_old, &options, "1 30 main.third:3;main.work:1\n1 10 main.first:1;main.work:1\n",
           3);
    options.latency_max = 20;
    expect(write_old, &options, "", 0);
}

/* Regions without an end, in a goroutine that ends and in one that does not. */
static void write_open(struct gen *g, const char *root)
{
    uint64_t stack = GEN_STACK(g, {root, "main.go", 1});
    gen_go_create(g, 2, stack, 0);
    region_begin(g, "open");
    call(g, "main.one", 1, 10);
    gen_go_stop(g, "preempted", 0);
    gen_go_start(g, 2);
    region_begin(g, "open");
    gen_syscall_begin(g, GEN_STACK(g, {"main.two", "main.go", 2}));
    gen_syscall_end(g);
    gen_go_destroy(g);
    gen_go_start(g, 1);
}

static void write_open_user(struct gen *g)
{
    write_open(g, "main.go");
}

static void write_open_main(struct gen *g)
{
    write_open(g, "runtime.main");
}

static void write_open_system(struct gen *g)
{
    write_open(g, "runtime.gc");
}

static void test_open_region_lasts_to_the_end(void **state)
{
    gt_profile_options options = region("open");
    (void) state;
    expect(write_open_user, &options, "1 10 main.one:1;main.work:1\n1 10 main.two:2\n", 2);
    expect(write_open_main, &options, "1 10 main.one:1;main.work:1\n1 10 main.two:2\n", 2);
    /* Regions that the runtime's own goroutines leave open do not count. */
    expect(write_open_system, &options, "1 10 main.one:1;main.work:1\n", 1);
}

/* A goroutine that is created in a region is in a region without a type. */
static void write_inherited(struct gen *g)
{
    uint64_t stack = GEN_STACK(g, {"main.child", "main.go", 1});
    region_begin(g, "parent");
    gen_go_create(g, 2, stack, 0);
    region_end(g, "parent");
    call(g, "main.one", 1, 10);
    gen_go_stop(g, "preempted", 0);
    gen_go_start(g, 2);
    call(g, "main.two", 2, 20);
    gen_go_destroy(g);
}

static void test_inherited_region_has_no_type(void **state)
{
    gt_profile_options options = region("");
    (void) state;
    expect(write_inherited, &options, "1 20 main.two:2;main.work:1\n", 1);
    options = region("parent");
    expect(write_inherited, &options, "", 1);
}

/* C on thread 6 calls Go, which is in a region, in a goroutine whose id is used again. */
static void call_from_c(struct gen *g, uint64_t proc, const char *name, uint64_t line)
{
    gen_on_at(g, 6, g->time + 10);
    gen_go_create_syscall(g, 9);
    gen_proc_status(g, proc, PROC_IDLE);
    gen_proc_start(g, proc);
    gen_syscall_end_blocked(g);
    gen_go_start(g, 9);
    region_begin(g, "r");
    gen_syscall_begin(g,
                      GEN_STACK(g, {name, "main.go", line}, {"runtime.cgocallback", "asm.s", 1}));
    gen_syscall_end(g);
    region_end(g, "r");
    gen_syscall_begin(g, 0);
    gen_go_destroy_syscall(g);
}

static void write_same_id(struct gen *g)
{
    call_from_c(g, 1, "main.one", 1);
    call_from_c(g, 2, "main.two", 2);
}

/* As in Go's summary, only the regions of the last goroutine with the id count. */
static void test_last_goroutine_of_an_id_has_the_regions(void **state)
{
    gt_profile_options options = region("r");
    (void) state;
    expect(write_same_id, &options, "1 10 main.two:2;runtime.cgocallback:1\n", 2);
}

/* Time is divided where a region begins and ends. */
static void test_time_is_divided_at_regions(void **state)
{
    struct gen g = {0};
    gt_profile_options options = region("r");
    gt_profile *profile;
    (void) state;
    begin(&g);
    call(&g, "main.one", 1, 10);
    g.dt = 100;
    region_begin(&g, "r");
    g.dt = 10;
    call(&g, "main.two", 2, 20);
    g.dt = 30;
    region_end(&g, "r");
    profile = profiling_of(&g, &options);
    profiling_expect(profile, GT_PROFILE_WALL,
                     "1 30 [Running];main.two:2;main.work:1\n"
                     "1 20 [Syscall];main.two:2;main.work:1\n"
                     "1 10 [Running];main.one:1;main.work:1\n");
    gt_profile_close(&profile);
}

/* CPU samples count for the goroutine that they name, if it is known. */
static void test_samples_count_for_their_goroutine(void **state)
{
    struct gen g = {0};
    struct reading reading = {0};
    gt_profile_options options;
    gt_profile *profile;
    (void) state;
    begin(&g);
    call(&g, "main.one", 1, 10);
    region_begin(&g, "r");
    g.time += 10;
    gen_sample(&g, 5, 0, 1, AT(&g, "main.busy", 9));
    gen_sample(&g, 5, 0, WIRE_NONE, AT(&g, "main.none", 8));
    gen_sample(&g, 5, 0, 99, AT(&g, "main.gone", 7));
    region_end(&g, "r");
    gen_read(&g, &reading);
    options = region("r");
    options.cpu_period = 7;
    profile = profiling_read(&reading, &options);
    profiling_expect(profile, GT_PROFILE_CPU, "1 7 main.busy:9;main.work:1\n");
    gt_profile_close(&profile);
    reading_close(&reading);
}

/* A group and a region cannot be selected together. */
static void test_group_and_region_together_are_refused(void **state)
{
    gt_profile_options options = region("r");
    gt_profile *profile;
    (void) state;
    options.goroutine = (gt_string){"main.main", 9};
    assert_status(gt_profile_open(&profile, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group_selects_goroutines_by_function),
        cmocka_unit_test(test_leaf_does_not_name_a_group),
        cmocka_unit_test(test_region_selects_time_by_type),
        cmocka_unit_test(test_latency_selects_regions_by_duration),
        cmocka_unit_test(test_first_end_covers_the_time_before),
        cmocka_unit_test(test_open_region_lasts_to_the_end),
        cmocka_unit_test(test_inherited_region_has_no_type),
        cmocka_unit_test(test_last_goroutine_of_an_id_has_the_regions),
        cmocka_unit_test(test_time_is_divided_at_regions),
        cmocka_unit_test(test_samples_count_for_their_goroutine),
        cmocka_unit_test(test_group_and_region_together_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
