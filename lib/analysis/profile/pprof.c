/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/profile/pprof_message.h"
#include "analysis/profile/pprof_table.h"
#include "analysis/profile/profile.h"
#include "base/wraps.h"

/* Fields of the messages, by pprof's profile.proto. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING_TABLE = 6,
    PROFILE_TIME_NANOS = 9,
    PROFILE_DURATION_NANOS = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,

    VALUE_TYPE_TYPE = 1,
    VALUE_TYPE_UNIT = 2,

    SAMPLE_LOCATION_ID = 1,
    SAMPLE_VALUE = 2,
    SAMPLE_LABEL = 3,

    LABEL_KEY = 1,
    LABEL_STR = 2,

    LOCATION_ID = 1,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4,

    LINE_FUNCTION_ID = 1,
    LINE_LINE = 2,

    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILENAME = 4
};

/* Strings that are not of the trace, by id. */
enum {
    STRING_EMPTY,
    STRING_COUNT_TYPE,
    STRING_COUNT,
    STRING_TIME_TYPE,
    STRING_NANOSECONDS,
    STRING_PERIOD_TYPE,
    STRING_STATE,
    STRING_FIRST_STATE,
    STRING_FIRST = STRING_FIRST_STATE + GT_GO_SYSCALL + 1
};

enum {
    BUFFER = 4096
};

struct pprof {
    struct gt_profile *p;
    uint32_t kind;
    gt_write_fn write;
    void *user_data;
    gt_status status;
    struct gt_pprof_table table;
    /* What is being written: a message, a part of one, and what stands before either. */
    struct gt_pprof_message message;
    struct gt_pprof_message part;
    struct gt_pprof_message header;
    size_t used;
    char buffer[BUFFER];
};

static void flush(struct pprof *out)
{
    if (out->used > 0 && out->status == GT_OK &&
        out->write(out->user_data, out->buffer, out->used) != 0)
        out->status = GT_ERR_IO;
    out->used = 0;
}

static void put(struct pprof *out, const void *data, size_t size)
{
    const char *from = data;
    while (size > 0) {
        size_t part = sizeof(out->buffer) - out->used;
        if (part > size)
            part = size;
        memcpy(out->buffer + out->used, from, part);
        out->used += part;
        from += part;
        size -= part;
        if (out->used == sizeof(out->buffer))
            flush(out);
    }
}

static void put_header(struct pprof *out, uint32_t field, size_t size)
{
    out->header.size = 0;
    gt_pprof_header(&out->header, field, size);
    put(out, out->header.bytes, out->header.size);
}

static struct gt_pprof_message *begin_message(struct pprof *out)
{
    out->message.size = 0;
    return &out->message;
}

static struct gt_pprof_message *begin_part(struct pprof *out)
{
    out->part.size = 0;
    return &out->part;
}

static void put_message(struct pprof *out, uint32_t field)
{
    put_header(out, field, out->message.size);
    put(out, out->message.bytes, out->message.size);
}

static void put_number(struct pprof *out, uint32_t field, uint64_t value)
{
    struct gt_pprof_message *message = begin_message(out);
    gt_pprof_number(message, field, value);
    put(out, message->bytes, message->size);
}

static void put_string(struct pprof *out, gt_string string)
{
    put_header(out, PROFILE_STRING_TABLE, string.size);
    put(out, string.data, string.size);
}

static void put_value_type(struct pprof *out, uint32_t field, uint64_t type, uint64_t unit)
{
    struct gt_pprof_message *message = begin_message(out);
    gt_pprof_number(message, VALUE_TYPE_TYPE, type);
    gt_pprof_number(message, VALUE_TYPE_UNIT, unit);
    put_message(out, field);
}

static void put_sample(struct pprof *out, const struct gt_profile_row *row)
{
    const struct gt_stackset *stacks = &out->p->stacks;
    const struct gt_stackset_stack *stack = &stacks->stacks.items[row->stack];
    struct gt_pprof_message *message = begin_message(out), *part = begin_part(out);
    for (size_t i = 0; i < stack->count; i++)
        gt_pprof_varint(part,
                        out->table.location_ids[stacks->frame_numbers.items[stack->first + i]]);
    if (part->size > 0)
        gt_pprof_nested(message, SAMPLE_LOCATION_ID, part);
    part = begin_part(out);
    gt_pprof_varint(part, row->amount.count);
    gt_pprof_varint(part, row->amount.ns);
    gt_pprof_nested(message, SAMPLE_VALUE, part);
    if (row->slot >= GT_SLOT_WALL) {
        part = begin_part(out);
        gt_pprof_number(part, LABEL_KEY, STRING_STATE);
        gt_pprof_number(part, LABEL_STR, STRING_FIRST_STATE + (row->slot - GT_SLOT_WALL));
        gt_pprof_nested(message, SAMPLE_LABEL, part);
    }
    put_message(out, PROFILE_SAMPLE);
}

