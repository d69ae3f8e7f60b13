/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/viewer_json.h>

#include <string.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "base/sized.h"
#include "viewer/check.h"
#include "writer/consumer.h"
#include "writer/encode.h"
#include "writer/number.h"
#include "writer/out.h"

/* A frame, whose name is in the text, from where that of the frame before ends. */
struct frame {
    uint64_t name_end;
    uint32_t parent;
    uint32_t wanted; /* by an event that was written */
};

enum stage {
    STAGE_NEW,
    STAGE_OPEN,   /* the object is begun, ... */
    STAGE_EVENTS, /* ... and the list of events in it */
    STAGE_DONE
};

struct gt_json_writer {
    struct gt_mem mem;
    gt_status status;
    enum stage stage;
    int busy; /* in a call that may call the caller back */
    uint64_t first;
    uint64_t last;
    uint64_t events;  /* so far, those that are not written as well */
    uint64_t written; /* of them */
    struct frame *frames;
    size_t frame_count;
    size_t frame_capacity;
    char *text;
    size_t text_size;
    size_t text_capacity;
    struct gt_json_out out;
};

static gt_status take_options(gt_json_options *out, gt_allocator *allocator,
                              const gt_json_options *options)
{
    static const gt_json_options defaults = GT_JSON_OPTIONS_INIT;
    *out = defaults;
    if (options) {
        gt_status status =
            gt_struct_take(out, sizeof(*out), GT_UP_TO(gt_json_options, allocator), options);
        if (status != GT_OK)
            return status;
    }
    return out->flags == 0 ? gt_allocator_take(allocator, out->allocator) : GT_ERR_INVALID_ARGUMENT;
}

gt_status gt_json_writer_open(gt_json_writer **out, gt_write_fn write, void *user_data,
                              const gt_json_options *options)
{
    gt_json_options chosen;
    gt_allocator allocator;
    if (out)
        *out = NULL;
    if (!out || !write)
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = take_options(&chosen, &allocator, options);
    if (status != GT_OK)
        return status;
    struct gt_mem mem;
    gt_mem_init(&mem, &allocator, chosen.memory_limit);
    struct gt_json_writer *writer = gt_mem_alloc(&mem, sizeof(*writer));
    if (!writer)
        return gt_mem_failure(&mem);
    memset(writer, 0, offsetof(struct gt_json_writer, out));
    writer->mem = mem;
    writer->first = chosen.first;
    writer->last = chosen.last;
    gt_json_out_init(&writer->out, write, user_data);
    *out = writer;
    return GT_OK;
}

void gt_json_writer_close(gt_json_writer **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    struct gt_json_writer *writer = *out;
    *out = NULL;
    gt_mem_free(&writer->mem, writer->frames, writer->frame_capacity * sizeof(*writer->frames));
    gt_mem_free(&writer->mem, writer->text, writer->text_capacity);
    struct gt_mem mem = writer->mem;
    gt_mem_free(&mem, writer, sizeof(*writer));
}

gt_status gt_json_writer_status(const gt_json_writer *writer)
{
    return writer ? writer->status : GT_ERR_INVALID_ARGUMENT;
}

/* Each function of the consumer begins with this; 0 where it must not go on. */
static int enter(struct gt_json_writer *writer)
{
    if (writer->busy || writer->status != GT_OK)
        return 0;
    writer->busy = 1;
    return 1;
}

/* What the function returns to the emitter. */
static int leave(struct gt_json_writer *writer, gt_status status)
{
    writer->busy = 0;
    if (status == GT_OK && writer->out.failed)
        status = GT_ERR_IO;
    writer->status = status;
    return status != GT_OK;
}

static void begin_object(struct gt_json_writer *writer)
{
    if (writer->stage != STAGE_NEW)
        return;
    GT_JSON_PUT(&writer->out, "{");
    writer->stage = STAGE_OPEN;
}

static void begin_events(struct gt_json_writer *writer)
{
    begin_object(writer);
    if (writer->stage != STAGE_OPEN)
        return;
    GT_JSON_PUT(&writer->out, "\"traceEvents\": [");
    writer->stage = STAGE_EVENTS;
}

static int take_unit(void *user_data, const char *unit)
{
    struct gt_json_writer *writer = user_data;
    if (!enter(writer))
        return 1;
    if (writer->stage != STAGE_NEW || !unit)
        return leave(writer, GT_ERR_INVALID_ARGUMENT);
    begin_object(writer);
    GT_JSON_PUT(&writer->out, "\"displayTimeUnit\":");
    gt_json_put_string(&writer->out, (gt_string){unit, strlen(unit)});
    GT_JSON_PUT(&writer->out, "\n,");
    return leave(writer, GT_OK);
}

/* Where a frame is wanted, those that called it are already. */
static void want_stack(struct gt_json_writer *writer, uint32_t id)
{
    while (id != 0 && id <= writer->frame_count && !writer->frames[id - 1].wanted) {
        writer->frames[id - 1].wanted = 1;
        id = writer->frames[id - 1].parent;
    }
}

