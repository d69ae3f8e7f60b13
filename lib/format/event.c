/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/time.h>

#include "base/wraps.h"
#include "format/format.h"

/* Events as text, as in Go's internal/trace/event.go. */

enum {
    /* Times between two multiples of this number differ only in their last eight digits. */
    TIME_BASE = 100000000
};

/*
 * Times grow, so the first digits of one are mostly those of the one before it. The difference
 * wraps if the time is less than the base.
 */
GT_WRAPS static char *format_put_time(struct gt_format *format, char *to, int64_t time)
{
    if (time < TIME_BASE)
        return gt_digits_put_signed(to, time);
    uint64_t value = (uint64_t) time;
    if (value - format->time_base >= TIME_BASE) {
        uint64_t high = value / TIME_BASE;
        format->time_base = high * TIME_BASE;
        format->time_size =
            (size_t) (gt_digits_put(format->time_digits, high) - format->time_digits);
    }
    memcpy(to, format->time_digits, sizeof(format->time_digits));
    return gt_decimal_put_eight(to + format->time_size, (uint32_t) (value - format->time_base));
}

static void format_context(struct gt_format *format, const gt_event *event)
{
    char *to = gt_sink_reserve(&format->sink, GT_SINK_PIECE);
    to = gt_digits_put_signed(gt_sink_put(to, "M="), event->thread);
    to = gt_digits_put_signed(gt_sink_put(to, " P="), event->proc);
    to = gt_digits_put_signed(gt_sink_put(to, " G="), event->goroutine);
    *to++ = ' ';
    to = gt_word_put(to, gt_word_of(gt_words_kinds, GT_WORDS_KINDS, event->kind));
    to = format_put_time(format, gt_sink_put(to, " Time="), event->time);
    gt_sink_commit(&format->sink, to);
}

static void format_named_number(struct gt_format *format, const char *name, uint64_t value)
{
    char *to = gt_sink_reserve(&format->sink, GT_SINK_PIECE);
    gt_sink_commit(&format->sink, gt_digits_put(gt_sink_put(to, name), value));
}

static void format_named_quote(struct gt_format *format, const char *name, gt_string string)
{
    gt_sink_text(&format->sink, name);
    gt_sink_quoted(&format->sink, string);
}

static void format_metric(struct gt_format *format, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_event_metric(event, &metric);
    format_named_quote(format, " Name=", metric.name);
    gt_sink_text(&format->sink, " Value=");
    gt_format_value(format, &metric.value);
}

static void format_label(struct gt_format *format, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    gt_event_label(event, &label);
    format_named_quote(format, " Label=", label.label);
    gt_sink_text(&format->sink, " Resource=");
    gt_format_resource(&format->sink, &label.resource);
}

static void format_range_attributes(struct gt_format *format, const gt_event *event, uint32_t count)
{
    gt_sink_text(&format->sink, " Attributes=[");
    for (uint32_t i = 0; i < count; i++) {
        gt_string name;
        gt_value value;
        if (gt_event_range_attribute(event, i, &name, &value) != GT_OK)
            break;
        if (i != 0)
            gt_sink_text(&format->sink, " ");
        gt_sink_quoted(&format->sink, name);
        gt_sink_text(&format->sink, "=");
        gt_format_value(format, &value);
    }
    gt_sink_text(&format->sink, "]");
}

/* The name of a stop of the world has two parts, which Go quotes as one string. */
static void format_range_name(struct gt_format *format, const gt_range *range)
{
    if (!range->has_cause) {
        format_named_quote(format, " Name=", range->name);
        return;
    }
    gt_sink_text(&format->sink, " Name=\"");
    gt_sink_escaped(&format->sink, range->name, gt_string_quote);
    gt_sink_text(&format->sink, " (");
    gt_sink_escaped(&format->sink, range->cause, gt_string_quote);
    gt_sink_text(&format->sink, ")\"");
}

static void format_range(struct gt_format *format, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_event_range(event, &range);
    format_range_name(format, &range);
    gt_sink_text(&format->sink, " Scope=");
    gt_format_resource(&format->sink, &range.scope);
    if (event->kind == GT_EVENT_RANGE_END)
        format_range_attributes(format, event, range.attribute_count);
}

static void format_task(struct gt_format *format, const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    gt_event_task(event, &task);
    format_named_number(format, " ID=", task.id);
    format_named_number(format, " Parent=", task.parent);
    format_named_quote(format, " Type=", task.type);
}

static void format_region(struct gt_format *format, const gt_event *event)
{
    gt_region region = GT_REGION_INIT;
    gt_event_region(event, &region);
    format_named_number(format, " Task=", region.task);
    format_named_quote(format, " Type=", region.type);
}

static void format_log(struct gt_format *format, const gt_event *event)
{
    gt_log log = GT_LOG_INIT;
    gt_event_log(event, &log);
    format_named_number(format, " Task=", log.task);
    format_named_quote(format, " Category=", log.category);
    format_named_quote(format, " Message=", log.message);
}

