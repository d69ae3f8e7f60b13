/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/downgrade.h"

#include <gotrace/wire.h>

#include "base/error.h"
#include "base/object.h"
#include "base/sized.h"
#include "base/time.h"
#include "rewrite/downgrade_stream.h"
#include "rewrite/downgrade_table.h"
#include "source/header.h"

/* A unit of the clock of the output is a nanosecond. */
#define UNITS_PER_SECOND 1000000000

static void downgrade_init(struct gt_downgrader *d)
{
    d->error = (gt_error) GT_ERROR_INIT;
    d->info = (gt_downgrader_info) GT_DOWNGRADER_INFO_INIT;
    gt_idmap_init_objects(&d->proc_map, &d->mem, sizeof(struct gt_downgrade_proc));
    gt_idmap_init_objects(&d->goroutine_map, &d->mem, sizeof(struct gt_downgrade_goroutine));
    gt_idmap_init_objects(&d->ended, &d->mem, sizeof(struct gt_downgrade_ended));
    gt_rewrite_regions_init(&d->regions, &d->mem);
    d->none.stream.id = GT_NO_PROC;
    d->none.stream.is_kept = true;
    d->samples.id = GT_NO_PROC;
}

/* Frees what a downgrader holds, but not itself. */
static void downgrade_destroy(struct gt_downgrader *d)
{
    for (size_t i = 0; i < d->procs.count; i++)
        gt_array_free(&d->mem, &d->procs.items[i]->stream.bytes);
    gt_array_free(&d->mem, &d->none.stream.bytes);
    gt_array_free(&d->mem, &d->samples.bytes);
    gt_array_free(&d->mem, &d->piece);
    gt_array_free(&d->mem, &d->procs);
    gt_array_free(&d->mem, &d->firsts);
    gt_array_free(&d->mem, &d->stack_ids);
    gt_idmap_destroy(&d->proc_map);
    gt_idmap_destroy(&d->goroutine_map);
    gt_idmap_destroy(&d->ended);
    gt_rewrite_regions_destroy(&d->regions);
    if (d->texts.mem)
        gt_texts_destroy(&d->texts);
    if (d->stacks.mem)
        gt_texts_destroy(&d->stacks);
}

gt_status gt_downgrader_open(gt_downgrader **downgrader, gt_reader *reader, gt_write_fn write,
                             void *user_data, const gt_downgrader_options *options, gt_error *error)
{
    static const gt_downgrader_options defaults = GT_DOWNGRADER_OPTIONS_INIT;
    static const struct gt_object_layout layout = GT_OBJECT_LAYOUT(
        "downgrader", gt_downgrader, gt_downgrader_options, allocator, 0, &defaults, NULL);
    gt_status status;
    if (!downgrader)
        return gt_error_report_refusal(error, "downgrader is NULL");
    *downgrader = NULL;
    if (!reader || !write)
        return gt_error_report_refusal(error, reader ? "write is NULL" : "reader is NULL");
    struct gt_downgrader *d = gt_object_open(downgrader, &layout, options, error, &status);
    if (!d)
        return status;
    downgrade_init(d);
    d->reader = reader;
    d->write = write;
    d->user_data = user_data;
    *downgrader = d;
    return GT_OK;
}

void gt_downgrader_close(gt_downgrader **downgrader)
{
    struct gt_downgrader *d = downgrader ? *downgrader : NULL;
    if (!d || d->busy)
        return;
    *downgrader = NULL;
    downgrade_destroy(d);
    gt_mem_delete(&d->mem, d, sizeof(*d));
}

gt_status gt_downgrade_fail(struct gt_downgrader *d, gt_status status, const char *text)
{
    return gt_error_set(&d->error, status, GT_NO_OFFSET, 0, "%s", text);
}

gt_status gt_downgrade_no_memory(struct gt_downgrader *d)
{
    return gt_error_plain(&d->error, gt_mem_failure(&d->mem));
}

gt_status gt_downgrade_contradiction(struct gt_downgrader *d)
{
    return gt_downgrade_fail(d, GT_ERR_NOT_AVAILABLE,
                             "an event that is not possible after those before it cannot be "
                             "written");
}

/* Makes the tables, writes the header, and notes when the trace begins. */
static gt_status downgrade_begin(struct gt_downgrader *d, const gt_event *event)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    uint8_t header[GT_HEADER_SIZE];
    gt_status status = gt_reader_get_info(d->reader, &info);
    if (status != GT_OK)
        return status;
    if (info.version <= GT_V1_NEWEST)
        return gt_downgrade_fail(d, GT_ERR_VERSION, "this is a trace of Go 1.21 or earlier");
    if (gt_texts_init(&d->texts, &d->mem) != GT_OK || gt_texts_init(&d->stacks, &d->mem) != GT_OK)
        return gt_downgrade_no_memory(d);
    d->has_begun = true;
    d->origin = event->time;
    gt_header_write(header, GT_V1_NEWEST);
    return gt_downgrade_bytes(d, header, sizeof(header));
}

static gt_status downgrade_take_sync(struct gt_downgrader *d, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    gt_status status = gt_event_sync(event, &sync);
    if (status != GT_OK)
        return status;
    d->info.clocks += sync.has_clock;
    d->info.experiments += sync.batch_count;
    if (d->info.generations != 0)
        status = gt_downgrade_start(d);
    d->info.generations += sync.generation != 0;
    return status;
}

static gt_downgrade_rule *downgrade_rule_of(const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        return gt_downgrade_transition;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        return gt_downgrade_range;
    default:
        return gt_downgrade_plain;
    }
}

