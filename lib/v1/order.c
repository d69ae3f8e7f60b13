/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

#include <string.h>

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

#define START(numbered, need, type)                                                                \
    {                                                                                              \
        GT_V1_RUNNABLE, GT_V1_RUNNING, 1, numbered, 1, GT_V1_NEED_##need, GT_V1_##type             \
    }
#define WAKE(numbered, need, type)                                                                 \
    {                                                                                              \
        GT_V1_WAITING, GT_V1_RUNNABLE, 1, numbered, 1, GT_V1_NEED_##need, GT_V1_##type             \
    }
#define STOP(to, type)                                                                             \
    {                                                                                              \
        GT_V1_RUNNING, GT_V1_##to, 0, 0, 0, GT_V1_NEED_ANY_RUNNING, GT_V1_##type                   \
    }
#define LISTED(type)                                                                               \
    {                                                                                              \
        GT_V1_RUNNABLE, GT_V1_WAITING, 1, 0, 1, GT_V1_NEED_RUNNABLE, GT_V1_##type                  \
    }

/* By type. No `to`: the event needs nothing of a goroutine. */
const struct gt_v1_move gt_v1_moves[GT_V1_TYPES] = {
    [GT_V1_GO_START] = START(1, RUNNABLE, GO_START),
    [GT_V1_GO_START_LABEL] = START(1, RUNNABLE, GO_START_LABEL),
    [GT_V1_GO_START_LOCAL] = START(0, ANY_RUNNABLE, GO_START),
    [GT_V1_GO_UNBLOCK] = WAKE(1, WAITING, GO_UNBLOCK),
    [GT_V1_GO_UNBLOCK_LOCAL] = WAKE(0, ANY_WAITING, GO_UNBLOCK),
    [GT_V1_GO_SYS_EXIT] = WAKE(1, WAITING, GO_SYS_EXIT),
    [GT_V1_GO_SYS_EXIT_LOCAL] = WAKE(0, ANY_WAITING, GO_SYS_EXIT),
    [GT_V1_GO_WAITING] = LISTED(GO_WAITING),
    [GT_V1_GO_IN_SYSCALL] = LISTED(GO_IN_SYSCALL),
    [GT_V1_GO_SCHED] = STOP(RUNNABLE, GO_SCHED),
    [GT_V1_GO_PREEMPT] = STOP(RUNNABLE, GO_PREEMPT),
    [GT_V1_GO_SLEEP] = STOP(WAITING, GO_SLEEP),
    [GT_V1_GO_BLOCK] = STOP(WAITING, GO_BLOCK),
    [GT_V1_GO_BLOCK_SEND] = STOP(WAITING, GO_BLOCK_SEND),
    [GT_V1_GO_BLOCK_RECV] = STOP(WAITING, GO_BLOCK_RECV),
    [GT_V1_GO_BLOCK_SELECT] = STOP(WAITING, GO_BLOCK_SELECT),
    [GT_V1_GO_BLOCK_SYNC] = STOP(WAITING, GO_BLOCK_SYNC),
    [GT_V1_GO_BLOCK_COND] = STOP(WAITING, GO_BLOCK_COND),
    [GT_V1_GO_BLOCK_NET] = STOP(WAITING, GO_BLOCK_NET),
    [GT_V1_GO_BLOCK_GC] = STOP(WAITING, GO_BLOCK_GC),
    [GT_V1_GO_SYS_BLOCK] = STOP(WAITING, GO_SYS_BLOCK),
};

static int wait_for(struct gt_v1_event *event, unsigned need, uint64_t id, uint64_t seq)
{
    struct gt_lane *lane = &event->proc->lane;
    lane->need = (uint8_t) need;
    lane->wish_id = id;
    lane->wish_seq = seq;
    return GT_V1_NOT_READY;
}

/* The goroutine came to another state: whoever waits for that can go on. */
void gt_v1_wake(struct gt_v1 *v1, const struct gt_v1_goroutine *g)
{
    struct gt_frontier *f = &v1->frontier;
    if (g->merged == GT_V1_RUNNABLE) {
        gt_frontier_wake(f, GT_V1_NEED_RUNNABLE, g->id, g->seq);
        gt_frontier_wake(f, GT_V1_NEED_ANY_RUNNABLE, g->id, 0);
    } else if (g->merged == GT_V1_WAITING) {
        gt_frontier_wake(f, GT_V1_NEED_WAITING, g->id, g->seq);
        gt_frontier_wake(f, GT_V1_NEED_ANY_WAITING, g->id, 0);
    } else {
        gt_frontier_wake(f, GT_V1_NEED_ANY_RUNNING, g->id, 0);
    }
}

/* Ids are never used again, so that one exists is for good. */
static int order_create(struct gt_v1 *v1, struct gt_v1_event *event, int force)
{
    struct gt_v1_goroutine *g = gt_v1_goroutine_get(v1, event->numbers[0]);
    if (!g)
        return gt_v1_fail_memory(v1);
    event->subject = g;
    if (!force && g->merged != GT_V1_DEAD) {
        gt_status status =
            gt_v1_fault(v1, GT_ERR_ORDER, gt_v1_offset(v1, event->at), "; its GoCreate is left out",
                        "goroutine %u is created, but exists already", event->numbers[0]);
        event->type = GT_V1_NONE;
        return status;
    }
    gt_v1_set_merged(v1, g, GT_V1_RUNNABLE, 1);
    return GT_V1_READY;
}

static int order_gc(struct gt_v1 *v1, struct gt_v1_event *event, int force)
{
    if (!force && event->numbers[0] != v1->gc_seq)
        return wait_for(event, GT_V1_NEED_GC, 0, event->numbers[0]);
    v1->gc_seq = event->numbers[0] + 1;
    gt_frontier_wake(&v1->frontier, GT_V1_NEED_GC, 0, v1->gc_seq);
    return GT_V1_READY;
}

/* The event cannot happen yet; `force` makes it. */
int gt_v1_order_slow(struct gt_v1 *v1, struct gt_v1_event *event, int force)
{
    const struct gt_v1_move *move = &gt_v1_moves[event->type];
    if (move->to == 0 && event->type == GT_V1_GO_CREATE)
        return order_create(v1, event, force);
    if (move->to == 0)
        return order_gc(v1, event, force);
    uint64_t id = move->is_target ? event->numbers[0] : event->goroutine;
    uint64_t seq = gt_v1_needed_seq(move, event);
    if (!force)
        return wait_for(event, move->need, id, seq);
    struct gt_v1_goroutine *g = gt_v1_goroutine_get(v1, id);
    if (!g)
        return gt_v1_fail_memory(v1);
    event->subject = g;
    event->type = move->type;
    gt_v1_set_merged(v1, g, move->to, (seq != 0 ? seq : g->seq) + move->counts);
    return GT_V1_READY;
}
