/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "base/time.h"
#include "rewrite/table.h"
#include "rewrite/transition.h"
#include "source/header.h"
#include "v2/spec.h"

/*
 * Continues the output with another trace: one that was cut from the same trace, behind what has
 * been written. It begins with the names of everything that exists. If it was cut within a
 * generation, that one is continued, and the names are left out, because ranges and stops of the
 * world cannot begin twice, and because the first generation of a trace may tell later which
 * goroutines exist. If it begins with another generation, the names belong to that.
 */

static gt_status join_refuse(struct gt_writer *writer, const char *text)
{
    return gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE, text);
}

/* Fails if the reader's trace cannot be joined to another one. */
static gt_status join_check_input(struct gt_writer *writer)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_status status = gt_reader_get_info(writer->reader, &info);
    return status == GT_OK && info.version <= GT_V1_NEWEST
               ? join_refuse(writer, "traces of Go 1.21 and before cannot be joined")
               : status;
}

gt_status gt_rewrite_join_sync(struct gt_writer *writer, const gt_sync *sync, bool *continues)
{
    *continues = false;
    if (writer->join.stage != GT_JOIN_BEGINS)
        return GT_OK;
    gt_status status = join_check_input(writer);
    if (status != GT_OK)
        return status;
    *continues = writer->generation.is_open && sync->generation <= writer->generation.number;
    writer->join.stage = *continues ? GT_JOIN_CONTINUES : GT_JOIN_NAMES;
    return GT_OK;
}

/* Returns whether a thread has what is in this status, so that the status must name it. */
static bool go_status_has_thread(uint32_t status)
{
    return status == GT_V2_GO_RUNNING || status == GT_V2_GO_SYSCALL;
}

/* Returns whether the status of a proc is the first one since the join, and tells nothing new. */
static bool proc_is_known(const struct gt_writer *writer, const struct gt_rewrite_event *e,
                          int64_t id, bool *is_other)
{
    struct gt_rewrite_proc *proc = gt_idmap_get(&writer->state.proc_map, (uint64_t) id);
    if (!proc || proc->status == GT_V2_PROC_BAD || proc->join == writer->join.count)
        return false;
    bool has_thread = e->status == GT_V2_PROC_RUNNING || e->status == GT_V2_PROC_SYSCALL;
    proc->join = writer->join.count;
    *is_other = proc->status != e->status || (has_thread && proc->thread != e->thread);
    return true;
}

/* The same of a goroutine. */
static bool goroutine_is_known(const struct gt_writer *writer, const struct gt_rewrite_event *e,
                               int64_t id, bool *is_other)
{
    struct gt_rewrite_goroutine *goroutine =
        gt_idmap_get(&writer->state.goroutine_map, (uint64_t) id);
    if (!goroutine || goroutine->status == GT_V2_GO_BAD || goroutine->join == writer->join.count)
        return false;
    goroutine->join = writer->join.count;
    *is_other = goroutine->status != e->status ||
                (go_status_has_thread(e->status) && goroutine->thread != e->thread);
    return true;
}

/* Sets `*is_known` to whether an event names a status that is known. */
static gt_status join_status(struct gt_writer *writer, const struct gt_rewrite_event *e,
                             bool *is_known)
{
    gt_transition change = GT_TRANSITION_INIT;
    bool is_other = false;
    gt_status status = gt_event_transition(e->event, &change);
    if (status != GT_OK)
        return status;
    *is_known = change.resource.kind == GT_RESOURCE_PROC
                    ? proc_is_known(writer, e, change.resource.id, &is_other)
                    : goroutine_is_known(writer, e, change.resource.id, &is_other);
    return is_other
               ? join_refuse(writer, "a goroutine or a proc begins in another state than it had")
               : GT_OK;
}

/* The same of a range that is active, or of a stop of the world that has begun. */
static gt_status join_range(struct gt_writer *writer, const struct gt_rewrite_event *e,
                            bool *is_known)
{
    const struct gt_rewrite_state *state = &writer->state;
    gt_range range = GT_RANGE_INIT;
    gt_status status = gt_event_range(e->event, &range);
    if (status != GT_OK)
        return status;
    const struct gt_rewrite_proc *proc = gt_idmap_get(&state->proc_map, (uint64_t) range.scope.id);
    const struct gt_rewrite_goroutine *goroutine =
        gt_idmap_get(&state->goroutine_map, (uint64_t) range.scope.id);
    switch (e->type) {
    case GT_WIRE_GC_ACTIVE:
        *is_known = state->collecting;
        break;
    case GT_WIRE_GC_SWEEP_ACTIVE:
        *is_known = proc && proc->sweeping;
        break;
    case GT_WIRE_GC_MARK_ASSIST_ACTIVE:
        *is_known = goroutine && goroutine->assisting;
        break;
    default:
        *is_known = goroutine && goroutine->stops;
        break;
    }
    return GT_OK;
}

