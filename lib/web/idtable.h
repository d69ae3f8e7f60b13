/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_IDTABLE_H
#define GT_WEB_IDTABLE_H

/* Numbers by id: where in a list something with an id of the trace's is. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gt_idtable_slot {
    uint64_t id;
    /* The number + 1; 0 where free. */
    uint32_t number;
};

/* Starts as all zeros. */
struct gt_idtable {
    struct gt_idtable_slot *slots;
    size_t count, capacity;
    uint64_t seed;
};

/*
 * Where the number of `id` is, + 1; 0 where it is new, to be set then. Good until the next
 * call. NULL where there is no memory.
 */
uint32_t *gt_idtable_put(struct gt_idtable *table, uint64_t id);
/* The number + 1, or 0. */
uint32_t gt_idtable_get(const struct gt_idtable *table, uint64_t id);

void gt_idtable_free(struct gt_idtable *table);

#endif
