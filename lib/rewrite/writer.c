/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/writer.h"

#include "base/error.h"
#include "base/likely.h"
#include "base/object.h"
#include "base/sized.h"
#include "base/time.h"
#include "rewrite/batch.h"
#include "rewrite/generation.h"
#include "rewrite/rename.h"
#include "rewrite/table.h"
#include "rewrite/transition.h"
#include "source/header.h"
#include "v2/spec.h"

enum {
    WRITER_FLAGS = GT_WRITER_ANONYMOUS | GT_WRITER_TASKS | GT_WRITER_LENIENT,
    /* The oldest version that can be written. */
    OLDEST = 22
};

/* Returns the newest version that can be written and that tools of version 1.N of Go read. */
static uint32_t writer_version(uint32_t n)
{
    static const uint32_t versions[] = {26, 25, GT_REWRITE_EXTENDED, OLDEST};
    size_t i = 0;
    while (versions[i] > n && versions[i] != OLDEST)
        i++;
    return versions[i];
}

/* Validates the members of the options that no other function validates. */
static bool writer_options_are_valid(const void *in, gt_error *failure)
{
    const gt_writer_options *options = in;
    const char *fault = NULL;
    if (options->version != 0 && options->version != writer_version(options->version))
        fault = "options.version is not 0, 22, 23, 25 or 26";
    else if (options->reserved != 0)
        fault = "options.reserved is not 0";
    else if (options->wall_seconds > INT64_MAX)
        fault = "options.wall_seconds is too large";
    return !fault || gt_error_refuse(failure, fault) == GT_OK;
}

gt_status gt_writer_open(gt_writer **writer, gt_reader *reader, gt_write_fn write, void *user_data,
                         const gt_writer_options *options, gt_error *error)
{
    static const gt_writer_options defaults = GT_WRITER_OPTIONS_INIT;
    static const struct gt_object_layout layout =
        GT_OBJECT_LAYOUT("writer", gt_writer, gt_writer_options, text_data, WRITER_FLAGS, &defaults,
                         writer_options_are_valid);
    gt_status status;
    if (!writer)
        return gt_error_report_refusal(error, "writer is NULL");
    *writer = NULL;
    if (!reader || !write)
        return gt_error_report_refusal(error, reader ? "write is NULL" : "reader is NULL");
    struct gt_writer *w = gt_object_open(writer, &layout, options, error, &status);
    if (!w)
        return status;
    w->error = (gt_error) GT_ERROR_INIT;
    w->info = (gt_writer_info) GT_WRITER_INFO_INIT;
    w->reader = reader;
    w->write = write;
    w->user_data = user_data;
    gt_rewrite_state_init(&w->state, &w->mem);
    w->state.numbers_threads = w->options.flags & GT_WRITER_ANONYMOUS;
    gt_rewrite_names_init(w);
    *writer = w;
    return GT_OK;
}

void gt_writer_close(gt_writer **writer)
{
    struct gt_writer *w = writer ? *writer : NULL;
    if (!w || w->busy)
        return;
    *writer = NULL;
    gt_rewrite_batches_drop(w, true);
    gt_array_free(&w->mem, &w->batches);
    gt_rewrite_tables_free(w);
    gt_rewrite_names_destroy(w);
    gt_rewrite_state_destroy(&w->state);
    gt_array_free(&w->mem, &w->open);
    gt_array_free(&w->mem, &w->piece);
    gt_array_free(&w->mem, &w->v1.made_up);
    gt_mem_delete(&w->mem, w, sizeof(*w));
}

gt_status gt_rewrite_fail(struct gt_writer *writer, gt_status status, const char *text)
{
    return gt_error_set(&writer->error, status, GT_NO_OFFSET, writer->sync.generation, "%s", text);
}

gt_status gt_rewrite_no_memory(struct gt_writer *writer)
{
    return gt_error_plain(&writer->error, gt_mem_failure(&writer->mem));
}

gt_status gt_rewrite_contradiction(struct gt_writer *writer)
{
    return gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE,
                           "a proc or a goroutine that is on two threads at once, or shares its "
                           "thread, cannot be written");
}

bool gt_rewrite_is_first(const struct gt_writer *writer)
{
    return writer->first_events == 0 || writer->first_events == writer->info.generations;
}

/* Returns whether an event may be left out in the middle of the output. */
static bool event_is_plain(const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_SYNC:
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
    case GT_EVENT_STATE_TRANSITION:
        return false;
    default:
        return true;
    }
}

