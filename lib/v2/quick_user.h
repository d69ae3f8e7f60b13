/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_QUICK_USER_H
#define GT_V2_QUICK_USER_H

#include "v2/quick_read.h"

/* The quick cases of regions and logs of package runtime/trace. See v2/quick.h. */

/* The arguments that the beginning and the end of a region share. */
struct gt_v2_quick_region {
    const uint8_t *end; /* the end of the event; NULL: its rule must be used */
    uint64_t task;
    uint32_t string, stack;
};

static GT_ALWAYS_INLINE struct gt_v2_quick_region
gt_v2_quick_region_read(struct gt_v2 *v2, const struct gt_v2_thread *thread, const uint8_t *p)
{
    uint64_t numbers[3];
    struct gt_v2_quick_region read = {.end = gt_v2_quick_read(thread, p, numbers, 3)};
    if (!read.end || !gt_v2_quick_has_goroutine(thread) ||
        !gt_strings_find(&v2->table->strings, numbers[1], &read.string) ||
        !gt_stacks_find(&v2->table->stacks, numbers[2], &read.stack))
        return (struct gt_v2_quick_region){.end = NULL};
    read.task = numbers[0];
    return read;
}

/* Stores the event of a region. Returns the end of the event. */
static GT_ALWAYS_INLINE const uint8_t *
gt_v2_quick_region_store(const struct gt_v2_quick_region *read, uint32_t kind,
                         struct gt_event_data *data)
{
    data->event.kind = kind;
    data->arguments[0] = read->task;
    data->strings[0] = read->string;
    data->stack = read->stack;
    return read->end;
}

/* Begins a region whose name an earlier region of this generation had. */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_region_begin(struct gt_v2 *v2,
                                                                struct gt_v2_thread *thread,
                                                                const uint8_t *p,
                                                                struct gt_event_data *data)
{
    const struct gt_v2_quick_region read = gt_v2_quick_region_read(v2, thread, p);
    if (!read.end)
        return NULL;
    struct gt_name *name = gt_strings_name_known(&v2->table->strings, read.string);
    struct gt_v2_open *region = name ? gt_pool_take_again(&v2->state.open_pool) : NULL;
    if (!region)
        return NULL;
    region->task = read.task;
    region->name = gt_name_hold(name);
    region->next = thread->goroutine->regions;
    thread->goroutine->regions = region;
    return gt_v2_quick_region_store(&read, GT_EVENT_REGION_BEGIN, data);
}

/* Ends the goroutine's innermost region, which began in this generation. */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_region_end(struct gt_v2 *v2,
                                                              struct gt_v2_thread *thread,
                                                              const uint8_t *p,
                                                              struct gt_event_data *data)
{
    const struct gt_v2_quick_region read = gt_v2_quick_region_read(v2, thread, p);
    if (!read.end)
        return NULL;
    struct gt_v2_open *region = thread->goroutine->regions;
    if (!region || region->task != read.task ||
        region->name != gt_strings_name_known(&v2->table->strings, read.string))
        return NULL;
    thread->goroutine->regions = region->next;
    gt_names_drop(&v2->names, region->name);
    gt_pool_give(&v2->state.open_pool, region);
    return gt_v2_quick_region_store(&read, GT_EVENT_REGION_END, data);
}

static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_log(struct gt_v2 *v2,
                                                       struct gt_v2_thread *thread,
                                                       const uint8_t *p, struct gt_event_data *data)
{
    uint64_t numbers[4];
    uint32_t stack, category, message;
    const uint8_t *end = gt_v2_quick_read(thread, p, numbers, 4);
    if (!end || !gt_v2_runs_code(thread) ||
        !gt_strings_find(&v2->table->strings, numbers[1], &category) ||
        !gt_strings_find(&v2->table->strings, numbers[2], &message) ||
        !gt_stacks_find(&v2->table->stacks, numbers[3], &stack))
        return NULL;
    data->event.kind = GT_EVENT_LOG;
    data->arguments[0] = numbers[0];
    data->strings[0] = category;
    data->strings[1] = message;
    data->stack = stack;
    return end;
}

#endif
