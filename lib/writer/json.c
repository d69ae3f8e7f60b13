/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/viewer_json.h>

#include <string.h>

#include "base/array.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/object.h"
#include "viewer/check.h"
#include "writer/consumer.h"
#include "writer/encode.h"
#include "writer/number.h"
#include "writer/out.h"

struct json_frame {
    uint64_t name_end; /* the end of its name in `names`, where the next name begins */
    uint32_t parent;
    bool is_used; /* an event that was written refers to it */
};

enum json_stage {
    JSON_NEW,
    JSON_IN_OBJECT, /* the object has begun */
    JSON_IN_EVENTS, /* the list of events has begun, too */
    JSON_DONE
};

struct gt_json_writer {
    struct gt_mem mem;
    gt_json_options options;
    gt_status status;
    enum json_stage stage;
    bool busy;                          /* in a call that may call back the caller */
    uint64_t events;                    /* the number of events received so far */
    uint64_t written;                   /* the number of events written so far */
    GT_ARRAY(struct json_frame) frames; /* indexed by id - 1 */
    GT_ARRAY(char) names;               /* the names of all frames */
    struct gt_json_out out;
    char buffer[GT_JSON_BUFFER];
};

gt_status gt_json_writer_open(gt_json_writer **out, gt_write_fn write, void *user_data,
                              const gt_json_options *options, gt_error *error)
{
    static const gt_json_options defaults = GT_JSON_OPTIONS_INIT;
    static const struct gt_object_layout layout =
        GT_OBJECT_LAYOUT("writer", gt_json_writer, gt_json_options, allocator, 0, &defaults, NULL);
    if (!out)
        return gt_error_report_refusal(error, "writer is NULL");
    *out = NULL;
    if (!write)
        return gt_error_report_refusal(error, "write is NULL");
    gt_status status;
    struct gt_json_writer *writer = gt_object_open(out, &layout, options, error, &status);
    if (!writer)
        return status;
    gt_json_out_init(&writer->out, writer->buffer, sizeof(writer->buffer), write, user_data);
    *out = writer;
    return GT_OK;
}

void gt_json_writer_close(gt_json_writer **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    struct gt_json_writer *writer = *out;
    *out = NULL;
    gt_array_free(&writer->mem, &writer->frames);
    gt_array_free(&writer->mem, &writer->names);
    gt_mem_delete(&writer->mem, writer, sizeof(*writer));
}

gt_status gt_json_writer_status(const gt_json_writer *writer)
{
    return writer ? writer->status : GT_ERR_INVALID_ARGUMENT;
}

/* Begins each function of the consumer. If it returns false, the function must return 1 at once. */
static bool json_enter(struct gt_json_writer *writer)
{
    if (writer->busy || writer->status != GT_OK)
        return false;
    writer->busy = true;
    return true;
}

/* Ends each function of the consumer, which returns the result to the emitter. */
static int json_leave(struct gt_json_writer *writer, gt_status status)
{
    writer->busy = false;
    if (status == GT_OK && writer->out.failed)
        status = GT_ERR_IO;
    writer->status = status;
    return status != GT_OK;
}

static void json_begin_object(struct gt_json_writer *writer)
{
    if (writer->stage != JSON_NEW)
        return;
    GT_JSON_PUT(&writer->out, "{");
    writer->stage = JSON_IN_OBJECT;
}

static void json_begin_events(struct gt_json_writer *writer)
{
    json_begin_object(writer);
    if (writer->stage != JSON_IN_OBJECT)
        return;
    GT_JSON_PUT(&writer->out, "\"traceEvents\": [");
    writer->stage = JSON_IN_EVENTS;
}

static int json_take_unit(void *user_data, const char *unit)
{
    struct gt_json_writer *writer = user_data;
    if (!json_enter(writer))
        return 1;
    if (writer->stage != JSON_NEW || !unit)
        return json_leave(writer, GT_ERR_INVALID_ARGUMENT);
    json_begin_object(writer);
    GT_JSON_PUT(&writer->out, "\"displayTimeUnit\":");
    gt_json_put_string(&writer->out, (gt_string){unit, strlen(unit)});
    GT_JSON_PUT(&writer->out, "\n,");
    return json_leave(writer, GT_OK);
}

/*
 * Marks the frames of a stack as used. The loop stops at a used frame, because its callers are
 * already marked.
 */
static void json_use_stack(struct gt_json_writer *writer, uint32_t id)
{
    struct json_frame *frames = writer->frames.items;
    while (id != 0 && id <= writer->frames.count && !frames[id - 1].is_used) {
        frames[id - 1].is_used = true;
        id = frames[id - 1].parent;
    }
}

