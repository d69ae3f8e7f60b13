/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_COPY_H
#define GT_READER_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>

#include "model/event.h"
#include "model/table.h"

/* A stack of an event that was copied, with its frames. */
struct gt_copied_stack {
    gt_stack stack; /* GT_STACK_NONE: there is no stack */
    const gt_frame *frames;
    size_t count;
};

enum {
    GT_COPY_TEXTS = 2, /* the most strings of an event in its table */
    GT_COPY_STACKS = 2 /* the stack of the event, and that of a transition */
};

/* The data to which an event refers, as its getters return it. */
struct gt_copy_parts {
    gt_string texts[GT_COPY_TEXTS];
    gt_string name; /* the name of a task or range that ends */
    bool has_name;
    struct gt_copied_stack stacks[GT_COPY_STACKS];
};

/*
 * A copy of an event, in one allocation with all the data to which it refers. It has a table of its
 * own, which contains only the data of this event, so that the getters work for copies without
 * special cases.
 */
struct gt_event_copied {
    struct gt_event_data data;
    gt_allocator allocator; /* the allocator of the memory; all zeros: the caller owns the memory */
    size_t bytes;           /* the size of the allocation */
    struct gt_table table;
    struct gt_string_entry texts[GT_COPY_TEXTS];
    struct gt_copied_stack stacks[GT_COPY_STACKS];
};

/*
 * Makes a copy of `event` with these parts. Only those members of its table that a copy keeps need
 * be set. `allocator` was taken from the caller's. On failure `*copy` is not set.
 */
gt_status gt_event_copy_new(const gt_event *event, const struct gt_copy_parts *parts,
                            const gt_allocator *allocator, gt_event **copy);

/* Returns the structure of an event, which must be a copy. */
static inline const struct gt_event_copied *gt_event_copied_of(const gt_event *event)
{
    return (const struct gt_event_copied *) (const void *) event;
}

#endif
