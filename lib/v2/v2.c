/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/v2.h"

#include <string.h>

#include "base/error.h"
#include "v2/merge.h"

/* The reader proper: internal/trace/reader.go, ReadEvent. */

void gt_v2_init(struct gt_v2 *v2, struct gt_mem *mem, struct gt_source *source, gt_error *error)
{
    memset(v2, 0, sizeof(*v2));
    v2->mem = mem;
    v2->source = source;
    v2->error = error;
    v2->sample_time = INT64_MAX;
    gt_names_init(&v2->names, mem);
    gt_frontier_init(&v2->frontier, mem);
    gt_idmap_init(&v2->threads, mem);
    gt_idmap_init(&v2->procs, mem);
    gt_idmap_init(&v2->goroutines, mem);
    gt_idmap_init(&v2->tasks, mem);
    gt_pool_init(&v2->thread_pool, mem, sizeof(struct gt_v2_thread));
    gt_pool_init(&v2->proc_pool, mem, sizeof(struct gt_v2_proc));
    gt_pool_init(&v2->goroutine_pool, mem, sizeof(struct gt_v2_goroutine));
    gt_pool_init(&v2->task_pool, mem, sizeof(struct gt_v2_task));
    gt_pool_init(&v2->open_pool, mem, sizeof(struct gt_v2_open));
}

void gt_v2_destroy(struct gt_v2 *v2)
{
    gt_v2_generation_destroy(v2);
    gt_v2_tables_destroy(v2);
    gt_names_destroy(&v2->names);
    gt_frontier_destroy(&v2->frontier);
    gt_idmap_destroy(&v2->threads);
    gt_idmap_destroy(&v2->procs);
    gt_idmap_destroy(&v2->goroutines);
    gt_idmap_destroy(&v2->tasks);
    gt_pool_destroy(&v2->thread_pool);
    gt_pool_destroy(&v2->proc_pool);
    gt_pool_destroy(&v2->goroutine_pool);
    gt_pool_destroy(&v2->task_pool);
    gt_pool_destroy(&v2->open_pool);
}

static void add_sync(struct gt_v2 *v2, struct gt_events *events, int64_t time)
{
    struct gt_event_data *data = &events->list[events->count++];
    memset(data, 0, sizeof(*data));
    data->event.kind = GT_EVENT_SYNC;
    data->event.time = gt_v2_next_time(v2, time);
    data->event.thread = GT_NO_THREAD;
    data->event.proc = GT_NO_PROC;
    data->event.goroutine = GT_NO_GOROUTINE;
    data->arguments[0] = ++v2->syncs;
    data->table = v2->table && v2->table->ordinal != 0 ? v2->table : NULL;
}

static gt_status start_generation(struct gt_v2 *v2, struct gt_events *events)
{
    const struct gt_v2_generation *generation = &v2->generation;
    gt_status status = gt_v2_merge_start(v2);
    if (status != GT_OK)
        return gt_error_plain(v2->error, status);
    /* One without events says nothing of what there is: internal/trace/order.go, Advance. */
    if (v2->initial_generation == 0 && generation->thread_count > 0)
        v2->initial_generation = generation->number;
    v2->generations++;
    add_sync(v2, events, gt_v2_to_ns(generation, generation->min_time));
    gt_events_set_table(events, v2->table);
    return GT_OK;
}

/* A Sync that opens no generation; before an error, or at the end. */
static gt_status end_with_sync(struct gt_v2 *v2, struct gt_events *events, enum gt_v2_stage stage)
{
    v2->stage = stage;
    gt_v2_table_retire(v2);
    add_sync(v2, events, v2->last_time);
    return GT_OK;
}

static gt_status next_generation(struct gt_v2 *v2, struct gt_events *events)
{
    switch (v2->stage) {
    case GT_V2_DONE:
        return GT_END;
    case GT_V2_FAILED:
        return (gt_status) v2->error->status;
    case GT_V2_FAILED_AFTER:
        return end_with_sync(v2, events, GT_V2_FAILED);
    default:
        break;
    }
    switch (gt_v2_generation_read(v2)) {
    case GT_V2_READ_NOTHING:
        return end_with_sync(v2, events, GT_V2_DONE);
    case GT_V2_READ_CUT:
        v2->stage = GT_V2_FAILED_AFTER;
        return start_generation(v2, events);
    case GT_V2_READ:
        return start_generation(v2, events);
    default:
        /* Nobody needs a Sync before these. */
        if (gt_repair_is_trouble(v2->error->status))
            return (gt_status) v2->error->status;
        return end_with_sync(v2, events, GT_V2_FAILED);
    }
}

gt_status gt_v2_fill(struct gt_v2 *v2, struct gt_events *events)
{
    events->count = 0;
    gt_status status = v2->after;
    if (status == GT_OK)
        status = gt_v2_merge(v2, events);
    if (status == GT_OK && events->count == 0) {
        /* Only now: the events of the old generation must have been delivered. */
        status = next_generation(v2, events);
        if (status == GT_OK)
            status = gt_v2_merge(v2, events);
    }
    events->repairs = v2->repair.count;
    if (events->count == 0)
        return status;
    v2->after = status;
    return GT_OK;
}

int gt_v2_more(struct gt_v2 *v2, struct gt_events *events)
{
    events->count = 0;
    if (v2->after != GT_OK)
        return 0;
    if (events->list[0].table != v2->table)
        gt_events_set_table(events, v2->table);
    v2->after = gt_v2_merge(v2, events);
    events->repairs = v2->repair.count;
    return events->count != 0;
}
