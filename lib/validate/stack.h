/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VALIDATE_STACK_H
#define GT_VALIDATE_STACK_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/stack.h>

#include "base/array.h"

/* The set of the stacks of one generation that have been validated. */
struct gt_seen_stacks {
    const struct gt_reader *reader;
    uint32_t generation;      /* the high half of the handles of these stacks */
    GT_ARRAY(uint64_t) words; /* a bit set, indexed by the low half of handles */
};

#endif
