/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/stackset.h"

#include <string.h>

#include <gotrace/reader.h>

#include "base/hash.h"

gt_status gt_stackset_init(struct gt_stackset *set, struct gt_mem *mem)
{
    memset(set, 0, sizeof(*set));
    set->mem = mem;
    set->generation = UINT32_MAX;
    gt_status status = gt_stackset_texts_init(&set->texts, mem);
    uint32_t empty;
    return status == GT_OK ? gt_stackset_number(set, NULL, GT_STACK_NONE, &empty) : status;
}

void gt_stackset_destroy(struct gt_stackset *set)
{
    struct gt_mem *mem = set->mem;
    gt_stackset_texts_destroy(&set->texts);
    gt_mem_free(mem, set->frames, set->frame_capacity * sizeof(*set->frames));
    gt_stackset_index_free(mem, &set->frame_index);
    gt_mem_free(mem, set->stacks, set->capacity * sizeof(*set->stacks));
    gt_stackset_index_free(mem, &set->index);
    gt_mem_free(mem, set->frame_numbers, set->number_capacity * sizeof(*set->frame_numbers));
    gt_mem_free(mem, set->slots, set->slot_capacity * sizeof(*set->slots));
}

static gt_status add_frame(struct gt_stackset *set, const struct gt_stackset_frame *frame,
                           uint32_t hash, uint32_t *number)
{
    if (set->frame_count >= UINT32_MAX)
        return GT_ERR_LIMIT;
    gt_status status = gt_mem_reserve(set->mem, &set->frames, &set->frame_capacity,
                                      set->frame_count + 1, sizeof(*set->frames));
    if (status != GT_OK)
        return status;
    *number = (uint32_t) set->frame_count;
    status = gt_stackset_index_add(set->mem, &set->frame_index, hash, *number);
    if (status == GT_OK)
        set->frames[set->frame_count++] = *frame;
    return status;
}

static gt_status number_frame(struct gt_stackset *set, const gt_frame *decoded, uint32_t *number)
{
    struct gt_stackset_frame frame = {decoded->pc, decoded->line, 0, 0};
    gt_status status = gt_stackset_texts_number(&set->texts, decoded->function, &frame.function);
    if (status == GT_OK)
        status = gt_stackset_texts_number(&set->texts, decoded->file, &frame.file);
    if (status != GT_OK)
        return status;
    uint64_t hash = gt_hash(frame.pc, set->texts.secret);
    hash = gt_hash(hash ^ frame.line, set->texts.secret);
    hash = gt_hash(hash ^ ((uint64_t) frame.file << 32 | frame.function), set->texts.secret);
    uint32_t id;
    size_t at = (uint32_t) hash & set->frame_index.mask;
    while ((id = gt_stackset_next(&set->frame_index, (uint32_t) hash, &at)) != 0) {
        const struct gt_stackset_frame *known = &set->frames[id - 1];
        if (known->pc == frame.pc && known->line == frame.line &&
            known->function == frame.function && known->file == frame.file) {
            *number = id - 1;
            return GT_OK;
        }
    }
    return add_frame(set, &frame, (uint32_t) hash, number);
}

/* A stack as the reader has it. */
struct decoded {
    const gt_frame *frames;
    size_t count;
    size_t kept; /* of them, in a set */
};

static uint32_t hash_pcs(const struct gt_stackset *set, const struct decoded *decoded)
{
    uint64_t hash = decoded->kept;
    for (size_t i = 0; i < decoded->kept; i++)
        hash = gt_hash(hash ^ decoded->frames[i].pc, set->texts.secret);
    return (uint32_t) hash;
}

static const struct gt_stackset_frame *frame_of(const struct gt_stackset *set,
                                                const struct gt_stackset_stack *stack, size_t i)
{
    return &set->frames[set->frame_numbers[stack->first + i]];
}

static int is_same(const struct gt_stackset *set, const struct gt_stackset_stack *stack,
                   const struct decoded *decoded)
{
    if (stack->count != decoded->kept)
        return 0;
    for (size_t i = 0; i < decoded->kept; i++) {
        if (frame_of(set, stack, i)->pc != decoded->frames[i].pc)
            return 0;
    }
    return 1;
}

/* How many of the frames are kept. */
static size_t kept(const gt_frame *frames, size_t count)
{
    if (count > GT_STACK_MAX_FRAMES)
        count = GT_STACK_MAX_FRAMES;
    while (count > 0 && frames[count - 1].pc == 0)
        count--;
    return count;
}

