/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/event.h>

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/sized.h"
#include "model/event.h"
#include "model/wire.h"
#include "v2/spec.h"

/* What events say: internal/trace/event.go, its accessors and tables. */

static const gt_string no_text = {"", 0};

static gt_string literal(const char *text)
{
    gt_string string = {text, strlen(text)};
    return string;
}

static gt_value number(uint64_t x)
{
    gt_value value = {GT_VALUE_UINT64, 0, x, no_text};
    return value;
}

static gt_resource resource(gt_resource_kind kind, int64_t id)
{
    gt_resource result = {(uint32_t) kind, 0, id};
    return result;
}

static gt_string text_of(const struct gt_event_data *data, unsigned which)
{
    if (data->strings[which] == GT_TEXT_INLINE) {
        gt_string text = {(const char *) (uintptr_t) data->arguments[2],
                          (size_t) data->arguments[3]};
        return text;
    }
    return gt_strings_get(&data->table->strings, data->strings[which]);
}

static gt_string name_of(const struct gt_event_data *data)
{
    gt_string string = no_text;
    if (data->name) {
        string.data = data->name->text;
        string.size = data->name->size;
    }
    return string;
}

static gt_stack stack_of(const struct gt_event_data *data, uint32_t slot)
{
    return slot == 0 ? GT_STACK_NONE : (gt_stack) data->table->ordinal << 32 | slot;
}

/* The check that every getter starts with; `out` starts with its size. */
static gt_status check(const gt_event *event, const void *out, size_t least, int right_kind)
{
    if (!event || !gt_struct_fits(out, least))
        return GT_ERR_INVALID_ARGUMENT;
    return right_kind ? GT_OK : GT_ERR_WRONG_KIND;
}

static int is(const gt_event *event, gt_event_kind kind)
{
    return event && event->kind == (uint32_t) kind;
}

gt_stack gt_event_stack(const gt_event *event)
{
    if (!event)
        return GT_STACK_NONE;
    const struct gt_event_data *data = gt_event_data_of(event);
    return stack_of(data, data->stack);
}

gt_status gt_event_metric(const gt_event *event, gt_metric *metric)
{
    gt_status status = check(event, metric, GT_UP_TO(gt_metric, value), is(event, GT_EVENT_METRIC));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    const char *name = "/gc/heap/goal:bytes";
    if (data->type == GT_WIRE_PROCS_CHANGE)
        name = "/sched/gomaxprocs:threads";
    else if (data->type == GT_WIRE_HEAP_ALLOC)
        name = "/memory/classes/heap/objects:bytes";
    metric->name = literal(name);
    metric->value = number(data->arguments[0]);
    return GT_OK;
}

gt_status gt_event_label(const gt_event *event, gt_label *label)
{
    gt_status status = check(event, label, GT_UP_TO(gt_label, resource), is(event, GT_EVENT_LABEL));
    if (status != GT_OK)
        return status;
    label->label = text_of(gt_event_data_of(event), 0);
    label->resource = resource(GT_RESOURCE_GOROUTINE, event->goroutine);
    return GT_OK;
}

static int is_range(const gt_event *event)
{
    return event && event->kind >= GT_EVENT_RANGE_BEGIN && event->kind <= GT_EVENT_RANGE_END;
}

