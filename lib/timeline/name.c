/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/name.h"

#include <string.h>

#include "base/decimal.h"
#include "base/hex.h"
#include "timeline/timeline.h"

/* Where so many bytes can be added, or NULL. There are some already but for the first names. */
static char *reserve(struct gt_timeline *t, size_t size)
{
    struct gt_tl_name *name = &t->name;
    if (size < name->capacity - name->size)
        return name->data + name->size;
    gt_status status =
        gt_mem_reserve(&t->mem, &name->data, &name->capacity, name->size + size + 1, 1);
    gt_tl_note(t, status);
    return status == GT_OK ? name->data + name->size : NULL;
}

void gt_tl_name_string(struct gt_timeline *t, gt_string string)
{
    char *to = reserve(t, string.size);
    if (!to)
        return;
    memcpy(to, string.data, string.size);
    t->name.size += string.size;
}

void gt_tl_name_text(struct gt_timeline *t, const struct gt_tl_text *text)
{
    gt_string string = {text->data, text->size};
    gt_tl_name_string(t, string);
}

void gt_tl_name_hex(struct gt_timeline *t, uint64_t number)
{
    char digits[GT_HEX_MAX];
    gt_string string = {digits, (size_t) (gt_hex_put(digits, number) - digits)};
    gt_tl_name_string(t, string);
}

void gt_tl_name_number(struct gt_timeline *t, uint64_t number)
{
    char digits[GT_DECIMAL_MAX];
    gt_string string = {digits, (size_t) (gt_decimal_put(digits, number) - digits)};
    gt_tl_name_string(t, string);
}

void gt_tl_name_signed(struct gt_timeline *t, int64_t number)
{
    char digits[1 + GT_DECIMAL_MAX];
    gt_string string = {digits, (size_t) (gt_decimal_put_signed(digits, number) - digits)};
    gt_tl_name_string(t, string);
}

gt_string gt_tl_name_take(struct gt_timeline *t)
{
    gt_string string = {t->name.data ? t->name.data : "", t->name.size};
    t->name.size = 0;
    return string;
}
