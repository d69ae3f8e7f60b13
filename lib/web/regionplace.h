/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_REGIONPLACE_H
#define GT_WEB_REGIONPLACE_H

/*
 * Restricts a profile to regions that begin at one place. A gt_profile selects regions by type
 * only, so events of regions of that type that begin elsewhere are withheld from it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/reader.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/pool.h"

/* A region of the type. */
struct gt_regionplace_region {
    struct gt_regionplace_region *outer;
    uint64_t task;
    bool is_hidden; /* withheld from the profile */
};

/* The regions of the type that a goroutine is currently in. */
struct gt_regionplace_goroutine {
    struct gt_regionplace_region *regions;
};

/* To initialise it, set `type`, `pc` and `mem`, and all other bytes to 0. */
struct gt_regionplace {
    /* The type of the regions, which is not empty, and the pc of the place at which they begin. */
    gt_string type;
    uint64_t pc;
    /* Maps the id of a goroutine to its index in `goroutines` + 1. */
    struct gt_idmap ids;
    struct gt_mem *mem;
    GT_ARRAY(struct gt_regionplace_goroutine) goroutines;
    struct gt_pool pool; /* of regions */
    bool out_of_memory;
};

/*
 * Returns whether the event is to be passed to the profile. It must be called for every event of
 * the trace, in order. If memory runs out, it sets `out_of_memory` and returns false.
 */
bool gt_regionplace_shows(struct gt_regionplace *place, gt_reader *reader, const gt_event *event);

void gt_regionplace_free(struct gt_regionplace *place);

#endif
