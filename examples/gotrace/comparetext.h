/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMPARETEXT_H
#define COMPARETEXT_H

/* The differences of a comparison as text, and conditions on them. */

#include <stdbool.h>

#include <gotrace/compare.h>

#include "output.h"

enum comparetext_result {
    COMPARETEXT_HOLDS,   /* the change is as the condition says, and is not noise */
    COMPARETEXT_FAILS,   /* it is not */
    COMPARETEXT_UNKNOWN, /* there is no such figure, or there are too few data */
    COMPARETEXT_MALFORMED
};

/*
 * Checks a condition such as "task:checkout p99 > +10%", of which `size` bytes are given: what
 * comparetext_write prints for a difference, '>' or '<', and a change in percent.
 */
enum comparetext_result comparetext_check(const gt_compare *compare, const char *text, size_t size);

/* Whether the text has the form of a condition. */
bool comparetext_is_condition(const char *text, size_t size);

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
