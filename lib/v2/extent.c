/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/varint.h"
#include "v2/apart.h"
#include "v2/spec.h"

/*
 * Skips a batch, whose first bytes `header` has. Returns false if its header is not that of a
 * complete batch.
 */
static bool extent_skip_batch(struct gt_source *source, struct gt_cursor header, uint64_t *number)
{
    const uint8_t *start = header.p;
    uint8_t type = gt_cursor_byte(&header);
    if (type == GT_WIRE_EXPERIMENTAL_BATCH)
        gt_cursor_byte(&header);
    else if (type != GT_WIRE_EVENT_BATCH)
        return false;
    *number = gt_cursor_varint(&header);
    gt_cursor_varint(&header);
    gt_cursor_varint(&header);
    uint64_t size = gt_cursor_varint(&header);
    size_t length = (size_t) (header.p - start);
    if (header.fault != GT_VARINT_OK || size > GT_V2_MAX_BATCH ||
        size > gt_source_left(source) - length)
        return false;
    source->cur += length + size;
    return true;
}

bool gt_v2_extent_find(const struct gt_source *source, uint32_t version, uint64_t after,
                       struct gt_v2_extent *extent)
{
    struct gt_source place = *source;
    place.cur = extent->start;
    extent->number = 0;
    while (place.cur < place.end) {
        uint64_t number;
        uint8_t copy[GT_V2_MAX_HEADER];
        struct gt_cursor header = gt_source_peek(&place, copy, sizeof(copy));
        extent->end = place.cur;
        if (version >= 26 && *header.p == GT_WIRE_END_OF_GENERATION) {
            extent->end++;
            return extent->number > after;
        }
        if (!extent_skip_batch(&place, header, &number) || number == 0)
            return false;
        if (extent->number == 0)
            extent->number = number;
        else if (version < 26 && number - 1 == extent->number)
            return extent->number > after;
        else if (number != extent->number)
            return false;
    }
    extent->end = place.end;
    return version < 26 && extent->number > after;
}
