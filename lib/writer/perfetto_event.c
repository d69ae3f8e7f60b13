/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "writer/perfetto.h"
#include "writer/perfetto_fields.h"

/* Slices, instants and flows. */

enum {
    /* Room for all fields of an event whose number is fixed. */
    EVENT_MAX = 12 * GT_PROTO_FIELD_MAX,
    ANNOTATION_MAX = 4 * GT_PROTO_FIELD_MAX
};

/* Begins a TrackEvent with its type and track, and makes room for its fields. */
static gt_status event_begin(struct gt_perfetto_writer *writer, uint32_t type, uint64_t track)
{
    gt_status status = gt_pf_reserve(writer, &writer->event, EVENT_MAX);
    if (status != GT_OK)
        return status;
    writer->event.count = 0;
    gt_pf_number(&writer->event, GT_PF_EVENT_TYPE, type);
    gt_pf_number(&writer->event, GT_PF_EVENT_TRACK, track);
    return GT_OK;
}

/* A list of texts, and the fields of an event for one that is in it and one that is not. */
struct event_text {
    enum gt_pf_list list;
    uint32_t iid_field;
    uint32_t text_field;
};

/* Appends a text, unless it is empty, and makes room for the remaining fields. */
static gt_status event_add_text(struct gt_perfetto_writer *writer, struct gt_pf_bytes *bytes,
                                const struct event_text *fields, gt_string text)
{
    uint32_t iid;
    if (text.size == 0)
        return GT_OK;
    gt_status status = gt_pf_intern(writer, fields->list, text, &iid);
    if (status != GT_OK)
        return status;
    if (iid != 0) {
        gt_pf_number(bytes, fields->iid_field, iid);
        return GT_OK;
    }
    status = gt_pf_text_field(writer, bytes, fields->text_field, text);
    return status == GT_OK ? gt_pf_reserve(writer, bytes, EVENT_MAX) : status;
}

static gt_status event_add_name(struct gt_perfetto_writer *writer, gt_string name)
{
    static const struct event_text fields = {GT_PF_LIST_NAMES, GT_PF_EVENT_NAME_IID,
                                             GT_PF_EVENT_NAME};
    return event_add_text(writer, &writer->event, &fields, name);
}

static gt_status event_add_category(struct gt_perfetto_writer *writer, gt_string category)
{
    static const struct event_text fields = {GT_PF_LIST_CATEGORIES, GT_PF_EVENT_CATEGORY_IIDS,
                                             GT_PF_EVENT_CATEGORIES};
    return event_add_text(writer, &writer->event, &fields, category);
}

/* Appends the stack of an event, unless it has none. */
static gt_status event_add_stack(struct gt_pf_source *source, uint32_t stack)
{
    struct gt_perfetto_writer *writer = source->writer;
    uint32_t iid;
    gt_status status = gt_pf_stack(source, stack, &iid);
    if (status != GT_OK || iid == 0)
        return status;
    gt_pf_number(&writer->event, GT_PF_EVENT_CALLSTACK_IID, iid);
    writer->info.stacks++;
    return GT_OK;
}

/* Appends the value of an argument to the annotation. */
static gt_status annotation_add_value(struct gt_perfetto_writer *writer,
                                      const gt_viewer_argument *argument)
{
    static const struct event_text fields = {GT_PF_LIST_VALUES, GT_PF_ANNOTATION_STRING_IID,
                                             GT_PF_ANNOTATION_STRING};
    struct gt_pf_bytes *bytes = &writer->annotation;
    uint64_t bits;
    switch (argument->kind) {
    case GT_VIEWER_STRING:
        return event_add_text(writer, bytes, &fields, argument->string);
    case GT_VIEWER_DOUBLE:
        memcpy(&bits, &argument->real, sizeof(bits));
        gt_pf_fixed64(bytes, GT_PF_ANNOTATION_DOUBLE, bits);
        return GT_OK;
    case GT_VIEWER_SIGNED:
        gt_pf_number(bytes, GT_PF_ANNOTATION_INT, argument->number);
        return GT_OK;
    default:
        gt_pf_number(bytes, GT_PF_ANNOTATION_UINT, argument->number);
        return GT_OK;
    }
}

