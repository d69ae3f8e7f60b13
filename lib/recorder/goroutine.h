/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_GOROUTINE_H
#define GT_RECORDER_GOROUTINE_H

#include "recorder/inside.h"

/* Makes a goroutine that has an id, but no state, and that is in no list. */
gt_status gt_recorder_go_make(gt_rec_thread *t, gt_rec_text name, uint64_t flags, gt_rec_go **out);

#endif
