/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_NAMES_H
#define GT_WEB_NAMES_H

/*
 * A subset of a store's texts, numbered from 0 in order of first appearance. To initialise a
 * struct gt_web_names, set `mem`, and all other bytes to 0.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/array.h"

struct gt_web_name {
    gt_string text;
    /* The position among all names in byte order. It is valid after gt_names_rank. */
    uint32_t rank;
};

struct gt_web_names {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_web_name) list;
    /* Indexed by the id of a text: the number of its name + 1, or 0 if it has none. */
    GT_ARRAY(uint32_t) numbers;
};

/*
 * Sets `*number` to the number of the text `id`, and adds the text if it is new. `text` is its
 * content, which is borrowed and must stay valid as long as the names. Returns false if memory
 * runs out.
 */
bool gt_web_names_add(struct gt_web_names *names, uint32_t id, gt_string text, uint32_t *number);
gt_string gt_names_get(const struct gt_web_names *names, uint32_t number);
/* Computes the rank of every name. Returns false if memory runs out. */
bool gt_names_rank(struct gt_web_names *names);
/* Frees what is needed only to add names. After this no names may be added. */
void gt_names_close(struct gt_web_names *names);
void gt_names_free(struct gt_web_names *names);

#endif
