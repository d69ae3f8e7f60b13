/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_ORDER_H
#define GT_V1_ORDER_H

#include "v1/v1.h"

/*
 * Which event may come next: Go 1.21's internal/trace/order.go. With N >= 7 events
 * that hand a goroutine on carry its sequence number, and others need it in a
 * certain state; an event that cannot happen yet makes its proc wait. With N = 5 the
 * sequence number of all events says the order, and what cannot happen is wrong.
 */
enum gt_v1_need {
    /* Goroutine `id` to be in this state with the number `seq`, ... */
    GT_V1_NEED_RUNNABLE,
    GT_V1_NEED_WAITING,
    /* ... or with any number. */
    GT_V1_NEED_ANY_RUNNABLE,
    GT_V1_NEED_ANY_RUNNING,
    GT_V1_NEED_ANY_WAITING,
    /* The collector's number to be `seq`. */
    GT_V1_NEED_GC
};

/* What a rule returns, or a negative gt_status whose error is set. */
enum {
    GT_V1_GIVEN = 0,
    GT_V1_GIVEN_TWO = 1, /* the slot behind the event has another one, which comes right after it */
    GT_V1_NOTHING = 2,   /* it happened, but the caller is not told */
    GT_V1_ELSEWHERE = 3, /* N = 5: it happens elsewhere */
    GT_V1_WAIT = 4       /* it cannot happen yet: the proc's wish says what it needs */
};

/* What an event needs of a goroutine. */
struct gt_v1_want {
    uint64_t id;
    uint64_t seq; /* its number, where that is said */
    int numbered;
    uint8_t state; /* GT_V1_RUNNABLE or GT_V1_WAITING */
    uint8_t given; /* the same as a gt_go_state */
};

/* The goroutine with this id, made if need be; NULL where there is no memory. */
struct gt_v1_goroutine *gt_v1_goroutine_get(struct gt_v1 *v1, uint64_t id);

static inline struct gt_v1_goroutine *gt_v1_find(const struct gt_v1 *v1,
                                                 const struct gt_v1_proc *proc, uint64_t id)
{
    struct gt_v1_goroutine *g = proc->goroutine;
    return g && g->id == id ? g : gt_idmap_get(&v1->goroutines, id);
}

/*
 * The goroutine is not as the event wants it. Makes the proc wait, or breaks the rule;
 * a lenient reader then makes the goroutine so, and v1->made; the event comes behind the
 * change that this takes, in v1->slot. 0, GT_V1_WAIT, GT_V1_NOTHING where that is impossible, or
 * an error.
 */
int gt_v1_settle(struct gt_v1 *v1, struct gt_v1_proc *proc, const struct gt_v1_want *want,
                 struct gt_v1_goroutine *g);

/* The event waits for what its proc's lane is set to; GT_V1_WAIT. */
int gt_v1_wait(struct gt_v1_proc *proc, enum gt_v1_need need, uint64_t id, uint64_t seq);

void gt_v1_wake(struct gt_v1 *v1, const struct gt_v1_goroutine *g);

/* Sets the state, and lets those go on who waited for it. */
static inline void gt_v1_set_state(struct gt_v1 *v1, struct gt_v1_goroutine *g,
                                   enum gt_v1_state state, gt_go_state given)
{
    g->state = (uint8_t) state;
    g->given = (uint8_t) given;
    if (v1->frontier.parked_count != 0)
        gt_v1_wake(v1, g);
}

static inline void gt_v1_leave_proc(struct gt_v1_goroutine *g)
{
    if (g->proc)
        g->proc->goroutine = NULL;
    g->proc = NULL;
}

#endif
