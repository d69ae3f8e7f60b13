/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_REPAIRKINDS_H
#define GT_WEB_REPAIRKINDS_H

/* The repairs of a trace, counted by what was wrong. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>
#include <gotrace/types.h>

#include "base/arena.h"
#include "base/mem.h"
#include "web/json.h"

enum {
    /* The most kinds that are told apart; repairs of further kinds are only counted. */
    GT_REPAIRKINDS_MAX = 32
};

/* Repairs whose messages differ in numbers only. */
struct gt_repairkind {
    /* The message with an ellipsis for each number. */
    gt_string text;
    uint64_t count;
    /* The times of the events before the first and the last of these repairs. */
    int64_t first, last;
};

/* All zeros at first. */
struct gt_repairkinds {
    struct gt_repairkind kinds[GT_REPAIRKINDS_MAX];
    size_t kind_count;
    /* Repairs of other kinds. */
    uint64_t others;
};

/*
 * Counts a repair that was made at a time since the start of the trace. The text of a new kind is
 * copied to `texts`. Returns false if memory runs out.
 */
bool gt_repairkinds_note(struct gt_repairkinds *repairs, struct gt_arena *texts, struct gt_mem *mem,
                         const gt_error *repair, int64_t time);

/* Writes the members "repair_kinds" and "repairs_others" of an object. */
void gt_repairkinds_write(struct gt_json *json, const struct gt_repairkinds *repairs);

#endif
