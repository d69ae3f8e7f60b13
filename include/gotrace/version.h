/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_VERSION_H
#define GOTRACE_VERSION_H

/**
 * @file
 * The version of libgotrace, and how its symbols are exported. Part of libgotrace and of
 * libgotrace-viewer.
 */

/** The major version of these headers. @since 0.1.0 */
#define GT_VERSION_MAJOR 0
/** The minor version of these headers. @since 0.1.0 */
#define GT_VERSION_MINOR 1
/** The patch version of these headers. @since 0.1.0 */
#define GT_VERSION_PATCH 0

/** The version of these headers as one number, 0xMMmmpp. @since 0.1.0 */
#define GT_VERSION ((GT_VERSION_MAJOR << 16) | (GT_VERSION_MINOR << 8) | GT_VERSION_PATCH)

/**
 * The version of the binary interface: the number in the library's soname. It changes only if a
 * program that was built against an older one would break.
 * @since 0.1.0
 */
#define GT_ABI_VERSION 0

#ifndef GT_API
#if defined(__GNUC__)
#define GT_API __attribute__((visibility("default")))
#else
#define GT_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the version of the library that the program runs with, in the form of GT_VERSION.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API unsigned int gt_library_version(void);

/**
 * Returns the same version as text, such as "0.1.0". The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_library_version_text(void);

#ifdef __cplusplus
}
#endif

#endif
