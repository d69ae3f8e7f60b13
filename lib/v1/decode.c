/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/decode.h"

/* CPU samples are in a proc's batches too, but are not events of that proc. */
const uint8_t gt_v1_event_roles[64] = {
    [GT_V1_GOMAXPROCS] = GT_V1_ROLE_OWN,
    [GT_V1_PROC_START] = GT_V1_ROLE_OWN,
    [GT_V1_PROC_STOP] = GT_V1_ROLE_OWN,
    [GT_V1_GC_START] = GT_V1_ROLE_OWN,
    [GT_V1_GC_DONE] = GT_V1_ROLE_OWN,
    [GT_V1_STW_START] = GT_V1_ROLE_OWN,
    [GT_V1_STW_DONE] = GT_V1_ROLE_OWN,
    [GT_V1_SWEEP_START] = GT_V1_ROLE_OWN,
    [GT_V1_SWEEP_DONE] = GT_V1_ROLE_OWN,
    [GT_V1_GO_CREATE] = GT_V1_ROLE_OWN,
    [GT_V1_GO_START] = GT_V1_ROLE_OWN,
    [GT_V1_GO_END] = GT_V1_ROLE_OWN,
    [GT_V1_GO_STOP] = GT_V1_ROLE_OWN,
    [GT_V1_GO_SCHED] = GT_V1_ROLE_OWN,
    [GT_V1_GO_PREEMPT] = GT_V1_ROLE_OWN,
    [GT_V1_GO_SLEEP] = GT_V1_ROLE_OWN,
    [GT_V1_GO_BLOCK] = GT_V1_ROLE_OWN,
    [GT_V1_GO_UNBLOCK] = GT_V1_ROLE_OWN,
    [GT_V1_GO_BLOCK_SEND] = GT_V1_ROLE_OWN,
    [GT_V1_GO_BLOCK_RECV] = GT_V1_ROLE_OWN,
    [GT_V1_GO_BLOCK_SELECT] = GT_V1_ROLE_OWN,
    [GT_V1_GO_BLOCK_SYNC] = GT_V1_ROLE_OWN,
    [GT_V1_GO_BLOCK_COND] = GT_V1_ROLE_OWN,
    [GT_V1_GO_BLOCK_NET] = GT_V1_ROLE_OWN,
    [GT_V1_GO_SYS_CALL] = GT_V1_ROLE_OWN,
    [GT_V1_GO_SYS_EXIT] = GT_V1_ROLE_NAMED,
    [GT_V1_GO_SYS_BLOCK] = GT_V1_ROLE_BLOCKED,
    [GT_V1_GO_WAITING] = GT_V1_ROLE_NAMED,
    [GT_V1_GO_IN_SYSCALL] = GT_V1_ROLE_NAMED,
    [GT_V1_HEAP_ALLOC] = GT_V1_ROLE_OWN,
    [GT_V1_HEAP_GOAL] = GT_V1_ROLE_OWN,
    [GT_V1_FUTILE_WAKEUP] = GT_V1_ROLE_OWN,
    [GT_V1_GO_START_LOCAL] = GT_V1_ROLE_OWN,
    [GT_V1_GO_UNBLOCK_LOCAL] = GT_V1_ROLE_OWN,
    [GT_V1_GO_SYS_EXIT_LOCAL] = GT_V1_ROLE_NAMED,
    [GT_V1_GO_START_LABEL] = GT_V1_ROLE_OWN,
    [GT_V1_GO_BLOCK_GC] = GT_V1_ROLE_OWN,
    [GT_V1_MARK_ASSIST_START] = GT_V1_ROLE_OWN,
    [GT_V1_MARK_ASSIST_DONE] = GT_V1_ROLE_OWN,
    [GT_V1_USER_TASK_CREATE] = GT_V1_ROLE_OWN,
    [GT_V1_USER_TASK_END] = GT_V1_ROLE_OWN,
    [GT_V1_USER_REGION] = GT_V1_ROLE_OWN,
    [GT_V1_USER_LOG] = GT_V1_ROLE_OWN,
};

static const uint8_t *v1_skip_counted(const uint8_t *p)
{
    uint64_t size = gt_varint_trusted(&p);
    return p + size;
}

const uint8_t *gt_v1_skip(const struct gt_v1 *v1, const uint8_t *p)
{
    unsigned code = *p >> 6;
    if ((*p & 0x3f) == GT_V1_STRING)
        return v1_skip_counted(gt_v1_skip_number(p + 1));
    if (code == GT_V1_COUNTED)
        return v1_skip_counted(p + 1);
    p++;
    for (unsigned i = code + (v1->version < 7 ? 2 : 1); i > 0; i--)
        p = gt_v1_skip_number(p);
    return p;
}

const uint8_t *gt_v1_skip_any(const struct gt_v1 *v1, const uint8_t *p)
{
    bool has_text = (*p & 0x3f) == GT_V1_USER_LOG;
    p = gt_v1_skip(v1, p);
    return has_text ? v1_skip_counted(p) : p;
}

/*
 * Counts a batch as decoded when the merge that delivers events opens it first. The search for
 * futile wakeups merges the trace before that without delivering events. A batch can be opened
 * twice, because a system call looks ahead, possibly into the next batch.
 */
static void v1_batch_count(struct gt_v1 *v1, int32_t index)
{
    struct gt_v1_batch *batch = &v1->input.batches.items[index];
    const uint8_t *end = v1->input.end;
    if (batch->is_opened || v1->futile.search)
        return;
    batch->is_opened = true;
    if ((size_t) index + 1 < v1->input.batches.count)
        end = batch[1].start;
    v1->input.undecoded -= (uint64_t) (end - batch->start);
}

const uint8_t *gt_v1_batch_open(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    const struct gt_v1_batch *batch = &v1->input.batches.items[proc->last_batch];
    const uint8_t *p = gt_v1_skip_number(batch->start + 1);
    proc->end = batch->end;
    v1_batch_count(v1, proc->last_batch);
    if (v1->version < 7)
        proc->lane.time = (int64_t) gt_varint_trusted(&p);
    proc->ticks = (int64_t) gt_varint_trusted(&p);
    return p;
}

const uint8_t *gt_v1_after_time(const struct gt_v1 *v1, uint64_t offset)
{
    const uint8_t *p = gt_v1_at(v1, offset);
    p = *p >> 6 == GT_V1_COUNTED ? gt_v1_skip_number(p + 1) : p + 1;
    if (v1->version < 7)
        p = gt_v1_skip_number(p);
    return gt_v1_skip_number(p);
}