static int take_event(void *user_data, const gt_viewer_event *event, int required)
{
    struct gt_json_writer *writer = user_data;
    gt_viewer_event place;
    if (!enter(writer))
        return 1;
    event = gt_viewer_event_take(event, &place);
    if (!event || writer->stage == STAGE_DONE)
        return leave(writer, GT_ERR_INVALID_ARGUMENT);
    uint64_t number = writer->events++;
    if (!required && (number < writer->first || number > writer->last))
        return leave(writer, GT_OK);
    want_stack(writer, event->stack);
    want_stack(writer, event->end_stack);
    gt_json_out_reserve(&writer->out);
    begin_events(writer);
    if (writer->written++ != 0)
        GT_JSON_PUT(&writer->out, ",");
    gt_json_put_event(&writer->out, event);
    return leave(writer, GT_OK);
}

static gt_status add_name(struct gt_json_writer *writer, const gt_viewer_frame *frame)
{
    const size_t line_size = 1 + GT_NUMBER_SIZE;
    if (frame->function.size > SIZE_MAX - writer->text_size - line_size)
        return GT_ERR_LIMIT;
    gt_status status = gt_mem_reserve(&writer->mem, &writer->text, &writer->text_capacity,
                                      writer->text_size + frame->function.size + line_size, 1);
    if (status != GT_OK)
        return status;
    char *at = writer->text + writer->text_size;
    if (frame->function.size != 0)
        memcpy(at, frame->function.data, frame->function.size);
    at += frame->function.size;
    *at++ = ':';
    writer->text_size = (size_t) (gt_decimal_put(at, frame->line) - writer->text);
    return GT_OK;
}

static gt_status add_frame(struct gt_json_writer *writer, const gt_viewer_frame *frame)
{
    gt_viewer_frame place;
    gt_status status;
    frame = gt_viewer_frame_take(frame, &place);
    if (!frame || writer->stage == STAGE_DONE || frame->id == 0 ||
        frame->id - 1 != writer->frame_count || frame->parent >= frame->id)
        return GT_ERR_INVALID_ARGUMENT;
    status = gt_mem_reserve(&writer->mem, &writer->frames, &writer->frame_capacity,
                            writer->frame_count + 1, sizeof(*writer->frames));
    if (status == GT_OK)
        status = add_name(writer, frame);
    if (status != GT_OK)
        return status;
    writer->frames[writer->frame_count++] =
        (struct frame){.name_end = writer->text_size, .parent = frame->parent};
    return GT_OK;
}

static int take_frame(void *user_data, const gt_viewer_frame *frame)
{
    struct gt_json_writer *writer = user_data;
    if (!enter(writer))
        return 1;
    return leave(writer, add_frame(writer, frame));
}

static void put_frame(struct gt_json_writer *writer, size_t id)
{
    struct gt_json_out *out = &writer->out;
    const struct frame *frame = &writer->frames[id - 1];
    size_t name = id > 1 ? (size_t) frame[-1].name_end : 0;
    gt_json_out_reserve(out);
    *out->at++ = '"';
    out->at = gt_decimal_put(out->at, id);
    GT_JSON_PUT(out, "\":{\"name\":");
    gt_json_put_string(out, (gt_string){writer->text + name, (size_t) frame->name_end - name});
    if (frame->parent != 0) {
        GT_JSON_PUT(out, ",\"parent\":");
        out->at = gt_decimal_put(out->at, frame->parent);
    }
    *out->at++ = '}';
}

/*
 * The number from 1 to `last` that follows in the order of decimal texts, which is the
 * order of keys that Go's encoding/json has.
 */
static size_t next_key(size_t key, size_t last)
{
    if (key <= last / 10)
        return key * 10;
    if (key == last)
        key /= 10;
    key++;
    while (key % 10 == 0)
        key /= 10;
    return key;
}

static void put_frames(struct gt_json_writer *writer)
{
    int any = 0;
    size_t key = 1;
    for (size_t i = 0; i < writer->frame_count; i++) {
        if (writer->frames[key - 1].wanted) {
            gt_json_out_reserve(&writer->out);
            if (any)
                GT_JSON_PUT(&writer->out, ",");
            put_frame(writer, key);
            any = 1;
        }
        key = next_key(key, writer->frame_count);
    }
}

static int take_flush(void *user_data)
{
    struct gt_json_writer *writer = user_data;
    struct gt_json_out *out = &writer->out;
    if (!enter(writer))
        return 1;
    if (writer->stage == STAGE_DONE)
        return leave(writer, GT_ERR_INVALID_ARGUMENT);
    gt_json_out_reserve(out);
    begin_events(writer);
    GT_JSON_PUT(out, "], \"stackFrames\":{");
    put_frames(writer);
    gt_json_out_reserve(out);
    GT_JSON_PUT(out, "}\n}\n");
    gt_json_out_flush(out);
    writer->stage = STAGE_DONE;
    return leave(writer, GT_OK);
}

gt_status gt_json_writer_consumer(gt_json_writer *writer, gt_consumer *consumer)
{
    if (!writer)
        return GT_ERR_INVALID_ARGUMENT;
    const gt_consumer own = {
        sizeof(own), writer, take_unit, take_event, take_frame, take_flush,
    };
    return gt_consumer_give(consumer, &own);
}
