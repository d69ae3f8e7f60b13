/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_MEMORY_H
#define GT_RECORDER_MEMORY_H

#include "recorder/inside.h"

/*
 * The memory of a recorder within its limit. Events, which are in buffers, tables of stacks and the
 * window, leave an eighth of the limit to handles: threads, procs, goroutines, regions and texts.
 * What is needed now takes the memory of the oldest generations in the window.
 */

/* Makes room for so many bytes of events. Returns false if the limit has no room for them. */
bool gt_recorder_memory_make_room(gt_recorder *recorder, uint64_t bytes);

/* Allocates memory for events. On failure returns NULL; gt_mem_failure tells why. */
void *gt_recorder_memory_alloc_events(gt_recorder *recorder, size_t bytes);

/* The same for a handle, whose first bytes are zeros. */
void *gt_recorder_memory_alloc_handle(gt_recorder *recorder, size_t bytes, size_t zeros);

/*
 * Notes whether memory has become scarce, where threads shall wait then: see relief.h. Called after
 * memory for events was allocated; `next` is how many bytes the caller asks for next, if that is
 * more than a buffer.
 */
void gt_recorder_memory_note(gt_recorder *recorder, uint64_t next);

/*
 * Returns whether to try again what has ended with `status`: memory was lacking, and the window has
 * given some back.
 */
bool gt_recorder_memory_try_again(gt_recorder *recorder, gt_status status);

#endif
