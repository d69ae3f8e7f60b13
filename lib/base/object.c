/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/object.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

/* Sets the options to the caller's, or to the defaults, and checks them. */
static gt_status object_options_take(void *taken, gt_allocator *allocator,
                                     const struct gt_object_layout *layout, const void *options)
{
    if (!options && !layout->defaults)
        return GT_ERR_INVALID_ARGUMENT;
    if (!options)
        memcpy(taken, layout->defaults, layout->taken.size);
    gt_status status = gt_options_take(taken, allocator, &layout->taken, options, NULL);
    if (status == GT_OK && layout->is_valid && !layout->is_valid(taken))
        status = GT_ERR_INVALID_ARGUMENT;
    return status;
}

void *gt_object_open(void *out, const struct gt_object_layout *layout, const void *options,
                     gt_status *status)
{
    alignas(max_align_t) char taken[GT_OPTIONS_MAX_SIZE];
    gt_allocator allocator;
    uint64_t limit;
    void *object = NULL;
    assert(layout->taken.size <= sizeof(taken));
    *status = GT_ERR_INVALID_ARGUMENT;
    if (!out)
        return NULL;
    memcpy(out, &object, sizeof(object));
    *status = object_options_take(taken, &allocator, layout, options);
    if (*status != GT_OK)
        return NULL;
    memcpy(&limit, taken + layout->memory_limit, sizeof(limit));
    object = gt_mem_create(layout->size, layout->mem, &allocator, limit, status);
    if (object)
        memcpy((char *) object + layout->options, taken, layout->taken.size);
    return object;
}
