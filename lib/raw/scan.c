/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw/scan.h"

#include "base/error.h"

static void scan_fail_memory(struct gt_raw_scan *scan)
{
    scan->status =
        gt_error_plain(&scan->reader->input.fault, gt_mem_failure(&scan->reader->input.mem));
}

void gt_raw_scan_width(struct gt_raw_scan *scan, size_t width, size_t usual)
{
    uint8_t *place = gt_raw_add_width(&scan->reader->input.mem, &scan->reader->record);
    if (!place) {
        scan_fail_memory(scan);
        return;
    }
    *place = (uint8_t) width;
    scan->is_unusual |= width != usual;
}

uint64_t gt_raw_scan_number(struct gt_raw_scan *scan, unsigned usual)
{
    const uint8_t *start = scan->cursor.p;
    uint64_t value = gt_cursor_varint(&scan->cursor);
    if (gt_raw_scan_is_good(scan))
        gt_raw_scan_width(scan, (size_t) (scan->cursor.p - start),
                          usual != 0 ? usual : gt_raw_width(value));
    return value;
}

void gt_raw_scan_arguments(struct gt_raw_scan *scan)
{
    struct gt_raw_record *record = &scan->reader->record;
    for (uint32_t i = 0; i < scan->spec->argument_count; i++)
        record->arguments[i] = gt_raw_scan_number(scan, 0);
    record->event.argument_count = scan->spec->argument_count;
}

static void scan_frame(struct gt_raw_scan *scan)
{
    gt_raw_frame frame = {0, 0, 0, 0};
    frame.pc = gt_raw_scan_number(scan, 0);
    if (!(scan->spec->flags & GT_WIRE_BARE_FRAMES)) {
        frame.function = gt_raw_scan_number(scan, 0);
        frame.file = gt_raw_scan_number(scan, 0);
        frame.line = gt_raw_scan_number(scan, 0);
    }
    if (!gt_raw_scan_is_good(scan))
        return;
    gt_raw_frame *place = gt_raw_add_frame(&scan->reader->input.mem, &scan->reader->record);
    if (place)
        *place = frame;
    else
        scan_fail_memory(scan);
}

void gt_raw_scan_frames(struct gt_raw_scan *scan)
{
    const struct gt_raw_record *record = &scan->reader->record;
    uint64_t count = record->arguments[scan->spec->argument_count - 1];
    for (uint64_t i = 0; i < count && gt_raw_scan_is_good(scan); i++)
        scan_frame(scan);
}

void gt_raw_scan_data(struct gt_raw_scan *scan, unsigned usual)
{
    gt_raw_event *event = &scan->reader->record.event;
    uint64_t size = gt_raw_scan_number(scan, usual);
    if (!gt_raw_scan_is_good(scan))
        return;
    if (size > gt_cursor_left(&scan->cursor)) {
        gt_cursor_fail(&scan->cursor, GT_VARINT_CUT);
        return;
    }
    event->data.data = (const char *) scan->cursor.p;
    event->data.size = (size_t) size;
    scan->cursor.p += size;
}

/* Completes the record that was read, or sets the error if it could not be read. */
static gt_status scan_finish(struct gt_raw_scan *scan)
{
    struct gt_raw_reader *reader = scan->reader;
    struct gt_source *source = &reader->input.source;
    gt_raw_event *event = &reader->record.event;
    uint64_t offset = gt_source_offset(source);
    if (scan->status != GT_OK)
        return scan->status;
    if (scan->cursor.fault == GT_VARINT_CUT)
        return gt_raw_fail(reader, GT_ERR_TRUNCATED, offset,
                           "%s is cut off by the end of the input", scan->spec->name, 0, 0);
    if (scan->cursor.fault == GT_VARINT_OVERFLOW)
        return gt_raw_fail(reader, GT_ERR_EVENT, offset, "%s has a number of more than 64 bits",
                           scan->spec->name, 0, 0);
    event->type = scan->spec->type;
    event->offset = offset;
    event->length = (uint64_t) (scan->cursor.p - source->cur);
    if (!scan->is_unusual) {
        event->widths = NULL;
        event->width_count = 0;
    }
    source->cur = scan->cursor.p;
    return GT_OK;
}

gt_status gt_raw_scan_record(struct gt_raw_reader *reader, const gt_wire_spec *spec,
                             gt_raw_scan_fn *read)
{
    struct gt_source *source = &reader->input.source;
    for (;;) {
        struct gt_raw_scan scan = {.reader = reader, .spec = spec};
        scan.cursor = gt_cursor_make(source->cur, gt_source_left(source));
        gt_raw_clear(&reader->record);
        unsigned first = gt_cursor_byte(&scan.cursor);
        read(&scan, first);
        if (scan.cursor.fault != GT_VARINT_CUT || scan.status != GT_OK || source->ended)
            return scan_finish(&scan);
        size_t seen = gt_source_left(source);
        gt_status status = gt_source_need(source, 2 * seen);
        if (status != GT_OK && (status != GT_AGAIN || gt_source_left(source) == seen))
            return status;
    }
}
