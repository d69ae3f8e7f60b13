/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/merge.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/time.h"
#include "v2/decode.h"
#include "v2/generation.h"
#include "v2/order.h"
#include "v2/pack.h"
#include "v2/quick.h"
#include "v2/samples.h"
#include "v2/spec.h"

enum {
    /*
     * In nanoseconds. This is larger than any clock skew between threads: an event that is parked
     * for longer waits for data that was lost.
     */
    LARGEST_SKEW = 1000000
};

/* The thread of a lane, or NULL if `lane` is NULL. */
static inline struct gt_v2_thread *v2_thread_of(struct gt_lane *lane)
{
    return (struct gt_v2_thread *) lane;
}

/* Returns where the batch is: in a buffer if it can be read to there. */
static const uint8_t *v2_batch_load(struct gt_v2 *v2, const struct gt_v2_events *batch)
{
    const struct gt_v2_generation *generation = &v2->generation;
    bool is_in_tail = generation->tail_size != 0 && batch->data >= generation->tail &&
                      batch->data < generation->tail + generation->tail_size;
    uint8_t *buffer =
        is_in_tail ? NULL : gt_v2_buffers_take(&v2->merge.buffers, v2->mem, v2->source);
    if (!buffer)
        return batch->data;
    if (gt_source_reread(v2->source, batch->data, buffer, batch->size))
        return buffer;
    gt_v2_buffers_give(&v2->merge.buffers, buffer);
    return batch->data;
}

static void v2_batch_open(struct gt_v2 *v2, struct gt_v2_thread *thread)
{
    struct gt_v2_generation *generation = &v2->generation;
    const struct gt_v2_events *batch = &generation->batches.items[thread->batch];
    const uint8_t *data = v2_batch_load(v2, batch);
    generation->undecoded -= batch->size;
    thread->pos = data;
    thread->end = data + batch->size;
    thread->quick_end = batch->size > GT_VARINT_MAX ? thread->end - GT_VARINT_MAX : data;
    thread->lane.time = gt_v2_to_ns(generation, batch->time);
}

/*
 * Advances to the thread's next event, and reads its type and time. Returns false if there is none.
 * An event with a malformed time gets the time of the thread's previous event.
 */
static GT_NOINLINE bool v2_thread_next(struct gt_v2 *v2, struct gt_v2_thread *thread)
{
    const struct gt_v2_generation *generation = &v2->generation;
    uint64_t span;
    if (thread->pos == thread->end) {
        const struct gt_v2_events *done = &generation->batches.items[thread->batch];
        gt_v2_buffers_give(&v2->merge.buffers, thread->end - done->size);
        if (done->next < 0)
            return false;
        thread->batch = done->next;
        v2_batch_open(v2, thread);
    }
    thread->event = thread->pos;
    thread->lane.type = *thread->event;
    thread->pos = gt_varint_read(thread->event + 1, &span);
    if (!thread->pos || thread->pos > thread->end) {
        thread->lane.type = GT_WIRE_NONE;
        return true;
    }
    thread->lane.time = gt_ticks_plus(thread->lane.time, gt_v2_to_ns(generation, span));
    return true;
}

/* The read position of the first thread, for registers. See struct gt_v2_thread. */
struct v2_place {
    const uint8_t *pos;
    int64_t time;
    uint8_t type;
};

static GT_ALWAYS_INLINE struct v2_place v2_place_of(const struct gt_v2_thread *thread)
{
    return (struct v2_place){thread->pos, thread->lane.time, thread->lane.type};
}

static GT_ALWAYS_INLINE void v2_place_store(const struct v2_place *place,
                                            struct gt_v2_thread *thread)
{
    thread->pos = place->pos;
    thread->lane.time = place->time;
    thread->lane.type = place->type;
}

/*
 * Advances to the thread's next event, which is at `event` and is followed by enough bytes to read
 * its time.
 */
static GT_ALWAYS_INLINE struct v2_place v2_place_next(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                                      const uint8_t *event, int64_t time)
{
    struct gt_varint span = gt_v2_number_read(event + 1);
    if (GT_UNLIKELY(!span.end)) {
        thread->pos = event;
        thread->lane.time = time;
        v2_thread_next(v2, thread);
        return v2_place_of(thread);
    }
    thread->event = event;
    return (struct v2_place){span.end,
                             gt_ticks_plus(time, gt_v2_to_ns(&v2->generation, span.value)), *event};
}

gt_status gt_v2_merge_start(struct gt_v2 *v2)
{
    struct gt_v2_generation *generation = &v2->generation;
    gt_status status = gt_frontier_start(&v2->merge.frontier, generation->threads.count);
    if (status != GT_OK)
        return status;
    gt_v2_buffers_reset(&v2->merge.buffers);
    for (size_t i = 0; i < generation->threads.count; i++) {
        struct gt_v2_thread *thread = generation->threads.items[i];
        v2_batch_open(v2, thread);
        v2_thread_next(v2, thread);
        gt_frontier_add(&v2->merge.frontier, &thread->lane);
    }
    v2->merge.next_sample = 0;
    v2->merge.sample_time =
        generation->samples.count > 0 ? generation->samples.items[0].time : INT64_MAX;
    return GT_OK;
}

