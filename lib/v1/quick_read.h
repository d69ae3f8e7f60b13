/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_QUICK_READ_H
#define GT_V1_QUICK_READ_H

#include "base/likely.h"
#include "v1/order.h"

/*
 * Functions that the quick cases share, for reading arguments and checking requirements. See
 * v1/quick.h.
 */

/* The next event of the first proc, for registers. See struct gt_v1_proc. */
struct gt_v1_place {
    const uint8_t *pos;
    int64_t ticks;
    uint8_t type;
};

/* Reads a varint of five bytes or more, out of line. */
struct gt_varint gt_v1_varint_long(const uint8_t *p);

/* Reads a varint, which is well formed. */
static GT_ALWAYS_INLINE struct gt_varint gt_v1_varint_read(const uint8_t *p)
{
    struct gt_varint varint = gt_varint_short(p);
    return GT_UNLIKELY(!varint.end) ? gt_v1_varint_long(p) : varint;
}

/* Reads the first arguments of the event. Returns their end. */
static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_read(const struct gt_v1_place *at,
                                                        uint64_t *numbers, unsigned count)
{
    const uint8_t *p = at->pos;
    for (unsigned i = 0; i < count; i++) {
        struct gt_varint number = gt_v1_varint_read(p);
        numbers[i] = number.value;
        p = number.end;
    }
    return p;
}

/* Sets the event's stack to the one with this id. An unknown id means no stack, as in Go. */
static GT_ALWAYS_INLINE void gt_v1_quick_stack(const struct gt_v1 *v1, uint64_t id,
                                               struct gt_event_data *data)
{
    gt_stacks_find(&v1->table.stacks, (uint32_t) id, &data->stack);
}

/* Returns whether the goroutine of the proc's context runs on the proc. */
static GT_ALWAYS_INLINE bool gt_v1_quick_runs(const struct gt_v1_proc *proc)
{
    const struct gt_v1_goroutine *goroutine = proc->goroutine;
    return goroutine && (int64_t) goroutine->id == proc->context;
}

struct gt_v1_goroutine *gt_v1_goroutine_recent_slow(struct gt_v1 *v1, uint64_t id);

/* Returns the goroutine with this id if it is not dead; otherwise returns a dead one. */
static GT_ALWAYS_INLINE struct gt_v1_goroutine *gt_v1_goroutine_recent(struct gt_v1 *v1,
                                                                       uint64_t id)
{
    struct gt_v1_goroutine *goroutine = v1->state.recent[id % GT_V1_RECENT];
    if (GT_UNLIKELY(goroutine->id != id))
        return gt_v1_goroutine_recent_slow(v1, id);
    return goroutine;
}

#endif
