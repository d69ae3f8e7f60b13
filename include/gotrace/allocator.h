/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_ALLOCATOR_H
#define GOTRACE_ALLOCATOR_H

/**
 * @file
 * Custom memory allocators.
 */

#include <stddef.h>

#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The source of an object's memory. The structure is copied when an object is opened; `context`
 * must live as long as the object. All three functions must be set. They are called only during
 * calls on that object and on the caller's thread, except for readers with GT_READER_AHEAD or
 * `workers` and for a gt_web, which have threads of their own; see gt_reader_options.workers and
 * gt_web_options.allocator. They are not called after the object was closed.
 * @since 0.1.0
 */
typedef struct gt_allocator {
    /** sizeof(gt_allocator), set by the caller. */
    size_t size;
    /** Passed unchanged to each function. */
    void *context;
    /** Returns `bytes` (never 0) bytes, aligned as by malloc, or NULL. */
    void *(*allocate)(void *context, size_t bytes);
    /**
     * Works as realloc: `block` came from this allocator and has `old_bytes` bytes. Returns
     * NULL on failure and then leaves the block unchanged.
     */
    void *(*reallocate)(void *context, void *block, size_t old_bytes, size_t bytes);
    /** Frees `block` (never NULL), which has `bytes` bytes. */
    void (*release)(void *context, void *block, size_t bytes);
} gt_allocator;

#ifdef __cplusplus
}
#endif

#endif
