/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/stackset.h"

#include <string.h>

#include <gotrace/reader.h>

#include "base/hash.h"

enum {
    /* How many slots there may be at first, and for each stack. */
    SLOTS_FEW = 1 << 16,
    SLOTS_PER_STACK = 16
};

gt_status gt_stackset_init(struct gt_stackset *set, struct gt_mem *mem)
{
    memset(set, 0, sizeof(*set));
    set->mem = mem;
    set->generation = UINT32_MAX;
    gt_status status = gt_texts_init(&set->texts, mem);
    uint32_t empty;
    return status == GT_OK ? gt_stackset_number(set, NULL, NULL, GT_STACK_NONE, &empty) : status;
}

void gt_stackset_destroy(struct gt_stackset *set)
{
    struct gt_mem *mem = set->mem;
    gt_texts_destroy(&set->texts);
    gt_array_free(mem, &set->frames);
    gt_index_free(&set->frame_index, mem);
    gt_array_free(mem, &set->stacks);
    gt_index_free(&set->index, mem);
    gt_array_free(mem, &set->frame_numbers);
    gt_array_free(mem, &set->slots);
}

static uint64_t stackset_frame_hash(const struct gt_stackset *set,
                                    const struct gt_stackset_frame *frame)
{
    uint64_t hash = gt_hash_pair(frame->pc, frame->line, set->texts.secret);
    return gt_hash(hash ^ ((uint64_t) frame->file << 32 | frame->function), set->texts.secret);
}

/* Sets `*number` to the number of the frame, which is added if it is new. */
static gt_status stackset_frame_add(struct gt_stackset *set, const struct gt_stackset_frame *frame,
                                    uint32_t *number)
{
    uint64_t hash = stackset_frame_hash(set, frame);
    const struct gt_stackset_frame *known;
    GT_INDEX_FIND(known, &set->frames, &set->frame_index, hash,
                  known->pc == frame->pc && known->line == frame->line &&
                      known->function == frame->function && known->file == frame->file);
    *number = (uint32_t) gt_array_index(&set->frames, known);
    return known ? GT_OK : gt_index_append(&set->frame_index, &set->frames, set->mem, hash, *frame);
}

static gt_status stackset_frame_number(struct gt_stackset *set, const gt_frame *decoded,
                                       uint32_t *number)
{
    struct gt_stackset_frame frame = {decoded->pc, decoded->line, 0, 0};
    gt_status status = gt_texts_add(&set->texts, decoded->function, &frame.function);
    if (status == GT_OK)
        status = gt_texts_add(&set->texts, decoded->file, &frame.file);
    return status == GT_OK ? stackset_frame_add(set, &frame, number) : status;
}

/* The decoded frames of a stack of the reader. */
struct decoded_stack {
    const gt_frame *frames;
    size_t count;
    size_t kept; /* the number of leading frames that a set keeps */
};

static uint64_t stackset_hash(const struct gt_stackset *set, const struct decoded_stack *decoded)
{
    uint64_t hash = decoded->kept;
    for (size_t i = 0; i < decoded->kept; i++)
        hash = gt_hash(hash ^ decoded->frames[i].pc, set->texts.secret);
    return hash;
}

static const struct gt_stackset_frame *
stackset_frame_at(const struct gt_stackset *set, const struct gt_stackset_stack *stack, size_t i)
{
    return &set->frames.items[set->frame_numbers.items[stack->first + i]];
}

static bool stackset_is_same(const struct gt_stackset *set, const struct gt_stackset_stack *stack,
                             const struct decoded_stack *decoded)
{
    if (stack->count != decoded->kept)
        return false;
    for (size_t i = 0; i < decoded->kept; i++) {
        if (stackset_frame_at(set, stack, i)->pc != decoded->frames[i].pc)
            return false;
    }
    return true;
}

/* Returns the number of leading frames that a set keeps. */
static size_t stackset_kept_frames(const gt_frame *frames, size_t count)
{
    if (count > GT_STACK_MAX_FRAMES)
        count = GT_STACK_MAX_FRAMES;
    while (count > 0 && frames[count - 1].pc == 0)
        count--;
    return count;
}

/* Appends the numbers of the frames after those that are in use. */
static gt_status stackset_frames_add(struct gt_stackset *set, const gt_frame *frames, size_t count)
{
    gt_status status = gt_array_reserve(set->mem, &set->frame_numbers, count);
    size_t first = set->frame_numbers.count;
    for (size_t i = 0; i < count && status == GT_OK; i++)
        status = stackset_frame_number(set, &frames[i], &set->frame_numbers.items[first + i]);
    return status;
}

