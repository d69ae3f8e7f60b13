/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Malformed batches and generations: for each condition its status, its offset, and the events that
 * are delivered before it. Most traces have a good generation 1 of three events, and the fault in
 * generation 2.
 */

#include <string.h>

#include "support/digest.h"
#include "support/fault.h"
#include "support/gen_events.h"
#include "support/test.h"

/*
 * Bytes that are not a batch, or a batch that is cut off. Before Go 1.26 the preceding generation
 * is good if it is complete; since then it lacks its end and is lost.
 */
struct batch_fault {
    const char *name;
    gt_status status;
    /* The generation in the batch's header, where that can be read. */
    uint64_t generation;
    /* The content of the file, of `size` bytes. */
    uint8_t bytes[16];
    size_t size;
};

/* A varint of more than 64 bits. */
#define OVERFLOW 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02

static const struct batch_fault batch_faults[] = {
    {"batch, type 0", GT_ERR_BATCH, 0, {0, 2, 5, 1, 0}, 5},
    {"batch, type 2", GT_ERR_BATCH, 0, {EV_STACKS, 2, 5, 1, 0}, 5},
    {"batch, type 50", GT_ERR_BATCH, 0, {EV_SYNC, 2, 5, 1, 0}, 5},
    {"batch, type 255", GT_ERR_BATCH, 0, {255}, 1},
    {"batch, nothing else", GT_ERR_TRUNCATED, 0, {EV_EVENT_BATCH}, 1},
    {"batch, generation cut", GT_ERR_TRUNCATED, 0, {EV_EVENT_BATCH, 0x82}, 2},
    {"batch, no thread", GT_ERR_TRUNCATED, 0, {EV_EVENT_BATCH, 2}, 2},
    {"batch, thread cut", GT_ERR_TRUNCATED, 0, {EV_EVENT_BATCH, 2, 0x85}, 3},
    {"batch, no time", GT_ERR_TRUNCATED, 0, {EV_EVENT_BATCH, 2, 5}, 3},
    {"batch, time cut", GT_ERR_TRUNCATED, 0, {EV_EVENT_BATCH, 2, 5, 0xff, 0xff}, 5},
    {"batch, no size", GT_ERR_TRUNCATED, 0, {EV_EVENT_BATCH, 2, 5, 1}, 4},
    {"batch, size cut", GT_ERR_TRUNCATED, 0, {EV_EVENT_BATCH, 2, 5, 1, 0x83}, 5},
    {"batch, generation overflows", GT_ERR_BATCH, 0, {EV_EVENT_BATCH, OVERFLOW, 5, 1, 0}, 14},
    {"batch, thread overflows", GT_ERR_BATCH, 0, {EV_EVENT_BATCH, 2, OVERFLOW, 1, 0}, 14},
    {"batch, time overflows", GT_ERR_BATCH, 0, {EV_EVENT_BATCH, 2, 5, OVERFLOW, 0}, 14},
    {"batch, size overflows", GT_ERR_BATCH, 0, {EV_EVENT_BATCH, 2, 5, 1, OVERFLOW}, 14},
    {"batch, too large", GT_ERR_BATCH, 2, {EV_EVENT_BATCH, 2, 5, 1, 0x81, 0x80, 0x04}, 7},
    {"batch, largest claim",
     GT_ERR_BATCH,
     2,
     {EV_EVENT_BATCH, 2, 5, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
     14},
    {"batch, no content", GT_ERR_TRUNCATED, 2, {EV_EVENT_BATCH, 2, 5, 1, 3}, 5},
    {"batch, content cut", GT_ERR_TRUNCATED, 2, {EV_EVENT_BATCH, 2, 5, 1, 3, EV_PROC_STOP, 1}, 7},
    {"experiment, nothing else", GT_ERR_TRUNCATED, 0, {EV_EXPERIMENTAL_BATCH}, 1},
    {"experiment, no generation", GT_ERR_TRUNCATED, 0, {EV_EXPERIMENTAL_BATCH, 1}, 2},
    {"experiment, generation cut", GT_ERR_TRUNCATED, 0, {EV_EXPERIMENTAL_BATCH, 1, 0x82}, 3},
    {"experiment, no thread", GT_ERR_TRUNCATED, 0, {EV_EXPERIMENTAL_BATCH, 1, 2}, 3},
    {"experiment, no time", GT_ERR_TRUNCATED, 0, {EV_EXPERIMENTAL_BATCH, 1, 2, 5}, 4},
    {"experiment, no size", GT_ERR_TRUNCATED, 0, {EV_EXPERIMENTAL_BATCH, 1, 2, 5, 1}, 5},
    {"experiment, generation overflows",
     GT_ERR_BATCH,
     0,
     {EV_EXPERIMENTAL_BATCH, 1, OVERFLOW, 5, 1, 0},
     15},
    {"experiment, size overflows",
     GT_ERR_BATCH,
     0,
     {EV_EXPERIMENTAL_BATCH, 1, 2, 5, 1, OVERFLOW},
     15},
    {"experiment, too large",
     GT_ERR_BATCH,
     2,
     {EV_EXPERIMENTAL_BATCH, 1, 2, 5, 1, 0x81, 0x80, 0x04},
     8},
    {"experiment, content cut", GT_ERR_TRUNCATED, 2, {EV_EXPERIMENTAL_BATCH, 1, 2, 5, 1, 9, 0}, 7},
};

static void test_bad_batch_is_an_error(void **state)
{
    const struct batch_fault *b;
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(batch_faults) / sizeof(*batch_faults); i++) {
        for (size_t k = 0; k < FAULT_VERSIONS; k++) {
            struct fault fault;
            struct wire wire = {0};
            b = &batch_faults[i];
            fault_begin(&wire, fault_versions[k]);
            fault_generation(&wire, 2);
            wire_batch_end(&wire);
            fault = (struct fault){b->status, wire.size, 2, FAULT_GENERATION_EVENTS + 1};
            if (fault_versions[k] < 26)
                fault.events += FAULT_GENERATION_EVENTS;
            wire_bytes(&wire, b->bytes, b->size);
            bad += fault_check(b->name, &wire, &fault);
        }
    }
    assert_int_equal(bad, 0);
}

