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

struct textpool {
    char *data;
    size_t used, capacity;
};

/* One of the texts; all zeros is "". */
struct textpool_text {
    size_t at, size;
};

/* Starts as all zeros. False where there is no memory. */
bool textpool_add(struct textpool *pool, gt_string text, struct textpool_text *out);

/* Good until the next one is added. */
gt_string textpool_get(const struct textpool *pool, struct textpool_text text);

void textpool_free(struct textpool *pool);

#endif
