/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/name.h"

#include <string.h>

#include "base/decimal.h"
#include "base/hex.h"

void gt_tl_name_init(struct gt_tl_name *name, struct gt_mem *mem)
{
    name->mem = mem;
    name->status = GT_OK;
}

void gt_tl_name_destroy(struct gt_tl_name *name)
{
    gt_array_free(name->mem, &name->text);
}

/* Makes room for `size` bytes; nearly always there is. NULL on failure. */
static char *name_reserve(struct gt_tl_name *name, size_t size)
{
    if (size >= name->text.capacity - name->text.count) {
        gt_status status = gt_array_reserve(name->mem, &name->text, size + 1);
        if (status != GT_OK) {
            if (name->status == GT_OK)
                name->status = status;
            return NULL;
        }
    }
    return name->text.items + name->text.count;
}

void gt_tl_name_string(struct gt_tl_name *name, gt_string string)
{
    char *to = name_reserve(name, string.size);
    if (!to)
        return;
    memcpy(to, string.data, string.size);
    name->text.count += string.size;
}

void gt_tl_name_hex(struct gt_tl_name *name, uint64_t number)
{
    char digits[GT_HEX_MAX];
    gt_string string = {digits, (size_t) (gt_hex_put(digits, number) - digits)};
    gt_tl_name_string(name, string);
}

void gt_tl_name_number(struct gt_tl_name *name, uint64_t number)
{
    char digits[GT_DECIMAL_MAX];
    gt_string string = {digits, (size_t) (gt_decimal_put(digits, number) - digits)};
    gt_tl_name_string(name, string);
}

void gt_tl_name_signed(struct gt_tl_name *name, int64_t number)
{
    char digits[1 + GT_DECIMAL_MAX];
    gt_string string = {digits, (size_t) (gt_decimal_put_signed(digits, number) - digits)};
    gt_tl_name_string(name, string);
}

void gt_tl_name_in_parentheses(struct gt_tl_name *name, gt_string text)
{
    gt_tl_name_string(name, GT_TL_STRING(" ("));
    gt_tl_name_string(name, text);
    gt_tl_name_string(name, GT_TL_STRING(")"));
}

gt_string gt_tl_name_take(struct gt_tl_name *name)
{
    gt_string string = {name->text.items ? name->text.items : "", name->text.count};
    name->text.count = 0;
    return string;
}
