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
 * An interner: copies of texts, each held once and numbered from 0 in the order in which they
 * came. Number 0 is the empty text. A copy stays where it is until all are freed; for texts that
 * come and go see base/shared_text.h.
 */
struct gt_texts {
    struct gt_mem *mem;
    uint64_t secret;
    GT_ARRAY(gt_string) list; /* by number; may be read directly */
    struct gt_index index;
    struct gt_arena arena;
};

/* gt_texts_destroy may be called after a failure, too, but need not be. */
gt_status gt_texts_init(struct gt_texts *texts, struct gt_mem *mem);
void gt_texts_destroy(struct gt_texts *texts);

/* Sets `*number` to the number of `text`, of which a copy is made if it is new. */
gt_status gt_texts_add(struct gt_texts *texts, gt_string text, uint32_t *number);

/* The same without a copy: a new text's bytes must outlive `texts`. */
gt_status gt_texts_add_borrowed(struct gt_texts *texts, gt_string text, uint32_t *number);

/* Whether `text` is there; its number is `*number` then. */
bool gt_texts_find(const struct gt_texts *texts, gt_string text, uint32_t *number);

/* The bytes that everything takes. */
size_t gt_texts_bytes(const struct gt_texts *texts);

#endif