static gt_status event_write(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    if (e->event->kind == GT_EVENT_STATE_TRANSITION)
        return gt_rewrite_transition(writer, e);
    return event_is_plain(e->event) ? gt_rewrite_plain(writer, e) : gt_rewrite_range(writer, e);
}

/* Finds another time for an event that cannot have `*time` in the output. */
static gt_status event_delay(struct gt_writer *writer, int64_t *time)
{
    if (*time < 0)
        return gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE, "a time below 0 cannot be written");
    if (writer->info.generations == 0)
        return GT_OK;
    if (writer->last_time == INT64_MAX)
        return gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE,
                               "there are no times left after that of the last event");
    *time = gt_time_plus(writer->last_time, 1);
    return GT_OK;
}

/* Sets `*time` to the time of an event in the output. */
static inline gt_status event_time(struct gt_writer *writer, const gt_event *event, int64_t *time)
{
    *time = gt_time_plus(event->time, writer->options.offset);
    if (!writer->is_writing || *time > writer->last_time)
        return GT_OK;
    return event_delay(writer, time);
}

/*
 * Begins a generation before an event, if none is open or the open one is full: that of the last
 * Sync if it is due, or another one.
 */
static inline gt_status event_begin_generation(struct gt_writer *writer, struct gt_rewrite_event *e)
{
    gt_status status = GT_OK;
    if (writer->generation.is_open) {
        if (writer->options.generation_bytes == 0 || !gt_rewrite_is_full(writer, e->time))
            return GT_OK;
        status = gt_rewrite_generation_end(writer);
    }
    if (status == GT_OK)
        status = writer->generation.is_due
                     ? gt_rewrite_generation_begin(writer, writer->generation.due_time, false)
                     : gt_rewrite_cut(writer, e->time);
    return status == GT_OK ? event_time(writer, e->event, &e->time) : status;
}

/* Counts an event that was written. */
static inline void event_count(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    int64_t time = gt_time_plus(e->event->time, writer->options.offset);
    /* It is later already if the event has several records, as a coroutine's creation in 1.22. */
    if (writer->last_time < e->time)
        writer->last_time = e->time;
    writer->info.events++;
    writer->info.delayed += e->time != time;
    if (writer->join.stage == GT_JOIN_NONE)
        writer->join.last_time = time;
}

/* Writes an event, unless the held event takes it. */
static gt_status event_put(struct gt_writer *writer, struct gt_rewrite_event *e)
{
    bool is_taken = false, is_left_out = false;
    bool is_lenient = GT_UNLIKELY(writer->options.flags & GT_WRITER_LENIENT);
    gt_status status = GT_OK;
    if (GT_UNLIKELY(writer->held.type != 0))
        status = gt_rewrite_held_offer(writer, e, &is_taken);
    if (status == GT_OK && GT_UNLIKELY(gt_rewrite_is_older(writer)) &&
        e->event->kind == GT_EVENT_EXPERIMENTAL) {
        writer->info.left_out += writer->is_writing;
        return GT_OK;
    }
    if (status == GT_OK && !is_taken && writer->is_writing)
        status = event_begin_generation(writer, e);
    if (status == GT_OK && GT_UNLIKELY(writer->v1.is_input))
        status = gt_rewrite_v1_context(writer, e, &is_left_out);
    else if (status == GT_OK && !is_taken && is_lenient)
        status = gt_rewrite_mend(writer, e, &is_left_out);
    if (status == GT_OK && !is_left_out && is_lenient)
        status = gt_rewrite_nest_region(writer, e, &is_left_out);
    if (status == GT_OK && is_left_out)
        return gt_rewrite_task_note(writer, e);
    if (status != GT_OK)
        return status;
    if (GT_UNLIKELY(writer->owes_procs || writer->owes_tasks || writer->owes_collector) &&
        writer->is_writing && !is_taken)
        status = gt_rewrite_pay(writer, e);
    if (status == GT_OK && !is_taken)
        status = event_write(writer, e);
    if (status == GT_OK && writer->is_writing)
        event_count(writer, e);
    return status;
}

/* Returns the type that an event of `type` has for Go 1.22. GoCreateBlocked stays. */
static uint32_t older_type(uint32_t type)
{
    switch (type) {
    case GT_WIRE_GO_STATUS_STACK:
        return GT_WIRE_GO_STATUS;
    case GT_WIRE_GO_SWITCH:
    case GT_WIRE_GO_SWITCH_DESTROY:
        /* The two events that follow have types of their own. */
        return GT_WIRE_GO_UNBLOCK;
    default:
        return type;
    }
}

