/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_LIKELY_H
#define GT_BASE_LIKELY_H

/* What a compiler cannot see of which path is the usual one; all are hints. */
#if defined(__GNUC__)
#define GT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define GT_NOINLINE            __attribute__((noinline))
#define GT_ALWAYS_INLINE       inline __attribute__((always_inline))
#define GT_PREFETCH(address)   __builtin_prefetch(address)
#else
#define GT_UNLIKELY(condition) (condition)
#define GT_NOINLINE
#define GT_ALWAYS_INLINE     inline
#define GT_PREFETCH(address) ((void) (address))
#endif

#endif
