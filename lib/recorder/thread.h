/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_THREAD_H
#define GT_RECORDER_THREAD_H

#include "recorder/inside.h"

/* Detaches a thread, which may be ending; its handle is then invalid. */
void gt_recorder_thread_leave(void *thread);

#endif
