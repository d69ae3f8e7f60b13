/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/samples.h"

#include "base/error.h"
#include "v2/repair.h"
#include "v2/spec.h"

static bool v2_sample_before(const struct gt_v2_sample *a, const struct gt_v2_sample *b)
{
    return a->time < b->time || (a->time == b->time && a->offset < b->offset);
}

static void v2_samples_sift(struct gt_v2_sample *samples, size_t i, size_t count)
{
    struct gt_v2_sample sample = samples[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count)
            break;
        if (child + 1 < count && v2_sample_before(&samples[child], &samples[child + 1]))
            child++;
        if (!v2_sample_before(&sample, &samples[child]))
            break;
        samples[i] = samples[child];
        i = child;
    }
    samples[i] = sample;
}

/* Heapsort, which works in place, without recursion, and never takes quadratic time. */
void gt_v2_samples_sort(struct gt_v2 *v2)
{
    struct gt_v2_sample *samples = v2->generation.samples;
    size_t count = v2->generation.sample_count;
    size_t sorted = 1;
    while (sorted < count && v2_sample_before(&samples[sorted - 1], &samples[sorted]))
        sorted++;
    if (sorted >= count)
        return;
    for (size_t i = count / 2; i > 0; i--)
        v2_samples_sift(samples, i - 1, count);
    for (size_t end = count - 1; end > 0; end--) {
        struct gt_v2_sample last = samples[end];
        samples[end] = samples[0];
        samples[0] = last;
        v2_samples_sift(samples, 0, end);
    }
}

gt_status gt_v2_sample_take(struct gt_v2 *v2, struct gt_events *events)
{
    struct gt_v2_generation *generation = &v2->generation;
    const struct gt_v2_sample *sample = &generation->samples[v2->merge.next_sample++];
    struct gt_event_data *data = &events->list[events->count];
    v2->merge.sample_time = v2->merge.next_sample < generation->sample_count
                                ? generation->samples[v2->merge.next_sample].time
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
