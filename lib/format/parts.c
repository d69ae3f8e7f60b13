/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/hex.h"
#include "base/sized.h"
#include "format/format.h"

/* The parts of events that have a text of their own: resources, values, ranges and stacks. */

enum {
    /* The most bytes of a frame besides its two names: the separators and two numbers. */
    FRAME_EXTRA = 16 + 2 * GT_DECIMAL_MAX
};

void gt_format_resource(struct gt_sink *sink, const gt_resource *resource)
{
    char *to = gt_sink_reserve(sink, GT_SINK_PIECE);
    to = gt_sink_put(to, gt_resource_kind_name(resource->kind));
    if (resource->kind != GT_RESOURCE_NONE) {
        *to++ = '(';
        to = gt_digits_put_signed(to, resource->id);
        *to++ = ')';
    }
    gt_sink_commit(sink, to);
}

size_t gt_resource_format(const gt_resource *resource, char *text, size_t room)
{
    struct gt_sink sink;
    gt_sink_to_buffer(&sink, text, room);
    if (resource)
        gt_format_resource(&sink, resource);
    return gt_sink_finish(&sink);
}

/* Go does not quote strings here. */
void gt_format_value(struct gt_format *format, const gt_value *value)
{
    if (value->kind == GT_VALUE_STRING) {
        gt_format_string(format, value->string);
        return;
    }
    char *to = gt_sink_reserve(&format->sink, GT_SINK_PIECE);
    if (value->kind == GT_VALUE_UINT64) {
        to = gt_digits_put(gt_sink_put(to, "Value{Uint64("), value->number);
        to = gt_sink_put(to, ")}");
    } else {
        to = gt_sink_put(to, "Value{Bad}");
    }
    gt_sink_commit(&format->sink, to);
}

size_t gt_value_format(const gt_value *value, char *text, size_t room)
{
    struct gt_format format;
    gt_format_init(&format, NULL);
    gt_sink_to_buffer(&format.sink, text, room);
    if (value)
        gt_format_value(&format, value);
    return gt_sink_finish(&format.sink);
}

size_t gt_range_format_name(const gt_range *range, char *text, size_t room)
{
    struct gt_sink sink;
    gt_sink_to_buffer(&sink, text, room);
    if (gt_struct_fits(range, GT_UP_TO(gt_range, scope))) {
        gt_sink_bytes(&sink, range->name.data, range->name.size);
        if (range->has_cause) {
            gt_sink_text(&sink, " (");
            gt_sink_bytes(&sink, range->cause.data, range->cause.size);
            gt_sink_text(&sink, ")");
        }
    }
    return gt_sink_finish(&sink);
}

static void format_frame(struct gt_format *format, const gt_frame *frame)
{
    struct gt_sink *sink = &format->sink;
    gt_sink_bytes(sink, "\t", 1);
    gt_format_string(format, frame->function);
    char *to = gt_sink_reserve(sink, FRAME_EXTRA);
    to = gt_hex_put(gt_sink_put(to, " @ 0x"), frame->pc);
    gt_sink_commit(sink, gt_sink_put(to, "\n\t\t"));
    gt_format_string(format, frame->file);
    to = gt_sink_reserve(sink, FRAME_EXTRA);
    *to++ = ':';
    to = gt_digits_put(to, frame->line);
    *to++ = '\n';
    gt_sink_commit(sink, to);
}

gt_status gt_format_frames(struct gt_format *format, gt_stack stack)
{
    struct gt_sink *sink = &format->sink;
    const gt_frame *frames;
    size_t count;
    gt_status status = gt_event_frames(format->reader, format->event, stack, &frames, &count);
    if (status != GT_OK)
        return status;
    const char *window = sink->start, *start = sink->to;
    size_t gone = sink->gone;
    for (size_t i = 0; i < count; i++)
        format_frame(format, &frames[i]);
    /* The text is contiguous if the window is still the same. */
    struct gt_stacktexts *texts = gt_format_stack_texts(format);
    if (texts && sink->gone == gone && sink->start == window)
        gt_stacktexts_keep(texts, stack, start, (size_t) (sink->to - start));
    return GT_OK;
}

gt_status gt_stack_format(gt_reader *reader, gt_stack stack, char *text, size_t room, size_t *size)
{
    struct gt_format format;
    if (!reader || !size || (!text && room > 0))
        return GT_ERR_INVALID_ARGUMENT;
    gt_format_init(&format, reader);
    gt_sink_to_buffer(&format.sink, text, room);
    gt_status status = gt_format_frames(&format, stack);
    *size = gt_sink_finish(&format.sink);
    return status;
}
