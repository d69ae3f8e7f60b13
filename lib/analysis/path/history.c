/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/path/history.h"

#include <string.h>

enum {
    CHUNK_BYTES = GT_HISTORY_CHUNK * sizeof(struct gt_history_record)
};

void gt_history_init(struct gt_history *history, struct gt_mem *mem, uint64_t bytes)
{
    memset(history, 0, sizeof(*history));
    history->mem = mem;
    history->first = history->next = 1;
    history->most = bytes / CHUNK_BYTES;
    if (bytes > 0 && history->most < GT_HISTORY_MIN_CHUNKS)
        history->most = GT_HISTORY_MIN_CHUNKS;
}

void gt_history_destroy(struct gt_history *history)
{
    for (size_t i = 0; i < history->chunks.count; i++)
        gt_mem_free(history->mem, history->chunks.items[i], CHUNK_BYTES);
    gt_array_free(history->mem, &history->chunks);
}

static bool history_is_full(const struct gt_history *history)
{
    return (history->next - history->first) / GT_HISTORY_CHUNK == history->chunks.count;
}

const struct gt_history_record *gt_history_oldest(const struct gt_history *history)
{
    bool is_due =
        history->most > 0 && history->chunks.count == history->most && history_is_full(history);
    return is_due ? history->chunks.items[0] : NULL;
}

/* Makes the oldest chunk the newest one. */
static void history_chunk_turn(struct gt_history *history)
{
    struct gt_history_record **chunks = history->chunks.items, *oldest = chunks[0];
    size_t others = history->chunks.count - 1;
    memmove(chunks, chunks + 1, others * sizeof(*chunks));
    chunks[others] = oldest;
    history->first += GT_HISTORY_CHUNK;
}

static gt_status history_chunk_add(struct gt_history *history)
{
    gt_status status = gt_array_reserve(history->mem, &history->chunks, 1);
    struct gt_history_record *chunk =
        status == GT_OK ? gt_mem_alloc(history->mem, CHUNK_BYTES) : NULL;
    if (!chunk)
        return gt_mem_failure(history->mem);
    history->chunks.items[history->chunks.count++] = chunk;
    return GT_OK;
}

gt_status gt_history_add(struct gt_history *history, const struct gt_history_record *record)
{
    gt_status status = GT_OK;
    if (gt_history_oldest(history))
        history_chunk_turn(history);
    else if (history_is_full(history))
        status = history_chunk_add(history);
    if (status == GT_OK)
        *gt_history_get(history, history->next++) = *record;
    return status;
}
