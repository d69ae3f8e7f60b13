/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Statuses against the known state: each status of a proc or goroutine after each other one, in the
 * same generation and in the next.
 */

#include <stdbool.h>

#include "support/fault.h"
#include "support/gen_events.h"
#include "support/gen_moments.h"
#include "support/test.h"

/* Statuses 0 to 4 exist, where 0 is useless; these do not. */
#define STATUSES    5
#define NO_STATUSES 4
static const uint64_t no_statuses[NO_STATUSES] = {5, 6, 127, 255};

/* What a trace says twice of one proc or goroutine, and where. */
struct twice {
    uint64_t first;
    uint64_t second;
    int later;
    bool with_stack;
};

static void begin(struct gen *g, unsigned version)
{
    gen_begin(g, version);
    gen_generation(g, 1);
    gen_on(g, 5);
}

/* Both statuses are delivered. */
static int check_good(struct gen *g, const struct twice *twice)
{
    struct reading r = {0};
    gen_read(g, &r);
    reading_skip(&r, twice->later ? 4 : 3);
    reading_end(&r);
    return 0;
}

/* The first status is delivered, and the second is an error. */
static int check_fault(struct gen *g, const struct twice *twice)
{
    struct fault fault = {GT_ERR_ORDER, g->event_at, g->generation, twice->later ? 3 : 2};
    unsigned version = g->wire.version;
    int bad;
    gen_end(g);
    bad = fault_check("status", &g->wire, &fault);
    gen_free(g);
    if (bad)
        print_error("    %u after %u in version %u\n", (unsigned) twice->second,
                    (unsigned) twice->first, version);
    return bad;
}

static int check_procs(unsigned version, const struct twice *twice)
{
    bool good = twice->first == twice->second ||
                (twice->first == PROC_SYSCALL && twice->second == PROC_ABANDONED);
    struct gen g = {0};
    begin(&g, version);
    gen_proc_status(&g, 0, twice->first);
    if (twice->later)
        gen_generation(&g, 2);
    gen_proc_status(&g, 0, twice->second);
    return good ? check_good(&g, twice) : check_fault(&g, twice);
}

static void write_goroutine(struct gen *g, uint64_t status, bool with_stack)
{
    if (with_stack)
        gen_go_status_stack(g, 1, 5, status, 0);
    else
        gen_go_status(g, 1, 5, status);
}

static int check_goroutines(unsigned version, const struct twice *twice)
{
    struct gen g = {0};
    begin(&g, version);
    write_goroutine(&g, twice->first, false);
    if (twice->later)
        gen_generation(&g, 2);
    write_goroutine(&g, twice->second, twice->with_stack);
    return twice->first == twice->second ? check_good(&g, twice) : check_fault(&g, twice);
}

static void check_pairs(int (*check_pair)(unsigned version, const struct twice *twice),
                        bool with_stack)
{
    struct twice twice = {0, 0, 0, with_stack};
    int bad = 0;
    for (size_t k = 0; k < FAULT_VERSIONS; k++) {
        for (twice.later = 0; twice.later <= 1; twice.later++) {
            for (twice.first = 0; twice.first < STATUSES; twice.first++) {
                for (twice.second = 0; twice.second < STATUSES; twice.second++)
                    bad += check_pair(fault_versions[k], &twice);
            }
        }
    }
    assert_int_equal(bad, 0);
}

static void test_contradicting_proc_status_is_an_error(void **state)
{
    (void) state;
    check_pairs(check_procs, false);
}

static void test_contradicting_goroutine_status_is_an_error(void **state)
{
    (void) state;
    check_pairs(check_goroutines, false);
}

static void test_contradicting_status_with_stack_is_an_error(void **state)
{
    (void) state;
    check_pairs(check_goroutines, true);
}

