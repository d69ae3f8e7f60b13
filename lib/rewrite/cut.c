/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/time.h"
#include "rewrite/batch.h"
#include "rewrite/generation.h"
#include "rewrite/table.h"
#include "v2/spec.h"

/*
 * Begins a generation within one of the input. Its first events must name everything that exists.
 */

enum {
    /* About as many bytes as the status of a goroutine or proc has, with its share of a batch. */
    NAME_BYTES = 32,
    /* Strings and stacks may have so many times the bytes of the events that use them. */
    MOST_TABLES = 4
};

/* The state of writing the events that name what exists, each 1 ns after the previous one. */
struct naming {
    struct gt_writer *writer;
    struct gt_rewrite_thread *none; /* the thread of events that belong to no thread */
    int64_t time;                   /* the time of the next event */
    gt_status status;
    bool is_first; /* nothing is written yet, so no reader knows what exists */
};

static void naming_put(struct naming *naming, struct gt_rewrite_thread *thread, uint32_t type,
                       const uint64_t *arguments, size_t count)
{
    if (naming->status == GT_OK)
        naming->status = gt_rewrite_put_list(naming->writer, thread ? thread : naming->none,
                                             naming->time, type, arguments, count);
    naming->time++;
}

#define NAMING_PUT(naming, thread, type, ...)                                                      \
    naming_put((naming), (thread), (type), (const uint64_t[]){__VA_ARGS__},                        \
               sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void naming_put_proc_status(struct naming *naming, struct gt_rewrite_proc *proc)
{
    proc->sequence = 0;
    proc->named = naming->writer->generation.ordinal;
    NAMING_PUT(naming, proc->thread, GT_WIRE_PROC_STATUS, (uint64_t) proc->id, proc->status);
}

static void naming_put_proc(struct naming *naming, struct gt_rewrite_proc *proc)
{
    if (proc->status == GT_V2_PROC_BAD)
        return;
    naming_put_proc_status(naming, proc);
    if (proc->sweeping)
        NAMING_PUT(naming, NULL, GT_WIRE_GC_SWEEP_ACTIVE, (uint64_t) proc->id);
}

/* Returns whether a stop of the world has not ended in the input. */
static bool world_is_stopped(const struct gt_writer *writer)
{
    return writer->v1.is_input ? writer->v1.stops != 0 : writer->state.stop_count != 0;
}

/*
 * Begins a stop of the world anew, because the format has no event for a stop that is active. The
 * beginning requires a running goroutine; without one, the end of the stop is left out later.
 *
 * Where a generation is divided the stops are open in the output already. They have ended in the
 * input, in which they are of Go 1.21 or before, but their ends were left out.
 */
static void naming_put_stop(struct naming *naming, const struct gt_rewrite_goroutine *goroutine,
                            struct gt_rewrite_stop *stop)
{
    uint64_t cause = 0;
    if (!naming->is_first)
        return;
    stop->is_lost = !world_is_stopped(naming->writer) || goroutine->status != GT_V2_GO_RUNNING ||
                    !goroutine->thread || !goroutine->thread->proc;
    if (stop->is_lost)
        return;
    if (naming->status == GT_OK)
        naming->status = gt_rewrite_cause(naming->writer, stop, &cause);
    NAMING_PUT(naming, goroutine->thread, GT_WIRE_STW_BEGIN, cause, 0);
}

static void naming_put_goroutine_status(struct naming *naming,
                                        struct gt_rewrite_goroutine *goroutine)
{
    const struct gt_rewrite_thread *thread = goroutine->thread;
    goroutine->sequence = 0;
    goroutine->named = naming->writer->generation.ordinal;
    NAMING_PUT(naming, goroutine->thread, GT_WIRE_GO_STATUS, (uint64_t) goroutine->id,
               (uint64_t) (thread ? thread->written_id : GT_NO_THREAD), goroutine->status);
}

static void naming_put_goroutine(struct naming *naming, struct gt_rewrite_goroutine *goroutine)
{
    if (goroutine->status == GT_V2_GO_BAD)
        return;
    naming_put_goroutine_status(naming, goroutine);
    if (goroutine->assisting)
        NAMING_PUT(naming, NULL, GT_WIRE_GC_MARK_ASSIST_ACTIVE, (uint64_t) goroutine->id);
    for (struct gt_rewrite_stop *stop = goroutine->stops; stop; stop = stop->next)
        naming_put_stop(naming, goroutine, stop);
}

/* Names everything. Procs come first, because a goroutine runs on a proc. */
static void naming_put_all(struct naming *naming)
{
    const struct gt_rewrite_state *state = &naming->writer->state;
    struct gt_rewrite_goroutine *goroutine;
    for (size_t i = 0; i < state->procs.count; i++)
        naming_put_proc(naming, state->procs.items[i]);
    for (uint64_t number = 0; (goroutine = gt_roster_after(&state->goroutines, number));
         number = goroutine->number)
        naming_put_goroutine(naming, goroutine);
    if (state->collecting && naming->is_first)
        NAMING_PUT(naming, NULL, GT_WIRE_GC_ACTIVE, 1);
    if (naming->status == GT_OK && naming->is_first)
        naming->status = gt_rewrite_debts_begin(naming->writer, &naming->time);
}

/* Returns the time at which a generation with `count` names begins before an event at `time`. */
static int64_t cut_time(const struct gt_writer *writer, int64_t time, int64_t count)
{
    int64_t begin = time > count + 1 ? time - count - 1 : 0;
    /* The least possible time is 1, because a reader takes 0 as an unknown time. */
    return begin > writer->last_time ? begin : gt_time_plus(writer->last_time, 1);
}

gt_status gt_rewrite_cut(struct gt_writer *writer, int64_t time)
{
    struct naming naming = {.writer = writer,
                            .none = gt_rewrite_thread_get(&writer->state, GT_NO_THREAD),
                            .status = GT_OK,
                            .is_first = writer->info.generations == 0};
    if (!naming.none)
        return gt_rewrite_no_memory(writer);
    writer->is_writing = false;
    naming_put_all(&naming); /* counts the events without writing them */
    writer->is_writing = true;
    int64_t count = naming.time, begin = cut_time(writer, time, count);
    if (begin >= INT64_MAX - count)
        return gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE,
                               "there are no times left after that of the last event");
    gt_status status = gt_rewrite_generation_begin(writer, begin, true);
    if (status != GT_OK)
        return status;
    naming.time = begin + 1;
    naming_put_all(&naming);
    writer->generation.begin = gt_rewrite_bytes_count(writer);
    writer->generation.table_bytes = 0;
    if (naming.is_first)
        writer->collector = writer->state.collecting;
    /* Later it may only be named on a goroutine that runs. */
    writer->owes_collector = !naming.is_first && writer->state.collecting;
    writer->info.made_up += (uint64_t) count;
    writer->last_time = begin + count;
    return naming.status;
}

