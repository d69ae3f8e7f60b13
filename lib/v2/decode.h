/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_DECODE_H
#define GT_V2_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/likely.h"
#include "base/varint.h"
#include "model/event.h"
#include "v2/state.h"

/*
 * Reads the `count` arguments of the thread's next event, and advances to its end. Returns false if
 * they are malformed, or exceed the batch.
 *
 * Every batch is followed by enough bytes to decode an event without bounds checks (see
 * gt_v2_events). Therefore one check at the end is enough.
 */
static inline bool gt_v2_read_numbers(struct gt_v2_thread *thread, uint64_t *numbers,
                                      unsigned count)
{
    const uint8_t *p = thread->pos;
    for (unsigned i = 0; i < count; i++) {
        p = gt_varint_read(p, &numbers[i]);
        if (GT_UNLIKELY(!p))
            return false;
    }
    thread->pos = p;
    return p <= thread->end;
}

/* Reads the arguments of the thread's next event into `data`, as gt_v2_read_numbers does. */
static inline bool gt_v2_read(struct gt_v2_thread *thread, struct gt_event_data *data,
                              unsigned count)
{
    return gt_v2_read_numbers(thread, data->arguments, count);
}

#endif
