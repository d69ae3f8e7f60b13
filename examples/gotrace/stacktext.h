/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STACKTEXT_H
#define STACKTEXT_H

/*
 * Stacks as text, two lines a frame. Most events name a stack that an earlier
 * one has named, so the text of each is kept until the next generation.
 */

#include <gotrace/reader.h>
#include <gotrace/stack.h>

#include "output.h"

/* Where the text of a stack is in stacktext.text. A size of 0: it is not there. */
struct stacktext_span {
    uint32_t offset;
    uint32_t size;
};

struct stacktext {
    /* Borrowed. */
    gt_reader *reader;
    /* The high half of the handles that are kept now. */
    uint32_t generation;
    /* By the low half of a handle. */
    struct stacktext_span *spans;
    size_t span_count;
    char *text;
    size_t text_size;
    size_t text_capacity;
};

void stacktext_init(struct stacktext *stacks, gt_reader *reader);
void stacktext_free(struct stacktext *stacks);

/*
 * Writes the frames of a stack.
 * Returns GT_OK, GT_ERR_NO_MEMORY, or what gt_stack_view had to say.
 */
gt_status stacktext_write(struct stacktext *stacks, struct output *out, gt_stack stack);

#endif
