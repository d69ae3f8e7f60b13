/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "raw/text.h"

/*
 * A hash of a name. Within a version any two names differ in their length or in one of the three
 * letters that it uses.
 */
static uint8_t names_hash(const uint8_t *name, size_t size)
{
    return (uint8_t) (name[0] + 5U * name[size / 2] + 17U * name[size - 1] + 67U * size);
}

static void names_fill(struct gt_raw_names *names, const gt_wire_spec *const *specs)
{
    for (unsigned type = 1; type < 256; type++) {
        if (!specs[type])
            continue;
        const char *name = specs[type]->name;
        uint8_t slot = names_hash((const uint8_t *) name, strlen(name));
        while (names->slots[slot] != 0)
            slot++;
        names->slots[slot] = (uint8_t) type;
    }
    names->is_filled = true;
}

const gt_wire_spec *gt_raw_names_find(struct gt_raw_names *names, const gt_wire_spec *const *specs,
                                      const uint8_t *name, size_t size)
{
    if (!names->is_filled)
        names_fill(names, specs);
    if (size == 0)
        return NULL;
    for (uint8_t slot = names_hash(name, size); names->slots[slot] != 0; slot++) {
        const gt_wire_spec *spec = specs[names->slots[slot]];
        const uint8_t *end = name;
        if (gt_raw_text_take(&end, spec->name) && end == name + size)
            return spec;
    }
    return NULL;
}
