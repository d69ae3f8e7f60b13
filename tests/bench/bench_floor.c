/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_floor.h"

#include <string.h>

#include "support/wire.h"

#define HEADER_SIZE 16
#define VARINT_MAX  10

/* The bytes that are left, and what was found so far. */
struct scan {
    const uint8_t *at;
    const uint8_t *end;
    struct floor_result result;
};

/* A number of more than one byte, with VARINT_MAX bytes to read. */
static const uint8_t *long_number(const uint8_t *at, uint64_t *number)
{
    uint64_t value = at[0] & 0x7f;
    unsigned i;

    for (i = 1; i < VARINT_MAX; i++) {
        value |= (uint64_t) (at[i] & 0x7f) << (7 * i);
        if (at[i] < 0x80)
            break;
    }
    *number = value;
    return at + (i < VARINT_MAX ? i + 1 : VARINT_MAX);
}

static inline const uint8_t *fast_number(const uint8_t *at, uint64_t *number)
{
    if (at[0] < 0x80) {
        *number = at[0];
        return at + 1;
    }
    if (at[1] < 0x80) {
        *number = (at[0] & 0x7fU) | (uint64_t) at[1] << 7;
        return at + 2;
    }
    if (at[2] < 0x80) {
        *number = (at[0] & 0x7fU) | (at[1] & 0x7fU) << 7 | (uint64_t) at[2] << 14;
        return at + 3;
    }
    return long_number(at, number);
}

/* Near the end of a batch: false where the number does not end within it. */
static bool safe_number(struct scan *scan, uint64_t *number)
{
    uint8_t bytes[VARINT_MAX] = {0};
    size_t left = (size_t) (scan->end - scan->at);
    const uint8_t *at;

    if (left >= VARINT_MAX) {
        at = fast_number(scan->at, number);
    } else {
        memcpy(bytes, scan->at, left);
        at = scan->at + (fast_number(bytes, number) - bytes);
    }
    if (at > scan->end)
        return false;
    scan->at = at;
    return true;
}

static bool add_number(struct scan *scan)
{
    uint64_t number;

    if (!safe_number(scan, &number))
        return false;
    scan->result.sum += number;
    scan->result.numbers++;
    return true;
}

static void scan_events(struct scan *scan)
{
    const uint8_t *at = scan->at;
    const uint8_t *end = scan->end;
    uint64_t sum = 0, numbers = 0, events = 0, number;
    unsigned count;

    while (end - at >= 1 + 5 * VARINT_MAX) {
        count = wire_event_counts[*at++];
        events++;
        numbers += count;
        while (count-- > 0) {
            at = fast_number(at, &number);
            sum += number;
        }
    }
    scan->at = at;
    scan->result.sum += sum;
    scan->result.numbers += numbers;
    scan->result.events += events;
    while (scan->at < end) {
        count = wire_event_counts[*scan->at++];
        scan->result.events++;
        while (count-- > 0)
            if (!add_number(scan))
                return;
    }
}

static void scan_strings(struct scan *scan)
{
    uint64_t size;

    while (scan->at < scan->end) {
        scan->at++;
        if (!add_number(scan) || !safe_number(scan, &size))
            return;
        scan->result.sum += size;
        scan->result.numbers++;
        if (size > (size_t) (scan->end - scan->at))
            return;
        scan->at += size;
    }
}

static void scan_stacks(struct scan *scan)
{
    uint64_t frames;

    while (scan->at < scan->end) {
        scan->at++;
        if (!add_number(scan) || !safe_number(scan, &frames) || frames > 128)
            return;
        scan->result.sum += frames;
        scan->result.numbers++;
        for (frames *= 4; frames > 0; frames--)
            if (!add_number(scan))
                return;
    }
}

/* CPU samples, frequencies, clocks: records of a fixed number of numbers. */
static void scan_records(struct scan *scan)
{
    while (scan->at < scan->end) {
        unsigned type = *scan->at++;
        unsigned count = type == EV_CPU_SAMPLE ? 5 : type == EV_CLOCK_SNAPSHOT ? 4 : 1;

        while (count-- > 0)
            if (!add_number(scan))
                return;
    }
}

static void scan_content(struct scan *scan)
{
    switch (scan->at < scan->end ? *scan->at : 0) {
    case EV_STRINGS:
        scan->at++;
        scan_strings(scan);
        break;
    case EV_STACKS:
        scan->at++;
        scan_stacks(scan);
        break;
    case EV_CPU_SAMPLES:
    case EV_SYNC:
        scan->at++;
        scan_records(scan);
        break;
    case EV_FREQUENCY:
        scan_records(scan);
        break;
    default:
        scan_events(scan);
    }
}

/* A batch, at its first byte. False where it is none or is cut. */
static bool scan_batch(struct scan *scan)
{
    const uint8_t *end = scan->end;
    unsigned type = *scan->at++;
    uint64_t size;

    if (type == EV_END_OF_GENERATION)
        return true;
    if (type == EV_EXPERIMENTAL_BATCH && scan->at < end)
        scan->at++;
    else if (type != EV_EVENT_BATCH)
        return false;
    if (!add_number(scan) || !add_number(scan) || !add_number(scan) || !safe_number(scan, &size) ||
        size > (size_t) (end - scan->at))
        return false;
    scan->end = scan->at + size;
    if (type == EV_EVENT_BATCH)
        scan_content(scan);
    scan->at = scan->end;
    scan->end = end;
    return true;
}

bool floor_scan(const uint8_t *data, size_t size, struct floor_result *result)
{
    struct scan scan = {0};
    bool good = size >= HEADER_SIZE && memcmp(data, "go 1.", 5) == 0;

    scan.at = data + HEADER_SIZE;
    scan.end = data + size;
    while (good && scan.at < scan.end)
        good = scan_batch(&scan);
    *result = scan.result;
    return good;
}
