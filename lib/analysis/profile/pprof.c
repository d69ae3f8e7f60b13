/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/profile/pprof_message.h"
#include "analysis/profile/pprof_table.h"
#include "analysis/profile/profile.h"
#include "base/pprof.h"
#include "base/time.h"
#include "base/utf8.h"

/* The ids of the strings that do not come from the trace. */
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
    struct gt_profile *profile;
    uint32_t kind;
    gt_write_fn write;
    void *user_data;
    gt_status status;
    struct gt_pprof_table table;
    /* The message that is being built, a message or list inside it, and the tag before either. */
    struct gt_pprof_message message;
    struct gt_pprof_message part;
    struct gt_pprof_message header;
    size_t used;
    char buffer[BUFFER];
};

static void pprof_flush(struct pprof *out)
{
    if (out->used > 0 && out->status == GT_OK &&
        out->write(out->user_data, out->buffer, out->used) != 0)
        out->status = GT_ERR_IO;
    out->used = 0;
}

static void pprof_put(struct pprof *out, const void *data, size_t size)
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
            pprof_flush(out);
    }
}

static void pprof_put_header(struct pprof *out, uint32_t field, size_t size)
{
    out->header.size = 0;
    gt_pprof_header(&out->header, field, size);
    pprof_put(out, out->header.bytes, out->header.size);
}

static struct gt_pprof_message *pprof_message_begin(struct pprof *out)
{
    out->message.size = 0;
    return &out->message;
}

static struct gt_pprof_message *pprof_part_begin(struct pprof *out)
{
    out->part.size = 0;
    return &out->part;
}

static void pprof_put_message(struct pprof *out, uint32_t field)
{
    pprof_put_header(out, field, out->message.size);
    pprof_put(out, out->message.bytes, out->message.size);
}

static void pprof_put_number(struct pprof *out, uint32_t field, uint64_t value)
{
    struct gt_pprof_message *message = pprof_message_begin(out);
    gt_pprof_number(message, field, value);
    pprof_put(out, message->bytes, message->size);
}

/* Strings of the format are UTF-8. */
static void pprof_put_string(struct pprof *out, gt_string string)
{
    pprof_put_header(out, GT_PPROF_STRING_TABLE, gt_utf8_mended_size(string));
    while (string.size > 0) {
        gt_string piece = gt_utf8_take(&string);
        pprof_put(out, piece.data, piece.size);
    }
}

static void pprof_put_value_type(struct pprof *out, uint32_t field, uint64_t type, uint64_t unit)
{
    struct gt_pprof_message *message = pprof_message_begin(out);
    gt_pprof_number(message, GT_PPROF_VALUE_TYPE_TYPE, type);
    gt_pprof_number(message, GT_PPROF_VALUE_TYPE_UNIT, unit);
    pprof_put_message(out, field);
}

static void pprof_put_sample(struct pprof *out, const struct gt_profile_row *row)
{
    const struct gt_stackset *stacks = &out->profile->stacks;
    const struct gt_stackset_stack *stack = &stacks->stacks.items[row->stack];
    struct gt_pprof_message *message = pprof_message_begin(out), *part = pprof_part_begin(out);
    for (size_t i = 0; i < stack->count; i++)
        gt_pprof_varint(part,
                        out->table.location_ids[stacks->frame_numbers.items[stack->first + i]]);
    if (part->size > 0)
        gt_pprof_nested(message, GT_PPROF_SAMPLE_LOCATION_ID, part);
    part = pprof_part_begin(out);
    gt_pprof_varint(part, row->amount.count);
    gt_pprof_varint(part, row->amount.ns);
    gt_pprof_nested(message, GT_PPROF_SAMPLE_VALUE, part);
    if (row->slot >= GT_SLOT_WALL) {
        part = pprof_part_begin(out);
        gt_pprof_number(part, GT_PPROF_LABEL_KEY, STRING_STATE);
        gt_pprof_number(part, GT_PPROF_LABEL_STR, STRING_FIRST_STATE + (row->slot - GT_SLOT_WALL));
        gt_pprof_nested(message, GT_PPROF_SAMPLE_LABEL, part);
    }
    pprof_put_message(out, GT_PPROF_SAMPLE);
}

static void pprof_put_locations(struct pprof *out)
{
    for (size_t i = 0; i < out->table.locations.count; i++) {
        const struct gt_pprof_location *location = &out->table.locations.items[i];
        const struct gt_stackset_frame *frame = &out->profile->stacks.frames.items[location->frame];
        struct gt_pprof_message *message = pprof_message_begin(out), *line = pprof_part_begin(out);
        gt_pprof_number(line, GT_PPROF_LINE_FUNCTION_ID, location->function);
        gt_pprof_number(line, GT_PPROF_LINE_LINE, frame->line);
        gt_pprof_number(message, GT_PPROF_LOCATION_ID, i + 1);
        gt_pprof_number(message, GT_PPROF_LOCATION_ADDRESS, frame->pc);
        gt_pprof_nested(message, GT_PPROF_LOCATION_LINE, line);
        pprof_put_message(out, GT_PPROF_LOCATION);
    }
}

