/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_OBJECT_H
#define GT_BASE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/sized.h"

enum {
    /* The size of the largest type of options. */
    GT_OPTIONS_MAX_SIZE = 256
};

/*
 * The description of a type of public objects for gt_object_open. Such an object has a struct
 * gt_mem `mem` and a copy of its options as the member `options`, which have a `memory_limit`.
 */
struct gt_object_layout {
    const char *name;    /* the name of the argument `out` of the open function */
    size_t size;         /* the size of the object */
    size_t mem;          /* the offset of the member `mem` */
    size_t options;      /* the offset of the member `options` */
    size_t memory_limit; /* the offset of `memory_limit` in the options */
    struct gt_options_layout taken;
    const void *defaults; /* the options to use for NULL; NULL: options are required */
    /*
     * Validates the other members, and names the invalid one in `*failure`. May be NULL if every
     * value is valid.
     */
    bool (*is_valid)(const void *options, gt_error *failure);
};

/* The layout of `type`, where `last` is the last member of its options in the first release. */
#define GT_OBJECT_LAYOUT(name, type, options_type, last, flags, defaults, is_valid)                \
    {                                                                                              \
        (name), sizeof(type), offsetof(type, mem), offsetof(type, options),                        \
            offsetof(options_type, memory_limit), GT_OPTIONS_LAYOUT(options_type, last, flags),    \
            (defaults), (is_valid)                                                                 \
    }

/*
 * Creates the object of an open function: all zeros except for `mem` and `options`. `options` is
 * the pointer that the caller passed, and `out` the address of the caller's pointer to the object.
 * This function sets that pointer to NULL; the open function sets it to the object only when the
 * object is complete, because a callback might use it before. On failure the result is NULL, and
 * `*status` is GT_ERR_INVALID_ARGUMENT if an argument is invalid, GT_ERR_NO_MEMORY or GT_ERR_LIMIT.
 * `error`, which the caller passed too and may be NULL, then describes the failure. The object must
 * be freed with gt_mem_delete.
 */
void *gt_object_open(void *out, const struct gt_object_layout *layout, const void *options,
                     gt_error *error, gt_status *status);

#endif
