/* SPDX-License-Identifier: BSD-3-Clause */
#include "stackwriter.h"

#include <stdlib.h>

enum {
    /* The most bytes of a number, and of a frame. */
    STACKWRITER_NUMBER = 10,
    STACKWRITER_FRAME = 4 * STACKWRITER_NUMBER,
    /* The most bytes of records in a batch, and of a string: internal/trace/tracev2/events.go. */
    STACKWRITER_BATCH = (64 << 10) - 64,
    STACKWRITER_STRING = 1 << 10
};

gt_status stackwriter_open(struct stackwriter *writer, uint32_t version, gt_write_fn write,
                           void *user_data)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    size_t names = writer->places->name_count;
    options.flags = GT_RAW_SET_SIZES;
    writer->used_in = calloc(names + 1, sizeof(*writer->used_in));
    writer->used = calloc(names + 1, sizeof(*writer->used));
    if (!writer->used_in || !writer->used)
        return GT_ERR_NO_MEMORY;
    if (writer->first_string == 0 || names > UINT64_MAX - writer->first_string)
        return GT_ERR_LIMIT;
    return gt_raw_writer_open(&writer->writer, version, GT_RAW_BYTES, write, user_data, &options,
                              NULL);
}

static gt_status stackwriter_put(struct stackwriter *writer, gt_raw_event event)
{
    return gt_raw_writer_write_event(writer->writer, &event);
}

/* Begins a batch of no thread, whose first record is `type`. */
static gt_status stackwriter_batch(struct stackwriter *writer, uint32_t type)
{
    const uint64_t arguments[] = {writer->generation, (uint64_t) GT_NO_THREAD, writer->time, 0};
    gt_raw_event event = GT_RAW_EVENT_INIT;
    event.type = GT_WIRE_EVENT_BATCH;
    event.arguments = arguments;
    event.argument_count = 4;
    writer->batch_size = 0;
    gt_status status = stackwriter_put(writer, event);
    event = (gt_raw_event) GT_RAW_EVENT_INIT;
    event.type = type;
    return status == GT_OK ? stackwriter_put(writer, event) : status;
}

/* Makes room for a record of `size` bytes in the batch, which is of records `type`. */
static gt_status stackwriter_reserve(struct stackwriter *writer, uint32_t type, size_t size)
{
    gt_status status = GT_OK;
    if (writer->batch_size + size > STACKWRITER_BATCH)
        status = stackwriter_batch(writer, type);
    writer->batch_size += size;
    return status;
}

/* Writes a string, which is cut to what the format permits. */
static gt_status stackwriter_put_string(struct stackwriter *writer, gt_raw_event event)
{
    size_t size = event.data.size;
    if (size > STACKWRITER_STRING) {
        size = STACKWRITER_STRING;
        while (size > STACKWRITER_STRING - 4 && (event.data.data[size] & 0xc0) == 0x80)
            size--;
        event.data.size = size;
    }
    gt_status status =
        stackwriter_reserve(writer, GT_WIRE_STRINGS, size + 2 * STACKWRITER_NUMBER + 1);
    return status == GT_OK ? stackwriter_put(writer, event) : status;
}

/* Writes a string of the trace: names of functions as they are in the source. */
static gt_status stackwriter_copy_string(struct stackwriter *writer, const gt_raw_event *event)
{
    gt_raw_event string = *event;
    gt_string meaning = demangler_find(writer->demangler, event->data);
    if (meaning.size > 0) {
        string.data = meaning;
        string.widths = NULL;
        string.width_count = 0;
    }
    return stackwriter_put_string(writer, string);
}

/* Writes the string of a name that the stacks use. */
static gt_status stackwriter_put_name(struct stackwriter *writer, size_t name)
{
    const struct place_name *known = &writer->places->names[name - 1];
    const uint64_t id = writer->first_string + name - 1;
    gt_raw_event event = GT_RAW_EVENT_INIT;
    event.type = GT_WIRE_STRING;
    event.arguments = &id;
    event.argument_count = 1;
    event.data = (gt_string){known->text, known->size};
    return stackwriter_put_string(writer, event);
}

/* Writes the names that the stacks of the generation use. */
static gt_status stackwriter_end_generation(struct stackwriter *writer)
{
    gt_status status = GT_OK;
    if (writer->used_count > 0)
        status = stackwriter_batch(writer, GT_WIRE_STRINGS);
    for (size_t i = 0; i < writer->used_count && status == GT_OK; i++)
        status = stackwriter_put_name(writer, writer->used[i]);
    writer->used_count = 0;
    writer->has_generation = false;
    return status;
}