/* The first batch of the file: the generation is known only from its own header. */
static void test_bad_first_batch_is_an_error(void **state)
{
    const struct batch_fault *b;
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(batch_faults) / sizeof(*batch_faults); i++) {
        for (size_t k = 0; k < FAULT_VERSIONS; k++) {
            struct fault fault;
            struct wire wire = {0};
            b = &batch_faults[i];
            wire_begin(&wire, fault_versions[k]);
            fault = (struct fault){b->status, wire.size, b->generation, 1};
            wire_bytes(&wire, b->bytes, b->size);
            bad += fault_check(b->name, &wire, &fault);
        }
    }
    assert_int_equal(bad, 0);
}

/*
 * A bad batch follows a generation that is not complete: the incomplete generation is reported
 * first.
 */
static void test_missing_frequency_comes_before_a_bad_batch(void **state)
{
    struct wire wire = {0};
    struct fault fault = {GT_ERR_GENERATION, 16, 1, 1};
    (void) state;
    wire_begin(&wire, 22);
    wire_batch(&wire, 1, 5, 10);
    wire_batch_end(&wire);
    wire_byte(&wire, 255);
    assert_int_equal(fault_check("no frequency, then no batch", &wire, &fault), 0);
}

/* A batch of the largest size that is allowed. */
static void test_largest_batch_is_read(void **state)
{
    struct wire wire = {0};
    struct digest digest;
    (void) state;
    wire_begin(&wire, 22);
    fault_generation(&wire, 1);
    wire_batch(&wire, 1, 5, 2000);
    for (unsigned i = 0; i < 65536 / 4; i++)
        WIRE_EVENT(&wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    wire_batch_end(&wire);
    digest_memory(&digest, wire.data, wire.size, NULL);
    assert_status(digest.status, GT_END);
    assert_int_equal(digest.count, FAULT_GENERATION_EVENTS + 65536 / 4 + 1);
    digest_free(&digest);
    wire_free(&wire);
}

static void zero(struct wire *wire, struct fault *fault)
{
    wire_sync(wire, 2, 2000, WIRE_NANOSECONDS);
    wire_batch_end(wire);
    fault->offset = wire->size;
    wire_batch(wire, 0, 5, 10);
    wire_generation_end(wire);
}

static void cut_off(struct wire *wire, struct fault *fault)
{
    wire_sync(wire, 2, 2000, WIRE_NANOSECONDS);
    wire_batch(wire, 2, 5, 2000);
    wire_batch_end(wire);
    fault->offset = wire->size;
}

static void early_end(struct wire *wire, struct fault *fault)
{
    wire_sync(wire, 2, 2000, WIRE_NANOSECONDS);
    wire_batch_end(wire);
    fault->offset = wire->size;
    wire_byte(wire, EV_END_OF_GENERATION);
}

static void empty(struct wire *wire, struct fault *fault)
{
    fault->offset = wire->size;
    wire_byte(wire, EV_END_OF_GENERATION);
}

static void no_frequency(struct wire *wire, struct fault *fault)
{
    fault->offset = wire->size;
    wire_batch(wire, 2, 5, 2000);
    if (wire->version >= 25) {
        wire_batch(wire, 2, WIRE_NONE, 2000);
        wire_byte(wire, EV_SYNC);
        WIRE_EVENT(wire, EV_CLOCK_SNAPSHOT, 0, 1, 2, 3);
    }
    wire_generation_end(wire);
}

/* A generation follows, so nothing is cut off. */
static void no_frequency_before(struct wire *wire, struct fault *fault)
{
    no_frequency(wire, fault);
    fault_generation(wire, 3);
    wire_generation_end(wire);
}

static void cut_off_early(struct wire *wire, struct fault *fault)
{
    wire_batch(wire, 2, 5, 2000);
    wire_batch_end(wire);
    fault->offset = wire->size;
}

static void cut_off_within(struct wire *wire, struct fault *fault)
{
    static const uint8_t bytes[] = {EV_EVENT_BATCH, 2, 0, 1, 6, EV_FREQUENCY};
    cut_off_early(wire, fault);
    wire_bytes(wire, bytes, sizeof(bytes));
}

static void no_snapshot(struct wire *wire, struct fault *fault)
{
    fault->offset = wire->size;
    wire_batch(wire, 2, WIRE_NONE, 2000);
    wire_byte(wire, EV_SYNC);
    WIRE_EVENT(wire, EV_FREQUENCY, WIRE_NANOSECONDS);
    wire_generation_end(wire);
}

/* A fault in the versions from `least` to `most`. */
static const struct generation_fault {
    const char *name;
    unsigned least, most;
    gt_status status;
    uint64_t generation;
    /* Writes what follows a good generation 1, and sets the fault's offset. */
    void (*write)(struct wire *wire, struct fault *fault);
} generation_faults[] = {
    {"generation 0", 22, 26, GT_ERR_GENERATION, 0, zero},
    {"input ends in a generation", 26, 26, GT_ERR_TRUNCATED, 2, cut_off},
    {"end of a generation too early", 22, 25, GT_ERR_GENERATION, 2, early_end},
    {"two ends of a generation", 26, 26, GT_ERR_GENERATION, 0, empty},
    {"input ends before a frequency", 22, 24, GT_ERR_TRUNCATED, 2, cut_off_early},
    {"input ends before a Sync", 25, 26, GT_ERR_TRUNCATED, 2, cut_off_early},
    {"input ends in the batch of a frequency", 22, 24, GT_ERR_TRUNCATED, 2, cut_off_within},
    {"no frequency", 25, 26, GT_ERR_GENERATION, 2, no_frequency},
    {"no frequency, and a generation after it", 22, 26, GT_ERR_GENERATION, 2, no_frequency_before},
    {"no clock snapshot", 25, 26, GT_ERR_GENERATION, 2, no_snapshot},
};

static void test_bad_generation_is_an_error(void **state)
{
    const struct generation_fault *g;
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(generation_faults) / sizeof(*generation_faults); i++) {
        for (size_t k = 0; k < FAULT_VERSIONS; k++) {
            struct fault fault;
            struct wire wire = {0};
            g = &generation_faults[i];
            if (fault_versions[k] < g->least || fault_versions[k] > g->most)
                continue;
            fault_begin(&wire, fault_versions[k]);
            fault = (struct fault){g->status, 0, g->generation, FAULT_GENERATION_EVENTS + 1};
            g->write(&wire, &fault);
            bad += fault_check(g->name, &wire, &fault);
        }
    }
    assert_int_equal(bad, 0);
}

