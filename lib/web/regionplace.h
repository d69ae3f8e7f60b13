/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_REGIONPLACE_H
#define GT_WEB_REGIONPLACE_H

/*
 * Makes a profile of the regions that begin at one place: a gt_profile selects them by type,
 * and must not see those of the type that begin elsewhere.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/reader.h>

#include "base/idmap.h"
#include "base/mem.h"

/* The regions that a goroutine is in. */
struct gt_regionplace_goroutine {
    /* Whether each is kept from the profile, the outermost first. */
    bool *hidden;
    size_t depth, capacity;
};

/* Starts with the place, and else as all zeros. */
struct gt_regionplace {
    /* Not empty. */
    gt_string type;
    uint64_t pc;
    /* From a goroutine to its number in `goroutines`, plus 1. */
    struct gt_idmap ids;
    struct gt_mem ids_mem;
    struct gt_regionplace_goroutine *goroutines;
    size_t count, capacity;
    bool out_of_memory;
};

/* Whether the profile is to see this event; all have to come. */
bool gt_regionplace_shows(struct gt_regionplace *place, gt_reader *reader, const gt_event *event);

void gt_regionplace_free(struct gt_regionplace *place);

#endif
