/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_OPEN_FIND_H
#define GT_BASE_OPEN_FIND_H

#include <stddef.h>

/*
 * Regions of a goroutine usually nest, so the one that ends is the innermost one that is open. Go's
 * API does not enforce that: a program that begins a region for each request of a batch ends them
 * in any order. Then an end belongs to the innermost open region of the same task and type.
 *
 * The search is bounded, because otherwise a file with n open regions could make n searches of n
 * steps each. The bound is more than any program was seen to have open on one goroutine. A step
 * compares numbers, addresses or hashes of types first, because a file could have long types that
 * differ in their last bytes only.
 */
enum {
    GT_OPEN_STEPS = 1024
};

/*
 * Finds an item of the singly linked list `*(list)`, which begins with the innermost one, and in
 * which `outer` is the member that leads to the next one. Sets `link` to the pointer that points to
 * the innermost item for which `is_same`, an expression with `*link` in it, is true. Sets it to
 * NULL if none of the GT_OPEN_STEPS innermost items is the same.
 *
 *     struct pair **link;
 *     GT_OPEN_FIND(link, &pairs->innermost, outer, (*link)->a == a);
 *     if (link)
 *         *link = (*link)->outer;
 */
#define GT_OPEN_FIND(link, list, outer, is_same)                                                   \
    do {                                                                                           \
        size_t open_steps = GT_OPEN_STEPS;                                                         \
        (link) = (list);                                                                           \
        while (*(link) && open_steps > 0 && !(is_same)) {                                          \
            (link) = &(*(link))->outer;                                                            \
            open_steps--;                                                                          \
        }                                                                                          \
        if (!*(link) || open_steps == 0)                                                           \
            (link) = NULL;                                                                         \
    } while (0)

/*
 * Does the same for a list that is not empty, but takes the innermost item if none is the same: an
 * analysis cannot refuse an end that the reader has delivered.
 */
#define GT_OPEN_FIND_ENDED(link, list, outer, is_same)                                             \
    do {                                                                                           \
        GT_OPEN_FIND(link, list, outer, is_same);                                                  \
        if (!(link))                                                                               \
            (link) = (list);                                                                       \
    } while (0)

#endif