static void format_experimental(struct gt_format *format, const gt_event *event)
{
    gt_experimental experimental = GT_EXPERIMENTAL_INIT;
    gt_event_experimental(event, &experimental);
    gt_sink_text(&format->sink, " Name=");
    gt_format_string(format, experimental.name);
    gt_sink_text(&format->sink, " Args=[");
    for (uint32_t i = 0; i < experimental.argument_count; i++) {
        gt_string name;
        gt_value value;
        if (gt_event_experimental_argument(event, i, &name, &value) != GT_OK)
            break;
        if (i != 0)
            gt_sink_text(&format->sink, ", ");
        gt_format_string(format, name);
        gt_sink_text(&format->sink, "=");
        gt_format_value(format, &value);
    }
    gt_sink_text(&format->sink, "]");
}

static int32_t format_zone(const struct gt_format *format, int64_t seconds)
{
    const gt_formatter_options *options = &format->options;
    return options->zone ? options->zone(options->zone_data, seconds) : 0;
}

static void format_sync(struct gt_format *format, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    gt_event_sync(event, &sync);
    char *to = gt_sink_reserve(&format->sink, GT_SINK_PIECE);
    to = gt_digits_put(gt_sink_put(to, " N="), sync.number);
    if (sync.has_clock) {
        to = gt_digits_put_signed(gt_sink_put(to, " Trace="), sync.clock_trace);
        to = gt_digits_put(gt_sink_put(to, " Mono="), sync.clock_monotonic);
        to = gt_sink_put(to, " Wall=");
        to += gt_wall_clock_format(sync.clock_seconds, sync.clock_nanoseconds,
                                   format_zone(format, sync.clock_seconds), to,
                                   GT_WALL_CLOCK_TEXT_SIZE);
    }
    gt_sink_commit(&format->sink, to);
}

static char *format_put_go_state(char *to, uint32_t state)
{
    return gt_word_put(to, gt_word_of(gt_words_go_states, GT_WORDS_GO_STATES, state));
}

static char *format_put_proc_state(char *to, uint32_t state)
{
    return gt_word_put(to, gt_word_of(gt_words_proc_states, GT_WORDS_PROC_STATES, state));
}

/* Writes the frames of a stack. Returns GT_OK, or the error of gt_stack_view. */
static gt_status format_stack(struct gt_format *format, gt_stack stack)
{
    size_t size;
    struct gt_stacktexts *texts = gt_format_stack_texts(format);
    const char *text = texts ? gt_stacktexts_find(texts, stack, &size) : NULL;
    if (!text)
        return gt_format_frames(format, stack);
    gt_sink_bytes(&format->sink, text, size);
    return GT_OK;
}

static gt_status format_transition(struct gt_format *format, const gt_event *event)
{
    /* The getter sets all other members. */
    gt_transition change;
    change.size = sizeof(change);
    gt_event_transition(event, &change);
    char *to = gt_sink_reserve(&format->sink, GT_SINK_PIECE);
    if (change.resource.kind == GT_RESOURCE_GOROUTINE) {
        to = gt_digits_put_signed(gt_sink_put(to, " GoID="), change.resource.id);
        *to++ = ' ';
        to = gt_sink_put(format_put_go_state(to, change.from), "->");
        to = format_put_go_state(to, change.to);
    } else if (change.resource.kind == GT_RESOURCE_PROC) {
        to = gt_digits_put_signed(gt_sink_put(to, " ProcID="), change.resource.id);
        *to++ = ' ';
        to = gt_sink_put(format_put_proc_state(to, change.from), "->");
        to = format_put_proc_state(to, change.to);
    }
    /* This is a shortcut, because most transitions have no reason. */
    if (change.reason.size == 0) {
        gt_sink_commit(&format->sink, gt_sink_put(to, " Reason=\"\""));
    } else {
        gt_sink_commit(&format->sink, gt_sink_put(to, " Reason="));
        gt_sink_quoted(&format->sink, change.reason);
    }
    if (change.stack == GT_STACK_NONE)
        return GT_OK;
    gt_sink_text(&format->sink, "\nTransitionStack=\n");
    return format_stack(format, change.stack);
}

static gt_status format_details(struct gt_format *format, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_SYNC:
        format_sync(format, event);
        break;
    case GT_EVENT_METRIC:
        format_metric(format, event);
        break;
    case GT_EVENT_LABEL:
        format_label(format, event);
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        format_range(format, event);
        break;
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        format_task(format, event);
        break;
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        format_region(format, event);
        break;
    case GT_EVENT_LOG:
        format_log(format, event);
        break;
    case GT_EVENT_STATE_TRANSITION:
        return format_transition(format, event);
    case GT_EVENT_EXPERIMENTAL:
        format_experimental(format, event);
        break;
    default: /* a StackSample or a later kind has only what every event has */
        break;
    }
    return GT_OK;
}

gt_status gt_format_event(struct gt_format *format, const gt_event *event)
{
    format->event = event;
    format_context(format, event);
    gt_status status = format_details(format, event);
    gt_stack stack = gt_event_stack(event);
    if (status != GT_OK || stack == GT_STACK_NONE)
        return status;
    gt_sink_text(&format->sink, "\nStack=\n");
    return format_stack(format, stack);
}

gt_status gt_event_format(gt_reader *reader, const gt_event *event, char *text, size_t room,
                          size_t *size)
{
    struct gt_format format;
    if (!gt_format_knows(reader, event) || !size || (!text && room > 0))
        return GT_ERR_INVALID_ARGUMENT;
    gt_format_init(&format, reader);
    gt_sink_to_buffer(&format.sink, text, room);
    gt_status status = gt_format_event(&format, event);
    *size = gt_sink_finish(&format.sink);
    return status;
}
