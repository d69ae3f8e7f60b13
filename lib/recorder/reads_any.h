/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_READS_ANY_H
#define GT_RECORDER_READS_ANY_H

/* Of a function that reads what lies on a stack as it is, whosever it is. */
#if defined(__clang__)
#define GT_READS_ANY __attribute__((no_sanitize("address", "memory", "thread")))
#elif defined(__SANITIZE_ADDRESS__)
#define GT_READS_ANY __attribute__((no_sanitize("address")))
#else
#define GT_READS_ANY
#endif

#endif
