/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "raw/scan.h"
#include "raw/v1.h"
#include "v1/spec.h"

/* The binary form of v1: Go 1.21's internal/trace/parser.go, readTrace. */

static void read_v1_fail_count(struct gt_raw_scan *s)
{
    s->status = gt_raw_fail(s->reader, GT_ERR_EVENT, gt_source_offset(&s->reader->input.source),
                            "%s does not have the %u numbers that it should", s->spec->name,
                            s->spec->argument_count, 0);
}

/*
 * Reads a string: its id, its size and its bytes. The high bits of its first byte have no meaning.
 */
static void read_v1_string(struct gt_raw_scan *s, unsigned code)
{
    gt_raw_scan_width(s, code, 0);
    gt_raw_scan_arguments(s);
    gt_raw_scan_data(s, 0);
}

/* Reads numbers and frames, and checks their count against the record. */
static void read_v1_numbers(struct gt_raw_scan *s, unsigned code)
{
    uint32_t version = s->reader->input.version;
    struct gt_raw_record *record = &s->reader->record;
    const uint8_t *end = NULL;
    uint64_t size = 0;
    if (code == GT_V1_COUNTED) {
        size = gt_raw_scan_number(s, 0);
        end = s->cursor.p;
    } else {
        gt_raw_scan_width(s, 0, 0);
    }
    gt_raw_scan_arguments(s);
    if (s->spec->flags & GT_WIRE_HAS_FRAMES)
        gt_raw_scan_frames(s);
    if (!gt_raw_scan_is_good(s))
        return;
    uint64_t numbers = gt_raw_v1_numbers(s->spec, &record->event);
    if (end ? (uint64_t) (s->cursor.p - end) != size
            : numbers != code + gt_raw_v1_uncounted(version))
        read_v1_fail_count(s);
    s->is_unusual |= (end != NULL) != gt_raw_v1_is_counted(version, s->spec, numbers);
}

static void read_v1_record(struct gt_raw_scan *s, unsigned first)
{
    if (s->spec->type == GT_V1_STRING) {
        read_v1_string(s, first >> 6);
        return;
    }
    read_v1_numbers(s, first >> 6);
    if (s->spec->flags & GT_WIRE_HAS_DATA)
        gt_raw_scan_data(s, 0);
}

gt_status gt_raw_read_v1(struct gt_raw_reader *reader)
{
    struct gt_source *source = &reader->input.source;
    gt_source_drop(source);
    gt_status status = gt_source_need(source, 1);
    if (status != GT_OK)
        return status;
    if (gt_source_left(source) == 0)
        return GT_END;
    unsigned type = *source->cur & 0x3f;
    const gt_wire_spec *spec = reader->specs[type];
    if (!spec)
        return gt_error_set(&reader->input.fault, GT_ERR_EVENT, gt_source_offset(source), 0,
                            "there is no record of type %u in traces of Go 1.%u", (uint64_t) type,
                            (uint64_t) reader->input.version);
    return gt_raw_scan_record(reader, spec, read_v1_record);
}
