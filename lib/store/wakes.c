/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/wakes.h"

#include "base/bisect.h"
#include "base/le64.h"
#include "base/sort.h"
#include "base/time.h"
#include "store/chunk.h"
#include "store/store.h"

enum {
    RUN = 1 << 16,
    FEW = 1 << 8, /* the room for the first edges, which then doubles up to RUN */
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS
};

struct gt_wakes_edge {
    int64_t time;
    uint32_t by, goroutine;
};

/* The columns of a run, of which each edge has one number. The times are relative to the run's
 * base, and are split into two halves. */
enum wakes_column {
    COLUMN_BY,
    COLUMN_GOROUTINE,
    COLUMN_LOW,
    COLUMN_HIGH,
    COLUMNS
};

/* RUN edges, column by column. Each column has as many bits as its largest number needs. */
struct gt_wakes_run {
    int64_t base;
    uint8_t *bytes;
    uint8_t widths[COLUMNS];
};

#define SPARE_BYTES (RUN * sizeof(struct gt_wakes_edge))

/* Returns the offset of a column in a run's bytes, or the offset of the end for COLUMNS. */
static size_t wakes_column_at(const struct gt_wakes_run *run, int column)
{
    size_t bits = 0;
    for (int before = 0; before < column; before++)
        bits += run->widths[before];
    return bits * (RUN / 8);
}

/* The size of a run's edges, with the bytes that may be read and written beyond the last one. */
static size_t wakes_run_bytes(const struct gt_wakes_run *run)
{
    return wakes_column_at(run, COLUMNS) + sizeof(uint64_t);
}

static uint32_t wakes_number(const struct gt_wakes_run *run, int column, size_t i)
{
    const uint8_t *at = run->bytes + wakes_column_at(run, column);
    uint32_t width = run->widths[column];
    return (uint32_t) (gt_chunk_bits(at, (uint32_t) i * width) & gt_chunk_masks[width]);
}

void gt_wakes_destroy(struct gt_wakes *wakes)
{
    for (size_t i = 0; i < wakes->runs.count; i++)
        gt_mem_free(wakes->mem, wakes->runs.items[i].bytes, wakes_run_bytes(&wakes->runs.items[i]));
    gt_array_free(wakes->mem, &wakes->runs);
    gt_array_free(wakes->mem, &wakes->latest);
    gt_mem_free(wakes->mem, wakes->spare, SPARE_BYTES);
}

/* A digit of the sort key, which has the time as its lower 64 bits and the waker above. */
static size_t wakes_digit(const struct gt_wakes_edge *edge, int64_t base, unsigned shift)
{
    uint64_t half = shift < 64 ? gt_time_span(base, edge->time) : edge->by;
    return (size_t) (half >> shift % 64) % DIGITS;
}

/* Turns the counts of digits into the positions of the first edge with each digit. */
static void wakes_add_up(uint32_t starts[DIGITS])
{
    uint32_t sum = 0;
    for (size_t i = 0; i < DIGITS; i++) {
        uint32_t count = starts[i];
        starts[i] = sum;
        sum += count;
    }
}

/* One pass of a radix sort, which is stable. */
static void wakes_sort_by_digit(struct gt_wakes *wakes, int64_t base, unsigned shift)
{
    struct gt_wakes_edge *from = wakes->latest.items, *to = wakes->spare;
    uint32_t starts[DIGITS] = {0};
    for (size_t i = 0; i < RUN; i++)
        starts[wakes_digit(&from[i], base, shift)]++;
    wakes_add_up(starts);
    for (size_t i = 0; i < RUN; i++)
        to[starts[wakes_digit(&from[i], base, shift)]++] = from[i];
    wakes->latest.items = to;
    wakes->spare = from;
}

/* Sorts the latest edges. Returns the earliest time, and sets `*longest` to the difference between
 * that and the last one. */
static int64_t wakes_sort(struct gt_wakes *wakes, uint64_t *longest)
{
    int64_t first = wakes->latest.items[0].time, last = first;
    uint32_t largest = 0;
    for (size_t i = 0; i < RUN; i++) {
        const struct gt_wakes_edge *edge = &wakes->latest.items[i];
        first = edge->time < first ? edge->time : first;
        last = edge->time > last ? edge->time : last;
        largest = edge->by > largest ? edge->by : largest;
    }
    *longest = gt_time_span(first, last);
    for (unsigned shift = 0; shift < 64 && *longest >> shift != 0; shift += DIGIT_BITS)
        wakes_sort_by_digit(wakes, first, shift);
    for (unsigned shift = 0; shift < 32 && largest >> shift != 0; shift += DIGIT_BITS)
        wakes_sort_by_digit(wakes, first, 64 + shift);
    return first;
}

static uint32_t wakes_number_of(const struct gt_wakes_edge *edge, int64_t base, int column)
{
    uint64_t time = gt_time_span(base, edge->time);
    switch (column) {
    case COLUMN_BY:
        return edge->by;
    case COLUMN_GOROUTINE:
        return edge->goroutine;
    case COLUMN_LOW:
        return (uint32_t) time;
    default:
        return (uint32_t) (time >> 32);
    }
}

