/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_HOME_H
#define GT_RECORDER_HOME_H

#include "recorder/inside.h"

/*
 * The goroutine and the proc that a thread has of its own, with GT_RECORDER_IMPLICIT. Nobody else
 * runs them. Without GT_RECORDER_KEEP_PROCS the proc stops while the thread waits.
 */

/* Makes both for a thread that is not listed yet, but no goroutine if `has_go`. */
gt_status gt_recorder_home_make(gt_rec_thread *thread, gt_rec_text name, bool has_go);

/* Undoes that. */
void gt_recorder_home_free(gt_rec_thread *thread);

/* The thread appears, and runs its goroutine, which is `go` if that is not NULL. */
gt_status gt_recorder_home_begin(gt_rec_thread *thread, gt_rec_go *go);

/*
 * When a thread is detached, which runs no goroutine: its own one runs, unless that has ended, and
 * its proc, if something is done on that.
 */
void gt_recorder_home_wake(gt_rec_thread *thread);

/* After both have ended: gives them back. */
void gt_recorder_home_give(gt_rec_thread *thread);

/* Within a section: the proc starts, which is stopped; or the one that the thread has stops. */
void gt_recorder_home_start_proc(gt_rec_thread *thread, uint64_t time);
void gt_recorder_home_stop_proc(gt_rec_thread *thread, uint64_t time);

/* Ends a system call in which the proc was stopped: gt_rec_syscall_end. */
gt_status gt_recorder_home_end_call(gt_rec_thread *thread);

#endif
