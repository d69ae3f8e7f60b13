/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/tables.h"

#include "recorder/frames.h"
#include "recorder/list.h"
#include "recorder/output.h"
#include "recorder/section.h"
#include "recorder/stack.h"
#include "recorder/texts.h"

enum {
    TABLES_CLOCK = 1000000000 / GT_CLOCK_UNIT,
    /* Room for a string without its bytes, or for a frame of a stack. */
    TABLES_RECORD = 64
};

static void sync_put_snapshot(gt_recorder *recorder)
{
    const struct gt_system_moment *moment = &recorder->moment.system;
    gt_recorder_batch_byte(recorder, GT_WIRE_CLOCK_SNAPSHOT);
    gt_recorder_batch_number(recorder, 0);
    gt_recorder_batch_number(recorder, moment->monotonic);
    gt_recorder_batch_number(recorder, moment->seconds);
    gt_recorder_batch_number(recorder, moment->nanoseconds);
}

/* Before version 25 the batch had only the frequency. */
void gt_recorder_write_sync(gt_recorder *recorder, uint64_t generation)
{
    bool has_snapshot = recorder->version == GT_RECORDER_NEWEST;
    gt_recorder_batch_begin(recorder, generation, GT_NO_THREAD_ID, recorder->moment.time);
    if (has_snapshot)
        gt_recorder_batch_byte(recorder, GT_WIRE_SYNC);
    gt_recorder_batch_byte(recorder, GT_WIRE_FREQUENCY);
    gt_recorder_batch_number(recorder, TABLES_CLOCK);
    if (has_snapshot)
        sync_put_snapshot(recorder);
    gt_recorder_batch_end(recorder);
}

/* Makes room in a batch of tables whose type is `type`. */
static void table_reserve(gt_recorder *recorder, uint64_t generation, uint8_t type, size_t size)
{
    if (gt_recorder_batch_has_room(recorder, size))
        return;
    gt_recorder_batch_end(recorder);
    gt_recorder_batch_begin(recorder, generation, GT_NO_THREAD_ID, recorder->moment.time);
    gt_recorder_batch_byte(recorder, type);
}

/* Validators ask for a file and a line of each frame. */
static void table_put_stack(gt_recorder *recorder, uint64_t generation, uint64_t number,
                            const uint64_t *pcs, size_t count)
{
    table_reserve(recorder, generation, GT_WIRE_STACKS, TABLES_RECORD * (count + 1));
    gt_recorder_batch_byte(recorder, GT_WIRE_STACK);
    gt_recorder_batch_number(recorder, number);
    gt_recorder_batch_number(recorder, count);
    for (size_t i = 0; i < count; i++) {
        struct gt_recorder_frame frame = gt_recorder_frame_find(recorder, pcs[i]);
        gt_recorder_batch_number(recorder, frame.pc);
        gt_recorder_batch_number(recorder, frame.function);
        gt_recorder_batch_number(recorder, frame.file);
        gt_recorder_batch_number(recorder, frame.line);
    }
}

/* The stacks that a thread had in the generation. */
static void tables_put_thread(gt_recorder *recorder, uint64_t generation, const gt_rec_thread *t)
{
    const struct gt_recorder_stacks *stacks = &t->stacks[generation & 1];
    for (size_t i = 0; i < stacks->list.count; i++) {
        const struct gt_recorder_stack *stack = &stacks->list.items[i];
        table_put_stack(recorder, generation, stack->number, stacks->pcs.items + stack->first,
                        stack->count);
    }
}

/* Each text is the only frame of the stack with its number. */
static void tables_put_stacks(gt_recorder *recorder, uint64_t generation)
{
    gt_rec_text count = (gt_rec_text) gt_atomic_get(&recorder->text_count);
    for (gt_rec_text text = 1; text <= count; text++) {
        uint64_t pc = GT_STACK_TEXT_PC | text;
        table_put_stack(recorder, generation, text, &pc, 1);
    }
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next)
        tables_put_thread(recorder, generation, (const gt_rec_thread *) link);
    gt_recorder_batch_end(recorder);
}

static void table_put_string(gt_recorder *recorder, gt_rec_text text, gt_string string)
{
    gt_recorder_batch_byte(recorder, GT_WIRE_STRING);
    gt_recorder_batch_number(recorder, text);
    gt_recorder_batch_number(recorder, string.size);
    gt_recorder_batch_bytes(recorder, string.data, string.size);
}

/* Frames of stacks become texts, so the texts come after them. */
void gt_recorder_write_tables(gt_recorder *recorder, uint64_t generation)
{
    tables_put_stacks(recorder, generation);
    gt_rec_text count = (gt_rec_text) gt_atomic_get(&recorder->text_count);
    for (gt_rec_text text = 1; text <= count; text++) {
        gt_string string = gt_recorder_text_get(recorder, text);
        table_reserve(recorder, generation, GT_WIRE_STRINGS, string.size + TABLES_RECORD);
        table_put_string(recorder, text, string);
    }
    gt_recorder_batch_end(recorder);
}