/* Names a goroutine again, or a proc if there is none. */
static void naming_put_again(struct naming *naming)
{
    const struct gt_rewrite_state *state = &naming->writer->state;
    struct gt_rewrite_goroutine *goroutine = gt_roster_after(&state->goroutines, 0);
    struct gt_rewrite_proc *proc = state->procs.count != 0 ? state->procs.items[0] : NULL;
    if (goroutine && goroutine->status != GT_V2_GO_BAD)
        naming_put_goroutine_status(naming, goroutine);
    else if (proc && proc->status != GT_V2_PROC_BAD)
        naming_put_proc_status(naming, proc);
}

gt_status gt_rewrite_rest(struct gt_writer *writer, int64_t start, int64_t end)
{
    struct naming naming = {.writer = writer, .time = end, .status = gt_rewrite_cut(writer, start)};
    naming.none = gt_rewrite_thread_get(&writer->state, GT_NO_THREAD);
    if (naming.status != GT_OK || end <= writer->last_time)
        return naming.status;
    naming_put_again(&naming);
    writer->info.made_up += naming.time != end;
    writer->last_time = end;
    return naming.status;
}

/* Returns how many goroutines and procs exist. */
static size_t state_count(const struct gt_rewrite_state *state)
{
    return state->procs.count + state->goroutines.list.count - state->goroutines.gone;
}

