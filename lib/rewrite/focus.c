/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/focus.h"

#include <string.h>

#include "base/error.h"
#include "base/object.h"

enum {
    /* The number of unused types to keep, because few different ones recur. */
    SPARE_REGION_TYPES = 64
};

gt_status gt_focus_open(gt_focus **out, const gt_focus_options *options, gt_error *error)
{
    static const gt_focus_options defaults = GT_FOCUS_OPTIONS_INIT;
    static const struct gt_object_layout layout =
        GT_OBJECT_LAYOUT("focus", gt_focus, gt_focus_options, allocator, 0, &defaults, NULL);
    if (!out)
        return gt_error_report_refusal(error, "focus is NULL");
    *out = NULL;
    gt_status status;
    struct gt_focus *focus = gt_object_open(out, &layout, options, error, &status);
    if (!focus)
        return status;
    gt_idmap_init(&focus->family, &focus->mem);
    gt_idmap_init(&focus->named, &focus->mem);
    gt_idmap_init_objects(&focus->goroutines, &focus->mem, sizeof(struct gt_focus_goroutine));
    gt_pool_init(&focus->regions, &focus->mem, sizeof(struct gt_focus_region));
    gt_shared_texts_init(&focus->types, &focus->mem, SPARE_REGION_TYPES);
    *out = focus;
    return GT_OK;
}

static void item_free(struct gt_focus *focus, struct gt_focus_item *item)
{
    gt_idmap_destroy(&item->goroutines);
    gt_mem_free(&focus->mem, item->type, item->type_size);
    gt_mem_free(&focus->mem, item, sizeof(*item));
}

void gt_focus_close(gt_focus **out)
{
    struct gt_focus *focus = out ? *out : NULL;
    if (!focus)
        return;
    *out = NULL;
    for (size_t i = 0; i < focus->items.count; i++)
        item_free(focus, focus->items.items[i]);
    gt_array_free(&focus->mem, &focus->items);
    gt_idmap_destroy(&focus->family);
    gt_idmap_destroy(&focus->named);
    gt_idmap_destroy(&focus->goroutines);
    gt_pool_destroy(&focus->regions);
    gt_shared_texts_destroy(&focus->types);
    gt_mem_delete(&focus->mem, focus, sizeof(*focus));
}

/* Notes that there was no memory, which every later call returns, too. */
static gt_status focus_fail(struct gt_focus *focus)
{
    focus->status = gt_mem_failure(&focus->mem);
    return focus->status;
}

/* Adds an item. Returns NULL if that fails. */
static struct gt_focus_item *item_add(struct gt_focus *focus, enum gt_focus_kind kind, uint64_t id)
{
    struct gt_focus_item *item = gt_mem_alloc(&focus->mem, sizeof(*item));
    if (!item)
        return NULL;
    *item = (struct gt_focus_item){
        .kind = kind, .id = id, .start = INT64_MAX, .end = INT64_MIN, .is_open = true};
    gt_idmap_init(&item->goroutines, &focus->mem);
    if (gt_array_add(&focus->mem, &focus->items, item) == GT_OK)
        return item;
    item_free(focus, item);
    return NULL;
}

gt_status gt_focus_add_goroutine(gt_focus *focus, int64_t goroutine)
{
    if (!focus || focus->has_begun || goroutine < 0)
        return GT_ERR_INVALID_ARGUMENT;
    if (focus->status != GT_OK)
        return focus->status;
    return item_add(focus, GT_FOCUS_GOROUTINE, (uint64_t) goroutine) ? GT_OK : focus_fail(focus);
}

gt_status gt_focus_add_task(gt_focus *focus, uint64_t task)
{
    if (!focus || focus->has_begun || task == GT_NO_TASK || task == GT_BACKGROUND_TASK)
        return GT_ERR_INVALID_ARGUMENT;
    if (focus->status != GT_OK)
        return focus->status;
    if (gt_idmap_get(&focus->family, task))
        return GT_OK;
    struct gt_focus_item *item = item_add(focus, GT_FOCUS_TASK, task);
    focus->has_tasks = true;
    return item && gt_idmap_put(&focus->family, task, item) == GT_OK ? GT_OK : focus_fail(focus);
}