gt_status gt_event_range(const gt_event *event, gt_range *range)
{
    gt_status status = check(event, range, GT_UP_TO(gt_range, scope), is_range(event));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    range->cause = no_text;
    range->has_cause = 0;
    range->attribute_count = data->type == GT_WIRE_GC_SWEEP_END ? 2 : 0;
    switch (data->type) {
    case GT_WIRE_STW_BEGIN:
    case GT_WIRE_STW_END:
        range->name = literal("stop-the-world");
        range->cause = name_of(data);
        range->has_cause = 1;
        range->scope = resource(GT_RESOURCE_GOROUTINE, event->goroutine);
        break;
    case GT_WIRE_GC_SWEEP_ACTIVE:
    case GT_WIRE_GC_SWEEP_BEGIN:
    case GT_WIRE_GC_SWEEP_END:
        range->name = literal("GC incremental sweep");
        range->scope = resource(GT_RESOURCE_PROC, data->type == GT_WIRE_GC_SWEEP_ACTIVE
                                                      ? (int64_t) data->arguments[0]
                                                      : event->proc);
        break;
    case GT_WIRE_GC_MARK_ASSIST_ACTIVE:
    case GT_WIRE_GC_MARK_ASSIST_BEGIN:
    case GT_WIRE_GC_MARK_ASSIST_END:
        range->name = literal("GC mark assist");
        range->scope = resource(GT_RESOURCE_GOROUTINE, data->type == GT_WIRE_GC_MARK_ASSIST_ACTIVE
                                                           ? (int64_t) data->arguments[0]
                                                           : event->goroutine);
        break;
    default:
        range->name = literal("GC concurrent mark phase");
        range->scope = resource(GT_RESOURCE_NONE, 0);
        break;
    }
    return GT_OK;
}

gt_status gt_event_range_attribute(const gt_event *event, uint32_t index, gt_string *name,
                                   gt_value *value)
{
    static const char *const names[] = {"bytes swept", "bytes reclaimed"};
    if (!event || !name || !value)
        return GT_ERR_INVALID_ARGUMENT;
    if (event->kind != GT_EVENT_RANGE_END)
        return GT_ERR_WRONG_KIND;
    const struct gt_event_data *data = gt_event_data_of(event);
    if (index >= 2 || data->type != GT_WIRE_GC_SWEEP_END)
        return GT_ERR_INVALID_ARGUMENT;
    *name = literal(names[index]);
    *value = number(data->arguments[index]);
    return GT_OK;
}

gt_status gt_event_task(const gt_event *event, gt_task *task)
{
    gt_status status = check(event, task, GT_UP_TO(gt_task, type),
                             is(event, GT_EVENT_TASK_BEGIN) || is(event, GT_EVENT_TASK_END));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    int begins = data->type == GT_WIRE_USER_TASK_BEGIN;
    task->id = data->arguments[0];
    task->parent = data->arguments[begins ? 1 : 2];
    task->type = begins ? text_of(data, 0) : name_of(data);
    return GT_OK;
}

gt_status gt_event_region(const gt_event *event, gt_region *region)
{
    gt_status status = check(event, region, GT_UP_TO(gt_region, type),
                             is(event, GT_EVENT_REGION_BEGIN) || is(event, GT_EVENT_REGION_END));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    region->task = data->arguments[0];
    region->type = text_of(data, 0);
    return GT_OK;
}

gt_status gt_event_log(const gt_event *event, gt_log *log)
{
    gt_status status = check(event, log, GT_UP_TO(gt_log, message), is(event, GT_EVENT_LOG));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    log->task = data->arguments[0];
    log->category = text_of(data, 0);
    log->message = text_of(data, 1);
    return GT_OK;
}

/*
 * What a type of event changes, where the type alone says it. Which member of the event says
 * something is told by where that is: a load instead of a branch for each, which would be guessed
 * wrong as types change.
 */
struct change {
    uint8_t of;       /* gt_resource_kind */
    uint8_t id_at;    /* where the changed one's id is */
    uint8_t stored;   /* the event's own `from` and `to` hold */
    uint8_t stack_at; /* where the slot of the changed one's stack is; 0: it has none */
    uint8_t has_reason;
    uint8_t states[2]; /* from, to */
};

#define AT(member) ((uint8_t) offsetof(struct gt_event_data, member))

static_assert(offsetof(struct gt_event_data, arguments) < 256, "struct change has the place");
static_assert(AT(to) == AT(from) + 1, "as in struct change");

enum {
    NONE = 0,
    CONTEXT = AT(stack),
    OWN = AT(own_stack)
};

#define NAMED(what, from, to, stack)                                                               \
    {                                                                                              \
        GT_RESOURCE_##what, AT(arguments), 0, stack, 0,                                            \
        {                                                                                          \
            from, to                                                                               \
        }                                                                                          \
    }
