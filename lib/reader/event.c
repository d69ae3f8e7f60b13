/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/event.h>

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/procs.h"
#include "base/sized.h"
#include "model/event.h"
#include "model/wire.h"
#include "v2/spec.h"

/* The getters of events, as the accessors and tables of Go's internal/trace/event.go. */

static const gt_string no_text = {"", 0};

static gt_string event_literal(const char *text)
{
    gt_string string = {text, strlen(text)};
    return string;
}

static gt_value value_of_number(uint64_t x)
{
    gt_value value = {GT_VALUE_UINT64, 0, x, no_text};
    return value;
}

static gt_resource resource_of(gt_resource_kind kind, int64_t id)
{
    gt_resource result = {(uint32_t) kind, 0, id};
    return result;
}

/* Returns the string `which` of the event from its table. */
static gt_string event_text(const struct gt_event_data *data, unsigned which)
{
    if (data->strings[which] == GT_TEXT_INLINE) {
        gt_string text = {(const char *) (uintptr_t) data->arguments[2],
                          (size_t) data->arguments[3]};
        return text;
    }
    return gt_strings_get(&data->table->strings, data->strings[which]);
}

/* Returns the interned name of the event, which outlives generations, or an empty text. */
static gt_string event_name(const struct gt_event_data *data)
{
    gt_string string = no_text;
    if (data->name) {
        string.data = data->name->text;
        string.size = data->name->size;
    }
    return string;
}

static gt_stack event_stack(const struct gt_event_data *data, uint32_t slot)
{
    return slot == 0 ? GT_STACK_NONE : (gt_stack) data->table->ordinal << 32 | slot;
}

/*
 * Checks the arguments of a getter. `out` is the caller's structure, which had `least` bytes in the
 * first release; `is_kind` says whether the event is of the kind that the getter is for.
 */
static gt_status event_check(const gt_event *event, const void *out, size_t least, bool is_kind)
{
    if (!gt_event_is_whole(event) || !gt_struct_fits(out, least))
        return GT_ERR_INVALID_ARGUMENT;
    return is_kind ? GT_OK : GT_ERR_WRONG_KIND;
}

static bool event_is(const gt_event *event, gt_event_kind kind)
{
    return event && event->kind == (uint32_t) kind;
}

gt_stack gt_event_stack(const gt_event *event)
{
    if (!gt_event_is_whole(event))
        return GT_STACK_NONE;
    const struct gt_event_data *data = gt_event_data_of(event);
    return event_stack(data, data->stack);
}

gt_status gt_event_metric(const gt_event *event, gt_metric *metric)
{
    gt_status status =
        event_check(event, metric, GT_UP_TO(gt_metric, value), event_is(event, GT_EVENT_METRIC));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    const char *name = "/gc/heap/goal:bytes";
    if (data->type == GT_WIRE_PROCS_CHANGE)
        name = GT_PROCS_METRIC;
    else if (data->type == GT_WIRE_HEAP_ALLOC)
        name = "/memory/classes/heap/objects:bytes";
    metric->name = event_literal(name);
    metric->value = value_of_number(data->arguments[0]);
    return GT_OK;
}

gt_status gt_event_label(const gt_event *event, gt_label *label)
{
    gt_status status =
        event_check(event, label, GT_UP_TO(gt_label, resource), event_is(event, GT_EVENT_LABEL));
    if (status != GT_OK)
        return status;
    label->label = event_text(gt_event_data_of(event), 0);
    label->resource = resource_of(GT_RESOURCE_GOROUTINE, event->goroutine);
    return GT_OK;
}

static bool event_is_range(const gt_event *event)
{
    return event && event->kind >= GT_EVENT_RANGE_BEGIN && event->kind <= GT_EVENT_RANGE_END;
}