static gt_status stackwriter_put_batch(struct stackwriter *writer, const gt_raw_event *event)
{
    gt_raw_event batch = *event;
    gt_status status = GT_OK;
    if (writer->has_generation && writer->generation != event->arguments[0])
        status = stackwriter_end_generation(writer);
    if (!writer->has_generation)
        writer->generation_count++;
    writer->has_generation = true;
    writer->generation = event->arguments[0];
    writer->time = event->arguments[2];
    writer->batch_size = 0;
    /* The size may need more bytes than before. */
    batch.widths = NULL;
    batch.width_count = 0;
    return status == GT_OK ? stackwriter_put(writer, batch) : status;
}

/* Returns the id of a name, which is written in this generation; or `old` if it is not known. */
static uint64_t stackwriter_use(struct stackwriter *writer, size_t name, uint64_t old)
{
    if (name == 0)
        return old;
    if (writer->used_in[name] != writer->generation_count) {
        writer->used_in[name] = writer->generation_count;
        writer->used[writer->used_count++] = name;
    }
    return writer->first_string + name - 1;
}

/* Adds a frame. If there are too many, the last ones but the outermost are left out. */
static void stackwriter_add_frame(struct stackwriter *writer, gt_raw_frame frame)
{
    if (writer->frame_count == STACKWRITER_FRAMES)
        writer->frame_count--;
    writer->frames[writer->frame_count++] = frame;
}

/* Adds the frames of an address: that of the trace, and of the functions into which it is inlined.
 */
static void stackwriter_add_places(struct stackwriter *writer, gt_raw_frame frame,
                                   const struct place_address *address)
{
    for (size_t i = 0; i < address->count; i++) {
        const struct place *place = &writer->places->list[address->first + i];
        gt_raw_frame known = frame;
        if (i > 0)
            known.pc = STACKWRITER_INLINED_PC + address->first + i;
        known.function = stackwriter_use(writer, place->function, frame.function);
        known.file = stackwriter_use(writer, place->file, frame.file);
        if (place->line != 0)
            known.line = place->line;
        stackwriter_add_frame(writer, known);
    }
}

static gt_status stackwriter_put_stack(struct stackwriter *writer, const gt_raw_event *event)
{
    gt_raw_event stack = *event;
    bool is_known = false;
    writer->frame_count = 0;
    for (size_t i = 0; i < event->frame_count; i++) {
        const gt_raw_frame *frame = &event->frames[i];
        /* The functions that an earlier run has found are found again. */
        bool is_inlined =
            frame->pc >= STACKWRITER_INLINED_PC && frame->pc < 2 * STACKWRITER_INLINED_PC;
        if (is_inlined && is_known)
            continue;
        const struct place_address *address = places_find(writer->places, frame->pc);
        is_known = address != NULL;
        if (address)
            stackwriter_add_places(writer, *frame, address);
        else
            stackwriter_add_frame(writer, *frame);
    }
    const uint64_t arguments[] = {event->arguments[0], writer->frame_count};
    stack.arguments = arguments;
    stack.frames = writer->frames;
    stack.frame_count = writer->frame_count;
    stack.widths = NULL;
    stack.width_count = 0;
    gt_status status = stackwriter_reserve(
        writer, GT_WIRE_STACKS, 1 + 2 * STACKWRITER_NUMBER + stack.frame_count * STACKWRITER_FRAME);
    return status == GT_OK ? stackwriter_put(writer, stack) : status;
}

gt_status stackwriter_event(struct stackwriter *writer, const gt_raw_event *event)
{
    if (event->type == GT_WIRE_EVENT_BATCH)
        return stackwriter_put_batch(writer, event);
    if (event->type == GT_WIRE_STACK)
        return stackwriter_put_stack(writer, event);
    if (event->type == GT_WIRE_STRING)
        return stackwriter_copy_string(writer, event);
    gt_status status = GT_OK;
    if (event->type == GT_WIRE_END_OF_GENERATION)
        status = stackwriter_end_generation(writer);
    return status == GT_OK ? stackwriter_put(writer, *event) : status;
}

gt_status stackwriter_finish(struct stackwriter *writer)
{
    gt_status status = stackwriter_end_generation(writer);
    return status == GT_OK ? gt_raw_writer_flush(writer->writer) : status;
}

void stackwriter_close(struct stackwriter *writer)
{
    gt_raw_writer_close(&writer->writer);
    free(writer->used_in);
    free(writer->used);
}
