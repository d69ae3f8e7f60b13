/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw/raw.h"

#include "base/error.h"

gt_raw_frame *gt_raw_add_frame(struct gt_mem *mem, struct gt_raw_record *record)
{
    if (gt_mem_reserve(mem, &record->frames, &record->frame_capacity, record->event.frame_count + 1,
                       sizeof(*record->frames)) != GT_OK)
        return NULL;
    record->event.frames = record->frames;
    return &record->frames[record->event.frame_count++];
}

uint8_t *gt_raw_add_width(struct gt_mem *mem, struct gt_raw_record *record)
{
    if (gt_mem_reserve(mem, &record->widths, &record->width_capacity, record->event.width_count + 1,
                       1) != GT_OK)
        return NULL;
    record->event.widths = record->widths;
    return &record->widths[record->event.width_count++];
}

void gt_raw_clear(struct gt_raw_record *record)
{
    record->event = (gt_raw_event) GT_RAW_EVENT_INIT;
    record->event.arguments = record->arguments;
}

gt_status gt_raw_fail(struct gt_raw_reader *reader, gt_status status, uint64_t offset,
                      const char *text, const char *name, uint64_t a, uint64_t b)
{
    return gt_error_set(&reader->input.fault, status, offset, reader->generation, text, name, a, b);
}