/* Returns the type of an event without its stack. */
static uint32_t bare_type(uint32_t type)
{
    return type == GT_WIRE_GO_STATUS_STACK ? GT_WIRE_GO_STATUS : type;
}

/* Finds out what is to be written of an event. */
static gt_status event_describe(struct gt_writer *writer, const gt_event *event,
                                struct gt_rewrite_event *e)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    *e = (struct gt_rewrite_event){.event = event, .proc = event->proc};
    gt_status status = gt_event_wire(event, &wire);
    if (status == GT_OK)
        status = event_time(writer, event, &e->time);
    if (status != GT_OK)
        return status;
    e->type = wire.type;
    e->status = wire.status;
    e->thread = gt_rewrite_thread_get(&writer->state, event->thread);
    return e->thread ? GT_OK : gt_rewrite_no_memory(writer);
}

static gt_status writer_take_other(struct gt_writer *writer, const gt_event *event)
{
    struct gt_rewrite_event e;
    gt_status status = event_describe(writer, event, &e);
    if (status != GT_OK)
        return status;
    if (writer->v1.is_input && writer->options.flags & GT_WRITER_LENIENT)
        gt_rewrite_repair(writer, &e);
    if (GT_UNLIKELY(gt_rewrite_is_older(writer)))
        e.type = older_type(e.type);
    if (GT_UNLIKELY(writer->is_bare))
        e.type = bare_type(e.type);
    bool is_dropped = false;
    if (e.type == GT_WIRE_PROCS_CHANGE && writer->join.count != 0)
        status = gt_rewrite_join_repeats_procs(writer, event, &is_dropped);
    if (GT_UNLIKELY(writer->join.stage != GT_JOIN_NONE) && status == GT_OK && !is_dropped)
        status = gt_rewrite_join_event(writer, &e, &is_dropped);
    return status == GT_OK && !is_dropped ? event_put(writer, &e) : status;
}

/* Returns whether an event is left out if only the state is written that it leaves. */
static bool event_is_detail(const gt_event *event)
{
    return event_is_plain(event) && event->kind != GT_EVENT_METRIC && event->kind != GT_EVENT_LABEL;
}

/* Finds out how much of an event is written, and whether it is left out. */
static gt_status writer_ask(struct gt_writer *writer, const gt_event *event, bool *is_left_out)
{
    int kept = writer->options.keep(writer->options.keep_data, event);
    if (kept < 0)
        return gt_error_plain(&writer->error, (gt_status) kept);
    writer->is_bare = kept == 0;
    *is_left_out = writer->is_bare && event_is_detail(event);
    return GT_OK;
}

/* Takes an event that is not a Sync. */
static gt_status writer_take_part(struct gt_writer *writer, const gt_event *event)
{
    bool is_left_out = false;
    gt_status status = GT_OK;
    if (GT_UNLIKELY(!!writer->options.keep))
        status = writer_ask(writer, event, &is_left_out);
    if (status != GT_OK || !is_left_out)
        return status == GT_OK ? writer_take_other(writer, event) : status;
    if (writer->is_writing && writer->info.generations == 0)
        writer->rest_time = gt_time_plus(event->time, writer->options.offset);
    return GT_OK;
}

static gt_status writer_take_sync(struct gt_writer *writer, const gt_event *event)
{
    int64_t time;
    gt_status status = gt_rewrite_held_release(writer);
    if (status == GT_OK)
        status = event_time(writer, event, &time);
    return status == GT_OK ? gt_rewrite_sync(writer, event, time) : status;
}

/*
 * Returns the version of the output: one that the tools of the version of Go read which has
 * recorded the input. Those of Go 1.21 and earlier read none; there it is the oldest one that tells
 * with which function a goroutine began that existed at first.
 */
static uint32_t version_for(const gt_writer_options *options, uint32_t input)
{
    if (options->version != 0)
        return options->version;
    return input <= GT_V1_NEWEST ? (uint32_t) GT_REWRITE_EXTENDED : writer_version(input);
}

