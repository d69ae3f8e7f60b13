/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_ANALYSIS_CURVE_H
#define TESTS_ANALYSIS_CURVE_H

/*
 * Traces, and the mutator utilisation that is expected for them:
 *
 *     struct gen g = {0};
 *
 *     curve_begin(&g);
 *     curve_at(&g, 5, 110);
 *     gen_stw_begin(&g, "GC mark termination", 0);
 *     curve_event(&g, 5, 120, EV_STW_END);
 *     curve_end(&g, 150);
 *     CURVE(&g.wire, GT_MMU_STW, {100, 1}, {110, 0}, {120, 1}, {151, 0});
 *     gen_free(&g);
 */

#include <gotrace/gotrace.h>

#include "support/gen_events.h"

/*
 * Begins a trace of Go 1.23: goroutine 1 runs with proc 0 on thread 5, goroutine 2 with proc 1 on
 * thread 6, and at 100 there are 4 procs. The last Sync comes 1 after the last event.
 */
void curve_begin(struct gen *gen);

/* The next event belongs to this thread and has this time. */
void curve_at(struct gen *gen, uint64_t thread, uint64_t time);

/*
 * Writes a begin or an end of a range at a time; a change of the number of procs; the end of the
 * trace.
 */
void curve_event(struct gen *gen, uint64_t thread, uint64_t time, unsigned type);
void curve_procs(struct gen *gen, uint64_t time, uint64_t count);
void curve_end(struct gen *gen, uint64_t time);

/* Feeds all events of the trace. */
void curve_feed(gt_mmu *mmu, const struct wire *wire);

/* Returns the utilisation of the whole trace with these GT_MMU_ bits; the caller closes it. */
gt_mmu *curve_open(const struct wire *wire, uint64_t flags);

/* Asserts that one of the functions is this one, and that there are `count` of them. */
void curve_expect(gt_mmu *mmu, size_t functions, const gt_utilization *points, size_t count);

/* Asserts that this is the only function of the trace. */
void curve_check(const struct wire *wire, uint64_t flags, const gt_utilization *points,
                 size_t count);

#define CURVE_POINTS(...)                                                                          \
    (const gt_utilization[]){__VA_ARGS__},                                                         \
        sizeof((const gt_utilization[]){__VA_ARGS__}) / sizeof(gt_utilization)

#define CURVE(wire, flags, ...) curve_check((wire), (flags), CURVE_POINTS(__VA_ARGS__))

#endif
