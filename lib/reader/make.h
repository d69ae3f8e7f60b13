/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_MAKE_H
#define GT_READER_MAKE_H

#include <stdbool.h>

#include <gotrace/make.h>

#include "base/mem.h"
#include "model/event.h"
#include "model/table.h"
#include "reader/copy.h"

/* An event of the caller's own while it is put together. */
struct gt_making {
    gt_event_make_options options; /* which the caller gave */
    gt_error *failure;
    struct gt_event_data data;
    struct gt_table table; /* only the members that a copy keeps are set */
    struct gt_copy_parts parts;
};

/* Says in the error that "MEMBER WHY". Returns false, as the functions below on failure. */
bool gt_making_refuse(struct gt_making *making, const char *member, const char *why);

/* Checks a text of the caller. */
bool gt_making_text(struct gt_making *making, const char *member, gt_string text);

/* Adds what options.transition says. The stack of the event was added before. */
bool gt_making_add_transition_stack(struct gt_making *making, gt_stack handle);

/* Adds what options.sync says of the generation of the event. */
bool gt_making_add_sync(struct gt_making *making);

/* Copies the list of batches to memory that the caller of this function frees. */
bool gt_making_take_batches(struct gt_making *making, struct gt_mem *mem);

/* Adds what only events of this kind have. */
bool gt_making_add_content(struct gt_making *making);

#endif
