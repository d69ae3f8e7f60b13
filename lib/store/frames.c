/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/frames.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/store.h"

void gt_store_frames_destroy(struct gt_store_frames *frames)
{
    free(frames->list);
    memset(frames, 0, sizeof(*frames));
}

bool gt_store_frames_add(struct gt_store_frames *frames, const struct gt_store_frame *frame)
{
    if (!gt_store_array_reserve(&frames->list, &frames->room, frames->count + 1, sizeof(*frame)))
        return false;
    frames->list[frames->count++] = *frame;
    return true;
}

bool gt_frames_get(const struct gt_store_frames *frames, uint32_t id, struct gt_store_frame *frame)
{
    if (id == 0 || id > frames->count)
        return false;
    *frame = frames->list[id - 1];
    return true;
}

size_t gt_frames_memory(const struct gt_store_frames *frames)
{
    return frames->room * sizeof(*frames->list);
}