static gt_status v2_fail_stuck(struct gt_v2 *v2)
{
    const struct gt_v2_thread *thread = v2_thread_of(v2->merge.frontier.parked[0].lane);
    return gt_error_set(v2->error, GT_ERR_STUCK, gt_v2_event_offset(v2, thread),
                        v2->generation.number,
                        "%s on thread %d, and %u other threads' events, cannot come next",
                        gt_v2_specs[thread->lane.type].name, thread->id,
                        (uint64_t) v2->merge.frontier.parked_count - 1);
}

static inline bool v2_has_room(const struct gt_events *events)
{
    return events->count <= GT_EVENTS_AHEAD - GT_RESULT_MOST_EVENTS;
}

static_assert(offsetof(gt_event, proc) == offsetof(gt_event, thread) + sizeof(int64_t) &&
                  offsetof(struct gt_v2_thread, proc_id) ==
                      offsetof(struct gt_v2_thread, id) + sizeof(int64_t),
              "the ids of thread and proc are copied as one");

/*
 * Sets the context of an event from its thread. The ids of thread and proc are copied as one,
 * because they rarely change. The id of the goroutine is copied by itself, because it was often
 * stored just before, and a wider load would have to wait for that store.
 */
static GT_ALWAYS_INLINE void v2_set_context(struct gt_event_data *data,
                                            const struct gt_v2_thread *thread, uint8_t type)
{
    memcpy(&data->event.thread, &thread->id, 2 * sizeof(int64_t));
    data->event.goroutine = thread->goroutine_id;
    data->type = type;
    data->stack = 0;
}

/* Sets the times of `count` events, of which `data` is the first, and returns their end. */
static GT_NOINLINE struct gt_event_data *
v2_output_finish(struct gt_v2 *v2, struct gt_event_data *data, unsigned count)
{
    for (; count > 0; count--, data++)
        data->event.time = gt_v2_next_time(v2, data->event.time);
    return data;
}

/* Skips the first thread's event, or the rest of its batch if `rest` is set. */
static void v2_merge_skip(struct gt_v2 *v2, struct gt_v2_thread *thread, bool rest)
{
    if (rest)
        thread->pos = thread->end;
    if (v2_thread_next(v2, thread))
        gt_frontier_resift(&v2->merge.frontier);
    else
        gt_frontier_remove(&v2->merge.frontier);
}

/*
 * Handles an event of the first thread that cannot happen or cannot be decoded; the error is set.
 */
static gt_status v2_merge_refuse(struct gt_v2 *v2, struct gt_v2_thread *thread)
{
    gt_status status = (gt_status) v2->error->status;
    bool rest = status == GT_ERR_EVENT;
    /* This check is needed because all events of a damaged trace may be left out. */
    if (gt_source_is_cancelled(v2->source))
        return gt_source_fail_cancelled(v2->source);
    if (!gt_v2_forgive(v2, rest ? "; the rest of its batch is left out" : "; it is left out"))
        return status;
    v2_merge_skip(v2, thread, rest);
    return GT_OK;
}

/*
 * Handles an event of the first thread that cannot happen: parks the thread if the event may happen
 * later.
 */
static gt_status v2_merge_park(struct gt_v2 *v2, gt_result result)
{
    uint64_t span;
    struct gt_v2_thread *thread = v2_thread_of(v2->merge.frontier.first);
    if (result == GT_RESULT_WAIT && gt_v2_event_offset(v2, thread) == v2->damage.forced)
        result = gt_v2_fail(v2, thread, GT_ERR_STUCK, "an event of thread %d cannot happen",
                            thread->id, 0);
    if (result != GT_RESULT_WAIT)
        return v2_merge_refuse(v2, thread);
    /* The read pointer returns to the arguments, which will be read again. */
    thread->pos = gt_varint_read(thread->event + 1, &span);
    gt_status status = gt_frontier_park(&v2->merge.frontier);
    return status == GT_OK ? GT_OK : gt_error_plain(v2->error, status);
}

/*
 * Applies the rule of the first thread's next event. Returns the end of the resulting events, which
 * start at `data`. Returns NULL if the event does not happen; then `*status` is set, and the
 * frontier has changed.
 */
