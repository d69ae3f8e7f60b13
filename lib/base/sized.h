/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_SIZED_H
#define GT_BASE_SIZED_H

#include <stddef.h>

#include <gotrace/allocator.h>
#include <gotrace/status.h>

/*
 * Structures of the caller's that start with their size come from programs that
 * were built with older or newer headers.
 */

/* How large a structure was when `member` was its last. */
#define GT_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *) 0)->member))

/*
 * Reads one into `*out`, which has `size` bytes, of which the first `least` were
 * there in the first release. What the caller's lacks is zero; what it has beyond
 * must be zero, as it would ask for what this library does not do.
 */
gt_status gt_struct_take(void *out, size_t size, size_t least, const void *in);

/* Whether what the caller gave to be filled has room for the first release's members. */
static inline int gt_struct_fits(const void *out, size_t least)
{
    return out && *(const size_t *) out >= least;
}

/* Fills the caller's structure from `in`, as far as it goes, and leaves its size. */
void gt_struct_give(void *out, const void *in, size_t size);

/*
 * Copies the caller's allocator, which must be whole. Where `in` is NULL the copy
 * is all zeros, which gt_mem_init takes for malloc.
 */
gt_status gt_allocator_take(gt_allocator *out, const gt_allocator *in);

#endif
