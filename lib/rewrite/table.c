/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/table.h"

#include <string.h>

#include "base/varint.h"
#include "rewrite/batch.h"
#include "v2/spec.h"

enum {
    /* The maximum size of a record of a string: the type, the id, the size and the bytes. */
    STRING_MAX = 1 + 2 * GT_VARINT_MAX + GT_V2_MAX_STRING,
    FRAME_MAX = 4 * GT_VARINT_MAX,
    STACK_MAX = 1 + 2 * GT_VARINT_MAX + GT_V2_MAX_FRAMES * FRAME_MAX,
    SAMPLE_MAX = 1 + 5 * GT_VARINT_MAX
};

/* Writes the records of the table, if any, as a batch. */
static gt_status table_flush(struct gt_writer *writer, struct gt_rewrite_table *table)
{
    size_t size = table->bytes.count;
    table->bytes.count = 0;
    return size == 0 ? GT_OK
                     : gt_rewrite_batch_put(writer, GT_NO_THREAD, writer->generation.time,
                                            table->bytes.items, size);
}

/*
 * Makes room for a record of at most `most` bytes in a table whose batches begin with `type`. The
 * record is to be written at table_end.
 */
static gt_status table_reserve(struct gt_writer *writer, struct gt_rewrite_table *table,
                               uint32_t type, size_t most)
{
    gt_status status = GT_OK;
    if (table->bytes.count + most > GT_V2_MAX_BATCH)
        status = table_flush(writer, table);
    if (status != GT_OK)
        return status;
    if (gt_array_reserve(&writer->mem, &table->bytes, most + 1) != GT_OK)
        return gt_rewrite_no_memory(writer);
    if (table->bytes.count == 0)
        table->bytes.items[table->bytes.count++] = (uint8_t) type;
    return GT_OK;
}

static uint8_t *table_end(const struct gt_rewrite_table *table)
{
    return table->bytes.items + table->bytes.count;
}

static void table_commit(struct gt_rewrite_table *table, const uint8_t *end)
{
    table->bytes.count = (size_t) (end - table->bytes.items);
}

static gt_status table_add_string(struct gt_writer *writer, uint32_t id, gt_string text)
{
    struct gt_rewrite_table *table = &writer->generation.string_bytes;
    gt_status status = table_reserve(writer, table, GT_WIRE_STRINGS, STRING_MAX);
    if (status != GT_OK)
        return status;
    uint8_t *to = table_end(table);
    *to++ = GT_WIRE_STRING;
    to = gt_varint_put(to, id);
    to = gt_varint_put(to, text.size);
    memcpy(to, text.data, text.size);
    table_commit(table, to + text.size);
    return GT_OK;
}

gt_status gt_rewrite_text(struct gt_writer *writer, gt_string text, uint64_t *id)
{
    struct gt_texts *texts = &writer->generation.texts;
    uint32_t number;
    *id = 0;
    if (!writer->is_writing || text.size == 0)
        return GT_OK;
    if (text.size > GT_V2_MAX_STRING)
        text.size = GT_V2_MAX_STRING;
    size_t before = texts->list.count;
    if (gt_texts_add(texts, text, &number) != GT_OK)
        return gt_rewrite_no_memory(writer);
    *id = number;
    return texts->list.count == before ? GT_OK : table_add_string(writer, number, text);
}

/* Writes a frame of a stack, and adds its texts to their table if they are new. */
static gt_status frame_put(struct gt_writer *writer, const gt_frame *frame, uint8_t **to)
{
    uint64_t function, file;
    gt_status status = gt_rewrite_text(writer, frame->function, &function);
    if (status == GT_OK)
        status = gt_rewrite_text(writer, frame->file, &file);
    if (status != GT_OK)
        return status;
    *to = gt_varint_put(*to, frame->pc);
    *to = gt_varint_put(*to, function);
    *to = gt_varint_put(*to, file);
    *to = gt_varint_put(*to, frame->line);
    return GT_OK;
}

