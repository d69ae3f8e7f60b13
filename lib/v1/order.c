/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

#include <string.h>

#include "v1/rule.h"

struct gt_v1_goroutine *gt_v1_goroutine_get(struct gt_v1 *v1, uint64_t id)
{
    struct gt_v1_goroutine *g = gt_idmap_get(&v1->goroutines, id);
    if (g)
        return g;
    g = gt_pool_take(&v1->goroutine_pool);
    if (!g)
        return NULL;
    memset(g, 0, sizeof(*g));
    g->id = id;
    if (gt_idmap_put(&v1->goroutines, id, g) == GT_OK)
        return g;
    gt_pool_give(&v1->goroutine_pool, g);
    return NULL;
}

int gt_v1_wait(struct gt_v1_proc *proc, enum gt_v1_need need, uint64_t id, uint64_t seq)
{
    proc->lane.need = (uint8_t) need;
    proc->lane.wish_id = id;
    proc->lane.wish_seq = seq;
    return GT_V1_WAIT;
}

/* The state by which events are ordered, wherever ends of system calls are given. */
static enum gt_v1_state ordered_state(const struct gt_v1_goroutine *g)
{
    if (g->state == GT_V1_LEFT)
        return GT_V1_WAITING;
    return g->state == GT_V1_RETURNING ? GT_V1_RUNNABLE : (enum gt_v1_state) g->state;
}

void gt_v1_wake(struct gt_v1 *v1, const struct gt_v1_goroutine *g)
{
    struct gt_frontier *f = &v1->frontier;
    switch (ordered_state(g)) {
    case GT_V1_RUNNABLE:
        gt_frontier_wake(f, GT_V1_NEED_RUNNABLE, g->id, g->seq);
        gt_frontier_wake(f, GT_V1_NEED_ANY_RUNNABLE, g->id, 0);
        break;
    case GT_V1_WAITING:
        gt_frontier_wake(f, GT_V1_NEED_WAITING, g->id, g->seq);
        gt_frontier_wake(f, GT_V1_NEED_ANY_WAITING, g->id, 0);
        break;
    case GT_V1_RUNNING:
        gt_frontier_wake(f, GT_V1_NEED_ANY_RUNNING, g->id, 0);
        break;
    default:
        break;
    }
}

static enum gt_v1_need need_of(const struct gt_v1_want *want)
{
    if (want->state == GT_V1_RUNNABLE)
        return want->numbered ? GT_V1_NEED_RUNNABLE : GT_V1_NEED_ANY_RUNNABLE;
    return want->numbered ? GT_V1_NEED_WAITING : GT_V1_NEED_ANY_WAITING;
}

static const char *want_text(const struct gt_v1_want *want)
{
    return want->state == GT_V1_RUNNABLE ? "%s of goroutine %u, which is not runnable"
                                         : "%s of goroutine %u, which does not wait for that";
}

int gt_v1_settle(struct gt_v1 *v1, struct gt_v1_proc *proc, const struct gt_v1_want *want,
                 struct gt_v1_goroutine *g)
{
    int can_happen =
        g && ordered_state(g) == want->state && (!want->numbered || g->seq == want->seq);
    if (v1->version >= 7 && !can_happen && !proc->forced)
        return gt_v1_wait(proc, need_of(want), want->id, want->numbered ? want->seq : 0);
    if (!proc->forced || want->id == 0) {
        gt_status status =
            gt_v1_break(v1, proc, want->id == 0 ? "; it is left out" : "; it is made so",
                        want_text(want), want->id, 0);
        if (status != GT_OK || want->id == 0)
            return status != GT_OK ? (int) status : GT_V1_NOTHING;
    }
    if (!g)
        g = gt_v1_goroutine_get(v1, want->id);
    if (!g)
        return gt_v1_fail_memory(v1);
    if (want->numbered)
        g->seq = want->seq;
    gt_v1_bridge(v1, g, want->state, want->given);
    v1->made = g;
    return 0;
}
