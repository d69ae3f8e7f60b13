/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_LIKELY_H
#define GT_BASE_LIKELY_H

/* Branch and inlining hints, and warnings where a result is ignored. */
#if defined(__GNUC__)
#define GT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define GT_NOINLINE            __attribute__((noinline))
#define GT_ALWAYS_INLINE       inline __attribute__((always_inline))
#define GT_PREFETCH(address)   __builtin_prefetch(address)
#define GT_MUST_USE            __attribute__((warn_unused_result))
#else
#define GT_UNLIKELY(condition) (condition)
#define GT_NOINLINE
#define GT_ALWAYS_INLINE     inline
#define GT_PREFETCH(address) ((void) (address))
#define GT_MUST_USE
#endif

#endif
