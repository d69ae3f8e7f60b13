/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge/nesting.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

enum {
    /* The bytes of a type in a message, which also has numbers and what was repaired. */
    TYPE_SIZE = 26
};

/* Returns the bytes of the first character of a text, and whether a message may contain it. */
static size_t nesting_character(gt_string text, bool *is_plain)
{
    uint32_t rune;
    uint8_t first = (uint8_t) text.data[0];
    *is_plain = first >= ' ' && first < 0x7f && first != '"';
    if (first < 0x80)
        return 1;
    size_t size = gt_utf8_decode((const uint8_t *) text.data, text.size, &rune);
    *is_plain = size != 0;
    return size != 0 ? size : 1;
}

/*
 * Writes the beginning of a type, with "?" for what would garble a terminal or the message. The
 * array has room for TYPE_SIZE bytes, three dots and a NUL.
 */
static void nesting_type_put(char *to, gt_string type)
{
    size_t size = 0;
    while (type.size > 0) {
        bool is_plain;
        size_t length = nesting_character(type, &is_plain);
        if (size + length > TYPE_SIZE) {
            memcpy(to + size, "...", 3);
            size += 3;
            break;
        }
        if (is_plain)
            memcpy(to + size, type.data, length);
        else
            to[size] = '?';
        size += is_plain ? length : 1;
        type.data += length;
        type.size -= length;
    }
    to[size] = '\0';
}

void gt_nesting_fail(gt_error *error, uint64_t offset, uint64_t generation,
                     const struct gt_nesting *nesting)
{
    char ends[TYPE_SIZE + 4], inner[TYPE_SIZE + 4];
    nesting_type_put(ends, nesting->ends);
    nesting_type_put(inner, nesting->inner);
    gt_error_set(
        error, GT_ERR_ORDER, offset, generation,
        "region \"%s\" of task %u ends on goroutine %d, whose innermost is \"%s\" of task %u", ends,
        nesting->ends_task, nesting->goroutine, inner, nesting->inner_task);
}

bool gt_nesting_forgive(struct gt_repair *repair, gt_error *error)
{
    if (!repair->lenient)
        return false;
    if (repair->unnested++ == 0)
        gt_repair_report(repair, error, "; regions that do not nest were paired by name");
    gt_repair_count(repair, error);
    return true;
}
