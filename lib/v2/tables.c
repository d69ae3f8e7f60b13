/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/tables.h"

#include "base/error.h"
#include "base/varint.h"
#include "base/wraps.h"
#include "v2/repair.h"
#include "v2/spec.h"

/* Structural batches: internal/trace/generation.go, addStrings to setSyncBatch. */

/* The state of reading a batch one record at a time. */
struct reading {
    struct gt_cursor cursor;
    const struct gt_v2_batch *batch;
    const uint8_t *record;
};

/* Starts after the first byte of the batch, which is the kind of the batch. */
static struct reading v2_reading_start(const struct gt_v2_batch *batch)
{
    struct reading reading = {gt_cursor_make(batch->data, batch->size), batch, batch->data};
    gt_cursor_byte(&reading.cursor);
    return reading;
}

/* Advances to the next record. Returns false at the end of the batch. */
static bool v2_reading_next(struct reading *reading)
{
    reading->record = reading->cursor.p;
    return reading->cursor.p < reading->cursor.end;
}

static uint64_t v2_reading_offset(const struct reading *reading)
{
    return reading->batch->data_offset + (uint64_t) (reading->record - reading->batch->data);
}

static gt_status v2_reading_fail(struct gt_v2 *v2, gt_status status, const struct reading *reading,
                                 const char *text, uint64_t number)
{
    return gt_error_set(v2->error, status, v2_reading_offset(reading), reading->batch->generation,
                        text, number);
}

static gt_status v2_reading_fail_cut(struct gt_v2 *v2, gt_status status,
                                     const struct reading *reading)
{
    return v2_reading_fail(v2, status, reading,
                           reading->cursor.fault == GT_VARINT_OVERFLOW
                               ? "malformed number in a record"
                               : "record is cut off by its batch's end",
                           0);
}

bool gt_v2_table_has(const struct gt_v2 *v2, const uint8_t *data, size_t size)
{
    struct gt_cursor cursor = gt_cursor_make(data, size);
    uint32_t slot;
    uint8_t table = gt_cursor_byte(&cursor);
    uint8_t type = gt_cursor_byte(&cursor);
    uint64_t id = gt_cursor_varint(&cursor);
    if (cursor.fault != GT_VARINT_OK)
        return false;
    if (table == GT_WIRE_STRINGS)
        return type == GT_WIRE_STRING && gt_strings_find(&v2->table->strings, id, &slot);
    return table == GT_WIRE_STACKS && type == GT_WIRE_STACK &&
           gt_stacks_find(&v2->table->stacks, id, &slot);
}

gt_status gt_v2_add_strings(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_strings *strings = &v2->table->strings;
    for (struct reading reading = v2_reading_start(batch); v2_reading_next(&reading);) {
        uint32_t slot;
        uint8_t type = gt_cursor_byte(&reading.cursor);
        if (type != GT_WIRE_STRING)
            return v2_reading_fail(v2, GT_ERR_STRINGS, &reading, "expected a string, found byte %u",
                                   type);
        uint64_t id = gt_cursor_varint(&reading.cursor);
        uint64_t size = gt_cursor_varint(&reading.cursor);
        if (reading.cursor.fault != GT_VARINT_OK)
            return v2_reading_fail_cut(v2, GT_ERR_STRINGS, &reading);
        if (size > GT_V2_MAX_STRING)
            return v2_reading_fail(v2, GT_ERR_STRINGS, &reading,
                                   "string of %u bytes, more than 1024", size);
        if (size > gt_cursor_left(&reading.cursor))
            return v2_reading_fail_cut(v2, GT_ERR_STRINGS, &reading);
        if (gt_strings_find(strings, id, &slot))
            return v2_reading_fail(v2, GT_ERR_STRINGS, &reading,
                                   "string id %u is defined twice, or reserved", id);
        if (gt_strings_add(strings, id, reading.cursor.p, (uint32_t) size) != GT_OK)
            return gt_v2_no_memory(v2);
        reading.cursor.p += size;
    }
    return GT_OK;
}

gt_status gt_v2_add_stacks(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_stacks *stacks = &v2->table->stacks;
    for (struct reading reading = v2_reading_start(batch); v2_reading_next(&reading);) {
        uint32_t slot;
        uint8_t type = gt_cursor_byte(&reading.cursor);
        if (type != GT_WIRE_STACK)
            return v2_reading_fail(v2, GT_ERR_STACKS, &reading, "expected a stack, found byte %u",
                                   type);
        uint64_t id = gt_cursor_varint(&reading.cursor);
        const uint8_t *data = reading.cursor.p;
        uint64_t frames = gt_cursor_varint(&reading.cursor);
        if (frames > GT_V2_MAX_FRAMES)
            return v2_reading_fail(v2, GT_ERR_STACKS, &reading, "stack of %u frames, more than 128",
                                   frames);
        for (uint64_t i = 0; i < 4 * frames; i++)
            gt_cursor_varint(&reading.cursor);
        if (reading.cursor.fault != GT_VARINT_OK)
            return v2_reading_fail_cut(v2, GT_ERR_STACKS, &reading);
        if (gt_stacks_find(stacks, id, &slot))
            return v2_reading_fail(v2, GT_ERR_STACKS, &reading,
                                   "stack id %u is defined twice, or reserved", id);
        if (gt_stacks_add(stacks, id, data) != GT_OK)
            return gt_v2_no_memory(v2);
    }
    return GT_OK;
}

