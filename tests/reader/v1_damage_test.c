/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Traces of Go 1.5 to 1.21 with damage of every kind: nothing crashes, and a lenient reader makes a
 * consistent trace of whatever is left, unless it is what a strict reader accepts.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/repairs.h"
#include "support/test.h"
#include "support/v1sample.h"
#include "support/v1wire.h"

/* An event with its arguments, dt first. */
struct step {
    unsigned type, count;
    uint64_t args[5];
};

#define STEP(type, ...)                                                                            \
    {                                                                                              \
        V1_##type, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                     \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* The events of proc 0 after v1_start: each of them can be lost, or repeated. */
static const struct step steps[] = {
    STEP(GO_CREATE, 20, 2, 0, 0),
    STEP(GC_START, 20, 0, 0),
    STEP(STW_START, 20, 1),
    STEP(STW_DONE, 20),
    STEP(GO_SYS_CALL, 20, 0),
    STEP(GO_SYS_BLOCK, 20),
    STEP(GO_START, 20, 2, 1),
    STEP(SWEEP_START, 20, 0),
    STEP(SWEEP_DONE, 20, 1, 1),
    STEP(GO_BLOCK_RECV, 20, 0),
    STEP(GO_SYS_EXIT, 20, 1, 2, 0),
    STEP(GO_START, 20, 1, 3),
    STEP(GO_UNBLOCK, 20, 2, 2, 0),
    STEP(GC_DONE, 20),
    STEP(GO_SCHED, 20, 0),
    STEP(GO_START, 20, 2, 3),
    STEP(GO_STOP, 20, 0),
    STEP(PROC_STOP, 20),
    STEP(PROC_START, 20, 6),
    STEP(GO_START, 20, 1, 4),
    STEP(GO_END, 20),
    STEP(GO_CREATE, 20, 3, 0, 0),
};

#define STEPS (sizeof(steps) / sizeof(*steps))

static void write_step(struct wire *wire, const struct step *step)
{
    struct step copy = *step;
    /* Before Go 1.7 an exit's number is its position in the global sequence, which is here. */
    if (wire->version < 7 && copy.type == V1_GO_SYS_EXIT)
        copy.args[2] = 0;
    v1_event(wire, copy.type, copy.args, copy.count);
}

/*
 * Starts a trace. If it is `spoilt`, it needs a repair before anything else happens, so that all
 * events after that must follow from those before them.
 */
static void write_start(struct wire *wire, unsigned version, bool spoilt)
{
    v1_start(wire, version);
    if (spoilt)
        V1_EVENT(wire, V1_GC_DONE, 1);
}

/* Each step occurs once, except `odd`, which occurs `times` times. */
static void write_steps(struct wire *wire, unsigned version, bool spoilt, size_t odd,
                        unsigned times)
{
    write_start(wire, version, spoilt);
    for (size_t i = 0; i < STEPS; i++) {
        for (unsigned n = 0; n < (i == odd ? times : 1); n++)
            write_step(wire, &steps[i]);
    }
}

static void test_lost_or_repeated_events_leave_a_sound_trace(void **state)
{
    struct repairs repairs;
    struct wire wire = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        write_steps(&wire, v1_versions[k], false, 0, 1);
        repairs_check_sound(wire.data, wire.size, &repairs);
        assert_int_equal(repairs.count, 0);
        for (size_t i = 0; i < 2 * STEPS; i++) {
            write_steps(&wire, v1_versions[k], true, i / 2, i % 2 ? 2 : 0);
            repairs_check_sound(wire.data, wire.size, &repairs);
            write_steps(&wire, v1_versions[k], false, i / 2, i % 2 ? 2 : 0);
            repairs_check_like_strict(wire.data, wire.size, &repairs);
        }
    }
    wire_free(&wire);
}

/* Two steps change places, as if procs disagreed. */
static void write_swapped(struct wire *wire, unsigned version, bool spoilt, size_t a, size_t b)
{
    write_start(wire, version, spoilt);
    for (size_t i = 0; i < STEPS; i++)
        write_step(wire, &steps[i == a ? b : i == b ? a : i]);
}

static void test_swapped_events_leave_a_sound_trace(void **state)
{
    struct repairs repairs;
    struct wire wire = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        for (size_t a = 0; a < STEPS; a++) {
            for (size_t b = a + 1; b < STEPS; b++) {
                write_swapped(&wire, v1_versions[k], true, a, b);
                repairs_check_sound(wire.data, wire.size, &repairs);
                write_swapped(&wire, v1_versions[k], false, a, b);
                repairs_check_like_strict(wire.data, wire.size, &repairs);
            }
        }
    }
    wire_free(&wire);
}

