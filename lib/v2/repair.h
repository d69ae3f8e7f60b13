/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_REPAIR_H
#define GT_V2_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "merge/repair.h"
#include "v2/state.h"

struct gt_v2;
struct gt_events;
struct gt_event_data;

/* What is known of the damage to the current generation. Only a lenient reader uses it. */
struct gt_v2_damage {
    bool found;            /* something is missing, so events may wait for what never comes */
    unsigned reported;     /* GT_V2_LOST_ bits: what was reported already */
    const uint8_t *forced; /* the last event that was forced; if it still waits, it is left out */
    uint64_t frequency;    /* of the last generation that had one; 0: none had */
};

enum {
    /* Where the trace does not say: that of Linux and macOS, runtime/traceevent.go, traceTimeDiv.
     */
    GT_V2_USUAL_FREQUENCY = 15625000
};

/* What an event names that is not there. A table that is lost is missed by all of them. */
enum {
    GT_V2_LOST_STACK = 1 << 0,
    GT_V2_LOST_STRING = 1 << 1
};

/* Forgives the error that is set, as gt_repair_forgive; the generation is damaged then. */
bool gt_v2_forgive(struct gt_v2 *v2, const char *text);

/* The same for lost stacks or strings: each is counted, but only the generation's first reported.
 */
bool gt_v2_forgive_lost(struct gt_v2 *v2, unsigned lost);

/* The same where `bytes` of the input are left out. */
bool gt_v2_forgive_bytes(struct gt_v2 *v2, uint64_t bytes);

/*
 * Lets the event happen that was parked first: makes true what it waits for, by a transition
 * that is added to `*events`, in which there must be room. GT_OK, or there is no memory.
 */
gt_status gt_v2_force(struct gt_v2 *v2, struct gt_events *events);

/*
 * Brings a goroutine or a proc into a status, with the number before `seq`: order_go.c,
 * order_proc.c. `*change` becomes the transition that this is; its type stays 0 where it is none.
 */
gt_status gt_v2_force_goroutine(struct gt_v2 *v2, uint64_t id, uint8_t status, uint64_t seq,
                                struct gt_event_data *change);
gt_status gt_v2_force_proc(struct gt_v2 *v2, uint64_t id, uint8_t status, uint64_t seq,
                           struct gt_event_data *change);

#endif
