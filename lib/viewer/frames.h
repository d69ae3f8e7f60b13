/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_FRAMES_H
#define GT_VIEWER_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct gt_frame_node {
    uint64_t pc;
    uint32_t parent;
};

/*
 * The frames of all stacks, as a tree: two stacks share what is equal from the
 * outermost frame on. A frame is known by its caller's id and its pc.
 */
struct gt_frames {
    struct gt_mem *mem;
    struct gt_frame_node *nodes; /* of frame 1, 2, ... */
    size_t capacity;
    size_t count;
    uint32_t *slots; /* ids by hash; 0 where free */
    size_t mask;     /* slots - 1, a power of two less one; 0 where there are none */
    uint64_t secret;
};

void gt_frames_init(struct gt_frames *frames, struct gt_mem *mem);
void gt_frames_destroy(struct gt_frames *frames);

/* The id of the frame, or 0. */
uint32_t gt_frames_find(const struct gt_frames *frames, uint32_t parent, uint64_t pc);

/* Adds a frame that is not there; its id is frames->count then. */
gt_status gt_frames_add(struct gt_frames *frames, uint32_t parent, uint64_t pc);

#endif
