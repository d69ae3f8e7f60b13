/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/perfetto.h"

void *gt_pf_chunks_push(struct gt_pf_chunks *chunks, struct gt_mem *mem, size_t item)
{
    if (chunks->count == chunks->list.count * GT_PF_CHUNK_ITEMS) {
        if (gt_array_reserve(mem, &chunks->list, 1) != GT_OK)
            return NULL;
        void *chunk = gt_mem_alloc(mem, GT_PF_CHUNK_ITEMS * item);
        if (!chunk)
            return NULL;
        chunks->list.items[chunks->list.count++] = chunk;
    }
    return gt_pf_chunks_item(chunks, chunks->count++, item);
}

void gt_pf_chunks_free(struct gt_pf_chunks *chunks, struct gt_mem *mem, size_t item)
{
    for (size_t i = 0; i < chunks->list.count; i++)
        gt_mem_free(mem, chunks->list.items[i], GT_PF_CHUNK_ITEMS * item);
    gt_array_free(mem, &chunks->list);
    chunks->count = 0;
}
