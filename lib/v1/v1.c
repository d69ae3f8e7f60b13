/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/v1.h"

#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "v1/frequency.h"
#include "v1/futile.h"
#include "v1/merge.h"
#include "v1/order.h"
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
    gt_frontier_init(&v1->frontier, mem);
    gt_idmap_init(&v1->proc_map, mem);
    gt_idmap_init(&v1->sampled, mem);
    gt_idmap_init(&v1->timers, mem);
    gt_idmap_init(&v1->starts, mem);
    gt_idmap_init(&v1->goroutines, mem);
    gt_idmap_init(&v1->tasks, mem);
    gt_pool_init(&v1->proc_pool, mem, sizeof(struct gt_v1_proc));
    gt_pool_init(&v1->goroutine_pool, mem, sizeof(struct gt_v1_goroutine));
    gt_pool_init(&v1->task_pool, mem, sizeof(struct gt_v1_task));
    gt_pool_init(&v1->region_pool, mem, sizeof(struct gt_v1_region));
}

void gt_v1_destroy(struct gt_v1 *v1)
{
    struct gt_mem *mem = v1->mem;
    gt_strings_destroy(&v1->table.strings, &v1->names);
    gt_stacks_destroy(&v1->table.stacks);
    gt_names_destroy(&v1->names);
    gt_frontier_destroy(&v1->frontier);
    gt_idmap_destroy(&v1->proc_map);
    gt_idmap_destroy(&v1->sampled);
    gt_idmap_destroy(&v1->timers);
    gt_idmap_destroy(&v1->starts);
    gt_idmap_destroy(&v1->goroutines);
    gt_idmap_destroy(&v1->tasks);
    gt_pool_destroy(&v1->proc_pool);
    gt_pool_destroy(&v1->goroutine_pool);
    gt_pool_destroy(&v1->task_pool);
    gt_pool_destroy(&v1->region_pool);
    gt_mem_free(mem, v1->batches, v1->batch_capacity * sizeof(*v1->batches));
    gt_mem_free(mem, v1->sample_next, v1->samples.count * sizeof(*v1->sample_next));
    gt_v1_late_destroy(&v1->exits, mem);
    gt_v1_late_destroy(&v1->samples, mem);
    gt_v1_symbols_drop(v1);
    gt_mem_free(mem, v1->frames, v1->frames_size);
    gt_mem_free(mem, v1->futile, v1->futile_size);
}

gt_status gt_v1_fail_memory(struct gt_v1 *v1)
{
    return gt_error_plain(v1->error, gt_mem_failure(v1->mem));
}

gt_status gt_v1_fault(struct gt_v1 *v1, gt_status status, uint64_t offset, const char *repair,
                      const char *text, ...)
{
    gt_error error = GT_ERROR_INIT;
    va_list arguments;
    va_start(arguments, text);
    gt_error_set_list(&error, status, offset, 0, text, arguments);
    va_end(arguments);
    if (!v1->options.lenient) {
        *v1->error = error;
        return status;
    }
    gt_error_append(&error, repair);
    v1->repairs++;
    if (v1->options.on_repair)
        v1->options.on_repair(v1->options.repair_data, &error);
    return GT_OK;
}

static gt_status add_reasons(struct gt_v1 *v1)
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
        [GT_V1_UNSAID] = "",
    };
    for (unsigned i = 0; i < GT_V1_REASONS; i++) {
        if (gt_strings_add_text(&v1->table.strings, texts[i], &v1->reasons[i]) != GT_OK)
            return gt_v1_fail_memory(v1);
    }
    return GT_OK;
}

static gt_status read_all(struct gt_v1 *v1)
{
    gt_status status = gt_source_fill_all(v1->source);
    if (status != GT_OK)
        return status;
    v1->data = v1->source->cur;
    v1->end = v1->source->end;
    v1->data_offset = gt_source_offset(v1->source);
    for (unsigned type = 0; type < sizeof(v1->numbers); type++)
        v1->numbers[type] = (uint8_t) gt_v1_numbers(v1->version, type);
    status = add_reasons(v1);
    if (status == GT_OK)
        status = gt_v1_scan(v1);
    v1->source->cur = v1->source->end;
    return status;
}

