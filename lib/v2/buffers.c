/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/buffers.h"

#include "v2/spec.h"

enum {
    BUFFER_BYTES = GT_V2_MAX_BATCH + GT_SOURCE_SLACK,
    /* All buffers together have at most this share of the mapped file, and of a limit of memory. */
    SHARE_OF_FILE = 4,
    SHARE_OF_LIMIT = 16
};

void gt_v2_buffers_destroy(struct gt_v2_buffers *buffers, struct gt_mem *mem)
{
    for (unsigned i = 0; i < buffers->made; i++)
        gt_mem_free(mem, buffers->list[i], BUFFER_BYTES);
    buffers->spare = buffers->made = 0;
}

/* Whether one buffer more is worth its memory. */
static bool buffers_may_grow(const struct gt_v2_buffers *buffers, const struct gt_mem *mem,
                             const struct gt_source *source)
{
    uint64_t bytes = ((uint64_t) buffers->made + 1) * BUFFER_BYTES;
    return buffers->made < GT_V2_MOST_BUFFERS && source->mapped_fd >= 0 &&
           bytes <= source->mapping_size / SHARE_OF_FILE &&
           (mem->limit == 0 || bytes <= mem->limit / SHARE_OF_LIMIT);
}

uint8_t *gt_v2_buffers_take(struct gt_v2_buffers *buffers, struct gt_mem *mem,
                            const struct gt_source *source)
{
    if (buffers->spare == 0) {
        /* The bytes behind a batch are read, although they have no meaning. */
        uint8_t *buffer =
            buffers_may_grow(buffers, mem, source) ? gt_mem_zeros(mem, BUFFER_BYTES) : NULL;
        if (!buffer)
            return NULL;
        buffers->list[buffers->made++] = buffer;
        return buffer;
    }
    return buffers->list[--buffers->spare];
}

void gt_v2_buffers_give(struct gt_v2_buffers *buffers, const uint8_t *batch)
{
    for (unsigned i = buffers->spare; i < buffers->made; i++) {
        uint8_t *buffer = buffers->list[i];
        if (buffer == batch) {
            buffers->list[i] = buffers->list[buffers->spare];
            buffers->list[buffers->spare++] = buffer;
            return;
        }
    }
}
