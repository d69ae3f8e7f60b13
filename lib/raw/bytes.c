/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/varint.h"
#include "raw/v1.h"
#include "raw/writer.h"
#include "source/header.h"

/* The destination of numbers, and the width of each. */
struct numbers {
    uint8_t *to;
    const uint8_t *widths; /* the width of the next number; NULL if all have their usual widths */
};

/* Writes a number with at least `usual` bytes, or with the width that the caller has set. */
static void bytes_put_number(struct numbers *n, uint64_t value, unsigned usual)
{
    unsigned width = n->widths ? *n->widths++ : usual;
    uint8_t *to = n->to;
    uint8_t *start = to;
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t) (value | 0x80);
    *to++ = (uint8_t) value;
    while ((unsigned) (to - start) < width) {
        to[-1] |= 0x80;
        *to++ = 0;
    }
    n->to = to;
}

static void bytes_put_frames(struct numbers *n, const gt_wire_spec *spec, const gt_raw_event *event)
{
    for (size_t i = 0; i < event->frame_count; i++) {
        bytes_put_number(n, event->frames[i].pc, 0);
        if (spec->flags & GT_WIRE_BARE_FRAMES)
            continue;
        bytes_put_number(n, event->frames[i].function, 0);
        bytes_put_number(n, event->frames[i].file, 0);
        bytes_put_number(n, event->frames[i].line, 0);
    }
}

static void bytes_put_data(struct numbers *n, const gt_raw_event *event, unsigned usual)
{
    bytes_put_number(n, event->data.size, usual);
    if (event->data.size != 0)
        memcpy(n->to, event->data.data, event->data.size);
    n->to += event->data.size;
}

static void bytes_put_v2(struct numbers *n, const gt_wire_spec *spec, const gt_raw_event *event)
{
    unsigned type = spec->type;
    *n->to++ = (uint8_t) type;
    for (uint32_t i = 0; i < event->argument_count; i++) {
        if (type == GT_WIRE_EXPERIMENTAL_BATCH && i == 0) {
            *n->to++ = (uint8_t) event->arguments[0];
            if (n->widths)
                n->widths++;
        } else {
            bytes_put_number(n, event->arguments[i],
                             type == GT_WIRE_EVENT_BATCH && i == 3 ? GT_RAW_SIZE_WIDTH : 0);
        }
    }
    bytes_put_frames(n, spec, event);
    if (spec->flags & GT_WIRE_HAS_DATA)
        bytes_put_data(n, event, type == GT_WIRE_EXPERIMENTAL_BATCH ? GT_RAW_SIZE_WIDTH : 0);
}

static void bytes_put_v1_numbers(struct numbers *n, const gt_wire_spec *spec,
                                 const gt_raw_event *event)
{
    for (uint32_t i = 0; i < event->argument_count; i++)
        bytes_put_number(n, event->arguments[i], 0);
    bytes_put_frames(n, spec, event);
}

/*
 * Writes the length of the numbers in bytes, and then the numbers. The numbers are written first
 * and moved once their length is known.
 */
static void bytes_put_v1_counted(struct numbers *n, const gt_wire_spec *spec,
                                 const gt_raw_event *event)
{
    unsigned width = n->widths ? *n->widths++ : 0;
    uint8_t *start = n->to;
    bytes_put_v1_numbers(n, spec, event);
    size_t size = (size_t) (n->to - start);
    if (width < gt_raw_width(size))
        width = gt_raw_width(size);
    memmove(start + width, start, size);
    const uint8_t one = (uint8_t) width;
    struct numbers length = {start, &one};
    bytes_put_number(&length, size, 0);
    n->to = start + width + size;
}

static void bytes_put_v1(struct numbers *n, uint32_t version, const gt_wire_spec *spec,
                         const gt_raw_event *event)
{
    uint64_t numbers = gt_raw_v1_numbers(spec, event);
    bool counted = n->widths ? n->widths[0] != 0 : gt_raw_v1_is_counted(version, spec, numbers);
    unsigned uncounted = gt_raw_v1_uncounted(version);
    unsigned code = counted ? GT_V1_COUNTED : (unsigned) numbers - uncounted;
    if (spec->type == GT_V1_STRING) {
        code = n->widths ? n->widths[0] : 0;
        counted = false;
    }
    *n->to++ = (uint8_t) (spec->type | code << 6);
    if (counted) {
        bytes_put_v1_counted(n, spec, event);
    } else {
        if (n->widths)
            n->widths++;
        bytes_put_v1_numbers(n, spec, event);
    }
    if (spec->flags & GT_WIRE_HAS_DATA)
        bytes_put_data(n, event, 0);
}

gt_status gt_raw_put_bytes(struct gt_out *out, uint32_t version, const gt_wire_spec *spec,
                           const gt_raw_event *event)
{
    /*
     * The numbers besides the arguments: the type, the length of the numbers, and the size of the
     * data.
     */
    size_t numbers = 3 + event->argument_count;
    if (event->frame_count > (SIZE_MAX / 2 - event->data.size) / (4 * GT_VARINT_MAX) - numbers)
        return GT_ERR_NO_MEMORY;
    size_t most = (numbers + 4 * event->frame_count) * GT_VARINT_MAX + event->data.size;
    char *to = gt_out_reserve(out, most);
    if (!to)
        return gt_mem_failure(out->mem);
    struct numbers n = {(uint8_t *) to, event->widths};
    if (version <= GT_V1_NEWEST)
        bytes_put_v1(&n, version, spec, event);
    else
        bytes_put_v2(&n, spec, event);
    gt_out_commit(out, (const char *) n.to);
    return GT_OK;
}
