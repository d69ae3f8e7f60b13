/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary_text.h"

#include <string.h>

#include "base/hash.h"

enum {
    FIRST_SLOTS = 64,
    /* So many texts without users stay in any case. */
    MIN_UNUSED = 1024
};

void gt_texts_init(struct gt_texts *texts, struct gt_mem *mem)
{
    memset(texts, 0, sizeof(*texts));
    texts->mem = mem;
    texts->secret = gt_hash_secret(texts);
}

static void free_text(struct gt_texts *texts, struct gt_text *text)
{
    gt_mem_free(texts->mem, text, sizeof(*text) + text->string.size);
}

void gt_texts_destroy(struct gt_texts *texts)
{
    if (!texts->slots)
        return;
    for (size_t i = 0; i <= texts->mask; i++) {
        if (texts->slots[i])
            free_text(texts, texts->slots[i]);
    }
    gt_mem_free(texts->mem, texts->slots, (texts->mask + 1) * sizeof(*texts->slots));
    texts->slots = NULL;
}

static uint64_t hash_string(gt_string string, uint64_t secret)
{
    uint64_t hash = secret ^ string.size;
    uint64_t part;
    for (; string.size >= sizeof(part); string.size -= sizeof(part)) {
        memcpy(&part, string.data, sizeof(part));
        hash = gt_hash(part, hash);
        string.data += sizeof(part);
    }
    part = 0;
    memcpy(&part, string.data, string.size);
    return gt_hash(part, hash);
}

/* Where the text is, or the free slot where it would be. */
static struct gt_text **find(const struct gt_texts *texts, gt_string string, uint64_t hash)
{
    size_t i = (size_t) hash & texts->mask;
    for (;; i = (i + 1) & texts->mask) {
        const struct gt_text *text = texts->slots[i];
        if (!text || (text->hash == hash && gt_text_order(text->string, string) == 0))
            return &texts->slots[i];
    }
}

/* Moves what has users, or where `all` is not 0 all, to a table that is at most half full. */
static gt_status rebuild(struct gt_texts *texts, int all)
{
    size_t stay = all ? texts->count : texts->count - texts->unused;
    size_t room = FIRST_SLOTS;
    while (room < 2 * (stay + 1))
        room *= 2;
    struct gt_text **slots = gt_mem_alloc(texts->mem, room * sizeof(struct gt_text *));
    if (!slots)
        return gt_mem_failure(texts->mem);
    memset(slots, 0, room * sizeof(struct gt_text *));
    struct gt_texts old = *texts;
    texts->slots = slots;
    texts->mask = room - 1;
    texts->count = stay;
    texts->unused = all ? old.unused : 0;
    for (size_t i = 0; old.slots && i <= old.mask; i++) {
        struct gt_text *text = old.slots[i];
        if (text && (all || text->users != 0))
            *find(texts, text->string, text->hash) = text;
        else if (text)
            free_text(texts, text);
    }
    if (old.slots)
        gt_mem_free(texts->mem, old.slots, (old.mask + 1) * sizeof(*old.slots));
    return GT_OK;
}

static gt_status make_room(struct gt_texts *texts)
{
    size_t used = texts->count - texts->unused;
    if (texts->unused > used + MIN_UNUSED)
        return rebuild(texts, 0);
    if (!texts->slots || 2 * (texts->count + 1) > texts->mask)
        return rebuild(texts, 1);
    return GT_OK;
}

static struct gt_text *text_new(struct gt_texts *texts, gt_string string, uint64_t hash)
{
    struct gt_text *text = gt_mem_alloc(texts->mem, sizeof(*text) + string.size);
    if (!text)
        return NULL;
    memset(text, 0, sizeof(*text));
    char *bytes = (char *) (text + 1);
    memcpy(bytes, string.data, string.size);
    text->string.data = bytes;
    text->string.size = string.size;
    text->hash = hash;
    return text;
}

struct gt_text *gt_texts_use(struct gt_texts *texts, gt_string string)
{
    uint64_t hash = hash_string(string, texts->secret);
    struct gt_text *text = texts->slots ? *find(texts, string, hash) : NULL;
    if (!text) {
        if (make_room(texts) != GT_OK)
            return NULL;
        text = text_new(texts, string, hash);
        if (!text)
            return NULL;
        *find(texts, string, hash) = text;
        texts->count++;
        texts->unused++;
    }
    texts->unused -= text->users++ == 0;
    return text;
}

void gt_texts_leave(struct gt_texts *texts, struct gt_text *text)
{
    if (text)
        texts->unused += --text->users == 0;
}

int gt_text_order(gt_string a, gt_string b)
{
    size_t least = a.size < b.size ? a.size : b.size;
    int order = memcmp(a.data, b.data, least);
    if (order != 0)
        return order;
    return a.size < b.size ? -1 : a.size > b.size;
}
