/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"
#include "base/time.h"

/* The queue at a stack, which is added if it is new. NULL: no memory. */
static struct gt_report_queue *lock_queue_get(struct gt_report *report, uint32_t stack)
{
    struct gt_report_blocking *blocking = &report->blocking;
    struct gt_report_place *place = &report->places.items[stack];
    const struct gt_report_queue blank = {.stack = stack, .longest = GT_REPORT_NO_SPAN};
    if (place->queue_plus_1 == 0 && gt_array_add(&report->mem, &blocking->queues, blank) == GT_OK)
        place->queue_plus_1 = (uint32_t) blocking->queues.count;
    return place->queue_plus_1 == 0 ? NULL : &blocking->queues.items[place->queue_plus_1 - 1];
}

gt_status gt_report_lock_enter(struct gt_report *report,
                               const struct gt_report_goroutine *goroutine)
{
    struct gt_report_queue *queue = lock_queue_get(report, goroutine->stack);
    if (!queue)
        return gt_mem_failure(&report->mem);
    if (queue->waiting == 0) {
        queue->since = goroutine->since;
        queue->served = 0;
    }
    queue->group = goroutine->group;
    queue->waiting++;
    return GT_OK;
}

/*
 * Counts the stretch since the queue was empty, if it is long enough. It ends when the last
 * goroutine was served: those that wait until the end of the trace may be in a deadlock.
 */
static void lock_convoy_end(struct gt_report *report, struct gt_report_queue *queue, int64_t id)
{
    int64_t time = gt_time_minus(queue->served_last, queue->since);
    if ((double) time <= report->limits[GT_LIMIT_CONVOY_TIME] ||
        (double) queue->served < report->limits[GT_LIMIT_CONVOY_WAITERS])
        return;
    gt_time_add_to(&queue->time, time);
    queue->convoys++;
    gt_report_span_keep(&queue->longest, id, queue->since, queue->served_last);
}

gt_status gt_report_lock_add(struct gt_report *report, const struct gt_report_goroutine *goroutine,
                             uint32_t waker)
{
    const struct gt_report_tally_key key = {GT_TALLY_LOCK, goroutine->group, goroutine->stack,
                                            waker};
    gt_time_add_to(&gt_report_group_of(report, goroutine)->locked,
                   gt_time_minus(report->now, goroutine->since));
    return gt_report_tally_add(report, &key, goroutine->id, goroutine->since);
}

gt_status gt_report_lock_leave(struct gt_report *report,
                               const struct gt_report_goroutine *goroutine)
{
    struct gt_report_queue *queue = lock_queue_get(report, goroutine->stack);
    if (!queue)
        return gt_mem_failure(&report->mem);
    queue->served++;
    queue->served_last = report->now;
    if (queue->waiting > 0 && --queue->waiting == 0)
        lock_convoy_end(report, queue, goroutine->id);
    return GT_OK;
}

static bool lock_group_is_bad(const struct gt_report *report, const struct gt_report_group *group)
{
    return (double) group->locked > report->limits[GT_LIMIT_LOCK_TIME] &&
           gt_report_percent((double) group->locked, (double) group->time) >
               report->limits[GT_LIMIT_LOCK_SHARE];
}

gt_status gt_report_lock_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_BLOCKED_ON_LOCK, .example = GT_REPORT_NO_SPAN};
    double time = 0;
    for (size_t i = 0; i < report->groups.count; i++) {
        const struct gt_report_group *group = &report->groups.items[i];
        if (!lock_group_is_bad(report, group))
            continue;
        found.figure += (double) group->locked;
        time += (double) group->time;
    }
    if (!(found.figure > 0))
        return GT_OK;
    for (size_t i = 0; i < report->tallies.list.count; i++) {
        const struct gt_report_tally *pair = &report->tallies.list.items[i];
        if (pair->key.kind != GT_TALLY_LOCK)
            continue;
        const struct gt_report_group *group = &report->groups.items[pair->key.who];
        const struct gt_report_about about = {.figure = (double) pair->time,
                                              .count = pair->count,
                                              .group = group->text,
                                              .stack = pair->key.stack,
                                              .other = pair->key.other};
        if (!lock_group_is_bad(report, group))
            continue;
        gt_report_top_keep(&found.top, &about);
        gt_report_span_keep(&found.example, pair->longest.goroutine, pair->longest.start,
                            pair->longest.end);
    }
    found.share = gt_report_percent(found.figure, time);
    found.excess = gt_report_excess(report, found.share, GT_LIMIT_LOCK_SHARE);
    return gt_report_found_add(report, &found);
}

/* Where most of the waits at a stack were ended, or 0. */
static uint32_t lock_convoy_waker(const struct gt_report *report, uint32_t stack)
{
    const struct gt_report_tally *most = NULL;
    for (size_t i = 0; i < report->tallies.list.count; i++) {
        const struct gt_report_tally *pair = &report->tallies.list.items[i];
        if (pair->key.kind == GT_TALLY_LOCK && pair->key.stack == stack &&
            (!most || pair->count > most->count))
            most = pair;
    }
    return most ? most->key.other : 0;
}

gt_status gt_report_convoy_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_LOCK_CONVOY, .example = GT_REPORT_NO_SPAN};
    int64_t most = 0;
    for (size_t i = 0; i < report->blocking.queues.count; i++) {
        struct gt_report_queue *queue = &report->blocking.queues.items[i];
        if (queue->waiting > 0)
            lock_convoy_end(report, queue, GT_NO_GOROUTINE);
        if (queue->convoys == 0)
            continue;
        const int64_t longest = gt_time_minus(queue->longest.end, queue->longest.start);
        const struct gt_report_about about = {
            .figure = (double) longest,
            .count = queue->convoys,
            .group = report->groups.items[queue->group].text,
            .stack = queue->stack,
        };
        if (queue->time > most)
            most = queue->time;
        gt_report_top_keep(&found.top, &about);
        gt_report_span_keep(&found.example, queue->longest.goroutine, queue->longest.start,
                            queue->longest.end);
    }
    if (found.top.count == 0)
        return GT_OK;
    for (size_t i = 0; i < found.top.count; i++)
        found.top.list[i].other = lock_convoy_waker(report, found.top.list[i].stack);
    found.figure = (double) gt_time_minus(found.example.end, found.example.start);
    found.share = gt_report_percent((double) most, (double) gt_report_duration(report));
    found.excess = gt_report_excess(report, found.figure, GT_LIMIT_CONVOY_TIME);
    return gt_report_found_add(report, &found);
}
