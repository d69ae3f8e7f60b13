/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/samples.h"

#include "model/wire.h"
#include "v1/decode.h"
#include "v1/repair.h"

/*
 * Returns the sample's numbers after its time: its second time, the proc, the goroutine and the
 * stack.
 */
static const uint8_t *v1_sample_numbers(const struct gt_v1 *v1, size_t index)
{
    return gt_v1_after_time(v1, gt_v1_late_offset(&v1->input.samples.events[index]));
}

static uint64_t v1_sample_goroutine(const struct gt_v1 *v1, size_t index)
{
    const uint8_t *p = v1_sample_numbers(v1, index);
    p = gt_v1_skip_number(gt_v1_skip_number(p));
    return gt_varint_trusted(&p);
}

/*
 * The loop goes from the last sample to the first, so that each sample can be linked to the
 * goroutine's next one.
 */
gt_status gt_v1_samples_chain(struct gt_v1 *v1)
{
    struct gt_v1_merge *merge = &v1->merge;
    size_t count = v1->input.samples.count;
    gt_idmap_destroy(&merge->sampled);
    if (count == 0)
        return GT_OK;
    if (!merge->sample_next)
        merge->sample_next = gt_mem_alloc(v1->mem, count * sizeof(*merge->sample_next));
    if (!merge->sample_next)
        return gt_v1_no_memory(v1);
    for (size_t i = count; i > 0; i--) {
        uint64_t goroutine = v1_sample_goroutine(v1, i - 1);
        merge->sample_next[i - 1] = (uint32_t) gt_idmap_get_number(&merge->sampled, goroutine);
        if (gt_idmap_put_number(&merge->sampled, goroutine, i) != GT_OK)
            return gt_v1_no_memory(v1);
    }
    return GT_OK;
}

static void v1_sample_unchain(struct gt_v1_merge *merge, size_t index, uint64_t goroutine)
{
    uint32_t next = merge->sample_next[index];
    if (next != 0)
        gt_idmap_put_number(&merge->sampled, goroutine, next);
    else
        gt_idmap_remove(&merge->sampled, goroutine);
}

void gt_v1_sample_take(struct gt_v1 *v1, struct gt_event_data *data)
{
    size_t index = v1->input.samples.next++;
    const uint8_t *p = v1_sample_numbers(v1, index);
    gt_varint_trusted(&p);
    int32_t proc = (int32_t) gt_varint_trusted(&p);
    uint64_t goroutine = gt_varint_trusted(&p);
    v1_sample_unchain(&v1->merge, index, goroutine);
    gt_stacks_find(&v1->table.stacks, (uint32_t) gt_varint_trusted(&p), &data->stack);
    if (data->stack == 0)
        data->stack = GT_STACK_EMPTY_SLOT;
    data->event.kind = GT_EVENT_STACK_SAMPLE;
    data->event.thread = GT_NO_THREAD;
    data->event.proc = proc;
    data->event.goroutine = goroutine == 0 ? GT_NO_GOROUTINE : (int64_t) goroutine;
    data->type = GT_WIRE_CPU_SAMPLE;
    v1->output.ticks = v1->input.samples.events[index].time;
}
