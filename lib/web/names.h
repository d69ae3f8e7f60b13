/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_NAMES_H
#define GT_WEB_NAMES_H

/* Some of a store's texts, numbered from 0 in order of first appearance. Starts as all zeros. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

struct name {
    gt_string text;
    /* Its place among all names in order of bytes; of names_rank. */
    uint32_t rank;
};

struct names {
    struct name *list;
    size_t count, room;
    /* By text: its number + 1, or 0. */
    uint32_t *numbers;
    size_t texts;
};

/* The number of text `id`, which is `text` and must stay there. False where there is no memory. */
bool names_add(struct names *names, uint32_t id, gt_string text, uint32_t *number);
gt_string names_get(const struct names *names, uint32_t number);
/* False where there is no memory. */
bool names_rank(struct names *names);
/* No more names are to come: gives back what only those need. */
void names_close(struct names *names);
void names_free(struct names *names);

#endif
