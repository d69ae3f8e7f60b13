/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/stacks.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "base/varint.h"

void gt_stacks_init(struct gt_stacks *stacks, struct gt_mem *mem)
{
    memset(stacks, 0, sizeof(*stacks));
    stacks->mem = mem;
    gt_slots_init(&stacks->slots, mem);
}

/*
 * These decode stacks that were checked before they were added: every varint ends within its
 * batch, so none is read past the end of the input.
 */

static const uint8_t *stack_read_frame(const uint8_t *p, struct gt_wire_frame *frame)
{
    frame->pc = gt_varint_trusted(&p);
    frame->function = gt_varint_trusted(&p);
    frame->file = gt_varint_trusted(&p);
    frame->line = gt_varint_trusted(&p);
    return p;
}

static uint64_t stack_frame_count(const struct gt_stacks *stacks, uint32_t slot)
{
    const uint8_t *p = stacks->entries[slot - 1];
    return gt_varint_trusted(&p);
}

static void stacks_free_decoded(struct gt_stacks *stacks)
{
    for (size_t i = 0; i < stacks->decoded_count; i++) {
        const struct gt_decoded_stack *decoded = &stacks->decoded[i];
        gt_mem_free(stacks->mem, decoded->frames, decoded->count * sizeof(gt_frame));
    }
    gt_mem_free(stacks->mem, stacks->decoded, stacks->decoded_count * sizeof(*stacks->decoded));
    stacks->decoded = NULL;
    stacks->decoded_count = 0;
}

static void stacks_free_pcs(struct gt_stacks *stacks)
{
    stacks_free_decoded(stacks);
    gt_array_free(stacks->mem, &stacks->pcs);
    gt_index_free(&stacks->pc_index, stacks->mem);
}

void gt_stacks_clear(struct gt_stacks *stacks)
{
    stacks_free_pcs(stacks);
    gt_slots_clear(&stacks->slots);
}

void gt_stacks_destroy(struct gt_stacks *stacks)
{
    stacks_free_pcs(stacks);
    gt_mem_free(stacks->mem, stacks->entries, stacks->capacity * sizeof(*stacks->entries));
    gt_slots_destroy(&stacks->slots);
    gt_stacks_init(stacks, stacks->mem);
}

static gt_status stacks_add_entry(struct gt_stacks *stacks, const uint8_t *data)
{
    size_t count = stacks->slots.count;
    gt_status status = gt_mem_reserve(stacks->mem, &stacks->entries, &stacks->capacity, count + 1,
                                      sizeof(*stacks->entries));
    if (status != GT_OK)
        return status;
    stacks->entries[count] = data;
    return GT_OK;
}

gt_status gt_stacks_add(struct gt_stacks *stacks, uint64_t id, const uint8_t *data)
{
    gt_status status = stacks_add_entry(stacks, data);
    return status != GT_OK ? status : gt_slots_add(&stacks->slots, id);
}

gt_status gt_stacks_add_plain(struct gt_stacks *stacks, const uint8_t *data, uint32_t *slot)
{
    gt_status status = stacks_add_entry(stacks, data);
    if (status == GT_OK)
        status = gt_slots_add_plain(&stacks->slots);
    *slot = stacks->slots.count;
    return status;
}

/* The first frame with this pc, or NULL. */
static const struct gt_pc_frame *stacks_pc_find(const struct gt_stacks *stacks, uint64_t pc,
                                                uint64_t hash)
{
    const struct gt_pc_frame *frame;
    GT_INDEX_FIND(frame, &stacks->pcs, &stacks->pc_index, hash, frame->pc == pc);
    return frame;
}

static gt_status stacks_pc_add(struct gt_stacks *stacks, uint64_t pc, const uint8_t *data)
{
    uint64_t hash = gt_hash(pc, stacks->pc_secret);
    if (stacks_pc_find(stacks, pc, hash))
        return GT_OK;
    return gt_index_append(&stacks->pc_index, &stacks->pcs, stacks->mem, hash,
                           (struct gt_pc_frame){pc, data});
}

/* Builds the index by pc, unless there is one. */
static gt_status stacks_index_pcs(struct gt_stacks *stacks)
{
    gt_status status = GT_OK;
    if (stacks->pcs.count != 0)
        return GT_OK;
    stacks->pc_secret = gt_hash_secret(stacks->entries);
    for (uint32_t i = 0; i < stacks->slots.count; i++) {
        const uint8_t *p = stacks->entries[i];
        for (uint64_t n = gt_varint_trusted(&p); n > 0 && status == GT_OK; n--) {
            struct gt_wire_frame frame;
            const uint8_t *start = p;
            p = stack_read_frame(p, &frame);
            status = stacks_pc_add(stacks, frame.pc, start);
        }
    }
    if (status != GT_OK)
        stacks_free_pcs(stacks);
    return status;
}

