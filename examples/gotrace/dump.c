/* SPDX-License-Identifier: BSD-3-Clause */
/* Every event as text, byte for byte as `go tool trace -d=parsed` of Go 1.27 prints it. */
#include <time.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "input.h"
#include "quote.h"
#include "stacktext.h"
#include "words.h"

enum {
    /* Enough for text that consists of numbers and of names of kinds and states. */
    PIECE_MAX = 256,
    /* Times have all but their last eight digits in common until the next multiple of this. */
    TIME_BASE = 100000000
};

struct dump {
    struct input in;
    struct output *out;
    /* The last time, rounded down to a multiple of TIME_BASE, and its digits; size 0: none. */
    uint64_t time_base;
    size_t time_size;
    char time_digits[16];
    struct words words;
    struct stacktext stacks;
};

static void dump_named_number(struct output *out, const char *name, uint64_t value)
{
    output_commit(out, put_unsigned(put_text(output_reserve(out, PIECE_MAX), name), value));
}

static void dump_named_quote(struct output *out, const char *name, gt_string string)
{
    output_text(out, name);
    quote_write(out, string);
}

/* Go does not quote strings here either. */
static void dump_value(struct output *out, const gt_value *value)
{
    if (value->kind == GT_VALUE_STRING) {
        output_string(out, value->string);
    } else if (value->kind == GT_VALUE_UINT64) {
        dump_named_number(out, "Value{Uint64(", value->number);
        output_text(out, ")}");
    } else {
        output_text(out, "Value{Bad}");
    }
}

static void dump_resource(struct output *out, const gt_resource *resource)
{
    char *to = output_reserve(out, PIECE_MAX);
    to = put_text(to, gt_resource_kind_name(resource->kind));
    if (resource->kind != GT_RESOURCE_NONE) {
        *to++ = '(';
        to = put_signed(to, resource->id);
        *to++ = ')';
    }
    output_commit(out, to);
}

/* Times grow, so the first digits of one are mostly those of the one before it. */
static char *dump_put_time(struct dump *dump, char *to, int64_t time)
{
    if (time < TIME_BASE)
        return put_signed(to, time);
    uint64_t value = (uint64_t) time;
    if (dump->time_size == 0 || value < dump->time_base || value - dump->time_base >= TIME_BASE) {
        uint64_t high = value / TIME_BASE;
        dump->time_base = high * TIME_BASE;
        dump->time_size = (size_t) (put_unsigned(dump->time_digits, high) - dump->time_digits);
    }
    memcpy(to, dump->time_digits, sizeof(dump->time_digits));
    return put_eight(to + dump->time_size, (uint32_t) (value - dump->time_base));
}

static void dump_context(struct dump *dump, const gt_event *event)
{
    char *to = output_reserve(dump->out, PIECE_MAX);
    to = put_signed(put_text(to, "M="), event->thread);
    to = put_signed(put_text(to, " P="), event->proc);
    to = put_signed(put_text(to, " G="), event->goroutine);
    *to++ = ' ';
    to = words_put_kind(to, &dump->words, event->kind);
    to = dump_put_time(dump, put_text(to, " Time="), event->time);
    output_commit(dump->out, to);
}

static void dump_metric(struct output *out, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_event_metric(event, &metric);
    dump_named_quote(out, " Name=", metric.name);
    output_text(out, " Value=");
    dump_value(out, &metric.value);
}

static void dump_label(struct output *out, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    gt_event_label(event, &label);
    dump_named_quote(out, " Label=", label.label);
    output_text(out, " Resource=");
    dump_resource(out, &label.resource);
}

static void dump_range_attributes(struct output *out, const gt_event *event, uint32_t count)
{
    output_text(out, " Attributes=[");
    for (uint32_t i = 0; i < count; i++) {
        gt_string name;
        gt_value value;
        if (gt_event_range_attribute(event, i, &name, &value) != GT_OK)
            break;
        if (i != 0)
            output_text(out, " ");
        quote_write(out, name);
        output_text(out, "=");
        dump_value(out, &value);
    }
    output_text(out, "]");
}

/* The name of a stop of the world has two parts, which Go quotes as one string. */
static void dump_range_name(struct output *out, const gt_range *range)
{
    if (!range->has_cause) {
        dump_named_quote(out, " Name=", range->name);
        return;
    }
    output_text(out, " Name=\"");
    quote_write_inner(out, range->name);
    output_text(out, " (");
    quote_write_inner(out, range->cause);
    output_text(out, ")\"");
}

static void dump_range(struct output *out, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_event_range(event, &range);
    dump_range_name(out, &range);
    output_text(out, " Scope=");
    dump_resource(out, &range.scope);
    if (event->kind == GT_EVENT_RANGE_END)
        dump_range_attributes(out, event, range.attribute_count);
}

static void dump_task(struct output *out, const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    gt_event_task(event, &task);
    dump_named_number(out, " ID=", task.id);
    dump_named_number(out, " Parent=", task.parent);
    dump_named_quote(out, " Type=", task.type);
}

static void dump_region(struct output *out, const gt_event *event)
{
    gt_region region = GT_REGION_INIT;
    gt_event_region(event, &region);
    dump_named_number(out, " Task=", region.task);
    dump_named_quote(out, " Type=", region.type);
}

static void dump_log(struct output *out, const gt_event *event)
{
    gt_log log = GT_LOG_INIT;
    gt_event_log(event, &log);
    dump_named_number(out, " Task=", log.task);
    dump_named_quote(out, " Category=", log.category);
    dump_named_quote(out, " Message=", log.message);
}

