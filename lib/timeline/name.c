/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/name.h"

#include <string.h>

#include "base/decimal.h"
#include "timeline/timeline.h"

enum {
    /* The digits of 2^64-1. */
    NUMBER_MAX = 20
};

void gt_tl_name_string(struct gt_timeline *t, gt_string string)
{
    struct gt_tl_name *name = &t->name;
    gt_status status =
        gt_mem_reserve(&t->mem, &name->data, &name->capacity, name->size + string.size + 1, 1);
    if (status != GT_OK) {
        gt_tl_note(t, status);
        return;
    }
    memcpy(name->data + name->size, string.data, string.size);
    name->size += string.size;
}

void gt_tl_name_text(struct gt_timeline *t, const struct gt_tl_text *text)
{
    gt_string string = {text->data, text->size};
    gt_tl_name_string(t, string);
}

void gt_tl_name_number(struct gt_timeline *t, uint64_t number, unsigned base)
{
    char digits[NUMBER_MAX];
    size_t at = sizeof(digits);
    do {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    gt_string string = {digits + at, sizeof(digits) - at};
    gt_tl_name_string(t, string);
}

void gt_tl_name_signed(struct gt_timeline *t, int64_t number)
{
    if (number < 0)
        gt_tl_name_string(t, GT_TL_STRING("-"));
    gt_tl_name_number(t, gt_decimal_magnitude(number), 10);
}

gt_string gt_tl_name_take(struct gt_timeline *t)
{
    gt_string string = {t->name.data ? t->name.data : "", t->name.size};
    t->name.size = 0;
    return string;
}
