/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "raw/scan.h"

enum {
    /* The size of the longest plain record. */
    RECORD_MAX = 1 + GT_RAW_PLAIN_ARGUMENTS * GT_VARINT_MAX
};

static void read_v2_record(struct gt_raw_scan *s, unsigned first)
{
    struct gt_raw_record *record = &s->reader->record;
    uint32_t i = 0;
    /* The experiment is a byte, not a varint: Go's internal/trace/batch.go, readBatch. */
    if (first == GT_WIRE_EXPERIMENTAL_BATCH) {
        record->arguments[i++] = gt_cursor_byte(&s->cursor);
        if (gt_raw_scan_is_good(s))
            gt_raw_scan_width(s, 1, 1);
    }
    for (; i < s->spec->argument_count; i++) {
        bool is_size = first == GT_WIRE_EVENT_BATCH && i == 3;
        record->arguments[i] = gt_raw_scan_number(s, is_size ? GT_RAW_SIZE_WIDTH : 0);
    }
    record->event.argument_count = i;
    if (s->spec->flags & GT_WIRE_HAS_FRAMES)
        gt_raw_scan_frames(s);
    if (s->spec->flags & GT_WIRE_HAS_DATA)
        gt_raw_scan_data(s, first == GT_WIRE_EXPERIMENTAL_BATCH ? GT_RAW_SIZE_WIDTH : 0);
}

/* Reads the header of a batch. The following records belong to the generation in the header. */
static gt_status read_v2_batch(struct gt_raw_reader *reader, const gt_wire_spec *spec)
{
    gt_status status = gt_raw_scan_record(reader, spec, read_v2_record);
    if (status == GT_OK)
        reader->generation = reader->record.arguments[spec->type == GT_WIRE_EVENT_BATCH ? 0 : 1];
    return status;
}

void gt_raw_prepare_plain(struct gt_raw_reader *reader)
{
    for (unsigned i = 0; i < GT_RAW_PLAIN; i++) {
        struct gt_raw_plain *plain = &reader->plain[i];
        plain->event = (gt_raw_event) GT_RAW_EVENT_INIT;
        plain->event.arguments = plain->arguments;
    }
    for (unsigned type = 0; type < 256; type++) {
        const gt_wire_spec *spec = reader->specs[type];
        bool is_plain = spec && !(spec->flags & (GT_WIRE_HAS_DATA | GT_WIRE_HAS_FRAMES)) &&
                        type != GT_WIRE_EVENT_BATCH;
        reader->plain_counts[type] = is_plain ? (uint8_t) spec->argument_count : UINT8_MAX;
    }
}

/* Reads numbers of their usual widths. Returns NULL if one has another width. */
static const uint8_t *plain_read_numbers(const uint8_t *p, unsigned count, uint64_t *numbers)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = *p++;
        if (value >= 0x80) {
            p = gt_varint_long(p - 1, &value);
            if (!p || p[-1] == 0)
                return NULL;
        }
        numbers[i] = value;
    }
    return p;
}

/* Reads plain records up to the first record that is not plain, which may be the next one. */
static void plain_read(struct gt_raw_reader *reader)
{
    struct gt_source *source = &reader->input.source;
    const uint8_t *p = source->cur;
    uint64_t offset = gt_source_offset(source);
    unsigned count = 0;
    while (count < GT_RAW_PLAIN && source->end - p >= RECORD_MAX) {
        struct gt_raw_plain *plain = &reader->plain[count];
        unsigned numbers = reader->plain_counts[*p];
        if (numbers > GT_RAW_PLAIN_ARGUMENTS)
            break;
        const uint8_t *end = plain_read_numbers(p + 1, numbers, plain->arguments);
        if (!end)
            break;
        plain->event.type = *p;
        plain->event.argument_count = numbers;
        plain->event.offset = offset;
        plain->event.length = (uint64_t) (end - p);
        offset += (uint64_t) (end - p);
        p = end;
        count++;
    }
    source->cur = p;
    reader->next = reader->plain;
    reader->end = reader->plain + count;
}

gt_status gt_raw_read_v2(struct gt_raw_reader *reader)
{
    struct gt_source *source = &reader->input.source;
    gt_source_drop(source);
    gt_status status = gt_source_need(source, RECORD_MAX);
    if (status != GT_OK && (status != GT_AGAIN || gt_source_left(source) == 0))
        return status;
    if (gt_source_left(source) == 0)
        return GT_END;
    plain_read(reader);
    if (reader->next != reader->end)
        return GT_OK;
    const gt_wire_spec *spec = reader->specs[*source->cur];
    if (!spec)
        return gt_error_set(&reader->input.fault, GT_ERR_EVENT, gt_source_offset(source),
                            reader->generation, "byte %u is no type of record in traces of Go 1.%u",
                            (uint64_t) *source->cur, (uint64_t) reader->input.version);
    if (spec->type == GT_WIRE_EVENT_BATCH || spec->type == GT_WIRE_EXPERIMENTAL_BATCH)
        return read_v2_batch(reader, spec);
    return gt_raw_scan_record(reader, spec, read_v2_record);
}
