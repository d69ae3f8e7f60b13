/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/error.h"
#include "base/procs.h"
#include "base/sized.h"
#include "base/text.h"
#include "model/wire.h"
#include "model/words.h"
#include "reader/make.h"
#include "v2/spec.h"

/*
 * Converts the content of each kind of event from the form that a getter returns to the type,
 * arguments and texts from which lib/reader/event.c derives it. Content that these cannot express
 * is refused.
 */

/* Copies a structure of the caller, which must not be NULL. */
static bool making_take(struct gt_making *making, const char *member, const void *in, void *out,
                        size_t size, size_t least)
{
    return gt_struct_take_named(out, size, least, in, member, making->failure) == GT_OK;
}

#define TAKE(making, member, type, last, out)                                                      \
    making_take((making), "options." #member "->", (making)->options.member, (out), sizeof(type),  \
                GT_UP_TO(type, last))

/* Copies `count` values to the arguments of the event. */
static bool making_take_values(struct gt_making *making, size_t count)
{
    const gt_value *values = making->options.values;
    if ((count == 0) != !values)
        return gt_making_refuse(making, "options.values", values ? "is not NULL" : "is NULL");
    for (size_t i = 0; i < count; i++) {
        if (values[i].kind != GT_VALUE_UINT64)
            return gt_making_refuse(making, "options.values", "has one that is no GT_VALUE_UINT64");
        making->data.arguments[i] = values[i].number;
    }
    return true;
}

static bool making_add_metric(struct gt_making *making)
{
    static const struct {
        const char *name;
        uint8_t type;
    } metrics[] = {
        {GT_PROCS_METRIC, GT_WIRE_PROCS_CHANGE},
        {"/memory/classes/heap/objects:bytes", GT_WIRE_HEAP_ALLOC},
        {"/gc/heap/goal:bytes", GT_WIRE_HEAP_GOAL},
    };

    gt_metric metric;
    if (!TAKE(making, metric, gt_metric, value, &metric) ||
        !gt_making_text(making, "options.metric->name", metric.name))
        return false;
    if (metric.value.kind != GT_VALUE_UINT64)
        return gt_making_refuse(making, "options.metric->value", "is no GT_VALUE_UINT64");
    making->data.arguments[0] = metric.value.number;
    for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
        making->data.type = metrics[i].type;
        if (gt_text_is(metric.name, metrics[i].name))
            return true;
    }
    return gt_making_refuse(making, "options.metric->name", "is no metric of the runtime");
}

static bool resource_is(gt_resource resource, uint32_t kind, int64_t id)
{
    return resource.kind == kind && resource.id == id;
}

static bool making_add_label(struct gt_making *making)
{
    gt_label label;
    if (!TAKE(making, label, gt_label, resource, &label) ||
        !gt_making_text(making, "options.label->label", label.label))
        return false;
    if (!resource_is(label.resource, GT_RESOURCE_GOROUTINE, making->options.goroutine))
        return gt_making_refuse(making, "options.label->resource",
                                "is not the goroutine of the event");
    making->parts.texts[0] = label.label;
    making->data.type = GT_WIRE_GO_LABEL;
    return true;
}

/*
 * The ranges of the runtime. `types` has one type for each kind of event from GT_EVENT_RANGE_BEGIN
 * on.
 */
static const struct making_range {
    const char *name;
    uint32_t scope; /* a gt_resource_kind */
    uint8_t types[3];
} making_ranges[] = {
    {"GC concurrent mark phase",
     GT_RESOURCE_NONE,
     {GT_WIRE_GC_BEGIN, GT_WIRE_GC_ACTIVE, GT_WIRE_GC_END}},
    {"GC incremental sweep",
     GT_RESOURCE_PROC,
     {GT_WIRE_GC_SWEEP_BEGIN, GT_WIRE_GC_SWEEP_ACTIVE, GT_WIRE_GC_SWEEP_END}},
    {"GC mark assist",
     GT_RESOURCE_GOROUTINE,
     {GT_WIRE_GC_MARK_ASSIST_BEGIN, GT_WIRE_GC_MARK_ASSIST_ACTIVE, GT_WIRE_GC_MARK_ASSIST_END}},
    {"stop-the-world", GT_RESOURCE_GOROUTINE, {GT_WIRE_STW_BEGIN, GT_WIRE_NONE, GT_WIRE_STW_END}},
};

static const struct making_range *making_range_find(gt_string name)
{
    for (size_t i = 0; i < sizeof(making_ranges) / sizeof(making_ranges[0]); i++) {
        if (gt_text_is(name, making_ranges[i].name))
            return &making_ranges[i];
    }
    return NULL;
}

/*
 * Adds the scope of a range. An active range names its scope; for other ranges it is in the context
 * of the event.
 */
