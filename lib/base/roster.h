/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_ROSTER_H
#define GT_BASE_ROSTER_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

/*
 * A list of objects in the order in which they were added. Each object gets the next number, from 1
 * on, and keeps it. So a caller that remembers the number of the last visited object visits each
 * remaining object exactly once, even if objects are added and removed in between.
 */
struct gt_roster_entry {
    uint64_t number;
    void *object; /* NULL: the object was removed */
};

struct gt_roster {
    GT_ARRAY(struct gt_roster_entry) list;
    uint64_t last; /* the number of the object that was added last */
    size_t gone;   /* the number of entries without an object, at most half of all */
};

/* Adds an object and sets `*number` to its number. On failure nothing changes. */
gt_status gt_roster_add(struct gt_roster *roster, struct gt_mem *mem, void *object,
                        uint64_t *number);

/* Removes the object with this number, which must be in the list. */
void gt_roster_remove(struct gt_roster *roster, uint64_t number);

/* Returns the first object whose number is greater than `number`, or NULL if there is none. */
void *gt_roster_after(const struct gt_roster *roster, uint64_t number);

void gt_roster_free(struct gt_roster *roster, struct gt_mem *mem);

#endif
