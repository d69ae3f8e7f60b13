/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/texts.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/hash.h"
#include "store/mem.h"

enum {
    FIRST_SLOTS = 256,
    CHUNK = 64 * 1024
};

struct gt_texts_chunk {
    struct gt_texts_chunk *next;
    size_t size;
    char bytes[];
};

static uint64_t store_texts_hash_string(uint64_t secret, gt_string string)
{
    uint64_t hash = secret ^ string.size, word;
    while (string.size >= sizeof(word)) {
        memcpy(&word, string.data, sizeof(word));
        hash = gt_hash_mix(hash ^ word);
        string.data += sizeof(word);
        string.size -= sizeof(word);
    }
    word = 0;
    if (string.size > 0)
        memcpy(&word, string.data, string.size);
    return gt_hash_mix(hash ^ word);
}

static bool store_texts_is_same(gt_string a, gt_string b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

bool gt_store_texts_init(struct gt_store_texts *texts)
{
    memset(texts, 0, sizeof(*texts));
    texts->secret = gt_store_hash_secret(texts);
    texts->slots = gt_array_zeros(FIRST_SLOTS, sizeof(*texts->slots));
    if (!texts->slots ||
        !gt_store_array_reserve(&texts->list, &texts->room, 1, sizeof(gt_string))) {
        gt_store_texts_destroy(texts);
        return false;
    }
    texts->slot_count = FIRST_SLOTS;
    texts->list[0] = (gt_string){"", 0};
    texts->count = 1;
    return true;
}

void gt_store_texts_destroy(struct gt_store_texts *texts)
{
    while (texts->chunks) {
        struct gt_texts_chunk *next = texts->chunks->next;
        free(texts->chunks);
        texts->chunks = next;
    }
    free(texts->slots);
    free(texts->list);
    memset(texts, 0, sizeof(*texts));
}

/* The slot of the text, or the one for it. */
static size_t store_texts_find_slot(const struct gt_store_texts *texts, gt_string string)
{
    size_t mask = texts->slot_count - 1;
    size_t at = (size_t) store_texts_hash_string(texts->secret, string) & mask;
    while (texts->slots[at] != 0 && !store_texts_is_same(texts->list[texts->slots[at]], string))
        at = (at + 1) & mask;
    return at;
}

static bool store_texts_grow_slots(struct gt_store_texts *texts)
{
    uint32_t *old = texts->slots;
    uint32_t *slots = gt_array_zeros(texts->slot_count * 2, sizeof(*slots));
    if (!slots)
        return false;
    texts->slots = slots;
    texts->slot_count *= 2;
    for (size_t id = 1; id < texts->count; id++)
        slots[store_texts_find_slot(texts, texts->list[id])] = (uint32_t) id;
    free(old);
    return true;
}

static bool store_texts_copy(struct gt_store_texts *texts, gt_string *string)
{
    struct gt_texts_chunk *chunk = texts->chunks;
    char *bytes;
    if (string->size > texts->left) {
        size_t size = string->size < CHUNK ? CHUNK : string->size;
        chunk = string->size < SIZE_MAX / 2 ? gt_store_realloc(NULL, sizeof(*chunk) + size) : NULL;
        if (!chunk)
            return false;
        chunk->next = texts->chunks;
        chunk->size = size;
        texts->chunks = chunk;
        texts->left = size;
    }
    bytes = chunk->bytes + (chunk->size - texts->left);
    memcpy(bytes, string->data, string->size);
    texts->left -= string->size;
    string->data = bytes;
    return true;
}

bool gt_texts_share(struct gt_store_texts *texts, gt_string string)
{
    if (texts->count >= UINT32_MAX)
        return false;
    if (texts->count * 2 >= texts->slot_count && !store_texts_grow_slots(texts))
        return false;
    if (!gt_store_array_reserve(&texts->list, &texts->room, texts->count + 1, sizeof(gt_string)))
        return false;
    texts->slots[store_texts_find_slot(texts, string)] = (uint32_t) texts->count;
    texts->list[texts->count++] = string;
    texts->bytes += string.size;
    return true;
}

static bool store_texts_add(struct gt_store_texts *texts, gt_string string, uint32_t *id)
{
    *id = (uint32_t) texts->count;
    return store_texts_copy(texts, &string) && gt_texts_share(texts, string);
}

bool gt_texts_put(struct gt_store_texts *texts, gt_string string, uint32_t *id)
{
    struct gt_texts_recent *recent;
    *id = 0;
    if (string.size == 0)
        return true;
    recent = &texts->recent[((uintptr_t) string.data >> 3) % GT_TEXTS_RECENT];
    /* Other bytes may lie there by now. */
    if (recent->data == string.data && store_texts_is_same(texts->list[recent->id], string)) {
        *id = recent->id;
        return true;
    }
    if (!gt_store_texts_find(texts, string, id) && !store_texts_add(texts, string, id))
        return false;
    recent->data = string.data;
    recent->id = *id;
    return true;
}

bool gt_store_texts_find(const struct gt_store_texts *texts, gt_string string, uint32_t *id)
{
    *id = 0;
    if (string.size == 0)
        return true;
    *id = texts->slots[store_texts_find_slot(texts, string)];
    return *id != 0;
}

gt_string gt_texts_get(const struct gt_store_texts *texts, uint32_t id)
{
    return id < texts->count ? texts->list[id] : (gt_string){"", 0};
}

size_t gt_texts_memory(const struct gt_store_texts *texts)
{
    return texts->room * sizeof(*texts->list) + texts->slot_count * sizeof(*texts->slots);
}