static gt_status event_add_argument(struct gt_perfetto_writer *writer,
                                    const gt_viewer_argument *argument)
{
    static const struct event_text fields = {GT_PF_LIST_KEYS, GT_PF_ANNOTATION_NAME_IID,
                                             GT_PF_ANNOTATION_NAME};
    gt_status status = gt_pf_reserve(writer, &writer->annotation, EVENT_MAX);
    if (status != GT_OK)
        return status;
    writer->annotation.count = 0;
    status = event_add_text(writer, &writer->annotation, &fields, argument->key);
    if (status == GT_OK)
        status = annotation_add_value(writer, argument);
    return status == GT_OK
               ? gt_pf_nested(writer, &writer->event, GT_PF_EVENT_ANNOTATION, &writer->annotation)
               : status;
}

static gt_status event_add_arguments(struct gt_perfetto_writer *writer,
                                     const gt_viewer_event *event)
{
    gt_status status = GT_OK;
    for (size_t i = 0; i < event->argument_count && status == GT_OK; i++)
        status = event_add_argument(writer, &event->arguments[i]);
    return status == GT_OK ? gt_pf_reserve(writer, &writer->event, EVENT_MAX) : status;
}

/* Returns the argument with a key, or NULL. */
static const gt_viewer_argument *event_argument(const gt_viewer_event *event, const char *key)
{
    for (size_t i = 0; i < event->argument_count; i++) {
        if (gt_text_is(event->arguments[i].key, key))
            return &event->arguments[i];
    }
    return NULL;
}

/* Appends the task of a region, after its arguments: regions of one task have a common colour. */
static void region_add_task(struct gt_pf_source *source, const gt_viewer_event *event)
{
    const gt_viewer_argument *task = event_argument(event, "taskid");
    if (task && task->kind == GT_VIEWER_UNSIGNED && source->rows == GT_PERFETTO_GOROUTINES)
        gt_pf_number(&source->writer->event, GT_PF_EVENT_CORRELATION_ID, task->number);
}

/* Returns the end of a slice, which is not before its beginning. */
static int64_t slice_end(const gt_viewer_event *event)
{
    return event->duration > 0 ? gt_time_plus(event->time, event->duration) : event->time;
}

/* Writes the end of a slice, with what is known only then. */
static gt_status slice_put_end(struct gt_pf_source *source, const gt_viewer_event *event,
                               uint64_t track, bool is_named, int64_t end)
{
    struct gt_perfetto_writer *writer = source->writer;
    gt_status status = event_begin(writer, GT_PF_SLICE_END, track);
    if (status == GT_OK && is_named)
        status = event_add_name(writer, event->name);
    if (status == GT_OK)
        status = event_add_stack(source, event->phase == 'e' ? event->stack : event->end_stack);
    if (status == GT_OK && event->phase == 'e')
        status = event_add_arguments(writer, event);
    if (status != GT_OK)
        return status;
    if (event->phase == 'e')
        region_add_task(source, event);
    gt_pf_put_event(writer, end);
    return GT_OK;
}

/* Appends the weight of the stack of a state in which a goroutine waits: how long it does. */
static void state_add_weight(struct gt_perfetto_writer *writer, const gt_viewer_event *event)
{
    double weight = (double) gt_time_minus(slice_end(event), event->time);
    uint64_t bits;
    bool waits = gt_text_is(event->name, "Waiting") || gt_text_is(event->name, "Syscall, blocked");
    if (event->stack == 0 || !waits)
        return;
    memcpy(&bits, &weight, sizeof(bits));
    gt_pf_fixed64(&writer->event, GT_PF_EVENT_CALLSTACK_WEIGHT, bits);
}

/*
 * Writes an instant in the row of the goroutine that woke or created another one, from which a flow
 * leads to the state that follows. Returns the id of the flow in `*flow`, or 0 if that row is not
 * known.
 */
