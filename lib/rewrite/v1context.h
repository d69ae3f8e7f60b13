/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_V1CONTEXT_H
#define GT_REWRITE_V1CONTEXT_H

#include "rewrite/writer.h"

/*
 * The context of events of Go 1.21 and before. These name a proc, and some a proc that does not
 * exist, where the current format needs a thread: the one that has the proc. Threads are made up
 * where the trace names none that is free.
 */

/*
 * Notes that the record of the creation of a goroutine follows in the batch of `thread`, which
 * gt_rewrite_v1_context may take back.
 */
void gt_rewrite_v1_note_create(struct gt_rewrite_thread *thread, int64_t goroutine, int64_t time);

#endif
