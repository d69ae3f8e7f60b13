/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMPARETEXT_H
#define COMPARETEXT_H

/* The differences of a comparison as text. */

#include <stdbool.h>

#include <gotrace/compare.h>

#include "output.h"

/* Returns false if there is not enough memory. */
bool comparetext_write(struct output *out, const gt_compare *compare, bool all);

/*
 * Returns what a difference is about, such as "task:checkout p99", in `*size` bytes that the caller
 * frees; or NULL if there is not enough memory.
 */
char *comparetext_label(const gt_compare_difference *difference, size_t *size);

/* The number of differences to show, which come first; `all` includes noise. */
size_t comparetext_count(const gt_compare *compare, bool all);

#endif
