/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TEXTPOOL_H
#define GT_WEB_TEXTPOOL_H

/*
 * Holds copies of texts of the store for an answer that is written after the store's lock was
 * released, so that a client that reads slowly does not delay the builder.
 */

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/types.h>

struct gt_textpool {
    char *data;
    size_t used, capacity;
};

/* Identifies a text of the pool. If all bytes are 0, it is the empty text. */
struct gt_textpool_text {
    size_t at, size;
};

/*
 * Copies `text` into the pool and sets `*out`. To initialise a pool, set all its bytes to 0.
 * Returns false if memory runs out.
 */
bool gt_textpool_add(struct gt_textpool *pool, gt_string text, struct gt_textpool_text *out);

/* The text is valid until the next one is added. */
gt_string gt_textpool_get(const struct gt_textpool *pool, struct gt_textpool_text text);

void gt_textpool_free(struct gt_textpool *pool);

#endif
