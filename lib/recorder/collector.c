/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/collector.h"

#include "recorder/section.h"
#include "recorder/stack.h"

/* Two events in one unit of the clock have times that say which was first, too. */
static uint64_t gc_time(const struct gt_recorder_gc *gc, uint64_t time)
{
    return time > gc->time ? time : gc->time + 1;
}

/* The part of a generation in which a cycle begins or ends now. */
static struct gt_recorder_gc_part *gc_part(struct gt_recorder_gc *gc, uint64_t generation)
{
    struct gt_recorder_gc_part *part = &gc->parts[generation & 1];
    if (part->generation != generation)
        *part = (struct gt_recorder_gc_part){generation, gc->is_open, gc->number, 0, 0};
    return part;
}

static void gc_begin(gt_rec_thread *t, struct gt_recorder_gc *gc, uint64_t time)
{
    struct gt_recorder_gc_part *part = gc_part(gc, t->generation);
    gc->is_open = true;
    if (!gt_recorder_is_on(t))
        return;
    time = gc_time(gc, time);
    gc->number++;
    if (part->lead_number > 0) {
        gt_recorder_put(t, time, GT_WIRE_GC_BEGIN, gc->number, gt_recorder_stack(t));
    } else {
        gt_recorder_put_lead(t, time, GT_WIRE_GC_BEGIN, gc->number, gt_recorder_stack(t));
        part->lead_number = gc->number;
        part->lead_time = t->time;
    }
    gc->time = t->time;
}

static void gc_end(gt_rec_thread *t, struct gt_recorder_gc *gc, uint64_t time)
{
    gc_part(gc, t->generation);
    gc->is_open = false;
    if (!gt_recorder_is_on(t))
        return;
    gc->number++;
    gt_recorder_put(t, gc_time(gc, time), GT_WIRE_GC_END, gc->number);
    gc->time = t->time;
}

static gt_status gc_change(gt_rec_thread *t,
                           void (*change)(gt_rec_thread *t, struct gt_recorder_gc *gc,
                                          uint64_t time),
                           bool from_open)
{
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t))
        return GT_ERR_STATE;
    struct gt_recorder_gc *gc = &t->recorder->gc;
    uint64_t time = 0;
    gt_system_lock(&gc->lock);
    t->is_bound = true;
    bool is_possible = gc->is_open == from_open && gt_recorder_enter_go(t, &time);
    if (is_possible) {
        change(t, gc, time);
        gt_recorder_leave(t);
    }
    t->is_bound = false;
    gt_system_unlock(&gc->lock);
    return is_possible ? GT_OK : GT_ERR_STATE;
}

gt_status gt_rec_gc_begin(gt_rec_thread *t)
{
    return gc_change(t, gc_begin, false);
}

gt_status gt_rec_gc_end(gt_rec_thread *t)
{
    return gc_change(t, gc_end, true);
}

/* Threads may have written events of the next generation already. */
struct gt_recorder_gc_part gt_recorder_gc_part(gt_recorder *recorder, uint64_t generation)
{
    struct gt_recorder_gc *gc = &recorder->gc;
    gt_system_lock(&gc->lock);
    struct gt_recorder_gc_part part = {generation, gc->is_open, gc->number, 0, 0};
    if (gc->parts[generation & 1].generation == generation)
        part = gc->parts[generation & 1];
    else if (gc->parts[(generation + 1) & 1].generation == generation + 1)
        part = gc->parts[(generation + 1) & 1];
    gt_system_unlock(&gc->lock);
    if (part.generation != generation)
        part.lead_number = 0;
    part.generation = generation;
    return part;
}

static uint8_t *gc_put(uint8_t *to, uint64_t generation, uint64_t time, const uint8_t *content,
                       size_t size)
{
    to = gt_recorder_batch_head(to, generation, GT_NO_THREAD_ID, time);
    memcpy(to, content, size);
    gt_recorder_batch_length(to, size);
    return to + size;
}

uint8_t *gt_recorder_gc_put_active(uint8_t *to, const struct gt_recorder_gc_part *part,
                                   uint64_t time)
{
    uint8_t content[GT_BUFFER_HEAD] = {GT_WIRE_GC_ACTIVE, 0};
    const uint8_t *end = gt_varint_put(content + 2, part->number);
    return gc_put(to, part->generation, time, content, (size_t) (end - content));
}

uint8_t *gt_recorder_gc_put_lead(uint8_t *to, const struct gt_recorder_gc_part *part)
{
    uint8_t content[GT_BUFFER_HEAD] = {GT_WIRE_GC_BEGIN, 0};
    uint8_t *end = gt_varint_put(content + 2, part->lead_number);
    *end++ = 0;
    return gc_put(to, part->generation, part->lead_time, content, (size_t) (end - content));
}
