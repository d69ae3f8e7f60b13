/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The memory of a validator comes from the caller's allocator, stays within the limit, and is
 * little.
 */

#include <string.h>

#include "support/probe.h"
#include "support/reading.h"
#include "support/sample.h"
#include "support/test.h"

/* How the validation of a sample trace ended, and with how many findings. */
struct outcome {
    gt_status status;
    uint64_t findings;
};

/* A version whose rules the sample breaks, because its generations have no clock. */
#define STRICT 26

/* Validates a trace of Go 1.23 by the rules of a later version. */
static struct outcome validate(const struct wire *wire, struct probe *probe, uint64_t limit)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    struct outcome outcome = {GT_OK, 0};
    gt_validator *validator;
    const gt_event *event;
    gt_reader *reader;
    options.version = STRICT;
    options.memory_limit = limit;
    options.allocator = &probe->allocator;
    outcome.status = gt_validator_open(&validator, &options, NULL);
    if (outcome.status != GT_OK) {
        assert_null(validator);
        return outcome;
    }
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        if (outcome.status == GT_OK)
            outcome.status = gt_validator_event(validator, reader, event);
        else /* a failure stays */
            assert_status(gt_validator_event(validator, reader, event), outcome.status);
    }
    outcome.findings = gt_validator_count(validator);
    gt_reader_close(&reader);
    gt_validator_close(&validator);
    return outcome;
}

/*
 * Writes two tasks and a stopped world, `times` over, whose texts have 300 bytes; those of the
 * sample are short.
 */
static void write_long(struct wire *wire, unsigned times)
{
    char type[301];
    memset(type, 'x', sizeof(type));
    type[sizeof(type) - 1] = '\0';
    wire_begin(wire, 23);
    wire_sync(wire, 1, 1, WIRE_NANOSECONDS);
    wire_batch(wire, 1, 5, 10);
    wire_running(wire, 5, 0, 1);
    while (times-- > 0) {
        WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, 7, 0, 1, 0);
        WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, 8, 0, 1, 0);
        WIRE_EVENT(wire, EV_STW_BEGIN, 1, 1, 0);
        WIRE_EVENT(wire, EV_STW_END, 1);
        WIRE_EVENT(wire, EV_USER_TASK_END, 1, 7, 0);
        WIRE_EVENT(wire, EV_USER_TASK_END, 1, 8, 0);
    }
    wire_strings(wire, 1);
    wire_string(wire, 1, type);
    wire_batch_end(wire);
}

/* Lets each allocation in turn fail, only that one or all from there on. */
static void check_failures(const struct wire *wire)
{
    struct outcome good, outcome;
    struct probe probe;
    uint64_t calls;
    probe_init(&probe);
    good = validate(wire, &probe, 0);
    assert_status(good.status, GT_OK);
    calls = probe.calls;
    assert_true(calls > 5);
    probe_check(&probe);
    for (int on = 0; on < 2; on++) {
        for (uint64_t at = 1; at <= calls; at++) {
            probe_init(&probe);
            probe.fail_at = at;
            probe.fail_on = on;
            outcome = validate(wire, &probe, 0);
            assert_status(outcome.status, GT_ERR_NO_MEMORY);
            assert_true(probe.failed > 0);
            assert_true(outcome.findings <= good.findings);
            probe_check(&probe);
        }
    }
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    struct wire wire = {0};
    (void) state;
    sample_trace(&wire, 23, 3, 60);
    check_failures(&wire);
    write_long(&wire, 1);
    check_failures(&wire);
    wire_free(&wire);
}

/* A limit is kept, and one that just suffices changes nothing. */
static void test_memory_limit_is_kept(void **state)
{
    struct wire wire = {0};
    struct outcome good, outcome;
    struct probe probe;
    uint64_t peak;
    (void) state;
    sample_trace(&wire, 23, 3, 60);
    probe_init(&probe);
    good = validate(&wire, &probe, 0);
    peak = probe.peak_bytes;
    for (uint64_t limit = 1; limit < 2 * peak; limit += 97) {
        probe_init(&probe);
        outcome = validate(&wire, &probe, limit);
        assert_true(probe.peak_bytes <= limit);
        assert_true(outcome.status == GT_ERR_LIMIT || outcome.status == GT_OK);
        if (limit < peak)
            assert_status(outcome.status, GT_ERR_LIMIT);
        probe_check(&probe);
    }
    probe_init(&probe);
    outcome = validate(&wire, &probe, 2 * peak);
    assert_status(outcome.status, GT_OK);
    assert_int_equal(outcome.findings, good.findings);
    wire_free(&wire);
}

/* A trace that goes on as it began needs no further allocation, however long it is. */
static void test_steady_trace_needs_no_more_allocations(void **state)
{
    uint64_t calls[2], bytes[2];
    struct probe probe;
    (void) state;
    for (unsigned i = 0; i < 2; i++) {
        struct wire wire = {0};
        sample_trace(&wire, 23, 4, i == 0 ? 2000 : 20000);
        probe_init(&probe);
        assert_status(validate(&wire, &probe, 0).status, GT_OK);
        calls[i] = probe.calls;
        bytes[i] = probe.peak_bytes;
        wire_free(&wire);
    }
    assert_int_equal(calls[0], calls[1]);
    assert_int_equal(bytes[0], bytes[1]);
}

/* Texts are freed with their tasks and ranges. */
static void test_long_texts_are_freed(void **state)
{
    struct wire wire = {0};
    struct probe probe;
    (void) state;
    write_long(&wire, 1000);
    probe_init(&probe);
    assert_status(validate(&wire, &probe, 20000).status, GT_OK);
    probe_check(&probe);
    wire_free(&wire);
}

/* A goroutine takes a few dozen bytes. */
static void test_goroutine_takes_little_memory(void **state)
{
    const uint64_t count = 20000;
    struct reading r = {0};
    struct probe probe;
    (void) state;
    reading_begin_running(&r);
    for (uint64_t i = 0; i < count; i++) { /* a batch has at most 64 KiB */
        if (i % 2000 == 1999)
            wire_batch(&r.wire, 1, 5, 100 + 10 * i);
        WIRE_EVENT(&r.wire, EV_GO_CREATE, 1, 100 + i, 0, 0);
    }
    wire_batch_end(&r.wire);
    probe_init(&probe);
    assert_status(validate(&r.wire, &probe, 0).status, GT_OK);
    assert_true(probe.peak_bytes < 64 * count);
    probe_check(&probe);
    reading_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_steady_trace_needs_no_more_allocations),
        cmocka_unit_test(test_long_texts_are_freed),
        cmocka_unit_test(test_goroutine_takes_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
