/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds spans by time, and their times. */

#include "base/bisect.h"
#include "base/time.h"
#include "store/chunk.h"
#include "store/track_part.h"

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void) (address))
#endif

/* The bytes of a cache line, and how many lines the times and the tallies of a chunk take. */
#define LINE           64
#define EXPECTED_LINES 7

void gt_track_times(const struct gt_track *track, uint32_t index, int64_t *start, int64_t *end)
{
    const struct gt_track_chunk *chunk = gt_track_chunk(track, index);
    uint32_t i = index % GT_CHUNK_SPANS;
    int64_t base = gt_chunk_base(chunk);
    uint64_t last = i == 0 ? 0 : gt_chunk_end(chunk, i - 1);
    uint64_t gap = gt_chunk_gap(chunk, i), till = gt_chunk_end(chunk, i);

    *start = gt_track_shift(base, last + gap);
    *end = gt_track_shift(base, till);
}

static int64_t track_end(const struct gt_track *track)
{
    return gt_track_chunk_end(gt_track_chunk(track, track->count - 1), track->count);
}

bool gt_track_extent(const struct gt_track *track, int64_t *start, int64_t *end)
{
    if (track->count == 0)
        return false;
    *start = gt_chunk_base(gt_track_chunk(track, 0));
    *end = track_end(track);
    return true;
}

/* Returns the last chunk that begins before `time`, or the chunk of span `from` if no later chunk
 * does. This is a galloping search, because the time is usually near that of the previous
 * search. */
static uint32_t track_seek_chunk(const struct gt_track *track, uint32_t from, int64_t time)
{
    uint32_t count = track->count / GT_CHUNK_SPANS + (track->count % GT_CHUNK_SPANS != 0);
    uint32_t low = from / GT_CHUNK_SPANS, step = 1;

    while (step < count - low && track->pieces[low + step].base < time) {
        low += step;
        step *= 2;
    }
    size_t after;
    GT_BISECT(after, low + 1, step < count - low ? low + step : count,
              track->pieces[after].base < time);
    return (uint32_t) after - 1;
}

/* Returns the first of a chunk's `count` records, from `low` on, whose span ends at `time` or
 * later. */
static uint32_t track_seek_record(const struct gt_track_chunk *chunk, uint32_t low, uint32_t count,
                                  int64_t time)
{
    int64_t base = gt_chunk_base(chunk);
    uint64_t offset = time < base ? 0 : gt_time_span(base, time);
    size_t first;

    GT_BISECT(first, low, count, gt_chunk_end(chunk, (uint32_t) first) < offset);
    return (uint32_t) first;
}

/* The first span from `from` on that ends at `time` or later. */
static uint32_t track_seek_end(const struct gt_track *track, uint32_t from, int64_t time)
{
    uint32_t base = track_seek_chunk(track, from, time) * GT_CHUNK_SPANS;
    uint32_t count = track->count - base < GT_CHUNK_SPANS ? track->count - base : GT_CHUNK_SPANS;

    return base + track_seek_record(gt_track_chunk(track, base), from < base ? 0 : from - base,
                                    count, time);
}

uint32_t gt_track_seek(const struct gt_track *track, uint32_t from, int64_t time)
{
    int64_t start, end;

    if (from >= track->count)
        return track->count;
    uint32_t index = track_seek_end(track, from, time);
    if (index < track->count) {
        gt_track_times(track, index, &start, &end);
        index += start < time && end == time;
    }
    return index;
}

uint32_t gt_track_expect(const struct gt_track *track, uint32_t from, int64_t time)
{
    if (track->room == 0 || from >= track->count)
        return from;
    uint32_t chunk = track_seek_chunk(track, from, time);
    uintptr_t memory = (uintptr_t) track->pieces[chunk].chunk;
    for (uintptr_t line = 0; line < EXPECTED_LINES; line++)
        PREFETCH((const void *) (memory + line * LINE));
    return chunk * GT_CHUNK_SPANS > from ? chunk * GT_CHUNK_SPANS : from;
}

uint32_t gt_track_find(const struct gt_track *track, int64_t time)
{
    if (track->count == 0 || time >= track_end(track))
        return track->count;
    return track_seek_end(track, 0, time + 1);
}