/* Puts the numbers of the first frames behind the numbers that are there. */
static gt_status number_frames(struct gt_stackset *set, const gt_frame *frames, size_t count)
{
    gt_status status = gt_mem_reserve(set->mem, &set->frame_numbers, &set->number_capacity,
                                      set->number_count + count, sizeof(*set->frame_numbers));
    for (size_t i = 0; i < count && status == GT_OK; i++)
        status = number_frame(set, &frames[i], &set->frame_numbers[set->number_count + i]);
    return status;
}

static gt_status add_stack(struct gt_stackset *set, const struct decoded *decoded, uint32_t hash)
{
    if (set->count >= GT_STACKSET_MAX)
        return GT_ERR_LIMIT;
    struct gt_stackset_stack stack = {set->number_count, (uint32_t) decoded->kept, 0};
    gt_status status = gt_mem_reserve(set->mem, &set->stacks, &set->capacity, set->count + 1,
                                      sizeof(*set->stacks));
    if (status == GT_OK)
        status = number_frames(set, decoded->frames, decoded->kept);
    if (status == GT_OK && decoded->count > 0)
        status = gt_stackset_texts_number(&set->texts, decoded->frames[decoded->count - 1].function,
                                          &stack.root);
    if (status == GT_OK)
        status = gt_stackset_index_add(set->mem, &set->index, hash, (uint32_t) set->count);
    if (status != GT_OK)
        return status;
    set->stacks[set->count++] = stack;
    set->number_count += stack.count;
    return GT_OK;
}

/* The number of the stack that has these frames. */
static gt_status number_decoded(struct gt_stackset *set, const gt_frame *frames, size_t count,
                                uint32_t *number)
{
    const struct decoded decoded = {frames, count, kept(frames, count)};
    uint32_t hash = hash_pcs(set, &decoded), id;
    size_t at = hash & set->index.mask;
    while ((id = gt_stackset_next(&set->index, hash, &at)) != 0) {
        if (is_same(set, &set->stacks[id - 1], &decoded)) {
            *number = id - 1;
            return GT_OK;
        }
    }
    *number = (uint32_t) set->count;
    return add_stack(set, &decoded, hash);
}

/* Makes room for a slot, and forgets those of another generation. */
static gt_status prepare_slot(struct gt_stackset *set, gt_stack stack)
{
    if ((uint32_t) (stack >> 32) != set->generation) {
        set->generation = (uint32_t) (stack >> 32);
        set->slot_count = 0;
    }
    size_t count = (size_t) (uint32_t) stack + 1;
    if (count <= set->slot_count)
        return GT_OK;
    gt_status status =
        gt_mem_reserve(set->mem, &set->slots, &set->slot_capacity, count, sizeof(*set->slots));
    if (status != GT_OK)
        return status;
    memset(set->slots + set->slot_count, 0, (count - set->slot_count) * sizeof(*set->slots));
    set->slot_count = count;
    return GT_OK;
}

gt_status gt_stackset_number_new(struct gt_stackset *set, struct gt_reader *reader, gt_stack stack,
                                 uint32_t *number)
{
    *number = 0;
    if (stack == GT_STACK_NONE || (uint32_t) stack == GT_STACK_EMPTY_SLOT)
        return set->count > 0 ? GT_OK : number_decoded(set, NULL, 0, number);
    gt_status status = prepare_slot(set, stack);
    const gt_frame *frames = NULL;
    size_t count = 0;
    if (status == GT_OK)
        status = gt_stack_view(reader, stack, &frames, &count);
    if (status == GT_OK)
        status = number_decoded(set, frames, count, number);
    if (status == GT_OK)
        set->slots[(uint32_t) stack] = *number + 1;
    return status;
}

gt_string gt_stackset_root(const struct gt_stackset *set, uint32_t number)
{
    return set->texts.list[set->stacks[number].root];
}

size_t gt_stackset_frames(const struct gt_stackset *set, uint32_t number, gt_frame *frames,
                          size_t capacity)
{
    const struct gt_stackset_stack *stack = &set->stacks[number];
    for (size_t i = 0; i < stack->count && i < capacity; i++) {
        const struct gt_stackset_frame *frame = frame_of(set, stack, i);
        frames[i] = (gt_frame){frame->pc, frame->line, set->texts.list[frame->function],
                               set->texts.list[frame->file]};
    }
    return stack->count;
}

int gt_stackset_compare(const struct gt_stackset *set, uint32_t a, uint32_t b)
{
    const struct gt_stackset_stack *left = &set->stacks[a], *right = &set->stacks[b];
    for (size_t i = 0; i < left->count && i < right->count; i++) {
        uint64_t left_pc = frame_of(set, left, i)->pc, right_pc = frame_of(set, right, i)->pc;
        if (left_pc != right_pc)
            return left_pc < right_pc ? -1 : 1;
    }
    return left->count == right->count ? 0 : left->count < right->count ? -1 : 1;
}