static gt_status wake_put(struct gt_pf_source *source, const gt_viewer_event *event,
                          const gt_viewer_argument *by, bool is_created, uint64_t *flow)
{
    static const gt_string wakes = {"wakes", 5}, creates = {"creates", 7};
    struct gt_perfetto_writer *writer = source->writer;
    *flow = 0;
    if ((writer->options.flags & GT_PERFETTO_NO_WAKES) != 0)
        return GT_OK;
    uint32_t from = gt_pf_row_find(source, GT_SECTION_RESOURCES, by->number);
    if (from == GT_PF_NO_ROW)
        return GT_OK;
    gt_status status =
        event_begin(writer, GT_PF_INSTANT, gt_pf_uuid(writer, GT_PF_TRACK_ROW, from));
    if (status == GT_OK)
        status = event_add_name(writer, is_created ? creates : wakes);
    if (status == GT_OK)
        status = event_add_stack(source, event->stack);
    if (status != GT_OK)
        return status;
    *flow = gt_pf_flow(source, GT_PF_FLOW_WAKE, ++writer->wakes);
    gt_pf_fixed64(&writer->event, GT_PF_EVENT_FLOW_IDS, *flow);
    gt_pf_put_event(writer, event->time);
    writer->info.instants++;
    writer->info.flows++;
    return GT_OK;
}

/* Appends the label that a goroutine has got since its last state, which is during this one. */
static gt_status state_add_label(struct gt_perfetto_writer *writer, struct gt_pf_row *row)
{
    gt_viewer_argument label = {.key = {"label", 5}, .kind = GT_VIEWER_STRING};
    if (!row->has_label)
        return GT_OK;
    row->has_label = false;
    label.string = writer->texts.list.items[row->label];
    gt_status status = event_add_argument(writer, &label);
    return status == GT_OK ? gt_pf_reserve(writer, &writer->event, EVENT_MAX) : status;
}

/* Appends what a state of a goroutine has besides its name: its reason is also its category. */
static gt_status state_add_fields(struct gt_pf_source *source, const gt_viewer_event *event,
                                  uint64_t flow)
{
    struct gt_perfetto_writer *writer = source->writer;
    const gt_viewer_argument *reason =
        gt_text_is(event->name, "Waiting") ? event_argument(event, "reason") : NULL;
    gt_status status = GT_OK;
    if (reason && reason->kind == GT_VIEWER_STRING)
        status = event_add_category(writer, reason->string);
    if (status == GT_OK)
        status = event_add_stack(source, event->stack);
    if (status != GT_OK)
        return status;
    state_add_weight(writer, event);
    if (flow != 0)
        gt_pf_fixed64(&writer->event, GT_PF_EVENT_TERMINATING_FLOW_IDS, flow);
    return event_add_arguments(writer, event);
}

/* Writes a state of a goroutine. States have no gaps and do not nest. */
static gt_status state_put(struct gt_pf_source *source, uint32_t number,
                           const gt_viewer_event *event)
{
    struct gt_perfetto_writer *writer = source->writer;
    const gt_viewer_argument *by = event_argument(event, "by");
    struct gt_pf_row *row = gt_pf_row(writer, number);
    uint64_t track = gt_pf_uuid(writer, GT_PF_TRACK_ROW, number), flow = 0;
    bool is_created = row->is_created;
    row->is_created = false;
    gt_status status = by ? wake_put(source, event, by, is_created, &flow) : GT_OK;
    if (status == GT_OK)
        status = event_begin(writer, GT_PF_SLICE_BEGIN, track);
    if (status == GT_OK)
        status = event_add_name(writer, event->name);
    if (status == GT_OK)
        status = state_add_fields(source, event, flow);
    if (status == GT_OK)
        status = state_add_label(writer, row);
    if (status != GT_OK)
        return status;
    gt_pf_put_event(writer, event->time);
    writer->info.slices++;
    return slice_put_end(source, event, track, false, slice_end(event));
}

/* Appends the name, the category, the stack and the arguments of a slice or an instant. */
static gt_status event_add_fields(struct gt_pf_source *source, const gt_viewer_event *event,
                                  gt_string name, gt_string category)
{
    gt_status status = event_add_name(source->writer, name);
    if (status == GT_OK)
        status = event_add_category(source->writer, category);
    if (status == GT_OK)
        status = event_add_stack(source, event->stack);
    return status == GT_OK ? event_add_arguments(source->writer, event) : status;
}

/* Writes the beginning of a slice that may nest in others of its track. */
static gt_status slice_put_begin(struct gt_pf_source *source, const gt_viewer_event *event,
                                 uint64_t track, int64_t begin)
{
    struct gt_perfetto_writer *writer = source->writer;
    gt_status status = event_begin(writer, GT_PF_SLICE_BEGIN, track);
    if (status == GT_OK)
        status = event_add_fields(source, event, event->name, event->category);
    if (status != GT_OK)
        return status;
    region_add_task(source, event);
    gt_pf_put_event(writer, begin);
    writer->info.slices++;
    return GT_OK;
}

