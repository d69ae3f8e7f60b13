/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VALIDATE_STACK_H
#define GT_VALIDATE_STACK_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/stack.h>

/* The stacks of a generation that were looked at. */
struct gt_seen_stacks {
    const struct gt_reader *reader;
    uint32_t generation; /* the high half of their handles */
    uint64_t *bits;      /* by the low half */
    size_t words;
};

#endif
