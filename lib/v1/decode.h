/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_DECODE_H
#define GT_V1_DECODE_H

#include "base/varint.h"
#include "v1/v1.h"

/*
 * Decodes what the scan has found to be well formed, so nothing here can fail
 * or leave the input.
 */

/* By type: whether a record is an event of the proc whose batch it is in. */
extern const uint8_t gt_v1_is_event[64];

/* Moves to the first event of the proc's batch, and returns where that starts. */
const uint8_t *gt_v1_open_batch(const struct gt_v1 *v1, struct gt_v1_proc *proc);

/* Past a record that is no event of a proc. */
const uint8_t *gt_v1_skip(const struct gt_v1 *v1, const uint8_t *p);

/* Past numbers that do not matter. */
static inline const uint8_t *gt_v1_skip_number(const uint8_t *p)
{
    while (*p++ >= 0x80)
        ;
    return p;
}

static inline int64_t gt_v1_add(int64_t a, uint64_t b)
{
    return (int64_t) ((uint64_t) a + b);
}

/*
 * Reads the type and the time of the event at `p`, which is the proc's next one. With `numbered`,
 * which is N = 5, its number comes before its time.
 */
static inline void gt_v1_peek(struct gt_v1_proc *proc, const uint8_t *p, int numbered)
{
    proc->event = p;
    proc->lane.type = *p & 0x3f;
    p = *p >> 6 == GT_V1_COUNTED ? gt_v1_skip_number(p + 1) : p + 1;
    if (numbered)
        proc->lane.time = gt_v1_add(proc->lane.time, gt_varint_trusted(&p));
    proc->ticks = gt_v1_add(proc->ticks, gt_varint_trusted(&p));
    if (!numbered)
        proc->lane.time = proc->ticks;
    proc->pos = p;
}

/* Moves to the proc's next event, which comes at `p` or later; 0 where there is none. */
static inline int gt_v1_next(const struct gt_v1 *v1, struct gt_v1_proc *proc, const uint8_t *p,
                             int numbered)
{
    while (p == v1->end || !gt_v1_is_event[*p & 0x3f]) {
        if (p != v1->end && (*p & 0x3f) != GT_V1_BATCH) {
            p = gt_v1_skip(v1, p);
            continue;
        }
        int32_t next = v1->batches[proc->last_batch].next;
        if (next < 0)
            return 0;
        proc->last_batch = next;
        p = gt_v1_open_batch(v1, proc);
    }
    gt_v1_peek(proc, p, numbered);
    return 1;
}

/* Reads the next number of the proc's next event. */
static inline uint64_t gt_v1_number(struct gt_v1_proc *proc)
{
    return gt_varint_trusted(&proc->pos);
}

/* What follows the time of an event that was recorded late. */
const uint8_t *gt_v1_after_time(const struct gt_v1 *v1, uint64_t offset);

#endif
