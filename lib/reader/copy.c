/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/copy.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/sized.h"
#include "reader/reader.h"

enum {
    COPY_ALIGNMENT = sizeof(uint64_t)
};

/*
 * The memory layout of a copy. The same code runs twice: first without memory, to measure how much
 * is needed, then with it.
 */
struct copy_layout {
    char *memory; /* NULL while the size is measured */
    size_t used;
    bool overflows;
};

/*
 * The addresses of the parts of a copy. While the size is measured, only members that come from the
 * event are set.
 */
struct copy_places {
    struct gt_string_entry texts[GT_COPY_TEXTS];
    const struct gt_name *name;
    struct gt_copied_stack stacks[GT_COPY_STACKS];
    struct gt_experiment_batch *batches;
    size_t batch_count;
};

/*
 * Allocates `bytes` bytes of the layout, and returns their address; NULL while the size is
 * measured.
 */
static void *layout_take(struct copy_layout *layout, size_t bytes)
{
    size_t start = layout->used;
    size_t past = bytes % COPY_ALIGNMENT;
    if (bytes > SIZE_MAX / 4 || start > SIZE_MAX / 2) {
        layout->overflows = true;
        return NULL;
    }
    layout->used += bytes + (past == 0 ? 0 : COPY_ALIGNMENT - past);
    return layout->memory ? layout->memory + start : NULL;
}

/* Allocates a copy of `bytes` bytes at `from`. */
static void *layout_copy(struct copy_layout *layout, const void *from, size_t bytes)
{
    void *to = layout_take(layout, bytes);
    if (to && bytes != 0)
        memcpy(to, from, bytes);
    return to;
}

static void layout_text(struct copy_layout *layout, gt_string *text)
{
    const char *to = text->size == 0 ? "" : layout_copy(layout, text->data, text->size);
    if (layout->memory)
        text->data = to;
}

/* Text `i` of the frames: the function and then the file of each frame. */
static const gt_string *copy_frame_text(const gt_frame *frames, size_t i)
{
    return i % 2 == 0 ? &frames[i / 2].function : &frames[i / 2].file;
}

/*
 * Returns the index of an earlier text of the frames that has the same address as text `i`, or `i`
 * if there is none. This matters because a trace can name one long string in every frame, which
 * must not be copied for each of them. A linear search suffices: no stack has more than a thousand
 * frames.
 */
static size_t copy_frame_text_find(const gt_frame *frames, size_t i)
{
    const gt_string *text = copy_frame_text(frames, i);
    for (size_t k = 0; k < i; k++) {
        const gt_string *other = copy_frame_text(frames, k);
        if (other->data == text->data && other->size == text->size)
            return k;
    }
    return i;
}

static void layout_stack(struct copy_layout *layout, struct gt_copied_stack *stack)
{
    const gt_frame *from = stack->frames;
    gt_frame *to = layout_copy(layout, from, stack->count * sizeof(*from));
    for (size_t i = 0; i < 2 * stack->count; i++) {
        gt_string text = *copy_frame_text(from, i);
        size_t known = copy_frame_text_find(from, i);
        if (known == i)
            layout_text(layout, &text);
        else if (to)
            text = *copy_frame_text(to, known);
        if (to)
            *(i % 2 == 0 ? &to[i / 2].function : &to[i / 2].file) = text;
    }
    stack->frames = stack->count == 0 ? NULL : to;
}

static const struct gt_name *layout_name(struct copy_layout *layout, gt_string text)
{
    struct gt_name *name = layout_take(layout, sizeof(*name) + text.size);
    if (name) {
        memset(name, 0, sizeof(*name));
        name->size = (uint32_t) text.size;
        if (text.size > 0)
            memcpy(name->text, text.data, text.size);
    }
    return name;
}

/* Lays out the batches of experiments, which belong to a Sync. */
static void layout_batches(struct copy_layout *layout, const struct gt_table *from,
                           struct copy_places *places)
{
    size_t count = from->experiments.count;
    struct gt_experiment_batch *list =
        layout_copy(layout, from->experiments.items, count * sizeof(*list));
    for (size_t i = 0; i < count; i++) {
        const struct gt_experiment_batch *batch = &from->experiments.items[i];
        const uint8_t *data = layout_copy(layout, batch->data, batch->size);
        if (list)
            list[i].data = data;
    }
    places->batches = list;
    places->batch_count = list ? count : 0;
}

