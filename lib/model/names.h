/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_NAMES_H
#define GT_MODEL_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gotrace/types.h>

#include "base/mem.h"

/*
 * Texts that outlive the string table they came from: the names of tasks and
 * regions and the causes of stopped worlds, which end in later generations.
 */
struct gt_name {
    struct gt_name *previous; /* of all names, dead or alive */
    struct gt_name *next;
    struct gt_name *next_dead;
    uint32_t references;
    uint32_t size;
    char text[];
};

struct gt_names {
    struct gt_mem *mem;
    struct gt_name *all;
    struct gt_name *dead; /* without references, but events may still point there */
};

void gt_names_init(struct gt_names *names, struct gt_mem *mem);

/* Frees the dead. */
void gt_names_sweep(struct gt_names *names);

/* Frees all names, whoever still has a reference. */
void gt_names_destroy(struct gt_names *names);

/* A new name with one reference, or NULL. */
struct gt_name *gt_names_add(struct gt_names *names, const char *text, uint32_t size);

static inline struct gt_name *gt_name_hold(struct gt_name *name)
{
    name->references++;
    return name;
}

static inline int gt_name_is(const struct gt_name *name, const char *text, size_t size)
{
    return name->size == size && memcmp(name->text, text, size) == 0;
}

/* The text stays until the next sweep. */
static inline void gt_names_drop(struct gt_names *names, struct gt_name *name)
{
    if (--name->references == 0) {
        name->next_dead = names->dead;
        names->dead = name;
    }
}

#endif
