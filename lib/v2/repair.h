/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_REPAIR_H
#define GT_V2_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "merge/repair.h"
#include "v2/v2.h"

enum {
    /*
     * Ticks a second, if the trace does not say: those of Linux and macOS;
     * runtime/traceevent.go, traceTimeDiv.
     */
    GT_V2_USUAL_FREQUENCY = 15625000
};

/* Things that events name and that may be missing. All events miss a table that is lost. */
enum {
    GT_V2_LOST_STACK = 1 << 0,
    GT_V2_LOST_STRING = 1 << 1
};

/* Sets the error: memory ran out, or the caller's limit was reached. Returns its status. */
gt_status gt_v2_no_memory(struct gt_v2 *v2);

/* Forgives the error that is set, as gt_repair_forgive; the generation is damaged then. */
bool gt_v2_forgive(struct gt_v2 *v2, const char *text);

/* The same for lost stacks or strings. All are counted, but one in each generation is reported. */
bool gt_v2_forgive_lost(struct gt_v2 *v2, unsigned lost);

/* The same if `bytes` of the input are left out. */
bool gt_v2_forgive_bytes(struct gt_v2 *v2, uint64_t bytes);

/*
 * Lets the event happen that has been parked for the longest: forces what it waits for, by a
 * transition that is added to `*events`, which must have room. GT_OK, or there is no memory.
 */
gt_status gt_v2_force(struct gt_v2 *v2, struct gt_events *events);

/*
 * Bring a goroutine or a proc into a status, with the sequence number before `seq`. Complete
 * `*change` as the transition that this is; its type stays 0 if it is none.
 */
gt_status gt_v2_force_goroutine(struct gt_v2 *v2, uint64_t id, uint8_t status, uint64_t seq,
                                struct gt_event_data *change);
gt_status gt_v2_force_proc(struct gt_v2 *v2, uint64_t id, uint8_t status, uint64_t seq,
                           struct gt_event_data *change);

#endif
