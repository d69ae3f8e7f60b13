/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_GIVE_H
#define GT_V1_GIVE_H

#include "model/wire.h"
#include "v1/v1.h"

/*
 * From events of the wire to those of the API, as Go converts them since 1.23:
 * internal/trace/tracev1.go. For each type there is a rule, which checks the event
 * (internal/trace/internal/tracev1/parser.go, postProcessTrace) and adds what
 * it becomes to v1->events.
 */

typedef gt_status gt_v1_rule(struct gt_v1 *v1, struct gt_v1_event *event);

enum {
    GT_V1_MOST_GIVEN = 6 /* events that one event may become */
};

/* Gives what the event in v1->event becomes: nothing, or up to GT_V1_MOST_GIVEN. */
gt_status gt_v1_give_event(struct gt_v1 *v1);

/* Adds an event in the event's context. The caller sets the rest. */
struct gt_event_data *gt_v1_give(struct gt_v1 *v1, const struct gt_v1_event *event, uint8_t type,
                                 uint32_t kind);

/* The same with the event's stack. */
struct gt_event_data *gt_v1_give_stacked(struct gt_v1 *v1, const struct gt_v1_event *event,
                                         uint8_t type, uint32_t kind);

/* Adds a state change that no event of the trace tells, of a goroutine or a proc. */
void gt_v1_give_change(struct gt_v1 *v1, const struct gt_v1_event *event, uint8_t type, int64_t id,
                       unsigned from, unsigned to);

/* The event breaks a rule: gt_v1_fault at its place, with up to two numbers for the text. */
gt_status gt_v1_break(struct gt_v1 *v1, const struct gt_v1_event *event, const char *repair,
                      const char *text, uint64_t a, uint64_t b);

/* The slot of a stack with frames; 0 where there is none with this id. */
uint32_t gt_v1_stack_slot(const struct gt_v1 *v1, uint64_t id);

/* Looks up a string that an event names. Other than stacks, it must be there. */
gt_status gt_v1_take_string(struct gt_v1 *v1, const struct gt_v1_event *event, uint64_t id,
                            uint32_t *slot);

/* A goroutine by id, or NULL; fast for the event's own. */
struct gt_v1_goroutine *gt_v1_find(const struct gt_v1 *v1, const struct gt_v1_event *event,
                                   uint64_t id);

/* A lenient reader's way to a goroutine that is in a state of the API: a change to it. */
void gt_v1_bridge(struct gt_v1 *v1, const struct gt_v1_event *event, struct gt_v1_goroutine *g,
                  unsigned state);

/* Tells the states of goroutines that are owed, as long as there is room. */
void gt_v1_give_owed(struct gt_v1 *v1);

gt_v1_rule gt_v1_go_create, gt_v1_go_start, gt_v1_go_start_label, gt_v1_go_end, gt_v1_go_stop;
gt_v1_rule gt_v1_go_sched, gt_v1_go_preempt, gt_v1_go_block, gt_v1_go_unblock;
gt_v1_rule gt_v1_go_sys_call, gt_v1_go_sys_block, gt_v1_go_sys_exit;
gt_v1_rule gt_v1_go_waiting, gt_v1_go_in_syscall;
gt_v1_rule gt_v1_gomaxprocs, gt_v1_proc_start, gt_v1_proc_stop, gt_v1_heap;
gt_v1_rule gt_v1_gc_start, gt_v1_gc_done, gt_v1_stw_start, gt_v1_stw_done;
gt_v1_rule gt_v1_sweep_start, gt_v1_sweep_done, gt_v1_assist_start, gt_v1_assist_done;
gt_v1_rule gt_v1_task_create, gt_v1_task_end, gt_v1_region, gt_v1_log, gt_v1_sample;

#endif
