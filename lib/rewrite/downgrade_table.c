/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/downgrade_table.h"

#include <string.h>

#include <gotrace/stack.h>
#include <gotrace/wire.h>

#include "base/error.h"
#include "base/varint.h"
#include "model/table.h"
#include "rewrite/downgrade_stream.h"
#include "v1/spec.h"

enum {
    FRAME_MAX = 4 * GT_VARINT_MAX,
    FRAMES_MAX = GT_DOWNGRADE_STACK_MAX - GT_VARINT_MAX,
    HEAD_MAX = 1 + 3 * GT_VARINT_MAX
};

gt_status gt_downgrade_text(struct gt_downgrader *d, gt_string text, uint64_t *id)
{
    uint32_t number;
    *id = 0;
    if (gt_texts_add(&d->texts, text, &number) != GT_OK)
        return gt_downgrade_no_memory(d);
    *id = number;
    return GT_OK;
}

/* Encodes a frame, and adds its texts. */
static gt_status table_put_frame(struct gt_downgrader *d, const gt_frame *frame, uint8_t **to)
{
    uint64_t function, file;
    gt_status status = gt_downgrade_text(d, frame->function, &function);
    if (status == GT_OK)
        status = gt_downgrade_text(d, frame->file, &file);
    if (status != GT_OK)
        return status;
    *to = gt_varint_put(*to, frame->pc);
    *to = gt_varint_put(*to, function);
    *to = gt_varint_put(*to, file);
    *to = gt_varint_put(*to, frame->line);
    return GT_OK;
}

/* Adds a stack of these frames, leaf first, as far as there is room. */
static gt_status table_add_stack(struct gt_downgrader *d, const gt_frame *frames, size_t count,
                                 uint64_t *id)
{
    /* The frames follow room for their number, which is known only when all are encoded. */
    uint8_t *frames_at = d->stack_record + GT_VARINT_MAX, number_of_frames[GT_VARINT_MAX];
    size_t size = 0, kept = 0;
    uint32_t number;
    for (; kept < count; kept++) {
        uint8_t frame[FRAME_MAX];
        uint8_t *end = frame;
        gt_status status = table_put_frame(d, &frames[kept], &end);
        if (status != GT_OK)
            return status;
        if (size + (size_t) (end - frame) > FRAMES_MAX)
            break;
        memcpy(frames_at + size, frame, (size_t) (end - frame));
        size += (size_t) (end - frame);
    }
    d->info.frames += count - kept;
    size_t head = (size_t) (gt_varint_put(number_of_frames, kept) - number_of_frames);
    memcpy(frames_at - head, number_of_frames, head);
    const gt_string stack = {(const char *) frames_at - head, head + size};
    if (gt_texts_add(&d->stacks, stack, &number) != GT_OK)
        return gt_downgrade_no_memory(d);
    *id = number;
    return GT_OK;
}

static gt_status table_frames(struct gt_downgrader *d, const gt_event *event, gt_stack stack,
                              const gt_frame **frames, size_t *count)
{
    gt_status status = gt_event_frames(d->reader, event, stack, frames, count);
    return status == GT_OK ? GT_OK : gt_error_plain(&d->error, status);
}

static bool stack_is_empty(gt_stack stack)
{
    return stack == GT_STACK_NONE || (uint32_t) stack == GT_STACK_EMPTY_SLOT;
}

gt_status gt_downgrade_stack(struct gt_downgrader *d, const gt_event *event, gt_stack stack,
                             uint64_t *id)
{
    uint32_t slot = (uint32_t) stack;
    const gt_frame *frames;
    size_t count;
    *id = 0;
    if (stack_is_empty(stack))
        return GT_OK;
    if (d->stack_table != stack >> 32) {
        d->stack_table = (uint32_t) (stack >> 32);
        d->stack_ids.count = 0;
    }
    if (d->stack_ids.count <= slot &&
        gt_array_extend(&d->mem, &d->stack_ids, (size_t) slot + 1) != GT_OK)
        return gt_downgrade_no_memory(d);
    uint32_t known = d->stack_ids.items[slot];
    if (known != 0) {
        *id = known - 1;
        return GT_OK;
    }
    gt_status status = table_frames(d, event, stack, &frames, &count);
    if (status == GT_OK && count != 0)
        status = table_add_stack(d, frames, count, id);
    if (status == GT_OK)
        d->stack_ids.items[slot] = (uint32_t) *id + 1;
    return status;
}

gt_status gt_downgrade_root(struct gt_downgrader *d, const gt_event *event, gt_stack stack,
                            uint64_t *id)
{
    const gt_frame *frames;
    size_t count;
    *id = 0;
    if (stack_is_empty(stack))
        return GT_OK;
    gt_status status = table_frames(d, event, stack, &frames, &count);
    return status == GT_OK && count != 0 ? table_add_stack(d, &frames[count - 1], 1, id) : status;
}

gt_status gt_downgrade_some_stack(struct gt_downgrader *d, uint64_t known, uint64_t *id)
{
    static const gt_frame nothing = {0, 0, {"", 0}, {"", 0}};
    *id = known;
    return known != 0 ? GT_OK : table_add_stack(d, &nothing, 1, id);
}

static gt_status table_write_stack(struct gt_downgrader *d, uint64_t id, gt_string frames)
{
    uint8_t head[HEAD_MAX], number[GT_VARINT_MAX];
    size_t size = (size_t) (gt_varint_put(number, id) - number);
    uint8_t *to = head;
    *to++ = GT_V1_STACK | GT_V1_COUNTED << 6;
    to = gt_varint_put(to, size + frames.size);
    memcpy(to, number, size);
    gt_status status = gt_downgrade_bytes(d, head, (size_t) (to - head) + size);
    return status == GT_OK ? gt_downgrade_bytes(d, frames.data, frames.size) : status;
}

static gt_status table_write_text(struct gt_downgrader *d, uint64_t id, gt_string text)
{
    uint8_t head[HEAD_MAX];
    uint8_t *to = head;
    *to++ = GT_V1_STRING;
    to = gt_varint_put(to, id);
    to = gt_varint_put(to, text.size);
    gt_status status = gt_downgrade_bytes(d, head, (size_t) (to - head));
    return status == GT_OK ? gt_downgrade_bytes(d, text.data, text.size) : status;
}

gt_status gt_downgrade_tables_flush(struct gt_downgrader *d)
{
    gt_status status = GT_OK;
    for (size_t i = 1; status == GT_OK && i < d->stacks.list.count; i++)
        status = table_write_stack(d, i, d->stacks.list.items[i]);
    for (size_t i = 1; status == GT_OK && i < d->texts.list.count; i++)
        status = table_write_text(d, i, d->texts.list.items[i]);
    return status;
}
