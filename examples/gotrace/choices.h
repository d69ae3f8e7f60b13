/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOICES_H
#define CHOICES_H

/* The names that there are, for a message about one that there is not. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

/* A name, which is borrowed, and how often there is such a thing. */
struct choice {
    gt_string name;
    uint64_t count;
};

/* A structure of zeros has no names. */
struct choices {
    struct choice *list;
    size_t count;
    size_t capacity;
};

/* Adds a name, which may be there already. Returns false if there is not enough memory. */
bool choices_add(struct choices *choices, gt_string name, uint64_t count);

/*
 * Returns text such as "'a', 'b' and 3 more", the most frequent first, or "none", which the caller
 * frees; or NULL if there is not enough memory. Names are added no more after that.
 */
char *choices_text(struct choices *choices);

void choices_free(struct choices *choices);

#endif
