/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/order.h"

/* Ranges of the garbage collector and of stopped worlds, and events that only need a context. */

/*
 * Sets the collector's sequence number, which connects the end of a collection to its beginning,
 * possibly on another thread. The collector's first event in a trace defines the number.
 */
static gt_result v2_gc_set(struct gt_v2 *v2, enum gt_v2_gc state, uint64_t seq)
{
    v2->state.gc = state;
    v2->state.gc_seq = seq;
    gt_frontier_wake(&v2->merge.frontier, GT_V2_NEED_GC, 0, gt_v2_seq_after(seq));
    return GT_RESULT_DONE;
}

/*
 * Handles an event of the collector, which waits until its sequence number is the collector's next
 * one. Fails with the text `fault` unless the collector is on, or off if `is_on` is false.
 */
static gt_result v2_gc_change(struct gt_v2 *v2, struct gt_v2_thread *thread, uint64_t seq,
                              bool is_on, const char *fault, enum gt_v2_gc state)
{
    /* Read apart, an event would wait for a number that only the generation before can tell. */
    if (v2->is_apart && v2->state.gc == GT_V2_GC_UNDETERMINED)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER, fault, 0, 0);
    if (seq != gt_v2_seq_after(v2->state.gc_seq))
        return gt_v2_wait(thread, GT_V2_NEED_GC, 0, seq);
    if ((v2->state.gc == GT_V2_GC_ON) != is_on)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER, fault, 0, 0);
    if (!gt_v2_runs_code(thread))
        return gt_v2_fail_context(v2, thread);
    return v2_gc_set(v2, state, seq);
}

gt_result gt_v2_gc_active(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t seq = data->arguments[0];
    if (v2->generation.number != v2->state.first_generation)
        return v2_gc_change(v2, thread, seq, true, "GCActive while the collector is off",
                            GT_V2_GC_ON);
    if (v2->state.gc != GT_V2_GC_UNDETERMINED)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER,
                          "GCActive is not the first event of the collector", 0, 0);
    return v2_gc_set(v2, GT_V2_GC_ON, seq);
}

gt_result gt_v2_gc_begin(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t seq = data->arguments[0];
    gt_result result = v2->state.gc == GT_V2_GC_UNDETERMINED
                           ? v2_gc_set(v2, GT_V2_GC_ON, seq)
                           : v2_gc_change(v2, thread, seq, false,
                                          "GCBegin while the collector is on", GT_V2_GC_ON);
    return result == GT_RESULT_DONE ? gt_v2_take_stack(v2, thread, data, data->arguments[1])
                                    : result;
}

gt_result gt_v2_gc_end(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    return v2_gc_change(v2, thread, data->arguments[0], true, "GCEnd while the collector is not on",
                        GT_V2_GC_OFF);
}

static gt_result v2_fail_range(struct gt_v2 *v2, const struct gt_v2_thread *thread, int64_t id,
                               bool open)
{
    return gt_v2_fail_event(
        v2, thread, GT_ERR_ORDER,
        open ? "%s on %d, where it is open already" : "%s on %d, where none is open", id, 0);
}

/*
 * Handles a range that is active when a generation starts. In the first generation the range must
 * be new; in all others it must be known.
 */
static gt_result v2_range_active(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                 const struct gt_event_data *data, bool *open)
{
    bool expected = v2->generation.number != v2->state.first_generation;
    if (*open != expected)
        return v2_fail_range(v2, thread, (int64_t) data->arguments[0], *open);
    *open = true;
    return GT_RESULT_DONE;
}

gt_result gt_v2_sweep_active(struct gt_v2 *v2, struct gt_v2_thread *thread,
                             struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_proc *proc = gt_idmap_get(&v2->state.procs, data->arguments[0]);
    if (!proc)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER, "GCSweepActive on unknown proc %d",
                          (int64_t) data->arguments[0], 0);
    return v2_range_active(v2, thread, data, &proc->sweeping);
}

gt_result gt_v2_sweep_begin(struct gt_v2 *v2, struct gt_v2_thread *thread,
                            struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_proc *proc = thread->proc;
    if (!proc)
        return gt_v2_fail_context(v2, thread);
    if (proc->sweeping)
        return v2_fail_range(v2, thread, proc->id, true);
    proc->sweeping = true;
    return gt_v2_take_stack(v2, thread, data, data->arguments[0]);
}

gt_result gt_v2_sweep_end(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_proc *proc = thread->proc;
    if (!proc)
        return gt_v2_fail_context(v2, thread);
    if (!proc->sweeping)
        return v2_fail_range(v2, thread, proc->id, false);
    proc->sweeping = false;
    return GT_RESULT_DONE;
}

gt_result gt_v2_assist_active(struct gt_v2 *v2, struct gt_v2_thread *thread,
                              struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_v2_goroutine_find(v2, data->arguments[0]);
    if (!goroutine)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER, "GCMarkAssistActive on unknown goroutine %d",
                          (int64_t) data->arguments[0], 0);
    return v2_range_active(v2, thread, data, &goroutine->assisting);
}