static GT_NOINLINE struct gt_event_data *v2_merge_take(struct gt_v2 *v2,
                                                       struct gt_v2_thread *thread,
                                                       struct gt_event_data *data,
                                                       gt_status *status)
{
    const struct gt_v2_action *action = &gt_v2_actions[thread->lane.type];
    if (GT_UNLIKELY(!action->rule)) {
        gt_v2_fail_decoding(v2, thread);
        *status = v2_merge_refuse(v2, thread);
        return NULL;
    }
    data->event.kind = action->kind;
    data->event.time = thread->lane.time;
    gt_result result = action->rule(v2, thread, data);
    if (GT_UNLIKELY(result > GT_RESULT_THREE)) {
        *status = v2_merge_park(v2, result);
        return NULL;
    }
    data->event.time = gt_v2_next_time(v2, data->event.time);
    if (GT_UNLIKELY(result != GT_RESULT_DONE))
        return v2_output_finish(v2, data + 1, gt_result_events(result) - 1);
    return data + 1;
}

/*
 * Where v2_merge_loop puts events: either one behind the other from `data` on, or as records from
 * `record` on, which is NULL otherwise; then `data` is overwritten with each event.
 */
struct v2_outlet {
    struct gt_event_data *data;
    const struct gt_event_data *last; /* the last place from which there is room */
    struct gt_v2_record *record;
    const struct gt_v2_record *last_record;
};

static GT_ALWAYS_INLINE bool v2_outlet_is_full(const struct v2_outlet *outlet)
{
    return outlet->record ? outlet->record > outlet->last_record : outlet->data > outlet->last;
}

/* Takes up an event of a quick case. */
static GT_ALWAYS_INLINE void v2_outlet_put_quick(struct gt_v2 *v2, struct v2_outlet *outlet,
                                                 const struct gt_v2_thread *thread,
                                                 const struct v2_place *place)
{
    if (outlet->record) {
        outlet->record = gt_v2_pack_quick(outlet->record, outlet->data, place->type,
                                          thread->lane.rank, place->time);
    } else {
        outlet->data->event.time = gt_v2_next_time(v2, place->time);
        outlet->data++;
    }
}

/* Takes up the events of a rule, which end at `end`. */
static GT_ALWAYS_INLINE void v2_outlet_put(struct v2_outlet *outlet,
                                           const struct gt_v2_thread *thread,
                                           struct gt_event_data *end)
{
    if (!outlet->record) {
        outlet->data = end;
        return;
    }
    for (const struct gt_event_data *data = outlet->data; data < end; data++)
        outlet->record = gt_v2_pack(outlet->record, data, thread->lane.rank);
}

/*
 * Takes events of the first thread, then of whichever thread is the first one, while there is room,
 * no sample is due, and no other check is needed. There must be room for one event.
 */
static GT_ALWAYS_INLINE gt_status v2_merge_loop(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                                struct v2_outlet *outlet)
{
    struct gt_frontier *frontier = &v2->merge.frontier;
    gt_status status = GT_OK;
    struct v2_place place = v2_place_of(thread);
    thread->lane.tried = true;
    for (;;) {
        v2_set_context(outlet->data, thread, place.type);
        const uint8_t *next = gt_v2_quick_take(v2, thread, place.pos, place.type, outlet->data);
        if (next) {
            v2_outlet_put_quick(v2, outlet, thread, &place);
            place = v2_place_next(v2, thread, next, place.time);
        } else {
            v2_place_store(&place, thread);
            struct gt_event_data *taken = v2_merge_take(v2, thread, outlet->data, &status);
            if (GT_UNLIKELY(!taken))
                break;
            v2_outlet_put(outlet, thread, taken);
            if (GT_UNLIKELY(!v2_thread_next(v2, thread))) {
                gt_frontier_remove(frontier);
                break;
            }
            place = v2_place_of(thread);
        }
        if (place.time >= frontier->next_time) {
            v2_place_store(&place, thread);
            gt_frontier_resift(frontier);
            if (GT_UNLIKELY(v2->damage.found))
                break;
            thread = v2_thread_of(frontier->first);
            thread->lane.tried = true;
            place = v2_place_of(thread);
        }
        if (v2_outlet_is_full(outlet) || place.time > v2->merge.sample_time) {
            v2_place_store(&place, thread);
            break;
        }
    }
    return status;
}

/* Takes events with v2_merge_loop, and adds them to `*events`. */
static GT_ALWAYS_INLINE gt_status v2_merge_run(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                               struct gt_events *events)
{
    struct v2_outlet outlet = {
        .data = &events->list[events->count],
        .last = &events->list[GT_EVENTS_AHEAD - GT_RESULT_MOST_EVENTS],
    };
    gt_status status = v2_merge_loop(v2, thread, &outlet);
    events->count = (unsigned) (outlet.data - events->list);
    return status;
}

