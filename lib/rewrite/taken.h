/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_TAKEN_H
#define GT_REWRITE_TAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/reader.h>

/* The event of a reader that was taken last. A second time it would contradict itself. */
struct gt_rewrite_taken {
    uint64_t number; /* gt_reader_event_number, which the events of a batch have in common */
    const gt_event *event;
};

/* Whether one of the current events comes after the one taken last, which it becomes then. */
static inline bool gt_rewrite_take(struct gt_rewrite_taken *last, const gt_reader *reader,
                                   const gt_event *event)
{
    uint64_t number = gt_reader_event_number(reader);
    if (number == last->number && (uintptr_t) event <= (uintptr_t) last->event)
        return false;
    last->number = number;
    last->event = event;
    return true;
}

#endif
