/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CONDITION_H
#define CONDITION_H

/* Conditions on the differences of a comparison, such as "task:checkout p99 > +10%". */

#include <stdbool.h>

#include <gotrace/compare.h>

/* A condition, divided into its parts, which borrow its text. */
struct condition {
    gt_string text;
    /* What it is about, as comparetext_label has it; and a change. */
    gt_string what;
    bool is_more;
    double percent;
};

enum condition_result {
    CONDITION_HOLDS,   /* the change is as the condition says, and is not noise */
    CONDITION_FAILS,   /* it is not */
    CONDITION_TOO_FEW, /* there are too few data */
    CONDITION_REMOVED, /* only the traces before have what the figure is of */
    CONDITION_ADDED,   /* only the traces after have it */
    CONDITION_UNKNOWN  /* no trace has such a figure */
};

/* The next one of several conditions with semicolons in between. */
enum condition_form {
    CONDITION_END,    /* there is none */
    CONDITION_GOOD,   /* it is in the structure */
    CONDITION_NO_FORM /* what there is, in its member `text`, is no condition */
};

/* Takes the first condition off `*text`. */
enum condition_form condition_take(struct condition *condition, const char **text);

/* Sets `*result`. Returns false if there is not enough memory. */
bool condition_check(const struct condition *condition, const gt_compare *compare,
                     enum condition_result *result);

/*
 * Returns what to say of a condition that is CONDITION_UNKNOWN: what there is instead. The caller
 * frees it; NULL: there is not enough memory.
 */
char *condition_explain(const struct condition *condition, const gt_compare *compare);

#endif