static bool making_add_scope(struct gt_making *making, const struct making_range *known,
                             gt_resource scope)
{
    const gt_event_make_options *options = &making->options;
    int64_t id = known->scope == GT_RESOURCE_PROC ? options->proc : options->goroutine;
    if (scope.kind != known->scope)
        return gt_making_refuse(making, "options.range->scope", "is of another kind than its name");
    if (scope.kind == GT_RESOURCE_NONE)
        return true;
    if (options->kind == GT_EVENT_RANGE_ACTIVE)
        making->data.arguments[0] = (uint64_t) scope.id;
    else if (scope.id != id)
        return gt_making_refuse(making, "options.range->scope", "is not in the event's context");
    return true;
}

static bool making_add_range(struct gt_making *making)
{
    gt_range range;
    if (!TAKE(making, range, gt_range, scope, &range) ||
        !gt_making_text(making, "options.range->name", range.name) ||
        !gt_making_text(making, "options.range->cause", range.cause))
        return false;
    const struct making_range *known = making_range_find(range.name);
    uint8_t type = known ? known->types[making->options.kind - GT_EVENT_RANGE_BEGIN] : 0;
    if (type == GT_WIRE_NONE)
        return gt_making_refuse(making, "options.range->name", "is no range of this kind");
    bool stops = type == GT_WIRE_STW_BEGIN || type == GT_WIRE_STW_END;
    if (range.has_cause != stops || (!stops && range.cause.size != 0))
        return gt_making_refuse(making, "options.range->has_cause", "does not fit its name");
    if (range.attribute_count != (type == GT_WIRE_GC_SWEEP_END ? 2 : 0))
        return gt_making_refuse(making, "options.range->attribute_count", "does not fit its name");
    making->data.type = type;
    making->parts.name = range.cause;
    making->parts.has_name = stops;
    return making_add_scope(making, known, range.scope) &&
           making_take_values(making, range.attribute_count);
}

static bool making_add_task(struct gt_making *making)
{
    bool begins = making->options.kind == GT_EVENT_TASK_BEGIN;
    gt_task task;
    if (!TAKE(making, task, gt_task, type, &task) ||
        !gt_making_text(making, "options.task->type", task.type))
        return false;
    making->data.type = begins ? GT_WIRE_USER_TASK_BEGIN : GT_WIRE_USER_TASK_END;
    making->data.arguments[0] = task.id;
    making->data.arguments[begins ? 1 : 2] = task.parent;
    making->parts.texts[0] = making->parts.name = task.type;
    making->parts.has_name = !begins;
    return true;
}

static bool making_add_region(struct gt_making *making)
{
    gt_region region;
    if (!TAKE(making, region, gt_region, type, &region) ||
        !gt_making_text(making, "options.region->type", region.type))
        return false;
    making->data.type = making->options.kind == GT_EVENT_REGION_BEGIN ? GT_WIRE_USER_REGION_BEGIN
                                                                      : GT_WIRE_USER_REGION_END;
    making->data.arguments[0] = region.task;
    making->parts.texts[0] = region.type;
    return true;
}

static bool making_add_log(struct gt_making *making)
{
    gt_log log;
    if (!TAKE(making, log, gt_log, message, &log) ||
        !gt_making_text(making, "options.log->category", log.category) ||
        !gt_making_text(making, "options.log->message", log.message))
        return false;
    making->data.type = GT_WIRE_USER_LOG;
    making->data.arguments[0] = log.task;
    making->parts.texts[0] = log.category;
    making->parts.texts[1] = log.message;
    return true;
}

static bool making_add_transition(struct gt_making *making)
{
    gt_transition change;
    if (!TAKE(making, transition, gt_transition, stack, &change) ||
        !gt_making_text(making, "options.transition->reason", change.reason))
        return false;
    bool is_goroutine = change.resource.kind == GT_RESOURCE_GOROUTINE;
    uint32_t states = is_goroutine ? GT_WORDS_GO_STATES : GT_WORDS_PROC_STATES;
    if (!is_goroutine && change.resource.kind != GT_RESOURCE_PROC)
        return gt_making_refuse(making, "options.transition->resource",
                                "is neither a goroutine nor a proc");
    if (change.from >= states)
        return gt_making_refuse(making, "options.transition->from", "is no state of the resource");
    if (change.to >= states)
        return gt_making_refuse(making, "options.transition->to", "is no state of the resource");
    making->data.type = is_goroutine ? GT_WIRE_GO_MADE : GT_WIRE_PROC_MADE;
    making->data.arguments[0] = (uint64_t) change.resource.id;
    making->data.from = (uint8_t) change.from;
    making->data.to = (uint8_t) change.to;
    making->parts.texts[0] = change.reason;
    return gt_making_add_transition_stack(making, change.stack);
}

