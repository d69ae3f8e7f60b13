/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/strings.h"

#include <string.h>

void gt_strings_init(struct gt_strings *strings, struct gt_mem *mem)
{
    memset(strings, 0, sizeof(*strings));
    strings->mem = mem;
    gt_slots_init(&strings->slots, mem);
}

void gt_strings_clear(struct gt_strings *strings, struct gt_names *names)
{
    for (uint32_t i = 0; strings->named != 0 && i < strings->slots.count; i++) {
        if (strings->entries[i].name) {
            gt_names_drop(names, strings->entries[i].name);
            strings->named--;
        }
    }
    if (strings->empty)
        gt_names_drop(names, strings->empty);
    strings->empty = NULL;
    gt_slots_clear(&strings->slots);
}

void gt_strings_destroy(struct gt_strings *strings, struct gt_names *names)
{
    gt_strings_clear(strings, names);
    gt_mem_free(strings->mem, strings->entries, strings->capacity * sizeof(*strings->entries));
    gt_slots_destroy(&strings->slots);
    gt_strings_init(strings, strings->mem);
}

static gt_status strings_add_entry(struct gt_strings *strings, const char *data, uint32_t size)
{
    size_t count = strings->slots.count;
    gt_status status = gt_mem_reserve(strings->mem, &strings->entries, &strings->capacity,
                                      count + 1, sizeof(*strings->entries));
    if (status != GT_OK)
        return status;
    struct gt_string_entry *entry = &strings->entries[count];
    entry->data = data;
    entry->size = size;
    entry->name = NULL;
    return GT_OK;
}

gt_status gt_strings_add(struct gt_strings *strings, uint64_t id, const uint8_t *data,
                         uint32_t size)
{
    gt_status status = strings_add_entry(strings, (const char *) data, size);
    return status != GT_OK ? status : gt_slots_add(&strings->slots, id);
}

gt_status gt_strings_add_text(struct gt_strings *strings, const char *text, uint32_t *slot)
{
    gt_status status = strings_add_entry(strings, text, (uint32_t) strlen(text));
    if (status == GT_OK)
        status = gt_slots_add_plain(&strings->slots);
    *slot = strings->slots.count;
    return status;
}

struct gt_name *gt_strings_name(struct gt_strings *strings, struct gt_names *names, uint32_t slot)
{
    struct gt_name **name = slot == 0 ? &strings->empty : &strings->entries[slot - 1].name;
    if (!*name) {
        gt_string text = gt_strings_get(strings, slot);
        *name = gt_names_add(names, text.data, (uint32_t) text.size);
        if (!*name)
            return NULL;
        strings->named += slot != 0;
    }
    return gt_name_hold(*name);
}
