/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_OUT_H
#define GT_RAW_OUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* A growing buffer of bytes that are not passed to the caller yet. */
struct gt_out {
    struct gt_mem *mem;
    char *data;
    size_t size;
    size_t capacity;
};

/*
 * Makes room for `size` more bytes and returns their start. Returns NULL on failure; see
 * gt_mem_failure.
 */
static inline char *gt_out_reserve(struct gt_out *out, size_t size)
{
    if (size > SIZE_MAX - out->size) {
        gt_mem_fail(out->mem, GT_ERR_NO_MEMORY);
        return NULL;
    }
    if (out->capacity - out->size < size &&
        gt_mem_reserve(out->mem, &out->data, &out->capacity, out->size + size, 1) != GT_OK)
        return NULL;
    return out->data + out->size;
}

/* Appends the bytes up to `end` that were written to the reserved room. */
static inline void gt_out_commit(struct gt_out *out, const char *end)
{
    out->size = (size_t) (end - out->data);
}

#endif
