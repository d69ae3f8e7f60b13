/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PROFILE_TALLY_H
#define GT_ANALYSIS_PROFILE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* An amount: how many times, and for how long. */
struct gt_amount {
    uint64_t count;
    uint64_t ns;
};

/* What was counted under a key. */
struct gt_tally_entry {
    uint32_t key; /* 0 where the entry is free */
    uint32_t sync;
    struct gt_amount amount;
    struct gt_amount later; /* what came after the Sync number `sync` */
};

/*
 * Amounts by key. Go counts only what comes before the last Sync (cmd/trace/main.go), which
 * shows when there is one more: so amounts of now are kept apart.
 */
struct gt_tally {
    struct gt_tally_entry *entries;
    size_t mask; /* entries - 1, a power of two less one; 0 where there are none */
    size_t used;
};

/* The amount to add to a key, other than 0; `settled` does not depend on Syncs. */
struct gt_tally_part {
    uint32_t key;
    uint32_t sync; /* the number of the Sync before it */
    int settled;
    struct gt_amount amount;
};

gt_status gt_tally_add(struct gt_tally *tally, struct gt_mem *mem,
                       const struct gt_tally_part *part);

/* Adds all that is in an entry of another tally, after the Sync number `sync`. */
gt_status gt_tally_add_entry(struct gt_tally *tally, struct gt_mem *mem,
                             struct gt_tally_entry *more, uint32_t sync);

/* Moves all of `from` to `to`, after the Sync number `sync`; frees `from`. */
gt_status gt_tally_move(struct gt_tally *to, struct gt_mem *mem, struct gt_tally *from,
                        uint32_t sync);

/* Counts what came before the Sync number `sync` for good. */
void gt_tally_settle(struct gt_tally_entry *entry, uint32_t sync);

void gt_tally_free(struct gt_tally *tally, struct gt_mem *mem);

#endif
