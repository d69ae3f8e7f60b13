/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARINT_MAX  10
#define HEADER_SIZE 16

const uint8_t wire_event_counts[256] = {
    [EV_PROCS_CHANGE] = 3,
    [EV_PROC_START] = 3,
    [EV_PROC_STOP] = 1,
    [EV_PROC_STEAL] = 4,
    [EV_PROC_STATUS] = 3,
    [EV_GO_CREATE] = 4,
    [EV_GO_CREATE_SYSCALL] = 2,
    [EV_GO_START] = 3,
    [EV_GO_DESTROY] = 1,
    [EV_GO_DESTROY_SYSCALL] = 1,
    [EV_GO_STOP] = 3,
    [EV_GO_BLOCK] = 3,
    [EV_GO_UNBLOCK] = 4,
    [EV_GO_SYSCALL_BEGIN] = 3,
    [EV_GO_SYSCALL_END] = 1,
    [EV_GO_SYSCALL_END_BLOCKED] = 1,
    [EV_GO_STATUS] = 4,
    [EV_STW_BEGIN] = 3,
    [EV_STW_END] = 1,
    [EV_GC_ACTIVE] = 2,
    [EV_GC_BEGIN] = 3,
    [EV_GC_END] = 2,
    [EV_GC_SWEEP_ACTIVE] = 2,
    [EV_GC_SWEEP_BEGIN] = 2,
    [EV_GC_SWEEP_END] = 3,
    [EV_GC_MARK_ASSIST_ACTIVE] = 2,
    [EV_GC_MARK_ASSIST_BEGIN] = 2,
    [EV_GC_MARK_ASSIST_END] = 1,
    [EV_HEAP_ALLOC] = 2,
    [EV_HEAP_GOAL] = 2,
    [EV_GO_LABEL] = 2,
    [EV_USER_TASK_BEGIN] = 5,
    [EV_USER_TASK_END] = 3,
    [EV_USER_REGION_BEGIN] = 4,
    [EV_USER_REGION_END] = 4,
    [EV_USER_LOG] = 5,
    [EV_GO_SWITCH] = 3,
    [EV_GO_SWITCH_DESTROY] = 3,
    [EV_GO_CREATE_BLOCKED] = 4,
    [EV_GO_STATUS_STACK] = 5,
    [EV_SPAN] = 4,
    [EV_SPAN_ALLOC] = 4,
    [EV_SPAN_FREE] = 2,
    [EV_HEAP_OBJECT] = 3,
    [EV_HEAP_OBJECT_ALLOC] = 3,
    [EV_HEAP_OBJECT_FREE] = 2,
    [EV_GOROUTINE_STACK] = 3,
    [EV_GOROUTINE_STACK_ALLOC] = 3,
    [EV_GOROUTINE_STACK_FREE] = 2,
};

static void reserve(struct wire *wire, size_t more)
{
    uint8_t *grown;
    size_t capacity = wire->capacity ? wire->capacity : 256;

    while (capacity - wire->size < more)
        capacity *= 2;
    if (capacity == wire->capacity)
        return;
    grown = realloc(wire->data, capacity);
    if (!grown)
        abort();
    wire->data = grown;
    wire->capacity = capacity;
}

void wire_begin(struct wire *wire, unsigned version)
{
    char header[HEADER_SIZE + 16] = {0};

    wire->size = 0;
    wire->version = version;
    wire->size_width = WIRE_SIZE_WIDTH;
    wire->width = 0;
    wire->size_at = 0;
    wire->content_at = 0;
    wire->sequence = 0;
    wire->batch_sequence = 0;
    snprintf(header, sizeof(header), "go 1.%u trace", version);
    wire_bytes(wire, header, HEADER_SIZE);
}

void wire_free(struct wire *wire)
{
    free(wire->data);
    memset(wire, 0, sizeof(*wire));
}

void wire_byte(struct wire *wire, unsigned byte)
{
    reserve(wire, 1);
    wire->data[wire->size++] = (uint8_t) byte;
}

void wire_bytes(struct wire *wire, const void *data, size_t size)
{
    if (size == 0)
        return;
    reserve(wire, size);
    memcpy(wire->data + wire->size, data, size);
    wire->size += size;
}

static size_t put_varint(uint8_t *out, uint64_t value, unsigned width)
{
    size_t size = 0;

    do {
        out[size++] = (uint8_t) (value | 0x80);
        value >>= 7;
    } while (value != 0 || size < width);
    out[size - 1] &= 0x7f;
    return size;
}

void wire_varint(struct wire *wire, uint64_t value)
{
    uint8_t bytes[VARINT_MAX];

    wire_bytes(wire, bytes, put_varint(bytes, value, wire->width));
}

void wire_varint_wide(struct wire *wire, uint64_t value, unsigned width)
{
    unsigned i;

    for (i = 0; i < width; i++, value >>= 7)
        wire_byte(wire, (unsigned) (value & 0x7f) | (i + 1 < width ? 0x80u : 0));
}