static void dump_experimental(struct output *out, const gt_event *event)
{
    gt_experimental experimental = GT_EXPERIMENTAL_INIT;
    gt_event_experimental(event, &experimental);
    output_text(out, " Name=");
    output_string(out, experimental.name);
    output_text(out, " Args=[");
    for (uint32_t i = 0; i < experimental.argument_count; i++) {
        gt_string name;
        gt_value value;
        if (gt_event_experimental_argument(event, i, &name, &value) != GT_OK)
            break;
        if (i != 0)
            output_text(out, ", ");
        output_string(out, name);
        output_text(out, "=");
        dump_value(out, &value);
    }
    output_text(out, "]");
}

/*
 * Returns by how many seconds local time is ahead of UTC at `seconds` since 1970-01-01 UTC, or 0
 * for a time that the C library cannot convert.
 */
static int32_t dump_zone(int64_t seconds)
{
    time_t time = (time_t) seconds;
    struct tm local, utc;
    if (time != seconds || !localtime_r(&time, &local) || !gmtime_r(&time, &utc))
        return 0;
    int days = local.tm_yday - utc.tm_yday;
    if (local.tm_year != utc.tm_year)
        days = local.tm_year > utc.tm_year ? 1 : -1;
    int hours = 24 * days + local.tm_hour - utc.tm_hour;
    return 3600 * hours + 60 * (local.tm_min - utc.tm_min) + local.tm_sec - utc.tm_sec;
}

static void dump_sync(struct output *out, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    gt_event_sync(event, &sync);
    char *to = output_reserve(out, PIECE_MAX);
    to = put_unsigned(put_text(to, " N="), sync.number);
    if (sync.has_clock) {
        to = put_signed(put_text(to, " Trace="), sync.clock_trace);
        to = put_unsigned(put_text(to, " Mono="), sync.clock_monotonic);
        to = put_text(to, " Wall=");
        to += gt_wall_clock_format(sync.clock_seconds, sync.clock_nanoseconds,
                                   dump_zone(sync.clock_seconds), to, GT_WALL_CLOCK_TEXT_SIZE);
    }
    output_commit(out, to);
}

static gt_status dump_transition(struct dump *dump, const gt_event *event)
{
    struct output *out = dump->out;
    gt_transition change = GT_TRANSITION_INIT;
    gt_event_transition(event, &change);
    char *to = output_reserve(out, PIECE_MAX);
    if (change.resource.kind == GT_RESOURCE_GOROUTINE) {
        to = put_signed(put_text(to, " GoID="), change.resource.id);
        *to++ = ' ';
        to = put_text(words_put_go_state(to, &dump->words, change.from), "->");
        to = words_put_go_state(to, &dump->words, change.to);
    } else if (change.resource.kind == GT_RESOURCE_PROC) {
        to = put_signed(put_text(to, " ProcID="), change.resource.id);
        *to++ = ' ';
        to = put_text(words_put_proc_state(to, &dump->words, change.from), "->");
        to = words_put_proc_state(to, &dump->words, change.to);
    }
    output_commit(out, put_text(to, " Reason="));
    quote_write(out, change.reason);
    if (change.stack == GT_STACK_NONE)
        return GT_OK;
    output_text(out, "\nTransitionStack=\n");
    return stacktext_write(&dump->stacks, out, change.stack);
}

static gt_status dump_details(struct dump *dump, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_SYNC:
        dump_sync(dump->out, event);
        break;
    case GT_EVENT_METRIC:
        dump_metric(dump->out, event);
        break;
    case GT_EVENT_LABEL:
        dump_label(dump->out, event);
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        dump_range(dump->out, event);
        break;
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        dump_task(dump->out, event);
        break;
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        dump_region(dump->out, event);
        break;
    case GT_EVENT_LOG:
        dump_log(dump->out, event);
        break;
    case GT_EVENT_STATE_TRANSITION:
        return dump_transition(dump, event);
    case GT_EVENT_EXPERIMENTAL:
        dump_experimental(dump->out, event);
        break;
    default: /* a StackSample or a later kind has only what every event has */
        break;
    }
    return GT_OK;
}

static gt_status dump_event(void *user_data, const gt_event *event)
{
    struct dump *dump = user_data;
    dump_context(dump, event);
    gt_status status = dump_details(dump, event);
    gt_stack stack = gt_event_stack(event);
    if (status == GT_OK && stack != GT_STACK_NONE) {
        output_text(dump->out, "\nStack=\n");
        status = stacktext_write(&dump->stacks, dump->out, stack);
    }
    output_text(dump->out, "\n");
    return status == GT_OK && dump->out->error != 0 ? GT_ERR_CALLBACK : status;
}

static int dump_run(const struct command *self, struct output *out, char **arguments)
{
    struct dump dump = {.out = out};
    int code = input_open(&dump.in, self, out, arguments);
    if (code != COMMAND_GO_ON)
        return code;
    tzset();
    words_init(&dump.words);
    stacktext_init(&dump.stacks, dump.in.reader);
    gt_status reading;
    gt_status status = input_for_each_event(dump.in.reader, dump_event, &dump, &reading);
    stacktext_free(&dump.stacks);
    /* main reports that the output cannot be written. */
    if (out->error != 0)
        status = reading = GT_OK;
    return input_close(&dump.in, out, status != GT_OK ? status : reading);
}

const struct command command_dump = {
    .name = "dump",
    .usage = "dump [OPTION...] FILE",
    .summary = "print every event",
    .help = "Prints every event with its stacks, in the form of go tool trace -d=parsed.\n"
            "The wall-clock time of a Sync is in the local time zone, see TZ.\n",
    .shared = input_options,
    .run = dump_run,
};
