/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/frames.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/store.h"

void frames_destroy(struct frames *frames)
{
    free(frames->list);
    memset(frames, 0, sizeof(*frames));
}

bool frames_add(struct frames *frames, const struct store_frame *frame)
{
    if (!array_reserve(&frames->list, &frames->room, frames->count + 1, sizeof(*frame)))
        return false;
    frames->list[frames->count++] = *frame;
    return true;
}

bool frames_get(const struct frames *frames, uint32_t id, struct store_frame *frame)
{
    if (id == 0 || id > frames->count)
        return false;
    *frame = frames->list[id - 1];
    return true;
}

size_t frames_memory(const struct frames *frames)
{
    return frames->room * sizeof(*frames->list);
}
