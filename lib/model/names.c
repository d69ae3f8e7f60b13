/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/names.h"

#include <string.h>

#include "base/hash.h"

void gt_names_init(struct gt_names *names, struct gt_mem *mem)
{
    names->mem = mem;
    names->secret = gt_hash_secret(names);
    names->all = NULL;
    names->dead = NULL;
}

static void name_free(struct gt_names *names, struct gt_name *name)
{
    if (name->next)
        name->next->previous = name->previous;
    *(name->previous ? &name->previous->next : &names->all) = name->next;
    gt_mem_free(names->mem, name, sizeof(*name) + name->size);
}

void gt_names_sweep(struct gt_names *names)
{
    while (names->dead) {
        struct gt_name *name = names->dead;
        names->dead = name->next_dead;
        name_free(names, name);
    }
}

void gt_names_destroy(struct gt_names *names)
{
    names->dead = NULL;
    while (names->all)
        name_free(names, names->all);
}

void gt_names_join(struct gt_names *to, struct gt_names *from)
{
    struct gt_name **end = &from->dead;
    struct gt_name *last = NULL;
    while (*end)
        end = &(*end)->next_dead;
    *end = to->dead;
    to->dead = from->dead;
    for (struct gt_name *name = from->all; name; name = name->next) {
        name->hash = gt_names_hash(to, name->text, name->size);
        last = name;
    }
    if (last) {
        last->next = to->all;
        if (to->all)
            to->all->previous = last;
        to->all = from->all;
    }
    gt_names_init(from, from->mem);
}

struct gt_name *gt_names_add(struct gt_names *names, const char *text, uint32_t size)
{
    struct gt_name *name = gt_mem_alloc(names->mem, sizeof(*name) + size);
    if (!name)
        return NULL;
    name->previous = NULL;
    name->next = names->all;
    name->next_dead = NULL;
    name->hash = gt_names_hash(names, text, size);
    name->references = 1;
    name->size = size;
    memcpy(name->text, text, size);
    if (names->all)
        names->all->previous = name;
    names->all = name;
    return name;
}
