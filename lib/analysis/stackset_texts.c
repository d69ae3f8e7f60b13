/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/stackset_texts.h"

#include <string.h>

#include "base/hash.h"

enum {
    BLOCK = 16 * 1024
};

/* Where the bytes of texts are. */
struct gt_stackset_block {
    struct gt_stackset_block *next;
    size_t bytes;
};

static uint32_t hash_text(const struct gt_stackset_texts *texts, gt_string text)
{
    uint64_t hash = text.size;
    for (size_t i = 0; i < text.size; i += sizeof(uint64_t)) {
        uint64_t part = 0;
        memcpy(&part, text.data + i, text.size - i < sizeof(part) ? text.size - i : sizeof(part));
        hash = gt_hash(hash ^ part, texts->secret);
    }
    return (uint32_t) hash;
}

/* Room for `size` bytes; NULL: no memory. */
static char *take_room(struct gt_stackset_texts *texts, size_t size)
{
    if (!texts->blocks || texts->fresh_left < size) {
        size_t bytes = sizeof(struct gt_stackset_block) + (size > BLOCK ? size : BLOCK);
        struct gt_stackset_block *block = gt_mem_alloc(texts->mem, bytes);
        if (!block)
            return NULL;
        block->next = texts->blocks;
        block->bytes = bytes;
        texts->blocks = block;
        texts->fresh = (char *) (block + 1);
        texts->fresh_left = bytes - sizeof(*block);
    }
    char *room = texts->fresh;
    texts->fresh += size;
    texts->fresh_left -= size;
    return room;
}

static gt_status add(struct gt_stackset_texts *texts, gt_string text, uint32_t hash)
{
    if (texts->count >= UINT32_MAX)
        return GT_ERR_LIMIT;
    gt_status status = gt_mem_reserve(texts->mem, &texts->list, &texts->capacity, texts->count + 1,
                                      sizeof(*texts->list));
    if (status != GT_OK)
        return status;
    char *copy = take_room(texts, text.size);
    if (!copy)
        return gt_mem_failure(texts->mem);
    status = gt_stackset_index_add(texts->mem, &texts->index, hash, (uint32_t) texts->count);
    if (status != GT_OK)
        return status;
    memcpy(copy, text.data, text.size);
    texts->list[texts->count++] = (gt_string){copy, text.size};
    return GT_OK;
}

gt_status gt_stackset_texts_init(struct gt_stackset_texts *texts, struct gt_mem *mem)
{
    memset(texts, 0, sizeof(*texts));
    texts->mem = mem;
    texts->secret = gt_hash_secret(texts);
    uint32_t empty;
    return gt_stackset_texts_number(texts, (gt_string){"", 0}, &empty);
}

void gt_stackset_texts_destroy(struct gt_stackset_texts *texts)
{
    while (texts->blocks) {
        struct gt_stackset_block *block = texts->blocks;
        texts->blocks = block->next;
        gt_mem_free(texts->mem, block, block->bytes);
    }
    gt_mem_free(texts->mem, texts->list, texts->capacity * sizeof(*texts->list));
    gt_stackset_index_free(texts->mem, &texts->index);
}

gt_status gt_stackset_texts_number(struct gt_stackset_texts *texts, gt_string text,
                                   uint32_t *number)
{
    uint32_t hash = hash_text(texts, text), id;
    size_t at = hash & texts->index.mask;
    while ((id = gt_stackset_next(&texts->index, hash, &at)) != 0) {
        const gt_string *known = &texts->list[id - 1];
        if (known->size == text.size && memcmp(known->data, text.data, text.size) == 0) {
            *number = id - 1;
            return GT_OK;
        }
    }
    *number = (uint32_t) texts->count;
    return add(texts, text, hash);
}