gt_status gt_event_range(const gt_event *event, gt_range *range)
{
    gt_status status = event_check(event, range, GT_UP_TO(gt_range, scope), event_is_range(event));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    range->cause = no_text;
    range->has_cause = 0;
    range->attribute_count = data->type == GT_WIRE_GC_SWEEP_END ? 2 : 0;
    switch (data->type) {
    case GT_WIRE_STW_BEGIN:
    case GT_WIRE_STW_END:
        range->name = event_literal("stop-the-world");
        range->cause = event_name(data);
        range->has_cause = 1;
        range->scope = resource_of(GT_RESOURCE_GOROUTINE, event->goroutine);
        break;
    case GT_WIRE_GC_SWEEP_ACTIVE:
    case GT_WIRE_GC_SWEEP_BEGIN:
    case GT_WIRE_GC_SWEEP_END:
        range->name = event_literal("GC incremental sweep");
        range->scope = resource_of(GT_RESOURCE_PROC, data->type == GT_WIRE_GC_SWEEP_ACTIVE
                                                         ? (int64_t) data->arguments[0]
                                                         : event->proc);
        break;
    case GT_WIRE_GC_MARK_ASSIST_ACTIVE:
    case GT_WIRE_GC_MARK_ASSIST_BEGIN:
    case GT_WIRE_GC_MARK_ASSIST_END:
        range->name = event_literal("GC mark assist");
        range->scope =
            resource_of(GT_RESOURCE_GOROUTINE, data->type == GT_WIRE_GC_MARK_ASSIST_ACTIVE
                                                   ? (int64_t) data->arguments[0]
                                                   : event->goroutine);
        break;
    default:
        range->name = event_literal("GC concurrent mark phase");
        range->scope = resource_of(GT_RESOURCE_NONE, 0);
        break;
    }
    return GT_OK;
}

gt_status gt_event_range_attribute(const gt_event *event, uint32_t index, gt_string *name,
                                   gt_value *value)
{
    static const char *const names[] = {"bytes swept", "bytes reclaimed"};
    if (!gt_event_is_whole(event) || !name || !value)
        return GT_ERR_INVALID_ARGUMENT;
    if (event->kind != GT_EVENT_RANGE_END)
        return GT_ERR_WRONG_KIND;
    const struct gt_event_data *data = gt_event_data_of(event);
    if (index >= 2 || data->type != GT_WIRE_GC_SWEEP_END)
        return GT_ERR_INVALID_ARGUMENT;
    *name = event_literal(names[index]);
    *value = value_of_number(data->arguments[index]);
    return GT_OK;
}

gt_status gt_event_task(const gt_event *event, gt_task *task)
{
    gt_status status =
        event_check(event, task, GT_UP_TO(gt_task, type),
                    event_is(event, GT_EVENT_TASK_BEGIN) || event_is(event, GT_EVENT_TASK_END));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    bool begins = data->type == GT_WIRE_USER_TASK_BEGIN;
    task->id = data->arguments[0];
    task->parent = data->arguments[begins ? 1 : 2];
    task->type = begins ? event_text(data, 0) : event_name(data);
    return GT_OK;
}

gt_status gt_event_region(const gt_event *event, gt_region *region)
{
    gt_status status =
        event_check(event, region, GT_UP_TO(gt_region, type),
                    event_is(event, GT_EVENT_REGION_BEGIN) || event_is(event, GT_EVENT_REGION_END));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    region->task = data->arguments[0];
    region->type = event_text(data, 0);
    return GT_OK;
}

gt_status gt_event_log(const gt_event *event, gt_log *log)
{
    gt_status status =
        event_check(event, log, GT_UP_TO(gt_log, message), event_is(event, GT_EVENT_LOG));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    log->task = data->arguments[0];
    log->category = event_text(data, 0);
    log->message = event_text(data, 1);
    return GT_OK;
}

/*
 * The state transition that a type of event stands for. Members of the event are given by their
 * offsets in struct gt_event_data, so that a getter loads what it needs without a branch: the types
 * of a trace's events vary, so branches on them would often be mispredicted.
 */
