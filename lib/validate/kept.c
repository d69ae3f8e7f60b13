/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/kept.h"

#include <string.h>

struct gt_kept_block {
    struct gt_kept_block *next;
    struct gt_kept_block **link; /* what points here */
    size_t bytes;
};

static struct gt_kept_block *block_new(struct gt_kept_list *list, size_t size)
{
    size_t bytes = sizeof(struct gt_kept_block) + size;
    struct gt_kept_block *block = gt_mem_alloc(list->mem, bytes);
    if (!block)
        return NULL;
    block->bytes = bytes;
    block->next = list->first;
    block->link = &list->first;
    if (list->first)
        list->first->link = &block->next;
    list->first = block;
    return block;
}

gt_status gt_kept_set(struct gt_kept_list *list, struct gt_kept *kept, gt_string text)
{
    char *to = kept->small;
    kept->size = 0;
    kept->block = NULL;
    if (text.size > GT_KEPT_SMALL) {
        kept->block = block_new(list, text.size);
        if (!kept->block)
            return gt_mem_failure(list->mem);
        to = (char *) (kept->block + 1);
    }
    memcpy(to, text.data, text.size);
    kept->size = text.size;
    return GT_OK;
}

void gt_kept_free(struct gt_kept_list *list, struct gt_kept *kept)
{
    struct gt_kept_block *block = kept->block;
    if (!block)
        return;
    *block->link = block->next;
    if (block->next)
        block->next->link = block->link;
    gt_mem_free(list->mem, block, block->bytes);
}

void gt_kept_free_all(struct gt_kept_list *list)
{
    while (list->first) {
        struct gt_kept_block *block = list->first;
        list->first = block->next;
        gt_mem_free(list->mem, block, block->bytes);
    }
}

gt_string gt_kept_text(const struct gt_kept *kept)
{
    gt_string text = {kept->block ? (const char *) (kept->block + 1) : kept->small, kept->size};
    return text;
}

int gt_kept_is(const struct gt_kept *kept, gt_string text)
{
    return kept->size == text.size && memcmp(gt_kept_text(kept).data, text.data, text.size) == 0;
}
