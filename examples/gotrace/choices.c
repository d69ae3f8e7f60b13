/* SPDX-License-Identifier: BSD-3-Clause */
#include "choices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "text.h"

enum {
    /* The most names in a text, the most bytes of each, and those of what is around one. */
    SHOWN_MAX = 20,
    NAME_MAX_SIZE = 200,
    AROUND = 40
};

bool choices_add(struct choices *choices, gt_string name, uint64_t count)
{
    if (!list_reserve(&choices->list, &choices->capacity, choices->count + 1,
                      sizeof(*choices->list)))
        return false;
    choices->list[choices->count++] = (struct choice){name, count};
    return true;
}

static int choice_compare_by_name(const void *a, const void *b)
{
    const struct choice *left = a, *right = b;
    return text_compare(left->name, right->name);
}

static int choice_compare_by_count(const void *a, const void *b)
{
    const struct choice *left = a, *right = b;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return text_compare(left->name, right->name);
}

/* Keeps each name once, with the largest count. */
static void choices_merge(struct choices *choices)
{
    size_t merged = 0;
    if (choices->count > 0)
        qsort(choices->list, choices->count, sizeof(*choices->list), choice_compare_by_name);
    for (size_t i = 0; i < choices->count; i++) {
        const struct choice *from = &choices->list[i];
        struct choice *last = merged > 0 ? &choices->list[merged - 1] : NULL;
        if (!last || text_compare(last->name, from->name) != 0)
            choices->list[merged++] = *from;
        else if (from->count > last->count)
            last->count = from->count;
    }
    choices->count = merged;
    if (merged > 0)
        qsort(choices->list, merged, sizeof(*choices->list), choice_compare_by_count);
}

/* Copies a name, or the beginning of one that is long, without what would end the line. */
static char *choice_put(char *to, gt_string name)
{
    size_t size = name.size;
    if (size > NAME_MAX_SIZE) {
        size = NAME_MAX_SIZE;
        while (size > 0 && ((unsigned char) name.data[size] & 0xc0) == 0x80)
            size--;
    }
    *to++ = '\'';
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char) name.data[i];
        *to++ = byte < ' ' || byte == 0x7f ? '?' : name.data[i];
    }
    return to + sprintf(to, "%s'", size < name.size ? "..." : "");
}

char *choices_text(struct choices *choices)
{
    choices_merge(choices);
    size_t shown = choices->count < SHOWN_MAX ? choices->count : SHOWN_MAX;
    char *text = malloc((shown + 1) * (NAME_MAX_SIZE + AROUND)), *to = text;
    if (!text)
        return NULL;
    strcpy(to, "none");
    for (size_t i = 0; i < shown; i++) {
        const char *between = i == 0 ? "" : i + 1 == choices->count ? " and " : ", ";
        to = choice_put(to + sprintf(to, "%s", between), choices->list[i].name);
    }
    if (choices->count > shown)
        sprintf(to, " and %zu more", choices->count - shown);
    return text;
}

void choices_free(struct choices *choices)
{
    free(choices->list);
    *choices = (struct choices){NULL, 0, 0};
}
