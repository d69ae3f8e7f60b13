/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/kept_stack.h"

#include <string.h>

#include "reader/reader.h"

void gt_kept_stacks_init(struct gt_kept_stacks *kept, struct gt_mem *mem,
                         struct gt_shared_texts *texts)
{
    kept->mem = mem;
    kept->texts = texts;
    gt_idmap_init_objects(&kept->stacks, mem, sizeof(struct gt_kept_stack));
}

/* How many bytes the frames take, and behind them the texts of each: its function and its file. */
static size_t kept_frames_size(size_t count)
{
    return count * (sizeof(gt_frame) + 2 * sizeof(struct gt_shared_text *));
}

static struct gt_shared_text **kept_frames_texts(gt_frame *frames, size_t count)
{
    return (struct gt_shared_text **) (frames + count);
}

void gt_kept_stacks_destroy(struct gt_kept_stacks *kept)
{
    size_t place = 0;
    struct gt_kept_stack *stack;
    while ((stack = gt_idmap_next(&kept->stacks, &place)) != NULL)
        gt_mem_free(kept->mem, stack->frames, kept_frames_size(stack->count));
    gt_idmap_destroy(&kept->stacks);
}

/* Frees frames of which only the first `known` texts have been taken. */
static void kept_frames_free(struct gt_kept_stacks *kept, gt_frame *frames, size_t count,
                             size_t known)
{
    struct gt_shared_text **texts = kept_frames_texts(frames, count);
    for (size_t i = 0; i < known; i++)
        gt_shared_text_drop(kept->texts, texts[i]);
    gt_mem_free(kept->mem, frames, kept_frames_size(count));
}

/* Returns a copy of frames, or NULL on failure; see gt_mem_failure. */
static gt_frame *kept_frames_copy(struct gt_kept_stacks *kept, const gt_frame *frames, size_t count)
{
    gt_frame *copy = gt_mem_alloc(kept->mem, kept_frames_size(count));
    if (!copy)
        return NULL;
    struct gt_shared_text **texts = kept_frames_texts(copy, count);
    memcpy(copy, frames, count * sizeof(*copy));
    for (size_t i = 0; i < 2 * count; i++) {
        gt_string *string = i % 2 == 0 ? &copy[i / 2].function : &copy[i / 2].file;
        texts[i] = gt_shared_text_get(kept->texts, *string);
        if (!texts[i]) {
            kept_frames_free(kept, copy, count, i);
            return NULL;
        }
        *string = texts[i]->string;
    }
    return copy;
}

static gt_status kept_stack_add(struct gt_kept_stacks *kept, gt_stack stack, const gt_frame *frames,
                                size_t count)
{
    gt_frame *copy = kept_frames_copy(kept, frames, count);
    if (!copy)
        return gt_mem_failure(kept->mem);
    struct gt_kept_stack *added = gt_idmap_add(&kept->stacks, stack);
    if (!added) {
        gt_status status = gt_mem_failure(kept->mem);
        kept_frames_free(kept, copy, count, 2 * count);
        return status;
    }
    *added = (struct gt_kept_stack){.frames = copy, .count = count, .references = 1};
    return GT_OK;
}

gt_status gt_kept_stack_hold(struct gt_kept_stacks *kept, struct gt_reader *reader, gt_stack stack,
                             bool *is_held)
{
    struct gt_kept_stack *known = gt_kept_stack_find(kept, stack);
    const gt_frame *frames;
    size_t count;
    gt_status status = GT_OK;
    if (known) {
        known->references++;
    } else {
        status = gt_reader_stack_view(reader, stack, &frames, &count);
        if (status == GT_ERR_EXPIRED || (status == GT_OK && count == 0))
            return GT_OK;
        if (status == GT_OK)
            status = kept_stack_add(kept, stack, frames, count);
    }
    *is_held = status == GT_OK;
    return status;
}

void gt_kept_stack_drop(struct gt_kept_stacks *kept, gt_stack stack)
{
    struct gt_kept_stack *known = gt_kept_stack_find(kept, stack);
    if (--known->references != 0)
        return;
    kept_frames_free(kept, known->frames, known->count, 2 * known->count);
    gt_idmap_drop(&kept->stacks, stack, known);
}
