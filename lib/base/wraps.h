/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_WRAPS_H
#define GT_BASE_WRAPS_H

/*
 * Marks a function in which unsigned numbers wrap around or lose their upper bits on purpose, such
 * as a hash. In the rest of lib, tests/gates/values.sh treats that as a bug.
 */
#if defined(__clang__)
#define GT_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow", "unsigned-shift-base")))
#else
#define GT_WRAPS
#endif

#endif