static void test_unknown_status_is_an_error(void **state)
{
    struct gen g = {0};
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < NO_STATUSES; i++) {
        for (size_t k = 0; k < 3 * FAULT_VERSIONS; k++) {
            struct fault fault = {GT_ERR_ORDER, 0, 1, 1};
            begin(&g, fault_versions[k / 3]);
            if (k % 3 == 0)
                gen_proc_status(&g, 0, no_statuses[i]);
            else
                write_goroutine(&g, no_statuses[i], k % 3 == 1);
            fault.offset = g.event_at;
            gen_end(&g);
            bad += fault_check("no status", &g.wire, &fault);
            gen_free(&g);
        }
    }
    assert_int_equal(bad, 0);
}

/* The other faults of a GoStatusStack; order_errors_test.c has those of GoStatus. */
static void write_id_none(struct gen *g)
{
    GEN_EVENT(g, EV_GO_STATUS_STACK, WIRE_NONE, 5, GO_WAITING, 0);
}

static void write_nobody_created(struct gen *g)
{
    gen_proc_status(g, 0, PROC_IDLE);
    gen_generation(g, 2);
    gen_go_status_stack(g, 1, WIRE_NONE, GO_WAITING, 0);
}

static void write_without_thread(struct gen *g)
{
    gen_go_status_stack(g, 1, WIRE_NONE, GO_SYSCALL, 0);
}

static void write_own_thread_with_another(struct gen *g)
{
    gen_go_status(g, 1, 9, GO_SYSCALL);
    gen_running(g, 5, 0, 2);
    gen_generation(g, 2);
    gen_go_status_stack(g, 1, 5, GO_SYSCALL, 0);
}

static void write_other_thread_with_another(struct gen *g)
{
    gen_running(g, 6, 0, 2);
    gen_on(g, 5);
    gen_go_status_stack(g, 1, 6, GO_SYSCALL, 0);
}

static void write_other_thread_with_none(struct gen *g)
{
    gen_on(g, 6);
    gen_proc_status(g, 0, PROC_RUNNING);
    gen_on(g, 5);
    gen_go_status_stack(g, 1, 6, GO_SYSCALL, 0);
}

/* A thread whose only event still waits is known, and is known to have no goroutine. */
static void write_other_thread_that_waits(struct gen *g)
{
    gen_on(g, 6);
    gen_go_unblock(g, 7, 0);
    gen_on(g, 5);
    gen_go_status(g, 1, 6, GO_SYSCALL);
}

static const struct goroutine_fault {
    const char *name;
    void (*write)(struct gen *g);
    size_t events;
} goroutine_faults[] = {
    {"goroutine id none", write_id_none, 1},
    {"goroutine that nobody created", write_nobody_created, 3},
    {"system call without a thread", write_without_thread, 1},
    {"system call on this thread, which has another", write_own_thread_with_another, 5},
    {"system call on a thread with another", write_other_thread_with_another, 3},
    {"system call on a thread with none", write_other_thread_with_none, 2},
    {"system call on a thread that waits", write_other_thread_that_waits, 1},
};

static void test_faulty_goroutine_status_is_an_error(void **state)
{
    const struct goroutine_fault *f;
    struct gen g = {0};
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(goroutine_faults) / sizeof(*goroutine_faults); i++) {
        for (size_t k = 0; k < FAULT_VERSIONS; k++) {
            struct fault fault = {GT_ERR_ORDER, 0, 0, 0};
            f = &goroutine_faults[i];
            begin(&g, fault_versions[k]);
            f->write(&g);
            fault.offset = g.event_at;
            fault.generation = g.generation;
            fault.events = f->events;
            gen_end(&g);
            bad += fault_check(f->name, &g.wire, &fault);
            gen_free(&g);
        }
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contradicting_proc_status_is_an_error),
        cmocka_unit_test(test_contradicting_goroutine_status_is_an_error),
        cmocka_unit_test(test_contradicting_status_with_stack_is_an_error),
        cmocka_unit_test(test_unknown_status_is_an_error),
        cmocka_unit_test(test_faulty_goroutine_status_is_an_error),
    };
    return cmocka_run_group_tests_name("status errors", tests, NULL, NULL);
}
