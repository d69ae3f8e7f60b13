/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_REPAIR_H
#define GT_V2_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "merge/repair.h"
#include "v2/v2.h"

enum {
    /*
     * Ticks per second if the trace does not contain the frequency: those of Linux and macOS;
     * runtime/traceevent.go, traceTimeDiv.
     */
    GT_V2_USUAL_FREQUENCY = 15625000
};

/* The kinds of references that may be missing. If a table is lost, all events lack it. */
enum {
    GT_V2_LOST_STACK = 1 << 0,
    GT_V2_LOST_STRING = 1 << 1
};

/* Sets the error that memory ran out or the caller's limit was reached. Returns its status. */
gt_status gt_v2_no_memory(struct gt_v2 *v2);

/*
 * Forgives the error that is set, as gt_repair_forgive does, and marks the generation as damaged.
 */
bool gt_v2_forgive(struct gt_v2 *v2, const char *text);

/*
 * Forgives the error that a stack or a string is lost. Every one is counted as a repair, but only
 * the first of each kind in a generation is reported.
 */
bool gt_v2_forgive_lost(struct gt_v2 *v2, unsigned lost);

/* Forgives the error that is set, and reports that `bytes` bytes of the input are left out. */
bool gt_v2_forgive_bytes(struct gt_v2 *v2, uint64_t bytes);

/*
 * Forces the condition for which the longest parked event waits, by a transition that is added to
 * `*events`, which must have room. Fails only if there is no memory.
 */
gt_status gt_v2_force(struct gt_v2 *v2, struct gt_events *events);

/*
 * These functions bring a goroutine or a proc into a status, with the sequence number before `seq`.
 * They complete `*change` as the resulting transition; if there is none, its type stays 0.
 */
gt_status gt_v2_force_goroutine(struct gt_v2 *v2, uint64_t id, uint8_t status, uint64_t seq,
                                struct gt_event_data *change);
gt_status gt_v2_force_proc(struct gt_v2 *v2, uint64_t id, uint8_t status, uint64_t seq,
                           struct gt_event_data *change);

#endif
