/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_ORDER_H
#define GT_V1_ORDER_H

#include "v1/v1.h"

/*
 * Which event may come next: Go 1.21's internal/trace/order.go. With N >= 7 events
 * that hand a goroutine on carry its sequence number, and others need it in a
 * certain state.
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

enum {
    GT_V1_READY = 0,
    GT_V1_NOT_READY = 1 /* the proc's wish says what it needs */
};

/* What an event needs of a goroutine, and what it makes of it. */
struct gt_v1_move {
    uint8_t from; /* gt_v1_state */
    uint8_t to;
    uint8_t is_target; /* the first number names the goroutine; else it is the context's */
    uint8_t numbered;  /* the second number must be the goroutine's */
    uint8_t counts;    /* the goroutine's number goes up */
    uint8_t need;      /* gt_v1_need: what to wait for */
    uint8_t type;      /* the event's from then on */
};

/* By type. No `to`: the event needs nothing of a goroutine that there is. */
extern const struct gt_v1_move gt_v1_moves[GT_V1_TYPES];

/* The goroutine with this id, made if need be; NULL where there is no memory. */
struct gt_v1_goroutine *gt_v1_goroutine_get(struct gt_v1 *v1, uint64_t id);

/* The goroutine came to another state: whoever waits for that can go on. */
void gt_v1_wake(struct gt_v1 *v1, const struct gt_v1_goroutine *g);

static inline void gt_v1_set_merged(struct gt_v1 *v1, struct gt_v1_goroutine *g, uint8_t state,
                                    uint64_t seq)
{
    g->merged = state;
    g->seq = seq;
    if (v1->frontier.parked_count != 0)
        gt_v1_wake(v1, g);
}

/* The number that the event needs the goroutine to have; that of one just created is 1. */
static inline uint64_t gt_v1_needed_seq(const struct gt_v1_move *move,
                                        const struct gt_v1_event *event)
{
    if (move->numbered)
        return event->numbers[1];
    return move->need == GT_V1_NEED_RUNNABLE ? 1 : 0;
}

int gt_v1_order_slow(struct gt_v1 *v1, struct gt_v1_event *event, int force);

/*
 * Lets the event happen if it can, and makes its type that of an event whose
 * proc does not matter. `force` lets it happen in any case. Returns GT_V1_READY or GT_V1_NOT_READY,
 * or an error that is set.
 */
static inline int gt_v1_order(struct gt_v1 *v1, struct gt_v1_event *event, int force)
{
    const struct gt_v1_move *move = &gt_v1_moves[event->type];
    if (move->to == 0) {
        if (event->type == GT_V1_GO_CREATE || event->type == GT_V1_GC_START)
            return gt_v1_order_slow(v1, event, force);
        return GT_V1_READY;
    }
    uint64_t id = move->is_target ? event->numbers[0] : event->goroutine;
    uint64_t seq = gt_v1_needed_seq(move, event);
    struct gt_v1_goroutine *g = event->proc->goroutine;
    if (!g || g->id != id)
        g = gt_idmap_get(&v1->goroutines, id);
    /* A number of 0 is before that of any goroutine that exists. */
    if (!g || g->merged != move->from || g->seq != (seq == 0 && !move->numbered ? g->seq : seq))
        return gt_v1_order_slow(v1, event, force);
    event->subject = g;
    event->type = move->type;
    gt_v1_set_merged(v1, g, move->to, g->seq + move->counts);
    return GT_V1_READY;
}

#endif
