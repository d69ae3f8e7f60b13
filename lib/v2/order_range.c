/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/order.h"

/* Ranges: the garbage collector's and stopped worlds. And plain events of a context. */

/*
 * The collector's sequence number ties the end of a cycle to its begin, which
 * may be on other threads. The first event of a trace sets it.
 */
enum gt_result gt_v2_gc_active(struct gt_v2 *v2, struct gt_v2_thread *thread,
                               struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t seq = data->arguments[0];
    if (v2->generation.number == v2->initial_generation) {
        if (v2->gc != GT_V2_GC_UNDETERMINED)
            return gt_v2_fail(v2, thread, GT_ERR_ORDER,
                              "GCActive is not the first event of the collector", 0, 0);
        v2->gc = GT_V2_GC_ON;
        v2->gc_seq = seq;
        gt_frontier_wake(&v2->frontier, GT_V2_NEED_GC, 0, seq + 1);
        return GT_RESULT_DONE;
    }
    if (seq != v2->gc_seq + 1)
        return gt_v2_wait(thread, GT_V2_NEED_GC, 0, seq);
    if (v2->gc != GT_V2_GC_ON)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER, "GCActive while the collector is off", 0, 0);
    if (!gt_v2_runs_code(thread))
        return gt_v2_fail_context(v2, thread);
    v2->gc_seq = seq;
    gt_frontier_wake(&v2->frontier, GT_V2_NEED_GC, 0, seq + 1);
    return GT_RESULT_DONE;
}

enum gt_result gt_v2_gc_begin(struct gt_v2 *v2, struct gt_v2_thread *thread,
                              struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t seq = data->arguments[0];
    if (v2->gc != GT_V2_GC_UNDETERMINED) {
        if (seq != v2->gc_seq + 1)
            return gt_v2_wait(thread, GT_V2_NEED_GC, 0, seq);
        if (v2->gc == GT_V2_GC_ON)
            return gt_v2_fail(v2, thread, GT_ERR_ORDER, "GCBegin while the collector is on", 0, 0);
        if (!gt_v2_runs_code(thread))
            return gt_v2_fail_context(v2, thread);
    }
    v2->gc = GT_V2_GC_ON;
    v2->gc_seq = seq;
    gt_frontier_wake(&v2->frontier, GT_V2_NEED_GC, 0, seq + 1);
    return gt_v2_take_stack(v2, thread, data, data->arguments[1]);
}

enum gt_result gt_v2_gc_end(struct gt_v2 *v2, struct gt_v2_thread *thread,
                            struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t seq = data->arguments[0];
    if (seq != v2->gc_seq + 1)
        return gt_v2_wait(thread, GT_V2_NEED_GC, 0, seq);
    if (v2->gc != GT_V2_GC_ON)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER, "GCEnd while the collector is not on", 0, 0);
    if (!gt_v2_runs_code(thread))
        return gt_v2_fail_context(v2, thread);
    v2->gc = GT_V2_GC_OFF;
    v2->gc_seq = seq;
    gt_frontier_wake(&v2->frontier, GT_V2_NEED_GC, 0, seq + 1);
    return GT_RESULT_DONE;
}

static enum gt_result fail_range(struct gt_v2 *v2, const struct gt_v2_thread *thread, int64_t id,
                                 bool open)
{
    return gt_v2_fail_event(
        v2, thread, GT_ERR_ORDER,
        open ? "%s on %d, where it is open already" : "%s on %d, where none is open", id, 0);
}

/*
 * A range that is active at the start of a generation: news in the first one,
 * and to be expected in all others.
 */
static enum gt_result active(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                             const struct gt_event_data *data, uint8_t *open)
{
    int expected = v2->generation.number != v2->initial_generation;
    if (*open != expected)
        return fail_range(v2, thread, (int64_t) data->arguments[0], *open);
    *open = 1;
    return GT_RESULT_DONE;
}

enum gt_result gt_v2_sweep_active(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                  struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_proc *proc = gt_idmap_get(&v2->procs, data->arguments[0]);
    if (!proc)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER, "GCSweepActive on unknown proc %d",
                          (int64_t) data->arguments[0], 0);
    return active(v2, thread, data, &proc->sweeping);
}

enum gt_result gt_v2_sweep_begin(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                 struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_proc *proc = thread->proc;
    if (!proc)
        return gt_v2_fail_context(v2, thread);
    if (proc->sweeping)
        return fail_range(v2, thread, proc->id, 1);
    proc->sweeping = 1;
    return gt_v2_take_stack(v2, thread, data, data->arguments[0]);
}

