/* SPDX-License-Identifier: BSD-3-Clause */

/* Recorded traces that are cut, damaged, and read in pieces of any size. */

#include <stdbool.h>

#include "support/test.h"
#include "sweep/damage.h"

struct plan {
    const char *name;
    /* The stride over places; coprime to the periods of anything regular in a file. */
    size_t stride;
};

#define COUNT(plans) (sizeof(plans) / sizeof((plans)[0]))

static void cut(const struct plan *plan, int edges)
{
    struct damage damage;
    struct trace trace;
    size_t edge = 0;

    trace_load(&trace, plan->name);
    damage_begin(&damage, &trace);
    for (size_t size = 0; size < trace.size; size++) {
        bool is_chosen = size % (plan->stride * TEST_STRIDE(4)) == 0;
        if (edges && damage_is_edge(&damage, size))
            is_chosen |= edge++ % TEST_STRIDE(4) == 0;
        if (is_chosen)
            damage_cut(&damage, size);
    }
    damage_end(&damage);
    trace_free(&trace);
}

static void test_every_prefix_of_small_traces_gives_its_events(void **state)
{
    static const struct plan plans[] = {
        {"v1/go1.19-idle.trace", 1},  {"v1/go1.21-procs.trace", 1},  {"v2/go1.22-idle.trace", 1},
        {"v2/go1.23-coro.trace", 1},  {"v2/go1.24-idle.trace", 1},   {"v2/go1.25-idle.trace", 1},
        {"v2/go1.26-tasks.trace", 1}, {"v2/go1.27-thread.trace", 1},
    };

    (void) state;
    for (size_t i = 0; i < COUNT(plans); i++)
        cut(&plans[i], 0);
}

static void test_some_prefixes_of_large_traces_give_their_events(void **state)
{
    static const struct plan plans[] = {
        {"v1/go1.21-cpu.trace", 61},    {"v2/go1.22-gens.trace", 61},
        {"v2/go1.23-gc.trace", 61},     {"v2/go1.25-flight.trace", 61},
        {"v2/go1.26-gcgens.trace", 61}, {"v2/go1.27-gens.trace", 61},
        {"v2/go1.27-cut.trace", 61},
    };

    (void) state;
    for (size_t i = 0; i < COUNT(plans); i++)
        cut(&plans[i], 1);
}

static void change(const struct plan *plan)
{
    struct damage damage;
    struct trace trace;

    trace_load(&trace, plan->name);
    damage_begin(&damage, &trace);
    for (size_t place = 0; place < trace.size; place += plan->stride * TEST_STRIDE(4))
        damage_change(&damage, place);
    damage_end(&damage);
    trace_free(&trace);
}

static void test_changed_bytes_leave_earlier_events(void **state)
{
    static const struct plan plans[] = {
        {"v1/go1.19-idle.trace", 1},  {"v2/go1.22-idle.trace", 3},   {"v2/go1.24-coro.trace", 7},
        {"v2/go1.27-idle.trace", 5},  {"v1/go1.21-tasks.trace", 29}, {"v2/go1.25-tasks.trace", 43},
        {"v2/go1.26-sync.trace", 43}, {"v2/go1.22-gens.trace", 499}, {"v2/go1.27-gens.trace", 499},
    };

    (void) state;
    for (size_t i = 0; i < COUNT(plans); i++)
        change(&plans[i]);
}

/* Uses versions of which there is no recorded trace. */
static void test_prefixes_and_changes_of_generated_traces(void **state)
{
    static const unsigned versions[] = {5, 7, 9, 10, 11};

    (void) state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        struct damage damage;
        struct trace trace;

        trace_sample(&trace, versions[i], 10);
        damage_begin(&damage, &trace);
        assert_status(damage.good.status, GT_END);
        for (size_t place = 0; place < trace.size; place += TEST_STRIDE(4)) {
            damage_cut(&damage, place);
            if (place % 7 == 0)
                damage_change(&damage, place);
        }
        damage_end(&damage);
        trace_free(&trace);
    }
}

static void test_pieces_of_any_size_read_the_same(void **state)
{
    static const char *const names[] = {
        "v1/go1.19-sync.trace",
        "v2/go1.23-restart.trace",
        "v2/go1.27-tasks.trace",
    };

    (void) state;
    for (size_t i = 0; i < COUNT(names); i++) {
        struct damage damage;
        struct trace trace;

        trace_load(&trace, names[i]);
        damage_begin(&damage, &trace);
        assert_status(damage.good.status, GT_END);
        for (size_t step = 1; step <= 4096; step += TEST_STRIDE(8))
            damage_step(&damage, step);
        damage_step(&damage, SIZE_MAX);
        damage_end(&damage);
        trace_free(&trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_prefix_of_small_traces_gives_its_events),
        cmocka_unit_test(test_some_prefixes_of_large_traces_give_their_events),
        cmocka_unit_test(test_changed_bytes_leave_earlier_events),
        cmocka_unit_test(test_prefixes_and_changes_of_generated_traces),
        cmocka_unit_test(test_pieces_of_any_size_read_the_same),
    };

    return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}
