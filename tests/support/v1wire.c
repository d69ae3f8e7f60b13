/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/v1wire.h"

#include <string.h>

/* More than any event has but a stack. */
#define ARGS_MAX 16

/* What a first byte's high bits say where the arguments' length follows. */
#define CODE_COUNTED 3

const unsigned v1_versions[V1_VERSIONS] = {5, 7, 8, 9, 10, 11, 19, 21};

const struct v1_spec v1_specs[V1_TYPES] = {
    [V1_BATCH] = {5, 2, 0},
    [V1_FREQUENCY] = {5, 1, 0},
    [V1_STACK] = {5, 2, 0},
    [V1_GOMAXPROCS] = {5, 3, 1},
    [V1_PROC_START] = {5, 2, 1},
    [V1_PROC_STOP] = {5, 1, 1},
    [V1_GC_START] = {5, 3, 1},
    [V1_GC_DONE] = {5, 1, 1},
    [V1_STW_START] = {5, 2, 1},
    [V1_STW_DONE] = {5, 1, 1},
    [V1_SWEEP_START] = {5, 2, 1},
    [V1_SWEEP_DONE] = {5, 3, 1},
    [V1_GO_CREATE] = {5, 4, 1},
    [V1_GO_START] = {5, 3, 1},
    [V1_GO_END] = {5, 1, 1},
    [V1_GO_STOP] = {5, 2, 1},
    [V1_GO_SCHED] = {5, 2, 1},
    [V1_GO_PREEMPT] = {5, 2, 1},
    [V1_GO_SLEEP] = {5, 2, 1},
    [V1_GO_BLOCK] = {5, 2, 1},
    [V1_GO_UNBLOCK] = {5, 4, 1},
    [V1_GO_BLOCK_SEND] = {5, 2, 1},
    [V1_GO_BLOCK_RECV] = {5, 2, 1},
    [V1_GO_BLOCK_SELECT] = {5, 2, 1},
    [V1_GO_BLOCK_SYNC] = {5, 2, 1},
    [V1_GO_BLOCK_COND] = {5, 2, 1},
    [V1_GO_BLOCK_NET] = {5, 2, 1},
    [V1_GO_SYS_CALL] = {5, 2, 1},
    [V1_GO_SYS_EXIT] = {5, 4, 1},
    [V1_GO_SYS_BLOCK] = {5, 1, 1},
    [V1_GO_WAITING] = {5, 2, 1},
    [V1_GO_IN_SYSCALL] = {5, 2, 1},
    [V1_HEAP_ALLOC] = {5, 2, 1},
    [V1_HEAP_GOAL] = {5, 2, 1},
    [V1_TIMER_GOROUTINE] = {5, 1, 0},
    [V1_FUTILE_WAKEUP] = {5, 1, 1},
    [V1_STRING] = {7, 2, 0},
    [V1_GO_START_LOCAL] = {7, 2, 1},
    [V1_GO_UNBLOCK_LOCAL] = {7, 3, 1},
    [V1_GO_SYS_EXIT_LOCAL] = {7, 3, 1},
    [V1_GO_START_LABEL] = {8, 4, 1},
    [V1_GO_BLOCK_GC] = {8, 2, 1},
    [V1_MARK_ASSIST_START] = {9, 2, 1},
    [V1_MARK_ASSIST_DONE] = {9, 1, 1},
    [V1_TASK_CREATE] = {11, 5, 1},
    [V1_TASK_END] = {11, 3, 1},
    [V1_REGION] = {11, 5, 1},
    [V1_LOG] = {11, 4, 1},
    [V1_CPU_SAMPLE] = {19, 5, 1},
};

/* An event's arguments as its version writes them. */
struct arguments {
    uint64_t values[ARGS_MAX];
    size_t count;
};

static size_t varint_size(const struct wire *wire, uint64_t value)
{
    size_t size = 1;

    while (value >>= 7)
        size++;
    return size < wire->width ? wire->width : size;
}

void v1_raw(struct wire *wire, unsigned code, unsigned type, const uint64_t *args, size_t count)
{
    uint64_t length = 0;

    wire_byte(wire, type | code << 6);
    if (code == CODE_COUNTED) {
        for (size_t i = 0; i < count; i++)
            length += varint_size(wire, args[i]);
        wire_varint(wire, length);
    }
    for (size_t i = 0; i < count; i++)
        wire_varint(wire, args[i]);
}

void v1_plain(struct wire *wire, unsigned type, const uint64_t *args, size_t count)
{
    size_t least = wire->version < 7 ? 2 : 1;
    unsigned code = CODE_COUNTED;

    if (count >= least && count - least < CODE_COUNTED)
        code = (unsigned) (count - least);
    v1_raw(wire, code, type, args, count);
}

void v1_batch(struct wire *wire, uint64_t proc, uint64_t ticks)
{
    if (wire->version < 7)
        V1_RAW(wire, 1, V1_BATCH, proc, wire->sequence, ticks);
    else
        V1_RAW(wire, 1, V1_BATCH, proc, ticks);
    wire->batch_sequence = wire->sequence;
}

static void drop(struct arguments *arguments, size_t index)
{
    if (index >= arguments->count)
        return;
    for (size_t i = index + 1; i < arguments->count; i++)
        arguments->values[i - 1] = arguments->values[i];
    arguments->count--;
}

