/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_BRIDGE_H
#define GT_REWRITE_BRIDGE_H

#include "rewrite/writer.h"

/*
 * What was lost of a trace has led procs and goroutines from the states that the output has reached
 * to those that the next event needs. These functions make up the events that do so. Each is 1 ns
 * after the one before, and the event that needs them comes after them.
 */
struct gt_rewrite_bridge {
    struct gt_writer *writer;
    struct gt_rewrite_event *e; /* the event; its time is that of the next one that is made up */
    gt_status status;           /* the first failure, after which nothing is made up */
    bool is_impossible;         /* nothing leads to the event; nothing is made up from then on */
};

/*
 * Lets a goroutine come to a status, which is not GT_V2_GO_BAD. `thread` is the one that has the
 * goroutine then, if the status is one of those that need a thread.
 */
void gt_rewrite_bridge_goroutine(struct gt_rewrite_bridge *bridge,
                                 struct gt_rewrite_goroutine *goroutine, uint32_t status,
                                 struct gt_rewrite_thread *thread);

/* Lets the thread lose its goroutine, if it has one. */
void gt_rewrite_bridge_empty(struct gt_rewrite_bridge *bridge, struct gt_rewrite_thread *thread);

/* Names the goroutine in the generation, so that an event can have its next sequence number. */
void gt_rewrite_bridge_name(struct gt_rewrite_bridge *bridge,
                            struct gt_rewrite_goroutine *goroutine);

/* Lets a proc become idle. */
void gt_rewrite_bridge_idle(struct gt_rewrite_bridge *bridge, struct gt_rewrite_proc *proc);

/* Lets a proc run on a thread, which loses another one. */
void gt_rewrite_bridge_proc(struct gt_rewrite_bridge *bridge, struct gt_rewrite_proc *proc,
                            struct gt_rewrite_thread *thread);

/* The same as gt_rewrite_bridge_name for a proc. */
void gt_rewrite_bridge_name_proc(struct gt_rewrite_bridge *bridge, struct gt_rewrite_proc *proc);

/* Lets some proc run on a thread, if none does: that of the event if it is idle. */
void gt_rewrite_bridge_equip(struct gt_rewrite_bridge *bridge, struct gt_rewrite_thread *thread);

#endif
