/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/make.h>

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/sized.h"
#include "model/words.h"
#include "reader/copy.h"
#include "reader/make.h"

/* Makes events of the caller's own: an event is assembled here, and then copied. */

#define MAKING_KIND(kind) (UINT32_C(1) << GT_EVENT_##kind)

enum {
    MAKING_RANGES = MAKING_KIND(RANGE_BEGIN) | MAKING_KIND(RANGE_ACTIVE) | MAKING_KIND(RANGE_END),
    MAKING_TASKS = MAKING_KIND(TASK_BEGIN) | MAKING_KIND(TASK_END),
    MAKING_REGIONS = MAKING_KIND(REGION_BEGIN) | MAKING_KIND(REGION_END),
    MAKING_ALL = (1 << (GT_EVENT_EXPERIMENTAL + 1)) - 2
};

/*
 * A pointer in the options, with the kinds of events that may have it and those that must have it.
 */
struct making_detail {
    const char *name;
    size_t offset;
    uint32_t may;
    uint32_t must;
};

#define DETAIL(member, may, must)                                                                  \
    {                                                                                              \
        "options." #member, offsetof(gt_event_make_options, member), (may), (must)                 \
    }

static const struct making_detail making_details[] = {
    DETAIL(metric, MAKING_KIND(METRIC), MAKING_KIND(METRIC)),
    DETAIL(label, MAKING_KIND(LABEL), MAKING_KIND(LABEL)),
    DETAIL(range, MAKING_RANGES, MAKING_RANGES),
    DETAIL(task, MAKING_TASKS, MAKING_TASKS),
    DETAIL(region, MAKING_REGIONS, MAKING_REGIONS),
    DETAIL(log, MAKING_KIND(LOG), MAKING_KIND(LOG)),
    DETAIL(transition, MAKING_KIND(STATE_TRANSITION), MAKING_KIND(STATE_TRANSITION)),
    DETAIL(transition_frames, MAKING_KIND(STATE_TRANSITION), 0),
    DETAIL(sync, MAKING_ALL, MAKING_KIND(SYNC)),
    DETAIL(batches, MAKING_KIND(SYNC), 0),
    DETAIL(experimental, MAKING_KIND(EXPERIMENTAL), MAKING_KIND(EXPERIMENTAL)),
    DETAIL(values, MAKING_KIND(RANGE_END) | MAKING_KIND(EXPERIMENTAL), 0),
};

static bool making_refuse(gt_error *failure, const char *member, const char *why)
{
    gt_error_set(failure, GT_ERR_INVALID_ARGUMENT, GT_NO_OFFSET, 0, "%s %s", member, why);
    return false;
}

bool gt_making_refuse(struct gt_making *making, const char *member, const char *why)
{
    return making_refuse(making->failure, member, why);
}

static bool making_check_details(struct gt_making *making)
{
    const gt_event_make_options *options = &making->options;
    uint32_t kind = UINT32_C(1) << options->kind;
    for (size_t i = 0; i < sizeof(making_details) / sizeof(making_details[0]); i++) {
        const struct making_detail *detail = &making_details[i];
        const void *pointer;
        memcpy(&pointer, (const char *) options + detail->offset, sizeof(pointer));
        if (!pointer && (detail->must & kind))
            return gt_making_refuse(making, detail->name, "is NULL");
        if (pointer && !(detail->may & kind))
            return gt_making_refuse(making, detail->name, "does not belong to this kind");
    }
    return true;
}

bool gt_making_text(struct gt_making *making, const char *member, gt_string text)
{
    if (!text.data && text.size != 0)
        return gt_making_refuse(making, member, "is NULL");
    if (text.size > INT32_MAX)
        return gt_making_refuse(making, member, "is too long");
    return true;
}

/* Checks a stack whose handle is not GT_STACK_NONE. */
static bool making_check_frames(struct gt_making *making, const char *member,
                                const struct gt_copied_stack *stack)
{
    uint32_t slot = (uint32_t) stack->stack;
    if (slot == 0 || stack->stack >> 32 == 0)
        return gt_making_refuse(making, member, "is not a handle of gt_stack_make");
    if (slot == GT_STACK_EMPTY_SLOT && stack->count != 0)
        return gt_making_refuse(making, member, "is the empty stack, but has frames");
    if (!stack->frames && stack->count != 0)
        return gt_making_refuse(making, member, "has no frames, but a number of them");
    if (stack->count > GT_EVENT_MAKE_MAX_FRAMES)
        return gt_making_refuse(making, member, "has too many frames");
    for (size_t i = 0; i < stack->count; i++) {
        if (!gt_making_text(making, "the function of a frame", stack->frames[i].function) ||
            !gt_making_text(making, "the file of a frame", stack->frames[i].file))
            return false;
    }
    return true;
}

static bool making_add_stack(struct gt_making *making)
{
    const gt_event_make_options *options = &making->options;
    struct gt_copied_stack *stack = &making->parts.stacks[0];
    *stack = (struct gt_copied_stack){options->stack, options->frames, options->frame_count};
    if (options->stack == GT_STACK_NONE)
        return !options->frames && options->frame_count == 0
                   ? true
                   : gt_making_refuse(making, "options.stack", "is none, but has frames");
    making->data.stack = (uint32_t) options->stack;
    making->table.ordinal = (uint32_t) (options->stack >> 32);
    return making_check_frames(making, "options.stack", stack);
}

