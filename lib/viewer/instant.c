/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/check.h"
#include "viewer/emitter.h"
#include "viewer/words.h"

/* Says what is wrong with an instant; NULL if nothing is. */
static const char *instant_fault(const struct gt_emitter *emitter, const gt_instant *instant)
{
    if (!gt_string_is_good(instant->name))
        return "the name of the instant has no data";
    if (!gt_string_is_good(instant->category))
        return "the category of the instant has no data";
    if (!gt_emitter_has_stack(emitter, instant->stack))
        return "the stack of the instant is not one of the emitter's";
    if (instant->reserved != 0)
        return "the reserved member of the instant is not 0";
    if (!gt_arguments_are_good(instant->arguments, instant->argument_count))
        return "an argument of the instant is not valid";
    return NULL;
}

/* NULL: the instant is refused. */
static const gt_instant *instant_take(struct gt_emitter *emitter, const gt_instant *in,
                                      gt_instant *copy)
{
    const gt_instant *instant =
        gt_struct_view(in, copy, sizeof(*copy), GT_UP_TO(gt_instant, argument_count));
    const char *fault =
        instant ? instant_fault(emitter, instant) : "the size of the instant is wrong";
    if (!fault)
        return instant;
    gt_emitter_refuse(emitter, fault);
    return NULL;
}

static gt_status instant_emit(struct gt_emitter *emitter, const gt_instant *in)
{
    gt_instant copy;
    const gt_instant *instant = instant_take(emitter, in, &copy);
    if (!instant)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_emitter_in_range(emitter, instant->time) ||
        !gt_emitter_shows(emitter, instant->resource))
        return GT_OK;
    gt_viewer_event event =
        gt_viewer_event_make('I', GT_SECTION_RESOURCES, instant->resource, instant->time);
    event.name = instant->name;
    event.category = instant->category;
    event.scope = GT_WORD(thread_scope, "t");
    event.stack = instant->stack;
    event.arguments = instant->arguments;
    event.argument_count = instant->argument_count;
    return gt_emitter_give(emitter, &event, false);
}

gt_status gt_emitter_instant(gt_emitter *emitter, const gt_instant *instant)
{
    return gt_emitter_enter(emitter) ? gt_emitter_leave(emitter, instant_emit(emitter, instant))
                                     : gt_emitter_refusal(emitter);
}
