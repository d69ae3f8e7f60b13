/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/emitter.h"

#include "base/error.h"
#include "base/object.h"
#include "viewer/check.h"

gt_status gt_emitter_open(gt_emitter **out, const gt_consumer *consumer,
                          const gt_emitter_options *options, gt_error *error)
{
    static const gt_emitter_options defaults = GT_EMITTER_OPTIONS_INIT;
    static const struct gt_object_layout layout =
        GT_OBJECT_LAYOUT("emitter", gt_emitter, gt_emitter_options, allocator, GT_EMITTER_ENCLOSING,
                         &defaults, NULL);
    gt_error failure = GT_ERROR_INIT;
    gt_consumer taken;
    if (!out)
        return gt_error_report_refusal(error, "emitter is NULL");
    *out = NULL;
    if (!consumer)
        return gt_error_report_refusal(error, "consumer is NULL");
    gt_status status = gt_struct_take_named(&taken, sizeof(taken), GT_UP_TO(gt_consumer, flush),
                                            consumer, "consumer->", &failure);
    if (status != GT_OK)
        return gt_error_report(error, &failure);
    struct gt_emitter *emitter = gt_object_open(out, &layout, options, error, &status);
    if (!emitter)
        return status;
    emitter->consumer = taken;
    gt_counters_init(&emitter->counters);
    gt_frames_init(&emitter->frames, &emitter->mem);
    gt_rows_init(&emitter->resources, &emitter->mem);
    gt_rows_init(&emitter->tasks, &emitter->mem);
    if (taken.time_unit && taken.time_unit(taken.user_data, "ns") != 0) {
        gt_emitter_close(&emitter);
        status = GT_ERR_CALLBACK;
    }
    *out = emitter;
    return gt_error_report_plain(error, status);
}

void gt_emitter_close(gt_emitter **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    struct gt_emitter *emitter = *out;
    *out = NULL;
    gt_frames_destroy(&emitter->frames);
    gt_rows_destroy(&emitter->resources);
    gt_rows_destroy(&emitter->tasks);
    for (size_t i = 0; i < GT_SECTIONS; i++)
        gt_mem_free(&emitter->mem, emitter->names[i].text, emitter->names[i].size);
    gt_array_free(&emitter->mem, &emitter->label);
    gt_mem_delete(&emitter->mem, emitter, sizeof(*emitter));
}

static gt_status emitter_pass_event(gt_emitter *emitter, const gt_viewer_event *in, bool required)
{
    gt_viewer_event copy;
    const gt_viewer_event *event = gt_viewer_event_take(in, &copy);
    if (!event)
        return gt_emitter_refuse(emitter, "the event has a wrong size, phase, string or argument");
    if (!gt_emitter_has_stack(emitter, event->stack) ||
        !gt_emitter_has_stack(emitter, event->end_stack))
        return gt_emitter_refuse(emitter, "a stack of the event is not one of the emitter's");
    return gt_emitter_give(emitter, event, required);
}

gt_status gt_emitter_event(gt_emitter *emitter, const gt_viewer_event *event, int required)
{
    return gt_emitter_enter(emitter)
               ? gt_emitter_leave(emitter, emitter_pass_event(emitter, event, required != 0))
               : gt_emitter_refusal(emitter);
}

gt_status gt_emitter_flush(gt_emitter *emitter)
{
    if (!gt_emitter_enter(emitter))
        return gt_emitter_refusal(emitter);
    emitter->flushed = true;
    gt_status status = gt_emitter_give_rows(emitter);
    const gt_consumer *consumer = &emitter->consumer;
    if (status == GT_OK && consumer->flush && consumer->flush(consumer->user_data) != 0)
        status = GT_ERR_CALLBACK;
    return gt_emitter_leave(emitter, status);
}

gt_status gt_emitter_follow_go(gt_emitter *emitter)
{
    if (!gt_emitter_enter(emitter))
        return gt_emitter_refusal(emitter);
    emitter->follows_go = true;
    return gt_emitter_leave(emitter, GT_OK);
}

gt_status gt_emitter_error(const gt_emitter *emitter, gt_error *error)
{
    if (!emitter || emitter->busy)
        return GT_ERR_INVALID_ARGUMENT;
    gt_error known = GT_ERROR_INIT;
    gt_error_plain(&known, emitter->last_failure);
    if (emitter->last_failure == GT_ERR_INVALID_ARGUMENT && emitter->fault)
        gt_error_refuse(&known, emitter->fault);
    return gt_error_give(error, &known);
}

int gt_emitter_is_consistent(const gt_emitter *emitter)
{
    return emitter && !emitter->counters.inconsistent;
}

gt_status gt_emitter_get_info(const gt_emitter *emitter, gt_emitter_info *info)
{
    if (!emitter || emitter->busy || !gt_struct_fits(info, GT_UP_TO(gt_emitter_info, memory_peak)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_emitter_info known = GT_EMITTER_INFO_INIT;
    known.events = emitter->events;
    known.frames = emitter->frames.nodes.count;
    known.memory = emitter->mem.used;
    known.memory_peak = emitter->mem.peak;
    gt_struct_give(info, &known, sizeof(known));
    return GT_OK;
}
