/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODULELIST_H
#define MODULELIST_H

/*
 * The programs and libraries that a process had loaded while it was recorded. libgotrace-recorder
 * writes a string about each into every generation, to which no event refers:
 *
 *     gotrace.module BASE LOW HIGH BUILD-ID PATH
 *
 * The numbers are hexadecimal: BASE is what was added to the addresses in the file, and the code
 * was from LOW to HIGH. BUILD-ID is "-" if the file has none.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

struct module {
    uint64_t base, low, high;
    /* How many modules the trace told of before. */
    size_t order;
    const char *build_id;
    const char *path;
    /* What the members before point into. Owned. */
    char *text;
};

/* Begins as zeros. */
struct modulelist {
    struct module *list;
    size_t count, capacity;
};

/*
 * Adds the module of which a string of the trace tells. Does nothing for another string. Returns
 * false if there is not enough memory.
 */
bool modulelist_add(struct modulelist *modules, gt_string text);

/*
 * Must be called when all modules were added. Of modules that were at the same addresses one after
 * the other, only the last one remains.
 */
void modulelist_sort(struct modulelist *modules);

/* Returns the module with the code at the address, or NULL. */
const struct module *modulelist_find(const struct modulelist *modules, uint64_t address);

void modulelist_free(struct modulelist *modules);

#endif
