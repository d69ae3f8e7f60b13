/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Damaged and hostile input: nothing crashes, no result is wrong, and nothing takes longer than the
 * size of the input allows.
 */

#include <stdlib.h>

#include "support/digest.h"
#include "support/hostile.h"
#include "support/measure.h"
#include "support/sample.h"
#include "support/test.h"

/* A small trace in an allocation of exactly its size, so that sanitizers detect reads beyond it. */
static uint8_t *small_trace(unsigned version, size_t *size)
{
    struct wire wire = {0};
    uint8_t *copy;
    sample_trace(&wire, version, 2, 20);
    copy = malloc(wire.size);
    assert_non_null(copy);
    assert_true(wire.size <= 4096);
    *size = wire.size;
    while (wire.size-- > 0)
        copy[wire.size] = wire.data[wire.size];
    wire_free(&wire);
    return copy;
}

/*
 * Before Go 1.26 a generation that is cut off may be read as far as it goes, and its events may
 * then differ from those of the whole trace; those of the generations before it do not.
 */
static void check_prefix(const struct digest *part, const struct digest *whole, unsigned version)
{
    if (version >= 26)
        digest_assert_prefix(part, whole);
    else
        assert_true(digest_common(part, whole) >= part->last_generation);
    if (part->status != GT_END && version >= 26)
        assert_status(part->status, GT_ERR_TRUNCATED);
}

static void check_prefixes(unsigned version)
{
    size_t size;
    uint8_t *trace = small_trace(version, &size);
    struct digest whole, part;
    digest_memory(&whole, trace, size, NULL);
    assert_status(whole.status, GT_END);
    for (size_t cut = 0; cut < size; cut += TEST_STRIDE(3)) {
        uint8_t *bytes = malloc(cut ? cut : 1);
        assert_non_null(bytes);
        for (size_t i = 0; i < cut; i++)
            bytes[i] = trace[i];
        digest_memory(&part, bytes, cut, NULL);
        if (cut < 16)
            assert_status(part.status, GT_ERR_NOT_A_TRACE);
        else
            check_prefix(&part, &whole, version);
        digest_free(&part);
        free(bytes);
    }
    digest_free(&whole);
    free(trace);
}

static void test_every_prefix_gives_its_generations(void **state)
{
    (void) state;
    check_prefixes(22);
    check_prefixes(25);
    check_prefixes(26);
}

/* Reads a damaged trace, with no more memory than its size allows. */
static void read_damaged(const uint8_t *trace, size_t size)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct digest digest;
    options.memory_limit = 4 << 20;
    digest_memory(&digest, trace, size, &options);
    assert_true(digest.status != GT_ERR_LIMIT);
    assert_true(digest.status != GT_ERR_NO_MEMORY);
    assert_true(digest.status != GT_ERR_IO);
    digest_free(&digest);
}

static void flip_bits(unsigned version)
{
    size_t size;
    uint8_t *trace = small_trace(version, &size);
    for (size_t i = 0; i < size; i += TEST_STRIDE(3)) {
        for (unsigned bit = 0; bit < 8; bit++) {
            trace[i] ^= (uint8_t) (1u << bit);
            read_damaged(trace, size);
            trace[i] ^= (uint8_t) (1u << bit);
        }
    }
    free(trace);
}

static void test_every_flipped_bit_of_22_is_survived(void **state)
{
    (void) state;
    flip_bits(22);
}

static void test_every_flipped_bit_of_26_is_survived(void **state)
{
    (void) state;
    flip_bits(26);
}

/* Bytes that are likely limits, at every offset. */
static void test_special_bytes_anywhere_are_survived(void **state)
{
    static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    size_t size;
    uint8_t *trace = small_trace(25, &size), before;
    (void) state;
    for (size_t i = 0; i < size; i += TEST_STRIDE(3)) {
        before = trace[i];
        for (size_t k = 0; k < sizeof(values); k++) {
            trace[i] = values[k];
            read_damaged(trace, size);
        }
        trace[i] = before;
    }
    free(trace);
}

/* A good trace with damage in many places at once. */
static void test_random_damage_is_survived(void **state)
{
    uint64_t seed = 20261121, pick;
    size_t size;
    uint8_t *trace = small_trace(26, &size), *bytes = malloc(size);
    (void) state;
    assert_non_null(bytes);
    for (unsigned round = 0; round < 4000; round += TEST_STRIDE(4)) {
        for (size_t i = 0; i < size; i++)
            bytes[i] = trace[i];
        for (unsigned k = 0; k < 1 + round % 7; k++) {
            pick = test_random(&seed);
            bytes[16 + pick % (size - 16)] = (uint8_t) (pick >> 32);
        }
        read_damaged(bytes, size);
    }
    free(bytes);
    free(trace);
}

static struct arena arena;

static int setup_arena(void **state)
{
    (void) state;
    arena_init(&arena, MEASURE_ARENA);
    return 0;
}

static int teardown_arena(void **state)
{
    (void) state;
    arena_free(&arena);
    return 0;
}

static void test_hostile_input_takes_linear_time_and_memory(void **state)
{
    measure_growth(*state, 0, &arena);
}

/* A trace for which other readers take half a minute. */
static void test_many_parked_threads_take_little_time(void **state)
{
    const struct hostile parked = {"parked", hostile_parked, 100000, GT_END};
    double seconds = measure_time(&parked, parked.n, 0, &arena);
    (void) state;
    if (seconds > measure_allowed(0.1))
        fail_msg("100,000 threads took %.3f s", seconds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_prefix_gives_its_generations),
        cmocka_unit_test(test_every_flipped_bit_of_22_is_survived),
        cmocka_unit_test(test_every_flipped_bit_of_26_is_survived),
        cmocka_unit_test(test_special_bytes_anywhere_are_survived),
        cmocka_unit_test(test_random_damage_is_survived),
    };
    struct CMUnitTest *hostile_tests = calloc(hostile_count + 1, sizeof(*hostile_tests));
    size_t i;
    int failures;
    if (!hostile_tests)
        return 1;
    for (i = 0; i < hostile_count; i++) {
        hostile_tests[i].name = hostiles[i].name;
        hostile_tests[i].test_func = test_hostile_input_takes_linear_time_and_memory;
        hostile_tests[i].initial_state = (void *) (uintptr_t) &hostiles[i];
    }
    hostile_tests[i].name = "100,000 parked";
    hostile_tests[i].test_func = test_many_parked_threads_take_little_time;
    failures = cmocka_run_group_tests_name("limits", tests, NULL, NULL);
    failures += _cmocka_run_group_tests("hostile", hostile_tests, hostile_count + 1, setup_arena,
                                        teardown_arena);
    free(hostile_tests);
    return failures;
}
