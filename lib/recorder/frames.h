/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_FRAMES_H
#define GT_RECORDER_FRAMES_H

#include "recorder/inside.h"

/*
 * What addresses in the program are: the names of functions, which become registered texts. Used by
 * the thread that ends a generation.
 */

/* What a frame is: texts for the function and the file, and the line. */
struct gt_recorder_frame gt_recorder_frame_find(gt_recorder *recorder, uint64_t pc);

void gt_recorder_frames_free(gt_recorder *recorder);

#endif
