/* SPDX-License-Identifier: BSD-3-Clause */

/* The bars by which a track is drawn. */

#include <assert.h>
#include <string.h>

#include "base/time.h"
#include "store/chunk.h"
#include "store/track_part.h"

#define WHOLE UINT8_MAX

/* The share in units of 1/WHOLE, rounded. `whole` must not be 0. */
static int32_t bars_share_of(uint64_t amount, uint64_t whole)
{
    assert(whole != 0);
    if (whole >> 55 != 0) {
        amount >>= 9;
        whole >>= 9;
    }
    return (int32_t) ((amount * WHOLE + whole / 2) / whole);
}

static void bars_set_shares(struct gt_bar *bar, const struct gt_chunk_tally *tallies)
{
    uint64_t length = gt_time_span(bar->start, bar->end), sum = 0;
    uint64_t whole = length == 0 ? bar->count : length;
    uint32_t largest = 0;
    int32_t rest = 0, shares[GT_STORE_CLASSES] = {0};

    for (uint32_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
        if (tallies[cls].count == 0)
            continue;
        uint64_t amount = length == 0 ? tallies[cls].count : tallies[cls].time;
        int32_t share = bars_share_of(amount, whole);
        shares[cls] = share == 0 ? 1 : share;
        sum += amount;
        rest -= shares[cls];
        if (shares[cls] > shares[largest])
            largest = cls;
    }
    rest += bars_share_of(sum, whole);
    shares[largest] = shares[largest] + rest < 1 ? 1 : shares[largest] + rest;
    for (uint32_t cls = 0; cls < GT_STORE_CLASSES; cls++)
        bar->shares[cls] = (uint8_t) shares[cls];
}

/* Makes the bar of a part whose spans are shorter than a bin. */
static void bars_fill_merged(const struct gt_track *track, const struct gt_track_part *part,
                             struct gt_bar *bar)
{
    struct gt_chunk_tally tallies[GT_STORE_CLASSES];
    int64_t start, end;

    gt_track_times(track, part->from, &start, &end);
    bar->start = start < part->start ? part->start : start;
    if (part->cut) {
        bar->end = part->end;
    } else {
        gt_track_times(track, part->to - 1, &start, &end);
        bar->end = end;
    }
    bar->count = part->to - part->from + part->cut;
    if (bar->count == 1) {
        gt_track_get(track, part->from, &bar->span);
        return;
    }
    bar->span = (struct gt_span){.index = part->from};
    gt_track_tally(track, part, tallies);
    bars_set_shares(bar, tallies);
}

/* Returns the smaller of `time` + `more` and `limit`. The sum cannot overflow. */
static int64_t bars_later(int64_t time, int64_t more, int64_t limit)
{
    return gt_time_span(time, limit) < (uint64_t) more ? limit : time + more;
}

/* Returns the end of the bin that contains `time`, or `limit` if that is earlier. */
static int64_t bars_bin_end(int64_t time, int64_t bin, int64_t limit)
{
    int64_t past = time % bin;

    return bars_later(time, past < 0 ? -past : bin - past, limit);
}

/* Completes the part that begins at `part->start`, with span `part->from`: it reaches to the end of
 * the bin, and ends before a span that is not shorter than a bin. `*hint` is what gt_track_expect
 * returned, or 0. */
static void bars_find_part(const struct gt_track *track, int64_t bin, int64_t limit,
                           struct gt_track_part *part, uint32_t *hint)
{
    int64_t start, end;

    part->end = bars_bin_end(part->start, bin, limit);
    part->to = gt_track_seek(track, part->from > *hint ? part->from : *hint, part->end);
    /* If the part skips whole chunks, most of the time is spent waiting for the memory of the next
     * chunk. */
    if (part->to - part->from > GT_CHUNK_SPANS)
        *hint = gt_track_expect(track, part->to, bars_later(part->end, bin, limit));
    if (part->to - part->from > 1) {
        /* After spans without length, the last one may fill the whole bin. */
        gt_track_times(track, part->to - 1, &start, &end);
        if (gt_time_span(start, end) >= (uint64_t) bin) {
            part->to--;
            return;
        }
    }
    if (part->to < track->count) {
        gt_track_times(track, part->to, &start, &end);
        part->cut = start < part->end && gt_time_span(start, end) < (uint64_t) bin;
    }
}

void gt_track_bars(const struct gt_track *track, int64_t start, int64_t end, int64_t bin,
                   gt_track_bar_fn *give, void *user)
{
    uint32_t i = start < end ? gt_track_seek(track, 0, start) : track->count;
    int64_t span_start, span_end;
    uint32_t hint = 0;
    struct gt_bar bar;

    bin = bin < 1 ? 1 : bin;
    for (; i < track->count; give(user, &bar)) {
        gt_track_times(track, i, &span_start, &span_end);
        if (span_start >= end)
            return;
        memset(bar.shares, 0, sizeof(bar.shares));
        if (gt_time_span(span_start, span_end) >= (uint64_t) bin) {
            gt_track_get(track, i++, &bar.span);
            bar.start = span_start;
            bar.end = start = span_end;
            bar.count = 1;
            continue;
        }
        struct gt_track_part part = {.from = i, .start = span_start < start ? start : span_start};
        if (part.start >= end)
            return;
        bars_find_part(track, bin, end, &part, &hint);
        bars_fill_merged(track, &part, &bar);
        i = part.to;
        start = part.end;
    }
}
