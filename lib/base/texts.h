/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_TEXTS_H
#define GT_BASE_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/index.h"

/*
 * An interner: holds one copy of each distinct text and numbers them from 0 in order of first
 * appearance. Number 0 is the empty text. A copy keeps its address until all are freed. For texts
 * that are to be freed one by one, see base/shared_text.h.
 */
struct gt_texts {
    struct gt_mem *mem;
    uint64_t secret;
    GT_ARRAY(gt_string) list; /* by number; may be read directly */
    struct gt_index index;
    struct gt_arena arena;
};

/* Initialises the interner. gt_texts_destroy may be called after a failure, but need not be. */
gt_status gt_texts_init(struct gt_texts *texts, struct gt_mem *mem);
void gt_texts_destroy(struct gt_texts *texts);

/* Sets `*number` to the number of `text`, which is copied if it is new. */
gt_status gt_texts_add(struct gt_texts *texts, gt_string text, uint32_t *number);

/*
 * Sets `*number` to the number of `text`, which is not copied: the bytes of a new text must outlive
 * `texts`.
 */
gt_status gt_texts_add_borrowed(struct gt_texts *texts, gt_string text, uint32_t *number);

/* Returns whether `text` is in the interner; if so, sets `*number` to its number. */
bool gt_texts_find(const struct gt_texts *texts, gt_string text, uint32_t *number);

/*
 * Returns the number of `text`, or UINT32_MAX, which no text has, if it is not in the interner.
 * `guess`, any number, is tried first.
 */
uint32_t gt_texts_number(const struct gt_texts *texts, gt_string text, uint32_t guess);

/* The number of bytes that the interner occupies. */
size_t gt_texts_bytes(const struct gt_texts *texts);

#endif
