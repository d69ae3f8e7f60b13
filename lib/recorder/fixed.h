/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_FIXED_H
#define GT_RECORDER_FIXED_H

#include <stdint.h>
#include <string.h>

/* A number of 1, 2, 4 or 8 bytes of this machine, which need not be aligned. */
static inline uint64_t gt_fixed_get(const uint8_t *at, unsigned size)
{
    uint64_t eight;
    uint32_t four;
    uint16_t two;
    switch (size) {
    case 8:
        memcpy(&eight, at, sizeof(eight));
        return eight;
    case 4:
        memcpy(&four, at, sizeof(four));
        return four;
    case 2:
        memcpy(&two, at, sizeof(two));
        return two;
    default:
        return *at;
    }
}

#endif
