/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/object.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "base/error.h"

/* Fills the options from the caller's or from the defaults, and validates them. */
static gt_status object_options_take(void *taken, gt_allocator *allocator,
                                     const struct gt_object_layout *layout, const void *options,
                                     gt_error *failure)
{
    if (!options && !layout->defaults)
        return gt_error_refuse(failure, "options is NULL");
    if (!options)
        memcpy(taken, layout->defaults, layout->taken.size);
    gt_status status = gt_options_take(taken, allocator, &layout->taken, options, failure);
    if (status == GT_OK && layout->is_valid && !layout->is_valid(taken, failure))
        status = GT_ERR_INVALID_ARGUMENT;
    return status;
}

static void *object_create(const struct gt_object_layout *layout, const void *options,
                           gt_error *failure)
{
    alignas(max_align_t) char taken[GT_OPTIONS_MAX_SIZE];
    gt_allocator allocator;
    uint64_t limit;
    gt_status status;
    assert(layout->taken.size <= sizeof(taken));
    if (object_options_take(taken, &allocator, layout, options, failure) != GT_OK)
        return NULL;
    memcpy(&limit, taken + layout->memory_limit, sizeof(limit));
    void *object = gt_mem_create(layout->size, layout->mem, &allocator, limit, &status);
    if (object)
        memcpy((char *) object + layout->options, taken, layout->taken.size);
    else
        gt_error_plain(failure, status);
    return object;
}

void *gt_object_open(void *out, const struct gt_object_layout *layout, const void *options,
                     gt_error *error, gt_status *status)
{
    gt_error failure = GT_ERROR_INIT;
    void *object = NULL;
    *status = GT_ERR_INVALID_ARGUMENT;
    if (out)
        memcpy(out, &object, sizeof(object));
    if (!gt_error_is_usable(error))
        return NULL;
    if (out)
        object = object_create(layout, options, &failure);
    else
        gt_error_set(&failure, GT_ERR_INVALID_ARGUMENT, GT_NO_OFFSET, 0, "%s is NULL",
                     layout->name);
    *status = gt_error_report(error, &failure);
    return object;
}
