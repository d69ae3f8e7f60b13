/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/shared_text.h"

#include <string.h>

#include "base/hash.h"
#include "base/text.h"

void gt_shared_texts_init(struct gt_shared_texts *texts, struct gt_mem *mem, size_t spare)
{
    memset(texts, 0, sizeof(*texts));
    texts->mem = mem;
    texts->secret = gt_hash_secret(texts);
    texts->spare = spare;
}

static void shared_text_free(struct gt_shared_texts *texts, struct gt_shared_text *text)
{
    gt_mem_free(texts->mem, text, sizeof(*text) + text->string.size);
}

void gt_shared_texts_destroy(struct gt_shared_texts *texts)
{
    for (size_t i = 0; i < texts->list.count; i++)
        shared_text_free(texts, texts->list.items[i]);
    gt_array_free(texts->mem, &texts->list);
    gt_index_free(&texts->index, texts->mem);
}

static struct gt_shared_text *shared_text_find(const struct gt_shared_texts *texts,
                                               gt_string string, uint64_t hash)
{
    struct gt_shared_text *const *text;
    GT_INDEX_FIND(text, &texts->list, &texts->index, hash, gt_text_equal((*text)->string, string));
    return text ? *text : NULL;
}

/*
 * The loop runs backwards, because the last text moves to the place of one that is freed and must
 * not be checked twice.
 */
void gt_shared_texts_sweep(struct gt_shared_texts *texts)
{
    for (size_t i = texts->list.count; i > 0; i--) {
        struct gt_shared_text *text = texts->list.items[i - 1];
        if (text->references != 0)
            continue;
        struct gt_shared_text *last = texts->list.items[--texts->list.count];
        gt_index_remove(&texts->index, text->hash, text->ordinal);
        if (last != text) {
            gt_index_move(&texts->index, last->hash, last->ordinal, text->ordinal);
            last->ordinal = text->ordinal;
            texts->list.items[last->ordinal] = last;
        }
        shared_text_free(texts, text);
    }
    texts->unused = 0;
}

static struct gt_shared_text *shared_text_add(struct gt_shared_texts *texts, gt_string string,
                                              uint64_t hash)
{
    if (texts->unused > texts->list.count - texts->unused + texts->spare)
        gt_shared_texts_sweep(texts);
    if (gt_array_reserve(texts->mem, &texts->list, 1) != GT_OK)
        return NULL;
    struct gt_shared_text *text = gt_mem_alloc(texts->mem, sizeof(*text) + string.size);
    if (!text)
        return NULL;
    char *bytes = (char *) (text + 1);
    if (string.size > 0)
        memcpy(bytes, string.data, string.size);
    *text = (struct gt_shared_text){
        .string = {bytes, string.size}, .hash = hash, .ordinal = (uint32_t) texts->list.count};
    if (gt_index_add(&texts->index, texts->mem, hash, texts->list.count) != GT_OK) {
        shared_text_free(texts, text);
        return NULL;
    }
    texts->list.items[texts->list.count++] = text;
    texts->unused++;
    return text;
}

struct gt_shared_text *gt_shared_text_get(struct gt_shared_texts *texts, gt_string string)
{
    uint64_t hash = gt_text_hash(string, texts->secret);
    struct gt_shared_text *text = shared_text_find(texts, string, hash);
    if (!text)
        text = shared_text_add(texts, string, hash);
    if (text)
        texts->unused -= text->references++ == 0;
    return text;
}

const struct gt_shared_text *gt_shared_text_find(const struct gt_shared_texts *texts,
                                                 gt_string string,
                                                 const struct gt_shared_text *guess)
{
    if (guess && gt_text_equal(guess->string, string))
        return guess;
    return shared_text_find(texts, string, gt_text_hash(string, texts->secret));
}

struct gt_shared_text *gt_recent_text_replace(struct gt_recent_text *entry,
                                              struct gt_shared_texts *texts, gt_string string)
{
    struct gt_shared_text *text = gt_shared_text_get(texts, string);
    if (!text)
        return NULL;
    gt_shared_text_drop(texts, entry->text);
    *entry = (struct gt_recent_text){string, gt_shared_text_hold(text)};
    return text;
}

void gt_recent_texts_clear(struct gt_recent_texts *recent, struct gt_shared_texts *texts)
{
    for (size_t i = 0; i < GT_RECENT_TEXTS; i++)
        gt_shared_text_drop(texts, recent->entries[i].text);
    memset(recent, 0, sizeof(*recent));
}