static void pprof_put_functions(struct pprof *out)
{
    const uint32_t *ids = out->table.string_ids;
    for (size_t i = 0; i < out->table.functions.count; i++) {
        const struct gt_pprof_function *function = &out->table.functions.items[i];
        struct gt_pprof_message *message = pprof_message_begin(out);
        gt_pprof_number(message, GT_PPROF_FUNCTION_ID, i + 1);
        gt_pprof_number(message, GT_PPROF_FUNCTION_NAME, ids[function->name]);
        gt_pprof_number(message, GT_PPROF_FUNCTION_SYSTEM_NAME, ids[function->name]);
        gt_pprof_number(message, GT_PPROF_FUNCTION_FILENAME, ids[function->file]);
        pprof_put_message(out, GT_PPROF_FUNCTION);
    }
}

/* The names of values are those of Go's traceviewer/pprof.go and package runtime/pprof. */
static const char *pprof_fixed_string(uint32_t id, uint32_t kind)
{
    bool is_cpu = kind == GT_PROFILE_CPU;
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

static void pprof_put_strings(struct pprof *out)
{
    for (uint32_t id = 0; id < STRING_FIRST; id++) {
        const char *text = pprof_fixed_string(id, out->kind);
        pprof_put_string(out, (gt_string){text, strlen(text)});
    }
    for (size_t i = 0; i < out->table.strings.count; i++)
        pprof_put_string(out, out->profile->stacks.texts.list.items[out->table.strings.items[i]]);
}

static void pprof_put_times(struct pprof *out)
{
    const int64_t second = 1000000000;
    const struct gt_profile *profile = out->profile;
    /* A time that the format cannot hold is left out. */
    if (profile->has_wall_clock && profile->wall_seconds >= 0 &&
        profile->wall_seconds < INT64_MAX / second)
        pprof_put_number(out, GT_PPROF_TIME_NANOS,
                         (uint64_t) (profile->wall_seconds * second + profile->wall_nanoseconds));
    if (profile->last_time > profile->first_time)
        pprof_put_number(out, GT_PPROF_DURATION_NANOS,
                         gt_time_span(profile->first_time, profile->last_time));
}

static void pprof_put_profile(struct pprof *out)
{
    const struct gt_profile *profile = out->profile;
    bool is_cpu = out->kind == GT_PROFILE_CPU;
    pprof_put_value_type(out, GT_PPROF_SAMPLE_TYPE, STRING_COUNT_TYPE, STRING_COUNT);
    pprof_put_value_type(out, GT_PPROF_SAMPLE_TYPE, STRING_TIME_TYPE, STRING_NANOSECONDS);
    for (size_t i = profile->kind_first[out->kind]; i < profile->kind_first[out->kind + 1]; i++)
        pprof_put_sample(out, &profile->rows.items[i]);
    pprof_put_locations(out);
    pprof_put_functions(out);
    pprof_put_strings(out);
    pprof_put_times(out);
    pprof_put_value_type(out, GT_PPROF_PERIOD_TYPE, STRING_PERIOD_TYPE,
                         is_cpu ? STRING_NANOSECONDS : STRING_COUNT);
    pprof_put_number(out, GT_PPROF_PERIOD, is_cpu ? profile->options.cpu_period : 1);
    pprof_flush(out);
}

static gt_status pprof_table_fill(struct pprof *out)
{
    const struct gt_profile *profile = out->profile;
    gt_status status =
        gt_pprof_table_init(&out->table, &out->profile->mem, &profile->stacks, STRING_FIRST);
    for (size_t i = profile->kind_first[out->kind];
         i < profile->kind_first[out->kind + 1] && status == GT_OK; i++)
        status = gt_pprof_table_add(&out->table, profile->rows.items[i].stack);
    return status;
}

gt_status gt_profile_write_pprof(gt_profile *profile, uint32_t kind, gt_write_fn write,
                                 void *user_data)
{
    if (!profile || !write || profile->busy || !profile->has_results || kind >= GT_PROFILE_KINDS ||
        !gt_profile_has(profile, kind))
        return GT_ERR_INVALID_ARGUMENT;
    profile->busy = true;
    /* The structure is too large for a small stack. */
    struct pprof *out = gt_mem_alloc(&profile->mem, sizeof(*out));
    gt_status status = out ? GT_OK : gt_mem_failure(&profile->mem);
    if (out) {
        out->profile = profile;
        out->kind = kind;
        out->write = write;
        out->user_data = user_data;
        out->used = 0;
        out->status = pprof_table_fill(out);
        if (out->status == GT_OK)
            pprof_put_profile(out);
        status = out->status;
        gt_pprof_table_destroy(&out->table);
        gt_mem_free(&profile->mem, out, sizeof(*out));
    }
    profile->busy = false;
    return status;
}