/* Events that contradict the lifetime of a goroutine, after v1_start_open or v1_start. */
static const struct life {
    const char *name;
    bool open;
    struct step steps[4];
} lives[] = {
    {"start after GoStop", false, {STEP(GO_STOP, 20, 0), STEP(GO_START, 20, 1, 2)}},
    {"unblock after GoStop", false, {STEP(GO_STOP, 20, 0), STEP(GO_UNBLOCK, 20, 1, 2, 0)}},
    {"exit after GoStop", false, {STEP(GO_STOP, 20, 0), STEP(GO_SYS_EXIT, 20, 1, 2, 0)}},
    {"creation after GoStop", false, {STEP(GO_STOP, 20, 0), STEP(GO_CREATE, 20, 1, 0, 0)}},
    {"exit of one that blocks",
     false,
     {STEP(GO_BLOCK_RECV, 20, 0), STEP(GO_SYS_EXIT, 20, 1, 2, 0)}},
    {"exit without a block", false, {STEP(GO_SYS_CALL, 20, 0), STEP(GO_SYS_EXIT, 20, 1, 2, 0)}},
    {"exit with another event before the block",
     false,
     {STEP(GO_SYS_CALL, 20, 0), STEP(HEAP_ALLOC, 20, 1), STEP(GO_SYS_BLOCK, 20),
      STEP(GO_SYS_EXIT, 20, 1, 2, 0)}},
    {"block without a system call", false, {STEP(GO_SYS_BLOCK, 20), STEP(GO_UNBLOCK, 20, 1, 2, 0)}},
    {"GoWaiting of a new one", false, {STEP(GO_CREATE, 20, 2, 0, 0), STEP(GO_WAITING, 20, 2)}},
    {"GoInSyscall of a new one", false, {STEP(GO_CREATE, 20, 2, 0, 0), STEP(GO_IN_SYSCALL, 20, 2)}},
    {"goroutine 0",
     false,
     {STEP(GO_CREATE, 20, 0, 0, 0), STEP(GO_SCHED, 20, 0), STEP(GO_START, 20, 0, 1),
      STEP(GO_SCHED, 20, 0)}},
    {"start again before the first GOMAXPROCS",
     true,
     {STEP(GO_SCHED, 20, 0), STEP(GO_START, 20, 1, 2), STEP(GOMAXPROCS, 20, 4, 0)}},
    {"labelled start before the first GOMAXPROCS",
     true,
     {STEP(GO_SCHED, 20, 0), STEP(GO_CREATE, 20, 2, 0, 0), STEP(GO_START_LABEL, 20, 2, 1, 0),
      STEP(GOMAXPROCS, 20, 4, 0)}},
    {"creation after GoEnd before the first GOMAXPROCS",
     true,
     {STEP(GO_END, 20), STEP(GO_CREATE, 20, 1, 0, 0), STEP(GOMAXPROCS, 20, 4, 0)}},
    {"start of none before the first GOMAXPROCS",
     true,
     {STEP(GO_END, 20), STEP(GO_START, 20, 9, 1), STEP(GOMAXPROCS, 20, 4, 0)}},
};

static void write_life(struct wire *wire, unsigned version, const struct life *life, bool spoilt)
{
    if (life->open)
        v1_start_open(wire, version);
    else
        v1_start(wire, version);
    if (spoilt)
        V1_EVENT(wire, V1_GC_DONE, 1);
    for (size_t n = 0; n < 4 && life->steps[n].count > 0; n++)
        write_step(wire, &life->steps[n]);
}

static void test_contradictory_lifetimes_leave_a_sound_trace(void **state)
{
    struct repairs repairs;
    struct wire wire = {0};
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(lives) / sizeof(*lives); i++) {
        for (size_t k = 0; k < V1_VERSIONS; k++) {
            write_life(&wire, v1_versions[k], &lives[i], true);
            bad += repairs_check(lives[i].name, wire.data, wire.size, &repairs);
            write_life(&wire, v1_versions[k], &lives[i], false);
            repairs_check_like_strict(wire.data, wire.size, &repairs);
        }
    }
    wire_free(&wire);
    assert_int_equal(bad, 0);
}

/* A trace in an allocation of exactly its size, so that sanitizers detect reads beyond it. */
static uint8_t *small_trace(unsigned version, size_t *size)
{
    struct wire wire = {0};
    uint8_t *copy;
    v1_sample_trace(&wire, version, 60);
    copy = malloc(wire.size);
    assert_non_null(copy);
    memcpy(copy, wire.data, wire.size);
    *size = wire.size;
    wire_free(&wire);
    return copy;
}

/* How many damaged traces a strict reader reads, and how many of them a lenient one repairs. */
static unsigned readable, repaired;