gt_status gt_v2_add_samples(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_v2_generation *generation = &v2->generation;
    for (struct reading reading = v2_reading_start(batch); v2_reading_next(&reading);) {
        uint8_t type = gt_cursor_byte(&reading.cursor);
        if (type != GT_WIRE_CPU_SAMPLE)
            return v2_reading_fail(v2, GT_ERR_SAMPLES, &reading,
                                   "expected a CPU sample, found byte %u", type);
        struct gt_v2_sample sample;
        sample.time = (int64_t) gt_cursor_varint(&reading.cursor);
        sample.thread = (int64_t) gt_cursor_varint(&reading.cursor);
        sample.proc = (int64_t) gt_cursor_varint(&reading.cursor);
        sample.goroutine = (int64_t) gt_cursor_varint(&reading.cursor);
        sample.stack = gt_cursor_varint(&reading.cursor);
        sample.offset = v2_reading_offset(&reading);
        if (reading.cursor.fault != GT_VARINT_OK)
            return v2_reading_fail_cut(v2, GT_ERR_SAMPLES, &reading);
        if (sample.goroutine == 0)
            sample.goroutine = GT_NO_GOROUTINE;
        if (gt_array_add(v2->mem, &generation->samples, sample) != GT_OK)
            return gt_v2_no_memory(v2);
    }
    return GT_OK;
}

void gt_v2_set_frequency(struct gt_v2_generation *generation, uint64_t frequency)
{
    /* The operations are in the same order as in Go, so that times are equal to the last bit. */
    generation->unit = 1.0 / ((double) frequency / 1e9);
    generation->has_frequency = true;
    if (generation->unit >= 1 && generation->unit < 1e9 &&
        generation->unit == (double) (uint64_t) generation->unit) {
        /* Doubles are exact if neither a factor nor the product has more than 53 bits. */
        generation->scale = (uint64_t) generation->unit;
        generation->safe_span = (UINT64_C(1) << 53) / generation->scale;
    }
}

static gt_status v2_sync_frequency(struct gt_v2 *v2, struct reading *reading)
{
    struct gt_v2_generation *generation = &v2->generation;
    if (generation->has_frequency)
        return v2_reading_fail(v2, GT_ERR_SYNC, reading, "second frequency in a generation", 0);
    uint64_t frequency = gt_cursor_varint(&reading->cursor);
    if (reading->cursor.fault != GT_VARINT_OK)
        return v2_reading_fail_cut(v2, GT_ERR_SYNC, reading);
    gt_v2_set_frequency(generation, frequency);
    v2->damage.frequency = frequency;
    return GT_OK;
}

GT_WRAPS static gt_status v2_sync_clock(struct gt_v2 *v2, struct reading *reading, uint64_t *time)
{
    struct gt_clock *clock = &v2->table->clock;
    if (clock->known)
        return v2_reading_fail(v2, GT_ERR_SYNC, reading, "second clock snapshot in a generation",
                               0);
    *time += gt_cursor_varint(&reading->cursor);
    clock->monotonic = gt_cursor_varint(&reading->cursor);
    uint64_t seconds = gt_cursor_varint(&reading->cursor);
    uint64_t nanoseconds = gt_cursor_varint(&reading->cursor);
    if (reading->cursor.fault != GT_VARINT_OK)
        return v2_reading_fail_cut(v2, GT_ERR_SYNC, reading);
    /* As in Go's time.Unix, both numbers are signed, and the nanoseconds may be out of range. */
    int64_t carry = (int64_t) nanoseconds / 1000000000;
    int64_t rest = (int64_t) nanoseconds % 1000000000;
    if (rest < 0) {
        rest += 1000000000;
        carry--;
    }
    clock->seconds = (int64_t) (seconds + (uint64_t) carry);
    clock->nanoseconds = (uint32_t) rest;
    clock->known = 1;
    v2->generation.clock_units = *time;
    return GT_OK;
}

/*
 * Before Go 1.25 the batch starts with the frequency; since then it starts with a byte of its own.
 */
gt_status gt_v2_add_sync(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct reading reading = {gt_cursor_make(batch->data, batch->size), batch, batch->data};
    uint64_t time = batch->time;
    if (v2->version >= 25)
        gt_cursor_byte(&reading.cursor);
    while (v2_reading_next(&reading)) {
        gt_status status;
        uint8_t type = gt_cursor_byte(&reading.cursor);
        if (type == GT_WIRE_FREQUENCY)
            status = v2_sync_frequency(v2, &reading);
        else if (type == GT_WIRE_CLOCK_SNAPSHOT && v2->version >= 25)
            status = v2_sync_clock(v2, &reading, &time);
        else
            status = v2_reading_fail(v2, GT_ERR_SYNC, &reading,
                                     "expected a frequency or clock snapshot, found byte %u", type);
        if (status != GT_OK)
            return status;
    }
    return GT_OK;
}

gt_status gt_v2_add_experiment(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_experiment_batch added = {
        .data = batch->data,
        .size = batch->size,
        .experiment = batch->experiment,
        .thread = (int64_t) batch->thread,
    };
    gt_status status = gt_array_add(v2->mem, &v2->table->experiments, added);
    return status == GT_OK ? GT_OK : gt_v2_no_memory(v2);
}
