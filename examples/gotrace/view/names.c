/* SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"

#include <stdlib.h>
#include <string.h>

enum {
    NAMES_MIN = 64
};

/* FNV-1a: names are short, and a trace's names need no better one. */
static uint32_t hash_name(gt_string name)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name.size; i++)
        hash = (hash ^ (unsigned char) name.data[i]) * 16777619u;
    return hash;
}

static bool is_equal(gt_string a, gt_string b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* The slot that has the name, or where it is to go. */
static uint32_t *find_slot(const struct names *names, gt_string name, uint32_t hash)
{
    size_t at = hash & (names->slot_count - 1);
    for (;; at = (at + 1) & (names->slot_count - 1)) {
        uint32_t number = names->slots[at];
        if (number == 0 ||
            (names->list[number - 1].hash == hash && is_equal(names_get(names, number - 1), name)))
            return &names->slots[at];
    }
}

static bool grow_slots(struct names *names)
{
    size_t count = names->slot_count == 0 ? (size_t) 2 * NAMES_MIN : 2 * names->slot_count;
    uint32_t *slots = calloc(count, sizeof(*slots));
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < names->count; i++) {
        size_t at = names->list[i].hash & (count - 1);
        while (slots[at] != 0)
            at = (at + 1) & (count - 1);
        slots[at] = (uint32_t) i + 1;
    }
    free(names->slots);
    names->slots = slots;
    names->slot_count = count;
    return true;
}

static bool grow_list(struct names *names)
{
    size_t room = names->room == 0 ? NAMES_MIN : 2 * names->room;
    struct name *list = realloc(names->list, room * sizeof(*list));
    if (list == NULL)
        return false;
    names->list = list;
    names->room = room;
    return true;
}

bool names_add(struct names *names, gt_string name, uint32_t *number)
{
    uint32_t hash = hash_name(name);
    if (2 * names->count >= names->slot_count && !grow_slots(names))
        return false;
    uint32_t *slot = find_slot(names, name, hash);
    if (*slot == 0) {
        if (names->count == names->room && !grow_list(names))
            return false;
        names->list[names->count] = (struct name){.text = name, .hash = hash};
        *slot = (uint32_t) ++names->count;
    }
    *number = *slot - 1;
    return true;
}

gt_string names_get(const struct names *names, uint32_t number)
{
    return names->list[number].text;
}

struct ranked {
    gt_string text;
    uint32_t number;
};

static int compare_text(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    size_t size = a->text.size < b->text.size ? a->text.size : b->text.size;
    int order = size == 0 ? 0 : memcmp(a->text.data, b->text.data, size);
    if (order != 0)
        return order;
    return (a->text.size > b->text.size) - (a->text.size < b->text.size);
}

bool names_rank(struct names *names)
{
    struct ranked *all = malloc((names->count + 1) * sizeof(*all));
    if (all == NULL)
        return false;
    for (uint32_t i = 0; i < names->count; i++)
        all[i] = (struct ranked){names_get(names, i), i};
    qsort(all, names->count, sizeof(*all), compare_text);
    for (uint32_t i = 0; i < names->count; i++)
        names->list[all[i].number].rank = i;
    free(all);
    return true;
}

void names_free(struct names *names)
{
    free(names->list);
    free(names->slots);
    *names = (struct names){.list = NULL};
}