/* Stores the version of the input. */
static gt_status writer_check_input(struct gt_writer *writer)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_status status = gt_reader_get_info(writer->reader, &info);
    writer->input_version = info.version;
    writer->v1.is_input = info.version <= GT_V1_NEWEST;
    if (writer->version == 0)
        writer->version = version_for(&writer->options, info.version);
    /* Times of such traces begin at 0, and the Sync is earlier. */
    if (!writer->v1.is_input)
        return status;
    if (writer->options.generation_bytes == 0)
        writer->options.generation_bytes = GT_WRITER_V1_GENERATION;
    writer->options.offset = gt_time_plus(writer->options.offset, GT_WRITER_V1_OFFSET);
    return status;
}

/*
 * Ends a call that has changed the writer. Sets the message of an error of a getter, which has none
 * yet.
 */
static gt_status writer_return(struct gt_writer *writer, gt_status status)
{
    writer->busy = false;
    if (status != GT_OK && writer->error.status != status)
        gt_error_plain(&writer->error, status);
    return status;
}

/* Returns whether the writer can be given an event. */
static bool writer_is_ready(const struct gt_writer *writer, const gt_event *event)
{
    return writer && event && !writer->busy && !writer->is_finished &&
           gt_reader_has_event(writer->reader, event);
}

static gt_status writer_take(struct gt_writer *writer, const gt_event *event, bool writes)
{
    gt_status status = GT_OK;
    if (!writer_is_ready(writer, event) || writer->is_late ||
        (!writes && writer->has_begun && !event_is_plain(event)))
        return GT_ERR_INVALID_ARGUMENT;
    if (writer->error.status != GT_OK)
        return (gt_status) writer->error.status;
    if (!gt_rewrite_take(&writer->taken, writer->reader, event))
        return GT_ERR_INVALID_ARGUMENT;
    writer->busy = true;
    if (writer->input_version == 0)
        status = writer_check_input(writer);
    writer->has_begun |= writes;
    writer->has_skipped |= !writes && event->kind != GT_EVENT_SYNC && !writer->has_begun;
    writer->is_writing = writes;
    if (status == GT_OK)
        status = event->kind == GT_EVENT_SYNC ? writer_take_sync(writer, event)
                                              : writer_take_part(writer, event);
    return writer_return(writer, status);
}

gt_status gt_writer_event(gt_writer *writer, const gt_event *event)
{
    return writer_take(writer, event, true);
}

gt_status gt_writer_skip(gt_writer *writer, const gt_event *event)
{
    return writer_take(writer, event, false);
}

/*
 * Returns whether an event is the first one of a goroutine or proc that existed before the trace,
 * and can have had its state since then.
 */
static bool event_is_late_state(const struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    gt_transition change = GT_TRANSITION_INIT;
    const struct gt_rewrite_thread *thread = e->thread;
    if (e->type == GT_WIRE_PROC_STATUS && gt_event_transition(e->event, &change) == GT_OK) {
        bool is_bound = e->status == GT_V2_PROC_RUNNING || e->status == GT_V2_PROC_SYSCALL;
        return !gt_idmap_get(&writer->state.proc_map, (uint64_t) change.resource.id) &&
               change.from == GT_PROC_UNDETERMINED && !(is_bound && thread->proc);
    }
    if ((e->type != GT_WIRE_GO_STATUS && e->type != GT_WIRE_GO_STATUS_STACK) ||
        gt_event_transition(e->event, &change) != GT_OK)
        return false;
    bool is_bound = e->status == GT_V2_GO_RUNNING || e->status == GT_V2_GO_SYSCALL;
    return !gt_idmap_get(&writer->state.goroutine_map, (uint64_t) change.resource.id) &&
           change.from == GT_GO_UNDETERMINED && !(is_bound && thread->goroutine);
}

/* Writes the state that an event tells behind the last event, or only notes it. */
static gt_status writer_take_late(struct gt_writer *writer, const gt_event *event)
{
    struct gt_rewrite_event e;
    bool is_left_out;
    gt_status status = event_describe(writer, event, &e);
    writer->is_writing = writer->has_begun;
    writer->is_bare = false;
    if (status != GT_OK || !event_is_late_state(writer, &e))
        return status;
    if (writer->options.keep)
        status = writer_ask(writer, event, &is_left_out);
    if (writer->is_bare || gt_rewrite_is_older(writer))
        e.type = bare_type(e.type);
    if (status == GT_OK && writer->is_writing)
        status = event_begin_generation(writer, &e);
    if (status != GT_OK || !writer->is_writing)
        return status == GT_OK ? gt_rewrite_transition(writer, &e) : status;
    status = event_delay(writer, &e.time);
    if (status == GT_OK)
        status = gt_rewrite_transition(writer, &e);
    writer->last_time = e.time;
    writer->info.made_up++;
    return status;
}

