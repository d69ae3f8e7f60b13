/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/table.h"

#include <string.h>

#include "base/error.h"
#include "base/shared_text.h"
#include "base/varint.h"
#include "rewrite/batch.h"
#include "rewrite/rename.h"
#include "v2/spec.h"

enum {
    /* The maximum size of a record of a string: the type, the id, the size and the bytes. */
    STRING_MAX = 1 + 2 * GT_VARINT_MAX + GT_V2_MAX_STRING,
    FRAME_MAX = 4 * GT_VARINT_MAX,
    STACK_MAX = 1 + 2 * GT_VARINT_MAX + GT_V2_MAX_FRAMES * FRAME_MAX,
    SAMPLE_MAX = 1 + 5 * GT_VARINT_MAX,
    /*
     * The ids up to this one are only for texts of events, mostly reasons for blocking. Events
     * refer to them far more often than stacks do to theirs, so they get ids of one byte however
     * many texts stacks have.
     */
    SHORT_IDS = 63
};

/* Writes the records of the table, if any, as a batch. */
static gt_status table_flush(struct gt_writer *writer, struct gt_rewrite_table *table)
{
    size_t size = table->bytes.count;
    uint64_t before = gt_rewrite_bytes_count(writer);
    if (size == 0)
        return GT_OK;
    table->bytes.count = 0;
    gt_status status = gt_rewrite_batch_put(writer, GT_NO_THREAD, writer->generation.time,
                                            table->bytes.items, size);
    if (status == GT_OK && table != &writer->generation.sample_bytes)
        writer->generation.table_bytes += gt_rewrite_bytes_count(writer) - before;
    return status;
}