static void put_locations(struct pprof *out)
{
    for (size_t i = 0; i < out->table.location_count; i++) {
        const struct gt_pprof_location *location = &out->table.locations[i];
        const struct gt_stackset_frame *frame = &out->p->stacks.frames.items[location->frame];
        struct gt_pprof_message *message = begin_message(out), *line = begin_part(out);
        gt_pprof_number(line, LINE_FUNCTION_ID, location->function);
        gt_pprof_number(line, LINE_LINE, frame->line);
        gt_pprof_number(message, LOCATION_ID, i + 1);
        gt_pprof_number(message, LOCATION_ADDRESS, frame->pc);
        gt_pprof_nested(message, LOCATION_LINE, line);
        put_message(out, PROFILE_LOCATION);
    }
}

static void put_functions(struct pprof *out)
{
    const uint32_t *ids = out->table.string_ids;
    for (size_t i = 0; i < out->table.function_count; i++) {
        const struct gt_pprof_function *function = &out->table.functions[i];
        struct gt_pprof_message *message = begin_message(out);
        gt_pprof_number(message, FUNCTION_ID, i + 1);
        gt_pprof_number(message, FUNCTION_NAME, ids[function->name]);
        gt_pprof_number(message, FUNCTION_SYSTEM_NAME, ids[function->name]);
        gt_pprof_number(message, FUNCTION_FILENAME, ids[function->file]);
        put_message(out, PROFILE_FUNCTION);
    }
}

/* The names of values are those of Go: of traceviewer/pprof.go, and of package runtime/pprof. */
static const char *own_string(uint32_t id, uint32_t kind)
{
    int is_cpu = kind == GT_PROFILE_CPU;
    switch (id) {
    case STRING_EMPTY:
        return "";
    case STRING_COUNT_TYPE:
        return is_cpu ? "samples" : "contentions";
    case STRING_COUNT:
        return "count";
    case STRING_TIME_TYPE:
        return is_cpu ? "cpu" : "delay";
    case STRING_NANOSECONDS:
        return "nanoseconds";
    case STRING_PERIOD_TYPE:
        return is_cpu ? "cpu" : "trace";
    case STRING_STATE:
        return "state";
    default:
        return gt_go_state_name(id - STRING_FIRST_STATE);
    }
}

static void put_strings(struct pprof *out)
{
    for (uint32_t id = 0; id < STRING_FIRST; id++) {
        const char *text = own_string(id, out->kind);
        put_string(out, (gt_string){text, strlen(text)});
    }
    for (size_t i = 0; i < out->table.string_count; i++)
        put_string(out, out->p->stacks.texts.list.items[out->table.strings[i]]);
}

static void put_times(struct pprof *out)
{
    const int64_t second = 1000000000;
    const struct gt_profile *p = out->p;
    /* A time that the format cannot hold is none. */
    if (p->has_wall_clock && p->wall_seconds >= 0 && p->wall_seconds < INT64_MAX / second)
        put_number(out, PROFILE_TIME_NANOS,
                   (uint64_t) (p->wall_seconds * second + p->wall_nanoseconds));
    if (p->last_time > p->first_time)
        put_number(out, PROFILE_DURATION_NANOS, gt_time_span(p->first_time, p->last_time));
}

static void put_all(struct pprof *out)
{
    const struct gt_profile *p = out->p;
    int is_cpu = out->kind == GT_PROFILE_CPU;
    put_value_type(out, PROFILE_SAMPLE_TYPE, STRING_COUNT_TYPE, STRING_COUNT);
    put_value_type(out, PROFILE_SAMPLE_TYPE, STRING_TIME_TYPE, STRING_NANOSECONDS);
    for (size_t i = p->kind_first[out->kind]; i < p->kind_first[out->kind + 1]; i++)
        put_sample(out, &p->rows[i]);
    put_locations(out);
    put_functions(out);
    put_strings(out);
    put_times(out);
    put_value_type(out, PROFILE_PERIOD_TYPE, STRING_PERIOD_TYPE,
                   is_cpu ? STRING_NANOSECONDS : STRING_COUNT);
    put_number(out, PROFILE_PERIOD, is_cpu ? p->options.cpu_period : 1);
    flush(out);
}

static gt_status number_all(struct pprof *out)
{
    const struct gt_profile *p = out->p;
    gt_status status = gt_pprof_table_init(&out->table, &out->p->mem, &p->stacks, STRING_FIRST);
    for (size_t i = p->kind_first[out->kind]; i < p->kind_first[out->kind + 1] && status == GT_OK;
         i++)
        status = gt_pprof_table_add(&out->table, p->rows[i].stack);
    return status;
}

gt_status gt_profile_write_pprof(gt_profile *profile, uint32_t kind, gt_write_fn write,
                                 void *user_data)
{
    struct gt_profile *p = profile;
    if (!p || !write || p->busy || !p->finished || kind >= GT_PROFILE_KINDS ||
        !gt_profile_has(p, kind))
        return GT_ERR_INVALID_ARGUMENT;
    p->busy = 1;
    /* A caller's stack may be small. */
    struct pprof *out = gt_mem_alloc(&p->mem, sizeof(*out));
    gt_status status = out ? GT_OK : gt_mem_failure(&p->mem);
    if (out) {
        out->p = p;
        out->kind = kind;
        out->write = write;
        out->user_data = user_data;
        out->used = 0;
        out->status = number_all(out);
        if (out->status == GT_OK)
            put_all(out);
        status = out->status;
        gt_pprof_table_destroy(&out->table);
        gt_mem_free(&p->mem, out, sizeof(*out));
    }
    p->busy = 0;
    return status;
}
