/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw/widths.h"

#include "base/varint.h"
#include "raw/v1.h"
#include "source/header.h"

struct widths {
    const uint8_t *next;
    uint64_t bytes; /* of the numbers so far */
    int fit;        /* all of them */
};

static void take(struct widths *widths, uint64_t value)
{
    unsigned given = *widths->next++;
    widths->bytes += given;
    widths->fit &= given >= gt_raw_width(value) && given <= GT_VARINT_MAX;
}

static void take_arguments(struct widths *widths, const gt_raw_event *event, int is_experiment)
{
    uint32_t i = 0;
    /* The experiment is a byte: Go's internal/trace/batch.go, readBatch. */
    if (is_experiment) {
        widths->fit &= *widths->next++ == 1;
        i++;
    }
    for (; i < event->argument_count; i++)
        take(widths, event->arguments[i]);
}

static void take_frames(struct widths *widths, const gt_wire_spec *spec, const gt_raw_event *event)
{
    for (size_t i = 0; i < event->frame_count; i++) {
        take(widths, event->frames[i].pc);
        if (spec->flags & GT_WIRE_BARE_FRAMES)
            continue;
        take(widths, event->frames[i].function);
        take(widths, event->frames[i].file);
        take(widths, event->frames[i].line);
    }
}

/* Whether a v1 record may have a length of that width before `numbers` numbers. */
static int length_fits(uint32_t version, const gt_wire_spec *spec, unsigned width, uint64_t numbers,
                       uint64_t bytes)
{
    /* There is none; the bits that could say so are kept in its place. */
    if (spec->type == GT_V1_STRING)
        return width <= GT_V1_COUNTED;
    if (width == 0)
        return numbers < GT_V1_COUNTED + gt_raw_v1_uncounted(version);
    return width >= gt_raw_width(bytes) && width <= GT_VARINT_MAX;
}

int gt_raw_widths_fit(uint32_t version, const gt_wire_spec *spec, const gt_raw_event *event)
{
    int is_v1 = version <= GT_V1_NEWEST;
    int has_data = (spec->flags & GT_WIRE_HAS_DATA) != 0;
    uint64_t numbers = gt_raw_v1_numbers(spec, event);
    if (event->width_count != numbers + (unsigned) is_v1 + (unsigned) has_data)
        return 0;
    /* Then there may be no array to point into. */
    if (event->width_count == 0)
        return 1;
    struct widths widths = {event->widths + is_v1, 0, 1};
    take_arguments(&widths, event, !is_v1 && spec->type == GT_WIRE_EXPERIMENTAL_BATCH);
    take_frames(&widths, spec, event);
    if (is_v1 && !length_fits(version, spec, event->widths[0], numbers, widths.bytes))
        return 0;
    if (has_data)
        take(&widths, event->data.size);
    return widths.fit;
}
