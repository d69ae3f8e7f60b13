/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_FORMAT_FORMAT_H
#define GT_FORMAT_FORMAT_H

/* How the parts of an event are written, which its functions share. */

#include <gotrace/format.h>
#include <gotrace/reader.h>

#include "format/digits.h"
#include "format/sink.h"
#include "format/stacktexts.h"
#include "model/words.h"

struct gt_format {
    gt_reader *reader;     /* borrowed */
    const gt_event *event; /* may be a copy, which has its own frames; NULL: ask the reader */
    gt_formatter_options options;
    struct gt_stacktexts *stacks; /* NULL: texts of stacks are not kept */
    /* The last time of 10^8 or more, rounded down to a multiple of that, and its first digits. */
    uint64_t time_base;
    size_t time_size;
    char time_digits[16];
    struct gt_sink sink;
};

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
