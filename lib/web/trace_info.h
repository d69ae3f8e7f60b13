/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TRACE_INFO_H
#define GT_WEB_TRACE_INFO_H

/* What the events say of the trace as a whole. */

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

/* The builder writes, and requests read, with the lock of the progress held. */
struct gt_trace_info {
    /* The time of the first event, as the trace has it. */
    bool has_first;
    int64_t first;
    /* The wall-clock time of the first event, where the trace says it. */
    bool has_clock;
    int64_t seconds;
    uint32_t nanoseconds;
    /* The last that was set; 0 where the trace does not say. */
    uint64_t gomaxprocs;
};

/* Whether `event` may say any of it: the lock is to be taken for gt_trace_info_note then. */
static inline bool gt_trace_info_concern(uint32_t kind)
{
    return kind == GT_EVENT_SYNC || kind == GT_EVENT_METRIC;
}

void gt_trace_info_note(struct gt_trace_info *info, const gt_event *event);

#endif
