/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_STACKS_H
#define GT_MODEL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/stack.h>

#include "base/array.h"
#include "base/index.h"
#include "base/mem.h"
#include "model/slots.h"
#include "model/strings.h"

/* A frame as it is on the wire. */
struct gt_wire_frame {
    uint64_t pc;
    uint64_t function; /* string ids */
    uint64_t file;
    uint64_t line;
};

/* The first frame with this pc, in the order of the generation's stacks. */
struct gt_pc_frame {
    uint64_t pc;
    const uint8_t *data; /* in the input */
};

/* The frames of a stack, decoded on demand. NULL before that, and if it has none. */
struct gt_decoded_stack {
    gt_frame *frames;
    size_t count;
    uint32_t interned; /* its number in the whole trace; 0: not known yet */
};

/*
 * The stacks of a generation, in the input. Each is decoded when it is first requested, as most
 * are requested many times or never. Slot 0 means no stack, GT_STACK_EMPTY_SLOT a stack without
 * frames.
 *
 * Frames are shared by pc, and the first definition counts, as in Go since 1.23
 * (internal/trace/generation.go, addStacks). This takes an index by pc, which is built when a
 * stack is first requested.
 */
struct gt_stacks {
    struct gt_mem *mem;
    struct gt_slots slots;
    const uint8_t **entries; /* by slot - 1: the number of frames, then the frames */
    size_t capacity;
    GT_ARRAY(struct gt_pc_frame) pcs; /* empty until a stack is requested */
    struct gt_index pc_index;
    uint64_t pc_secret;               /* of its hash */
    struct gt_decoded_stack *decoded; /* by slot - 1 */
    size_t decoded_count;             /* 0: none was requested */
};

void gt_stacks_init(struct gt_stacks *stacks, struct gt_mem *mem);
void gt_stacks_destroy(struct gt_stacks *stacks);
void gt_stacks_clear(struct gt_stacks *stacks);

/*
 * Adds a stack with an id that is not 0; it replaces a stack with the same id. `data` is the number
 * of its frames and the frames, which the caller has checked to be well formed, and which must
 * outlive the stacks. All stacks of a generation must be added before the first is decoded.
 */
gt_status gt_stacks_add(struct gt_stacks *stacks, uint64_t id, const uint8_t *data);

/* Adds a stack that has no id; sets `*slot`. */
gt_status gt_stacks_add_plain(struct gt_stacks *stacks, const uint8_t *data, uint32_t *slot);

/* Sets `*slot` to that of stack `id`. Returns whether there is one; id 0 means no stack, slot 0. */
static inline bool gt_stacks_find(const struct gt_stacks *stacks, uint64_t id, uint32_t *slot)
{
    *slot = gt_slots_find(&stacks->slots, id);
    return *slot != 0 || id == 0;
}

/*
 * Looks for a frame that names a string which does not exist. Sets `*slot` to the slot of its
 * stack and `*bad` to the frame, or `*slot` to 0 if there is none.
 */
gt_status gt_stacks_check(struct gt_stacks *stacks, const struct gt_strings *strings,
                          uint32_t *slot, struct gt_wire_frame *bad);

/* The same as gt_stack_view, for a slot that exists. */
gt_status gt_stacks_view(struct gt_stacks *stacks, const struct gt_strings *strings, uint32_t slot,
                         const gt_frame **frames, size_t *count);

/* The number of frames of the stack in this slot, and the frames, as they were added. */
static inline const uint8_t *gt_stacks_data(const struct gt_stacks *stacks, uint32_t slot)
{
    return stacks->entries[slot - 1];
}

/* Whether the stack in this slot has frames that were decoded. */
static inline bool gt_stacks_is_decoded(const struct gt_stacks *stacks, uint32_t slot)
{
    return slot - 1 < stacks->decoded_count && stacks->decoded[slot - 1].frames;
}

#endif
