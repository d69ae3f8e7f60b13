/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_FRAMES_H
#define GT_STORE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store_frame;

/* The frames of all stacks, by their ids, which come from 1 on. */
struct frames {
    struct store_frame *list;
    size_t count, room;
};

void frames_destroy(struct frames *frames);

/* The next frame. False: out of memory. */
bool frames_add(struct frames *frames, const struct store_frame *frame);
bool frames_get(const struct frames *frames, uint32_t id, struct store_frame *frame);
size_t frames_memory(const struct frames *frames);

#endif
