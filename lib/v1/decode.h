/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_DECODE_H
#define GT_V1_DECODE_H

#include "base/varint.h"
#include "v1/v1.h"

/*
 * Decodes records that the scan has found to be well formed. Therefore these functions cannot fail,
 * and do not read outside of the input.
 */

/* The role of a record for the proc whose batch contains it. */
enum gt_v1_role {
    GT_V1_ROLE_NONE,   /* not an event of the proc */
    GT_V1_ROLE_OWN,    /* an event of the goroutine that runs on the proc */
    GT_V1_ROLE_NAMED,  /* an event of the goroutine that it names, whichever runs on the proc */
    GT_V1_ROLE_BLOCKED /* GoSysBlock, an event of the goroutine that runs on the proc */
};

/* The gt_v1_role of each type of record. */
extern const uint8_t gt_v1_event_roles[64];

/*
 * Reads the header of the batch in proc->last_batch, and returns the address of its first record.
 */
const uint8_t *gt_v1_batch_open(struct gt_v1 *v1, struct gt_v1_proc *proc);

/* Skips a record that is not an event of a proc, and returns its end. */
const uint8_t *gt_v1_skip(const struct gt_v1 *v1, const uint8_t *p);

/* Skips a record of any kind, and returns its end. */
const uint8_t *gt_v1_skip_any(const struct gt_v1 *v1, const uint8_t *p);

/* Skips a number, and returns its end. */
static inline const uint8_t *gt_v1_skip_number(const uint8_t *p)
{
    while (*p++ >= 0x80)
        ;
    return p;
}

GT_WRAPS static inline int64_t gt_v1_add(int64_t a, uint64_t b)
{
    return (int64_t) ((uint64_t) a + b);
}

/*
 * Reads the type and the time of the event at `p`, which is the proc's next one. If `numbered` is
 * set, as in version 5, the event's sequence number precedes its time.
 */
static inline void gt_v1_proc_peek(struct gt_v1_proc *proc, const uint8_t *p, bool numbered)
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

/* Moves to the proc's next event, at `p` or later. Returns false if there is none. */
static inline bool gt_v1_proc_next(struct gt_v1 *v1, struct gt_v1_proc *proc, const uint8_t *p,
                                   bool numbered)
{
    while (p == proc->end || gt_v1_event_roles[*p & 0x3f] == GT_V1_ROLE_NONE) {
        if (p != proc->end && (*p & 0x3f) != GT_V1_BATCH) {
            p = gt_v1_skip(v1, p);
            continue;
        }
        int32_t next = v1->input.batches.items[proc->last_batch].next;
        if (next < 0)
            return false;
        proc->last_batch = next;
        p = gt_v1_batch_open(v1, proc);
    }
    gt_v1_proc_peek(proc, p, numbered);
    return true;
}

/* Reads the next number of the proc's next event. */
static inline uint64_t gt_v1_number(struct gt_v1_proc *proc)
{
    return gt_varint_trusted(&proc->pos);
}

/* Returns where the time of the event at `offset` of the input ends. */
const uint8_t *gt_v1_after_time(const struct gt_v1 *v1, uint64_t offset);

#endif
