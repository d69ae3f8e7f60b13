/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_CROWD_H
#define TESTS_SUPPORT_CROWD_H

#include "support/gen_events.h"

/*
 * Writes a trace in which there are `count` of everything that is kept by
 * name, id or stack: goroutines, tasks, types of region, reasons to wait, stopped worlds,
 * and pairs of who waits and who ends that. It begins at 1000. Round i, from 0:
 *
 *     goroutine 1 begins task i + 1, within the one before, and a region of it
 *     it creates goroutine 100 + i, and blocks, at main.wait<i>
 *     goroutine 100 + i unblocks it 10 (i % 3 + 1) ns later, at main.wake<i>
 *     goroutine 1 goes on, ends the region, and every other round the task
 *     in every fourth round goroutine 100 + i ends
 *
 * The trace is ended, but not freed.
 */
void crowd_write(struct gen *gen, unsigned count);

#endif