/* Returns the track of slices that are no states, in whose row they may nest. */
static uint64_t slice_track(struct gt_pf_source *source, uint32_t number)
{
    struct gt_pf_row *row = gt_pf_row(source->writer, number);
    bool is_below = source->rows == GT_PERFETTO_GOROUTINES &&
                    row->section == GT_SECTION_RESOURCES &&
                    !(row->id >= GT_ROW_TIMERS && row->id <= GT_ROW_GC);
    if (is_below)
        row->has_child = true;
    return gt_pf_uuid(source->writer, is_below ? GT_PF_TRACK_CHILD : GT_PF_TRACK_ROW, number);
}

static gt_status slice_put(struct gt_pf_source *source, uint32_t row, const gt_viewer_event *event)
{
    struct gt_perfetto_writer *writer = source->writer;
    int64_t begin = event->time, end = slice_end(event);
    uint64_t track = slice_track(source, row);
    bool is_alone = false;
    gt_status status = gt_pf_row_place(writer, gt_pf_row(writer, row), &begin, end, &is_alone);
    if (status == GT_OK && is_alone) {
        track = gt_pf_uuid(writer, GT_PF_TRACK_LONE, writer->lone_tracks++);
        status = gt_pf_put_lone_track(writer, row, event->name, track);
    }
    if (status == GT_OK)
        status = slice_put_begin(source, event, track, begin);
    return status == GT_OK ? slice_put_end(source, event, track, true, end) : status;
}

/*
 * Writes the beginning or the end of a region of a goroutine. Most nest; one that overlaps another
 * has a track of its own. The end follows the beginning immediately.
 */
static gt_status region_put(struct gt_pf_source *source, uint32_t row, const gt_viewer_event *event)
{
    struct gt_perfetto_writer *writer = source->writer;
    struct gt_pf_row *place = gt_pf_row(writer, row);
    if (event->phase == 'e') {
        gt_status finished = gt_pf_row_finish(writer, place, event->time);
        return finished == GT_OK
                   ? slice_put_end(source, event, writer->async_track, true, event->time)
                   : finished;
    }
    int64_t begin = event->time;
    bool is_alone;
    writer->async_track = slice_track(source, row);
    gt_status status = gt_pf_row_place(writer, place, &begin, INT64_MAX, &is_alone);
    if (status == GT_OK && is_alone) {
        writer->async_track = gt_pf_uuid(writer, GT_PF_TRACK_LONE, writer->lone_tracks++);
        status = gt_pf_put_lone_track(writer, row, event->name, writer->async_track);
    }
    return status == GT_OK ? slice_put_begin(source, event, writer->async_track, begin) : status;
}

/*
 * Writes the beginning or the end of an asynchronous slice. In rows of goroutines these are
 * regions. Any others need not nest, so each has a track of its own.
 */
static gt_status async_put(struct gt_pf_source *source, uint32_t row, const gt_viewer_event *event)
{
    struct gt_perfetto_writer *writer = source->writer;
    if (source->rows == GT_PERFETTO_GOROUTINES)
        return region_put(source, row, event);
    uint64_t track = gt_pf_uuid(writer, GT_PF_TRACK_ASYNC, event->id);
    if (event->phase == 'e')
        return slice_put_end(source, event, track, true, event->time);
    gt_status status = gt_pf_put_lone_track(writer, row, event->name, track);
    return status == GT_OK ? slice_put_begin(source, event, track, event->time) : status;
}

/*
 * Returns the message of a log without its category in front, with which emitters name it, if it is
 * also an argument.
 */
static gt_string log_message(const gt_viewer_event *event, gt_string *category)
{
    const gt_viewer_argument *argument = event_argument(event, "category");
    gt_string name = event->name;
    *category = event->category;
    if (!argument || argument->kind != GT_VIEWER_STRING || argument->string.size == 0)
        return name;
    size_t size = argument->string.size;
    if (name.size < size + 3 || name.data[0] != '[' ||
        memcmp(name.data + 1, argument->string.data, size) != 0)
        return name;
    *category = argument->string;
    return (gt_string){name.data + size + 3, name.size - size - 3};
}

