/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/frames.h"

#include <string.h>

#include "base/hash.h"

void gt_frames_init(struct gt_frames *frames, struct gt_mem *mem)
{
    memset(frames, 0, sizeof(*frames));
    frames->mem = mem;
    frames->secret = gt_hash_secret(frames);
}

void gt_frames_destroy(struct gt_frames *frames)
{
    gt_array_free(frames->mem, &frames->nodes);
    gt_index_free(&frames->index, frames->mem);
}

/* Both numbers are hashed with the secret, so that a trace cannot be crafted to make them
 * collide. */
static uint64_t frames_hash(const struct gt_frames *frames, uint32_t parent, uint64_t pc)
{
    return gt_hash(pc ^ gt_hash(parent, frames->secret), frames->secret);
}

uint32_t gt_frames_find(const struct gt_frames *frames, uint32_t parent, uint64_t pc)
{
    const struct gt_frame_node *node;
    GT_INDEX_FIND(node, &frames->nodes, &frames->index, frames_hash(frames, parent, pc),
                  node->pc == pc && node->parent == parent);
    return node ? (uint32_t) (node - frames->nodes.items) + 1 : 0;
}

gt_status gt_frames_add(struct gt_frames *frames, uint32_t parent, uint64_t pc)
{
    return gt_index_append(&frames->index, &frames->nodes, frames->mem,
                           frames_hash(frames, parent, pc), (struct gt_frame_node){pc, parent});
}