/*
 * Damage may leave a trace that no rule forbids, but that Go does not write, as one whose events go
 * on behind the frequency. A lenient reader may repair it, and is sound then.
 */
static void check_readable(const uint8_t *bytes, size_t size, const struct digest *strict)
{
    struct repairs repairs;
    struct digest lenient;
    gt_reader_options options = repairs_options(&repairs);
    readable++;
    digest_memory(&lenient, bytes, size, &options);
    if (repairs.count == 0)
        digest_assert_equal(&lenient, strict);
    repaired += repairs.count != 0;
    digest_free(&lenient);
    if (repairs.count != 0)
        repairs_check_sound(bytes, size, &repairs);
}

/* Reads damaged bytes strictly and leniently, with no more memory than their size allows. */
static void read_damaged(const uint8_t *bytes, size_t size)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct repairs repairs;
    struct digest digest;
    options.memory_limit = 4 << 20;
    digest_memory(&digest, bytes, size, &options);
    assert_true(digest.status == GT_END || digest.status <= GT_ERR_NOT_A_TRACE);
    if (digest.status == GT_END)
        check_readable(bytes, size, &digest);
    else
        repairs_check_like_strict(bytes, size, &repairs);
    digest_free(&digest);
}

/* One bit of each byte, to keep the test short. */
static void test_flipped_bits_are_survived(void **state)
{
    size_t size;
    uint8_t *trace;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        trace = small_trace(v1_versions[k], &size);
        for (size_t i = 16; i < size; i++) {
            trace[i] ^= (uint8_t) (1u << (i + k) % 8);
            read_damaged(trace, size);
            trace[i] ^= (uint8_t) (1u << (i + k) % 8);
        }
        free(trace);
    }
}

/* Bytes that are likely limits, at every offset. */
static void test_special_bytes_anywhere_are_survived(void **state)
{
    static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    size_t size;
    uint8_t *trace, before;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        trace = small_trace(v1_versions[k], &size);
        for (size_t i = 16; i < size; i++) {
            before = trace[i];
            trace[i] = values[(i + k) % sizeof(values)];
            read_damaged(trace, size);
            trace[i] = before;
        }
        free(trace);
    }
}

/* Pieces of any length are lost, at any offset. */
static void test_lost_pieces_are_survived(void **state)
{
    uint64_t seed = 20211121, pick;
    size_t size, from, length;
    uint8_t *trace, *bytes;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        trace = small_trace(v1_versions[k], &size);
        for (unsigned round = 0; round < 300; round++) {
            pick = test_random(&seed);
            from = 16 + pick % (size - 16);
            length = (pick >> 32) % (1 + (round % 2 ? 8 : size - from));
            if (length > size - from)
                length = size - from;
            bytes = malloc(size - length);
            assert_non_null(bytes);
            memcpy(bytes, trace, from);
            memcpy(bytes + from, trace + from + length, size - from - length);
            read_damaged(bytes, size - length);
            free(bytes);
        }
        free(trace);
    }
}

/* Events of any type with any numbers, most of them small. */
static void write_noise(struct wire *wire, unsigned version, uint64_t *seed)
{
    uint64_t args[8], pick;
    unsigned type;
    v1_start(wire, version);
    for (unsigned n = 0; n < 60; n++) {
        pick = test_random(seed);
        type = 4 + (unsigned) (pick % (V1_TYPES - 4));
        if (pick >> 60 == 0)
            v1_batch(wire, pick >> 20 & 3, V1_TICKS + 20 * n);
        if (type == V1_STRING || v1_specs[type].since > version)
            continue;
        for (unsigned i = 0; i < 8; i++)
            args[i] = test_random(seed) % (pick >> 56 == 0 ? UINT64_MAX : 4);
        v1_plain(wire, type, args, v1_count(version, type));
        if (type == V1_LOG)
            wire_varint(wire, 0);
    }
}

static void test_random_events_are_survived(void **state)
{
    uint64_t seed = 20261121;
    struct wire wire = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        for (unsigned round = 0; round < 400; round++) {
            write_noise(&wire, v1_versions[k], &seed);
            read_damaged(wire.data, wire.size);
        }
    }
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost_or_repeated_events_leave_a_sound_trace),
        cmocka_unit_test(test_swapped_events_leave_a_sound_trace),
        cmocka_unit_test(test_contradictory_lifetimes_leave_a_sound_trace),
        cmocka_unit_test(test_flipped_bits_are_survived),
        cmocka_unit_test(test_special_bytes_anywhere_are_survived),
        cmocka_unit_test(test_lost_pieces_are_survived),
        cmocka_unit_test(test_random_events_are_survived),
    };
    return cmocka_run_group_tests_name("v1 damage", tests, NULL, NULL);
}
