/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_MAKE_H
#define GT_READER_MAKE_H

#include <stdbool.h>

#include <gotrace/make.h>

#include "base/mem.h"
#include "model/event.h"
#include "model/table.h"
#include "reader/copy.h"

/* An event of the caller's own during its assembly. */
struct gt_making {
    gt_event_make_options options; /* a copy of the caller's options */
    gt_error *failure;
    struct gt_event_data data;
    struct gt_table table; /* only the members that a copy keeps are set */
    struct gt_copy_parts parts;
};

/* Sets the error "MEMBER WHY". Returns false, like the functions below on failure. */
bool gt_making_refuse(struct gt_making *making, const char *member, const char *why);

/* Validates a text of the caller. */
bool gt_making_text(struct gt_making *making, const char *member, gt_string text);

/* Adds the stack of options.transition. The stack of the event was added before. */
bool gt_making_add_transition_stack(struct gt_making *making, gt_stack handle);

/* Adds the members of options.sync that describe the event's generation. */
bool gt_making_add_sync(struct gt_making *making);

/* Copies the list of batches to memory that the caller of this function frees. */
bool gt_making_take_batches(struct gt_making *making, struct gt_mem *mem);

/* Adds the content that depends on the kind of the event. */
bool gt_making_add_content(struct gt_making *making);

#endif
