/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_ROSTER_H
#define GT_BASE_ROSTER_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

/*
 * A list of objects in the order in which they were added. Each gets the next number, from 1 on,
 * and keeps it. So a caller that remembers the number of the last object it has seen visits each
 * remaining object exactly once, even if objects are added and removed in between.
 */
struct gt_roster_entry {
    uint64_t number;
    void *object; /* NULL: it has gone */
};

struct gt_roster {
    GT_ARRAY(struct gt_roster_entry) list;
    uint64_t last; /* the number of the object that came last */
    size_t gone;   /* entries without an object, never more than half of them */
};

/* Adds an object and sets `*number` to its number. On failure nothing changes. */
gt_status gt_roster_add(struct gt_roster *roster, struct gt_mem *mem, void *object,
                        uint64_t *number);

/* Removes the object with a number, which must be there. */
void gt_roster_remove(struct gt_roster *roster, uint64_t number);

/* The first object whose number is greater, or NULL. */
void *gt_roster_after(const struct gt_roster *roster, uint64_t number);

void gt_roster_free(struct gt_roster *roster, struct gt_mem *mem);

#endif