struct change {
    /*
     * A gt_resource_kind. The alignment makes the size 8 bytes, so that the table is indexed
     * without a multiplication.
     */
    alignas(8) uint8_t resource;
    uint8_t id_at;      /* the offset of the resource's id */
    uint8_t has_states; /* the states are `from` and `to` of the event, not `states` */
    uint8_t stack_at;   /* the offset of the slot of the resource's stack; 0: none */
    uint8_t has_reason; /* the reason is the event's first string */
    uint8_t states[2];  /* from, to */
};

#define AT(member) ((uint8_t) offsetof(struct gt_event_data, member))

static_assert(offsetof(struct gt_event_data, arguments) < 256, "an offset is a uint8_t");
static_assert(AT(to) == AT(from) + 1, "`from` and `to` are laid out like change.states");

/* The stack of the resource: none, that of the event itself, or that of a created goroutine. */
enum {
    NO_STACK = 0,
    EVENT_STACK = AT(stack),
    OWN_STACK = AT(own_stack)
};

/* The transition of the resource whose id is the event's first argument. */
#define NAMED(what, from, to, stack)                                                               \
    {                                                                                              \
        GT_RESOURCE_##what, AT(arguments), 0, stack, 0,                                            \
        {                                                                                          \
            from, to                                                                               \
        }                                                                                          \
    }
/* The transition of the goroutine, or proc, in the context of the event. */
#define CURRENT_GO(from, to, stack, has_reason)                                                    \
    {                                                                                              \
        GT_RESOURCE_GOROUTINE, AT(event.goroutine), 0, stack, has_reason,                          \
        {                                                                                          \
            GT_GO_##from, GT_GO_##to                                                               \
        }                                                                                          \
    }
#define CURRENT_PROC(from, to)                                                                     \
    {                                                                                              \
        GT_RESOURCE_PROC, AT(event.proc), 0, NO_STACK, 0,                                          \
        {                                                                                          \
            GT_PROC_##from, GT_PROC_##to                                                           \
        }                                                                                          \
    }
#define GO(from, to, stack) NAMED(GOROUTINE, GT_GO_##from, GT_GO_##to, stack)
#define PROC(from, to)      NAMED(PROC, GT_PROC_##from, GT_PROC_##to, NO_STACK)
/* The transition whose states are in the event itself. */
#define SAID(what, stack, has_reason)                                                              \
    {                                                                                              \
        GT_RESOURCE_##what, AT(arguments), 1, stack, has_reason,                                   \
        {                                                                                          \
            0, 0                                                                                   \
        }                                                                                          \
    }
#define STORED(what, stack) SAID(what, stack, 0)
#define MADE(what)          SAID(what, OWN_STACK, 1)

