/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_ALLOCATOR_H
#define GOTRACE_ALLOCATOR_H

/**
 * @file
 * Memory from the caller.
 */

#include <stddef.h>

#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Where an object gets its memory from. It is copied when an object is opened;
 * `context` must live as long as the object. All three functions must be set.
 * Each is called only during calls on that object, on the caller's thread, but for
 * readers with GT_READER_AHEAD.
 * @since 0.1.0
 */
typedef struct gt_allocator {
    /** sizeof(gt_allocator), set by the caller. */
    size_t size;
    /** Passed to each function as it is. */
    void *context;
    /** Returns `bytes` (never 0) bytes aligned as malloc's are, or NULL. */
    void *(*allocate)(void *context, size_t bytes);
    /** As realloc: `block` came from this allocator with `old_bytes`. NULL leaves it as it was. */
    void *(*reallocate)(void *context, void *block, size_t old_bytes, size_t bytes);
    /** Frees `block` (never NULL), which has `bytes`. */
    void (*release)(void *context, void *block, size_t bytes);
} gt_allocator;

#ifdef __cplusplus
}
#endif

#endif
