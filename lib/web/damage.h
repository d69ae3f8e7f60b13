/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_DAMAGE_H
#define GT_WEB_DAMAGE_H

/* The repairs of a damaged trace, counted by what was wrong. */

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
    GT_DAMAGE_KINDS_MAX = 32
};

/* Repairs whose messages differ in numbers only. */
struct gt_damage_kind {
    /* The message with an ellipsis for each number. */
    gt_string text;
    uint64_t count;
    /* The times of the events before the first and the last of these repairs. */
    int64_t first, last;
};

/* All zeros at first. */
struct gt_damage {
    struct gt_damage_kind kinds[GT_DAMAGE_KINDS_MAX];
    size_t kind_count;
    /* Repairs of other kinds. */
    uint64_t others;
};

/*
 * Counts a repair that was made at a time since the start of the trace. The text of a new kind is
 * copied to `texts`. Returns false if memory runs out.
 */
bool gt_damage_note(struct gt_damage *damage, struct gt_arena *texts, struct gt_mem *mem,
                    const gt_error *repair, int64_t time);

/* Writes the members "damage" and "damage_others" of an object. */
void gt_damage_write(struct gt_json *json, const struct gt_damage *damage);

#endif
