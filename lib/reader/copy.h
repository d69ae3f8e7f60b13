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
    gt_stack stack; /* GT_STACK_NONE: there is none */
    const gt_frame *frames;
    size_t count;
};

enum {
    GT_COPY_TEXTS = 2, /* the most strings that an event has in its table */
    GT_COPY_STACKS = 2 /* its own one, and that of a transition */
};

/* What an event refers to, as its getters return it. */
struct gt_copy_parts {
    gt_string texts[GT_COPY_TEXTS];
    gt_string name; /* of a task or range that ends */
    bool has_name;
    struct gt_copied_stack stacks[GT_COPY_STACKS];
};

/*
 * A copy of an event, in one piece of memory with all that it refers to. It has a table of its own,
 * which holds nothing but what the event needs, so that the getters need not know of copies.
 */
struct gt_event_copied {
    struct gt_event_data data;
    gt_allocator allocator; /* that the memory is from; all zeros: it is the caller's */
    size_t bytes;           /* of everything */
    struct gt_table table;
    struct gt_string_entry texts[GT_COPY_TEXTS];
    struct gt_copied_stack stacks[GT_COPY_STACKS];
};

/*
 * Makes a copy of `event` with these parts, whose table needs only the members that a copy keeps.
 * `allocator` was taken from the caller's. On failure `*copy` is not set.
 */
gt_status gt_event_copy_new(const gt_event *event, const struct gt_copy_parts *parts,
                            const gt_allocator *allocator, gt_event **copy);

/* The copy that the event is, which must be one. */
static inline const struct gt_event_copied *gt_event_copied_of(const gt_event *event)
{
    return (const struct gt_event_copied *) (const void *) event;
}

#endif
