/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_floor.h"

#include <string.h>

#include "bench_number.h"
#include "support/wire.h"

#define HEADER_SIZE 16

/* The bytes that are left, and what was found so far. */
struct scan {
    const uint8_t *at;
    const uint8_t *end;
    struct floor_result result;
};

static bool add_number(struct scan *scan)
{
    uint64_t number;

    if (!number_take(&scan->at, scan->end, &number))
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

    while (end - at >= 1 + 5 * NUMBER_MAX) {
        count = wire_event_counts[*at++];
        events++;
        numbers += count;
        while (count-- > 0) {
            at = number_take_fast(at, &number);
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
        if (!add_number(scan) || !number_take(&scan->at, scan->end, &size))
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
        if (!add_number(scan) || !number_take(&scan->at, scan->end, &frames) || frames > 128)
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
    if (!add_number(scan) || !add_number(scan) || !add_number(scan) ||
        !number_take(&scan->at, scan->end, &size) || size > (size_t) (end - scan->at))
        return false;
    scan->end = scan->at + size;
    if (type == EV_EVENT_BATCH)
        scan_content(scan);
    scan->at = scan->end;
    scan->end = end;
    return true;
}

static bool scan_batches(struct scan *scan)
{
    bool good = true;

    while (good && scan->at < scan->end)
        good = scan_batch(scan);
    return good;
}

/* The N of the header's "go 1.N trace"; 0 where it has none. */
static unsigned header_version(const uint8_t *data)
{
    unsigned version = 0;

    for (size_t i = 5; i < HEADER_SIZE && data[i] >= '0' && data[i] <= '9'; i++)
        version = 10 * version + (data[i] - '0');
    return version;
}

bool floor_scan(const uint8_t *data, size_t size, struct floor_result *result)
{
    struct scan scan = {0};
    bool good;

    *result = scan.result;
    if (size < HEADER_SIZE || memcmp(data, "go 1.", 5) != 0)
        return false;
    scan.at = data + HEADER_SIZE;
    scan.end = data + size;
    if (header_version(data) < 22)
        return floor_scan_v1(scan.at, scan.end, header_version(data), result);
    good = scan_batches(&scan);
    *result = scan.result;
    return good;
}
