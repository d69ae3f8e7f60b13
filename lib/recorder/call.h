/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_CALL_H
#define GT_RECORDER_CALL_H

#include "recorder/inside.h"

/* System calls, and procs that are stolen from threads in them. */

/*
 * In a strict generation, after all threads have left the sections in which they were when it
 * began: takes the proc from each thread that is in a system call with a goroutine which another
 * thread has. A recording cannot tell of a proc that is in a system call without a goroutine.
 */
void gt_recorder_call_part(gt_recorder *recorder);

#endif
