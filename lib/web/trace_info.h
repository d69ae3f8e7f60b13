/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TRACE_INFO_H
#define GT_WEB_TRACE_INFO_H

/* Properties of the trace as a whole, which its events contain. */

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

/* The builder writes it and requests read it, both with the lock of struct gt_web_loading held. */
struct gt_trace_info {
    /* The time of the first event, on the trace's own clock. */
    bool has_first;
    int64_t first;
    /* The wall-clock time of the first event, if the trace contains it. */
    bool has_clock;
    int64_t seconds;
    uint32_t nanoseconds;
    /* The last known value of GOMAXPROCS, or 0 if the trace does not contain it. */
    uint64_t gomaxprocs;
};

/*
 * Whether events of this kind can change the information. Only for these the caller needs to take
 * the lock and call gt_trace_info_note.
 */
static inline bool gt_trace_info_concern(uint32_t kind)
{
    return kind == GT_EVENT_SYNC || kind == GT_EVENT_METRIC;
}

void gt_trace_info_note(struct gt_trace_info *info, const gt_event *event);

#endif
