/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_RESULT_H
#define GT_MERGE_RESULT_H

/*
 * The result of a rule, or of a step of one. A rule decides whether the next event of a thread
 * or proc can happen. If so, it changes the state and completes the event in `data`; further
 * events that result from it follow in data[1] and data[2].
 */
typedef enum gt_result {
    GT_RESULT_DONE,      /* the event happened, and `data` is complete */
    GT_RESULT_TWO,       /* it happened, and became the two events data[0] and data[1] */
    GT_RESULT_THREE,     /* it happened, and became the three events data[0] to data[2] */
    GT_RESULT_NONE,      /* it happened or is left out; no event is delivered for it */
    GT_RESULT_ELSEWHERE, /* version 5: the event has another place in the order of events */
    GT_RESULT_WAIT,      /* it cannot happen yet: the lane's wish states the condition */
    GT_RESULT_ERROR      /* it cannot happen: the error object has the status and the place */
} gt_result;

enum {
    /* The most events that one event of the trace becomes. */
    GT_RESULT_MOST_EVENTS = 3
};

/* Returns how many events a rule with the result DONE, TWO or THREE has completed. */
static inline unsigned gt_result_events(gt_result result)
{
    return (unsigned) result + 1;
}

#endif
