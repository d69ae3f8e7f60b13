/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_FORMAT_FORMAT_H
#define GT_FORMAT_FORMAT_H

/* The state of formatting, which the functions that write the parts of an event share. */

#include <gotrace/format.h>
#include <gotrace/reader.h>

#include "format/digits.h"
#include "format/sink.h"
#include "format/stacktexts.h"
#include "model/event.h"
#include "model/words.h"

struct gt_format {
    gt_reader *reader; /* borrowed */
    const gt_event
        *event; /* the event that is written, which may be a copy with frames of its own; or NULL */
    gt_formatter_options options;
    struct gt_stacktexts *stacks; /* NULL: texts of stacks are not kept */
    /* The last time of 10^8 or more, rounded down to a multiple of that, and its first digits. */
    uint64_t time_base;
    size_t time_size;
    char time_digits[16];
    struct gt_sink sink;
};

/* Sets all members but the sink, for which its own functions exist. */
static inline void gt_format_init(struct gt_format *format, gt_reader *reader)
{
    static const gt_formatter_options defaults = GT_FORMATTER_OPTIONS_INIT;
    format->reader = reader;
    format->event = NULL;
    format->options = defaults;
    format->stacks = NULL;
    format->time_base = 0;
    format->time_size = 0;
}

/*
 * The texts by handles of the reader's stacks. NULL if texts are not kept, or if the event is a
 * copy, whose handles may be those of another reader.
 */
static inline struct gt_stacktexts *gt_format_stack_texts(const struct gt_format *format)
{
    return format->stacks && !gt_event_is_copy(format->event) ? format->stacks : NULL;
}

/* Whether the strings and stacks of the event are those of the reader, or its own. */
static inline bool gt_format_knows(const gt_reader *reader, const gt_event *event)
{
    return gt_reader_has_event(reader, event) || gt_event_is_copy(event);
}

/* Writes a string of the trace that Go does not quote. */
static inline void gt_format_string(struct gt_format *format, gt_string string)
{
    if (format->options.escape)
        gt_sink_escaped(&format->sink, string, format->options.escape);
    else
        gt_sink_bytes(&format->sink, string.data, string.size);
}

void gt_format_resource(struct gt_sink *sink, const gt_resource *resource);
void gt_format_value(struct gt_format *format, const gt_value *value);

/*
 * Writes the frames of a stack, and keeps the text if it is in one piece. Returns GT_OK, or the
 * error of gt_stack_view.
 */
gt_status gt_format_frames(struct gt_format *format, gt_stack stack);

/* Writes an event. Returns GT_OK, or the error of gt_stack_view. */
gt_status gt_format_event(struct gt_format *format, const gt_event *event);

#endif
