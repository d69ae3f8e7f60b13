/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"
#include "raw/text.h"
#include "raw/writer.h"

/* Writes the text form as Go does: internal/trace/raw/event.go, String. */

enum {
    /* The maximum size of " name=" and a number. */
    NUMBER_MAX = GT_RAW_NAME_MAX + 2 + GT_DECIMAL_MAX,
    /* The maximum size of the first line of a record. */
    LINE_MAX_BYTES = GT_RAW_NAME_MAX + GT_RAW_ARGUMENTS * NUMBER_MAX + 1,
    /* The maximum size of the line of a frame. */
    FRAME_MAX = 2 + 4 * NUMBER_MAX,
    /* The room that gt_string_quote needs at least to make progress. */
    QUOTE_MIN = 16
};

static char *text_put_argument(char *to, const char *name, uint64_t value)
{
    *to++ = ' ';
    to = gt_text_put(to, name);
    *to++ = '=';
    return gt_decimal_put(to, value);
}

#define PUT_LITERAL(to, text) ((char *) memcpy((to), (text), sizeof(text) - 1) + sizeof(text) - 1)

static gt_status text_put_widths(struct gt_out *out, const gt_raw_event *event)
{
    /* A width has at most two digits, and a space before it. */
    char *to = gt_out_reserve(out, sizeof(GT_RAW_WIDTHS "\n") + 3 * event->width_count);
    if (!to)
        return gt_mem_failure(out->mem);
    to = PUT_LITERAL(to, GT_RAW_WIDTHS);
    for (size_t i = 0; i < event->width_count; i++) {
        *to++ = ' ';
        to = gt_decimal_put(to, event->widths[i]);
    }
    *to++ = '\n';
    gt_out_commit(out, to);
    return GT_OK;
}

static gt_status text_put_frames(struct gt_out *out, const gt_wire_spec *spec,
                                 const gt_raw_event *event)
{
    for (size_t i = 0; i < event->frame_count; i++) {
        const gt_raw_frame *frame = &event->frames[i];
        char *to = gt_out_reserve(out, FRAME_MAX);
        if (!to)
            return gt_mem_failure(out->mem);
        to = gt_decimal_put(PUT_LITERAL(to, "\tpc="), frame->pc);
        if (!(spec->flags & GT_WIRE_BARE_FRAMES)) {
            to = gt_decimal_put(PUT_LITERAL(to, " func="), frame->function);
            to = gt_decimal_put(PUT_LITERAL(to, " file="), frame->file);
            to = gt_decimal_put(PUT_LITERAL(to, " line="), frame->line);
        }
        *to++ = '\n';
        gt_out_commit(out, to);
    }
    return GT_OK;
}

static gt_status text_put_data(struct gt_out *out, const gt_raw_event *event)
{
    static const char before[] = "\tdata=\"";
    gt_string rest = event->data;
    char *to = gt_out_reserve(out, sizeof(before));
    if (!to)
        return gt_mem_failure(out->mem);
    gt_out_commit(out, PUT_LITERAL(to, before));
    while (rest.size != 0) {
        size_t room = rest.size + QUOTE_MIN;
        to = gt_out_reserve(out, room);
        if (!to)
            return gt_mem_failure(out->mem);
        gt_out_commit(out, to + gt_string_quote(&rest, to, room));
    }
    to = gt_out_reserve(out, 2);
    if (!to)
        return gt_mem_failure(out->mem);
    gt_out_commit(out, PUT_LITERAL(to, "\"\n"));
    return GT_OK;
}

gt_status gt_raw_put_text(struct gt_out *out, bool as_go, const gt_wire_spec *spec,
                          const gt_raw_event *event)
{
    gt_status status = event->widths && !as_go ? text_put_widths(out, event) : GT_OK;
    char *to = status == GT_OK ? gt_out_reserve(out, LINE_MAX_BYTES) : NULL;
    if (!to)
        return gt_mem_failure(out->mem);
    to = gt_text_put(to, spec->name);
    for (uint32_t i = 0; i < spec->argument_count; i++)
        to = text_put_argument(to, spec->arguments[i].name, event->arguments[i]);
    *to++ = '\n';
    gt_out_commit(out, to);
    if (event->frame_count != 0)
        status = text_put_frames(out, spec, event);
    if (status == GT_OK && (spec->flags & GT_WIRE_HAS_DATA) && (event->data.size != 0 || !as_go))
        status = text_put_data(out, event);
    return status;
}

gt_status gt_raw_put_text_header(struct gt_out *out, uint32_t version)
{
    static const char before[] = "Trace Go1.";
    char *to = gt_out_reserve(out, sizeof(before) + GT_DECIMAL_MAX);
    if (!to)
        return gt_mem_failure(out->mem);
    to = gt_decimal_put(PUT_LITERAL(to, before), version);
    *to++ = '\n';
    gt_out_commit(out, to);
    return GT_OK;
}