gt_status gt_focus_add_region(gt_focus *focus, gt_string type)
{
    if (!focus || focus->has_begun || (!type.data && type.size != 0))
        return GT_ERR_INVALID_ARGUMENT;
    if (focus->status != GT_OK)
        return focus->status;
    struct gt_focus_item *item = item_add(focus, GT_FOCUS_REGION, 0);
    focus->has_regions = true;
    if (item && type.size != 0)
        item->type = gt_mem_alloc(&focus->mem, type.size);
    if (!item || (type.size != 0 && !item->type))
        return focus_fail(focus);
    item->type_size = type.size;
    if (type.size != 0)
        memcpy(item->type, type.data, type.size);
    return GT_OK;
}

static void look_at_transition(struct gt_focus_look *look)
{
    gt_transition transition = GT_TRANSITION_INIT;
    gt_event_transition(look->event, &transition);
    if (transition.resource.kind != GT_RESOURCE_GOROUTINE)
        return;
    look->subject = transition.resource.id;
    look->ends = transition.to == GT_GO_NOT_EXIST;
}

static void look_at_range(struct gt_focus_look *look)
{
    gt_range range = GT_RANGE_INIT;
    gt_event_range(look->event, &range);
    if (range.scope.kind == GT_RESOURCE_GOROUTINE)
        look->subject = range.scope.id;
}

static void look_at_task(struct gt_focus_look *look)
{
    gt_task task = GT_TASK_INIT;
    gt_event_task(look->event, &task);
    look->task = task.id;
    look->parent = task.parent;
}

static void look_at_region(struct gt_focus_look *look)
{
    gt_region region = GT_REGION_INIT;
    gt_event_region(look->event, &region);
    look->task = region.task;
    look->type = region.type;
}

static void look_at_log(struct gt_focus_look *look)
{
    gt_log log = GT_LOG_INIT;
    gt_event_log(look->event, &log);
    look->task = log.task;
}

static void look_at(struct gt_focus_look *look, const gt_event *event)
{
    *look = (struct gt_focus_look){
        .event = event, .subject = GT_NO_GOROUTINE, .task = GT_NO_TASK, .parent = GT_NO_TASK};
    switch (event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        look_at_transition(look);
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        look_at_range(look);
        break;
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        look_at_task(look);
        break;
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        look_at_region(look);
        break;
    case GT_EVENT_LOG:
        look_at_log(look);
        break;
    default:
        break;
    }
}

/*
 * A goroutine ends by a transition of its own. Samples of it can come later, and change nothing.
 */
static void item_note_goroutine(struct gt_focus_item *item, const struct gt_focus_look *look)
{
    if (!item->is_found) {
        item->is_found = true;
        item->start = look->event->time;
        item->end = INT64_MAX;
    }
    if (look->event->kind == GT_EVENT_STATE_TRANSITION && (uint64_t) look->subject == item->id)
        item->end = look->ends ? look->event->time : INT64_MAX;
}

static void focus_take_goroutine(struct gt_focus *focus, const struct gt_focus_look *look,
                                 bool *belongs)
{
    for (size_t i = 0; i < focus->items.count; i++) {
        struct gt_focus_item *item = focus->items.items[i];
        if (item->kind != GT_FOCUS_GOROUTINE ||
            ((uint64_t) look->event->goroutine != item->id && (uint64_t) look->subject != item->id))
            continue;
        *belongs = true;
        if (!focus->is_finished)
            item_note_goroutine(item, look);
    }
}

/* Takes a task that is named by what belongs to a goroutine or to regions. */
static gt_status focus_take_name(struct gt_focus *focus, const struct gt_focus_look *look,
                                 bool *belongs)
{
    bool is_task =
        look->event->kind == GT_EVENT_TASK_BEGIN || look->event->kind == GT_EVENT_TASK_END;
    if (look->task == GT_NO_TASK || look->task == GT_BACKGROUND_TASK)
        return GT_OK;
    if (*belongs && !focus->is_finished)
        return gt_idmap_put_number(&focus->named, look->task, 1);
    *belongs |= is_task && gt_idmap_get(&focus->named, look->task);
    return GT_OK;
}

/* Sets `*belongs` to whether an event belongs to the focus. */
static gt_status focus_take(struct gt_focus *focus, const gt_event *event, bool *belongs)
{
    struct gt_focus_look look;
    gt_status status = GT_OK;
    *belongs = false;
    if (event->kind == GT_EVENT_SYNC)
        return GT_OK;
    look_at(&look, event);
    focus_take_goroutine(focus, &look, belongs);
    if (focus->has_regions)
        status = gt_focus_take_region(focus, &look, belongs);
    if (status == GT_OK)
        status = focus_take_name(focus, &look, belongs);
    if (status == GT_OK && focus->has_tasks)
        status = gt_focus_take_task(focus, &look, belongs);
    focus->status = status;
    return status;
}

