/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_FINDINGCURVES_H
#define GT_WEB_FINDINGCURVES_H

/*
 * What a finding of a report is about, over the trace: for example, how many of its goroutines
 * waited for locks at a time. A curve is for the eye: it shows when the trouble was, not how the
 * figure of the finding was computed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/report.h>

#include "base/mem.h"
#include "web/timebins.h"
#include "web/web.h"

enum {
    /* The most bins of a curve. */
    GT_FINDINGCURVES_BINS = 120,
    /* The most findings that have a curve. */
    GT_FINDINGCURVES_MAX = 32
};

struct gt_findingcurve {
    /* What the values are, and their unit; NULL: the finding has no curve. Both texts are static.
     */
    const char *measure;
    const char *unit;
    /* The view of the timeline that shows the same. */
    uint32_t view;
    double values[GT_FINDINGCURVES_BINS];
};

/* The curves of a report, by the index of the finding. */
struct gt_findingcurves {
    struct gt_timebins bins;
    /* The events of the trace by bin. The caller counts them with gt_findingcurves_event. */
    uint64_t events[GT_FINDINGCURVES_BINS];
    struct gt_findingcurve list[GT_FINDINGCURVES_MAX];
};

/* Divides the trace, as far as it is loaded, into bins. All other members must be 0. */
void gt_findingcurves_init(struct gt_findingcurves *curves, struct gt_web *web);

/* Counts an event at `time`, in nanoseconds since the start of the trace. */
void gt_findingcurves_event(struct gt_findingcurves *curves, int64_t time);

/* Makes the curves of a report that is finished. Returns false if memory runs out. */
bool gt_findingcurves_make(struct gt_findingcurves *curves, struct gt_web *web,
                           const gt_report *report);

#endif