static uint8_t wakes_find_width(const struct gt_wakes *wakes, int64_t base, int column)
{
    uint32_t all = 0;
    uint8_t width = 0;
    for (size_t i = 0; i < RUN; i++)
        all |= wakes_number_of(&wakes->latest.items[i], base, column);
    for (; all != 0; all >>= 1)
        width++;
    return width;
}

/* Writes the column, and up to eight bytes more. */
static void wakes_put_column(const struct gt_wakes *wakes, const struct gt_wakes_run *run,
                             int column)
{
    uint8_t *at = run->bytes + wakes_column_at(run, column);
    uint64_t word = 0;
    uint32_t used = 0;
    for (size_t i = 0; i < RUN && run->widths[column] != 0; i++) {
        word |= (uint64_t) wakes_number_of(&wakes->latest.items[i], run->base, column) << used;
        used += run->widths[column];
        if (used < 32)
            continue;
        gt_le64_store(at, word);
        at += 4;
        word >>= 32;
        used -= 32;
    }
    gt_le64_store(at, word);
}

static bool wakes_seal(struct gt_wakes *wakes)
{
    struct gt_wakes_run run;
    uint64_t longest;
    if (gt_array_reserve(wakes->mem, &wakes->runs, 1) != GT_OK)
        return false;
    if (!wakes->spare)
        wakes->spare = gt_mem_alloc(wakes->mem, SPARE_BYTES);
    if (!wakes->spare)
        return false;
    run.base = wakes_sort(wakes, &longest);
    for (int column = 0; column < COLUMNS; column++)
        run.widths[column] = wakes_find_width(wakes, run.base, column);
    run.bytes = gt_mem_alloc(wakes->mem, wakes_run_bytes(&run));
    if (!run.bytes)
        return false;
    for (int column = 0; column < COLUMNS; column++)
        wakes_put_column(wakes, &run, column);
    wakes->runs.items[wakes->runs.count++] = run;
    wakes->latest.count = 0;
    return true;
}

bool gt_wakes_add(struct gt_wakes *wakes, int64_t time, uint32_t by, uint32_t goroutine)
{
    if (wakes->latest.count == RUN && !wakes_seal(wakes))
        return false;
    size_t count = wakes->latest.count;
    /* A run and the buffer to sort it have the same size, so that they can change places. */
    if (count == wakes->latest.capacity &&
        gt_array_reserve(wakes->mem, &wakes->latest, count != 0 ? count : FEW) != GT_OK)
        return false;
    wakes->latest.items[wakes->latest.count++] = (struct gt_wakes_edge){time, by, goroutine};
    return true;
}

static int64_t wakes_time_in(const struct gt_wakes_run *run, size_t i)
{
    uint64_t high = wakes_number(run, COLUMN_HIGH, i);
    uint64_t time = high << 32 | wakes_number(run, COLUMN_LOW, i);
    return (int64_t) ((uint64_t) run->base + time);
}

/* Returns the index of the first edge of `by` at `time` or later, or, if there is none, that of the
 * first edge of the next waker. */
static size_t wakes_find(const struct gt_wakes_run *run, uint32_t by, int64_t time)
{
    size_t first;
    GT_BISECT(first, 0, RUN,
              wakes_number(run, COLUMN_BY, first) < by ||
                  (wakes_number(run, COLUMN_BY, first) == by && wakes_time_in(run, first) < time));
    return first;
}

/* The earliest wakeups found so far: a heap with the latest of them first, as in base/sort.h. */
struct found {
    struct gt_wake *heap;
    size_t count, max;
    uint64_t total;
};

static bool wake_is_before(const void *a, const void *b, void *context)
{
    const struct gt_wake *left = a, *right = b;
    (void) context;
    return left->time < right->time;
}

/* Adds a wakeup if it is among the earliest. False: it is not, nor is any later one. */
static bool wakes_take(struct found *found, int64_t time, uint32_t goroutine)
{
    struct gt_wake wake = {time, goroutine};
    if (found->count == found->max && (found->max == 0 || time >= found->heap[0].time))
        return false;
    gt_sort_keep_first(found->heap, &found->count, found->max, &wake, sizeof(wake), wake_is_before,
                       NULL);
    return true;
}

static void wakes_take_of_run(struct found *found, const struct gt_wakes_run *run, uint32_t by,
                              int64_t start, int64_t end)
{
    size_t last = wakes_find(run, by, end);
    size_t i = wakes_find(run, by, start);
    found->total += last - i;
    while (i < last &&
           wakes_take(found, wakes_time_in(run, i), wakes_number(run, COLUMN_GOROUTINE, i)))
        i++;
}

size_t gt_wakes_get(const struct gt_wakes *wakes, uint32_t by, int64_t start, int64_t end,
                    struct gt_wake *out, size_t max, uint64_t *total)
{
    struct found found = {out, 0, max, 0};
    if (start >= end)
        end = start;
    for (size_t i = 0; i < wakes->runs.count; i++)
        wakes_take_of_run(&found, &wakes->runs.items[i], by, start, end);
    for (size_t i = 0; i < wakes->latest.count; i++) {
        const struct gt_wakes_edge *edge = &wakes->latest.items[i];
        if (edge->by != by || edge->time < start || edge->time >= end)
            continue;
        found.total++;
        wakes_take(&found, edge->time, edge->goroutine);
    }
    gt_sort(out, found.count, sizeof(*out), wake_is_before, NULL);
    if (total)
        *total = found.total;
    return found.count;
}
