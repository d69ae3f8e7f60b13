/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/steps.h"

#include "viewer/log.h"

static gt_status make_stack(gt_emitter *emitter)
{
    const gt_emitter_frame frames[] = {{20, 7, {"leaf", 4}, {"l.go", 4}},
                                       {10, 3, {"root", 4}, {"", 0}}};
    uint32_t stack;
    return gt_emitter_stack(emitter, frames, 2, &stack);
}

static gt_status add_slice(gt_emitter *emitter)
{
    gt_slice slice = GT_SLICE_INIT;
    slice.name = text_of("slice");
    return gt_emitter_slice(emitter, &slice);
}

static gt_status add_task_slice(gt_emitter *emitter)
{
    gt_slice slice = GT_SLICE_INIT;
    return gt_emitter_task_slice(emitter, &slice);
}

static gt_status add_async_slice(gt_emitter *emitter)
{
    gt_slice slice = GT_SLICE_INIT;
    return gt_emitter_async_slice(emitter, &slice);
}

static gt_status add_instant(gt_emitter *emitter)
{
    gt_instant instant = GT_INSTANT_INIT;
    return gt_emitter_instant(emitter, &instant);
}

static gt_status add_arrow(gt_emitter *emitter)
{
    gt_arrow arrow = GT_ARROW_INIT;
    return gt_emitter_arrow(emitter, &arrow);
}

static gt_status add_task_arrow(gt_emitter *emitter)
{
    gt_arrow arrow = GT_ARROW_INIT;
    return gt_emitter_task_arrow(emitter, &arrow);
}

static gt_status count_goroutine(gt_emitter *emitter)
{
    return gt_emitter_count_goroutine(emitter, 1, GT_COUNTED_DEAD, GT_COUNTED_RUNNABLE);
}

static gt_status count_threads(gt_emitter *emitter)
{
    return gt_emitter_count_threads(emitter, 1, GT_COUNTED_THREAD_RUNNING, 1);
}

static gt_status add_counter(gt_emitter *emitter)
{
    const gt_viewer_argument value = {{"k", 1}, GT_VIEWER_DOUBLE, 0, 0, {"", 0}, 0.5};
    gt_counter counter = GT_COUNTER_INIT;
    counter.name = text_of("load");
    counter.unit = text_of("%");
    counter.values = &value;
    counter.value_count = 1;
    return gt_emitter_counter(emitter, &counter);
}

static gt_status set_heap(gt_emitter *emitter)
{
    return gt_emitter_heap(emitter, 1, 1000);
}

static gt_status set_heap_goal(gt_emitter *emitter)
{
    return gt_emitter_heap_goal(emitter, 1, 4000);
}

/* A later name replaces an earlier one. */
static gt_status name_section(gt_emitter *emitter)
{
    gt_status status = gt_emitter_name_section(emitter, GT_SECTION_RESOURCES, text_of("old"));
    if (status != GT_OK)
        return status;
    return gt_emitter_name_section(emitter, GT_SECTION_RESOURCES, text_of("PROCS"));
}

static gt_status name_resource(gt_emitter *emitter)
{
    gt_status status = gt_emitter_name_resource(emitter, 0, text_of("old"));
    if (status != GT_OK)
        return status;
    return gt_emitter_name_resource(emitter, 0, text_of("Proc 0"));
}

static gt_status focus(gt_emitter *emitter)
{
    return gt_emitter_focus(emitter, 1);
}

static gt_status name_task(gt_emitter *emitter)
{
    return gt_emitter_name_task(emitter, 4, text_of("task"), 1);
}

static gt_status add_event(gt_emitter *emitter)
{
    gt_viewer_event event = GT_VIEWER_EVENT_INIT;
    return gt_emitter_event(emitter, &event, 0);
}

const struct step steps[] = {
    {"follow_go", gt_emitter_follow_go},
    {"stack", make_stack},
    {"slice", add_slice},
    {"task_slice", add_task_slice},
    {"async_slice", add_async_slice},
    {"instant", add_instant},
    {"arrow", add_arrow},
    {"task_arrow", add_task_arrow},
    {"count_goroutine", count_goroutine},
    {"count_threads", count_threads},
    {"counter", add_counter},
    {"heap", set_heap},
    {"heap_goal", set_heap_goal},
    {"name_section", name_section},
    {"name_resource", name_resource},
    {"focus", focus},
    {"name_task", name_task},
    {"event", add_event},
    {"flush", gt_emitter_flush},
};

const size_t step_count = sizeof(steps) / sizeof(*steps);