static const struct change changes[256] = {
    [GT_WIRE_PROC_START] = PROC(IDLE, RUNNING),
    [GT_WIRE_PROC_STOP] = CURRENT_PROC(RUNNING, IDLE),
    [GT_WIRE_PROC_STEAL] = STORED(PROC, NO_STACK),
    [GT_WIRE_PROC_STATUS] = STORED(PROC, NO_STACK),
    /* A created goroutine starts with a stack of its own. */
    [GT_WIRE_GO_CREATE] = GO(NOT_EXIST, RUNNABLE, OWN_STACK),
    [GT_WIRE_GO_CREATE_BLOCKED] = GO(NOT_EXIST, WAITING, OWN_STACK),
    [GT_WIRE_GO_CREATE_SYSCALL] = GO(NOT_EXIST, SYSCALL, NO_STACK),
    [GT_WIRE_GO_START] = GO(RUNNABLE, RUNNING, NO_STACK),
    [GT_WIRE_GO_DESTROY] = CURRENT_GO(RUNNING, NOT_EXIST, NO_STACK, 0),
    [GT_WIRE_GO_DESTROY_SYSCALL] = CURRENT_GO(SYSCALL, NOT_EXIST, NO_STACK, 0),
    [GT_WIRE_GO_STOP] = CURRENT_GO(RUNNING, RUNNABLE, EVENT_STACK, 1),
    [GT_WIRE_GO_BLOCK] = CURRENT_GO(RUNNING, WAITING, EVENT_STACK, 1),
    [GT_WIRE_GO_UNBLOCK] = GO(WAITING, RUNNABLE, NO_STACK),
    /*
     * A switch becomes three events, of which this is the first; a block or destroy and a start
     * follow.
     */
    [GT_WIRE_GO_SWITCH] = GO(WAITING, RUNNABLE, NO_STACK),
    [GT_WIRE_GO_SWITCH_DESTROY] = GO(WAITING, RUNNABLE, NO_STACK),
    [GT_WIRE_GO_SYSCALL_BEGIN] = CURRENT_GO(RUNNING, SYSCALL, EVENT_STACK, 0),
    [GT_WIRE_GO_SYSCALL_END] = CURRENT_GO(SYSCALL, RUNNING, NO_STACK, 0),
    [GT_WIRE_GO_SYSCALL_END_BLOCKED] = CURRENT_GO(SYSCALL, RUNNABLE, NO_STACK, 0),
    [GT_WIRE_GO_STATUS] = STORED(GOROUTINE, NO_STACK),
    [GT_WIRE_GO_STATUS_STACK] = STORED(GOROUTINE, EVENT_STACK),
    [GT_WIRE_GO_STATUS_START] = STORED(GOROUTINE, OWN_STACK),
    [GT_WIRE_GO_MADE] = MADE(GOROUTINE),
    [GT_WIRE_PROC_MADE] = MADE(PROC),
};

static int64_t change_id(const struct gt_event_data *data, uint8_t at)
{
    int64_t id;
    memcpy(&id, (const char *) data + at, sizeof(id));
    return id;
}

static uint32_t change_stack(const struct gt_event_data *data, uint8_t at)
{
    uint32_t slot;
    memcpy(&slot, (const char *) data + at, sizeof(slot));
    return at == NO_STACK ? 0 : slot;
}

gt_status gt_event_transition(const gt_event *event, gt_transition *transition)
{
    gt_status status = event_check(event, transition, GT_UP_TO(gt_transition, stack),
                                   event_is(event, GT_EVENT_STATE_TRANSITION));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    const struct change *change = &changes[data->type];
    const uint8_t *states = change->has_states ? (const uint8_t *) data + AT(from) : change->states;
    transition->resource =
        resource_of((gt_resource_kind) change->resource, change_id(data, change->id_at));
    transition->from = states[0];
    transition->to = states[1];
    transition->reason = change->has_reason ? event_text(data, 0) : no_text;
    transition->stack = event_stack(data, change_stack(data, change->stack_at));
    return GT_OK;
}

gt_status gt_event_sync(const gt_event *event, gt_sync *sync)
{
    gt_status status =
        event_check(event, sync, GT_UP_TO(gt_sync, reserved), event_is(event, GT_EVENT_SYNC));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    const struct gt_table *table = data->table;
    gt_sync said = GT_SYNC_INIT;
    said.number = data->arguments[0];
    if (table) {
        said.generation = table->generation;
        said.batch_count = (uint32_t) table->experiments.count;
    }
    if (table && table->clock.known) {
        said.has_clock = 1;
        said.clock_trace = table->clock.trace;
        said.clock_monotonic = table->clock.monotonic;
        said.clock_seconds = table->clock.seconds;
        said.clock_nanoseconds = table->clock.nanoseconds;
    }
    gt_struct_give(sync, &said, sizeof(said));
    return GT_OK;
}

gt_status gt_event_experimental_batch(const gt_event *event, uint32_t index,
                                      gt_experimental_batch *batch)
{
    gt_status status = event_check(event, batch, GT_UP_TO(gt_experimental_batch, data),
                                   event_is(event, GT_EVENT_SYNC));
    if (status != GT_OK)
        return status;
    const struct gt_table *table = gt_event_data_of(event)->table;
    if (!table || index >= table->experiments.count)
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_experiment_batch *found = &table->experiments.items[index];
    batch->experiment = event_literal(gt_v2_experiment_name(found->experiment));
    batch->experiment_id = found->experiment;
    batch->thread = found->thread;
    batch->data.data = (const char *) found->data;
    batch->data.size = found->size;
    return GT_OK;
}

