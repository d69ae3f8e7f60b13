/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/texts.h"

#include <string.h>

#include "base/hash.h"
#include "base/text.h"

gt_status gt_texts_init(struct gt_texts *texts, struct gt_mem *mem)
{
    memset(texts, 0, sizeof(*texts));
    texts->mem = mem;
    texts->secret = gt_hash_secret(texts);
    uint32_t empty;
    gt_status status = gt_texts_add_borrowed(texts, (gt_string){"", 0}, &empty);
    if (status != GT_OK)
        gt_texts_destroy(texts);
    return status;
}

void gt_texts_destroy(struct gt_texts *texts)
{
    gt_arena_free(&texts->arena, texts->mem);
    gt_array_free(texts->mem, &texts->list);
    gt_index_free(&texts->index, texts->mem);
}

static bool texts_find(const struct gt_texts *texts, gt_string text, uint64_t hash,
                       uint32_t *number)
{
    const gt_string *known;
    GT_INDEX_FIND(known, &texts->list, &texts->index, hash, gt_text_equal(*known, text));
    if (known)
        *number = (uint32_t) (known - texts->list.items);
    return known;
}

static gt_status texts_add(struct gt_texts *texts, gt_string text, bool copied, uint32_t *number)
{
    uint64_t hash = gt_text_hash(text, texts->secret);
    if (texts_find(texts, text, hash, number))
        return GT_OK;
    gt_status status = copied ? gt_arena_copy(&texts->arena, texts->mem, &text) : GT_OK;
    *number = (uint32_t) texts->list.count;
    return status == GT_OK ? gt_index_append(&texts->index, &texts->list, texts->mem, hash, text)
                           : status;
}

gt_status gt_texts_add(struct gt_texts *texts, gt_string text, uint32_t *number)
{
    return texts_add(texts, text, true, number);
}

gt_status gt_texts_add_borrowed(struct gt_texts *texts, gt_string text, uint32_t *number)
{
    return texts_add(texts, text, false, number);
}

bool gt_texts_find(const struct gt_texts *texts, gt_string text, uint32_t *number)
{
    return texts_find(texts, text, gt_text_hash(text, texts->secret), number);
}

uint32_t gt_texts_number(const struct gt_texts *texts, gt_string text, uint32_t guess)
{
    uint32_t number;
    if (guess < texts->list.count && gt_text_equal(texts->list.items[guess], text))
        return guess;
    return gt_texts_find(texts, text, &number) ? number : UINT32_MAX;
}

size_t gt_texts_bytes(const struct gt_texts *texts)
{
    return texts->arena.bytes + gt_array_bytes(&texts->list) + gt_index_bytes(&texts->index);
}
