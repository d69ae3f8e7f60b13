/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STACKTEXT_H
#define STACKTEXT_H

/*
 * Stacks as text, with two lines per frame. Most events have a stack that an earlier event had,
 * so the texts are cached until the next generation.
 */

#include <gotrace/reader.h>
#include <gotrace/stack.h>

#include "output.h"

/* Where the text of a stack is in stacktext.text. Size 0: it is not cached. */
struct stacktext_span {
    uint32_t offset;
    uint32_t size;
};

struct stacktext {
    /* Borrowed. */
    gt_reader *reader;
    /* The high half of the handles that are cached. */
    uint32_t generation;
    /* Indexed by the low half of a handle. */
    struct stacktext_span *spans;
    size_t span_count;
    char *text;
    size_t text_size;
    size_t text_capacity;
};

void stacktext_init(struct stacktext *stacks, gt_reader *reader);
void stacktext_free(struct stacktext *stacks);

/* Writes the frames of a stack. Returns GT_OK, or the error of gt_stack_view. */
gt_status stacktext_write(struct stacktext *stacks, struct output *out, gt_stack stack);

#endif