/*
 * Returns the least bytes of events after which a generation is divided. Dividing it repeats the
 * names of everything that exists and the tables that the events use. As the bytes that are
 * repeated are few times as many as those of the events, the output cannot be many times larger
 * than the input.
 */
static uint64_t generation_least(const struct gt_writer *writer)
{
    uint64_t least = writer->options.generation_bytes;
    uint64_t tables = gt_rewrite_tables_size(writer);
    uint64_t names = (uint64_t) NAME_BYTES * state_count(&writer->state);
    if (least < names)
        least = names;
    return least < tables / MOST_TABLES ? tables / MOST_TABLES : least;
}

bool gt_rewrite_is_full(const struct gt_writer *writer, int64_t time)
{
    const struct gt_rewrite_state *state = &writer->state;
    uint64_t size =
        gt_rewrite_bytes_count(writer) - writer->generation.begin - writer->generation.table_bytes;
    bool is_all_known = writer->v1.is_input ? writer->v1.is_listed : writer->input_count > 1;
    if (size < writer->options.generation_bytes || !is_all_known || world_is_stopped(writer))
        return false;
    uint64_t least = generation_least(writer);
    if (size < least)
        return false;
    /* Everything has a status, and may have a range. */
    uint64_t names = 2 * (uint64_t) state_count(state);
    return size / 2 >= least || gt_time_span(writer->last_time, time) > names + 2;
}

/*
 * Returns whether a batch says how to read the others, as the first batch of the experiment
 * AllocFree does.
 */
static bool batch_is_info(const struct gt_rewrite_batch *batch)
{
    return batch->size != 0 && batch->data[0] == 1;
}

void gt_rewrite_batches_drop(struct gt_writer *writer, bool all)
{
    size_t kept = 0;
    for (size_t i = 0; i < writer->batches.count; i++) {
        struct gt_rewrite_batch batch = writer->batches.items[i];
        /* If several generations have such a batch, the first one is enough. */
        bool is_needed = batch_is_info(&batch) && kept == 0;
        if (!all && is_needed)
            writer->batches.items[kept++] = batch;
        else
            gt_mem_free(&writer->mem, batch.data, batch.size);
    }
    writer->batches.count = kept;
}

/*
 * Returns whether a batch says how to read the others, and was written before. Each part of a trace
 * that was cut begins with it.
 */
static bool batch_is_repeated(const struct gt_writer *writer, gt_string data)
{
    const struct gt_rewrite_batch *first = writer->batches.items;
    return writer->join.count != 0 && writer->batches.count != 0 && batch_is_info(first) &&
           first->size == data.size && memcmp(first->data, data.data, data.size) == 0;
}

gt_status gt_rewrite_batches_keep(struct gt_writer *writer, const gt_event *event)
{
    gt_status status = GT_OK;
    for (uint32_t i = 0; status == GT_OK && i < writer->sync.batch_count; i++) {
        gt_experimental_batch batch = GT_EXPERIMENTAL_BATCH_INIT;
        status = gt_event_experimental_batch(event, i, &batch);
        if (status != GT_OK)
            return status;
        if (batch_is_repeated(writer, batch.data))
            continue;
        char *copy = batch.data.size != 0 ? gt_mem_alloc(&writer->mem, batch.data.size) : NULL;
        if (batch.data.size != 0 && !copy)
            return gt_rewrite_no_memory(writer);
        if (copy)
            memcpy(copy, batch.data.data, batch.data.size);
        const struct gt_rewrite_batch kept = {batch.experiment_id, batch.thread, copy,
                                              batch.data.size, false};
        if (gt_array_add(&writer->mem, &writer->batches, kept) != GT_OK) {
            gt_mem_free(&writer->mem, copy, batch.data.size);
            return gt_rewrite_no_memory(writer);
        }
    }
    return status;
}
