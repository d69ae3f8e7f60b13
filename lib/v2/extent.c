/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/varint.h"
#include "v2/apart.h"
#include "v2/spec.h"

/* Skips a batch. Returns false if its header is not that of a complete batch. */
static bool extent_skip_batch(struct gt_cursor *cursor, uint64_t *number)
{
    uint8_t type = gt_cursor_byte(cursor);
    if (type == GT_WIRE_EXPERIMENTAL_BATCH)
        gt_cursor_byte(cursor);
    else if (type != GT_WIRE_EVENT_BATCH)
        return false;
    *number = gt_cursor_varint(cursor);
    gt_cursor_varint(cursor);
    gt_cursor_varint(cursor);
    uint64_t size = gt_cursor_varint(cursor);
    if (cursor->fault != GT_VARINT_OK || size > GT_V2_MAX_BATCH || size > gt_cursor_left(cursor))
        return false;
    cursor->p += size;
    return true;
}

bool gt_v2_extent_find(const struct gt_source *source, uint32_t version, uint64_t after,
                       struct gt_v2_extent *extent)
{
    struct gt_cursor cursor = gt_cursor_make(extent->start, (size_t) (source->end - extent->start));
    extent->number = 0;
    while (cursor.p < cursor.end) {
        uint64_t number;
        extent->end = cursor.p;
        if (version >= 26 && *cursor.p == GT_WIRE_END_OF_GENERATION) {
            extent->end++;
            return extent->number > after;
        }
        if (!extent_skip_batch(&cursor, &number) || number == 0)
            return false;
        if (extent->number == 0)
            extent->number = number;
        else if (version < 26 && number - 1 == extent->number)
            return extent->number > after;
        else if (number != extent->number)
            return false;
    }
    extent->end = cursor.end;
    return version < 26 && extent->number > after;
}
