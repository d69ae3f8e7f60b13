/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/tables.h"

#include "recorder/output.h"
#include "recorder/section.h"
#include "recorder/texts.h"

enum {
    TABLES_CLOCK = 1000000000 / GT_CLOCK_UNIT,
    /* Room for a string without its bytes, or for a stack of one frame. */
    TABLES_RECORD = 64
};

/*
 * Addresses that stand for texts are where programs have no code, and small enough for the numbers
 * of JavaScript.
 */
#define TABLES_TEXT_PC (UINT64_C(1) << 52)

void gt_recorder_write_sync(gt_recorder *recorder, uint64_t generation)
{
    const struct gt_system_moment *moment = &recorder->moment;
    gt_recorder_batch_begin(recorder, generation, GT_NO_THREAD_ID,
                            moment->monotonic / GT_CLOCK_UNIT);
    gt_recorder_batch_byte(recorder, GT_WIRE_SYNC);
    gt_recorder_batch_byte(recorder, GT_WIRE_FREQUENCY);
    gt_recorder_batch_number(recorder, TABLES_CLOCK);
    gt_recorder_batch_byte(recorder, GT_WIRE_CLOCK_SNAPSHOT);
    gt_recorder_batch_number(recorder, 0);
    gt_recorder_batch_number(recorder, moment->monotonic);
    gt_recorder_batch_number(recorder, moment->seconds);
    gt_recorder_batch_number(recorder, moment->nanoseconds);
    gt_recorder_batch_end(recorder);
}

/* Makes room in a batch of tables whose type is `type`. */
static void table_reserve(gt_recorder *recorder, uint64_t generation, uint8_t type, size_t size)
{
    if (gt_recorder_batch_has_room(recorder, size))
        return;
    gt_recorder_batch_end(recorder);
    gt_recorder_batch_begin(recorder, generation, GT_NO_THREAD_ID,
                            recorder->moment.monotonic / GT_CLOCK_UNIT);
    gt_recorder_batch_byte(recorder, type);
}

static void table_put_stack(gt_recorder *recorder, gt_rec_text text)
{
    gt_recorder_batch_byte(recorder, GT_WIRE_STACK);
    gt_recorder_batch_number(recorder, text);
    gt_recorder_batch_number(recorder, 1);
    gt_recorder_batch_number(recorder, TABLES_TEXT_PC | text);
    gt_recorder_batch_number(recorder, text);
    /* Validators ask for a file and a line. */
    gt_recorder_batch_number(recorder, GT_RECORDER_TEXT_NO_FILE);
    gt_recorder_batch_number(recorder, 1);
}

static void table_put_string(gt_recorder *recorder, gt_rec_text text, gt_string string)
{
    gt_recorder_batch_byte(recorder, GT_WIRE_STRING);
    gt_recorder_batch_number(recorder, text);
    gt_recorder_batch_number(recorder, string.size);
    gt_recorder_batch_bytes(recorder, string.data, string.size);
}

/* Each text is a string, and the only frame of the stack with its number. */
void gt_recorder_write_tables(gt_recorder *recorder, uint64_t generation)
{
    gt_rec_text count = (gt_rec_text) gt_atomic_get(&recorder->text_count);
    for (gt_rec_text text = 1; text <= count; text++) {
        table_reserve(recorder, generation, GT_WIRE_STACKS, TABLES_RECORD);
        table_put_stack(recorder, text);
    }
    gt_recorder_batch_end(recorder);
    for (gt_rec_text text = 1; text <= count; text++) {
        gt_string string = gt_recorder_text_get(recorder, text);
        table_reserve(recorder, generation, GT_WIRE_STRINGS, string.size + TABLES_RECORD);
        table_put_string(recorder, text, string);
    }
    gt_recorder_batch_end(recorder);
}