/* The first batch of the file claims to be of generation 0. */
static void test_first_generation_of_number_zero_is_an_error(void **state)
{
    int bad = 0;
    (void) state;
    for (size_t k = 0; k < FAULT_VERSIONS; k++) {
        struct fault fault = {GT_ERR_GENERATION, 16, 0, 1};
        struct wire wire = {0};
        wire_begin(&wire, fault_versions[k]);
        wire_sync(&wire, 0, 1, WIRE_NANOSECONDS);
        wire_generation_end(&wire);
        bad += fault_check("first generation 0", &wire, &fault);
    }
    assert_int_equal(bad, 0);
}

/* Before Go 1.26 a generation has the number of the one before it or the next number. */
static void test_generation_out_of_sequence_is_an_error(void **state)
{
    static const uint64_t numbers[] = {1, 4, 100, UINT64_MAX};
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < FAULT_VERSIONS; k++) {
            struct fault fault = {GT_ERR_GENERATION, 0, 2, FAULT_GENERATION_EVENTS + 1};
            struct wire wire = {0};
            fault_begin(&wire, fault_versions[k]);
            wire_sync(&wire, 2, 2000, WIRE_NANOSECONDS);
            wire_batch_end(&wire);
            fault.offset = wire.size;
            fault_generation(&wire, numbers[i]);
            wire_generation_end(&wire);
            bad += fault_check("generation number", &wire, &fault);
        }
    }
    assert_int_equal(bad, 0);
}

