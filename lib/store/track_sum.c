/* SPDX-License-Identifier: BSD-3-Clause */

/* The time and the number of spans in each class. */

#include <string.h>

#include "base/time.h"
#include "store/chunk.h"
#include "store/track_part.h"

/* Adds the tallies of all spans before span `index`, multiplied by `sign`. */
static void track_tally_before(const struct gt_track *track, uint32_t index, uint64_t sign,
                               struct gt_chunk_tally *tallies)
{
    /* If `index` is the number of spans, the track may have no chunk for it. */
    uint32_t last = index == track->count ? index - 1 : index;
    const struct gt_track_chunk *chunk = gt_track_chunk(track, last);

    gt_chunk_tally_before(chunk, sign, tallies);
    gt_chunk_tally(chunk, 0, last % GT_CHUNK_SPANS + (index - last), sign, tallies);
}

static void track_tally_spans(const struct gt_track *track, uint32_t from, uint32_t to,
                              struct gt_chunk_tally *tallies)
{
    memset(tallies, 0, GT_STORE_CLASSES * sizeof(*tallies));
    if (to - from > GT_CHUNK_SPANS) {
        track_tally_before(track, to, 1, tallies);
        track_tally_before(track, from, UINT64_MAX, tallies);
        return;
    }
    while (from < to) {
        uint32_t i = from % GT_CHUNK_SPANS;
        uint32_t count = GT_CHUNK_SPANS - i < to - from ? GT_CHUNK_SPANS - i : to - from;

        gt_chunk_tally(gt_track_chunk(track, from), i, i + count, 1, tallies);
        from += count;
    }
}

static uint32_t track_class_of(const struct gt_track *track, uint32_t index)
{
    return gt_chunk_class(gt_track_chunk(track, index), index % GT_CHUNK_SPANS);
}

void gt_track_tally(const struct gt_track *track, const struct gt_track_part *part,
                    struct gt_chunk_tally *tallies)
{
    int64_t start, end;

    track_tally_spans(track, part->from, part->to, tallies);
    if (part->from < part->to) {
        gt_track_times(track, part->from, &start, &end);
        if (start < part->start)
            tallies[track_class_of(track, part->from)].time -= gt_time_span(start, part->start);
    }
    if (part->cut) {
        uint32_t cls = track_class_of(track, part->to);

        gt_track_times(track, part->to, &start, &end);
        tallies[cls].time += gt_time_span(start < part->start ? part->start : start, part->end);
        tallies[cls].count++;
    }
}

/* Converts a time to int64_t. A time that does not fit becomes INT64_MAX. */
static int64_t track_clamp_time(uint64_t time)
{
    return time < INT64_MAX ? (int64_t) time : INT64_MAX;
}

static void track_add_tallies(const struct gt_chunk_tally *tallies, struct gt_track_sums *sums)
{
    for (uint32_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
        gt_time_add_to(&sums->time[cls], track_clamp_time(tallies[cls].time));
        sums->count[cls] += tallies[cls].count;
    }
}

void gt_track_sum(const struct gt_track *track, int64_t start, int64_t end,
                  struct gt_track_sums *sums)
{
    struct gt_chunk_tally tallies[GT_STORE_CLASSES];
    int64_t span_start, span_end;

    if (start >= end)
        return;
    struct gt_track_part part = {.start = start, .end = end};
    part.from = gt_track_seek(track, 0, start);
    part.to = gt_track_seek(track, part.from, end);
    if (part.to < track->count) {
        gt_track_times(track, part.to, &span_start, &span_end);
        part.cut = span_start < end;
    }
    gt_track_tally(track, &part, tallies);
    track_add_tallies(tallies, sums);
}

void gt_track_total(const struct gt_track *track, struct gt_track_sums *sums)
{
    struct gt_chunk_tally tallies[GT_STORE_CLASSES] = {{0, 0}};

    if (track->count == 0)
        return;
    track_tally_before(track, track->count, 1, tallies);
    track_add_tallies(tallies, sums);
}
