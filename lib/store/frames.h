/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_FRAMES_H
#define GT_STORE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gt_store_frame;

/* The frames of all stacks. Their ids count from 1. */
struct gt_store_frames {
    struct gt_store_frame *list;
    size_t count, room;
};

void gt_store_frames_destroy(struct gt_store_frames *frames);

/* Adds a frame, which gets the next id. False: out of memory. */
bool gt_store_frames_add(struct gt_store_frames *frames, const struct gt_store_frame *frame);
bool gt_frames_get(const struct gt_store_frames *frames, uint32_t id, struct gt_store_frame *frame);
size_t gt_frames_memory(const struct gt_store_frames *frames);

#endif
