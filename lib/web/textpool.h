/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TEXTPOOL_H
#define GT_WEB_TEXTPOOL_H

/*
 * Copies of the store's texts, for an answer that is written after the store's lock was
 * given up: a client that reads slowly must not hold up the builder.
 */

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/types.h>

struct gt_textpool {
    char *data;
    size_t used, capacity;
};

/* One of the texts; all zeros is "". */
struct gt_textpool_text {
    size_t at, size;
};

/* Starts as all zeros. False where there is no memory. */
bool gt_textpool_add(struct gt_textpool *pool, gt_string text, struct gt_textpool_text *out);

/* Good until the next one is added. */
gt_string gt_textpool_get(const struct gt_textpool *pool, struct gt_textpool_text text);

void gt_textpool_free(struct gt_textpool *pool);

#endif
