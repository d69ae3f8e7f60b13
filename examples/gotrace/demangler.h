/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEMANGLER_H
#define DEMANGLER_H

/*
 * Turns the names of functions of C++ and Rust, as they are in symbol tables, into those of the
 * source, by running c++filt of binutils or llvm-cxxfilt.
 */

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/types.h>

#include "filter.h"

struct demangler_name {
    /* Owned, and terminated by NUL. */
    char *mangled;
    /* What it means, or empty. */
    gt_string meaning;
};

/* Begins as zeros. */
struct demangler {
    struct demangler_name *names;
    size_t count, capacity;
    /* Meanings point into its output. */
    struct filter filter;
};

/* Notes a text, if it may be such a name. Returns false if there is not enough memory. */
bool demangler_note(struct demangler *demangler, gt_string text);

/*
 * Finds the meanings of all names that were noted. Returns false if that cannot be done; then names
 * have no meanings, and `filter.error` says why.
 */
bool demangler_run(struct demangler *demangler);

/* Returns the meaning of a name, or an empty string if it is none that was noted, or not known. */
gt_string demangler_find(const struct demangler *demangler, gt_string text);

void demangler_free(struct demangler *demangler);

#endif