#define CURRENT_GO(from, to, stack, has_reason)                                                    \
    {                                                                                              \
        GT_RESOURCE_GOROUTINE, AT(event.goroutine), 0, stack, has_reason,                          \
        {                                                                                          \
            GT_GO_##from, GT_GO_##to                                                               \
        }                                                                                          \
    }
#define CURRENT_PROC(from, to)                                                                     \
    {                                                                                              \
        GT_RESOURCE_PROC, AT(event.proc), 0, NONE, 0,                                              \
        {                                                                                          \
            GT_PROC_##from, GT_PROC_##to                                                           \
        }                                                                                          \
    }
#define GO(from, to, stack) NAMED(GOROUTINE, GT_GO_##from, GT_GO_##to, stack)
#define PROC(from, to)      NAMED(PROC, GT_PROC_##from, GT_PROC_##to, NONE)
#define STORED(what, stack)                                                                        \
    {                                                                                              \
        GT_RESOURCE_##what, AT(arguments), 1, stack, 0,                                            \
        {                                                                                          \
            0, 0                                                                                   \
        }                                                                                          \
    }

static const struct change changes[256] = {
    [GT_WIRE_PROC_START] = PROC(IDLE, RUNNING),
    [GT_WIRE_PROC_STOP] = CURRENT_PROC(RUNNING, IDLE),
    [GT_WIRE_PROC_STEAL] = STORED(PROC, NONE),
    [GT_WIRE_PROC_STATUS] = STORED(PROC, NONE),
    /* The stack that a goroutine starts with is not the event's. */
    [GT_WIRE_GO_CREATE] = GO(NOT_EXIST, RUNNABLE, OWN),
    [GT_WIRE_GO_CREATE_BLOCKED] = GO(NOT_EXIST, WAITING, OWN),
    [GT_WIRE_GO_CREATE_SYSCALL] = GO(NOT_EXIST, SYSCALL, NONE),
    [GT_WIRE_GO_START] = GO(RUNNABLE, RUNNING, NONE),
    [GT_WIRE_GO_DESTROY] = CURRENT_GO(RUNNING, NOT_EXIST, NONE, 0),
    [GT_WIRE_GO_DESTROY_SYSCALL] = CURRENT_GO(SYSCALL, NOT_EXIST, NONE, 0),
    [GT_WIRE_GO_STOP] = CURRENT_GO(RUNNING, RUNNABLE, CONTEXT, 1),
    [GT_WIRE_GO_BLOCK] = CURRENT_GO(RUNNING, WAITING, CONTEXT, 1),
    [GT_WIRE_GO_UNBLOCK] = GO(WAITING, RUNNABLE, NONE),
    /* The other two events of a switch come after it, as a block or end and a start. */
    [GT_WIRE_GO_SWITCH] = GO(WAITING, RUNNABLE, NONE),
    [GT_WIRE_GO_SWITCH_DESTROY] = GO(WAITING, RUNNABLE, NONE),
    [GT_WIRE_GO_SYSCALL_BEGIN] = CURRENT_GO(RUNNING, SYSCALL, CONTEXT, 0),
    [GT_WIRE_GO_SYSCALL_END] = CURRENT_GO(SYSCALL, RUNNING, NONE, 0),
    [GT_WIRE_GO_SYSCALL_END_BLOCKED] = CURRENT_GO(SYSCALL, RUNNABLE, NONE, 0),
    [GT_WIRE_GO_STATUS] = STORED(GOROUTINE, NONE),
    [GT_WIRE_GO_STATUS_STACK] = STORED(GOROUTINE, CONTEXT),
    [GT_WIRE_GO_STATUS_START] = STORED(GOROUTINE, OWN),
};

static int64_t id_at(const struct gt_event_data *data, uint8_t at)
{
    int64_t id;
    memcpy(&id, (const char *) data + at, sizeof(id));
    return id;
}

static uint32_t slot_at(const struct gt_event_data *data, uint8_t at)
{
    uint32_t slot;
    memcpy(&slot, (const char *) data + at, sizeof(slot));
    return at == NONE ? 0 : slot;
}

