/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw/record.h"

#include <stdbool.h>

#include "support/test.h"
#include "support/v1wire.h"

const uint32_t record_versions[RECORD_VERSIONS] = {5, 7, 8, 9, 10, 11, 19, 21, 22, 23, 25, 26, 99};

void record_make(struct record *record, uint32_t version, const gt_wire_spec *spec, uint64_t value)
{
    static const char data[] = {'a', '\0', '\xff'};
    bool bare = (spec->flags & GT_WIRE_BARE_FRAMES) != 0;
    *record = (struct record){.event = GT_RAW_EVENT_INIT};
    record->event.type = spec->type;
    record->event.arguments = record->arguments;
    record->event.argument_count = spec->argument_count;
    assert_true(spec->argument_count <= RECORD_ARGUMENTS);
    for (uint32_t i = 0; i < spec->argument_count; i++)
        record->arguments[i] = value - i;
    if (version > 21 && spec->type == GT_WIRE_EXPERIMENTAL_BATCH)
        record->arguments[0] &= 0xff;
    if (spec->flags & GT_WIRE_HAS_FRAMES) {
        record->arguments[spec->argument_count - 1] = RECORD_FRAMES;
        record->event.frame_count = RECORD_FRAMES;
        record->event.frames = record->frames;
        for (uint32_t i = 0; i < RECORD_FRAMES; i++)
            record->frames[i] = (gt_raw_frame){value - i, bare ? 0 : value / 2,
                                               bare ? 0 : value / 3, bare ? 0 : value / 5};
    }
    if (spec->flags & GT_WIRE_HAS_DATA)
        record->event.data = (gt_string){data, sizeof(data)};
}

static void put_frames(struct wire *wire, const gt_raw_event *event)
{
    for (size_t i = 0; i < event->frame_count; i++)
        wire_frame(wire, event->frames[i].pc, event->frames[i].function, event->frames[i].file,
                   event->frames[i].line);
}

/* The size of a batch. */
static void put_size(struct wire *wire, uint64_t size)
{
    if (wire->width > 1)
        wire_varint(wire, size);
    else
        wire_varint_wide(wire, size, WIRE_SIZE_WIDTH);
}

static void put_v2(struct wire *wire, const gt_raw_event *event)
{
    const uint64_t *arguments = event->arguments;
    if (event->type == EV_EVENT_BATCH) {
        wire_event(wire, event->type, arguments, 3);
        put_size(wire, arguments[3]);
    } else if (event->type == EV_EXPERIMENTAL_BATCH) {
        wire_byte(wire, event->type);
        wire_byte(wire, (unsigned) arguments[0]);
        wire_varint(wire, arguments[1]);
        wire_varint(wire, arguments[2]);
        wire_varint(wire, arguments[3]);
        put_size(wire, event->data.size);
        wire_bytes(wire, event->data.data, event->data.size);
    } else {
        wire_event(wire, event->type, arguments, event->argument_count);
        put_frames(wire, event);
    }
    if (event->type == EV_STRING) {
        wire_varint(wire, event->data.size);
        wire_bytes(wire, event->data.data, event->data.size);
    }
}

static void put_v1(struct wire *wire, const gt_raw_event *event)
{
    struct v1_frame frames[RECORD_FRAMES];
    for (size_t i = 0; i < event->frame_count; i++)
        frames[i] = (struct v1_frame){event->frames[i].pc, event->frames[i].function,
                                      event->frames[i].file, event->frames[i].line};
    if (event->type == V1_STRING) {
        v1_string_sized(wire, event->arguments[0], event->data.data, event->data.size);
        return;
    }
    if (event->type == V1_STACK) {
        v1_stack(wire, event->arguments[0], frames, event->frame_count);
        return;
    }
    v1_plain(wire, event->type, event->arguments, event->argument_count);
    if (event->type == V1_LOG && wire->version >= 11) {
        wire_varint(wire, event->data.size);
        wire_bytes(wire, event->data.data, event->data.size);
    }
}

void record_put(struct wire *wire, const struct record *record)
{
    if (wire->version > 21)
        put_v2(wire, &record->event);
    else
        put_v1(wire, &record->event);
}

void record_assert(const gt_raw_event *actual, const struct record *expected)
{
    const gt_raw_event *event = &expected->event;
    assert_int_equal(actual->size, sizeof(*actual));
    assert_int_equal(actual->type, event->type);
    assert_int_equal(actual->argument_count, event->argument_count);
    if (event->argument_count > 0)
        assert_memory_equal(actual->arguments, event->arguments,
                            event->argument_count * sizeof(*event->arguments));
    assert_int_equal(actual->frame_count, event->frame_count);
    if (event->frame_count > 0)
        assert_memory_equal(actual->frames, event->frames,
                            event->frame_count * sizeof(*event->frames));
    assert_int_equal(actual->data.size, event->data.size);
    assert_memory_equal(actual->data.data, event->data.data, event->data.size);
}
