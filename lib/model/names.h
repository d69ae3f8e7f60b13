/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_NAMES_H
#define GT_MODEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gotrace/types.h>

#include "base/mem.h"
#include "base/text.h"

/*
 * A text that outlives the table of strings that it comes from: the name of a task or region, or
 * the cause of a stopped world, which may end in a later generation. It has a reference count.
 */
struct gt_name {
    struct gt_name *previous; /* in the list of all names */
    struct gt_name *next;
    struct gt_name *next_dead;
    uint64_t hash;
    uint32_t references;
    uint32_t size;
    char text[];
};

struct gt_names {
    struct gt_mem *mem;
    uint64_t secret; /* of the hashes */
    struct gt_name *all;
    struct gt_name *dead; /* names without references, to which events may still point */
};

void gt_names_init(struct gt_names *names, struct gt_mem *mem);

/* Frees all names without references. */
void gt_names_sweep(struct gt_names *names);

/* Frees all names, even those with references. */
void gt_names_destroy(struct gt_names *names);

/* Moves all names of `from`, which allocates from the same memory, to `to`. */
void gt_names_join(struct gt_names *to, struct gt_names *from);

/* A new name with one reference; NULL without memory. */
struct gt_name *gt_names_add(struct gt_names *names, const char *text, uint32_t size);

static inline struct gt_name *gt_name_hold(struct gt_name *name)
{
    name->references++;
    return name;
}

static inline bool gt_name_is(const struct gt_name *name, const char *text, size_t size)
{
    return name->size == size && memcmp(name->text, text, size) == 0;
}

/* Returns the hash that the name of a text has. */
static inline uint64_t gt_names_hash(const struct gt_names *names, const char *text, size_t size)
{
    return gt_text_hash((gt_string){text, size}, names->secret);
}

/* Drops a reference. The text stays valid until the next sweep. */
static inline void gt_names_drop(struct gt_names *names, struct gt_name *name)
{
    if (--name->references == 0) {
        name->next_dead = names->dead;
        names->dead = name;
    }
}

#endif
