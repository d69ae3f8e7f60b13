/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/frames.h"

#include <string.h>

#include "base/hash.h"

enum {
    FIRST_SLOTS = 64
};

void gt_frames_init(struct gt_frames *frames, struct gt_mem *mem)
{
    memset(frames, 0, sizeof(*frames));
    frames->mem = mem;
    frames->secret = gt_hash_secret(frames);
}

void gt_frames_destroy(struct gt_frames *frames)
{
    gt_mem_free(frames->mem, frames->nodes, frames->capacity * sizeof(*frames->nodes));
    if (frames->slots)
        gt_mem_free(frames->mem, frames->slots, (frames->mask + 1) * sizeof(*frames->slots));
}

/* Each number is hashed with the secret, so that no sums of them can be made equal. */
static size_t home(const struct gt_frames *frames, uint32_t parent, uint64_t pc)
{
    return (size_t) gt_hash(pc ^ gt_hash(parent, frames->secret), frames->secret) & frames->mask;
}

uint32_t gt_frames_find(const struct gt_frames *frames, uint32_t parent, uint64_t pc)
{
    if (!frames->slots)
        return 0;
    for (size_t i = home(frames, parent, pc);; i = (i + 1) & frames->mask) {
        uint32_t id = frames->slots[i];
        if (id == 0)
            return 0;
        const struct gt_frame_node *node = &frames->nodes[id - 1];
        if (node->pc == pc && node->parent == parent)
            return id;
    }
}

static void place(struct gt_frames *frames, uint32_t id)
{
    const struct gt_frame_node *node = &frames->nodes[id - 1];
    size_t i = home(frames, node->parent, node->pc);
    while (frames->slots[i] != 0)
        i = (i + 1) & frames->mask;
    frames->slots[i] = id;
}

static gt_status grow_slots(struct gt_frames *frames)
{
    size_t old = frames->slots ? frames->mask + 1 : 0;
    size_t count = old != 0 ? old * 2 : FIRST_SLOTS;
    uint32_t *slots = gt_mem_alloc(frames->mem, count * sizeof(*slots));
    if (!slots)
        return gt_mem_failure(frames->mem);
    memset(slots, 0, count * sizeof(*slots));
    gt_mem_free(frames->mem, frames->slots, old * sizeof(*slots));
    frames->slots = slots;
    frames->mask = count - 1;
    for (size_t id = 1; id <= frames->count; id++)
        place(frames, (uint32_t) id);
    return GT_OK;
}

gt_status gt_frames_add(struct gt_frames *frames, uint32_t parent, uint64_t pc)
{
    if (frames->count == UINT32_MAX)
        return GT_ERR_LIMIT;
    gt_status status = gt_mem_reserve(frames->mem, &frames->nodes, &frames->capacity,
                                      frames->count + 1, sizeof(*frames->nodes));
    if (status == GT_OK && (frames->count + 1) * 2 > frames->mask)
        status = grow_slots(frames);
    if (status != GT_OK)
        return status;
    frames->nodes[frames->count++] = (struct gt_frame_node){.pc = pc, .parent = parent};
    place(frames, (uint32_t) frames->count);
    return GT_OK;
}