gt_status gt_event_experimental(const gt_event *event, gt_experimental *experimental)
{
    gt_status status = event_check(event, experimental, GT_UP_TO(gt_experimental, reserved),
                                   event_is(event, GT_EVENT_EXPERIMENTAL));
    if (status != GT_OK)
        return status;
    const gt_wire_spec *spec = &gt_v2_specs[gt_event_data_of(event)->type];
    experimental->name = event_literal(spec->name);
    experimental->experiment = event_literal(gt_v2_experiment_name(spec->experiment));
    experimental->argument_count = spec->argument_count - 1;
    experimental->reserved = 0;
    return GT_OK;
}

gt_status gt_event_experimental_argument(const gt_event *event, uint32_t index, gt_string *name,
                                         gt_value *value)
{
    if (!gt_event_is_whole(event) || !name || !value)
        return GT_ERR_INVALID_ARGUMENT;
    if (event->kind != GT_EVENT_EXPERIMENTAL)
        return GT_ERR_WRONG_KIND;
    const struct gt_event_data *data = gt_event_data_of(event);
    const gt_wire_spec *spec = &gt_v2_specs[data->type];
    if (index >= spec->argument_count - 1)
        return GT_ERR_INVALID_ARGUMENT;
    *name = event_literal(spec->arguments[index + 1].name);
    *value = value_of_number(data->arguments[index]);
    return GT_OK;
}

/* The status of a goroutine in the wire format for the state that a status event reports. */
static uint32_t wire_go_status(unsigned state)
{
    static const uint8_t statuses[] = {
        [GT_GO_RUNNABLE] = GT_V2_GO_RUNNABLE,
        [GT_GO_RUNNING] = GT_V2_GO_RUNNING,
        [GT_GO_WAITING] = GT_V2_GO_WAITING,
        [GT_GO_SYSCALL] = GT_V2_GO_SYSCALL,
    };
    return statuses[state];
}

static gt_wire_event wire_event_of(const struct gt_event_data *data)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    wire.type = data->type;
    switch (data->type) {
    case GT_WIRE_GO_STATUS_START:
        wire.type = GT_WIRE_GO_STATUS_STACK;
        wire.status = wire_go_status(data->to);
        break;
    case GT_WIRE_GO_STATUS:
    case GT_WIRE_GO_STATUS_STACK:
        wire.status = wire_go_status(data->to);
        break;
    case GT_WIRE_PROC_STATUS:
        wire.status = (uint8_t) data->arguments[1];
        break;
    default:
        break;
    }
    return wire;
}

gt_status gt_event_wire(const gt_event *event, gt_wire_event *wire)
{
    gt_status status = event_check(event, wire, GT_UP_TO(gt_wire_event, status), true);
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    if (data->type == GT_WIRE_GO_MADE || data->type == GT_WIRE_PROC_MADE)
        return GT_ERR_NOT_AVAILABLE;
    const gt_wire_event said = wire_event_of(data);
    gt_struct_give(wire, &said, sizeof(said));
    return GT_OK;
}

gt_status gt_event_wall_clock(const gt_event *event, int64_t *seconds, uint32_t *nanoseconds)
{
    if (!gt_event_is_whole(event) || !seconds || !nanoseconds)
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_table *table = gt_event_data_of(event)->table;
    if (!table || !table->clock.known)
        return GT_ERR_NOT_AVAILABLE;
    gt_sync sync = GT_SYNC_INIT;
    sync.has_clock = 1;
    sync.clock_trace = table->clock.trace;
    sync.clock_seconds = table->clock.seconds;
    sync.clock_nanoseconds = table->clock.nanoseconds;
    return gt_sync_wall_clock(&sync, event->time, seconds, nanoseconds);
}
