/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_OBJECT_H
#define GT_BASE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/sized.h"

enum {
    /* The most bytes of a type of options. */
    GT_OPTIONS_MAX_SIZE = 256
};

/*
 * What gt_object_open must know about a type of public objects. Such an object has a struct gt_mem
 * `mem`, and a copy of its options as the member `options`, which have a `memory_limit`.
 */
struct gt_object_layout {
    const char *name;    /* of the argument `out` of the open function */
    size_t size;         /* of the object */
    size_t mem;          /* the offset of that member */
    size_t options;      /* and of that one */
    size_t memory_limit; /* its offset in the options */
    struct gt_options_layout taken;
    const void *defaults; /* the options to use for NULL; NULL: it is refused */
    /* Checks the other members, and says in `*failure` which one is wrong. NULL: all are good. */
    bool (*is_valid)(const void *options, gt_error *failure);
};

/* The layout of `type`, of whose options the last member in the first release was `last`. */
#define GT_OBJECT_LAYOUT(name, type, options_type, last, flags, defaults, is_valid)                \
    {                                                                                              \
        (name), sizeof(type), offsetof(type, mem), offsetof(type, options),                        \
            offsetof(options_type, memory_limit), GT_OPTIONS_LAYOUT(options_type, last, flags),    \
            (defaults), (is_valid)                                                                 \
    }

/*
 * Creates the object of an open function: all zeros but for `mem` and `options`. `options` is what
 * the caller passed, and so is `out`, the address of a pointer to the object: that is set to NULL
 * here, and to the object only when it is complete, because a callback might use it before. Sets
 * `*status`, and returns NULL on failure: GT_ERR_INVALID_ARGUMENT if an argument is bad,
 * GT_ERR_NO_MEMORY or GT_ERR_LIMIT. `error`, which the caller passed too and may be NULL, then says
 * what is wrong. The object must be freed with gt_mem_delete.
 */
void *gt_object_open(void *out, const struct gt_object_layout *layout, const void *options,
                     gt_error *error, gt_status *status);

#endif
