/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/v1.h"

#include <string.h>

#include "base/error.h"
#include "v1/frequency.h"
#include "v1/futile.h"
#include "v1/merge.h"
#include "v1/order.h"
#include "v1/print.h"
#include "v1/scan.h"
#include "v1/symbols.h"

void gt_v1_init(struct gt_v1 *v1, struct gt_mem *mem, struct gt_source *source, gt_error *error)
{
    memset(v1, 0, sizeof(*v1));
    v1->mem = mem;
    v1->source = source;
    v1->error = error;
    v1->table.ordinal = 1;
    v1->table.generation = 1;
    gt_strings_init(&v1->table.strings, mem);
    gt_stacks_init(&v1->table.stacks, mem);
    gt_names_init(&v1->names, mem);
    gt_frontier_init(&v1->merge.frontier, mem);
    gt_idmap_init_objects(&v1->input.proc_map, mem, sizeof(struct gt_v1_proc));
    gt_idmap_init(&v1->merge.sampled, mem);
    gt_idmap_init(&v1->input.timers, mem);
    gt_idmap_init(&v1->symbols.starts, mem);
    gt_v1_state_init(&v1->state, mem);
}

void gt_v1_destroy(struct gt_v1 *v1)
{
    struct gt_mem *mem = v1->mem;
    gt_strings_destroy(&v1->table.strings, &v1->names);
    gt_stacks_destroy(&v1->table.stacks);
    gt_names_destroy(&v1->names);
    gt_frontier_destroy(&v1->merge.frontier);
    gt_idmap_destroy(&v1->input.proc_map);
    gt_idmap_destroy(&v1->merge.sampled);
    gt_idmap_destroy(&v1->input.timers);
    gt_idmap_destroy(&v1->symbols.starts);
    gt_v1_state_destroy(&v1->state);
    gt_array_free(mem, &v1->input.batches);
    gt_array_free(mem, &v1->input.gaps.passed);
    gt_mem_free(mem, v1->merge.sample_next,
                v1->input.samples.count * sizeof(*v1->merge.sample_next));
    gt_v1_late_destroy(&v1->input.exits, mem);
    gt_v1_late_destroy(&v1->input.samples, mem);
    gt_v1_symbols_drop(v1);
    gt_arena_free(&v1->symbols.frames, mem);
    gt_array_free(mem, &v1->futile.bytes);
}

static gt_status v1_reasons_add(struct gt_v1 *v1)
{
    static const char *const texts[GT_V1_REASONS] = {
        [GT_V1_FOREVER] = "forever",
        [GT_V1_PREEMPTED] = "preempted",
        [GT_V1_GOSCHED] = "runtime.Gosched",
        [GT_V1_SLEEP] = "sleep",
        [GT_V1_CHAN_SEND] = "chan send",
        [GT_V1_CHAN_RECEIVE] = "chan receive",
        [GT_V1_NETWORK] = "network",
        [GT_V1_SYNC] = "sync",
        [GT_V1_COND] = "sync.(*Cond).Wait",
        [GT_V1_SELECT] = "select",
        [GT_V1_MARK_ASSIST_WAIT] = "GC mark assist wait for work",
        [GT_V1_NO_REASON] = "",
    };
    for (unsigned i = 0; i < GT_V1_REASONS; i++) {
        if (gt_strings_add_text(&v1->table.strings, texts[i], &v1->output.reasons[i]) != GT_OK)
            return gt_v1_no_memory(v1);
    }
    return GT_OK;
}

static gt_status v1_read_all(struct gt_v1 *v1)
{
    gt_status status = gt_source_fill_all(v1->source);
    if (status != GT_OK)
        return status;
    v1->input.data = v1->source->cur;
    v1->input.end = v1->source->end;
    v1->input.data_offset = gt_source_offset(v1->source);
    for (unsigned type = 0; type < sizeof(v1->input.numbers); type++)
        v1->input.numbers[type] = (uint8_t) gt_v1_numbers(v1->version, type);
    status = v1_reasons_add(v1);
    if (status == GT_OK)
        status = gt_v1_scan(v1);
    if (status == GT_OK)
        gt_v1_prints_close(v1);
    v1->source->cur = v1->source->end;
    return status;
}

