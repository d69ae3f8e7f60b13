/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/idtable.h"

#include <stdlib.h>
#include <time.h>

enum {
    FIRST_CAPACITY = 64
};

/* With a fixed function a trace could be made in which all ids fall on one slot. */
static uint64_t idtable_make_seed(const struct gt_idtable *table)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t) now.tv_nsec * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t) (uintptr_t) table;
}

static uint64_t idtable_hash(const struct gt_idtable *table, uint64_t id)
{
    uint64_t value = id ^ table->seed;
    value = (value ^ value >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 29) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 32;
}

static struct gt_idtable_slot *idtable_find_slot(const struct gt_idtable *table, uint64_t id)
{
    size_t mask = table->capacity - 1;
    size_t i = (size_t) idtable_hash(table, id) & mask;
    while (table->slots[i].number != 0 && table->slots[i].id != id)
        i = (i + 1) & mask;
    return &table->slots[i];
}

static bool idtable_grow(struct gt_idtable *table)
{
    struct gt_idtable old = *table;
    table->capacity = old.capacity == 0 ? FIRST_CAPACITY : 2 * old.capacity;
    table->slots = calloc(table->capacity, sizeof(*table->slots));
    if (!table->slots) {
        *table = old;
        return false;
    }
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.slots[i].number != 0)
            *idtable_find_slot(table, old.slots[i].id) = old.slots[i];
    }
    free(old.slots);
    return true;
}

uint32_t *gt_idtable_put(struct gt_idtable *table, uint64_t id)
{
    if (table->capacity == 0)
        table->seed = idtable_make_seed(table);
    /* At most half full, so that runs of taken slots stay short. */
    if (table->count >= table->capacity / 2 && !idtable_grow(table))
        return NULL;
    struct gt_idtable_slot *slot = idtable_find_slot(table, id);
    if (slot->number == 0) {
        slot->id = id;
        table->count++;
    }
    return &slot->number;
}

uint32_t gt_idtable_get(const struct gt_idtable *table, uint64_t id)
{
    return table->capacity == 0 ? 0 : idtable_find_slot(table, id)->number;
}

void gt_idtable_free(struct gt_idtable *table)
{
    free(table->slots);
    *table = (struct gt_idtable){0};
}