gt_result gt_v2_assist_begin(struct gt_v2 *v2, struct gt_v2_thread *thread,
                             struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_v2_current(v2, thread);
    if (!goroutine)
        return gt_v2_fail_context(v2, thread);
    if (goroutine->assisting)
        return v2_fail_range(v2, thread, goroutine->id, true);
    goroutine->assisting = true;
    return gt_v2_take_stack(v2, thread, data, data->arguments[0]);
}

gt_result gt_v2_assist_end(struct gt_v2 *v2, struct gt_v2_thread *thread,
                           struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_v2_current(v2, thread);
    if (!goroutine)
        return gt_v2_fail_context(v2, thread);
    if (!goroutine->assisting)
        return v2_fail_range(v2, thread, goroutine->id, false);
    goroutine->assisting = false;
    return GT_RESULT_DONE;
}

/*
 * The most stops of the world that a goroutine may have open. In fact the world can be stopped only
 * once at a time; the limit prevents quadratic time with a hostile file.
 */
enum {
    MAX_STOPS = 16
};

/*
 * Returns the link at which a stop with this cause is to be added. If the link is not the end of
 * the list, such a stop is already open, or there are too many.
 */
static struct gt_v2_open **v2_stops_end(struct gt_v2_goroutine *goroutine,
                                        const struct gt_name *cause)
{
    unsigned count = 1;
    struct gt_v2_open **end = &goroutine->stops;
    for (; *end && count < MAX_STOPS && !gt_name_is((*end)->name, cause->text, cause->size);
         end = &(*end)->next)
        count++;
    return end;
}

/*
 * The text of the cause is kept, because the cause is a string of this generation and the stop may
 * end in a later one. (Go keeps the id of the string, and then shows a different text.)
 */
gt_result gt_v2_stw_begin(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_v2_current(v2, thread);
    if (!goroutine)
        return gt_v2_fail_context(v2, thread);
    gt_result result =
        gt_v2_take_string_and_stack(v2, thread, data, data->arguments[0], data->arguments[1]);
    if (result != GT_RESULT_DONE)
        return result;
    struct gt_name *cause = gt_strings_name(&v2->table->strings, &v2->names, data->strings[0]);
    if (!cause)
        return gt_v2_fail_memory(v2);
    struct gt_v2_open **end = v2_stops_end(goroutine, cause);
    struct gt_v2_open *stop = *end ? NULL : gt_pool_take(&v2->state.open_pool);
    if (!stop) {
        bool open = *end && gt_name_is((*end)->name, cause->text, cause->size);
        gt_names_drop(&v2->names, cause);
        if (open)
            return v2_fail_range(v2, thread, goroutine->id, true);
        return *end ? gt_v2_fail(v2, thread, GT_ERR_ORDER,
                                 "goroutine %d has stopped the world %d times and not ended it",
                                 goroutine->id, MAX_STOPS)
                    : gt_v2_fail_memory(v2);
    }
    stop->next = NULL;
    stop->name = cause;
    *end = stop;
    data->name = cause;
    return GT_RESULT_DONE;
}

gt_result gt_v2_stw_end(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_v2_current(v2, thread);
    if (!goroutine)
        return gt_v2_fail_context(v2, thread);
    struct gt_v2_open *stop = goroutine->stops;
    if (!stop)
        return v2_fail_range(v2, thread, goroutine->id, false);
    goroutine->stops = stop->next;
    data->name = stop->name;
    gt_names_drop(&v2->names, stop->name);
    gt_pool_give(&v2->state.open_pool, stop);
    return GT_RESULT_DONE;
}

gt_result gt_v2_procs_change(struct gt_v2 *v2, struct gt_v2_thread *thread,
                             struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    if (!gt_v2_runs_code(thread))
        return gt_v2_fail_context(v2, thread);
    return gt_v2_take_stack(v2, thread, data, data->arguments[1]);
}

gt_result gt_v2_heap_metric(struct gt_v2 *v2, struct gt_v2_thread *thread,
                            struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    return gt_v2_has_proc(thread) ? GT_RESULT_DONE : gt_v2_fail_context(v2, thread);
}

gt_result gt_v2_go_label(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    if (!gt_v2_runs_code(thread))
        return gt_v2_fail_context(v2, thread);
    return gt_v2_take_string(v2, thread, data, 0, data->arguments[0]);
}

gt_result gt_v2_experimental(struct gt_v2 *v2, struct gt_v2_thread *thread,
                             struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, gt_v2_specs[data->type].argument_count - 1))
        return gt_v2_fail_decoding(v2, thread);
    return thread->id != GT_NO_THREAD ? GT_RESULT_DONE : gt_v2_fail_context(v2, thread);
}
