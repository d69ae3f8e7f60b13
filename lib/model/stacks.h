/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_STACKS_H
#define GT_MODEL_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/stack.h>

#include "base/mem.h"
#include "model/slots.h"
#include "model/strings.h"

/* What a frame is on the wire. */
struct gt_wire_frame {
    uint64_t pc;
    uint64_t function; /* string ids */
    uint64_t file;
    uint64_t line;
};

/* The first frame with its pc, as the generation's stacks come. */
struct gt_pc_entry {
    uint64_t pc;
    const uint8_t *frame; /* in the input; NULL where the entry is free */
};

/* A stack's frames, once they were asked for; NULL before, and where there are none. */
struct gt_decoded_stack {
    gt_frame *frames;
    size_t count;
};

/*
 * The stacks of a generation, where they lie in the input; decoded when first
 * asked for, as most are asked for many times or never. Slot 0 is no stack, GT_STACK_EMPTY_SLOT one
 * without frames.
 *
 * Frames are shared by pc, and the first definition wins, as in Go since 1.23
 * (internal/trace/generation.go, addStacks). So frames need an index by pc, which
 * is built when the first frame is asked for.
 */
struct gt_stacks {
    struct gt_mem *mem;
    struct gt_slots slots;
    const uint8_t **entries; /* by slot - 1: the number of frames, then the frames */
    size_t capacity;
    uint64_t frames; /* in all stacks */
    struct gt_pc_entry *pcs;
    size_t pcs_capacity;              /* a power of two; 0: not built */
    uint64_t pcs_secret;              /* of their hash */
    struct gt_decoded_stack *decoded; /* by slot - 1 */
    size_t decoded_count;             /* 0: none was asked for */
};

void gt_stacks_init(struct gt_stacks *stacks, struct gt_mem *mem);
void gt_stacks_destroy(struct gt_stacks *stacks);
void gt_stacks_clear(struct gt_stacks *stacks);

/*
 * Adds a stack under an id that is not 0; where it is there already, it is this
 * stack from now on. `data` is its number of
 * frames and the frames, which the caller has found to be well formed. All stacks
 * of a generation must be added before the first is decoded.
 */
gt_status gt_stacks_add(struct gt_stacks *stacks, uint64_t id, const uint8_t *data,
                        uint32_t frames);

/* Adds a stack that has no id, at `*slot`. */
gt_status gt_stacks_add_plain(struct gt_stacks *stacks, const uint8_t *data, uint32_t frames,
                              uint32_t *slot);

/* Whether there is a stack `id`; its slot then is `*slot`. Id 0 is no stack. */
static inline int gt_stacks_find(const struct gt_stacks *stacks, uint64_t id, uint32_t *slot)
{
    *slot = gt_slots_find(&stacks->slots, id);
    return *slot != 0 || id == 0;
}

/*
 * Looks for a frame that names a string which does not exist. Sets `*slot` to
 * its stack and `*bad` to the frame, or `*slot` to 0.
 */
gt_status gt_stacks_check(struct gt_stacks *stacks, const struct gt_strings *strings,
                          uint32_t *slot, struct gt_wire_frame *bad);

/* As gt_stack_view, for a slot that exists. */
gt_status gt_stacks_view(struct gt_stacks *stacks, const struct gt_strings *strings, uint32_t slot,
                         const gt_frame **frames, size_t *count);

/* Whether the frames of this slot were asked for before: then they are there. */
static inline int gt_stacks_is_decoded(const struct gt_stacks *stacks, uint32_t slot)
{
    return slot - 1 < stacks->decoded_count && stacks->decoded[slot - 1].frames;
}

#endif
