/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_COPY_H
#define GT_READER_COPY_H

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

/* The copy that the event is, which must be one. */
static inline const struct gt_event_copied *gt_event_copied_of(const gt_event *event)
{
    return (const struct gt_event_copied *) (const void *) event;
}

#endif
