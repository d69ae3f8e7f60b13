/* SPDX-License-Identifier: BSD-3-Clause */
#include "places.h"

#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "siphash.h"

enum {
    PLACES_FIRST_TABLE = 1024
};

bool places_note(struct places *places, uint64_t pc)
{
    size_t known = places->seen.count;
    if (!idset_add(&places->seen, (int64_t) pc))
        return false;
    if (places->seen.count == known)
        return true;
    if (!list_reserve(&places->addresses, &places->address_capacity, places->address_count + 1,
                      sizeof(*places->addresses)))
        return false;
    places->addresses[places->address_count++] = (struct place_address){.pc = pc};
    return true;
}

static int place_address_compare(const void *a, const void *b)
{
    const struct place_address *left = a, *right = b;
    return left->pc < right->pc ? -1 : left->pc > right->pc;
}

void places_sort(struct places *places)
{
    if (places->address_count > 0)
        qsort(places->addresses, places->address_count, sizeof(*places->addresses),
              place_address_compare);
}

/* Returns the slot of a name, or the free one in which it belongs. */
static size_t *places_name_slot(struct places *places, const char *text, size_t size)
{
    /* The names are those of programs that the user has, so nobody chooses them to collide. */
    static const uint8_t key[SIPHASH_KEY_SIZE] = {1};
    size_t at = (size_t) siphash(key, text, size) & (places->name_table_size - 1);
    for (;; at = (at + 1) & (places->name_table_size - 1)) {
        size_t *slot = &places->name_table[at];
        if (*slot == 0)
            return slot;
        const struct place_name *found = &places->names[*slot - 1];
        if (found->size == size && memcmp(found->text, text, size) == 0)
            return slot;
    }
}

/* Makes room for one more name, so that at least half of the table is free. */
static bool places_grow_table(struct places *places)
{
    size_t *old = places->name_table, size = places->name_table_size;
    if (places->name_count < size / 2)
        return true;
    size_t grown = size > 0 ? 2 * size : PLACES_FIRST_TABLE;
    size_t *table = calloc(grown, sizeof(*table));
    if (!table)
        return false;
    places->name_table = table;
    places->name_table_size = grown;
    for (size_t i = 0; i < places->name_count; i++)
        *places_name_slot(places, places->names[i].text, places->names[i].size) = i + 1;
    free(old);
    return true;
}

/* Sets `*number` to that of a name. */
static bool places_name(struct places *places, gt_string name, size_t *number)
{
    *number = 0;
    if (name.size == 0)
        return true;
    if (!places_grow_table(places) || !list_reserve(&places->names, &places->name_capacity,
                                                    places->name_count + 1, sizeof(*places->names)))
        return false;
    size_t *slot = places_name_slot(places, name.data, name.size);
    if (*slot == 0) {
        char *copy = malloc(name.size);
        if (!copy)
            return false;
        memcpy(copy, name.data, name.size);
        places->names[places->name_count++] = (struct place_name){copy, name.size};
        *slot = places->name_count;
    }
    *number = *slot;
    return true;
}

static bool places_add(struct places *places, const struct resolver_place *found)
{
    struct place place = {.line = found->line};
    if (!list_reserve(&places->list, &places->capacity, places->count + 1, sizeof(*places->list)) ||
        !places_name(places, found->function, &place.function) ||
        !places_name(places, found->file, &place.file))
        return false;
    places->list[places->count++] = place;
    return true;
}

bool places_take(struct places *places, size_t first, size_t end, struct resolver *resolver)
{
    struct resolver_place found;
    for (size_t i = first; i < end && resolver_next_address(resolver); i++) {
        struct place_address *address = &places->addresses[i];
        address->first = places->count;
        while (resolver_next_place(resolver, &found)) {
            bool is_known = found.function.size > 0 || found.file.size > 0;
            if (is_known && !places_add(places, &found))
                return false;
        }
        address->count = places->count - address->first;
    }
    return true;
}

const struct place_address *places_find(const struct places *places, uint64_t pc)
{
    const struct place_address wanted = {.pc = pc}, *found = NULL;
    if (places->address_count > 0)
        found = bsearch(&wanted, places->addresses, places->address_count,
                        sizeof(*places->addresses), place_address_compare);
    return found && found->count > 0 ? found : NULL;
}

void places_free(struct places *places)
{
    for (size_t i = 0; i < places->name_count; i++)
        free(places->names[i].text);
    free(places->names);
    free(places->name_table);
    free(places->list);
    free(places->addresses);
    idset_free(&places->seen);
}
