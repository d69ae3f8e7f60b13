/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_TEXTS_H
#define GT_TIMELINE_TEXTS_H

#include <gotrace/types.h>

#include "base/shared_text.h"

/*
 * Copies of strings that outlive their generation: names of functions, labels, reasons.
 * Thousands of goroutines share a few of them. Most strings of an event were met shortly before
 * at the same address, so a small cache finds their copies without hashing them.
 */

enum {
    GT_TL_CACHED_TEXTS = 64
};

/* A string of the trace, valid within its generation, and its copy. */
struct gt_tl_cached_text {
    gt_string string;
    struct gt_shared_text *text; /* NULL: the entry is free */
};

struct gt_tl_texts {
    struct gt_shared_texts shared;
    struct gt_tl_cached_text cache[GT_TL_CACHED_TEXTS];
};

void gt_tl_texts_init(struct gt_tl_texts *texts, struct gt_mem *mem);
void gt_tl_texts_destroy(struct gt_tl_texts *texts);

/* The copy of a string of the current generation, with one more reference. NULL on failure. */
struct gt_shared_text *gt_tl_text_get(struct gt_tl_texts *texts, gt_string string);

/*
 * Empties the cache and frees the copies that nobody refers to. Must be called when a generation
 * ends, because its strings are freed then.
 */
void gt_tl_texts_forget(struct gt_tl_texts *texts);

#endif