void wire_varint_overlong(struct wire *wire)
{
    static const uint8_t bytes[VARINT_MAX + 1] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                  0xff, 0xff, 0xff, 0xff, 0x01};

    wire_bytes(wire, bytes, sizeof(bytes));
}

const uint8_t *wire_varint_take(const uint8_t *p, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < VARINT_MAX && p < end; i++, p++) {
        *value |= (uint64_t) (*p & 0x7f) << (7 * i);
        if (*p < 0x80)
            return p + 1;
    }
    return NULL;
}

size_t wire_batch_after(const uint8_t *data, size_t size, size_t at)
{
    const uint8_t *p = data + at, *end = data + size;
    uint64_t number = 0;
    if (at >= size)
        return 0;
    if (*p == EV_END_OF_GENERATION)
        return at + 1;
    p += *p == EV_EXPERIMENTAL_BATCH ? 2 : 1;
    for (unsigned field = 0; field < 4 && p; field++)
        p = wire_varint_take(p, end, &number);
    return p && number <= (uint64_t) (end - p) ? (size_t) (p - data) + (size_t) number : 0;
}

static void batch_header(struct wire *wire, uint64_t gen, uint64_t thread, uint64_t time)
{
    wire_varint(wire, gen);
    wire_varint(wire, thread);
    wire_varint(wire, time);
    wire->size_at = wire->size;
    wire_varint_wide(wire, 0, wire->size_width);
    wire->content_at = wire->size;
}

void wire_batch(struct wire *wire, uint64_t gen, uint64_t thread, uint64_t time)
{
    wire_batch_end(wire);
    wire_byte(wire, EV_EVENT_BATCH);
    batch_header(wire, gen, thread, time);
}

void wire_experiment(struct wire *wire, unsigned experiment, uint64_t gen, uint64_t thread,
                     uint64_t time)
{
    wire_batch_end(wire);
    wire_byte(wire, EV_EXPERIMENTAL_BATCH);
    wire_byte(wire, experiment);
    batch_header(wire, gen, thread, time);
}

void wire_batch_end(struct wire *wire)
{
    wire_batch_end_size(wire, wire->size - wire->content_at);
}

void wire_batch_end_size(struct wire *wire, uint64_t size)
{
    size_t end = wire->size;

    if (wire->size_at == 0)
        return;
    wire->size = wire->size_at;
    wire_varint_wide(wire, size, (unsigned) (wire->content_at - wire->size_at));
    wire->size = end;
    wire->size_at = 0;
    wire->content_at = 0;
}

void wire_event(struct wire *wire, unsigned type, const uint64_t *args, size_t count)
{
    wire_byte(wire, type);
    for (size_t i = 0; i < count; i++)
        wire_varint(wire, args[i]);
}

void wire_running(struct wire *wire, uint64_t thread, uint64_t proc, uint64_t goroutine)
{
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, proc, PROC_RUNNING);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, goroutine, thread, GO_RUNNING);
}

void wire_strings(struct wire *wire, uint64_t gen)
{
    wire_batch(wire, gen, WIRE_NONE, 1);
    wire_byte(wire, EV_STRINGS);
}

void wire_string(struct wire *wire, uint64_t id, const char *text)
{
    wire_string_sized(wire, id, text, strlen(text));
}

void wire_string_sized(struct wire *wire, uint64_t id, const void *data, size_t size)
{
    WIRE_EVENT(wire, EV_STRING, id, size);
    wire_bytes(wire, data, size);
}

void wire_stacks(struct wire *wire, uint64_t gen)
{
    wire_batch(wire, gen, WIRE_NONE, 1);
    wire_byte(wire, EV_STACKS);
}

void wire_stack(struct wire *wire, uint64_t id, uint64_t frames)
{
    WIRE_EVENT(wire, EV_STACK, id, frames);
}

void wire_frame(struct wire *wire, uint64_t pc, uint64_t function, uint64_t file, uint64_t line)
{
    wire_varint(wire, pc);
    wire_varint(wire, function);
    wire_varint(wire, file);
    wire_varint(wire, line);
}

void wire_samples(struct wire *wire, uint64_t gen)
{
    wire_batch(wire, gen, WIRE_NONE, 1);
    wire_byte(wire, EV_CPU_SAMPLES);
}

void wire_sample(struct wire *wire, uint64_t time, uint64_t thread, uint64_t proc,
                 uint64_t goroutine, uint64_t stack)
{
    WIRE_EVENT(wire, EV_CPU_SAMPLE, time, thread, proc, goroutine, stack);
}

void wire_sync(struct wire *wire, uint64_t gen, uint64_t time, uint64_t frequency)
{
    wire_batch(wire, gen, WIRE_NONE, time);
    if (wire->version >= 25) {
        wire_byte(wire, EV_SYNC);
        WIRE_EVENT(wire, EV_CLOCK_SNAPSHOT, 0, time, WIRE_WALL_SECONDS, WIRE_WALL_NANOSECONDS);
    }
    WIRE_EVENT(wire, EV_FREQUENCY, frequency);
}

void wire_generation_end(struct wire *wire)
{
    wire_batch_end(wire);
    if (wire->version >= 26)
        wire_byte(wire, EV_END_OF_GENERATION);
}
