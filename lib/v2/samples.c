/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/samples.h"

#include "base/error.h"
#include "base/sort.h"
#include "v2/repair.h"
#include "v2/spec.h"

static bool v2_sample_before(const void *a, const void *b, void *context)
{
    const struct gt_v2_sample *first = a;
    const struct gt_v2_sample *second = b;
    (void) context;
    if (first->time == second->time)
        return first->offset < second->offset;
    return first->time < second->time;
}

void gt_v2_samples_sort(struct gt_v2 *v2)
{
    struct gt_v2_generation *generation = &v2->generation;
    gt_sort(generation->samples.items, generation->samples.count,
            sizeof(*generation->samples.items), v2_sample_before, NULL);
}

gt_status gt_v2_sample_take(struct gt_v2 *v2, struct gt_events *events)
{
    struct gt_v2_generation *generation = &v2->generation;
    const struct gt_v2_sample *sample = &generation->samples.items[v2->merge.next_sample++];
    struct gt_event_data *data = &events->list[events->count];
    v2->merge.sample_time = v2->merge.next_sample < generation->samples.count
                                ? generation->samples.items[v2->merge.next_sample].time
                                : INT64_MAX;
    data->event.kind = GT_EVENT_STACK_SAMPLE;
    data->event.thread = sample->thread;
    data->event.proc = sample->proc;
    data->event.goroutine = sample->goroutine;
    data->type = GT_WIRE_CPU_SAMPLE;
    if (!gt_stacks_find(&v2->table->stacks, sample->stack, &data->stack)) {
        gt_status status =
            gt_error_set(v2->error, GT_ERR_REFERENCE, sample->offset, generation->number,
                         "CPU sample names stack %u, which does not exist", sample->stack);
        if (!gt_v2_forgive_lost(v2, GT_V2_LOST_STACK))
            return status;
    }
    if (data->stack == 0)
        data->stack = GT_STACK_EMPTY_SLOT;
    data->event.time = gt_v2_next_time(v2, sample->time);
    events->count++;
    return GT_OK;
}
