/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/memory.h"

#include <string.h>

#include "recorder/window.h"

enum {
    /* The part of the limit that is for handles. */
    MEMORY_HANDLES = 8,
    /* The part that is left for threads which are in sections when memory becomes scarce, and for
       the generation that begins meanwhile. */
    MEMORY_RESERVE = 4
};

static bool memory_has_room(gt_recorder *recorder, uint64_t bytes)
{
    uint64_t used, peak, limit = recorder->mem.limit;
    gt_mem_count(&recorder->mem, &used, &peak);
    limit -= limit / MEMORY_HANDLES;
    return limit == 0 || (used <= limit && bytes <= limit - used);
}

bool gt_recorder_memory_make_room(gt_recorder *recorder, uint64_t bytes)
{
    bool has_room;
    while (!(has_room = memory_has_room(recorder, bytes)) && gt_recorder_window_evict(recorder)) {
    }
    return has_room;
}

void *gt_recorder_memory_alloc_events(gt_recorder *recorder, size_t bytes)
{
    void *block = NULL;
    do {
        if (!gt_recorder_memory_make_room(recorder, bytes)) {
            gt_mem_fail(&recorder->mem, GT_ERR_LIMIT);
            return NULL;
        }
        block = gt_mem_alloc(&recorder->mem, bytes);
    } while (!block && gt_recorder_window_evict(recorder));
    return block;
}

void *gt_recorder_memory_alloc_handle(gt_recorder *recorder, size_t bytes, size_t zeros)
{
    void *block;
    while (!(block = gt_mem_alloc(&recorder->mem, bytes)) && gt_recorder_window_evict(recorder)) {
    }
    if (block)
        memset(block, 0, zeros);
    return block;
}

void gt_recorder_memory_note(gt_recorder *recorder, uint64_t next)
{
    if ((recorder->flags & GT_RECORDER_WAIT) == 0 ||
        gt_recorder_memory_make_room(recorder, recorder->mem.limit / MEMORY_RESERVE + next))
        return;
    gt_atomic_set(&recorder->is_scarce, true);
    gt_atomic_set(&recorder->enters_slowly, true);
}

bool gt_recorder_memory_try_again(gt_recorder *recorder, gt_status status)
{
    return (status == GT_ERR_NO_MEMORY || status == GT_ERR_LIMIT) &&
           gt_recorder_window_evict(recorder);
}
