/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_STRINGS_H
#define GT_MODEL_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/mem.h"
#include "model/names.h"
#include "model/slots.h"

struct gt_string_entry {
    const char *data;     /* in the input */
    struct gt_name *name; /* a copy that outlives the table; made on demand */
    uint32_t size;
};

/* The strings of a generation, in the input. Slot 0 is the empty string. */
struct gt_strings {
    struct gt_mem *mem;
    struct gt_slots slots;
    struct gt_string_entry *entries; /* by slot - 1 */
    size_t capacity;
    uint32_t named;        /* how many entries have a name */
    struct gt_name *empty; /* the name of slot 0; made on demand */
};

void gt_strings_init(struct gt_strings *strings, struct gt_mem *mem);
void gt_strings_destroy(struct gt_strings *strings, struct gt_names *names);
void gt_strings_clear(struct gt_strings *strings, struct gt_names *names);

/* Adds a string with a new id that is not 0. The bytes must outlive the strings. */
gt_status gt_strings_add(struct gt_strings *strings, uint64_t id, const uint8_t *data,
                         uint32_t size);

/* Adds a constant text of the library, which has no id; sets `*slot`. */
gt_status gt_strings_add_text(struct gt_strings *strings, const char *text, uint32_t *slot);

/* Sets `*slot` to that of string `id`. Returns whether there is one; id 0 is the empty string. */
static inline bool gt_strings_find(const struct gt_strings *strings, uint64_t id, uint32_t *slot)
{
    *slot = gt_slots_find(&strings->slots, id);
    return *slot != 0 || id == 0;
}

static inline gt_string gt_strings_get(const struct gt_strings *strings, uint32_t slot)
{
    gt_string string = {"", 0};
    if (slot != 0) {
        string.data = strings->entries[slot - 1].data;
        string.size = strings->entries[slot - 1].size;
    }
    return string;
}

/* The string's name if it was requested before, else NULL. The caller gets no reference. */
static inline struct gt_name *gt_strings_name_known(const struct gt_strings *strings, uint32_t slot)
{
    return slot == 0 ? strings->empty : strings->entries[slot - 1].name;
}

/*
 * The string as a name, to which the caller gets a reference. The text is copied once for each
 * string of a generation, no matter how often it is requested. NULL without memory; the empty
 * string is a name as well.
 */
struct gt_name *gt_strings_name(struct gt_strings *strings, struct gt_names *names, uint32_t slot);

#endif