static gt_status v1_sort_late(struct gt_v1 *v1)
{
    const struct gt_watch *watch = v1->source->watch;
    gt_status status = gt_v1_late_sort(&v1->input.exits, v1->mem, watch);
    if (status == GT_OK)
        status = gt_v1_late_sort(&v1->input.samples, v1->mem, watch);
    if (status == GT_OK)
        return GT_OK;
    return status == GT_CANCELLED ? gt_source_fail_cancelled(v1->source) : gt_v1_no_memory(v1);
}

static gt_status v1_prepare(struct gt_v1 *v1)
{
    gt_status status = v1_read_all(v1);
    if (status == GT_OK)
        status = v1_sort_late(v1);
    if (status == GT_OK)
        status = gt_v1_set_frequency(v1);
    if (status == GT_OK)
        status = gt_v1_symbolize(v1);
    if (status == GT_OK && v1->input.futile_wakeups != 0 && v1->version < 11)
        status = gt_v1_futile_find(v1);
    return status == GT_OK ? gt_v1_merge_start(v1) : status;
}

static void v1_sync_add(struct gt_v1 *v1, int64_t time, const struct gt_table *table)
{
    struct gt_event_data *data = v1->output.next++;
    memset(data, 0, sizeof(*data));
    data->event.kind = GT_EVENT_SYNC;
    data->event.time = time;
    data->event.thread = GT_NO_THREAD;
    data->event.proc = GT_NO_PROC;
    data->event.goroutine = GT_NO_GOROUTINE;
    data->arguments[0] = ++v1->output.syncs;
    data->table = table;
    gt_event_mark(data);
}

/* Adds the Sync that precedes the first event. A trace without events has none. */
static gt_status v1_fill_first(struct gt_v1 *v1)
{
    gt_status status = v1_prepare(v1);
    if (status == GT_AGAIN)
        return status;
    v1->stage = GT_V1_READING;
    if (status != GT_OK)
        return status;
    gt_events_set_table(v1->output.events, &v1->table);
    v1_sync_add(v1, -1, &v1->table);
    status = gt_v1_merge(v1);
    if (!v1->output.began) {
        v1->output.syncs = 0;
        v1->output.next = v1->output.events->list;
    }
    return status;
}

static gt_status v1_end(struct gt_v1 *v1, gt_status status)
{
    v1->stage = GT_V1_DONE;
    return status;
}

static void v1_output_count(struct gt_v1 *v1)
{
    v1->output.events->count = (unsigned) (v1->output.next - v1->output.events->list);
    v1->output.events->repairs = v1->repair.count;
    v1->output.events->undecoded = v1->input.undecoded;
    v1->output.events->first_procs = v1->output.first_procs;
}

static void v1_output_start(struct gt_v1 *v1, struct gt_events *events)
{
    v1->output.events = events;
    v1->output.next = events->list;
    v1_output_count(v1);
}

static gt_status v1_fill(struct gt_v1 *v1)
{
    gt_status status = v1->stage == GT_V1_NEW ? v1_fill_first(v1) : gt_v1_merge(v1);
    v1_output_count(v1);
    return status;
}

gt_status gt_v1_fill(struct gt_v1 *v1, struct gt_events *events)
{
    v1_output_start(v1, events);
    if (v1->after != GT_OK)
        return v1_end(v1, v1->after);
    gt_status status = v1_fill(v1);
    if (status == GT_AGAIN)
        return status;
    if (status == GT_END) {
        if (events->count != 0)
            return GT_OK;
        v1_sync_add(v1, v1->output.last_time + 1, NULL);
        v1_output_count(v1);
        v1_end(v1, status);
    }
    v1->after = status;
    return events->count != 0 ? GT_OK : v1_end(v1, status);
}

bool gt_v1_more(struct gt_v1 *v1, struct gt_events *events)
{
    v1_output_start(v1, events);
    if (v1->after != GT_OK || v1->stage != GT_V1_READING)
        return false;
    if (!events->list[0].table)
        gt_events_set_table(events, &v1->table);
    gt_status status = v1_fill(v1);
    if (status != GT_END)
        v1->after = status;
    return events->count != 0;
}