static gt_status stackset_add(struct gt_stackset *set, const struct decoded_stack *decoded,
                              uint64_t hash)
{
    if (set->stacks.count >= GT_STACKSET_MAX)
        return GT_ERR_LIMIT;
    struct gt_stackset_stack stack = {set->frame_numbers.count, (uint32_t) decoded->kept, 0,
                                      decoded->kept == 1 && decoded->frames[0].pc == 0};
    gt_status status = stackset_frames_add(set, decoded->frames, decoded->kept);
    if (status == GT_OK && decoded->count > 0)
        status =
            gt_texts_add(&set->texts, decoded->frames[decoded->count - 1].function, &stack.root);
    if (status == GT_OK)
        status = gt_index_append(&set->index, &set->stacks, set->mem, hash, stack);
    if (status == GT_OK)
        set->frame_numbers.count += stack.count;
    return status;
}

/* Sets `*number` to the number of the stack with these frames, which is added if it is new. */
static gt_status stackset_number_decoded(struct gt_stackset *set, const gt_frame *frames,
                                         size_t count, uint32_t *number)
{
    struct decoded_stack decoded = {frames, count, stackset_kept_frames(frames, count)};
    if (decoded.kept == 0 && set->keeps_blank)
        decoded.kept = count > 0;
    uint64_t hash = stackset_hash(set, &decoded);
    const struct gt_stackset_stack *known;
    GT_INDEX_FIND(known, &set->stacks, &set->index, hash, stackset_is_same(set, known, &decoded));
    *number = (uint32_t) gt_array_index(&set->stacks, known);
    return known ? GT_OK : stackset_add(set, &decoded, hash);
}

/*
 * Whether a stack may have a slot. A reader numbers its stacks one by one, but hosts make events
 * with any number, which must not cost memory. A stack without a slot is decoded each time.
 */
static bool stackset_has_slot(const struct gt_stackset *set, gt_stack stack)
{
    uint32_t slot = (uint32_t) stack;
    return slot < SLOTS_FEW || slot / SLOTS_PER_STACK < set->stacks.count;
}

/* Makes room for the slot of a stack. Slots of a previous generation are dropped. */
static gt_status stackset_slot_prepare(struct gt_stackset *set, gt_stack stack)
{
    if ((uint32_t) (stack >> 32) != set->generation) {
        set->generation = (uint32_t) (stack >> 32);
        set->slots.count = 0;
    }
    if (!stackset_has_slot(set, stack))
        return GT_OK;
    return gt_array_extend(set->mem, &set->slots, (size_t) (uint32_t) stack + 1);
}

gt_status gt_stackset_number_new(struct gt_stackset *set, struct gt_reader *reader,
                                 const gt_event *event, gt_stack stack, uint32_t *number)
{
    *number = 0;
    if (stack == GT_STACK_NONE || (uint32_t) stack == GT_STACK_EMPTY_SLOT)
        return set->stacks.count > 0 ? GT_OK : stackset_number_decoded(set, NULL, 0, number);
    gt_status status = stackset_slot_prepare(set, stack);
    const gt_frame *frames = NULL;
    size_t count = 0;
    if (status == GT_OK)
        status = gt_event_frames(reader, event, stack, &frames, &count);
    if (status == GT_OK)
        status = stackset_number_decoded(set, frames, count, number);
    if (status == GT_OK && (uint32_t) stack < set->slots.count)
        set->slots.items[(uint32_t) stack] = *number + 1;
    return status;
}

gt_string gt_stackset_root(const struct gt_stackset *set, uint32_t number)
{
    return set->texts.list.items[set->stacks.items[number].root];
}

size_t gt_stackset_frames(const struct gt_stackset *set, uint32_t number, gt_frame *frames,
                          size_t capacity)
{
    const struct gt_stackset_stack *stack = &set->stacks.items[number];
    for (size_t i = 0; i < stack->count && i < capacity; i++) {
        const struct gt_stackset_frame *frame = stackset_frame_at(set, stack, i);
        frames[i] = (gt_frame){frame->pc, frame->line, set->texts.list.items[frame->function],
                               set->texts.list.items[frame->file]};
    }
    return stack->count;
}

int gt_stackset_compare(const struct gt_stackset *set, uint32_t a, uint32_t b)
{
    const struct gt_stackset_stack *left = &set->stacks.items[a], *right = &set->stacks.items[b];
    for (size_t i = 0; i < left->count && i < right->count; i++) {
        uint64_t left_pc = stackset_frame_at(set, left, i)->pc,
                 right_pc = stackset_frame_at(set, right, i)->pc;
        if (left_pc != right_pc)
            return left_pc < right_pc ? -1 : 1;
    }
    return left->count == right->count ? 0 : left->count < right->count ? -1 : 1;
}
