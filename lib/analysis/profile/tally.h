/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PROFILE_TALLY_H
#define GT_ANALYSIS_PROFILE_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/index.h"
#include "base/wraps.h"

/* How often something was counted, and for how long. */
struct gt_amount {
    uint64_t count;
    uint64_t ns;
};

/* What was counted under a key. */
struct gt_tally_entry {
    uint32_t key;
    uint32_t sync; /* the number of Sync events before `later` */
    struct gt_amount amount;
    struct gt_amount later; /* what came after these Sync events */
};

/*
 * Amounts by key. Go counts only what comes before the last Sync event (cmd/trace/main.go). Whether
 * there is another one shows only when it comes, so what came after the last one is kept apart.
 */
struct gt_tally {
    GT_ARRAY(struct gt_tally_entry) list;
    struct gt_index index; /* empty while there are no more than GT_TALLY_FEW entries */
};

enum {
    /* Most tallies are of a goroutine that lives shortly, and have one entry or two. */
    GT_TALLY_FEW = 4
};

/* An amount to be added. */
struct gt_tally_part {
    uint32_t key;
    uint32_t sync; /* the number of Sync events before it */
    bool settled;  /* it counts without a later Sync event */
    struct gt_amount amount;
};

/* The sum, at most INT64_MAX. */
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

/* What came before the Sync event number `sync` counts from now on. */
static inline void gt_tally_settle(struct gt_tally_entry *entry, uint32_t sync)
{
    if (entry->sync == sync)
        return;
    gt_amount_add(&entry->amount, &entry->later);
    entry->later = (struct gt_amount){0, 0};
    entry->sync = sync;
}

/* Keys are made of our own dense numbers, which no file can choose, so there is no secret. */
GT_WRAPS static inline uint64_t gt_tally_hash(uint32_t key)
{
    return key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

/* Adds an entry for a key that has none. NULL: no memory. */
struct gt_tally_entry *gt_tally_entry_add(struct gt_tally *tally, struct gt_mem *mem, uint32_t key);

/* The entry for a key, or NULL. */
static inline struct gt_tally_entry *gt_tally_entry_find(const struct gt_tally *tally, uint32_t key)
{
    struct gt_tally_entry *entry;
    if (tally->list.count > GT_TALLY_FEW) {
        GT_INDEX_FIND(entry, &tally->list, &tally->index, gt_tally_hash(key), entry->key == key);
        return entry;
    }
    for (size_t i = 0; i < tally->list.count; i++) {
        if (tally->list.items[i].key == key)
            return &tally->list.items[i];
    }
    return NULL;
}

/* The entry for a key, which is added if it is new. NULL: no memory. */
static inline struct gt_tally_entry *gt_tally_entry_get(struct gt_tally *tally, struct gt_mem *mem,
                                                        uint32_t key)
{
    struct gt_tally_entry *entry = gt_tally_entry_find(tally, key);
    return entry ? entry : gt_tally_entry_add(tally, mem, key);
}

static inline gt_status gt_tally_add(struct gt_tally *tally, struct gt_mem *mem,
                                     const struct gt_tally_part *part)
{
    struct gt_tally_entry *entry = gt_tally_entry_get(tally, mem, part->key);
    if (!entry)
        return gt_mem_failure(mem);
    gt_tally_settle(entry, part->sync);
    gt_amount_add(part->settled ? &entry->amount : &entry->later, &part->amount);
    return GT_OK;
}

/* Adds an entry of another tally, after the Sync event number `sync`. */
gt_status gt_tally_add_entry(struct gt_tally *tally, struct gt_mem *mem,
                             struct gt_tally_entry *more, uint32_t sync);

/* Adds all of `from` to `to`, after the Sync event number `sync`, and frees `from`. */
gt_status gt_tally_move(struct gt_tally *to, struct gt_mem *mem, struct gt_tally *from,
                        uint32_t sync);

/* Adds all of `from` to `to`, after the Sync event number `sync`. */
gt_status gt_tally_copy(struct gt_tally *to, struct gt_mem *mem, struct gt_tally *from,
                        uint32_t sync);

/* gt_tally_free for a tally that is not empty. */
void gt_tally_drop(struct gt_tally *tally, struct gt_mem *mem);

static inline void gt_tally_free(struct gt_tally *tally, struct gt_mem *mem)
{
    if (tally->list.items)
        gt_tally_drop(tally, mem);
}

#endif
