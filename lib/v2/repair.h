/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_REPAIR_H
#define GT_V2_REPAIR_H

#include <stdint.h>

#include <gotrace/reader.h>

#include "v2/state.h"

struct gt_v2;
struct gt_events;
struct gt_event_data;

/* What a lenient reader does about damage instead of ending with an error. */
struct gt_v2_repair {
    int lenient;
    gt_repair_fn on_repair;
    void *user_data;
    uint64_t count;
    /* Something is missing in this generation, so that not all that is waited for can come. */
    int damaged;
    unsigned told; /* GT_V2_LOST_ bits: of what was told in this generation */
    /* The event that was let happen, by its place; one that still cannot is left out. */
    const uint8_t *forced;
    uint64_t frequency; /* of the last generation that had one */
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

/* Errors of the call, not of the trace: memory and the source. */
static inline int gt_v2_is_trouble(int32_t status)
{
    return status == GT_ERR_NO_MEMORY || status == GT_ERR_LIMIT || status == GT_ERR_IO;
}

/*
 * Whether the reading goes on after the error that is set: tells of it as a repair, which
 * `repair` says, and takes the error back. 0 for a strict reader, and where it is not the
 * trace that is to blame.
 */
int gt_v2_forgive(struct gt_v2 *v2, const char *repair);

/* The same of what is told once in a generation: all are counted. */
int gt_v2_forgive_lost(struct gt_v2 *v2, unsigned lost);

/* The same, where `bytes` of the input are left out. */
int gt_v2_forgive_bytes(struct gt_v2 *v2, uint64_t bytes);

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
