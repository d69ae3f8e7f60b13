/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/viewer_json.h>

#include <string.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "viewer/check.h"
#include "writer/consumer.h"
#include "writer/encode.h"
#include "writer/out.h"

struct event {
    int64_t time;
    uint32_t bytes; /* of JSON; 0 where it is required */
    uint32_t stack;
    uint32_t end_stack;
};

struct frame {
    uint32_t parent;
    uint32_t bytes;
    uint64_t part; /* the last part that it was counted in, from 1 */
};

enum {
    /* What all parts have in common counts as the first. */
    REQUIRED_PART = 1
};

struct gt_splitter {
    struct gt_mem mem;
    gt_status status;
    int busy; /* in a call that may call the caller back */
    int has_unit;
    int done;
    uint64_t part_bytes;
    uint64_t unit_bytes;
    uint64_t required_bytes;
    struct event *events; /* by number */
    size_t event_count;
    size_t event_capacity;
    struct frame *frames;
    size_t frame_count;
    size_t frame_capacity;
    gt_part *parts;
    size_t part_count;
    size_t part_capacity;
    struct gt_json_out out;
};

gt_status gt_splitter_open(gt_splitter **out, uint64_t part_bytes, const gt_allocator *allocator)
{
    gt_allocator taken;
    if (out)
        *out = NULL;
    gt_status status =
        out ? gt_allocator_take(&taken, allocator) : (gt_status) GT_ERR_INVALID_ARGUMENT;
    if (status != GT_OK)
        return status;
    struct gt_mem mem;
    gt_mem_init(&mem, &taken, 0);
    struct gt_splitter *splitter = gt_mem_alloc(&mem, sizeof(*splitter));
    if (!splitter)
        return gt_mem_failure(&mem);
    memset(splitter, 0, offsetof(struct gt_splitter, out));
    splitter->mem = mem;
    splitter->part_bytes = part_bytes != 0 ? part_bytes : GT_SPLITTER_BYTES;
    gt_json_out_init(&splitter->out, NULL, NULL);
    *out = splitter;
    return GT_OK;
}

void gt_splitter_close(gt_splitter **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    struct gt_splitter *splitter = *out;
    *out = NULL;
    struct gt_mem mem = splitter->mem;
    gt_mem_free(&mem, splitter->events, splitter->event_capacity * sizeof(*splitter->events));
    gt_mem_free(&mem, splitter->frames, splitter->frame_capacity * sizeof(*splitter->frames));
    gt_mem_free(&mem, splitter->parts, splitter->part_capacity * sizeof(*splitter->parts));
    gt_mem_free(&mem, splitter, sizeof(*splitter));
}

gt_status gt_splitter_status(const gt_splitter *splitter)
{
    return splitter ? splitter->status : GT_ERR_INVALID_ARGUMENT;
}

/* Each function of the consumer begins with this; 0 where it must not go on. */
static int enter(struct gt_splitter *splitter)
{
    if (splitter->busy || splitter->status != GT_OK)
        return 0;
    splitter->busy = 1;
    return 1;
}

/* What the function returns to the emitter. */
static int leave(struct gt_splitter *splitter, gt_status status)
{
    splitter->busy = 0;
    splitter->status = status;
    return status != GT_OK;
}

static uint32_t clip(uint64_t bytes)
{
    return bytes < UINT32_MAX ? (uint32_t) bytes : UINT32_MAX;
}

/* Bytes of the frames of a stack that were not yet counted in a part. */
static uint64_t count_stack(struct gt_splitter *splitter, uint32_t id, uint64_t part)
{
    uint64_t bytes = 0;
    while (id != 0 && id <= splitter->frame_count && splitter->frames[id - 1].part != part) {
        struct frame *frame = &splitter->frames[id - 1];
        frame->part = part;
        bytes += frame->bytes;
        id = frame->parent;
    }
    return bytes;
}

static int take_unit(void *user_data, const char *unit)
{
    struct gt_splitter *splitter = user_data;
    if (!enter(splitter))
        return 1;
    if (splitter->has_unit || splitter->event_count != 0 || splitter->done || !unit)
        return leave(splitter, GT_ERR_INVALID_ARGUMENT);
    splitter->has_unit = 1;
    splitter->unit_bytes = strlen(unit);
    return leave(splitter, GT_OK);
}

static gt_status add_event(struct gt_splitter *splitter, const gt_viewer_event *event, int required)
{
    gt_viewer_event place;
    gt_status status;
    event = gt_viewer_event_take(event, &place);
    if (!event || splitter->done)
        return GT_ERR_INVALID_ARGUMENT;
    status = gt_mem_reserve(&splitter->mem, &splitter->events, &splitter->event_capacity,
                            splitter->event_count + 1, sizeof(*splitter->events));
    if (status != GT_OK)
        return status;
    uint64_t before = gt_json_out_size(&splitter->out);
    gt_json_put_event(&splitter->out, event);
    uint64_t bytes = gt_json_out_size(&splitter->out) - before;
    struct event *added = &splitter->events[splitter->event_count++];
    *added = (struct event){.time = event->time};
    if (required) {
        /* Reckoned without the line's end, but with a comma. */
        splitter->required_bytes += bytes + count_stack(splitter, event->stack, REQUIRED_PART) +
                                    count_stack(splitter, event->end_stack, REQUIRED_PART);
        return GT_OK;
    }
    added->bytes = clip(bytes + 1);
    added->stack = event->stack;
    added->end_stack = event->end_stack;
    return GT_OK;
}

