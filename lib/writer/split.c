/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/viewer_json.h>

#include <string.h>

#include "base/array.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/sized.h"
#include "viewer/check.h"
#include "writer/consumer.h"
#include "writer/encode.h"
#include "writer/out.h"

struct split_event {
    int64_t time;
    uint32_t bytes; /* the size in JSON; 0 if every part has the event */
    uint32_t stack;
    uint32_t end_stack;
};

struct split_frame {
    uint32_t parent;
    uint32_t bytes;     /* the size in JSON */
    uint64_t last_part; /* the last part in which it was counted, from 1; 0: none */
};

enum {
    /* The content of all parts is counted as part 1; the parts themselves follow. */
    SPLIT_COMMON_PART = 1
};

struct gt_splitter {
    struct gt_mem mem;
    gt_status status;
    bool busy; /* in a call that may call back the caller */
    bool has_unit;
    bool done;
    uint64_t part_bytes; /* the intended size of a part */
    uint64_t unit_bytes;
    uint64_t required_bytes; /* the size of the events that every part has */
    GT_ARRAY(struct split_event) events;
    GT_ARRAY(struct split_frame) frames; /* indexed by id - 1 */
    GT_ARRAY(gt_part) parts;
    struct gt_json_out out; /* only counts bytes */
    char buffer[GT_JSON_BUFFER];
};

gt_status gt_splitter_open(gt_splitter **out, uint64_t part_bytes, const gt_allocator *allocator,
                           gt_error *error)
{
    gt_error failure = GT_ERROR_INIT;
    gt_allocator taken;
    if (!out)
        return gt_error_report_refusal(error, "splitter is NULL");
    *out = NULL;
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = gt_allocator_take(&taken, allocator, "allocator->", &failure);
    if (status != GT_OK)
        return gt_error_report(error, &failure);
    struct gt_splitter *splitter =
        gt_mem_create(sizeof(*splitter), offsetof(struct gt_splitter, mem), &taken, 0, &status);
    if (!splitter)
        return gt_error_report_plain(error, status);
    splitter->part_bytes = part_bytes != 0 ? part_bytes : GT_SPLITTER_BYTES;
    gt_json_out_init(&splitter->out, splitter->buffer, sizeof(splitter->buffer), NULL, NULL);
    *out = splitter;
    return GT_OK;
}

void gt_splitter_close(gt_splitter **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    struct gt_splitter *splitter = *out;
    *out = NULL;
    gt_array_free(&splitter->mem, &splitter->events);
    gt_array_free(&splitter->mem, &splitter->frames);
    gt_array_free(&splitter->mem, &splitter->parts);
    gt_mem_delete(&splitter->mem, splitter, sizeof(*splitter));
}

gt_status gt_splitter_status(const gt_splitter *splitter)
{
    return splitter ? splitter->status : GT_ERR_INVALID_ARGUMENT;
}

/* Begins each function of the consumer. If it returns false, the function must return 1 at once. */
static bool split_enter(struct gt_splitter *splitter)
{
    if (splitter->busy || splitter->status != GT_OK)
        return false;
    splitter->busy = true;
    return true;
}

/* Ends each function of the consumer, which returns the result to the emitter. */
static int split_leave(struct gt_splitter *splitter, gt_status status)
{
    splitter->busy = false;
    splitter->status = status;
    return status != GT_OK;
}

static uint32_t split_clip(uint64_t bytes)
{
    return bytes < UINT32_MAX ? (uint32_t) bytes : UINT32_MAX;
}

/*
 * Counts the frames of a stack in a part. Returns the size of those that the part did not have yet.
 */
static uint64_t split_count_stack(struct gt_splitter *splitter, uint32_t id, uint64_t part)
{
    uint64_t bytes = 0;
    while (id != 0 && id <= splitter->frames.count) {
        struct split_frame *frame = &splitter->frames.items[id - 1];
        if (frame->last_part == part)
            break;
        frame->last_part = part;
        bytes += frame->bytes;
        id = frame->parent;
    }
    return bytes;
}

static int split_take_unit(void *user_data, const char *unit)
{
    struct gt_splitter *splitter = user_data;
    if (!split_enter(splitter))
        return 1;
    if (splitter->has_unit || splitter->events.count != 0 || splitter->done || !unit)
        return split_leave(splitter, GT_ERR_INVALID_ARGUMENT);
    splitter->has_unit = true;
    splitter->unit_bytes = strlen(unit);
    return split_leave(splitter, GT_OK);
}

/* Returns the size of an event's line. */
static uint64_t split_event_bytes(struct gt_splitter *splitter, const gt_viewer_event *event)
{
    uint64_t before = gt_json_out_size(&splitter->out);
    gt_json_put_event(&splitter->out, event);
    return gt_json_out_size(&splitter->out) - before;
}

static gt_status split_add_event(struct gt_splitter *splitter, const gt_viewer_event *in,
                                 bool required)
{
    gt_viewer_event copy;
    const gt_viewer_event *event = gt_viewer_event_take(in, &copy);
    if (!event || splitter->done)
        return GT_ERR_INVALID_ARGUMENT;
    struct split_event *added = gt_array_push(&splitter->mem, &splitter->events);
    if (!added)
        return gt_mem_failure(&splitter->mem);
    *added = (struct split_event){.time = event->time};
    uint64_t bytes = split_event_bytes(splitter, event);
    if (required) {
        /* The comma after the event is counted instead of the end of the line. */
        splitter->required_bytes +=
            bytes + split_count_stack(splitter, event->stack, SPLIT_COMMON_PART) +
            split_count_stack(splitter, event->end_stack, SPLIT_COMMON_PART);
        return GT_OK;
    }
    added->bytes = split_clip(bytes + 1);
    added->stack = event->stack;
    added->end_stack = event->end_stack;
    return GT_OK;
}

