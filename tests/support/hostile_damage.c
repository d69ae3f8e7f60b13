/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/hostile.h"

/* Damaged traces of Go 1.22 and later, in which a lenient reader has much to repair. */

#define BATCH_MAX 60000

static void begin(struct wire *wire)
{
    wire_begin(wire, 22);
    wire->size_width = 3;
    wire_sync(wire, 1, 1, WIRE_NANOSECONDS);
    wire_batch(wire, 1, 5, 10);
    wire_running(wire, 5, 0, 1);
}

static void next_batch(struct wire *wire)
{
    if (wire->size - wire->content_at > BATCH_MAX)
        wire_batch(wire, 1, 5, 20);
}

/* A small batch of thread 5, in one byte of size. */
static void small_batch(struct wire *wire, uint64_t i)
{
    wire->size_width = 1;
    wire_batch(wire, 1, 5, 20 + i);
    WIRE_EVENT(wire, EV_HEAP_ALLOC, 0, i);
    wire_batch_end(wire);
}

/* Bytes between batches that are none. */
static void garbage(struct wire *wire, uint64_t n)
{
    uint64_t i;

    begin(wire);
    for (i = 0; i < n; i++) {
        small_batch(wire, i);
        wire_bytes(wire, "\xff\x02\x03\xfe", 4);
    }
    small_batch(wire, i);
}

/* A long run of bytes in which everything looks like a batch's header. */
static void false_headers(struct wire *wire, uint64_t n)
{
    begin(wire);
    small_batch(wire, 0);
    wire_byte(wire, 0);
    for (uint64_t i = 0; i < n; i++)
        wire_byte(wire, EV_EVENT_BATCH);
    small_batch(wire, 1);
}

/* Every header claims that a large batch follows, as far as the next one's end. */
static void overlapping(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire_batch_end(wire);
    wire_byte(wire, 0);
    for (uint64_t i = 0; i < n; i++) {
        wire_byte(wire, EV_EVENT_BATCH);
        wire_varint(wire, 1);
        wire_varint(wire, 5);
        wire_varint(wire, 20);
        wire_varint(wire, 65000);
    }
    small_batch(wire, 1);
}

/* Batches with good events in front of one that is unknown. */
static void bad_batches(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire->size_width = 1;
    for (uint64_t i = 0; i < n; i++) {
        wire_batch(wire, 1, 5, 20 + i);
        WIRE_EVENT(wire, EV_HEAP_ALLOC, 0, i);
        wire_byte(wire, 120);
    }
}

/* Events that cannot follow what was before: all are let happen, or left out. */
static void impossible(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire);
        WIRE_EVENT(wire, EV_USER_REGION_END, 1, i, 1, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, 2 + i, 1);
        WIRE_EVENT(wire, EV_PROC_START, 1, 2 + i, 1);
    }
}

/* Waits of many threads for what never happens: each has to be let go by itself. */
static void stuck(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        wire_batch(wire, 1, 10 + i, 20);
        WIRE_EVENT(wire, EV_GO_UNBLOCK, 1, 1000000 + i, 7, 0);
        WIRE_EVENT(wire, EV_PROC_START, 1, 7 + i, 9);
        WIRE_EVENT(wire, EV_GO_START, 1, 1000000 + i, 9);
    }
}

/* Strings and stacks that are nowhere. */
static void lost_names(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire);
        WIRE_EVENT(wire, EV_GO_LABEL, 1, i);
        WIRE_EVENT(wire, EV_USER_LOG, 1, i, i, i, i);
    }
}

/* Generations without a clock. */
static void no_clocks(struct wire *wire, uint64_t n)
{
    wire_begin(wire, 22);
    wire->size_width = 1;
    for (uint64_t i = 1; i <= n; i++) {
        wire_batch(wire, i, 5, 10 + 2 * i);
        WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
    }
}

/* Batches of two generations by turns. */
static void mixed_generations(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire->size_width = 1;
    for (uint64_t i = 0; i < n; i++) {
        wire_batch(wire, 1 + i % 2, 5, 20 + i);
        WIRE_EVENT(wire, EV_HEAP_ALLOC, 0, i);
    }
}

/* Batches of strings that are cut in their last one. */
static void cut_strings(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire->size_width = 1;
    for (uint64_t i = 0; i < n; i++) {
        wire_strings(wire, 1);
        wire_string(wire, 3 * i + 1, "x");
        wire_byte(wire, EV_STRING);
        wire_varint(wire, 3 * i + 2);
        wire_varint(wire, 1000);
    }
}

/* One number for strings of all kinds, and for stacks. */
static void same_strings(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire_strings(wire, 1);
    for (uint64_t i = 0; i < n; i++) {
        if (wire->size - wire->content_at > BATCH_MAX)
            wire_strings(wire, 1);
        wire_string_sized(wire, 1, &i, 4);
    }
}

static void same_stacks(struct wire *wire, uint64_t n)
{
    begin(wire);
    WIRE_EVENT(wire, EV_PROCS_CHANGE, 1, 1, 1);
    wire_stacks(wire, 1);
    for (uint64_t i = 0; i < n; i++) {
        if (wire->size - wire->content_at > BATCH_MAX)
            wire_stacks(wire, 1);
        wire_stack(wire, 1, 1);
        wire_frame(wire, i, 1, 1, i);
    }
}

/* Stacks that claim more frames than can be. */
static void false_stacks(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire->size_width = 1;
    for (uint64_t i = 1; i <= n; i++) {
        wire_stacks(wire, 1);
        wire_stack(wire, i, 128);
        wire_frame(wire, i, 1, 1, i);
    }
}

/* Numbers that never end. */
static void overlong(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire->size_width = 1;
    for (uint64_t i = 0; i < n; i++) {
        wire_batch(wire, 1, 5, 20 + i);
        wire_byte(wire, EV_HEAP_ALLOC);
        wire_varint_overlong(wire);
    }
}

/* In the same generation again and again: clocks, and batches of samples that are none. */
static void many_clocks(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire->size_width = 1;
    for (uint64_t i = 0; i < n; i++) {
        wire_sync(wire, 1, 1 + i, WIRE_NANOSECONDS + i);
        wire_samples(wire, 1);
        wire_byte(wire, EV_CPU_SAMPLE);
    }
}

const struct hostile damage_hostiles[] = {
    {"garbage", garbage, 8000, GT_ERR_BATCH},
    {"false headers", false_headers, 100000, GT_ERR_BATCH},
    {"overlapping", overlapping, 14000, GT_ERR_BATCH},
    {"bad batches", bad_batches, 10000, GT_ERR_EVENT},
    {"impossible", impossible, 7000, GT_ERR_REFERENCE},
    {"stuck", stuck, 5000, GT_ERR_STUCK},
    {"lost names", lost_names, 7000, GT_ERR_REFERENCE},
    {"no clocks", no_clocks, 10000, GT_ERR_GENERATION},
    {"mixed generations", mixed_generations, 12000, GT_ERR_GENERATION},
    {"cut strings", cut_strings, 3000, GT_ERR_STRINGS},
    {"same strings", same_strings, 12000, GT_ERR_STRINGS},
    {"same stacks", same_stacks, 12000, GT_ERR_STACKS},
    {"false stacks", false_stacks, 4000, GT_ERR_STACKS},
    {"overlong", overlong, 5000, GT_ERR_EVENT},
    {"many clocks", many_clocks, 3000, GT_ERR_SYNC},
};

const size_t damage_hostile_count = sizeof(damage_hostiles) / sizeof(*damage_hostiles);
