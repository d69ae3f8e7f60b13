/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/texts.h"

#include <string.h>

#include "base/hash.h"

enum {
    FIRST_CHAINS = 64
};

void gt_tl_texts_init(struct gt_tl_texts *texts, struct gt_mem *mem)
{
    memset(texts, 0, sizeof(*texts));
    texts->mem = mem;
    texts->secret = gt_hash_secret(texts);
}

static void free_text(struct gt_tl_texts *texts, struct gt_tl_text *text)
{
    gt_mem_free(texts->mem, text, sizeof(*text) + text->size);
}

void gt_tl_texts_destroy(struct gt_tl_texts *texts)
{
    if (!texts->chains)
        return;
    for (size_t i = 0; i <= texts->mask; i++) {
        while (texts->chains[i]) {
            struct gt_tl_text *text = texts->chains[i];
            texts->chains[i] = text->next;
            free_text(texts, text);
        }
    }
    gt_mem_free(texts->mem, texts->chains, (texts->mask + 1) * sizeof(*texts->chains));
    texts->chains = NULL;
}

static uint64_t hash_string(uint64_t secret, gt_string string)
{
    uint64_t hash = secret ^ string.size, word;
    while (string.size >= sizeof(word)) {
        memcpy(&word, string.data, sizeof(word));
        hash = gt_hash(hash ^ word, secret);
        string.data += sizeof(word);
        string.size -= sizeof(word);
    }
    word = 0;
    memcpy(&word, string.data, string.size);
    return gt_hash(hash ^ word, secret);
}

static gt_status grow(struct gt_tl_texts *texts)
{
    size_t count = texts->chains ? (texts->mask + 1) * 2 : FIRST_CHAINS;
    struct gt_tl_text **chains = gt_mem_alloc(texts->mem, count * sizeof(struct gt_tl_text *));
    if (!chains)
        return gt_mem_failure(texts->mem);
    memset(chains, 0, count * sizeof(struct gt_tl_text *));
    for (size_t i = 0; texts->chains && i <= texts->mask; i++) {
        while (texts->chains[i]) {
            struct gt_tl_text *text = texts->chains[i];
            texts->chains[i] = text->next;
            text->next = chains[text->hash & (count - 1)];
            chains[text->hash & (count - 1)] = text;
        }
    }
    if (texts->chains)
        gt_mem_free(texts->mem, texts->chains, (texts->mask + 1) * sizeof(struct gt_tl_text *));
    texts->chains = chains;
    texts->mask = count - 1;
    return GT_OK;
}

static struct gt_tl_text *add(struct gt_tl_texts *texts, gt_string string, uint64_t hash)
{
    if ((!texts->chains || texts->count > texts->mask) && grow(texts) != GT_OK)
        return NULL;
    struct gt_tl_text *text = gt_mem_alloc(texts->mem, sizeof(*text) + string.size);
    if (!text)
        return NULL;
    text->hash = hash;
    text->holders = 1;
    text->size = string.size;
    memcpy(text->data, string.data, string.size);
    text->next = texts->chains[hash & texts->mask];
    texts->chains[hash & texts->mask] = text;
    texts->count++;
    return text;
}

struct gt_tl_text *gt_tl_text_of(struct gt_tl_texts *texts, gt_string string)
{
    uint64_t hash = hash_string(texts->secret, string);
    struct gt_tl_text *text = texts->chains ? texts->chains[hash & texts->mask] : NULL;
    while (text && (text->hash != hash || text->size != string.size ||
                    memcmp(text->data, string.data, string.size) != 0))
        text = text->next;
    return text ? gt_tl_text_hold(text) : add(texts, string, hash);
}

/* By what it says, not by where it is, so that what memory it takes is not up to chance. */
static size_t place_of(gt_string string)
{
    if (string.size == 0)
        return 0;
    size_t first = (unsigned char) string.data[0];
    size_t last = (unsigned char) string.data[string.size - 1];
    return (string.size + 5 * first + 11 * last) % GT_TL_RECENT;
}

struct gt_tl_text *gt_tl_text_of_trace(struct gt_tl_texts *texts, gt_string string)
{
    struct gt_tl_recent *recent = &texts->recent[place_of(string)];
    if (recent->text && recent->string.data == string.data && recent->string.size == string.size)
        return gt_tl_text_hold(recent->text);
    struct gt_tl_text *text = gt_tl_text_of(texts, string);
    if (!text)
        return NULL;
    gt_tl_text_drop(texts, recent->text);
    recent->string = string;
    recent->text = gt_tl_text_hold(text);
    return text;
}

void gt_tl_text_drop(struct gt_tl_texts *texts, struct gt_tl_text *text)
{
    if (!text || --text->holders > 0)
        return;
    struct gt_tl_text **link = &texts->chains[text->hash & texts->mask];
    while (*link != text)
        link = &(*link)->next;
    *link = text->next;
    texts->count--;
    free_text(texts, text);
}

void gt_tl_texts_forget(struct gt_tl_texts *texts)
{
    for (size_t i = 0; i < GT_TL_RECENT; i++) {
        gt_tl_text_drop(texts, texts->recent[i].text);
        texts->recent[i].text = NULL;
    }
}
