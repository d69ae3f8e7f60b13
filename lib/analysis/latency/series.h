/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_LATENCY_SERIES_H
#define GT_ANALYSIS_LATENCY_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/latency.h>

#include "analysis/durations.h"
#include "base/pool.h"
#include "base/shared_text.h"

enum {
    GT_LATENCY_KINDS = GT_LATENCY_REGION + 1,
    GT_LATENCY_GROUPS = GT_LATENCY_BY_REGION + 1,
    /* The size of the cache of series. */
    GT_RECENT_SERIES = 64
};

struct gt_series {
    uint32_t kind;
    uint32_t group;
    struct gt_shared_text *name;
    struct gt_durations durations;
};

/* All series, which are found by kind, group and name. */
struct gt_series_set {
    struct gt_mem *mem;
    struct gt_shared_texts *texts;
    struct gt_pool pool;
    struct gt_pool octaves;
    GT_ARRAY(struct gt_series *) list;
    struct gt_index index;
    uint64_t secret;
    uint64_t most; /* series of one kind and group */
    uint64_t counts[GT_LATENCY_KINDS][GT_LATENCY_GROUPS];
    struct gt_series *recent[GT_RECENT_SERIES];
};

void gt_series_set_init(struct gt_series_set *set, struct gt_mem *mem,
                        struct gt_shared_texts *texts, uint64_t most);
void gt_series_set_destroy(struct gt_series_set *set);

/*
 * Adds a duration to the series with this name. If it would be one series too many, the duration
 * goes to the series with the name GT_LATENCY_OTHER.
 */
gt_status gt_series_add(struct gt_series_set *set, uint32_t kind, uint32_t group,
                        struct gt_shared_text *name, int64_t duration);

/* Sorts the list. More series may be added afterwards. */
void gt_series_set_sort(struct gt_series_set *set);

#endif
