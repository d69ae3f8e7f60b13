/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/v2.h"

#include <string.h>

#include "base/error.h"
#include "base/likely.h"
#include "v2/generation.h"
#include "v2/merge.h"
#include "v2/repair.h"
#include "v2/table.h"

/* The functions that a reader calls: internal/trace/reader.go, ReadEvent. */

void gt_v2_init(struct gt_v2 *v2, struct gt_mem *mem, struct gt_source *source, gt_error *error)
{
    memset(v2, 0, sizeof(*v2));
    v2->mem = mem;
    v2->source = source;
    v2->error = error;
    v2->merge.sample_time = INT64_MAX;
    v2->output.least_time = 1;
    gt_names_init(&v2->names, mem);
    gt_frontier_init(&v2->merge.frontier, mem);
    gt_v2_state_init(&v2->state, mem);
}

void gt_v2_destroy(struct gt_v2 *v2)
{
    gt_v2_generation_destroy(v2);
    gt_v2_buffers_destroy(&v2->merge.buffers, v2->mem);
    gt_v2_tables_destroy(v2);
    gt_names_destroy(&v2->names);
    gt_frontier_destroy(&v2->merge.frontier);
    gt_v2_state_destroy(&v2->state);
}

void gt_v2_sync_add(struct gt_v2 *v2, struct gt_events *events, int64_t time,
                    const struct gt_table *table)
{
    struct gt_event_data *data = &events->list[events->count++];
    memset(data, 0, sizeof(*data));
    data->event.kind = GT_EVENT_SYNC;
    data->event.time = gt_v2_next_time(v2, time);
    data->event.thread = GT_NO_THREAD;
    data->event.proc = GT_NO_PROC;
    data->event.goroutine = GT_NO_GOROUTINE;
    data->arguments[0] = ++v2->output.syncs;
    data->table = table;
    gt_event_mark(data);
}

static gt_status v2_generation_begin(struct gt_v2 *v2, struct gt_events *events)
{
    const struct gt_v2_generation *generation = &v2->generation;
    gt_status status = gt_v2_merge_start(v2);
    if (status != GT_OK)
        return gt_error_plain(v2->error, status);
    /* A generation without events does not say which resources exist: order.go, Advance. */
    if (v2->state.first_generation == 0 && generation->threads.count > 0)
        v2->state.first_generation = generation->number;
    v2->generations++;
    gt_v2_sync_add(v2, events, gt_v2_to_ns(generation, generation->min_time), v2->table);
    gt_events_set_table(events, v2->table);
    v2->has_expired = !v2->keep;
    return GT_OK;
}

/* Adds a Sync that opens no generation, before an error or at the end of the trace. */
static gt_status v2_end(struct gt_v2 *v2, struct gt_events *events, enum gt_v2_stage stage)
{
    v2->stage = stage;
    gt_v2_sync_add(v2, events, v2->output.least_time, NULL);
    return GT_OK;
}

static gt_status v2_fill_generation(struct gt_v2 *v2, struct gt_events *events)
{
    switch (v2->stage) {
    case GT_V2_DONE:
        return GT_END;
    case GT_V2_FAILED:
        return (gt_status) v2->error->status;
    case GT_V2_FAILED_AFTER:
        return v2_end(v2, events, GT_V2_FAILED);
    default:
        break;
    }
    switch (gt_v2_generation_read(v2)) {
    case GT_V2_READ_NOTHING:
        return v2_end(v2, events, GT_V2_DONE);
    case GT_V2_READ_CUT:
        v2->stage = GT_V2_FAILED_AFTER;
        return v2_generation_begin(v2, events);
    case GT_V2_READ:
        return v2_generation_begin(v2, events);
    case GT_V2_READ_AGAIN:
        return GT_AGAIN;
    default:
        /* No Sync precedes an error that the trace does not cause. */
        if (gt_repair_is_trouble(v2->error->status))
            return (gt_status) v2->error->status;
        return v2_end(v2, events, GT_V2_FAILED);
    }
}

gt_status gt_v2_fill(struct gt_v2 *v2, struct gt_events *events)
{
    events->count = 0;
    if (GT_UNLIKELY(v2->has_expired))
        gt_v2_table_expire(v2);
    gt_status status = v2->after;
    if (status == GT_OK)
        status = gt_v2_merge(v2, events);
    /*
     * The next generation is read only after all events of the old one were delivered. The Sync is
     * returned without other events, because the strings of the previous generation become invalid
     * in the call after the one that returns the Sync.
     */
    if (status == GT_OK && events->count == 0)
        status = v2_fill_generation(v2, events);
    events->repairs = v2->repair.count;
    events->undecoded = v2->generation.undecoded;
    if (events->count == 0)
        return status;
    v2->after = status;
    return GT_OK;
}

bool gt_v2_more(struct gt_v2 *v2, struct gt_events *events)
{
    events->count = 0;
    if (v2->after != GT_OK)
        return false;
    if (events->list[0].table != v2->table)
        gt_events_set_table(events, v2->table);
    v2->after = gt_v2_merge(v2, events);
    events->repairs = v2->repair.count;
    events->undecoded = v2->generation.undecoded;
    return events->count != 0;
}
