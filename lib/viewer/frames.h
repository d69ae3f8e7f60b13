/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_FRAMES_H
#define GT_VIEWER_FRAMES_H

#include <stdint.h>

#include "base/array.h"
#include "base/index.h"

struct gt_frame_node {
    uint64_t pc;
    uint32_t parent;
};

/*
 * The frames of all stacks, as a tree: stacks share the frames that they have in common, from the
 * outermost one on. A frame is identified by its caller's id and its pc. Ids count from 1.
 */
struct gt_frames {
    struct gt_mem *mem;
    uint64_t secret;
    GT_ARRAY(struct gt_frame_node) nodes; /* by id - 1 */
    struct gt_index index;
};

void gt_frames_init(struct gt_frames *frames, struct gt_mem *mem);
void gt_frames_destroy(struct gt_frames *frames);

/* Returns the id of a frame, or 0 if there is no such frame. */
uint32_t gt_frames_find(const struct gt_frames *frames, uint32_t parent, uint64_t pc);

/* Adds a frame, which must be new. Its id is the number of frames after the call. */
gt_status gt_frames_add(struct gt_frames *frames, uint32_t parent, uint64_t pc);

#endif
