/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_WINDOW_H
#define GT_RECORDER_WINDOW_H

#include "recorder/inside.h"

/*
 * The window: the newest generations, in memory. The thread that ends a generation adds it. A
 * thread that needs memory removes the oldest ones. Those that are being written are freed when
 * that is done.
 */

/* Initialises a window that is off. */
void gt_recorder_window_init(struct gt_recorder_window *window);

/* Adds a generation that is empty. With the lock of generations, as the next functions. */
void gt_recorder_window_open(gt_recorder *recorder, uint64_t generation);

/*
 * Adds bytes to the generation, if there is one. `is_lead` is as in struct gt_recorder_buffer. If
 * there is no memory even without older generations, the window is empty.
 */
void gt_recorder_window_add(gt_recorder *recorder, const void *data, size_t size, bool is_lead);

/* Ends the generation. */
void gt_recorder_window_close(gt_recorder *recorder, const struct gt_recorder_gc_part *gc);

/* Removes the generations that are not needed any more at the time `now`, in ns. */
void gt_recorder_window_trim(gt_recorder *recorder, uint64_t now);

/* Empties the window. */
void gt_recorder_window_clear(gt_recorder *recorder);

/*
 * A stop of the world has ended in the generation `last`, and begun in `first`: no trace can begin
 * between them.
 */
void gt_recorder_window_note_stop(gt_recorder *recorder, uint64_t first, uint64_t last);

/* Removes the generations up to `last`, of whose stop of the world the end is not recorded. */
void gt_recorder_window_cut(gt_recorder *recorder, uint64_t last);

/* Frees a generation that was written, if it was removed meanwhile. */
void gt_recorder_window_give_back(gt_recorder *recorder, struct gt_recorder_kept *kept);

/*
 * Removes the oldest generation, because memory is needed. Returns false if there is none, or if
 * all are being written, so that this would give no memory.
 */
bool gt_recorder_window_evict(gt_recorder *recorder);

#endif
