/* SPDX-License-Identifier: BSD-3-Clause */
#include "synth_out.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_SIZE   16
#define VARINT_MAX    10
#define CONTENT_LIMIT 65536

/*
 * A batch is closed where less room than this is left: more than any record but
 * a stack's takes, and a stack's 128 frames of real sizes fit as well.
 */
#define RECORD_ROOM 4096

static uint8_t *put_varint(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t) (value | 0x80);
    *at++ = (uint8_t) value;
    return at;
}

/* The runtime leaves room for a size before it knows it, so pads it. */
static uint8_t *put_padded(uint8_t *at, uint64_t value)
{
    unsigned i;

    for (i = 0; i < VARINT_MAX - 1; i++, value >>= 7)
        *at++ = (uint8_t) (value | 0x80);
    *at++ = 0;
    return at;
}

static void write_out(struct synth_out *out, const void *bytes, size_t size)
{
    if (out->failed)
        return;
    if (fwrite(bytes, 1, size, out->file) != size)
        out->failed = true;
    out->bytes += size;
}

void synth_out_begin(struct synth_out *out, FILE *file, unsigned version)
{
    char header[HEADER_SIZE + 16] = {0};

    memset(out, 0, sizeof(*out));
    out->file = file;
    snprintf(header, sizeof(header), "go 1.%u trace", version);
    write_out(out, header, HEADER_SIZE);
}

void synth_out_byte(struct synth_out *out, uint8_t byte)
{
    write_out(out, &byte, 1);
}

static bool reserve(struct synth_out *out, struct synth_batch *batch, size_t more)
{
    size_t capacity = batch->capacity ? batch->capacity : 256;
    uint8_t *grown;

    if (out->failed)
        return false;
    while (capacity - batch->size < more)
        capacity *= 2;
    if (capacity == batch->capacity)
        return true;
    grown = realloc(batch->data, capacity);
    if (!grown) {
        out->failed = true;
        return false;
    }
    batch->data = grown;
    batch->capacity = capacity;
    return true;
}

static void append(struct synth_out *out, struct synth_batch *batch, uint8_t type, unsigned count,
                   const uint64_t *numbers)
{
    uint8_t *at;
    unsigned i;

    if (!reserve(out, batch, 1 + (size_t) count * VARINT_MAX))
        return;
    at = batch->data + batch->size;
    *at++ = type;
    for (i = 0; i < count; i++)
        at = put_varint(at, numbers[i]);
    out->held += (size_t) (at - batch->data) - batch->size;
    batch->size = (size_t) (at - batch->data);
}

void synth_batch_event(struct synth_out *out, struct synth_batch *batch, uint64_t time,
                       uint8_t type, unsigned count, const uint64_t *arguments)
{
    uint64_t numbers[6];
    unsigned i;

    if (batch->size > CONTENT_LIMIT - RECORD_ROOM)
        synth_batch_flush(out, batch);
    if (time <= batch->last)
        time = batch->last + 1;
    if (batch->size == 0)
        batch->base = batch->last = time;
    numbers[0] = time - batch->last;
    for (i = 0; i < count; i++)
        numbers[i + 1] = arguments[i];
    append(out, batch, type, count + 1, numbers);
    batch->last = time;
}

void synth_batch_record(struct synth_out *out, struct synth_batch *batch, uint8_t kind,
                        uint8_t type, unsigned count, const uint64_t *numbers)
{
    if (batch->size > CONTENT_LIMIT - RECORD_ROOM)
        synth_batch_flush(out, batch);
    if (batch->size == 0) {
        batch->base = out->now;
        if (kind != 0)
            append(out, batch, kind, 0, NULL);
    }
    append(out, batch, type, count, numbers);
}

void synth_batch_bytes(struct synth_out *out, struct synth_batch *batch, const void *bytes,
                       size_t size)
{
    if (!reserve(out, batch, size))
        return;
    memcpy(batch->data + batch->size, bytes, size);
    batch->size += size;
    out->held += size;
}

void synth_batch_flush(struct synth_out *out, struct synth_batch *batch)
{
    uint8_t header[1 + 4 * VARINT_MAX];
    uint8_t *at = header;

    if (batch->size == 0)
        return;
    *at++ = 1;
    at = put_varint(at, out->generation);
    at = put_varint(at, batch->thread);
    at = put_varint(at, batch->base);
    at = put_padded(at, batch->size);
    write_out(out, header, (size_t) (at - header));
    write_out(out, batch->data, batch->size);
    out->held -= batch->size;
    batch->size = 0;
}

void synth_batch_free(struct synth_batch *batch)
{
    free(batch->data);
    memset(batch, 0, sizeof(*batch));
}