/* Lays out the copy's own structure, and after it everything that the event refers to. */
static void layout_parts(struct copy_layout *layout, const gt_event *event,
                         const struct gt_copy_parts *parts, struct copy_places *places)
{
    const struct gt_table *table = gt_event_data_of(event)->table;
    layout_take(layout, sizeof(struct gt_event_copied));
    memset(places, 0, sizeof(*places));
    for (uint32_t i = 0; i < GT_COPY_TEXTS; i++) {
        gt_string text = parts->texts[i];
        layout_text(layout, &text);
        places->texts[i] = (struct gt_string_entry){text.data, NULL, (uint32_t) text.size};
    }
    places->name = parts->has_name ? layout_name(layout, parts->name) : NULL;
    for (size_t i = 0; i < GT_COPY_STACKS; i++) {
        places->stacks[i] = parts->stacks[i];
        layout_stack(layout, &places->stacks[i]);
    }
    if (table && event->kind == GT_EVENT_SYNC)
        layout_batches(layout, table, places);
}

/* Adds a stack of the event, whose frames the copy must contain. */
static gt_status parts_add_stack(struct gt_copy_parts *parts, size_t which, gt_reader *reader,
                                 const gt_event *event, gt_stack stack)
{
    struct gt_copied_stack *added = &parts->stacks[which];
    if (stack == GT_STACK_NONE || (which > 0 && stack == parts->stacks[0].stack))
        return GT_OK;
    added->stack = stack;
    return gt_event_frames(reader, event, stack, &added->frames, &added->count);
}

/* Collects the texts of an event that is not a transition. */
static void parts_add_texts(struct gt_copy_parts *parts, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    gt_range range = GT_RANGE_INIT;
    gt_task task = GT_TASK_INIT;
    gt_region region = GT_REGION_INIT;
    gt_log log = GT_LOG_INIT;
    if (gt_event_label(event, &label) == GT_OK)
        parts->texts[0] = label.label;
    if (gt_event_region(event, &region) == GT_OK)
        parts->texts[0] = region.type;
    if (gt_event_log(event, &log) == GT_OK) {
        parts->texts[0] = log.category;
        parts->texts[1] = log.message;
    }
    if (gt_event_range(event, &range) == GT_OK && range.has_cause != 0) {
        parts->name = range.cause;
        parts->has_name = true;
    }
    if (gt_event_task(event, &task) != GT_OK)
        return;
    parts->texts[0] = parts->name = task.type;
    parts->has_name = event->kind == GT_EVENT_TASK_END;
}

static gt_status parts_collect(struct gt_copy_parts *parts, gt_reader *reader,
                               const gt_event *event)
{
    const gt_string none = {"", 0};
    gt_transition transition = GT_TRANSITION_INIT;
    memset(parts, 0, sizeof(*parts));
    parts->texts[0] = parts->texts[1] = parts->name = none;
    gt_status status = parts_add_stack(parts, 0, reader, event, gt_event_stack(event));
    if (status != GT_OK)
        return status;
    if (gt_event_transition(event, &transition) != GT_OK) {
        parts_add_texts(parts, event);
        return GT_OK;
    }
    parts->texts[0] = transition.reason;
    return parts_add_stack(parts, 1, reader, event, transition.stack);
}

/* Sets the pointers in the copy to its own parts. */
static void copy_set_places(struct gt_event_copied *copy, const struct copy_places *places)
{
    memcpy(copy->texts, places->texts, sizeof(copy->texts));
    memcpy(copy->stacks, places->stacks, sizeof(copy->stacks));
    for (uint32_t i = 0; i < GT_COPY_TEXTS; i++)
        copy->data.strings[i] = places->texts[i].size == 0 ? 0 : i + 1;
    copy->data.name = places->name;
    copy->table.experiments.items = places->batches;
    copy->table.experiments.count = places->batch_count;
}

/* Writes the copy to `memory`, which is large enough. */
static gt_event *copy_write(const gt_event *event, const struct gt_copy_parts *parts, void *memory,
                            size_t bytes, const gt_allocator *allocator)
{
    const struct gt_event_data *data = gt_event_data_of(event);
    struct copy_layout layout = {memory, 0, false};
    struct gt_event_copied *copy = memory;
    struct copy_places places;
    memset(copy, 0, sizeof(*copy));
    copy->data = *data;
    copy->allocator = *allocator;
    copy->bytes = bytes;
    layout_parts(&layout, event, parts, &places);
    copy_set_places(copy, &places);
    if (data->table) {
        copy->table.ordinal = data->table->ordinal;
        copy->table.generation = data->table->generation;
        copy->table.clock = data->table->clock;
        copy->table.strings.entries = copy->texts;
        copy->data.table = &copy->table;
    }
    copy->data.is_copy = true;
    gt_event_mark(&copy->data);
    return &copy->data.event;
}

