/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/hash.h"

#include <time.h>

uint64_t gt_hash_secret(const void *place)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t time = (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
    return gt_hash(gt_hash((uint64_t) (uintptr_t) place, 0), time);
}
