/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw/widths.h"

#include "base/varint.h"
#include "raw/v1.h"
#include "source/header.h"

/* The state of comparing the widths of a record with its numbers. */
struct widths {
    const uint8_t *next;
    uint64_t bytes; /* the sum of the widths so far */
    bool fit;       /* all widths so far are large enough */
};

static void widths_check(struct widths *widths, uint64_t value)
{
    unsigned given = *widths->next++;
    widths->bytes += given;
    widths->fit &= given >= gt_raw_width(value) && given <= GT_VARINT_MAX;
}

static void widths_check_arguments(struct widths *widths, const gt_raw_event *event,
                                   bool is_experimental)
{
    uint32_t i = 0;
    /* The experiment is a byte, not a varint: Go's internal/trace/batch.go, readBatch. */
    if (is_experimental) {
        widths->fit &= *widths->next++ == 1;
        i++;
    }
    for (; i < event->argument_count; i++)
        widths_check(widths, event->arguments[i]);
}

static void widths_check_frames(struct widths *widths, const gt_wire_spec *spec,
                                const gt_raw_event *event)
{
    for (size_t i = 0; i < event->frame_count; i++) {
        widths_check(widths, event->frames[i].pc);
        if (spec->flags & GT_WIRE_BARE_FRAMES)
            continue;
        widths_check(widths, event->frames[i].function);
        widths_check(widths, event->frames[i].file);
        widths_check(widths, event->frames[i].line);
    }
}

/*
 * Returns whether a v1 record of `numbers` numbers and `bytes` bytes may have a length of this
 * width.
 */
static bool widths_length_fits(uint32_t version, const gt_wire_spec *spec, unsigned width,
                               uint64_t numbers, uint64_t bytes)
{
    /* A string has no length. The widths contain the two high bits of its first byte instead. */
    if (spec->type == GT_V1_STRING)
        return width <= GT_V1_COUNTED;
    if (width == 0)
        return numbers < GT_V1_COUNTED + gt_raw_v1_uncounted(version);
    return width >= gt_raw_width(bytes) && width <= GT_VARINT_MAX;
}

bool gt_raw_widths_fit(uint32_t version, const gt_wire_spec *spec, const gt_raw_event *event)
{
    bool is_v1 = version <= GT_V1_NEWEST;
    bool has_data = (spec->flags & GT_WIRE_HAS_DATA) != 0;
    uint64_t numbers = gt_raw_v1_numbers(spec, event);
    if (event->width_count != numbers + (unsigned) is_v1 + (unsigned) has_data)
        return false;
    /* Without widths the array may be NULL, and pointer arithmetic on it would be undefined. */
    if (event->width_count == 0)
        return true;
    struct widths widths = {event->widths + is_v1, 0, true};
    widths_check_arguments(&widths, event, !is_v1 && spec->type == GT_WIRE_EXPERIMENTAL_BATCH);
    widths_check_frames(&widths, spec, event);
    if (is_v1 && !widths_length_fits(version, spec, event->widths[0], numbers, widths.bytes))
        return false;
    if (has_data)
        widths_check(&widths, event->data.size);
    return widths.fit;
}
