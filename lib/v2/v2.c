/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/v2.h"

#include <string.h>

#include "base/error.h"
#include "base/varint.h"
#include "v2/order.h"
#include "v2/spec.h"

/* The reader proper: internal/trace/reader.go, ReadEvent. */

#if defined(__GNUC__)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#else
#define UNLIKELY(condition) (condition)
#endif

void gt_v2_init(struct gt_v2 *v2, struct gt_mem *mem, struct gt_source *source, gt_error *error)
{
    memset(v2, 0, sizeof(*v2));
    v2->mem = mem;
    v2->source = source;
    v2->error = error;
    v2->sample_time = INT64_MAX;
    gt_names_init(&v2->names, mem);
    gt_v2_frontier_init(&v2->frontier, mem);
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
    gt_v2_frontier_destroy(&v2->frontier);
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

struct gt_v2_thread *gt_v2_thread_get(struct gt_v2 *v2, int64_t id)
{
    struct gt_v2_thread *thread = gt_idmap_get(&v2->threads, (uint64_t) id);
    if (thread)
        return thread;
    thread = gt_pool_take(&v2->thread_pool);
    if (!thread)
        return NULL;
    memset(thread, 0, sizeof(*thread));
    thread->id = id;
    thread->proc_id = GT_NO_PROC;
    thread->goroutine_id = GT_NO_GOROUTINE;
    if (gt_idmap_put(&v2->threads, (uint64_t) id, thread) != GT_OK) {
        gt_pool_give(&v2->thread_pool, thread);
        return NULL;
    }
    return thread;
}

/*
 * Decoding. Behind every batch there are bytes enough to decode an event without
 * looking for the batch's end (see gt_v2_events); that it was not passed is
 * checked once for each event.
 */

static void open_batch(const struct gt_v2_generation *g, struct gt_v2_thread *thread)
{
    const struct gt_v2_events *batch = &g->batches[thread->batch];
    thread->p = batch->data;
    thread->end = batch->data + batch->size;
    thread->time = gt_v2_to_ns(g, batch->time);
}

/* Reads type and time of the thread's next event; 0 where there is none. */
static inline int peek_event(const struct gt_v2_generation *g, struct gt_v2_thread *thread)
{
    uint64_t span;
    if (UNLIKELY(thread->p == thread->end)) {
        if (g->batches[thread->batch].next < 0)
            return 0;
        thread->batch = g->batches[thread->batch].next;
        open_batch(g, thread);
    }
    thread->event = thread->p;
    thread->type = *thread->p++;
    thread->fault = gt_wire_specs[thread->type].numbers == 0 ? GT_V2_BAD_TYPE : GT_V2_FINE;
    thread->p = gt_varint_read(thread->p, &span);
    if (UNLIKELY(!thread->p || thread->p > thread->end || thread->fault != GT_V2_FINE)) {
        /* Its turn comes at the time of the event before it. */
        if (thread->fault == GT_V2_FINE)
            thread->fault = GT_V2_BAD_TIME;
        return 1;
    }
    thread->time = (int64_t) ((uint64_t) thread->time + (uint64_t) gt_v2_to_ns(g, span));
    return 1;
}

static gt_status fail_decoding(struct gt_v2 *v2, const struct gt_v2_thread *thread)
{
    if (thread->fault == GT_V2_BAD_TYPE)
        return gt_v2_fail(v2, thread, GT_ERR_EVENT, "byte %d is no type of event", thread->type,
                          0);
    return gt_error_set(v2->error, GT_ERR_EVENT, gt_v2_event_offset(v2, thread),
                        v2->generation.number, "malformed number in %s",
                        gt_wire_specs[thread->type].name);
}

/* The position behind the arguments; NULL where they are malformed. */
static inline const uint8_t *read_arguments(const struct gt_v2_thread *thread,
                                            uint64_t arguments[GT_EVENT_ARGUMENTS])
{
    const uint8_t *p = thread->p;
    unsigned count = gt_wire_specs[thread->type].numbers - 1U;
    for (unsigned i = 0; i < count; i++) {
        p = gt_varint_read(p, &arguments[i]);
        if (UNLIKELY(!p))
            return NULL;
    }
    return p <= thread->end ? p : NULL;
}

/*
 * Delivery. Time must go on: what is not later than the event before it is moved
 * to 1 ns after. At the very end of time it stands still.
 */
static inline gt_status deliver(struct gt_v2 *v2, struct gt_event_data *data)
{
    if (data->event.time <= v2->last_time)
        data->event.time = v2->last_time + (v2->last_time < INT64_MAX);
    v2->last_time = data->event.time;
    return GT_OK;
}

static gt_status deliver_sync(struct gt_v2 *v2, struct gt_event_data *data, int64_t time)
{
    memset(data, 0, sizeof(*data));
    data->event.kind = GT_EVENT_SYNC;
    data->event.time = time;
    data->event.thread = GT_NO_THREAD;
    data->event.proc = GT_NO_PROC;
    data->event.goroutine = GT_NO_GOROUTINE;
    data->arguments[0] = ++v2->syncs;
    data->table = v2->table && v2->table->ordinal != 0 ? v2->table : NULL;
    return deliver(v2, data);
}

static gt_status deliver_queued(struct gt_v2 *v2, struct gt_event_data *data)
{
    *data = v2->queue[v2->queue_next++];
    if (v2->queue_next == v2->queued)
        v2->queued = v2->queue_next = 0;
    return deliver(v2, data);
}

static gt_status deliver_sample(struct gt_v2 *v2, struct gt_event_data *data)
{
    struct gt_v2_generation *g = &v2->generation;
    const struct gt_v2_sample *sample = &g->samples[v2->next_sample++];
    v2->sample_time =
        v2->next_sample < g->sample_count ? g->samples[v2->next_sample].time : INT64_MAX;
    data->event.kind = GT_EVENT_STACK_SAMPLE;
    data->event.time = sample->time;
    data->event.thread = sample->thread;
    data->event.proc = sample->proc;
    data->event.goroutine = sample->goroutine;
    data->type = GT_WIRE_CPU_SAMPLE;
    if (!gt_stacks_find(&v2->table->stacks, sample->stack, &data->stack))
        return gt_error_set(v2->error, GT_ERR_REFERENCE, sample->offset, g->number,
                            "CPU sample names stack %u, which does not exist", sample->stack);
    if (data->stack == 0)
        data->stack = GT_STACK_EMPTY_SLOT;
    return deliver(v2, data);
}

static gt_status start_generation(struct gt_v2 *v2, struct gt_event_data *data)
{
    struct gt_v2_generation *g = &v2->generation;
    gt_status status = gt_v2_frontier_start(&v2->frontier, g->thread_count);
    if (status != GT_OK)
        return gt_error_plain(v2->error, status);
    if (v2->initial_generation == 0)
        v2->initial_generation = g->number;
    for (size_t i = 0; i < g->thread_count; i++) {
        open_batch(g, g->threads[i]);
        peek_event(g, g->threads[i]);
        gt_v2_frontier_add(&v2->frontier, g->threads[i]);
    }
    v2->generations++;
    v2->next_sample = 0;
    v2->sample_time = g->sample_count > 0 ? g->samples[0].time : INT64_MAX;
    status = deliver_sync(v2, data, gt_v2_to_ns(g, g->min_time));
    /* Every event of the generation finds these in place. */
    data->table = v2->table;
    return status;
}

/* A Sync that opens no generation; before an error, or at the end. */
static gt_status end_with_sync(struct gt_v2 *v2, struct gt_event_data *data,
                               enum gt_v2_stage stage)
{
    v2->stage = stage;
    gt_v2_table_retire(v2);
    return deliver_sync(v2, data, v2->last_time);
}

/* Errors of the call, not of the trace: nobody needs a Sync before them. */
static int is_trouble(gt_status status)
{
    return status == GT_ERR_NO_MEMORY || status == GT_ERR_LIMIT || status == GT_ERR_IO;
}

static gt_status next_generation(struct gt_v2 *v2, struct gt_event_data *data)
{
    switch (v2->stage) {
    case GT_V2_DONE:
        return GT_END;
    case GT_V2_FAILED:
        return (gt_status) v2->error->status;
    case GT_V2_FAILED_AFTER:
        return end_with_sync(v2, data, GT_V2_FAILED);
    default:
        break;
    }
    switch (gt_v2_generation_read(v2)) {
    case GT_V2_READ_NOTHING:
        return end_with_sync(v2, data, GT_V2_DONE);
    case GT_V2_READ_CUT:
        v2->stage = GT_V2_FAILED_AFTER;
        return start_generation(v2, data);
    case GT_V2_READ:
        return start_generation(v2, data);
    default:
        if (is_trouble((gt_status) v2->error->status))
            return (gt_status) v2->error->status;
        return end_with_sync(v2, data, GT_V2_FAILED);
    }
}

static gt_status fail_stuck(struct gt_v2 *v2)
{
    const struct gt_v2_thread *thread = v2->frontier.parked[0].thread;
    return gt_error_set(v2->error, GT_ERR_STUCK, gt_v2_event_offset(v2, thread),
                        v2->generation.number,
                        "%s on thread %d, and %u other threads' events, cannot come next",
                        gt_wire_specs[thread->type].name, thread->id,
                        (uint64_t) v2->frontier.parked_count - 1);
}

/*
 * What comes next where it is not the first thread's event. A sample waits for
 * every event before it, also for those that cannot happen yet.
 */
static gt_status next_other(struct gt_v2 *v2, struct gt_event_data *data)
{
    const struct gt_v2_frontier *f = &v2->frontier;
    int64_t first_time = f->first ? f->first->time : INT64_MAX;
    if (v2->sample_time < first_time && v2->sample_time < gt_v2_frontier_parked_time(f))
        return deliver_sample(v2, data);
    if (f->parked_count != 0)
        return fail_stuck(v2);
    return next_generation(v2, data);
}

static inline void set_context(struct gt_event_data *data, const struct gt_v2_thread *thread)
{
    data->event.kind = gt_wire_specs[thread->type].kind;
    data->event.time = thread->time;
    data->event.thread = thread->id;
    data->event.proc = thread->proc_id;
    data->event.goroutine = thread->goroutine_id;
    data->type = thread->type;
    data->stack = 0;
}

/* Goes on behind the event of the first thread that has just happened. */
static inline void pass(struct gt_v2 *v2, struct gt_v2_thread *thread, const uint8_t *behind)
{
    struct gt_v2_frontier *f = &v2->frontier;
    thread->p = behind;
    if (UNLIKELY(!peek_event(&v2->generation, thread)))
        gt_v2_frontier_remove(f);
    else if (thread->time >= f->next_time)
        gt_v2_frontier_resift(f);
    if (UNLIKELY(f->woken))
        gt_v2_frontier_admit(f);
}

gt_status gt_v2_next(struct gt_v2 *v2, struct gt_event_data *data)
{
    if (UNLIKELY(v2->queued))
        return deliver_queued(v2, data);
    for (;;) {
        struct gt_v2_thread *thread = v2->frontier.first;
        if (UNLIKELY(!thread || v2->sample_time < thread->time)) {
            if (!thread || v2->sample_time < gt_v2_frontier_parked_time(&v2->frontier))
                return next_other(v2, data);
        }
        if (UNLIKELY(thread->fault != GT_V2_FINE))
            return fail_decoding(v2, thread);
        const uint8_t *behind = read_arguments(thread, data->arguments);
        if (UNLIKELY(!behind))
            return fail_decoding(v2, thread);
        set_context(data, thread);
        thread->known = 1;
        gt_v2_rule *rule = gt_v2_rules[thread->type];
        int result = rule(v2, thread, data);
        if (UNLIKELY(result == GT_V2_WAIT)) {
            gt_v2_frontier_park(&v2->frontier);
            gt_v2_frontier_admit(&v2->frontier);
            continue;
        }
        if (UNLIKELY(result != GT_V2_ADVANCED))
            return (gt_status) result;
        pass(v2, thread, behind);
        return deliver(v2, data);
    }
}
