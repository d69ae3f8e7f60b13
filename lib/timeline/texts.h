/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_TEXTS_H
#define GT_TIMELINE_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/mem.h"

/*
 * Copies of strings that must outlive their generation: names of functions, labels,
 * reasons. Thousands of goroutines share a few of them, so each is held once, and
 * for as long as somebody has it.
 */
struct gt_tl_text {
    struct gt_tl_text *next;
    uint64_t hash;
    uint64_t holders;
    size_t size;
    char data[];
};

/* The string of the trace that a text was made of; good within a generation. */
struct gt_tl_recent {
    gt_string string;
    struct gt_tl_text *text;
};

enum {
    GT_TL_RECENT = 64
};

struct gt_tl_texts {
    struct gt_mem *mem;
    struct gt_tl_text **chains;
    size_t mask; /* chains - 1; 0 where there are none */
    size_t count;
    uint64_t secret;
    struct gt_tl_recent recent[GT_TL_RECENT];
};

void gt_tl_texts_init(struct gt_tl_texts *texts, struct gt_mem *mem);
void gt_tl_texts_destroy(struct gt_tl_texts *texts);

/* A text for `string`, which is now held once more; NULL on failure. */
struct gt_tl_text *gt_tl_text_of(struct gt_tl_texts *texts, gt_string string);

/* The same for a string of the trace, of which most came before in the same generation. */
struct gt_tl_text *gt_tl_text_of_trace(struct gt_tl_texts *texts, gt_string string);

static inline struct gt_tl_text *gt_tl_text_hold(struct gt_tl_text *text)
{
    if (text)
        text->holders++;
    return text;
}

/* `text` may be NULL. */
void gt_tl_text_drop(struct gt_tl_texts *texts, struct gt_tl_text *text);

/* The strings of the generation are gone. */
void gt_tl_texts_forget(struct gt_tl_texts *texts);

#endif
