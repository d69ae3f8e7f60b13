/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/merge.h"

#include "base/error.h"
#include "base/wraps.h"
#include "v2/decode.h"
#include "v2/order.h"
#include "v2/spec.h"

/* Events in order: by thread, by time, and none before what it depends on. */

enum {
    /*
     * In nanoseconds. Larger than any clock skew between threads: an event parked for longer
     * waits for data that was lost.
     */
    LARGEST_SKEW = 1000000
};

/* NULL for NULL. */
static inline struct gt_v2_thread *thread_of(struct gt_lane *lane)
{
    return (struct gt_v2_thread *) lane;
}

static void open_batch(const struct gt_v2_generation *generation, struct gt_v2_thread *thread)
{
    const struct gt_v2_events *batch = &generation->batches[thread->batch];
    thread->pos = batch->data;
    thread->end = batch->data + batch->size;
    thread->lane.time = gt_v2_to_ns(generation, batch->time);
}

/*
 * Finds type and time of the thread's next event; 0 where there is none. One
 * without a time comes at the time of the event before it.
 */
static inline int peek(const struct gt_v2_generation *generation, struct gt_v2_thread *thread)
{
    uint64_t span;
    if (GT_UNLIKELY(thread->pos == thread->end)) {
        if (generation->batches[thread->batch].next < 0)
            return 0;
        thread->batch = generation->batches[thread->batch].next;
        open_batch(generation, thread);
    }
    thread->event = thread->pos;
    thread->lane.type = *thread->event;
    thread->pos = gt_varint_read(thread->event + 1, &span);
    if (GT_UNLIKELY(!thread->pos || thread->pos > thread->end)) {
        thread->lane.type = GT_WIRE_NONE;
        return 1;
    }
    thread->lane.time = gt_time_plus(thread->lane.time, gt_v2_to_ns(generation, span));
    return 1;
}

gt_status gt_v2_merge_start(struct gt_v2 *v2)
{
    struct gt_v2_generation *generation = &v2->generation;
    gt_status status = gt_frontier_start(&v2->frontier, generation->thread_count);
    if (status != GT_OK)
        return status;
    for (size_t i = 0; i < generation->thread_count; i++) {
        open_batch(generation, generation->threads[i]);
        peek(generation, generation->threads[i]);
        gt_frontier_add(&v2->frontier, &generation->threads[i]->lane);
    }
    v2->next_sample = 0;
    v2->sample_time = generation->sample_count > 0 ? generation->samples[0].time : INT64_MAX;
    return GT_OK;
}

static gt_status add_sample(struct gt_v2 *v2, struct gt_events *events)
{
    struct gt_v2_generation *generation = &v2->generation;
    const struct gt_v2_sample *sample = &generation->samples[v2->next_sample++];
    struct gt_event_data *data = &events->list[events->count];
    v2->sample_time = v2->next_sample < generation->sample_count
                          ? generation->samples[v2->next_sample].time
                          : INT64_MAX;
    data->event.kind = GT_EVENT_STACK_SAMPLE;
    data->event.thread = sample->thread;
    data->event.proc = sample->proc;
    data->event.goroutine = sample->goroutine;
    data->type = GT_WIRE_CPU_SAMPLE;
    if (!gt_stacks_find(&v2->table->stacks, sample->stack, &data->stack)) {
        gt_status status =
            gt_error_set(v2->error, GT_ERR_REFERENCE, sample->offset, generation->number,
                         "CPU sample names stack %u, which does not exist", sample->stack);
        if (!gt_v2_forgive_lost(v2, GT_V2_LOST_STACK))
            return status;
    }
    if (data->stack == 0)
        data->stack = GT_STACK_EMPTY_SLOT;
    data->event.time = gt_v2_next_time(v2, sample->time);
    events->count++;
    return GT_OK;
}

static gt_status fail_stuck(struct gt_v2 *v2)
{
    const struct gt_v2_thread *thread = thread_of(v2->frontier.parked[0].lane);
    return gt_error_set(
        v2->error, GT_ERR_STUCK, gt_v2_event_offset(v2, thread), v2->generation.number,
        "%s on thread %d, and %u other threads' events, cannot come next",
        gt_v2_specs[thread->lane.type].name, thread->id, (uint64_t) v2->frontier.parked_count - 1);
}

static inline bool has_room(const struct gt_events *events)
{
    return events->count <= GT_EVENTS_AHEAD - GT_RESULT_MOST_EVENTS;
}

static inline void set_context(struct gt_event_data *data, const struct gt_v2_thread *thread,
                               uint32_t kind)
{
    data->event.kind = kind;
    data->event.time = thread->lane.time;
    data->event.thread = thread->id;
    data->event.proc = thread->proc_id;
    data->event.goroutine = thread->goroutine_id;
    data->type = thread->lane.type;
    data->stack = 0;
}

/* Sets the times of `count` events from `data` on, and returns where the next one goes. */
static GT_NOINLINE struct gt_event_data *
v2_followers_time(struct gt_v2 *v2, struct gt_event_data *data, unsigned count)
{
    for (; count > 0; count--, data++)
        data->event.time = gt_v2_next_time(v2, data->event.time);
    return data;
}