gt_status gt_event_transition(const gt_event *event, gt_transition *transition)
{
    gt_status status = check(event, transition, GT_UP_TO(gt_transition, stack),
                             is(event, GT_EVENT_STATE_TRANSITION));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    const struct change *change = &changes[data->type];
    const uint8_t *states = change->stored ? (const uint8_t *) data + AT(from) : change->states;
    transition->resource = resource((gt_resource_kind) change->of, id_at(data, change->id_at));
    transition->from = states[0];
    transition->to = states[1];
    transition->reason = change->has_reason ? text_of(data, 0) : no_text;
    transition->stack = stack_of(data, slot_at(data, change->stack_at));
    return GT_OK;
}

gt_status gt_event_sync(const gt_event *event, gt_sync *sync)
{
    gt_status status = check(event, sync, GT_UP_TO(gt_sync, reserved), is(event, GT_EVENT_SYNC));
    if (status != GT_OK)
        return status;
    const struct gt_event_data *data = gt_event_data_of(event);
    const struct gt_table *table = data->table;
    gt_sync said = GT_SYNC_INIT;
    said.number = data->arguments[0];
    if (table) {
        said.generation = table->generation;
        said.batch_count = (uint32_t) table->experiment_count;
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
    gt_status status =
        check(event, batch, GT_UP_TO(gt_experimental_batch, data), is(event, GT_EVENT_SYNC));
    if (status != GT_OK)
        return status;
    const struct gt_table *table = gt_event_data_of(event)->table;
    if (!table || index >= table->experiment_count)
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_experiment_batch *found = &table->experiments[index];
    batch->experiment = literal(gt_v2_experiment_name(found->experiment));
    batch->experiment_id = found->experiment;
    batch->thread = found->thread;
    batch->data.data = (const char *) found->data;
    batch->data.size = found->size;
    return GT_OK;
}

gt_status gt_event_experimental(const gt_event *event, gt_experimental *experimental)
{
    gt_status status = check(event, experimental, GT_UP_TO(gt_experimental, reserved),
                             is(event, GT_EVENT_EXPERIMENTAL));
    if (status != GT_OK)
        return status;
    const gt_wire_spec *spec = &gt_v2_specs[gt_event_data_of(event)->type];
    experimental->name = literal(spec->name);
    experimental->experiment = literal(gt_v2_experiment_name(spec->experiment));
    experimental->argument_count = spec->argument_count - 1;
    experimental->reserved = 0;
    return GT_OK;
}

gt_status gt_event_experimental_argument(const gt_event *event, uint32_t index, gt_string *name,
                                         gt_value *value)
{
    if (!event || !name || !value)
        return GT_ERR_INVALID_ARGUMENT;
    if (event->kind != GT_EVENT_EXPERIMENTAL)
        return GT_ERR_WRONG_KIND;
    const struct gt_event_data *data = gt_event_data_of(event);
    const gt_wire_spec *spec = &gt_v2_specs[data->type];
    if (index >= spec->argument_count - 1)
        return GT_ERR_INVALID_ARGUMENT;
    *name = literal(spec->arguments[index + 1].name);
    *value = number(data->arguments[index]);
    return GT_OK;
}

/* Seconds and nanoseconds apart, so that no intermediate can overflow. */
gt_status gt_event_wall_clock(const gt_event *event, int64_t *seconds, uint32_t *nanoseconds)
{
    const int64_t billion = 1000000000;
    if (!event || !seconds || !nanoseconds)
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_table *table = gt_event_data_of(event)->table;
    if (!table || !table->clock.known)
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_clock *clock = &table->clock;
    int64_t whole = event->time / billion - clock->trace / billion;
    int64_t rest = event->time % billion - clock->trace % billion + clock->nanoseconds;
    whole += rest / billion - (rest % billion < 0);
    rest = (rest % billion + billion) % billion;
    if (whole > 0 ? clock->seconds > INT64_MAX - whole : clock->seconds < INT64_MIN - whole)
        return GT_ERR_NOT_AVAILABLE;
    *seconds = clock->seconds + whole;
    *nanoseconds = (uint32_t) rest;
    return GT_OK;
}