gt_status gt_focus_event(gt_focus *focus, const gt_event *event)
{
    bool belongs;
    if (!focus || !event || focus->is_finished)
        return GT_ERR_INVALID_ARGUMENT;
    focus->has_begun = true;
    return focus->status == GT_OK ? focus_take(focus, event, &belongs) : focus->status;
}

/* Says that the trace does not have an item. */
static gt_status item_miss(const struct gt_focus_item *item, gt_error *error)
{
    char type[GT_ERROR_MESSAGE_SIZE] = "";
    size_t size = item->type_size < sizeof(type) ? item->type_size : sizeof(type) - 1;
    if (item->kind == GT_FOCUS_GOROUTINE)
        return gt_error_set(error, GT_ERR_NOT_AVAILABLE, GT_NO_OFFSET, 0,
                            "there is no goroutine %u in the trace", item->id);
    if (item->kind == GT_FOCUS_TASK)
        return gt_error_set(error, GT_ERR_NOT_AVAILABLE, GT_NO_OFFSET, 0,
                            "there is no task %u in the trace", item->id);
    if (size != 0)
        memcpy(type, item->type, size);
    return gt_error_set(error, GT_ERR_NOT_AVAILABLE, GT_NO_OFFSET, 0,
                        "there is no region of the type \"%s\" in the trace", type);
}

static gt_status focus_finish(struct gt_focus *focus, gt_error *failure)
{
    for (size_t i = 0; i < focus->items.count; i++) {
        struct gt_focus_item *item = focus->items.items[i];
        if (!item->is_found)
            return item_miss(item, failure);
        if (item->start == INT64_MAX)
            item->start = INT64_MIN;
        if (item->open_count != 0 || item->end == INT64_MIN)
            item->end = INT64_MAX;
    }
    focus->is_finished = true;
    return gt_focus_rewind(focus);
}

gt_status gt_focus_finish(gt_focus *focus, gt_error *error)
{
    gt_error failure = GT_ERROR_INIT;
    if (!focus || focus->is_finished || !gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    focus->has_begun = true;
    if (focus->status == GT_OK)
        focus->status = focus_finish(focus, &failure);
    else
        gt_error_plain(&failure, focus->status);
    return focus->status == GT_OK ? GT_OK : gt_error_report(error, &failure);
}

gt_status gt_focus_get_span(const gt_focus *focus, int64_t *start, int64_t *end)
{
    if (!focus || !start || !end || !focus->is_finished)
        return GT_ERR_INVALID_ARGUMENT;
    *start = focus->items.count != 0 ? INT64_MAX : INT64_MIN;
    *end = focus->items.count != 0 ? INT64_MIN : INT64_MAX;
    for (size_t i = 0; i < focus->items.count; i++) {
        const struct gt_focus_item *item = focus->items.items[i];
        if (item->start < *start)
            *start = item->start;
        if (item->end > *end)
            *end = item->end;
    }
    return GT_OK;
}

/* A gt_keep_fn. */
static int focus_keep(void *user_data, const gt_event *event)
{
    struct gt_focus *focus = user_data;
    bool belongs;
    gt_status status = focus->status == GT_OK ? focus_take(focus, event, &belongs) : focus->status;
    return status == GT_OK ? belongs : status;
}

gt_status gt_focus_apply(gt_focus *focus, gt_writer_options *options)
{
    if (!focus || !focus->is_finished ||
        !gt_struct_fits(options, GT_UP_TO(gt_writer_options, keep_data)))
        return GT_ERR_INVALID_ARGUMENT;
    options->keep = focus_keep;
    options->keep_data = focus;
    return GT_OK;
}

gt_status gt_focus_rewind(gt_focus *focus)
{
    if (!focus || !focus->is_finished)
        return GT_ERR_INVALID_ARGUMENT;
    gt_focus_drop_regions(focus);
    for (size_t i = 0; i < focus->items.count; i++)
        focus->items.items[i]->is_open = focus->items.items[i]->start == INT64_MIN;
    return GT_OK;
}