/*
 * The next generation follows without the end of the one before, which is good only before Go 1.26.
 */
static void test_generation_without_its_end_is_an_error(void **state)
{
    struct fault fault = {GT_ERR_GENERATION, 0, 1, 1};
    struct wire wire = {0};
    (void) state;
    wire_begin(&wire, 26);
    fault_generation(&wire, 1);
    wire_batch_end(&wire);
    fault.offset = wire.size;
    fault_generation(&wire, 2);
    wire_generation_end(&wire);
    assert_int_equal(fault_check("generation without its end", &wire, &fault), 0);
}

/*
 * Of several faults the first in the file is reported; those that only a whole generation shows
 * come last.
 */
static const struct several {
    const char *name;
    unsigned faults;
    gt_status status;
} several[] = {
    {"no frequency, and a string twice", GEN_NO_FREQUENCY | GEN_STRING_TWICE, GT_ERR_STRINGS},
    {"no frequency, and no strings", GEN_NO_FREQUENCY | GEN_NO_STRINGS, GT_ERR_GENERATION},
    {"a stack twice, and a string twice", GEN_STACK_TWICE | GEN_STRING_TWICE, GT_ERR_STACKS},
    {"no strings, and a stack twice", GEN_NO_STRINGS | GEN_STACK_TWICE, GT_ERR_STACKS},
    {"a string twice, and a bad event before it", GEN_STRING_TWICE, GT_ERR_STRINGS},
};

static void test_earliest_of_several_faults_is_reported(void **state)
{
    struct digest digest;
    struct gen g = {0};
    (void) state;
    for (size_t i = 0; i < sizeof(several) / sizeof(*several); i++) {
        for (size_t k = 0; k < FAULT_VERSIONS; k++) {
            gen_begin(&g, fault_versions[k]);
            g.faults = several[i].faults;
            gen_generation(&g, 1);
            gen_running(&g, 5, 0, 1);
            gen_go_stop(&g, "reason", GEN_STACK(&g, {"main.main", "main.go", 1}));
            gen_bare(&g, EV_NONE);
            gen_end(&g);
            g.faults = 0;
            gen_generation(&g, 2);
            gen_end(&g);
            digest_memory(&digest, g.wire.data, g.wire.size, NULL);
            if (digest.status != several[i].status || digest.count != 1)
                fail_msg("%s: %s", several[i].name, digest.error.message);
            digest_free(&digest);
            gen_free(&g);
        }
    }
}

/* A program that prints the message of the error says how what there is can be read. */
static void test_cut_trace_says_how_to_read_it(void **state)
{
    const gt_reader_options options = {.size = sizeof(options), .flags = GT_READER_LENIENT};
    struct digest digest;
    (void) state;
    for (size_t k = 0; k < FAULT_VERSIONS; k++) {
        struct wire wire = {0};
        wire_begin(&wire, fault_versions[k]);
        wire_batch(&wire, 1, 5, 10);
        WIRE_EVENT(&wire, EV_PROC_STATUS, 1, 0, 1);
        wire_batch_end(&wire);
        digest_memory(&digest, wire.data, wire.size, NULL);
        assert_status(digest.status, GT_ERR_TRUNCATED);
        assert_non_null(strstr(digest.error.message, "; try GT_READER_LENIENT"));
        digest_free(&digest);
        digest_memory(&digest, wire.data, wire.size, &options);
        assert_status(digest.status, GT_END);
        assert_int_equal(digest.count, 3);
        digest_free(&digest);
        wire_free(&wire);
    }
}

static void test_trace_without_generations_is_an_error(void **state)
{
    static const unsigned before[] = {22, 23, 25};
    struct fault fault = {GT_ERR_TRUNCATED, 16, 0, 1};
    int bad = 0;
    (void) state;
    for (size_t k = 0; k < 3; k++) {
        struct wire wire = {0};
        wire_begin(&wire, before[k]);
        bad += fault_check("header only", &wire, &fault);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_batch_is_an_error),
        cmocka_unit_test(test_bad_first_batch_is_an_error),
        cmocka_unit_test(test_cut_trace_says_how_to_read_it),
        cmocka_unit_test(test_missing_frequency_comes_before_a_bad_batch),
        cmocka_unit_test(test_largest_batch_is_read),
        cmocka_unit_test(test_bad_generation_is_an_error),
        cmocka_unit_test(test_first_generation_of_number_zero_is_an_error),
        cmocka_unit_test(test_generation_out_of_sequence_is_an_error),
        cmocka_unit_test(test_generation_without_its_end_is_an_error),
        cmocka_unit_test(test_earliest_of_several_faults_is_reported),
        cmocka_unit_test(test_trace_without_generations_is_an_error),
    };
    return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