uint64_t gt_rewrite_tables_size(const struct gt_writer *writer)
{
    const struct gt_rewrite_generation *generation = &writer->generation;
    return generation->table_bytes + generation->string_bytes.bytes.count +
           generation->stack_bytes.bytes.count;
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

/* Returns the id of a new text, for an event or for a frame of a stack. */
static uint32_t text_next_id(struct gt_rewrite_generation *generation, bool is_of_event)
{
    if (is_of_event && generation->short_id < SHORT_IDS)
        return ++generation->short_id;
    return ++generation->long_id;
}

/* The beginning of a text that the format has room for. */
static gt_string text_cut(gt_string text)
{
    return (gt_string){text.data, text.size < GT_V2_MAX_STRING ? text.size : GT_V2_MAX_STRING};
}

/* Returns the place of the id of a text, which is 0 if the text is new; NULL: no memory. */
static uint32_t *text_find(struct gt_writer *writer, gt_string text)
{
    struct gt_rewrite_generation *generation = &writer->generation;
    uint32_t number;
    if (gt_texts_add(&generation->texts, text, &number) != GT_OK)
        return NULL;
    if (number >= generation->text_ids.count &&
        gt_array_extend(&writer->mem, &generation->text_ids, (size_t) number + 1) != GT_OK)
        return NULL;
    return &generation->text_ids.items[number];
}

/* Sets `*id` to the id of a text, which is added to the table if it is new. */
static gt_status text_intern(struct gt_writer *writer, gt_string text, bool is_of_event,
                             uint64_t *id)
{
    text = text_cut(text);
    uint32_t *known = text_find(writer, text);
    if (!known)
        return gt_rewrite_no_memory(writer);
    if (*known != 0) {
        *id = *known;
        return GT_OK;
    }
    *id = *known = text_next_id(&writer->generation, is_of_event);
    return table_add_string(writer, *known, text);
}

/* Adds a text with the id that it had in the previous generation, unless it is there already. */
static gt_status text_keep(struct gt_writer *writer, gt_string text, uint32_t id)
{
    struct gt_rewrite_generation *generation = &writer->generation;
    uint32_t *last = id <= SHORT_IDS ? &generation->short_id : &generation->long_id;
    text = text_cut(text);
    uint32_t *known = text_find(writer, text);
    if (!known)
        return gt_rewrite_no_memory(writer);
    if (*known != 0)
        return GT_OK;
    *known = id;
    if (*last < id) /* new texts get later ids */
        *last = id;
    return table_add_string(writer, id, text);
}

gt_status gt_rewrite_text(struct gt_writer *writer, gt_string text, uint64_t *id)
{
    *id = 0;
    return writer->is_writing && text.size != 0 ? text_intern(writer, text, true, id) : GT_OK;
}

gt_status gt_rewrite_cause(struct gt_writer *writer, struct gt_rewrite_stop *stop, uint64_t *id)
{
    gt_string text = stop->cause->string;
    gt_status status = gt_rewrite_rename(writer, GT_TEXT_CAUSE, &text);
    if (status == GT_OK)
        status = gt_rewrite_text(writer, text, id);
    if (status == GT_OK && !gt_rewrite_stop_keep(&writer->state, stop, text, (uint32_t) *id))
        status = gt_rewrite_no_memory(writer);
    return status;
}

gt_status gt_rewrite_causes_keep(struct gt_writer *writer)
{
    const struct gt_rewrite_state *state = &writer->state;
    gt_status status = GT_OK;
    for (size_t i = 0; status == GT_OK && i < state->kept_stop_count; i++)
        status = text_keep(writer, state->kept_stops[i]->written->string,
                           state->kept_stops[i]->written_id);
    return status;
}

static gt_status text_lookup(struct gt_writer *writer, gt_string text, bool is_of_event,
                             uint64_t *id)
{
    struct gt_rewrite_recent *recent =
        &writer->generation.recent[gt_recent_text_place(text) % GT_REWRITE_RECENT];
    if (recent->id != 0 && recent->text.data == text.data && recent->text.size == text.size) {
        *id = recent->id;
        return GT_OK;
    }
    gt_status status = text_intern(writer, text, is_of_event, id);
    if (status == GT_OK)
        *recent = (struct gt_rewrite_recent){text, (uint32_t) *id};
    return status;
}

gt_status gt_rewrite_table_text(struct gt_writer *writer, gt_string text, uint64_t *id)
{
    *id = 0;
    return writer->is_writing && text.size != 0 ? text_lookup(writer, text, true, id) : GT_OK;
}

/* Sets `*id` to the id of a text of a frame. */
static gt_status frame_text(struct gt_writer *writer, gt_string text, uint64_t *id)
{
    *id = 0;
    return text.size != 0 ? text_lookup(writer, text, false, id) : GT_OK;
}

/* Writes a frame of a stack, and adds its texts to their table if they are new. */
static gt_status frame_put(struct gt_writer *writer, const gt_frame *frame, uint8_t **to)
{
    gt_string function_name = frame->function, file_name = frame->file;
    uint64_t function = 0, file = 0, pc = frame->pc;
    gt_status status = gt_rewrite_rename(writer, GT_TEXT_FUNCTION, &function_name);
    if (status == GT_OK)
        status = gt_rewrite_rename(writer, GT_TEXT_FILE, &file_name);
    if (status == GT_OK)
        status = gt_rewrite_rename_pc(writer, &pc);
    if (status == GT_OK)
        status = frame_text(writer, function_name, &function);
    if (status == GT_OK)
        status = frame_text(writer, file_name, &file);
    if (status != GT_OK)
        return status;
    *to = gt_varint_put(*to, pc);
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
        return gt_error_plain(&writer->error, status);
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
    if (!writer->is_writing || writer->is_bare || stack == GT_STACK_NONE ||
        slot == GT_STACK_EMPTY_SLOT)
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
    to = gt_varint_put(to, (uint64_t) e->thread->written_id);
    to = gt_varint_put(to, (uint64_t) e->proc);
    to = gt_varint_put(to, event->goroutine == GT_NO_GOROUTINE ? 0 : (uint64_t) event->goroutine);
    to = gt_varint_put(to, stack);
    table_commit(table, to);
    return GT_OK;
}

void gt_rewrite_tables_forget_input(struct gt_writer *writer)
{
    struct gt_rewrite_generation *generation = &writer->generation;
    generation->stack_table = 0;
    generation->stacks.count = 0;
    memset(generation->recent, 0, sizeof(generation->recent));
}

gt_status gt_rewrite_tables_begin(struct gt_writer *writer)
{
    struct gt_rewrite_generation *generation = &writer->generation;
    if (generation->has_texts)
        gt_texts_destroy(&generation->texts);
    generation->has_texts = true;
    gt_rewrite_names_clear(writer);
    generation->stack_count = 0;
    generation->text_ids.count = 0;
    generation->short_id = 0;
    generation->long_id = SHORT_IDS;
    gt_rewrite_tables_forget_input(writer);
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
    gt_array_free(&writer->mem, &generation->text_ids);
    gt_array_free(&writer->mem, &generation->stacks);
    gt_array_free(&writer->mem, &generation->string_bytes.bytes);
    gt_array_free(&writer->mem, &generation->stack_bytes.bytes);
    gt_array_free(&writer->mem, &generation->sample_bytes.bytes);
}
