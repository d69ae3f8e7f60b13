/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/texts.h"

#include <string.h>

void gt_tl_texts_init(struct gt_tl_texts *texts, struct gt_mem *mem)
{
    memset(texts->cache, 0, sizeof(texts->cache));
    gt_shared_texts_init(&texts->shared, mem, GT_SHARED_TEXT_SPARE);
}

void gt_tl_texts_destroy(struct gt_tl_texts *texts)
{
    gt_shared_texts_destroy(&texts->shared);
}

/* Depends on the content, not on the address, so that the use of memory is reproducible. */
static struct gt_tl_cached_text *cached_text_entry(struct gt_tl_texts *texts, gt_string string)
{
    if (string.size == 0)
        return &texts->cache[0];
    size_t first = (unsigned char) string.data[0];
    size_t last = (unsigned char) string.data[string.size - 1];
    return &texts->cache[(string.size + 5 * first + 11 * last) % GT_TL_CACHED_TEXTS];
}

struct gt_shared_text *gt_tl_text_get(struct gt_tl_texts *texts, gt_string string)
{
    struct gt_tl_cached_text *entry = cached_text_entry(texts, string);
    if (entry->text && entry->string.data == string.data && entry->string.size == string.size)
        return gt_shared_text_hold(entry->text);
    struct gt_shared_text *text = gt_shared_text_get(&texts->shared, string);
    if (!text)
        return NULL;
    gt_shared_text_drop(&texts->shared, entry->text);
    entry->string = string;
    entry->text = gt_shared_text_hold(text);
    return text;
}

void gt_tl_texts_forget(struct gt_tl_texts *texts)
{
    for (size_t i = 0; i < GT_TL_CACHED_TEXTS; i++) {
        gt_shared_text_drop(&texts->shared, texts->cache[i].text);
        texts->cache[i].text = NULL;
    }
    gt_shared_texts_sweep(&texts->shared);
}