/* Drops what the version does not have yet. */
static void drop_new(unsigned version, unsigned type, struct arguments *arguments)
{
    if (version < 7 && (type == V1_GO_START || type == V1_GO_UNBLOCK))
        drop(arguments, 2);
    if (version < 7 && type == V1_GC_START)
        drop(arguments, 1);
    if (version < 9 && type == V1_SWEEP_DONE) {
        drop(arguments, 2);
        drop(arguments, 1);
    }
    if (version < 10 && type == V1_STW_START)
        drop(arguments, 1);
}

size_t v1_count(unsigned version, unsigned type)
{
    struct arguments arguments = {{0}, v1_specs[type].count};

    drop_new(version, type, &arguments);
    return arguments.count + (version < 7);
}

/* Puts in what only Go 1.5 has: an event's number, or an argument that it does not use. */
static void add_old(struct wire *wire, unsigned type, struct arguments *arguments)
{
    if (!v1_specs[type].timed) {
        arguments->values[arguments->count++] = 0;
        return;
    }
    wire->sequence++;
    if (type == V1_GO_SYS_EXIT && arguments->count > 2 && arguments->values[2] == 0)
        arguments->values[2] = wire->sequence;
    memmove(arguments->values + 1, arguments->values,
            arguments->count * sizeof(*arguments->values));
    arguments->count++;
    arguments->values[0] = wire->sequence - wire->batch_sequence;
    wire->batch_sequence = wire->sequence;
}

void v1_event(struct wire *wire, unsigned type, const uint64_t *args, size_t count)
{
    struct arguments arguments = {{0}, count};

    memcpy(arguments.values, args, count * sizeof(*args));
    drop_new(wire->version, type, &arguments);
    if (wire->version < 7)
        add_old(wire, type, &arguments);
    v1_plain(wire, type, arguments.values, arguments.count);
}

void v1_string(struct wire *wire, uint64_t id, const char *text)
{
    v1_string_sized(wire, id, text, strlen(text));
}

void v1_string_sized(struct wire *wire, uint64_t id, const void *data, size_t size)
{
    wire_byte(wire, V1_STRING);
    wire_varint(wire, id);
    wire_varint(wire, size);
    wire_bytes(wire, data, size);
}

static void put_frame(struct wire *wire, const struct v1_frame *frame)
{
    wire_varint(wire, frame->pc);
    if (wire->version < 7)
        return;
    wire_varint(wire, frame->function);
    wire_varint(wire, frame->file);
    wire_varint(wire, frame->line);
}

static size_t frame_size(const struct wire *wire, const struct v1_frame *frame)
{
    size_t size = varint_size(wire, frame->pc);

    if (wire->version < 7)
        return size;
    return size + varint_size(wire, frame->function) + varint_size(wire, frame->file) +
           varint_size(wire, frame->line);
}

void v1_stack(struct wire *wire, uint64_t id, const struct v1_frame *frames, size_t count)
{
    size_t i, length = varint_size(wire, id) + varint_size(wire, count);

    for (i = 0; i < count; i++)
        length += frame_size(wire, &frames[i]);
    wire_byte(wire, V1_STACK | CODE_COUNTED << 6);
    wire_varint(wire, length);
    wire_varint(wire, id);
    wire_varint(wire, count);
    for (i = 0; i < count; i++)
        put_frame(wire, &frames[i]);
}

void v1_stack_one(struct wire *wire, uint64_t id, struct v1_frame frame)
{
    v1_stack(wire, id, &frame, 1);
}

void v1_log(struct wire *wire, uint64_t task, uint64_t key, uint64_t stack, const char *message)
{
    v1_log_sized(wire, task, key, stack, message, strlen(message));
}

void v1_log_sized(struct wire *wire, uint64_t task, uint64_t key, uint64_t stack, const void *data,
                  size_t size)
{
    V1_EVENT(wire, V1_LOG, 1, task, key, stack);
    wire_varint(wire, size);
    wire_bytes(wire, data, size);
}

void v1_start_open(struct wire *wire, unsigned version)
{
    wire_begin(wire, version);
    v1_batch(wire, 0, V1_TICKS);
    V1_EVENT(wire, V1_FREQUENCY, WIRE_NANOSECONDS);
    V1_EVENT(wire, V1_GO_CREATE, 1, 1, 0, 0);
    V1_EVENT(wire, V1_PROC_START, 1, 5);
    V1_EVENT(wire, V1_GO_START, 1, 1, 1);
}

void v1_start(struct wire *wire, unsigned version)
{
    v1_start_open(wire, version);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 4, 0);
}

void v1_waiting(struct wire *wire, uint64_t id)
{
    V1_EVENT(wire, V1_GO_CREATE, 1, id, 0, 0);
    V1_EVENT(wire, V1_GO_WAITING, 1, id);
}

void v1_start_four(struct wire *wire, unsigned version)
{
    v1_start_open(wire, version);
    v1_waiting(wire, 2);
    V1_EVENT(wire, V1_GO_CREATE, 1, 3, 0, 0);
    V1_EVENT(wire, V1_GO_CREATE, 1, 4, 0, 0);
    V1_EVENT(wire, V1_GO_IN_SYSCALL, 1, 4);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 4, 0);
}