/* Sets `*bytes` to the size of a copy. */
static gt_status copy_size(const gt_event *event, const struct gt_copy_parts *parts, size_t *bytes)
{
    struct copy_layout layout = {NULL, 0, false};
    struct copy_places unused;
    layout_parts(&layout, event, parts, &unused);
    *bytes = layout.used;
    return layout.overflows ? GT_ERR_LIMIT : GT_OK;
}

/* Collects everything to which the event refers. */
static gt_status copy_prepare(gt_reader *reader, const gt_event *event, struct gt_copy_parts *parts)
{
    if (!gt_event_is_copy(event) && (!gt_reader_has_event(reader, event) || reader->input.busy))
        return GT_ERR_INVALID_ARGUMENT;
    return parts_collect(parts, reader, event);
}

gt_status gt_event_copy_new(const gt_event *event, const struct gt_copy_parts *parts,
                            const gt_allocator *allocator, gt_event **copy)
{
    struct gt_mem mem;
    size_t bytes;
    gt_status status = copy_size(event, parts, &bytes);
    if (status != GT_OK)
        return status;
    gt_mem_init(&mem, allocator, 0);
    void *memory = gt_mem_alloc(&mem, bytes);
    if (!memory)
        return gt_mem_failure(&mem);
    *copy = copy_write(event, parts, memory, bytes, &mem.allocator);
    return GT_OK;
}

gt_status gt_event_copy(gt_reader *reader, const gt_event *event, const gt_allocator *allocator,
                        gt_event **copy)
{
    gt_allocator taken;
    struct gt_copy_parts parts;
    if (!copy)
        return GT_ERR_INVALID_ARGUMENT;
    *copy = NULL;
    gt_status status = gt_allocator_take(&taken, allocator, "allocator->", NULL);
    if (status == GT_OK)
        status = copy_prepare(reader, event, &parts);
    return status == GT_OK ? gt_event_copy_new(event, &parts, &taken, copy) : status;
}

gt_status gt_event_copy_into(gt_reader *reader, const gt_event *event, void *memory,
                             size_t capacity, size_t *size, gt_event **copy)
{
    static const gt_allocator none;
    struct gt_copy_parts parts;
    if (copy)
        *copy = NULL;
    if (!size || !copy || (uintptr_t) memory % COPY_ALIGNMENT != 0)
        return GT_ERR_INVALID_ARGUMENT;
    *size = 0;
    gt_status status = copy_prepare(reader, event, &parts);
    if (status == GT_OK)
        status = copy_size(event, &parts, size);
    if (status != GT_OK)
        return status;
    if (!memory || capacity < *size)
        return GT_ERR_LIMIT;
    *copy = copy_write(event, &parts, memory, *size, &none);
    return GT_OK;
}

void gt_event_free(gt_event **copy)
{
    if (!copy || !*copy || !gt_event_is_copy(*copy))
        return;
    struct gt_event_copied *freed = (struct gt_event_copied *) (void *) *copy;
    gt_allocator allocator = freed->allocator;
    *copy = NULL;
    freed->data.event.reserved = ~freed->data.event.reserved;
    if (allocator.release)
        allocator.release(allocator.context, freed, freed->bytes);
}

gt_status gt_event_frames(gt_reader *reader, const gt_event *event, gt_stack stack,
                          const gt_frame **frames, size_t *count)
{
    if (!gt_event_is_copy(event))
        return gt_stack_view(reader, stack, frames, count);
    if (!frames || !count)
        return GT_ERR_INVALID_ARGUMENT;
    *frames = NULL;
    *count = 0;
    const struct gt_event_copied *copy = gt_event_copied_of(event);
    for (size_t i = 0; i < GT_COPY_STACKS && stack != GT_STACK_NONE; i++) {
        if (copy->stacks[i].stack != stack)
            continue;
        *frames = copy->stacks[i].frames;
        *count = copy->stacks[i].count;
        return GT_OK;
    }
    return stack == GT_STACK_NONE ? GT_OK : GT_ERR_INVALID_ARGUMENT;
}
