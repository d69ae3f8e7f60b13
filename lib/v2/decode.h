/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_DECODE_H
#define GT_V2_DECODE_H

#include <stdint.h>

#include "base/likely.h"
#include "base/varint.h"
#include "model/event.h"
#include "v2/state.h"

/*
 * Reads the arguments of the thread's next event, of which it has `count`, and
 * finds where the event ends. 0 where they are malformed or leave the batch.
 *
 * Behind every batch there are bytes enough to decode an event without looking
 * for the batch's end (see gt_v2_events); that is checked once for all of them.
 */
static inline int gt_v2_read_numbers(struct gt_v2_thread *thread, uint64_t *numbers, unsigned count)
{
    const uint8_t *p = thread->pos;
    for (unsigned i = 0; i < count; i++) {
        p = gt_varint_read(p, &numbers[i]);
        if (GT_UNLIKELY(!p))
            return 0;
    }
    thread->pos = p;
    return p <= thread->end;
}

/* The same into the event. */
static inline int gt_v2_read(struct gt_v2_thread *thread, struct gt_event_data *data,
                             unsigned count)
{
    return gt_v2_read_numbers(thread, data->arguments, count);
}

#endif
