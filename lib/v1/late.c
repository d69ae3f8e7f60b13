/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/late.h"

#include <string.h>

#include "base/bisect.h"

void gt_v1_late_destroy(struct gt_v1_late *late, struct gt_mem *mem)
{
    gt_mem_free(mem, late->events, late->capacity * sizeof(*late->events));
    memset(late, 0, sizeof(*late));
}

gt_status gt_v1_late_add(struct gt_v1_late *late, struct gt_mem *mem, int64_t time, uint64_t offset)
{
    gt_status status =
        gt_mem_reserve(mem, &late->events, &late->capacity, late->count + 1, sizeof(*late->events));
    if (status != GT_OK)
        return status;
    struct gt_v1_late_event *event = &late->events[late->count++];
    event->time = time;
    event->place = offset << 2;
    return GT_OK;
}

/* Returns the end of the sorted run that starts at index `i`. */
static size_t v1_run_end(const struct gt_v1_late_event *events, size_t i, size_t count)
{
    for (i++; i < count && events[i - 1].time <= events[i].time; i++)
        ;
    return i;
}

/* Merges the runs from[first, middle) and from[middle, end) into the same range of `to`. */
static void v1_runs_merge(const struct gt_v1_late_event *from, struct gt_v1_late_event *to,
                          size_t first, size_t middle, size_t end)
{
    size_t a = first;
    size_t b = middle;
    for (size_t i = first; i < end; i++) {
        if (a < middle && (b >= end || from[a].time <= from[b].time))
            to[i] = from[a++];
        else
            to[i] = from[b++];
    }
}

/* Merges neighbouring runs in pairs. Returns the number of runs that remain. */
static size_t v1_runs_merge_pairs(const struct gt_v1_late_event *from, struct gt_v1_late_event *to,
                                  size_t count)
{
    size_t runs = 0;
    for (size_t first = 0; first < count; runs++) {
        size_t middle = v1_run_end(from, first, count);
        size_t end = middle < count ? v1_run_end(from, middle, count) : count;
        v1_runs_merge(from, to, first, middle, end);
        first = end;
    }
    return runs;
}

gt_status gt_v1_late_sort(struct gt_v1_late *late, struct gt_mem *mem, const struct gt_watch *watch)
{
    size_t count = late->count;
    if (count == 0 || v1_run_end(late->events, 0, count) == count)
        return GT_OK;
    size_t bytes = late->capacity * sizeof(*late->events);
    struct gt_v1_late_event *spare = gt_mem_alloc(mem, bytes);
    if (!spare)
        return gt_mem_failure(mem);
    size_t runs;
    do {
        runs = v1_runs_merge_pairs(late->events, spare, count);
        struct gt_v1_late_event *swap = late->events;
        late->events = spare;
        spare = swap;
    } while (runs > 1 && !(watch && gt_watch_is_cancelled(watch)));
    gt_mem_free(mem, spare, bytes);
    return runs > 1 ? GT_CANCELLED : GT_OK;
}

/* Compares an event with a time and an offset: equal times are ordered by offset. */
static bool v1_late_is_before(const struct gt_v1_late_event *event, int64_t time, uint64_t offset)
{
    return event->time < time || (event->time == time && gt_v1_late_offset(event) < offset);
}

struct gt_v1_late_event *gt_v1_late_find(const struct gt_v1_late *late, int64_t time,
                                         uint64_t offset)
{
    size_t low = late->next < late->count ? late->next : late->count - 1;
    size_t high = low + 1;
    size_t step = 1;
    /*
     * Invariant: all events below `low` precede the wanted event, and no event from `high` on does.
     */
    while (low > 0 && !v1_late_is_before(&late->events[low - 1], time, offset)) {
        high = low;
        low = low > step ? low - step : 0;
        step *= 2;
    }
    while (high < late->count && v1_late_is_before(&late->events[high - 1], time, offset)) {
        low = high;
        high = late->count - high > step ? high + step : late->count;
        step *= 2;
    }
    size_t found;
    GT_BISECT(found, low, high, v1_late_is_before(&late->events[found], time, offset));
    return &late->events[found];
}
