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

/*
 * What declares an exported function. The static libraries are compiled with GT_STATIC and hide
 * what is not said to be visible (-fvisibility=hidden): a file that contains them does not export
 * their functions. Programs that link them may define it, too, and need not.
 */
#ifndef GT_API
#if !defined(__GNUC__) || defined(GT_STATIC)
#define GT_API
#else
#define GT_API __attribute__((visibility("default")))
#endif
#endif

/* Marks a function whose result must not be ignored. */
#ifndef GT_NODISCARD
#if defined(__GNUC__)
#define GT_NODISCARD __attribute__((warn_unused_result))
#else
#define GT_NODISCARD
#endif
#endif

/*
 * Names the arguments, counted from 1, that must not be NULL, so that compilers warn of one that
 * is. The library refuses it with GT_ERR_INVALID_ARGUMENT all the same; a program that passes NULL
 * in order to be refused is compiled with `-D'GT_NONNULL(which)='`.
 */
#ifndef GT_NONNULL
#if defined(__GNUC__)
#define GT_NONNULL(which) __attribute__((nonnull which))
#else
#define GT_NONNULL(which)
#endif
#endif

/* Marks a function that will be removed, with what to use instead: a string. */
#ifndef GT_DEPRECATED
#if defined(__GNUC__)
#define GT_DEPRECATED(instead) __attribute__((deprecated(instead)))
#else
#define GT_DEPRECATED(instead)
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