/* Sets `*is_name` to whether an event can be one that names what exists where a trace begins. */
static gt_status join_find(struct gt_writer *writer, const struct gt_rewrite_event *e,
                           bool *is_name, bool *is_known)
{
    *is_known = false;
    *is_name = true;
    switch (e->type) {
    case GT_WIRE_PROC_STATUS:
    case GT_WIRE_GO_STATUS:
    case GT_WIRE_GO_STATUS_STACK:
        return join_status(writer, e, is_known);
    case GT_WIRE_GC_ACTIVE:
    case GT_WIRE_GC_SWEEP_ACTIVE:
    case GT_WIRE_GC_MARK_ASSIST_ACTIVE:
    case GT_WIRE_STW_BEGIN:
        return join_range(writer, e, is_known);
    default:
        *is_name = false;
        return GT_OK;
    }
}

/*
 * Returns whether an event that names what is known is left out even at the beginning of a
 * generation. That the collector is active is owed there: only a goroutine that runs can tell.
 */
static bool join_moves(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    writer->owes_collector |= e->type == GT_WIRE_GC_ACTIVE;
    return e->type == GT_WIRE_GC_ACTIVE || e->type == GT_WIRE_STW_BEGIN;
}

/* Returns whether the trace has not named something that exists. */
static bool join_lacks_names(const struct gt_writer *writer)
{
    const struct gt_rewrite_state *state = &writer->state;
    const struct gt_rewrite_goroutine *goroutine;
    for (size_t i = 0; i < state->procs.count; i++) {
        if (state->procs.items[i]->status != GT_V2_PROC_BAD &&
            state->procs.items[i]->join != writer->join.count)
            return true;
    }
    for (uint64_t number = 0; (goroutine = gt_roster_after(&state->goroutines, number));
         number = goroutine->number) {
        if (goroutine->status != GT_V2_GO_BAD && goroutine->join != writer->join.count)
            return true;
    }
    return false;
}

/* Checks the first event that is not in the output, and ends the join. */
static gt_status join_end(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    bool continues = writer->join.stage == GT_JOIN_CONTINUES;
    writer->join.stage = GT_JOIN_NONE;
    if (gt_time_plus(e->event->time, writer->options.offset) <= writer->join.time)
        return join_refuse(writer, "it begins before the end of what it is joined to");
    return continues && join_lacks_names(writer)
               ? join_refuse(writer, "it does not name a goroutine or a proc that exists")
               : GT_OK;
}

gt_status gt_rewrite_join_repeats_procs(const struct gt_writer *writer, const gt_event *event,
                                        bool *is_repeated)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_status status = gt_event_metric(event, &metric);
    *is_repeated = status == GT_OK && metric.value.number == writer->procs &&
                   gt_event_stack(event) == GT_STACK_NONE;
    return status;
}

gt_status gt_rewrite_join_event(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                bool *is_dropped)
{
    bool is_name, is_known;
    *is_dropped = false;
    if (writer->join.stage == GT_JOIN_BEGINS)
        return join_refuse(writer, "it does not begin with a Sync");
    gt_status status = join_find(writer, e, &is_name, &is_known);
    if (status != GT_OK)
        return status;
    bool continues = writer->join.stage == GT_JOIN_CONTINUES;
    *is_dropped = is_known && (continues || join_moves(writer, e));
    return is_name && (is_known || !continues) ? GT_OK : join_end(writer, e);
}

gt_status gt_rewrite_join(struct gt_writer *writer, gt_reader *reader)
{
    writer->is_writing = true;
    gt_status status = gt_rewrite_held_release(writer);
    if (status == GT_OK)
        status = join_check_input(writer);
    if (status != GT_OK)
        return status;
    writer->reader = reader;
    writer->taken = (struct gt_rewrite_taken){0};
    writer->has_end = false;
    writer->join.stage = GT_JOIN_BEGINS;
    writer->join.count++;
    writer->join.time = writer->join.last_time;
    /* The snapshots of a trace that was cut are moved, and must still be later than those before.
     */
    writer->cut_clock = writer->last_clock;
    gt_rewrite_tables_forget_input(writer);
    return GT_OK;
}
