/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/frames.h"

#include "base/hash.h"
#include "base/hex.h"
#include "recorder/modules.h"
#include "recorder/stack.h"
#include "recorder/texts.h"

static gt_status frame_hex(gt_recorder *recorder, uint64_t pc, gt_rec_text *text)
{
    char name[2 + GT_HEX_MAX + 1] = "0x";
    *gt_hex_put(name + 2, pc) = '\0';
    return gt_recorder_text_of_frame(recorder, name, text);
}

/* The address of a frame is that after a call, which may be in the next function. */
static gt_status frame_name(gt_recorder *recorder, struct gt_recorder_frame *frame)
{
    gt_rec_name name = GT_REC_NAME_INIT;
    uint64_t pc = frame->pc - 1;
    if (recorder->name)
        recorder->name(recorder->user_data, pc, &name);
    const char *path = NULL, *found = gt_recorder_modules_name(recorder, pc, &path);
    if (!name.function)
        name.function = found;
    /* Whoever reads of a function wants to know at least where it is from. */
    if (!name.file)
        name.file = path;
    gt_status status = name.function
                           ? gt_recorder_text_of_frame(recorder, name.function, &frame->function)
                           : frame_hex(recorder, pc, &frame->function);
    if (status == GT_OK && name.file)
        status = gt_recorder_text_of_frame(recorder, name.file, &frame->file);
    if (name.line > 0)
        frame->line = name.line;
    return status;
}

struct gt_recorder_frame gt_recorder_frame_find(gt_recorder *recorder, uint64_t pc)
{
    /* An unwinder may return any number. */
    uint64_t text = pc > GT_STACK_TEXT_PC ? pc - GT_STACK_TEXT_PC : 0;
    if (text > 0 && text <= gt_atomic_get(&recorder->text_count))
        return (struct gt_recorder_frame){pc, (gt_rec_text) text, GT_RECORDER_TEXT_NO_FILE, 1};
    struct gt_recorder_frames *frames = &recorder->frames;
    const struct gt_recorder_frame *found;
    uint64_t hash = gt_hash(pc, recorder->texts.secret);
    GT_INDEX_FIND(found, &frames->list, &frames->index, hash, found->pc == pc);
    if (found)
        return *found;
    struct gt_recorder_frame frame = {pc, GT_RECORDER_TEXT_NO_FILE, GT_RECORDER_TEXT_NO_FILE, 1};
    /* Without memory for it or for its texts the frame is looked up again. */
    if (frame_name(recorder, &frame) == GT_OK)
        (void) gt_index_append(&frames->index, &frames->list, &recorder->mem, hash, frame);
    return frame;
}

void gt_recorder_frames_free(gt_recorder *recorder)
{
    gt_array_free(&recorder->mem, &recorder->frames.list);
    gt_index_free(&recorder->frames.index, &recorder->mem);
}
