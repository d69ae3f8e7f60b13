/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/decode.h"

#define STARTS                                                                                     \
    {                                                                                              \
        1, 1, GT_V1_STARTED                                                                        \
    }
#define STOPS                                                                                      \
    {                                                                                              \
        1, 0, GT_V1_NONE_RUNS                                                                      \
    }
#define NAMES                                                                                      \
    {                                                                                              \
        1, 1, GT_V1_SAME                                                                           \
    }
#define PLAIN                                                                                      \
    {                                                                                              \
        1, 0, GT_V1_SAME                                                                           \
    }

/* CPU samples are in batches, but of no proc. */
const struct gt_v1_layout gt_v1_layouts[64] = {
    [GT_V1_GOMAXPROCS] = PLAIN,        [GT_V1_PROC_START] = PLAIN,
    [GT_V1_PROC_STOP] = PLAIN,         [GT_V1_GC_START] = PLAIN,
    [GT_V1_GC_DONE] = PLAIN,           [GT_V1_STW_START] = PLAIN,
    [GT_V1_STW_DONE] = PLAIN,          [GT_V1_SWEEP_START] = PLAIN,
    [GT_V1_SWEEP_DONE] = PLAIN,        [GT_V1_GO_CREATE] = PLAIN,
    [GT_V1_GO_START] = STARTS,         [GT_V1_GO_END] = STOPS,
    [GT_V1_GO_STOP] = STOPS,           [GT_V1_GO_SCHED] = STOPS,
    [GT_V1_GO_PREEMPT] = STOPS,        [GT_V1_GO_SLEEP] = STOPS,
    [GT_V1_GO_BLOCK] = STOPS,          [GT_V1_GO_UNBLOCK] = PLAIN,
    [GT_V1_GO_BLOCK_SEND] = STOPS,     [GT_V1_GO_BLOCK_RECV] = STOPS,
    [GT_V1_GO_BLOCK_SELECT] = STOPS,   [GT_V1_GO_BLOCK_SYNC] = STOPS,
    [GT_V1_GO_BLOCK_COND] = STOPS,     [GT_V1_GO_BLOCK_NET] = STOPS,
    [GT_V1_GO_SYS_CALL] = PLAIN,       [GT_V1_GO_SYS_EXIT] = NAMES,
    [GT_V1_GO_SYS_BLOCK] = STOPS,      [GT_V1_GO_WAITING] = NAMES,
    [GT_V1_GO_IN_SYSCALL] = NAMES,     [GT_V1_HEAP_ALLOC] = PLAIN,
    [GT_V1_HEAP_GOAL] = PLAIN,         [GT_V1_FUTILE_WAKEUP] = PLAIN,
    [GT_V1_GO_START_LOCAL] = STARTS,   [GT_V1_GO_UNBLOCK_LOCAL] = PLAIN,
    [GT_V1_GO_SYS_EXIT_LOCAL] = NAMES, [GT_V1_GO_START_LABEL] = STARTS,
    [GT_V1_GO_BLOCK_GC] = STOPS,       [GT_V1_MARK_ASSIST_START] = PLAIN,
    [GT_V1_MARK_ASSIST_DONE] = PLAIN,  [GT_V1_USER_TASK_CREATE] = PLAIN,
    [GT_V1_USER_TASK_END] = PLAIN,     [GT_V1_USER_REGION] = PLAIN,
    [GT_V1_USER_LOG] = PLAIN,
};

static const uint8_t *skip_counted(const uint8_t *p)
{
    uint64_t size = gt_varint_trusted(&p);
    return p + size;
}

const uint8_t *gt_v1_skip(const struct gt_v1 *v1, const uint8_t *p)
{
    unsigned code = *p >> 6;
    if ((*p & 0x3f) == GT_V1_STRING)
        return skip_counted(gt_v1_skip_number(p + 1));
    if (code == GT_V1_COUNTED)
        return skip_counted(p + 1);
    p++;
    for (unsigned i = code + (v1->version < 7 ? 2 : 1); i > 0; i--)
        p = gt_v1_skip_number(p);
    return p;
}

const uint8_t *gt_v1_open_batch(const struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    const uint8_t *p = gt_v1_skip_number(v1->batches[proc->last_batch].start + 1);
    if (v1->version < 7)
        proc->lane.time = (int64_t) gt_varint_trusted(&p);
    proc->ticks = (int64_t) gt_varint_trusted(&p);
    return p;
}

/* Where the numbers of an event start that follow the time. */
static const uint8_t *behind_time(const struct gt_v1 *v1, const uint8_t *p)
{
    p = *p >> 6 == GT_V1_COUNTED ? gt_v1_skip_number(p + 1) : p + 1;
    if (v1->version < 7)
        p = gt_v1_skip_number(p);
    return gt_v1_skip_number(p);
}

void gt_v1_decode_late(const struct gt_v1 *v1, uint64_t offset, struct gt_v1_event *event)
{
    const uint8_t *p = gt_v1_at(v1, offset);
    event->at = p;
    event->proc = NULL;
    event->type = (uint8_t) (*p & 0x3f);
    event->subject = NULL;
    event->forced = 0;
    gt_v1_decode_numbers(v1, behind_time(v1, p), event);
    event->goroutine = event->numbers[0];
    event->proc_id = GT_PROC_SYSCALLS;
    if (event->type == GT_V1_CPU_SAMPLE) {
        event->ticks = (int64_t) event->numbers[0];
        event->proc_id = (int32_t) event->numbers[1];
        event->goroutine = event->numbers[2];
    } else if (event->type == GT_V1_GO_SYS_EXIT_LOCAL) {
        event->type = GT_V1_GO_SYS_EXIT;
        event->numbers[2] = event->numbers[1];
    }
}

/*
 * The goroutine runs on the proc until one of its events there says otherwise, so
 * its next event is that proc's, unless the proc helps others meanwhile. A proc that
 * starts another goroutine instead is one of a damaged trace.
 */
int gt_v1_blocks(const struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t goroutine,
                 int64_t *ticks)
{
    struct gt_v1_proc ahead = *proc;
    struct gt_v1_event event;
    do {
        if (!gt_v1_layouts[ahead.lane.type].names_itself) {
            *ticks = ahead.ticks;
            return ahead.lane.type == GT_V1_GO_SYS_BLOCK;
        }
        const uint8_t *p = gt_v1_decode(v1, &ahead, &event);
        if (event.goroutine == goroutine)
            return 0;
        if (!gt_v1_next(v1, &ahead, p))
            return 0;
    } while (1);
}
