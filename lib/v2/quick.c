/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/quick.h"

struct gt_varint gt_v2_number_long(const uint8_t *p)
{
    struct gt_varint number = {NULL, 0};
    number.end = gt_varint_long(p, &number.value);
    return number;
}
