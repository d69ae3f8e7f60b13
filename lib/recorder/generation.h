/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_GENERATION_H
#define GT_RECORDER_GENERATION_H

#include "recorder/inside.h"

/* Generations. The caller of all these functions has the lock of generations. */

/* Begins the next generation, and waits until no thread is in a section of an older one. */
void gt_recorder_begin_generation(gt_recorder *recorder, enum gt_recorder_mode mode);

/* Begins a strict generation, which has to precede the first one that is recorded. */
void gt_recorder_begin_strict(gt_recorder *recorder);

/* Whether there is a stream or a window. */
bool gt_recorder_is_recording(const gt_recorder *recorder);

/*
 * Ends the generation, which is recorded, and writes it. The next one is not recorded if `stops`.
 * After an error, which is in gt_recorder.error, there is no stream any more.
 */
void gt_recorder_end_generation(gt_recorder *recorder, bool stops);

/* Frees what was released, while nothing is recorded. */
void gt_recorder_sweep(gt_recorder *recorder);

#endif
