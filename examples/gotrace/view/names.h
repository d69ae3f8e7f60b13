/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEW_NAMES_H
#define VIEW_NAMES_H

/* Distinct names, numbered from 0 in order of first appearance. Starts as all zeros. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

struct name {
    gt_string text;
    uint32_t hash;
    /* Its place among all names in order of bytes; of names_rank. */
    uint32_t rank;
};

struct names {
    struct name *list;
    size_t count, room;
    /* Numbers of names plus 1, by hash; 0 is free. A power of two, more than there are names. */
    uint32_t *slots;
    size_t slot_count;
};

/* The name, which must stay where it is, is not copied. False where there is no memory. */
bool names_add(struct names *names, gt_string name, uint32_t *number);
gt_string names_get(const struct names *names, uint32_t number);
/* False where there is no memory. */
bool names_rank(struct names *names);
void names_free(struct names *names);

#endif
