/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_floor.h"

#include "bench_number.h"
#include "support/v1wire.h"

/* An event's first byte has its type, and above that how many arguments it has. */
#define TYPE_BITS 6
#define TYPE_MASK ((1U << TYPE_BITS) - 1)
#define COUNTED   3U

/* The most arguments of an event that does not count their bytes. */
#define PLAIN_MAX 4

/* The bytes that are left, and what was found so far. */
struct scan {
    const uint8_t *at;
    const uint8_t *end;
    /* How many arguments go without saying. */
    unsigned least;
    struct floor_result result;
};

static bool is_timed(unsigned type)
{
    return type != V1_BATCH && type != V1_FREQUENCY && type != V1_STACK && type != V1_STRING &&
           type != V1_TIMER_GOROUTINE;
}

static bool add_numbers(struct scan *scan, unsigned count)
{
    uint64_t number;

    scan->result.numbers += count;
    for (; count > 0; count--) {
        if (!number_take(&scan->at, scan->end, &number))
            return false;
        scan->result.sum += number;
    }
    return true;
}

/* Arguments after the number of their bytes. */
static bool add_counted(struct scan *scan)
{
    const uint8_t *end;
    uint64_t size;

    if (!number_take(&scan->at, scan->end, &size) || size > (size_t) (scan->end - scan->at))
        return false;
    end = scan->at + size;
    while (scan->at < end)
        if (!add_numbers(scan, 1))
            return false;
    return scan->at == end;
}

/* The number of some bytes, and the bytes. */
static bool add_text(struct scan *scan)
{
    uint64_t size;

    if (!number_take(&scan->at, scan->end, &size) || size > (size_t) (scan->end - scan->at))
        return false;
    scan->result.sum += size;
    scan->result.numbers++;
    scan->at += size;
    return true;
}

/* Records that are but a few numbers, as most are, up to one that is not. */
static void scan_plain(struct scan *scan)
{
    const uint8_t *at = scan->at, *end = scan->end;
    uint64_t sum = 0, numbers = 0, events = 0, number;
    unsigned type, code, count;

    while (end - at >= 1 + PLAIN_MAX * NUMBER_MAX) {
        type = *at & TYPE_MASK;
        code = *at >> TYPE_BITS;
        if (code == COUNTED || type == V1_STRING || type == V1_LOG)
            break;
        at++;
        count = code + scan->least;
        events += is_timed(type);
        numbers += count;
        for (; count > 0; count--) {
            at = number_take_fast(at, &number);
            sum += number;
        }
    }
    scan->at = at;
    scan->result.sum += sum;
    scan->result.numbers += numbers;
    scan->result.events += events;
}

static bool scan_record(struct scan *scan)
{
    unsigned first = *scan->at++, type = first & TYPE_MASK, code = first >> TYPE_BITS;

    scan->result.events += is_timed(type);
    if (type == V1_STRING)
        return add_numbers(scan, 1) && add_text(scan);
    if (code == COUNTED ? !add_counted(scan) : !add_numbers(scan, code + scan->least))
        return false;
    return type != V1_LOG || add_text(scan);
}

bool floor_scan_v1(const uint8_t *at, const uint8_t *end, unsigned version,
                   struct floor_result *result)
{
    struct scan scan = {at, end, version < 7 ? 2 : 1, {0, 0, 0}};
    bool good = true;

    while (good && scan.at < scan.end) {
        scan_plain(&scan);
        good = scan.at == scan.end || scan_record(&scan);
    }
    *result = scan.result;
    return good;
}
