/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_DECODE_H
#define GT_V1_DECODE_H

#include "base/varint.h"
#include "v1/v1.h"

/*
 * Decodes what the scan has found to be well formed, so nothing here can fail
 * or leave the input.
 */

/* What an event leaves as the context of its proc's next one. */
enum gt_v1_context {
    GT_V1_SAME,
    GT_V1_STARTED, /* the goroutine that its first number names */
    GT_V1_NONE_RUNS
};

/* How to decode an event of some type. */
struct gt_v1_layout {
    uint8_t is_event;     /* of a proc, in its batches */
    uint8_t names_itself; /* its context is the goroutine that its first number names */
    uint8_t after;        /* enum gt_v1_context */
};

extern const struct gt_v1_layout gt_v1_layouts[64];

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

/* Reads the type and the time of the event at `p`, which is the proc's next one. */
static inline void gt_v1_peek(const struct gt_v1 *v1, struct gt_v1_proc *proc, const uint8_t *p)
{
    proc->event = p;
    proc->lane.type = *p & 0x3f;
    p = *p >> 6 == GT_V1_COUNTED ? gt_v1_skip_number(p + 1) : p + 1;
    if (v1->version < 7)
        proc->lane.time = gt_v1_add(proc->lane.time, gt_varint_trusted(&p));
    proc->ticks = gt_v1_add(proc->ticks, gt_varint_trusted(&p));
    if (v1->version >= 7)
        proc->lane.time = proc->ticks;
    proc->behind = p;
}

/* Moves to the proc's next event, which comes at `p` or later; 0 where there is none. */
static inline int gt_v1_next(const struct gt_v1 *v1, struct gt_v1_proc *proc, const uint8_t *p)
{
    while (p == v1->end || !gt_v1_layouts[*p & 0x3f].is_event) {
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
    gt_v1_peek(v1, proc, p);
    return 1;
}

/* Reads the numbers that follow the time. Returns where they end. */
static inline const uint8_t *gt_v1_decode_numbers(const struct gt_v1 *v1, const uint8_t *p,
                                                  struct gt_v1_event *event)
{
    unsigned count = v1->arguments[event->type];
    for (unsigned i = 0; i < count; i++)
        event->numbers[i] = gt_varint_trusted(&p);
    event->stack = gt_v1_specs[event->type].has_stack ? (uint32_t) gt_varint_trusted(&p) : 0;
    return p;
}

/* Decodes the proc's next event to `*event`. Returns where it ends. */
static inline const uint8_t *gt_v1_decode(const struct gt_v1 *v1, struct gt_v1_proc *proc,
                                          struct gt_v1_event *event)
{
    event->at = proc->event;
    event->proc = proc;
    event->proc_id = proc->id;
    event->ticks = proc->ticks;
    event->type = proc->lane.type;
    event->subject = NULL;
    event->forced = 0;
    event->text = event->at;
    const uint8_t *p = gt_v1_decode_numbers(v1, proc->behind, event);
    event->goroutine = gt_v1_layouts[event->type].names_itself ? event->numbers[0] : proc->current;
    if (event->type == GT_V1_USER_LOG) {
        event->text = p;
        uint64_t size = gt_varint_trusted(&p);
        p += size;
    }
    return p;
}

/* What the decoded event leaves as its proc's context. */
static inline void gt_v1_set_context(struct gt_v1_proc *proc, const struct gt_v1_event *event)
{
    unsigned after = gt_v1_layouts[event->type].after;
    if (after != GT_V1_SAME)
        proc->current = after == GT_V1_STARTED ? event->numbers[0] : 0;
}

/* Decodes an event that was recorded late, without its proc. */
void gt_v1_decode_late(const struct gt_v1 *v1, uint64_t offset, struct gt_v1_event *event);

/*
 * Whether the next event of the goroutine, which the proc's last one was about, is a
 * GoSysBlock; `*ticks` is then its time.
 */
int gt_v1_blocks(const struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t goroutine,
                 int64_t *ticks);

#endif
