/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_STREAM_H
#define GT_RECORDER_STREAM_H

#include "recorder/inside.h"

/* What a trace begins with. */
struct gt_recorder_header {
    char bytes[16];
};

struct gt_recorder_header gt_recorder_header(const gt_recorder *recorder);

/*
 * Begins a generation, which is recorded, and whose number `*first` becomes: for a stream or a
 * window. The one before is ended if it is recorded for the other. With the locks of starting and
 * of generations. On failure `*first` is GT_NO_GENERATION.
 */
gt_status gt_recorder_begin(gt_recorder *recorder, struct gt_atomic *first);

#endif
