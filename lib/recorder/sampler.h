/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_SAMPLER_H
#define GT_RECORDER_SAMPLER_H

#include "recorder/inside.h"

/*
 * The timers by which samples of threads are taken after so much processor time, where the options
 * ask for that. They run while something is recorded. Otherwise these functions do nothing.
 */

/* Returns false if the process has too many recorders that take samples. */
bool gt_recorder_sampler_open(gt_recorder *recorder);

/* Destroys the timers of threads that are still attached. Afterwards no sample is taken. */
void gt_recorder_sampler_close(gt_recorder *recorder);

/* The same in a child of the process, which has no timers. */
void gt_recorder_sampler_forget(gt_recorder *recorder);

/* Begins and ends to take samples of the calling thread, which is in the list of threads. */
void gt_recorder_sampler_add(gt_rec_thread *thread);
void gt_recorder_sampler_remove(gt_rec_thread *thread);

/* Starts or stops all timers, with the lock of generations. */
void gt_recorder_sampler_set(gt_recorder *recorder, bool is_on);

#endif
