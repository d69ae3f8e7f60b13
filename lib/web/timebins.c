/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/timebins.h"

#include "base/time.h"

void gt_timebins_set(struct gt_timebins *bins, int64_t start, int64_t end, size_t most)
{
    int64_t length = gt_time_minus(end, start);
    bins->start = start;
    bins->end = end;
    bins->width = length / (int64_t) most;
    if (length % (int64_t) most != 0 || length == 0)
        gt_time_add_to(&bins->width, 1);
    bins->count = (size_t) (length / bins->width) + (length % bins->width != 0);
}

int64_t gt_timebins_start(const struct gt_timebins *bins, size_t bin)
{
    return gt_time_plus(bins->start, (int64_t) (bin * (uint64_t) bins->width));
}

int64_t gt_timebins_length(const struct gt_timebins *bins, size_t bin)
{
    int64_t left = gt_time_minus(bins->end, gt_timebins_start(bins, bin));
    return left < bins->width ? left : bins->width;
}

void gt_timebins_add(const struct gt_timebins *bins, struct gt_timebins_cell *cells, int64_t start,
                     int64_t end)
{
    start = start > bins->start ? start : bins->start;
    end = end < bins->end ? end : bins->end;
    if (start >= end)
        return;
    size_t first = (size_t) (gt_time_minus(start, bins->start) / bins->width);
    size_t last = (size_t) (gt_time_minus(end, bins->start) / bins->width);
    if (first == last) {
        cells[first].part += (double) gt_time_minus(end, start);
        return;
    }
    cells[first].part += (double) gt_time_minus(gt_timebins_start(bins, first + 1), start);
    cells[last].part += (double) gt_time_minus(end, gt_timebins_start(bins, last));
    cells[first + 1].entered++;
    cells[last].entered--;
}

double gt_timebins_mean(const struct gt_timebins *bins, const struct gt_timebins_cell *cells,
                        size_t bin, double *whole)
{
    *whole += cells[bin].entered;
    return *whole + cells[bin].part / (double) gt_timebins_length(bins, bin);
}
