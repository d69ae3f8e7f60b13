/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/dictionary.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FIRST_SLOTS = 128
};

/* With a fixed function a trace could be made in which all texts fall on one slot. */
static uint64_t dictionary_make_seed(const struct gt_dictionary *dictionary)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t) now.tv_nsec * UINT64_C(0x9e3779b97f4a7c15) ^
           (uint64_t) (uintptr_t) dictionary;
}

static uint64_t dictionary_mix(uint64_t value)
{
    value = (value ^ value >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 29) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 32;
}

static uint64_t dictionary_hash_text(const struct gt_dictionary *dictionary, gt_string text)
{
    uint64_t hash = dictionary->seed ^ text.size;
    for (size_t i = 0; i < text.size; i += sizeof(hash)) {
        size_t left = text.size - i;
        uint64_t part = 0;
        memcpy(&part, text.data + i, left < sizeof(part) ? left : sizeof(part));
        hash = dictionary_mix(hash ^ part);
    }
    return dictionary_mix(hash);
}

/* The slot that has the text, or where it is to go. */
static uint32_t *dictionary_find_slot(const struct gt_dictionary *dictionary, gt_string text,
                                      uint64_t hash)
{
    size_t mask = dictionary->slot_count - 1;
    size_t i = (size_t) hash & mask;
    for (; dictionary->slots[i] != 0; i = (i + 1) & mask) {
        const struct gt_dictionary_entry *entry = &dictionary->list[dictionary->slots[i] - 1];
        if (entry->hash == hash && entry->size == text.size &&
            (text.size == 0 || memcmp(dictionary->bytes + entry->at, text.data, text.size) == 0))
            break;
    }
    return &dictionary->slots[i];
}

static bool dictionary_grow_slots(struct gt_dictionary *dictionary)
{
    size_t count = dictionary->slot_count == 0 ? FIRST_SLOTS : 2 * dictionary->slot_count;
    uint32_t *slots = calloc(count, sizeof(*slots));
    if (!slots)
        return false;
    for (size_t i = 0; i < dictionary->count; i++) {
        size_t at = (size_t) dictionary->list[i].hash & (count - 1);
        while (slots[at] != 0)
            at = (at + 1) & (count - 1);
        slots[at] = (uint32_t) i + 1;
    }
    free(dictionary->slots);
    dictionary->slots = slots;
    dictionary->slot_count = count;
    return true;
}

static bool dictionary_grow_list(struct gt_dictionary *dictionary)
{
    size_t room = 2 * dictionary->list_room + FIRST_SLOTS;
    struct gt_dictionary_entry *list = realloc(dictionary->list, room * sizeof(*list));
    if (!list)
        return false;
    dictionary->list = list;
    dictionary->list_room = room;
    return true;
}

static bool dictionary_grow_bytes(struct gt_dictionary *dictionary, size_t size)
{
    size_t room = dictionary->room + dictionary->room / 2 + size;
    char *bytes = realloc(dictionary->bytes, room);
    if (!bytes)
        return false;
    dictionary->bytes = bytes;
    dictionary->room = room;
    return true;
}

static bool dictionary_add(struct gt_dictionary *dictionary, gt_string text, uint64_t hash)
{
    if (dictionary->count == dictionary->list_room && !dictionary_grow_list(dictionary))
        return false;
    if (dictionary->room - dictionary->used < text.size &&
        !dictionary_grow_bytes(dictionary, text.size))
        return false;
    if (text.size > 0)
        memcpy(dictionary->bytes + dictionary->used, text.data, text.size);
    dictionary->list[dictionary->count++] =
        (struct gt_dictionary_entry){dictionary->used, text.size, hash};
    dictionary->used += text.size;
    return true;
}

bool gt_dictionary_put(struct gt_dictionary *dictionary, gt_string text, uint32_t *number)
{
    if (dictionary->slot_count == 0)
        dictionary->seed = dictionary_make_seed(dictionary);
    /* At most half full, so that runs of taken slots stay short. */
    if (dictionary->count >= dictionary->slot_count / 2 && !dictionary_grow_slots(dictionary))
        return false;
    uint64_t hash = dictionary_hash_text(dictionary, text);
    uint32_t *slot = dictionary_find_slot(dictionary, text, hash);
    if (*slot == 0) {
        if (!dictionary_add(dictionary, text, hash))
            return false;
        *slot = (uint32_t) dictionary->count;
    }
    *number = *slot - 1;
    return true;
}

bool gt_dictionary_find(const struct gt_dictionary *dictionary, gt_string text, uint32_t *number)
{
    if (dictionary->slot_count == 0)
        return false;
    uint32_t slot = *dictionary_find_slot(dictionary, text, dictionary_hash_text(dictionary, text));
    *number = slot - 1;
    return slot != 0;
}

gt_string gt_dictionary_get(const struct gt_dictionary *dictionary, uint32_t number)
{
    const struct gt_dictionary_entry *entry = &dictionary->list[number];
    /* Where there is no byte at all there is no array. */
    return (gt_string){entry->size > 0 ? dictionary->bytes + entry->at : "", entry->size};
}

void gt_dictionary_free(struct gt_dictionary *dictionary)
{
    free(dictionary->bytes);
    free(dictionary->list);
    free(dictionary->slots);
    *dictionary = (struct gt_dictionary){0};
}
