/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_PROC_H
#define GT_RECORDER_PROC_H

#include "recorder/inside.h"

/* Procs of threads that have one of their own: takes an idle one, and gives it back, idle again. */
gt_status gt_recorder_proc_take(gt_recorder *recorder, gt_rec_proc **out);
void gt_recorder_proc_give(gt_rec_proc *proc);

#endif
