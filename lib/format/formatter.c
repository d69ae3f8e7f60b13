/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "base/object.h"
#include "format/format.h"

enum {
    /* The size of the parts that gt_formatter_write writes. */
    PART_SIZE = 16 * 1024
};

struct gt_formatter {
    struct gt_mem mem;
    gt_formatter_options options;
    bool busy; /* in a callback of the caller */
    struct gt_stacktexts stacks;
    struct gt_format format;
    char part[PART_SIZE];
};

gt_status gt_formatter_open(gt_formatter **formatter, gt_reader *reader,
                            const gt_formatter_options *options, gt_error *error)
{
    static const gt_formatter_options defaults = GT_FORMATTER_OPTIONS_INIT;
    static const struct gt_object_layout layout = GT_OBJECT_LAYOUT(
        "formatter", gt_formatter, gt_formatter_options, escape, 0, &defaults, NULL);
    gt_status status;
    if (!formatter)
        return gt_error_report_refusal(error, "formatter is NULL");
    *formatter = NULL;
    if (!reader)
        return gt_error_report_refusal(error, "reader is NULL");
    struct gt_formatter *f = gt_object_open(formatter, &layout, options, error, &status);
    if (!f)
        return status;
    gt_stacktexts_init(&f->stacks, &f->mem);
    gt_format_init(&f->format, reader);
    f->format.options = f->options;
    f->format.stacks = &f->stacks;
    *formatter = f;
    return GT_OK;
}

void gt_formatter_close(gt_formatter **formatter)
{
    struct gt_formatter *f = formatter ? *formatter : NULL;
    if (!f || f->busy)
        return;
    gt_stacktexts_destroy(&f->stacks);
    gt_mem_delete(&f->mem, f, sizeof(*f));
    *formatter = NULL;
}

static gt_status formatter_run(gt_formatter *formatter, const gt_event *event)
{
    formatter->busy = true;
    gt_status status = gt_format_event(&formatter->format, event);
    formatter->busy = false;
    return status;
}

gt_status gt_formatter_event(gt_formatter *formatter, const gt_event *event, char *text,
                             size_t room, size_t *size)
{
    if (!formatter || formatter->busy || !gt_format_knows(formatter->format.reader, event) ||
        !size || (!text && room > 0))
        return GT_ERR_INVALID_ARGUMENT;
    gt_sink_to_buffer(&formatter->format.sink, text, room);
    gt_status status = formatter_run(formatter, event);
    *size = gt_sink_finish(&formatter->format.sink);
    return status;
}

gt_status gt_formatter_write(gt_formatter *formatter, const gt_event *event, gt_write_fn write,
                             void *user_data)
{
    if (!formatter || formatter->busy || !gt_format_knows(formatter->format.reader, event) ||
        !write)
        return GT_ERR_INVALID_ARGUMENT;
    struct gt_sink *sink = &formatter->format.sink;
    gt_sink_to_function(sink, formatter->part, PART_SIZE, write, user_data);
    gt_status status = formatter_run(formatter, event);
    formatter->busy = true;
    gt_sink_finish(sink);
    formatter->busy = false;
    return sink->failed ? GT_ERR_IO : status;
}