static gt_status instant_put(struct gt_pf_source *source, uint32_t row,
                             const gt_viewer_event *event, uint32_t flow_field)
{
    struct gt_perfetto_writer *writer = source->writer;
    gt_string category, name = log_message(event, &category);
    gt_status status = event_begin(writer, GT_PF_INSTANT, gt_pf_uuid(writer, GT_PF_TRACK_ROW, row));
    if (status == GT_OK)
        status = event_add_fields(source, event, name, category);
    if (status != GT_OK)
        return status;
    if (flow_field != 0)
        gt_pf_fixed64(&writer->event, flow_field, gt_pf_flow(source, GT_PF_FLOW_ARROW, event->id));
    gt_pf_put_event(writer, event->time);
    writer->info.instants++;
    writer->info.flows += flow_field == GT_PF_EVENT_FLOW_IDS;
    return GT_OK;
}

/* Takes what an emitter says of a goroutine: its function, its creator, or its label. */
static gt_status goroutine_take(struct gt_pf_source *source, uint32_t number,
                                const gt_viewer_event *event)
{
    struct gt_perfetto_writer *writer = source->writer;
    struct gt_pf_row *row = gt_pf_row(writer, number);
    static const gt_string labelled = {"label", 5};
    const gt_viewer_argument *label = event_argument(event, "label");
    if (event_argument(event, "by"))
        row->is_created = true;
    if (event->name.size > 0) {
        gt_status status = gt_pf_text(writer, event->name, &row->text);
        if (status != GT_OK)
            return status;
    }
    if (!label || label->kind != GT_VIEWER_STRING)
        return GT_OK;
    gt_status status = gt_pf_text(writer, label->string, &row->label);
    if (status != GT_OK)
        return status;
    row->has_label = true;
    gt_viewer_event instant = *event;
    instant.name = labelled;
    instant.category = labelled;
    instant.stack = 0;
    instant.arguments = label;
    instant.argument_count = 1;
    return instant_put(source, number, &instant, 0);
}

/* Takes an event of a row, by its phase. */
static gt_status event_take(struct gt_pf_source *source, uint32_t row, const gt_viewer_event *event)
{
    bool is_of_goroutine =
        source->rows == GT_PERFETTO_GOROUTINES && event->section == GT_SECTION_RESOURCES;
    switch (event->phase) {
    case 'X':
        return is_of_goroutine && gt_text_is(event->category, "state")
                   ? state_put(source, row, event)
                   : slice_put(source, row, event);
    case 'b':
    case 'e':
        return async_put(source, row, event);
    case 's':
        return instant_put(source, row, event, GT_PF_EVENT_FLOW_IDS);
    case 't':
        return instant_put(source, row, event, GT_PF_EVENT_TERMINATING_FLOW_IDS);
    default:
        return is_of_goroutine && gt_text_is(event->category, "goroutine")
                   ? goroutine_take(source, row, event)
                   : instant_put(source, row, event, 0);
    }
}

/* Whether an event is drawn: the emitters of a trace share what does not belong to their rows. */
static bool event_is_drawn(const struct gt_pf_source *source, const gt_viewer_event *event)
{
    static const char phases[] = {'X', 'I', 'i', 'b', 'e', 's', 't'};
    bool is_go = source->rows != GT_PERFETTO_PLAIN;
    bool is_own = event->section == GT_SECTION_RESOURCES &&
                  !(is_go && event->resource >= GT_ROW_TIMERS && event->resource <= GT_ROW_GC);
    bool is_arrow = event->phase == 's' || event->phase == 't';
    if (!memchr(phases, (int) event->phase, sizeof(phases)))
        return false;
    if (!is_own)
        return source->is_first;
    return !is_arrow || source->rows == GT_PERFETTO_PLAIN;
}

gt_status gt_pf_event(struct gt_pf_source *source, const gt_viewer_event *event)
{
    if (!event_is_drawn(source, event))
        return GT_OK;
    uint32_t row = gt_pf_row_make(source, event->section, event->resource);
    if (row == GT_PF_NO_ROW)
        return gt_mem_failure(&source->writer->mem);
    return event_take(source, row, event);
}