gt_status gt_writer_late(gt_writer *writer, const gt_event *event)
{
    if (!writer_is_ready(writer, event))
        return GT_ERR_INVALID_ARGUMENT;
    if (writer->error.status != GT_OK)
        return (gt_status) writer->error.status;
    if (!gt_rewrite_take(&writer->taken, writer->reader, event))
        return GT_ERR_INVALID_ARGUMENT;
    writer->busy = writer->is_late = true;
    gt_status status = writer->input_version == 0 ? writer_check_input(writer) : GT_OK;
    writer->has_skipped |= !writer->has_begun;
    if (status == GT_OK)
        status = gt_rewrite_held_release(writer);
    if (status == GT_OK && event->kind == GT_EVENT_STATE_TRANSITION && !writer->v1.is_input)
        status = writer_take_late(writer, event);
    return writer_return(writer, status);
}

gt_status gt_writer_finish(gt_writer *writer)
{
    if (!writer || writer->busy || writer->is_finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (writer->error.status != GT_OK)
        return (gt_status) writer->error.status;
    writer->busy = true;
    writer->is_finished = true;
    writer->is_writing = true;
    gt_status status = writer->has_begun
                           ? gt_rewrite_held_release(writer)
                           : gt_error_set(&writer->error, GT_ERR_NOT_AVAILABLE, GT_NO_OFFSET, 0,
                                          "there are no events to write");
    return writer_return(writer, status == GT_OK ? gt_rewrite_finish(writer) : status);
}

gt_status gt_writer_states(gt_writer *writer, int64_t start, int64_t end)
{
    if (!writer || writer->busy || writer->is_finished || writer->has_begun ||
        !writer->has_skipped || end < start)
        return GT_ERR_INVALID_ARGUMENT;
    if (writer->error.status != GT_OK)
        return (gt_status) writer->error.status;
    writer->busy = writer->has_begun = writer->is_writing = true;
    gt_status status = gt_rewrite_held_release(writer);
    if (status == GT_OK)
        status = gt_rewrite_rest(writer, gt_time_plus(start, writer->options.offset),
                                 gt_time_plus(end, writer->options.offset));
    return writer_return(writer, status);
}

/* Forgets what has been written, but not the state that the input has reached. */
static void writer_forget_output(struct gt_writer *writer)
{
    writer->is_finished = false;
    writer->has_begun = false;
    writer->is_late = false;
    writer->has_end = false;
    writer->has_skipped = true;
    writer->rest_time = writer->last_time;
    writer->last_time = 0;
    writer->first_time = 0;
    writer->first_events = 0;
    writer->collector = 0;
    writer->owes_procs = writer->owes_tasks = writer->owes_collector = false;
    writer->cut_clock = (struct gt_clock){0};
    writer->info = (gt_writer_info) GT_WRITER_INFO_INIT;
    gt_rewrite_stops_forget(&writer->state);
    for (size_t i = 0; i < writer->batches.count; i++)
        writer->batches.items[i].is_written = false;
}

gt_status gt_writer_restart(gt_writer *writer)
{
    gt_status status = gt_writer_finish(writer);
    if (status == GT_OK)
        writer_forget_output(writer);
    return status;
}

gt_status gt_writer_join(gt_writer *writer, gt_reader *reader)
{
    if (!writer || !reader || writer->busy || writer->is_finished || !writer->has_begun)
        return GT_ERR_INVALID_ARGUMENT;
    if (writer->error.status != GT_OK)
        return (gt_status) writer->error.status;
    writer->busy = true;
    return writer_return(writer, gt_rewrite_join(writer, reader));
}

gt_status gt_writer_error(const gt_writer *writer, gt_error *error)
{
    return writer && !writer->busy ? gt_error_give(error, &writer->error) : GT_ERR_INVALID_ARGUMENT;
}

gt_status gt_writer_get_info(const gt_writer *writer, gt_writer_info *info)
{
    if (!writer || writer->busy || !gt_struct_fits(info, GT_UP_TO(gt_writer_info, memory_peak)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_writer_info known = writer->info;
    gt_mem_count(&writer->mem, &known.memory, &known.memory_peak);
    gt_struct_give(info, &known, sizeof(known));
    return GT_OK;
}
