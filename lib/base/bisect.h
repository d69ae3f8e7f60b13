/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_BISECT_H
#define GT_BASE_BISECT_H

#include <stddef.h>

/*
 * Binary search: sets the size_t `at` to the first number from `from` up to
 * `to` for which `is_before`, an expression with `at` in it, is false; to `to` if there is none.
 * Where it is false once, it must be false for all larger numbers. If `from` is more than `to`, the
 * result is `from`.
 *
 *     size_t first;
 *     GT_BISECT(first, 0, count, list[first].time < time);
 */
#define GT_BISECT(at, from, to, is_before)                                                         \
    do {                                                                                           \
        size_t bisect_from = (from), bisect_to = (to);                                             \
        while (bisect_from < bisect_to) {                                                          \
            (at) = bisect_from + (bisect_to - bisect_from) / 2;                                    \
            if (is_before)                                                                         \
                bisect_from = (at) + 1;                                                            \
            else                                                                                   \
                bisect_to = (at);                                                                  \
        }                                                                                          \
        (at) = bisect_from;                                                                        \
    } while (0)

#endif
