/* SPDX-License-Identifier: BSD-3-Clause */
#include "limits/watch.h"

#include <stdlib.h>

static void note(struct watch *watch, size_t bytes)
{
    watch->live += bytes;
    if (watch->live > watch->peak)
        watch->peak = watch->live;
    if (watch->count == watch->capacity) {
        watch->capacity = 2 * watch->capacity + 64;
        watch->totals = realloc(watch->totals, watch->capacity * sizeof(*watch->totals));
        if (!watch->totals)
            abort();
    }
    watch->totals[watch->count++] = watch->live;
}

static void *watch_allocate(void *context, size_t bytes)
{
    note(context, bytes);
    return malloc(bytes);
}

/* Both blocks may exist for a moment, so both count. */
static void *watch_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    struct watch *watch = context;

    note(watch, bytes);
    watch->live -= old_bytes;
    return realloc(block, bytes);
}

static void watch_release(void *context, void *block, size_t bytes)
{
    struct watch *watch = context;

    watch->live -= bytes;
    free(block);
}

void watch_begin(struct watch *watch)
{
    watch->allocator = (gt_allocator){sizeof(gt_allocator), watch, watch_allocate, watch_reallocate,
                                      watch_release};
    watch->live = watch->peak = 0;
    watch->count = 0;
}

void watch_free(struct watch *watch)
{
    free(watch->totals);
    watch->totals = NULL;
    watch->capacity = 0;
}