enum gt_result gt_v2_sweep_end(struct gt_v2 *v2, struct gt_v2_thread *thread,
                               struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_proc *proc = thread->proc;
    if (!proc)
        return gt_v2_fail_context(v2, thread);
    if (!proc->sweeping)
        return fail_range(v2, thread, proc->id, 0);
    proc->sweeping = 0;
    return GT_RESULT_DONE;
}

enum gt_result gt_v2_assist_active(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                   struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_idmap_get(&v2->goroutines, data->arguments[0]);
    if (!goroutine)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER, "GCMarkAssistActive on unknown goroutine %d",
                          (int64_t) data->arguments[0], 0);
    return active(v2, thread, data, &goroutine->assisting);
}

enum gt_result gt_v2_assist_begin(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                  struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_v2_current(v2, thread);
    if (!goroutine)
        return gt_v2_fail_context(v2, thread);
    if (goroutine->assisting)
        return fail_range(v2, thread, goroutine->id, 1);
    goroutine->assisting = 1;
    return gt_v2_take_stack(v2, thread, data, data->arguments[0]);
}

enum gt_result gt_v2_assist_end(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_v2_current(v2, thread);
    if (!goroutine)
        return gt_v2_fail_context(v2, thread);
    if (!goroutine->assisting)
        return fail_range(v2, thread, goroutine->id, 0);
    goroutine->assisting = 0;
    return GT_RESULT_DONE;
}

/* The world cannot even stop twice; without a bound, a file could make this slow. */
enum {
    MAX_STOPS = 16
};

/* Where a stop with this cause would be added, or where one is that is in its way. */
static struct gt_v2_open **end_of_stops(struct gt_v2_goroutine *goroutine,
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
 * The cause is a string of this generation, but the end may come in a later one,
 * so it is kept as text. (Go keeps the string's id, and then shows another text.)
 */
enum gt_result gt_v2_stw_begin(struct gt_v2 *v2, struct gt_v2_thread *thread,
                               struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_v2_current(v2, thread);
    if (!goroutine)
        return gt_v2_fail_context(v2, thread);
    enum gt_result result =
        gt_v2_take_string_and_stack(v2, thread, data, data->arguments[0], data->arguments[1]);
    if (result != GT_RESULT_DONE)
        return result;
    struct gt_name *cause = gt_strings_name(&v2->table->strings, &v2->names, data->strings[0]);
    if (!cause)
        return gt_v2_fail_memory(v2);
    struct gt_v2_open **end = end_of_stops(goroutine, cause);
    struct gt_v2_open *stop = *end ? NULL : gt_pool_take(&v2->open_pool);
    if (!stop) {
        int open = *end && gt_name_is((*end)->name, cause->text, cause->size);
        gt_names_drop(&v2->names, cause);
        if (open)
            return fail_range(v2, thread, goroutine->id, 1);
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

enum gt_result gt_v2_stw_end(struct gt_v2 *v2, struct gt_v2_thread *thread,
                             struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_v2_current(v2, thread);
    if (!goroutine)
        return gt_v2_fail_context(v2, thread);
    struct gt_v2_open *stop = goroutine->stops;
    if (!stop)
        return fail_range(v2, thread, goroutine->id, 0);
    goroutine->stops = stop->next;
    data->name = stop->name;
    gt_names_drop(&v2->names, stop->name);
    gt_pool_give(&v2->open_pool, stop);
    return GT_RESULT_DONE;
}

enum gt_result gt_v2_procs_change(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                  struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    if (!gt_v2_runs_code(thread))
        return gt_v2_fail_context(v2, thread);
    return gt_v2_take_stack(v2, thread, data, data->arguments[1]);
}

enum gt_result gt_v2_heap_metric(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                 struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    return gt_v2_has_proc(thread) ? GT_RESULT_DONE : gt_v2_fail_context(v2, thread);
}

enum gt_result gt_v2_go_label(struct gt_v2 *v2, struct gt_v2_thread *thread,
                              struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    if (!gt_v2_runs_code(thread))
        return gt_v2_fail_context(v2, thread);
    return gt_v2_take_string(v2, thread, data, 0, data->arguments[0]);
}

enum gt_result gt_v2_experimental(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                  struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, gt_v2_specs[data->type].argument_count - 1))
        return gt_v2_fail_decoding(v2, thread);
    return thread->id != GT_NO_THREAD ? GT_RESULT_DONE : gt_v2_fail_context(v2, thread);
}
