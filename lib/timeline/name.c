/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/name.h"

#include <string.h>

#include "base/decimal.h"
#include "base/hex.h"
#include "timeline/timeline.h"

/* Where so many bytes can be added, or NULL. There are some already but for the first names. */
static char *reserve(struct gt_timeline *timeline, size_t size)
{
    struct gt_tl_name *name = &timeline->name;
    if (size < name->capacity - name->size)
        return name->data + name->size;
    gt_status status =
        gt_mem_reserve(&timeline->mem, &name->data, &name->capacity, name->size + size + 1, 1);
    gt_tl_note(timeline, status);
    return status == GT_OK ? name->data + name->size : NULL;
}

void gt_tl_name_string(struct gt_timeline *timeline, gt_string string)
{
    char *to = reserve(timeline, string.size);
    if (!to)
        return;
    memcpy(to, string.data, string.size);
    timeline->name.size += string.size;
}

void gt_tl_name_text(struct gt_timeline *timeline, const struct gt_tl_text *text)
{
    gt_string string = {text->data, text->size};
    gt_tl_name_string(timeline, string);
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

gt_string gt_tl_name_take(struct gt_timeline *timeline)
{
    gt_string string = {timeline->name.data ? timeline->name.data : "", timeline->name.size};
    timeline->name.size = 0;
    return string;
}
