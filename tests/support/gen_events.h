/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_GEN_EVENTS_H
#define TESTS_SUPPORT_GEN_EVENTS_H

/*
 * Events for a generator, by what happens. Each happens on the thread that gen_on set last.
 * Reasons, names and the like are texts; stacks are ids from gen_stack, or 0. Events that are not
 * here need only GEN_EVENT. Sequence numbers are counted as in the format: those of a goroutine and
 * of a proc from its status or creation in each generation, those of the collector through the
 * trace. This fits a description in the order of time; one that describes a thread after another
 * has to set the numbers.
 */

#include "support/gen.h"

/* Sets the sequence number of the next event that has one. */
void gen_seq(struct gen *gen, uint64_t seq);

/* Continues on the thread, and writes the statuses of the proc and goroutine that it runs. */
void gen_running(struct gen *gen, uint64_t thread, uint64_t proc, uint64_t goroutine);

void gen_proc_status(struct gen *gen, uint64_t proc, uint64_t status);
void gen_proc_start(struct gen *gen, uint64_t proc);
void gen_proc_stop(struct gen *gen);

/* The thread takes a proc away from another, or from itself. */
void gen_proc_steal(struct gen *gen, uint64_t proc, uint64_t victim);

/* `thread` is the thread of the system call that it is in; most states have WIRE_NONE. */
void gen_go_status(struct gen *gen, uint64_t goroutine, uint64_t thread, uint64_t status);
void gen_go_status_stack(struct gen *gen, uint64_t goroutine, uint64_t thread, uint64_t status,
                         uint64_t stack);

/* `start` is the stack that the new goroutine begins with. */
void gen_go_create(struct gen *gen, uint64_t goroutine, uint64_t start, uint64_t stack);
void gen_go_create_blocked(struct gen *gen, uint64_t goroutine, uint64_t start, uint64_t stack);
void gen_go_create_syscall(struct gen *gen, uint64_t goroutine);

void gen_go_start(struct gen *gen, uint64_t goroutine);
void gen_go_stop(struct gen *gen, const char *reason, uint64_t stack);
void gen_go_block(struct gen *gen, const char *reason, uint64_t stack);
void gen_go_unblock(struct gen *gen, uint64_t goroutine, uint64_t stack);
void gen_go_switch(struct gen *gen, uint64_t goroutine);
void gen_go_switch_destroy(struct gen *gen, uint64_t goroutine);
void gen_go_destroy(struct gen *gen);
void gen_go_destroy_syscall(struct gen *gen);

/* The number is that of the thread's proc. */
void gen_syscall_begin(struct gen *gen, uint64_t stack);
void gen_syscall_end(struct gen *gen);
void gen_syscall_end_blocked(struct gen *gen);

void gen_gc_active(struct gen *gen);
void gen_gc_begin(struct gen *gen, uint64_t stack);
void gen_gc_end(struct gen *gen);
void gen_stw_begin(struct gen *gen, const char *kind, uint64_t stack);

void gen_label(struct gen *gen, const char *label);
void gen_task_begin(struct gen *gen, uint64_t task, uint64_t parent, const char *name,
                    uint64_t stack);
void gen_task_end(struct gen *gen, uint64_t task, uint64_t stack);
void gen_region_begin(struct gen *gen, uint64_t task, const char *name, uint64_t stack);
void gen_region_end(struct gen *gen, uint64_t task, const char *name, uint64_t stack);
void gen_log(struct gen *gen, uint64_t task, const char *key, const char *value, uint64_t stack);

#endif