static int json_take_event(void *user_data, const gt_viewer_event *in, int required)
{
    struct gt_json_writer *writer = user_data;
    gt_viewer_event copy;
    if (!json_enter(writer))
        return 1;
    const gt_viewer_event *event = gt_viewer_event_take(in, &copy);
    if (!event || writer->stage == JSON_DONE)
        return json_leave(writer, GT_ERR_INVALID_ARGUMENT);
    uint64_t ordinal = writer->events++;
    if (!required && (ordinal < writer->options.first || ordinal > writer->options.last))
        return json_leave(writer, GT_OK);
    json_use_stack(writer, event->stack);
    json_use_stack(writer, event->end_stack);
    gt_json_out_reserve(&writer->out);
    json_begin_events(writer);
    if (writer->written++ != 0)
        GT_JSON_PUT(&writer->out, ",");
    gt_json_put_event(&writer->out, event);
    return json_leave(writer, GT_OK);
}

/* Adds the name of a frame, "FUNCTION:LINE". */
static gt_status json_add_name(struct gt_json_writer *writer, const gt_viewer_frame *frame)
{
    const size_t line_size = 1 + GT_DECIMAL_MAX;
    const size_t size = frame->function.size;
    if (size > SIZE_MAX - writer->names.count - line_size)
        return GT_ERR_LIMIT;
    gt_status status = gt_array_reserve(&writer->mem, &writer->names, size + line_size);
    if (status != GT_OK)
        return status;
    char *to = writer->names.items + writer->names.count;
    if (size != 0)
        memcpy(to, frame->function.data, size);
    to += size;
    *to++ = ':';
    writer->names.count = (size_t) (gt_decimal_put(to, frame->line) - writer->names.items);
    return GT_OK;
}

static gt_status json_add_frame(struct gt_json_writer *writer, const gt_viewer_frame *in)
{
    gt_viewer_frame copy;
    const gt_viewer_frame *frame = gt_viewer_frame_take(in, &copy);
    if (!frame || writer->stage == JSON_DONE || frame->id == 0 ||
        frame->id - 1 != writer->frames.count || frame->parent >= frame->id)
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = gt_array_reserve(&writer->mem, &writer->frames, 1);
    if (status == GT_OK)
        status = json_add_name(writer, frame);
    if (status != GT_OK)
        return status;
    writer->frames.items[writer->frames.count++] =
        (struct json_frame){.name_end = writer->names.count, .parent = frame->parent};
    return GT_OK;
}

static int json_take_frame(void *user_data, const gt_viewer_frame *frame)
{
    struct gt_json_writer *writer = user_data;
    if (!json_enter(writer))
        return 1;
    return json_leave(writer, json_add_frame(writer, frame));
}

static void json_put_frame(struct gt_json_writer *writer, size_t id)
{
    struct gt_json_out *out = &writer->out;
    const struct json_frame *frame = &writer->frames.items[id - 1];
    size_t name = id > 1 ? (size_t) frame[-1].name_end : 0;
    gt_json_out_reserve(out);
    *out->end++ = '"';
    out->end = gt_decimal_put(out->end, id);
    GT_JSON_PUT(out, "\":{\"name\":");
    gt_json_put_string(out,
                       (gt_string){writer->names.items + name, (size_t) frame->name_end - name});
    if (frame->parent != 0) {
        GT_JSON_PUT(out, ",\"parent\":");
        out->end = gt_decimal_put(out->end, frame->parent);
    }
    *out->end++ = '}';
}

/*
 * Returns the successor of `key` among the numbers from 1 to `last` in the order of their decimal
 * texts, because Go's encoding/json sorts keys as texts.
 */
static size_t json_next_key(size_t key, size_t last)
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

static void json_put_frames(struct gt_json_writer *writer)
{
    bool is_first = true;
    size_t key = 1;
    for (size_t i = 0; i < writer->frames.count; i++) {
        if (writer->frames.items[key - 1].is_used) {
            gt_json_out_reserve(&writer->out);
            if (!is_first)
                GT_JSON_PUT(&writer->out, ",");
            json_put_frame(writer, key);
            is_first = false;
        }
        key = json_next_key(key, writer->frames.count);
    }
}

static int json_take_flush(void *user_data)
{
    struct gt_json_writer *writer = user_data;
    struct gt_json_out *out = &writer->out;
    if (!json_enter(writer))
        return 1;
    if (writer->stage == JSON_DONE)
        return json_leave(writer, GT_ERR_INVALID_ARGUMENT);
    gt_json_out_reserve(out);
    json_begin_events(writer);
    GT_JSON_PUT(out, "], \"stackFrames\":{");
    json_put_frames(writer);
    gt_json_out_reserve(out);
    GT_JSON_PUT(out, "}\n}\n");
    gt_json_out_flush(out);
    writer->stage = JSON_DONE;
    return json_leave(writer, GT_OK);
}

gt_status gt_json_writer_consumer(gt_json_writer *writer, gt_consumer *consumer)
{
    if (!writer)
        return GT_ERR_INVALID_ARGUMENT;
    const gt_consumer own = {
        .size = sizeof(own),
        .user_data = writer,
        .time_unit = json_take_unit,
        .event = json_take_event,
        .frame = json_take_frame,
        .flush = json_take_flush,
    };
    return gt_consumer_give(consumer, &own);
}
