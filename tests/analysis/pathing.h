/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_ANALYSIS_PATHING_H
#define TESTS_ANALYSIS_PATHING_H

#include <gotrace/gotrace.h>

/* Opens paths with options of a test. */
gt_path *pathing_open(uint64_t flags, uint64_t history, uint64_t steps);

/*
 * Each of these feeds an event that is made, and returns what gt_path_event says. `line` is that of
 * the only frame of its stack; 0: it has none.
 */
gt_status pathing_move_at(gt_path *path, int64_t time, int64_t by, int64_t id, uint32_t from,
                          uint32_t to, uint64_t line);
gt_status pathing_proc(gt_path *path, int64_t time, int64_t id, uint32_t from, uint32_t to);
gt_status pathing_procs(gt_path *path, int64_t time, uint64_t count);
gt_status pathing_sample(gt_path *path, int64_t time, int64_t goroutine, uint64_t line);
gt_status pathing_region(gt_path *path, uint32_t kind, int64_t time, int64_t goroutine,
                         const char *name);
gt_status pathing_task(gt_path *path, uint32_t kind, int64_t time, int64_t goroutine, uint64_t id,
                       const char *name);

/* The transition of goroutine `id` that goroutine `by` makes, without a stack. */
gt_status pathing_move(gt_path *path, int64_t time, int64_t by, int64_t id, uint32_t from,
                       uint32_t to);

/* The same, which has to succeed. */
void pathing_must_move(gt_path *path, int64_t time, int64_t by, int64_t id, uint32_t from,
                       uint32_t to);

void pathing_expect_part(const gt_path *path, size_t index, int64_t start, int64_t end,
                         int64_t goroutine, uint32_t state);

/* Follows an interval, whose parts have to add up to it. Returns how many there are. */
size_t pathing_follow(gt_path *path, int64_t goroutine, int64_t start, int64_t end);

#endif
