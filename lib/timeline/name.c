/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/name.h"

#include <string.h>

#include "base/decimal.h"
#include "base/hex.h"
#include "timeline/timeline.h"

/* Makes room for `size` bytes; nearly always there is. NULL on failure. */
static char *name_reserve(struct gt_timeline *timeline, size_t size)
{
    struct gt_tl_name *name = &timeline->name;
    if (size >= name->text.capacity - name->text.count) {
        gt_status status = gt_array_reserve(&timeline->mem, &name->text, size + 1);
        if (status != GT_OK) {
            gt_tl_note(timeline, status);
            return NULL;
        }
    }
    return name->text.items + name->text.count;
}

void gt_tl_name_string(struct gt_timeline *timeline, gt_string string)
{
    char *to = name_reserve(timeline, string.size);
    if (!to)
        return;
    memcpy(to, string.data, string.size);
    timeline->name.text.count += string.size;
}

void gt_tl_name_hex(struct gt_timeline *timeline, uint64_t number)
{
    char digits[GT_HEX_MAX];
    gt_string string = {digits, (size_t) (gt_hex_put(digits, number) - digits)};
    gt_tl_name_string(timeline, string);
}

void gt_tl_name_number(struct gt_timeline *timeline, uint64_t number)
{
    char digits[GT_DECIMAL_MAX];
    gt_string string = {digits, (size_t) (gt_decimal_put(digits, number) - digits)};
    gt_tl_name_string(timeline, string);
}

void gt_tl_name_signed(struct gt_timeline *timeline, int64_t number)
{
    char digits[1 + GT_DECIMAL_MAX];
    gt_string string = {digits, (size_t) (gt_decimal_put_signed(digits, number) - digits)};
    gt_tl_name_string(timeline, string);
}

void gt_tl_name_in_parentheses(struct gt_timeline *timeline, gt_string text)
{
    gt_tl_name_string(timeline, GT_TL_STRING(" ("));
    gt_tl_name_string(timeline, text);
    gt_tl_name_string(timeline, GT_TL_STRING(")"));
}

gt_string gt_tl_name_take(struct gt_timeline *timeline)
{
    gt_string string = {timeline->name.text.items ? timeline->name.text.items : "",
                        timeline->name.text.count};
    timeline->name.text.count = 0;
    return string;
}