static void stacks_shared_frame(const struct gt_stacks *stacks, uint64_t pc,
                                struct gt_wire_frame *frame)
{
    const struct gt_pc_frame *first = stacks_pc_find(stacks, pc, gt_hash(pc, stacks->pc_secret));
    assert(first);
    stack_read_frame(first->data, frame);
}

static bool frame_strings_exist(const struct gt_strings *strings, const struct gt_wire_frame *frame)
{
    uint32_t slot;
    return gt_strings_find(strings, frame->function, &slot) &&
           gt_strings_find(strings, frame->file, &slot);
}

/* Only the first frame with a pc is used, so only that one must be right. */
gt_status gt_stacks_check(struct gt_stacks *stacks, const struct gt_strings *strings,
                          uint32_t *slot, struct gt_wire_frame *bad)
{
    for (uint32_t i = 0; i < stacks->slots.count; i++) {
        const uint8_t *p = stacks->entries[i];
        for (uint64_t n = gt_varint_trusted(&p); n > 0; n--) {
            p = stack_read_frame(p, bad);
            if (frame_strings_exist(strings, bad))
                continue;
            gt_status status = stacks_index_pcs(stacks);
            if (status != GT_OK)
                return status;
            stacks_shared_frame(stacks, bad->pc, bad);
            if (!frame_strings_exist(strings, bad)) {
                *slot = i + 1;
                return GT_OK;
            }
        }
    }
    *slot = 0;
    return GT_OK;
}

static gt_string frame_string(const struct gt_strings *strings, uint64_t id)
{
    uint32_t slot;
    gt_strings_find(strings, id, &slot);
    return gt_strings_get(strings, slot);
}

/* Prepares to decode stacks: builds the index by pc, and allocates a place for each stack. */
static gt_status stacks_prepare(struct gt_stacks *stacks)
{
    if (stacks->decoded_count != 0)
        return GT_OK;
    gt_status status = stacks_index_pcs(stacks);
    if (status != GT_OK)
        return status;
    size_t bytes = stacks->slots.count * sizeof(*stacks->decoded);
    stacks->decoded = gt_mem_alloc(stacks->mem, bytes);
    if (!stacks->decoded)
        return gt_mem_failure(stacks->mem);
    memset(stacks->decoded, 0, bytes);
    stacks->decoded_count = stacks->slots.count;
    return GT_OK;
}

static gt_status stack_decode(struct gt_stacks *stacks, const struct gt_strings *strings,
                              uint32_t slot)
{
    size_t count = (size_t) stack_frame_count(stacks, slot);
    gt_frame *frames = gt_mem_alloc(stacks->mem, count * sizeof(*frames));
    if (!frames)
        return gt_mem_failure(stacks->mem);
    const uint8_t *p = stacks->entries[slot - 1];
    gt_varint_trusted(&p);
    for (size_t i = 0; i < count; i++) {
        struct gt_wire_frame wire;
        p = stack_read_frame(p, &wire);
        stacks_shared_frame(stacks, wire.pc, &wire);
        frames[i].pc = wire.pc;
        frames[i].line = wire.line;
        frames[i].function = frame_string(strings, wire.function);
        frames[i].file = frame_string(strings, wire.file);
    }
    stacks->decoded[slot - 1] = (struct gt_decoded_stack){frames, count, 0};
    return GT_OK;
}

gt_status gt_stacks_view(struct gt_stacks *stacks, const struct gt_strings *strings, uint32_t slot,
                         const gt_frame **frames, size_t *count)
{
    *frames = NULL;
    *count = 0;
    if (slot == 0 || slot == GT_STACK_EMPTY_SLOT || stack_frame_count(stacks, slot) == 0)
        return GT_OK;
    gt_status status = stacks_prepare(stacks);
    if (status == GT_OK && !gt_stacks_is_decoded(stacks, slot))
        status = stack_decode(stacks, strings, slot);
    if (status != GT_OK)
        return status;
    *frames = stacks->decoded[slot - 1].frames;
    *count = stacks->decoded[slot - 1].count;
    return GT_OK;
}
