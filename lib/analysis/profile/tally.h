/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PROFILE_TALLY_H
#define GT_ANALYSIS_PROFILE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/wraps.h"

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

/* At most INT64_MAX. */
static inline uint64_t gt_amount_sum(uint64_t a, uint64_t b)
{
    const uint64_t most = INT64_MAX;
    return b > most || a > most - b ? most : a + b;
}

static inline void gt_amount_add(struct gt_amount *to, const struct gt_amount *more)
{
    to->count = gt_amount_sum(to->count, more->count);
    to->ns = gt_amount_sum(to->ns, more->ns);
}

/* Counts what came before the Sync number `sync` for good. */
static inline void gt_tally_settle(struct gt_tally_entry *entry, uint32_t sync)
{
    if (entry->sync == sync)
        return;
    gt_amount_add(&entry->amount, &entry->later);
    entry->later = (struct gt_amount){0, 0};
    entry->sync = sync;
}

/* Keys are dense numbers of our own, so nobody chooses them. */
GT_WRAPS static inline size_t gt_tally_home(const struct gt_tally *tally, uint32_t key)
{
    return (size_t) (key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & tally->mask;
}

/* The entry of a key that has none; NULL: no memory. */
struct gt_tally_entry *gt_tally_new_entry(struct gt_tally *tally, struct gt_mem *mem, uint32_t key);

/* The entry of a key; NULL: no memory. */
static inline struct gt_tally_entry *gt_tally_entry_of(struct gt_tally *tally, struct gt_mem *mem,
                                                       uint32_t key)
{
    size_t at = gt_tally_home(tally, key);
    for (; tally->entries && tally->entries[at].key != 0; at = (at + 1) & tally->mask) {
        if (tally->entries[at].key == key)
            return &tally->entries[at];
    }
    return gt_tally_new_entry(tally, mem, key);
}

static inline gt_status gt_tally_add(struct gt_tally *tally, struct gt_mem *mem,
                                     const struct gt_tally_part *part)
{
    struct gt_tally_entry *entry = gt_tally_entry_of(tally, mem, part->key);
    if (!entry)
        return gt_mem_failure(mem);
    gt_tally_settle(entry, part->sync);
    gt_amount_add(part->settled ? &entry->amount : &entry->later, &part->amount);
    return GT_OK;
}

/* Adds all that is in an entry of another tally, after the Sync number `sync`. */
gt_status gt_tally_add_entry(struct gt_tally *tally, struct gt_mem *mem,
                             struct gt_tally_entry *more, uint32_t sync);

/* Moves all of `from` to `to`, after the Sync number `sync`; frees `from`. */
gt_status gt_tally_move(struct gt_tally *to, struct gt_mem *mem, struct gt_tally *from,
                        uint32_t sync);

/* gt_tally_free of one that holds anything. */
void gt_tally_drop(struct gt_tally *tally, struct gt_mem *mem);

static inline void gt_tally_free(struct gt_tally *tally, struct gt_mem *mem)
{
    if (tally->entries)
        gt_tally_drop(tally, mem);
}

#endif
