/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_RELIEF_H
#define GT_RECORDER_RELIEF_H

#include "recorder/inside.h"

/*
 * Backpressure, where the options ask for it: threads end the generation and wait until it is
 * written, rather than lose events for want of memory. They do so before they enter a section,
 * because whoever ends a generation waits for sections.
 */

/* Ends the generation if memory is scarce: gt_recorder.relieve. The thread is in no section. */
void gt_recorder_relieve(gt_rec_thread *thread);

#endif
