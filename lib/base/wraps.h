/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_WRAPS_H
#define GT_BASE_WRAPS_H

/*
 * Marks a function in which unsigned numbers wrap around or lose their upper bits on purpose, such
 * as a hash. Anywhere else in lib tests/gates/integers.sh takes that for a bug.
 */
#if defined(__clang__)
#define GT_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow", "unsigned-shift-base")))
#else
#define GT_WRAPS
#endif

#endif