/* Leaves out what remains of the first thread in this generation. */
static void v2_merge_drop(struct gt_v2 *v2, const struct gt_v2_thread *thread)
{
    struct gt_v2_generation *generation = &v2->generation;
    const struct gt_v2_events *batch = &generation->batches.items[thread->batch];
    gt_v2_buffers_give(&v2->merge.buffers, thread->end - batch->size);
    while (batch->next >= 0) {
        batch = &generation->batches.items[batch->next];
        generation->undecoded -= batch->size;
    }
    gt_frontier_remove(&v2->merge.frontier);
}

/*
 * Leaves out the thread whose event has been parked for the longest. It becomes the first one,
 * because no thread is ready, or none whose next event is as early.
 */
static gt_status v2_merge_give_up(struct gt_v2 *v2)
{
    struct gt_frontier *frontier = &v2->merge.frontier;
    const struct gt_lane *lane = frontier->parked[0].lane;
    gt_frontier_wake(frontier, lane->need, lane->wish_id, lane->wish_seq);
    gt_frontier_admit(frontier);
    v2_merge_drop(v2, v2_thread_of(frontier->first));
    return gt_source_is_cancelled(v2->source) ? gt_source_fail_cancelled(v2->source) : GT_OK;
}

/* Forces the event that has been parked for the longest, or leaves it out with its thread. */
static gt_status v2_merge_force(struct gt_v2 *v2, struct gt_events *events)
{
    gt_status status = v2_fail_stuck(v2);
    if (!gt_v2_forgive(v2, v2->unforced ? "; the rest of its thread is left out"
                                        : "; it is let happen"))
        return status;
    return v2->unforced ? v2_merge_give_up(v2) : gt_v2_force(v2, events);
}

/*
 * Returns whether a parked event is so much earlier than `time` that the data for which it waits
 * must be lost.
 */
static bool v2_is_overdue(const struct gt_v2 *v2, int64_t time)
{
    int64_t parked = gt_frontier_parked_time(&v2->merge.frontier);
    return v2->merge.frontier.parked_count != 0 && time > parked &&
           gt_time_span(parked, time) > LARGEST_SKEW;
}

/* A sample is added after all earlier events, even those that cannot happen yet. */
gt_status gt_v2_merge(struct gt_v2 *v2, struct gt_events *events)
{
    const struct gt_frontier *frontier = &v2->merge.frontier;
    gt_status status = GT_OK;
    while (status == GT_OK && v2_has_room(events)) {
        struct gt_v2_thread *thread = v2_thread_of(frontier->first);
        int64_t time = thread ? thread->lane.time : INT64_MAX;
        if (GT_UNLIKELY(v2->damage.found) && v2_is_overdue(v2, time))
            status = v2_merge_force(v2, events);
        else if (GT_UNLIKELY(v2->merge.sample_time < time) &&
                 v2->merge.sample_time < gt_frontier_parked_time(frontier))
            status = gt_v2_sample_take(v2, events);
        else if (thread)
            status = v2_merge_run(v2, thread, events);
        else if (frontier->parked_count != 0)
            status = v2_merge_force(v2, events);
        else
            return GT_OK;
    }
    return status;
}

/* Takes events with v2_merge_loop, and adds their records to the block. */
static GT_NOINLINE gt_status v2_merge_run_packed(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                                 struct gt_events *events,
                                                 struct gt_v2_block *block)
{
    struct v2_outlet outlet = {
        .data = events->list,
        .record = &block->records[block->count],
        .last_record = &block->records[GT_V2_BLOCK_LAST],
    };
    gt_status status = v2_merge_loop(v2, thread, &outlet);
    block->count = (uint32_t) (outlet.record - block->records);
    return status;
}

static gt_status v2_merge_pack_sample(struct gt_v2 *v2, struct gt_events *events,
                                      struct gt_v2_block *block)
{
    events->count = 0;
    gt_status status = gt_v2_sample_take(v2, events);
    if (status != GT_OK)
        return status;
    const struct gt_v2_record *end = gt_v2_pack(&block->records[block->count], events->list, 0);
    block->count = (uint32_t) (end - block->records);
    return GT_OK;
}

gt_status gt_v2_merge_packed(struct gt_v2 *v2, struct gt_events *events, struct gt_v2_block *block)
{
    const struct gt_frontier *frontier = &v2->merge.frontier;
    gt_status status = GT_OK;
    while (status == GT_OK && block->count <= GT_V2_BLOCK_LAST) {
        struct gt_v2_thread *thread = v2_thread_of(frontier->first);
        int64_t time = thread ? thread->lane.time : INT64_MAX;
        if (GT_UNLIKELY(v2->merge.sample_time < time) &&
            v2->merge.sample_time < gt_frontier_parked_time(frontier))
            status = v2_merge_pack_sample(v2, events, block);
        else if (thread)
            status = v2_merge_run_packed(v2, thread, events, block);
        else if (frontier->parked_count != 0)
            status = v2_fail_stuck(v2);
        else
            break;
    }
    return status;
}