bool gt_making_add_transition_stack(struct gt_making *making, gt_stack handle)
{
    const gt_event_make_options *options = &making->options;
    struct gt_copied_stack *stack = &making->parts.stacks[1];
    static const char member[] = "options.transition->stack";
    if (handle == GT_STACK_NONE)
        return !options->transition_frames && options->transition_frame_count == 0
                   ? true
                   : gt_making_refuse(making, member, "is none, but has frames");
    making->data.own_stack = (uint32_t) handle;
    if (handle == options->stack)
        return true;
    if (options->stack != GT_STACK_NONE && handle >> 32 != options->stack >> 32)
        return gt_making_refuse(making, member, "is of another generation than options.stack");
    *stack = (struct gt_copied_stack){handle, options->transition_frames,
                                      options->transition_frame_count};
    making->table.ordinal = (uint32_t) (handle >> 32);
    return making_check_frames(making, member, stack);
}

/* Sets the members that all kinds of events have. */
static bool making_begin(struct gt_making *making)
{
    const gt_event_make_options *options = &making->options;
    struct gt_event_data *data = &making->data;
    const gt_string none = {"", 0};
    if (options->kind == 0 || options->kind > GT_EVENT_EXPERIMENTAL)
        return gt_making_refuse(making, "options.kind", "is no kind of event");
    if (options->reserved != 0)
        return gt_making_refuse(making, "options.reserved", "is not 0");
    data->event.kind = options->kind;
    data->event.time = options->time;
    data->event.thread = options->thread;
    data->event.proc = options->proc;
    data->event.goroutine = options->goroutine;
    data->table = &making->table;
    making->parts.texts[0] = making->parts.texts[1] = making->parts.name = none;
    return making_check_details(making) && making_add_stack(making) && gt_making_add_sync(making);
}

static gt_status making_finish(struct gt_making *making, struct gt_mem *mem,
                               const gt_allocator *allocator, gt_event **event)
{
    if (!gt_making_take_batches(making, mem))
        return (gt_status) making->failure->status;
    gt_status status = gt_event_copy_new(&making->data.event, &making->parts, allocator, event);
    gt_mem_free(mem, making->table.experiments.items,
                making->table.experiments.count * sizeof(*making->table.experiments.items));
    return status == GT_OK ? GT_OK : gt_error_plain(making->failure, status);
}

/*
 * Makes an event by options that have been taken. The parts of the event are allocated, because
 * they are too large for the stack.
 */
static gt_status making_run(const gt_event_make_options *options, const gt_allocator *allocator,
                            gt_error *failure, gt_event **event)
{
    struct gt_mem mem;
    gt_mem_init(&mem, allocator, 0);
    struct gt_making *making = gt_mem_zeros(&mem, sizeof(*making));
    if (!making)
        return gt_error_plain(failure, GT_ERR_NO_MEMORY);
    making->options = *options;
    making->failure = failure;
    gt_status status = GT_OK;
    if (!making_begin(making) || !gt_making_add_content(making))
        status = (gt_status) failure->status;
    else
        status = making_finish(making, &mem, allocator, event);
    gt_mem_free(&mem, making, sizeof(*making));
    return status;
}

gt_status gt_event_make(gt_event **event, const gt_event_make_options *options, gt_error *error)
{
    static const struct gt_options_layout layout =
        GT_OPTIONS_LAYOUT(gt_event_make_options, values, 0);
    gt_error failure = GT_ERROR_INIT;
    gt_event_make_options taken;
    gt_allocator allocator;
    if (event)
        *event = NULL;
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    if (!event || !options)
        making_refuse(&failure, event ? "options" : "event", "is NULL");
    else if (gt_options_take(&taken, &allocator, &layout, options, &failure) == GT_OK)
        making_run(&taken, &allocator, &failure, event);
    return gt_error_report(error, &failure);
}

gt_stack gt_stack_make(uint32_t generation, uint32_t number)
{
    return generation == 0 || number == 0 ? GT_STACK_NONE : (gt_stack) generation << 32 | number;
}

static gt_status transition_make(gt_resource resource, uint32_t states, const uint32_t *change,
                                 gt_transition *transition)
{
    gt_transition made = GT_TRANSITION_INIT;
    if (!gt_struct_fits(transition, GT_UP_TO(gt_transition, stack)) || change[0] >= states ||
        change[1] >= states)
        return GT_ERR_INVALID_ARGUMENT;
    made.resource = resource;
    made.from = change[0];
    made.to = change[1];
    made.reason.data = "";
    gt_struct_give(transition, &made, sizeof(made));
    return GT_OK;
}

gt_status gt_goroutine_transition_make(int64_t id, uint32_t from, uint32_t to,
                                       gt_transition *transition)
{
    return transition_make((gt_resource){GT_RESOURCE_GOROUTINE, 0, id}, GT_WORDS_GO_STATES,
                           (const uint32_t[]){from, to}, transition);
}

gt_status gt_proc_transition_make(int64_t id, uint32_t from, uint32_t to, gt_transition *transition)
{
    return transition_make((gt_resource){GT_RESOURCE_PROC, 0, id}, GT_WORDS_PROC_STATES,
                           (const uint32_t[]){from, to}, transition);
}
