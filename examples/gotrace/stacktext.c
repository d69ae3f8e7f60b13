/* SPDX-License-Identifier: BSD-3-Clause */
#include "stacktext.h"

#include <stdlib.h>

#include "list.h"

enum {
    /* Limits of the cache. Stacks beyond them are formatted each time. */
    SPAN_MAX = 1 << 20,
    TEXT_MAX = 64 << 20,
    /* What a frame takes besides its two names: the separators and two numbers. */
    FRAME_EXTRA = 16 + 2 * OUTPUT_NUMBER_MAX
};

void stacktext_init(struct stacktext *stacks, gt_reader *reader)
{
    *stacks = (struct stacktext){.reader = reader};
}

void stacktext_free(struct stacktext *stacks)
{
    free(stacks->spans);
    free(stacks->text);
}

static void stacktext_forget(struct stacktext *stacks, uint32_t generation)
{
    if (stacks->span_count != 0)
        memset(stacks->spans, 0, stacks->span_count * sizeof(*stacks->spans));
    stacks->text_size = 0;
    stacks->generation = generation;
}

/* Returns the cache entry of `slot`, or NULL if it is not to be cached. */
static struct stacktext_span *stacktext_find_span(struct stacktext *stacks, uint32_t slot)
{
    if (slot >= SPAN_MAX)
        return NULL;
    if (slot >= stacks->span_count) {
        size_t count = stacks->span_count;
        if (!list_reserve(&stacks->spans, &stacks->span_count, (size_t) slot + 1,
                          sizeof(*stacks->spans)))
            return NULL;
        memset(stacks->spans + count, 0, (stacks->span_count - count) * sizeof(*stacks->spans));
    }
    return &stacks->spans[slot];
}

/* Caches the text of the stack in `slot` if there is room. */
static void stacktext_keep(struct stacktext *stacks, uint32_t slot, const char *text, size_t size)
{
    struct stacktext_span *span = stacktext_find_span(stacks, slot);
    /* A stack without frames has no text, for which there need be no memory yet. */
    if (!span || size == 0 || size > TEXT_MAX - stacks->text_size)
        return;
    if (!list_reserve(&stacks->text, &stacks->text_capacity, stacks->text_size + size, 1))
        return;
    memcpy(stacks->text + stacks->text_size, text, size);
    *span = (struct stacktext_span){(uint32_t) stacks->text_size, (uint32_t) size};
    stacks->text_size += size;
}

static void stacktext_write_frame(struct output *out, const gt_frame *frame)
{
    output_bytes(out, "\t", 1);
    output_string(out, frame->function);
    char *to = output_reserve(out, FRAME_EXTRA);
    to = put_hex(put_text(to, " @ 0x"), frame->pc);
    output_commit(out, put_text(to, "\n\t\t"));
    output_string(out, frame->file);
    to = output_reserve(out, FRAME_EXTRA);
    *to++ = ':';
    to = put_unsigned(to, frame->line);
    *to++ = '\n';
    output_commit(out, to);
}

/* An upper bound of the size of the text, or OUTPUT_SIZE + 1 if that is larger. */
static size_t stacktext_bound_size(const gt_frame *frames, size_t count)
{
    size_t bound = 0;
    for (size_t i = 0; i < count && bound <= OUTPUT_SIZE; i++) {
        if (frames[i].function.size > OUTPUT_SIZE || frames[i].file.size > OUTPUT_SIZE)
            return OUTPUT_SIZE + 1;
        bound += frames[i].function.size + frames[i].file.size + 2 * FRAME_EXTRA;
    }
    return bound;
}

static gt_status stacktext_write_uncached(struct stacktext *stacks, struct output *out,
                                          gt_stack stack)
{
    const gt_frame *frames;
    size_t count;
    gt_status status = gt_stack_view(stacks->reader, stack, &frames, &count);
    if (status != GT_OK)
        return status;
    size_t bound = stacktext_bound_size(frames, count);
    /* Reserving first keeps the text in one piece in the buffer. */
    if (bound <= OUTPUT_SIZE)
        output_reserve(out, bound);
    size_t start = out->used;
    for (size_t i = 0; i < count; i++)
        stacktext_write_frame(out, &frames[i]);
    /* Escapes could exceed the bound. */
    if (bound <= OUTPUT_SIZE && !output_escapes(out))
        stacktext_keep(stacks, (uint32_t) stack, out->buffer + start, out->used - start);
    return GT_OK;
}

gt_status stacktext_write(struct stacktext *stacks, struct output *out, gt_stack stack)
{
    uint32_t generation = (uint32_t) (stack >> 32), slot = (uint32_t) stack;
    if (generation != stacks->generation)
        stacktext_forget(stacks, generation);
    if (slot < stacks->span_count && stacks->spans[slot].size != 0) {
        output_bytes(out, stacks->text + stacks->spans[slot].offset, stacks->spans[slot].size);
        return GT_OK;
    }
    return stacktext_write_uncached(stacks, out, stack);
}