bool gt_making_add_sync(struct gt_making *making)
{
    struct gt_table *table = &making->table;
    gt_sync sync;
    if (!making->options.sync)
        return true;
    if (!TAKE(making, sync, gt_sync, reserved, &sync))
        return false;
    if (sync.clock_nanoseconds >= 1000000000)
        return gt_making_refuse(making, "options.sync->clock_nanoseconds", "is a second or more");
    table->generation = sync.generation;
    if (sync.has_clock != 0)
        table->clock = (struct gt_clock){sync.clock_trace, sync.clock_monotonic, sync.clock_seconds,
                                         sync.clock_nanoseconds, 1};
    if (making->options.kind != GT_EVENT_SYNC)
        return true;
    making->data.arguments[0] = sync.number;
    table->experiments.count = sync.batch_count;
    if ((sync.batch_count == 0) != !making->options.batches)
        return gt_making_refuse(making, "options.batches",
                                sync.batch_count == 0 ? "is not NULL" : "is NULL");
    if (sync.generation != 0)
        return true;
    if (sync.has_clock != 0 || sync.batch_count != 0 || making->options.stack != GT_STACK_NONE)
        return gt_making_refuse(making, "options.sync->generation",
                                "is 0, but it has a clock, batches or a stack");
    making->data.table = NULL;
    return true;
}

/* Validates a batch of the caller, and copies its structure, but not its data. */
static bool making_take_batch(struct gt_making *making, const gt_experimental_batch *in,
                              struct gt_experiment_batch *out)
{
    gt_experimental_batch batch;
    if (!making_take(making, "options.batches->", in, &batch, sizeof(batch),
                     GT_UP_TO(gt_experimental_batch, data)) ||
        !gt_making_text(making, "options.batches->data", batch.data))
        return false;
    if (!gt_text_is(batch.experiment, gt_v2_experiment_name(batch.experiment_id)))
        return gt_making_refuse(making, "options.batches->experiment", "is not that of its id");
    out->data = (const uint8_t *) batch.data.data;
    out->experiment = batch.experiment_id;
    out->thread = batch.thread;
    out->size = (uint32_t) batch.data.size;
    return true;
}

bool gt_making_take_batches(struct gt_making *making, struct gt_mem *mem)
{
    size_t count = making->table.experiments.count;
    bool good = true;
    if (count == 0)
        return true;
    struct gt_experiment_batch *list = NULL;
    if (count <= SIZE_MAX / sizeof(*list))
        list = gt_mem_alloc(mem, count * sizeof(*list));
    if (!list) {
        gt_error_plain(making->failure, GT_ERR_NO_MEMORY);
        return false;
    }
    for (size_t i = 0; i < count && good; i++)
        good = making_take_batch(making, &making->options.batches[i], &list[i]);
    making->table.experiments.items = list;
    if (!good)
        gt_mem_free(mem, list, count * sizeof(*list));
    return good;
}

/* Returns the type of an event of an experiment, or GT_WIRE_NONE. */
static uint8_t making_experimental_find(const gt_experimental *experimental)
{
    for (unsigned type = 1; type < 256; type++) {
        const gt_wire_spec *spec = &gt_v2_specs[type];
        if (spec->name && spec->experiment != 0 && gt_text_is(experimental->name, spec->name) &&
            gt_text_is(experimental->experiment, gt_v2_experiment_name(spec->experiment)))
            return (uint8_t) type;
    }
    return GT_WIRE_NONE;
}

static bool making_add_experimental(struct gt_making *making)
{
    gt_experimental experimental;
    if (!TAKE(making, experimental, gt_experimental, reserved, &experimental) ||
        !gt_making_text(making, "options.experimental->name", experimental.name) ||
        !gt_making_text(making, "options.experimental->experiment", experimental.experiment))
        return false;
    uint8_t type = making_experimental_find(&experimental);
    if (type == GT_WIRE_NONE)
        return gt_making_refuse(making, "options.experimental->name",
                                "is no event of the experiment");
    if (experimental.argument_count != gt_v2_specs[type].argument_count - 1)
        return gt_making_refuse(making, "options.experimental->argument_count",
                                "is not that of the event");
    making->data.type = type;
    return making_take_values(making, experimental.argument_count);
}

bool gt_making_add_content(struct gt_making *making)
{
    switch (making->options.kind) {
    case GT_EVENT_METRIC:
        return making_add_metric(making);
    case GT_EVENT_LABEL:
        return making_add_label(making);
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        return making_add_range(making);
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return making_add_task(making);
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        return making_add_region(making);
    case GT_EVENT_LOG:
        return making_add_log(making);
    case GT_EVENT_STATE_TRANSITION:
        return making_add_transition(making);
    case GT_EVENT_EXPERIMENTAL:
        return making_add_experimental(making);
    default: /* a Sync was added before, and a StackSample has no other content */
        return true;
    }
}
