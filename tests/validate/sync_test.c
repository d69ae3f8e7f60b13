/* SPDX-License-Identifier: BSD-3-Clause */

/* Violations by Syncs: their numbers and their clocks. */

#include "plant.h"
#include "support/test.h"

/* Adds an empty generation with this number and this clock. */
struct clock {
    uint64_t trace;
    uint64_t monotonic;
    uint64_t seconds;
    uint64_t nanoseconds;
};

static void add_generation(struct wire *wire, uint64_t gen, const struct clock *clock)
{
    wire_batch(wire, gen, WIRE_NONE, clock->trace);
    wire_byte(wire, EV_SYNC);
    WIRE_EVENT(wire, EV_CLOCK_SNAPSHOT, 0, clock->monotonic, clock->seconds, clock->nanoseconds);
    WIRE_EVENT(wire, EV_FREQUENCY, WIRE_NANOSECONDS);
    wire_batch(wire, gen, 5, gen * 1000);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
    wire_generation_end(wire);
}

static void test_missing_sync_is_found(void **state)
{
    struct plant p = {0};
    (void) state;
    wire_begin(&p.first.wire, 23);
    for (uint64_t gen = 1; gen <= 3; gen++)
        plant_generation(&p.first.wire, gen);
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, 2);
    reading_skip(&p.first, 1);
    plant_feed(&p, &p.first, 2);
    assert_string_equal(plant_expect(&p, GT_RULE_SYNC_NUMBER), "Sync 3 comes where Sync 2 is due");
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

/* A trace claims a later version than its generations have. */
static void test_missing_clock_is_found(void **state)
{
    static const uint32_t versions[] = {25, 0};
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        struct plant p = {0};
        options.version = versions[i];
        wire_begin(&p.first.wire, 23);
        plant_generation(&p.first.wire, 1);
        plant_open(&p, &options);
        plant_feed(&p, &p.first, 1);
        plant_expect(&p, GT_RULE_SYNC_CLOCK);
        plant_feed_rest(&p, &p.first);
        plant_close(&p);
    }
}

/* Checks three generations, of which the second has the given clock. */
static void check_clock(const struct clock *second, uint64_t flags, uint32_t rule,
                        const char *message)
{
    static const struct clock first = {1000, 2000, 3000, 4000};
    static const struct clock third = {3000, 4000, 5000, 1};
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    struct plant p = {0};
    options.flags = flags;
    options.version = 26;
    wire_begin(&p.first.wire, 26);
    add_generation(&p.first.wire, 1, &first);
    add_generation(&p.first.wire, 2, second);
    add_generation(&p.first.wire, 3, &third);
    plant_open(&p, &options);
    plant_feed(&p, &p.first, 3);
    if (message)
        assert_string_equal(plant_expect(&p, (gt_rule) rule), message);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

static void test_clock_that_does_not_advance_is_found(void **state)
{
    static const struct clock good = {1001, 2001, 3000, 4001};
    static const struct clock next_second = {1001, 2001, 3001, 0};
    static const struct clock trace = {1000, 2001, 3000, 4001};
    static const struct clock monotonic = {1001, 2000, 3000, 4001};
    static const struct clock wall = {1001, 2001, 3000, 4000};
    static const struct clock wall_second = {1001, 2001, 2999, 5000};
    (void) state;
    check_clock(&good, 0, 0, NULL);
    check_clock(&next_second, 0, 0, NULL);
    check_clock(&trace, 0, GT_RULE_CLOCK_ORDER,
                "the snapshot of the trace clock is not later than that of the Sync before");
    check_clock(&monotonic, 0, GT_RULE_CLOCK_ORDER,
                "the snapshot of the monotonic clock is not later than that of the Sync before");
    check_clock(&wall, 0, GT_RULE_CLOCK_ORDER,
                "the snapshot of the wall clock is not later than that of the Sync before");
    check_clock(&wall_second, 0, GT_RULE_CLOCK_ORDER,
                "the snapshot of the wall clock is not later than that of the Sync before");
    check_clock(&wall, GT_VALIDATOR_COARSE_CLOCK, 0, NULL);
}

/* Each clock is compared with that of the Sync before, not with the first one. */
static void test_clock_is_compared_with_the_one_before(void **state)
{
    static const struct clock first = {1000, 2000, 3000, 4000};
    static const struct clock second = {1900, 2900, 3900, 4900};
    static const struct clock third = {1950, 2950, 3900, 4900};
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    struct plant p = {0};
    (void) state;
    options.version = 26;
    wire_begin(&p.first.wire, 26);
    add_generation(&p.first.wire, 1, &first);
    add_generation(&p.first.wire, 2, &second);
    add_generation(&p.first.wire, 3, &third);
    plant_open(&p, &options);
    plant_feed(&p, &p.first, 5);
    plant_expect(&p, GT_RULE_CLOCK_ORDER);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

static void test_zero_clock_is_found(void **state)
{
    static const struct clock trace = {0, 2001, 3000, 4001};
    static const struct clock monotonic = {1001, 0, 3000, 4001};
    static const struct clock wall = {1001, 2001, 0, 0};
    static const struct clock second = {1001, 2001, 3001, 0};
    (void) state;
    check_clock(&trace, 0, GT_RULE_SYNC_CLOCK, "the snapshot of the trace clock is zero");
    check_clock(&monotonic, GT_VALIDATOR_COARSE_CLOCK, GT_RULE_SYNC_CLOCK,
                "the snapshot of the monotonic clock is zero");
    check_clock(&wall, 0, GT_RULE_SYNC_CLOCK, "the snapshot of the wall clock is zero");
    check_clock(&second, 0, 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_sync_is_found),
        cmocka_unit_test(test_missing_clock_is_found),
        cmocka_unit_test(test_clock_that_does_not_advance_is_found),
        cmocka_unit_test(test_clock_is_compared_with_the_one_before),
        cmocka_unit_test(test_zero_clock_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