/* The first thread goes on behind its event, or where `rest` is set behind all of its batch. */
static gt_status pass_over(struct gt_v2 *v2, struct gt_v2_thread *thread, int rest)
{
    if (rest)
        thread->pos = thread->end;
    if (peek(&v2->generation, thread))
        gt_frontier_resift(&v2->frontier);
    else
        gt_frontier_remove(&v2->frontier);
    return GT_OK;
}

/* The first thread's next event cannot happen, or its batch cannot be read on: the error is set. */
static gt_status refuse(struct gt_v2 *v2, struct gt_v2_thread *thread)
{
    gt_status status = (gt_status) v2->error->status;
    bool rest = status == GT_ERR_EVENT;
    if (!gt_v2_forgive(v2, rest ? "; the rest of its batch is left out" : "; it is left out"))
        return status;
    return pass_over(v2, thread, rest);
}

/* The first thread's next event cannot happen, or not yet. */
static gt_status hold(struct gt_v2 *v2, enum gt_result result)
{
    uint64_t span;
    struct gt_v2_thread *thread = thread_of(v2->frontier.first);
    if (result == GT_RESULT_WAIT && thread->event == v2->damage.forced)
        result = gt_v2_fail(v2, thread, GT_ERR_STUCK, "an event of thread %d cannot happen",
                            thread->id, 0);
    if (result != GT_RESULT_WAIT)
        return refuse(v2, thread);
    /* Its arguments will be read again. */
    thread->pos = gt_varint_read(thread->event + 1, &span);
    gt_status status = gt_frontier_park(&v2->frontier);
    return status == GT_OK ? GT_OK : gt_error_plain(v2->error, status);
}

/*
 * Events of the first thread, then of whichever is the first, as long as there is room, no sample
 * is due, and nothing else is to be looked at. There must be room for one.
 */
static inline gt_status run(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_events *events)
{
    struct gt_frontier *frontier = &v2->frontier;
    struct gt_event_data *data = &events->list[events->count];
    struct gt_event_data *last = &events->list[GT_EVENTS_AHEAD - GT_RESULT_MOST_EVENTS];
    gt_status status = GT_OK;
    thread->lane.tried = 1;
    do {
        const struct gt_v2_action *action = &gt_v2_actions[thread->lane.type];
        if (GT_UNLIKELY(!action->rule)) {
            gt_v2_fail_decoding(v2, thread);
            status = refuse(v2, thread);
            break;
        }
        set_context(data, thread, action->kind);
        enum gt_result result = action->rule(v2, thread, data);
        if (GT_UNLIKELY(result > GT_RESULT_THREE)) {
            status = hold(v2, result);
            break;
        }
        data->event.time = gt_v2_next_time(v2, data->event.time);
        data++;
        if (GT_UNLIKELY(result != GT_RESULT_DONE))
            data = v2_followers_time(v2, data, gt_result_events(result) - 1);
        if (GT_UNLIKELY(!peek(&v2->generation, thread))) {
            gt_frontier_remove(frontier);
            break;
        }
        if (thread->lane.time >= frontier->next_time) {
            gt_frontier_resift(frontier);
            if (GT_UNLIKELY(v2->damage.found))
                break;
            thread = thread_of(frontier->first);
            thread->lane.tried = 1;
        }
    } while (data <= last && thread->lane.time <= v2->sample_time);
    events->count = (unsigned) (data - events->list);
    return status;
}

/* What the event that was parked first waits for is made true. */
static gt_status force(struct gt_v2 *v2, struct gt_events *events)
{
    gt_status status = fail_stuck(v2);
    return gt_v2_forgive(v2, "; it is let happen") ? gt_v2_force(v2, events) : status;
}

/*
 * Whether events that could happen have left one that cannot so far behind that it waits for
 * what was lost.
 */
static int is_left_behind(const struct gt_v2 *v2, int64_t time)
{
    int64_t parked = gt_frontier_parked_time(&v2->frontier);
    return v2->frontier.parked_count != 0 && time > parked &&
           gt_time_span(parked, time) > LARGEST_SKEW;
}

/* A sample waits for all events before it, also for those that cannot happen yet. */
gt_status gt_v2_merge(struct gt_v2 *v2, struct gt_events *events)
{
    const struct gt_frontier *frontier = &v2->frontier;
    gt_status status = GT_OK;
    while (status == GT_OK && has_room(events)) {
        struct gt_v2_thread *thread = thread_of(frontier->first);
        int64_t time = thread ? thread->lane.time : INT64_MAX;
        if (GT_UNLIKELY(v2->damage.found) && is_left_behind(v2, time))
            status = force(v2, events);
        else if (GT_UNLIKELY(v2->sample_time < time) &&
                 v2->sample_time < gt_frontier_parked_time(frontier))
            status = add_sample(v2, events);
        else if (thread)
            status = run(v2, thread, events);
        else if (frontier->parked_count != 0)
            status = force(v2, events);
        else
            return GT_OK;
    }
    return status;
}