static gt_status table_add_stack(struct gt_writer *writer, const gt_event *event, gt_stack stack,
                                 uint32_t id)
{
    struct gt_rewrite_table *table = &writer->generation.stack_bytes;
    const gt_frame *frames;
    size_t count;
    gt_status status = gt_event_frames(writer->reader, event, stack, &frames, &count);
    if (status != GT_OK)
        return gt_rewrite_fail(writer, status, "the frames of a stack cannot be read");
    if (count > GT_V2_MAX_FRAMES)
        count = GT_V2_MAX_FRAMES;
    status = table_reserve(writer, table, GT_WIRE_STACKS, STACK_MAX);
    if (status != GT_OK)
        return status;
    uint8_t *to = table_end(table);
    *to++ = GT_WIRE_STACK;
    to = gt_varint_put(to, id);
    to = gt_varint_put(to, count);
    for (size_t i = 0; status == GT_OK && i < count; i++)
        status = frame_put(writer, &frames[i], &to);
    table_commit(table, to);
    return status;
}

gt_status gt_rewrite_stack(struct gt_writer *writer, const gt_event *event, gt_stack stack,
                           uint64_t *id)
{
    struct gt_rewrite_generation *generation = &writer->generation;
    uint32_t slot = (uint32_t) stack;
    *id = 0;
    if (!writer->is_writing || stack == GT_STACK_NONE || slot == GT_STACK_EMPTY_SLOT)
        return GT_OK;
    if (generation->stack_table != stack >> 32) {
        generation->stack_table = (uint32_t) (stack >> 32);
        generation->stacks.count = 0;
    }
    if (generation->stacks.count <= slot &&
        gt_array_extend(&writer->mem, &generation->stacks, (size_t) slot + 1) != GT_OK)
        return gt_rewrite_no_memory(writer);
    *id = generation->stacks.items[slot];
    if (*id != 0)
        return GT_OK;
    *id = generation->stacks.items[slot] = ++generation->stack_count;
    return table_add_stack(writer, event, stack, (uint32_t) *id);
}

gt_status gt_rewrite_sample(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    struct gt_rewrite_table *table = &writer->generation.sample_bytes;
    const gt_event *event = e->event;
    uint64_t stack;
    if (!writer->is_writing)
        return GT_OK;
    gt_status status = gt_rewrite_stack(writer, event, gt_event_stack(event), &stack);
    if (status == GT_OK)
        status = table_reserve(writer, table, GT_WIRE_CPU_SAMPLES, SAMPLE_MAX);
    if (status != GT_OK)
        return status;
    uint8_t *to = table_end(table);
    *to++ = GT_WIRE_CPU_SAMPLE;
    to = gt_varint_put(to, (uint64_t) e->time);
    to = gt_varint_put(to, (uint64_t) event->thread);
    to = gt_varint_put(to, (uint64_t) event->proc);
    to = gt_varint_put(to, event->goroutine == GT_NO_GOROUTINE ? 0 : (uint64_t) event->goroutine);
    to = gt_varint_put(to, stack);
    table_commit(table, to);
    return GT_OK;
}

gt_status gt_rewrite_tables_begin(struct gt_writer *writer)
{
    struct gt_rewrite_generation *generation = &writer->generation;
    if (generation->has_texts)
        gt_texts_destroy(&generation->texts);
    generation->has_texts = true;
    generation->stack_count = 0;
    generation->stack_table = 0;
    return gt_texts_init(&generation->texts, &writer->mem) == GT_OK ? GT_OK
                                                                    : gt_rewrite_no_memory(writer);
}

gt_status gt_rewrite_tables_flush(struct gt_writer *writer)
{
    struct gt_rewrite_generation *generation = &writer->generation;
    gt_status status = table_flush(writer, &generation->sample_bytes);
    if (status == GT_OK)
        status = table_flush(writer, &generation->stack_bytes);
    return status == GT_OK ? table_flush(writer, &generation->string_bytes) : status;
}

void gt_rewrite_tables_free(struct gt_writer *writer)
{
    struct gt_rewrite_generation *generation = &writer->generation;
    if (generation->has_texts)
        gt_texts_destroy(&generation->texts);
    gt_array_free(&writer->mem, &generation->stacks);
    gt_array_free(&writer->mem, &generation->string_bytes.bytes);
    gt_array_free(&writer->mem, &generation->stack_bytes.bytes);
    gt_array_free(&writer->mem, &generation->sample_bytes.bytes);
}