gt_status gt_downgrade_transition(struct gt_downgrader *d, const struct gt_downgrade_event *e)
{
    gt_transition transition = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(e->event, &transition);
    if (status != GT_OK)
        return status;
    return transition.resource.kind == GT_RESOURCE_PROC
               ? gt_downgrade_proc_change(d, e, &transition)
               : gt_downgrade_goroutine_change(d, e, &transition);
}

static gt_status downgrade_take_other(struct gt_downgrader *d, const gt_event *event)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    struct gt_downgrade_event e = {.event = event};
    int64_t passed = gt_time_minus(event->time, d->origin);
    gt_status status = gt_event_wire(event, &wire);
    if (status != GT_OK)
        return status;
    if (passed > INT64_MAX - GT_DOWNGRADE_FIRST_TIME)
        return gt_downgrade_fail(d, GT_ERR_NOT_AVAILABLE, "the trace is too long");
    e.type = wire.type;
    e.time = passed + GT_DOWNGRADE_FIRST_TIME;
    bool has_proc = event->proc != GT_NO_PROC && event->kind != GT_EVENT_STACK_SAMPLE;
    e.proc = has_proc ? gt_downgrade_proc_get(d, event->proc) : &d->none;
    if (!e.proc)
        return (gt_status) d->error.status;
    status = gt_downgrade_stack(d, event, gt_event_stack(event), &e.stack);
    if (status != GT_OK)
        return status;
    d->info.events++;
    d->last_event = e.time;
    return downgrade_rule_of(event)(d, &e);
}

/* Ends a call that has changed the downgrader. An error of a getter has no message yet. */
static gt_status downgrade_return(struct gt_downgrader *d, gt_status status)
{
    d->busy = false;
    if (status != GT_OK && d->error.status != status)
        gt_error_plain(&d->error, status);
    return status;
}

gt_status gt_downgrader_event(gt_downgrader *downgrader, const gt_event *event)
{
    struct gt_downgrader *d = downgrader;
    gt_status status = GT_OK;
    if (!d || !event || d->busy || d->is_finished || !gt_reader_has_event(d->reader, event))
        return GT_ERR_INVALID_ARGUMENT;
    if (d->error.status != GT_OK)
        return (gt_status) d->error.status;
    if (!gt_rewrite_take(&d->taken, d->reader, event))
        return GT_ERR_INVALID_ARGUMENT;
    d->busy = true;
    if (!d->has_begun)
        status = downgrade_begin(d, event);
    if (status == GT_OK)
        status = event->kind == GT_EVENT_SYNC ? downgrade_take_sync(d, event)
                                              : downgrade_take_other(d, event);
    return downgrade_return(d, status);
}

/*
 * Writes GOMAXPROCS again if the last events have no records, so that the output ends when the
 * input does: what happens until then belongs to goroutines whose states last.
 */
static gt_status downgrade_put_last(struct gt_downgrader *d)
{
    if (d->last_record >= d->last_event || d->procs_last == 0)
        return GT_OK;
    return gt_downgrade_add(d, &d->none, d->last_event, GT_V1_GOMAXPROCS, d->procs_last, 0);
}

/*
 * Completes the records of a proc. Go's tracer stops the world before it ends, and Go's viewer
 * panics if a goroutine, a sweep, a stop of the world or a collection does not end. A system call
 * that lasts until the end has blocked: otherwise it would be an instant.
 */
static gt_status downgrade_end_proc(struct gt_downgrader *d, struct gt_downgrade_proc *proc)
{
    gt_status status = gt_downgrade_start_release(d, proc, 0);
    if (status == GT_OK)
        status = gt_downgrade_end_sweep(d, proc);
    if (status != GT_OK || !proc->goroutine)
        return status;
    return proc->goroutine->is_in_syscall
               ? gt_downgrade_leave_proc(d, proc, d->last_event)
               : gt_downgrade_add(d, proc, d->last_event, GT_V1_GO_PREEMPT, 0);
}

static gt_status downgrade_end(struct gt_downgrader *d)
{
    gt_status status = gt_downgrade_start(d);
    if (status == GT_OK)
        status = gt_downgrade_end_ranges(d);
    for (size_t i = 0; status == GT_OK && i < d->procs.count; i++)
        status = downgrade_end_proc(d, d->procs.items[i]);
    if (status == GT_OK)
        status = downgrade_put_last(d);
    if (status == GT_OK)
        status = gt_downgrade_streams_flush(d);
    if (status == GT_OK)
        status = gt_downgrade_frequency(d, UNITS_PER_SECOND);
    if (status == GT_OK)
        status = gt_downgrade_tables_flush(d);
    return status == GT_OK ? gt_downgrade_flush(d) : status;
}

gt_status gt_downgrader_finish(gt_downgrader *downgrader)
{
    struct gt_downgrader *d = downgrader;
    if (!d || d->busy || d->is_finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (d->error.status != GT_OK)
        return (gt_status) d->error.status;
    d->busy = true;
    d->is_finished = true;
    gt_status status =
        d->has_begun ? downgrade_end(d)
                     : gt_downgrade_fail(d, GT_ERR_NOT_AVAILABLE, "there are no events to write");
    return downgrade_return(d, status);
}

gt_status gt_downgrader_error(const gt_downgrader *downgrader, gt_error *error)
{
    return downgrader && !downgrader->busy ? gt_error_give(error, &downgrader->error)
                                           : GT_ERR_INVALID_ARGUMENT;
}

gt_status gt_downgrader_get_info(const gt_downgrader *downgrader, gt_downgrader_info *info)
{
    if (!downgrader || downgrader->busy ||
        !gt_struct_fits(info, GT_UP_TO(gt_downgrader_info, memory_peak)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_downgrader_info known = downgrader->info;
    gt_mem_count(&downgrader->mem, &known.memory, &known.memory_peak);
    gt_struct_give(info, &known, sizeof(known));
    return GT_OK;
}
