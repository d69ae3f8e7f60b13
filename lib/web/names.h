/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_NAMES_H
#define GT_WEB_NAMES_H

/* Some of a store's texts, numbered from 0 in order of first appearance. Starts as all zeros. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

struct gt_web_name {
    gt_string text;
    /* Its place among all names in order of bytes; of gt_names_rank. */
    uint32_t rank;
};

struct gt_web_names {
    struct gt_web_name *list;
    size_t count, room;
    /* By text: its number + 1, or 0. */
    uint32_t *numbers;
    size_t texts;
};

/* The number of text `id`, which is `text` and must stay there. False where there is no memory. */
bool gt_web_names_add(struct gt_web_names *names, uint32_t id, gt_string text, uint32_t *number);
gt_string gt_names_get(const struct gt_web_names *names, uint32_t number);
/* False where there is no memory. */
bool gt_names_rank(struct gt_web_names *names);
/* No more names are to come: gives back what only those need. */
void gt_names_close(struct gt_web_names *names);
void gt_names_free(struct gt_web_names *names);

#endif