static gt_status prepare(struct gt_v1 *v1)
{
    gt_status status = read_all(v1);
    if (status == GT_OK && (gt_v1_late_sort(&v1->exits, v1->mem) != GT_OK ||
                            gt_v1_late_sort(&v1->samples, v1->mem) != GT_OK))
        status = gt_v1_fail_memory(v1);
    if (status == GT_OK)
        status = gt_v1_set_frequency(v1);
    if (status == GT_OK)
        status = gt_v1_symbolize(v1);
    if (status == GT_OK && v1->futile_wakeups != 0 && v1->version < 11)
        status = gt_v1_find_futile(v1);
    return status == GT_OK ? gt_v1_merge_start(v1) : status;
}

void gt_v1_forget_state(struct gt_v1 *v1)
{
    gt_idmap_destroy(&v1->goroutines);
    gt_idmap_destroy(&v1->tasks);
    gt_pool_destroy(&v1->goroutine_pool);
    gt_pool_destroy(&v1->task_pool);
    gt_pool_destroy(&v1->region_pool);
    v1->gc_seq = v1->taken = 0;
    v1->merged = INT64_MIN;
    v1->collecting = v1->stopped = v1->began = 0;
    v1->starting = 1;
    v1->listed = v1->last_listed = v1->owed = NULL;
    v1->last_time = -1;
}

static void give_sync(struct gt_v1 *v1, int64_t time, const struct gt_table *table)
{
    struct gt_event_data *data = v1->slot++;
    memset(data, 0, sizeof(*data));
    data->event.kind = GT_EVENT_SYNC;
    data->event.time = time;
    data->event.thread = GT_NO_THREAD;
    data->event.proc = GT_NO_PROC;
    data->event.goroutine = GT_NO_GOROUTINE;
    data->arguments[0] = ++v1->syncs;
    data->table = table;
}

/* The first Sync comes before the first event, and is not there without one. */
static gt_status give_first(struct gt_v1 *v1)
{
    gt_status status = prepare(v1);
    v1->stage = GT_V1_READING;
    if (status != GT_OK)
        return status;
    gt_events_set_table(v1->events, &v1->table);
    give_sync(v1, -1, &v1->table);
    status = gt_v1_merge(v1);
    if (!v1->began) {
        v1->syncs = 0;
        v1->slot = v1->events->list;
    }
    return status;
}

struct gt_table *gt_v1_table(struct gt_v1 *v1)
{
    return v1->stage == GT_V1_READING || v1->options.keep ? &v1->table : NULL;
}

static gt_status end_with(struct gt_v1 *v1, gt_status status)
{
    v1->stage = GT_V1_DONE;
    return status;
}

static void count(struct gt_v1 *v1)
{
    v1->events->count = (unsigned) (v1->slot - v1->events->list);
    v1->events->repairs = v1->repairs;
}

static void start_filling(struct gt_v1 *v1, struct gt_events *events)
{
    v1->events = events;
    v1->slot = events->list;
    count(v1);
}

static gt_status fill(struct gt_v1 *v1)
{
    gt_status status = v1->stage == GT_V1_NEW ? give_first(v1) : gt_v1_merge(v1);
    count(v1);
    return status;
}

gt_status gt_v1_fill(struct gt_v1 *v1, struct gt_events *events)
{
    start_filling(v1, events);
    if (v1->after != GT_OK)
        return end_with(v1, v1->after);
    gt_status status = fill(v1);
    if (status == GT_END) {
        if (events->count != 0)
            return GT_OK;
        give_sync(v1, v1->last_time + 1, NULL);
        count(v1);
        end_with(v1, status);
    }
    v1->after = status;
    return events->count != 0 ? GT_OK : end_with(v1, status);
}

int gt_v1_more(struct gt_v1 *v1, struct gt_events *events)
{
    start_filling(v1, events);
    if (v1->after != GT_OK || v1->stage != GT_V1_READING)
        return 0;
    if (!events->list[0].table)
        gt_events_set_table(events, &v1->table);
    gt_status status = fill(v1);
    if (status != GT_END)
        v1->after = status;
    return events->count != 0;
}