static int split_take_event(void *user_data, const gt_viewer_event *event, int required)
{
    struct gt_splitter *splitter = user_data;
    if (!split_enter(splitter))
        return 1;
    return split_leave(splitter, split_add_event(splitter, event, required != 0));
}

/* Returns the size of a frame in JSON with the comma after it, and without escapes. */
static uint64_t split_frame_bytes(const gt_viewer_frame *frame)
{
    uint64_t bytes = sizeof("\"\":{\"name\":\":\"},") - 1 + gt_decimal_count(frame->id) +
                     frame->function.size + gt_decimal_count(frame->line);
    if (frame->parent != 0)
        bytes += sizeof(",\"parent\":") - 1 + gt_decimal_count(frame->parent);
    return bytes;
}

static gt_status split_add_frame(struct gt_splitter *splitter, const gt_viewer_frame *in)
{
    gt_viewer_frame copy;
    const gt_viewer_frame *frame = gt_viewer_frame_take(in, &copy);
    if (!frame || splitter->done || frame->id == 0 || frame->id - 1 != splitter->frames.count ||
        frame->parent >= frame->id)
        return GT_ERR_INVALID_ARGUMENT;
    struct split_frame added = {.parent = frame->parent,
                                .bytes = split_clip(split_frame_bytes(frame))};
    return gt_array_add(&splitter->mem, &splitter->frames, added);
}

static int split_take_frame(void *user_data, const gt_viewer_frame *frame)
{
    struct gt_splitter *splitter = user_data;
    if (!split_enter(splitter))
        return 1;
    return split_leave(splitter, split_add_frame(splitter, frame));
}

static gt_status split_add_part(struct gt_splitter *splitter, size_t first, size_t last)
{
    gt_part part = {
        .first = first,
        .last = last,
        .start_time = splitter->events.items[first].time,
        .end_time = splitter->events.items[last].time,
    };
    return gt_array_add(&splitter->mem, &splitter->parts, part);
}

/* Returns the size of the content that every part has. */
static uint64_t split_common_bytes(const struct gt_splitter *splitter)
{
    static const char frame[] =
        "{\"traceEvents\":[],\"stackFrames\":{},\"displayTimeUnit\":\"\"}\n";
    /* No comma follows the last event. */
    uint64_t required = splitter->required_bytes - (splitter->required_bytes != 0);
    return sizeof(frame) - 1 + splitter->unit_bytes + required;
}

/*
 * Adds a part for the events after the last full part. A single event is added to the previous part
 * instead, because SplittingTraceConsumer of Go's emitter.go makes the same parts.
 */
static gt_status split_add_rest(struct gt_splitter *splitter, size_t first, size_t last)
{
    if (first < last)
        return split_add_part(splitter, first, last);
    gt_part *part = &splitter->parts.items[splitter->parts.count - 1];
    part->last = last;
    part->end_time = splitter->events.items[last].time;
    return GT_OK;
}

/* Determines the parts. The event that makes a part too large is the last one of that part. */
static gt_status split_make_parts(struct gt_splitter *splitter)
{
    const uint64_t common = split_common_bytes(splitter);
    uint64_t bytes = 0, part = SPLIT_COMMON_PART + 1;
    size_t first = 0, last = 0;
    for (size_t i = 0; i < splitter->events.count; i++) {
        const struct split_event *event = &splitter->events.items[i];
        if (event->bytes == 0)
            continue;
        first = bytes == 0 ? i : first;
        last = i;
        bytes += event->bytes + split_count_stack(splitter, event->stack, part) +
                 split_count_stack(splitter, event->end_stack, part);
        if (common + bytes < splitter->part_bytes)
            continue;
        gt_status status = split_add_part(splitter, first, last);
        if (status != GT_OK)
            return status;
        bytes = 0;
        part++;
    }
    /* As in Go, a single full part and the events after it are not split, however many they are. */
    if (splitter->parts.count <= 1)
        splitter->parts.count = 0;
    else if (bytes != 0)
        return split_add_rest(splitter, first, last);
    return GT_OK;
}

static int split_take_flush(void *user_data)
{
    struct gt_splitter *splitter = user_data;
    if (!split_enter(splitter))
        return 1;
    if (splitter->done)
        return split_leave(splitter, GT_ERR_INVALID_ARGUMENT);
    splitter->done = true;
    return split_leave(splitter, split_make_parts(splitter));
}

const gt_part *gt_splitter_parts(const gt_splitter *splitter, size_t *count)
{
    if (count)
        *count = 0;
    if (!splitter || !count || splitter->busy || splitter->status != GT_OK || !splitter->done ||
        splitter->parts.count == 0)
        return NULL;
    *count = splitter->parts.count;
    return splitter->parts.items;
}

gt_status gt_splitter_consumer(gt_splitter *splitter, gt_consumer *consumer)
{
    if (!splitter)
        return GT_ERR_INVALID_ARGUMENT;
    const gt_consumer own = {
        .size = sizeof(own),
        .user_data = splitter,
        .time_unit = split_take_unit,
        .event = split_take_event,
        .frame = split_take_frame,
        .flush = split_take_flush,
    };
    return gt_consumer_give(consumer, &own);
}