static int take_event(void *user_data, const gt_viewer_event *event, int required)
{
    struct gt_splitter *splitter = user_data;
    if (!enter(splitter))
        return 1;
    return leave(splitter, add_event(splitter, event, required));
}

/* As in JSON, with the comma after it, but without escapes. */
static uint64_t frame_bytes(const gt_viewer_frame *frame)
{
    uint64_t bytes = sizeof("\"\":{\"name\":\":\"},") - 1 + gt_decimal_count(frame->id) +
                     frame->function.size + gt_decimal_count(frame->line);
    if (frame->parent != 0)
        bytes += sizeof(",\"parent\":") - 1 + gt_decimal_count(frame->parent);
    return bytes;
}

static gt_status add_frame(struct gt_splitter *splitter, const gt_viewer_frame *frame)
{
    gt_viewer_frame place;
    gt_status status;
    frame = gt_viewer_frame_take(frame, &place);
    if (!frame || splitter->done || frame->id == 0 || frame->id - 1 != splitter->frame_count ||
        frame->parent >= frame->id)
        return GT_ERR_INVALID_ARGUMENT;
    status = gt_mem_reserve(&splitter->mem, &splitter->frames, &splitter->frame_capacity,
                            splitter->frame_count + 1, sizeof(*splitter->frames));
    if (status != GT_OK)
        return status;
    splitter->frames[splitter->frame_count++] =
        (struct frame){.parent = frame->parent, .bytes = clip(frame_bytes(frame))};
    return GT_OK;
}

static int take_frame(void *user_data, const gt_viewer_frame *frame)
{
    struct gt_splitter *splitter = user_data;
    if (!enter(splitter))
        return 1;
    return leave(splitter, add_frame(splitter, frame));
}

static gt_status add_part(struct gt_splitter *splitter, size_t first, size_t last)
{
    gt_status status = gt_mem_reserve(&splitter->mem, &splitter->parts, &splitter->part_capacity,
                                      splitter->part_count + 1, sizeof(*splitter->parts));
    if (status != GT_OK)
        return status;
    splitter->parts[splitter->part_count++] = (gt_part){
        .first = first,
        .last = last,
        .start_time = splitter->events[first].time,
        .end_time = splitter->events[last].time,
    };
    return GT_OK;
}

/* What each part has without the events that tell it from others. */
static uint64_t bytes_in_common(const struct gt_splitter *splitter)
{
    static const char frame[] =
        "{\"traceEvents\":[],\"stackFrames\":{},\"displayTimeUnit\":\"\"}\n";
    /* The last one has no comma. */
    uint64_t required = splitter->required_bytes - (splitter->required_bytes != 0);
    return sizeof(frame) - 1 + splitter->unit_bytes + required;
}

/*
 * What is left after the last full part is a part as well. But one event alone goes
 * to the part before: SplittingTraceConsumer of Go's emitter.go makes as many parts.
 */
static gt_status add_rest(struct gt_splitter *splitter, size_t first, size_t last)
{
    if (first < last)
        return add_part(splitter, first, last);
    gt_part *part = &splitter->parts[splitter->part_count - 1];
    part->last = last;
    part->end_time = splitter->events[last].time;
    return GT_OK;
}

/* A part ends with the event that makes it too large. */
static gt_status split(struct gt_splitter *splitter)
{
    const uint64_t common = bytes_in_common(splitter);
    uint64_t bytes = 0, part = REQUIRED_PART + 1;
    size_t first = 0, last = 0;
    for (size_t i = 0; i < splitter->event_count; i++) {
        const struct event *event = &splitter->events[i];
        if (event->bytes == 0)
            continue;
        first = bytes == 0 ? i : first;
        last = i;
        bytes += event->bytes + count_stack(splitter, event->stack, part) +
                 count_stack(splitter, event->end_stack, part);
        if (common + bytes < splitter->part_bytes)
            continue;
        gt_status status = add_part(splitter, first, last);
        if (status != GT_OK)
            return status;
        bytes = 0;
        part++;
    }
    /* One full part and a rest are not split, however much that is: so does Go. */
    if (splitter->part_count <= 1)
        splitter->part_count = 0;
    else if (bytes != 0)
        return add_rest(splitter, first, last);
    return GT_OK;
}

static int take_flush(void *user_data)
{
    struct gt_splitter *splitter = user_data;
    if (!enter(splitter))
        return 1;
    if (splitter->done)
        return leave(splitter, GT_ERR_INVALID_ARGUMENT);
    splitter->done = 1;
    return leave(splitter, split(splitter));
}

const gt_part *gt_splitter_parts(const gt_splitter *splitter, size_t *count)
{
    if (count)
        *count = 0;
    if (!splitter || !count || splitter->busy || splitter->status != GT_OK || !splitter->done ||
        splitter->part_count == 0)
        return NULL;
    *count = splitter->part_count;
    return splitter->parts;
}

gt_status gt_splitter_consumer(gt_splitter *splitter, gt_consumer *consumer)
{
    if (!splitter)
        return GT_ERR_INVALID_ARGUMENT;
    const gt_consumer own = {
        sizeof(own), splitter, take_unit, take_event, take_frame, take_flush,
    };
    return gt_consumer_give(consumer, &own);
}
