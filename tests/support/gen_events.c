/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/gen_events.h"

/* Returns the number after `*last`, or the one that gen_seq set, and stores it in `*last`. */
static uint64_t next(struct gen *gen, uint64_t *last)
{
    *last = gen->has_seq ? gen->seq : *last + 1;
    gen->has_seq = 0;
    return *last;
}

static uint64_t next_of_goroutine(struct gen *gen, uint64_t goroutine)
{
    return next(gen, gen_number(&gen->go_seqs, goroutine, 0));
}

static uint64_t next_of_proc(struct gen *gen, uint64_t proc)
{
    return next(gen, gen_number(&gen->proc_seqs, proc, 0));
}

static void set_proc(struct gen *gen, uint64_t thread, uint64_t proc)
{
    *gen_number(&gen->procs, thread, WIRE_NONE) = proc;
}

void gen_seq(struct gen *gen, uint64_t seq)
{
    gen->seq = seq;
    gen->has_seq = 1;
}

void gen_running(struct gen *gen, uint64_t thread, uint64_t proc, uint64_t goroutine)
{
    gen_on(gen, thread);
    gen_proc_status(gen, proc, PROC_RUNNING);
    gen_go_status(gen, goroutine, thread, GO_RUNNING);
}

void gen_proc_status(struct gen *gen, uint64_t proc, uint64_t status)
{
    *gen_number(&gen->proc_seqs, proc, 0) = 0;
    if (status == PROC_RUNNING || status == PROC_SYSCALL)
        set_proc(gen, gen->thread, proc);
    GEN_EVENT(gen, EV_PROC_STATUS, proc, status);
}

void gen_proc_start(struct gen *gen, uint64_t proc)
{
    set_proc(gen, gen->thread, proc);
    GEN_EVENT(gen, EV_PROC_START, proc, next_of_proc(gen, proc));
}

void gen_proc_stop(struct gen *gen)
{
    set_proc(gen, gen->thread, WIRE_NONE);
    gen_bare(gen, EV_PROC_STOP);
}

void gen_proc_steal(struct gen *gen, uint64_t proc, uint64_t victim)
{
    if (*gen_number(&gen->procs, victim, WIRE_NONE) == proc)
        set_proc(gen, victim, WIRE_NONE);
    GEN_EVENT(gen, EV_PROC_STEAL, proc, next_of_proc(gen, proc), victim);
}

void gen_go_status(struct gen *gen, uint64_t goroutine, uint64_t thread, uint64_t status)
{
    *gen_number(&gen->go_seqs, goroutine, 0) = 0;
    GEN_EVENT(gen, EV_GO_STATUS, goroutine, thread, status);
}

void gen_go_status_stack(struct gen *gen, uint64_t goroutine, uint64_t thread, uint64_t status,
                         uint64_t stack)
{
    *gen_number(&gen->go_seqs, goroutine, 0) = 0;
    GEN_EVENT(gen, EV_GO_STATUS_STACK, goroutine, thread, status, stack);
}

void gen_go_create(struct gen *gen, uint64_t goroutine, uint64_t start, uint64_t stack)
{
    *gen_number(&gen->go_seqs, goroutine, 0) = 0;
    GEN_EVENT(gen, EV_GO_CREATE, goroutine, start, stack);
}

void gen_go_create_blocked(struct gen *gen, uint64_t goroutine, uint64_t start, uint64_t stack)
{
    *gen_number(&gen->go_seqs, goroutine, 0) = 0;
    GEN_EVENT(gen, EV_GO_CREATE_BLOCKED, goroutine, start, stack);
}

void gen_go_create_syscall(struct gen *gen, uint64_t goroutine)
{
    *gen_number(&gen->go_seqs, goroutine, 0) = 0;
    GEN_EVENT(gen, EV_GO_CREATE_SYSCALL, goroutine);
}

void gen_go_start(struct gen *gen, uint64_t goroutine)
{
    GEN_EVENT(gen, EV_GO_START, goroutine, next_of_goroutine(gen, goroutine));
}

void gen_go_stop(struct gen *gen, const char *reason, uint64_t stack)
{
    GEN_EVENT(gen, EV_GO_STOP, gen_string(gen, reason), stack);
}

void gen_go_block(struct gen *gen, const char *reason, uint64_t stack)
{
    GEN_EVENT(gen, EV_GO_BLOCK, gen_string(gen, reason), stack);
}

void gen_go_unblock(struct gen *gen, uint64_t goroutine, uint64_t stack)
{
    GEN_EVENT(gen, EV_GO_UNBLOCK, goroutine, next_of_goroutine(gen, goroutine), stack);
}

void gen_go_switch(struct gen *gen, uint64_t goroutine)
{
    GEN_EVENT(gen, EV_GO_SWITCH, goroutine, next_of_goroutine(gen, goroutine));
}

void gen_go_switch_destroy(struct gen *gen, uint64_t goroutine)
{
    GEN_EVENT(gen, EV_GO_SWITCH_DESTROY, goroutine, next_of_goroutine(gen, goroutine));
}

void gen_go_destroy(struct gen *gen)
{
    gen_bare(gen, EV_GO_DESTROY);
}

/* The proc of the thread moves along with the goroutine. */
void gen_go_destroy_syscall(struct gen *gen)
{
    set_proc(gen, gen->thread, WIRE_NONE);
    gen_bare(gen, EV_GO_DESTROY_SYSCALL);
}

void gen_syscall_begin(struct gen *gen, uint64_t stack)
{
    uint64_t proc = *gen_number(&gen->procs, gen->thread, WIRE_NONE);

    GEN_EVENT(gen, EV_GO_SYSCALL_BEGIN, next_of_proc(gen, proc), stack);
}

void gen_syscall_end(struct gen *gen)
{
    gen_bare(gen, EV_GO_SYSCALL_END);
}

void gen_syscall_end_blocked(struct gen *gen)
{
    gen_bare(gen, EV_GO_SYSCALL_END_BLOCKED);
}

void gen_gc_active(struct gen *gen)
{
    GEN_EVENT(gen, EV_GC_ACTIVE, next(gen, &gen->gc_seq));
}

void gen_gc_begin(struct gen *gen, uint64_t stack)
{
    GEN_EVENT(gen, EV_GC_BEGIN, next(gen, &gen->gc_seq), stack);
}

void gen_gc_end(struct gen *gen)
{
    GEN_EVENT(gen, EV_GC_END, next(gen, &gen->gc_seq));
}

void gen_stw_begin(struct gen *gen, const char *kind, uint64_t stack)
{
    GEN_EVENT(gen, EV_STW_BEGIN, gen_string(gen, kind), stack);
}

void gen_label(struct gen *gen, const char *label)
{
    GEN_EVENT(gen, EV_GO_LABEL, gen_string(gen, label));
}

void gen_task_begin(struct gen *gen, uint64_t task, uint64_t parent, const char *name,
                    uint64_t stack)
{
    GEN_EVENT(gen, EV_USER_TASK_BEGIN, task, parent, gen_string(gen, name), stack);
}

void gen_task_end(struct gen *gen, uint64_t task, uint64_t stack)
{
    GEN_EVENT(gen, EV_USER_TASK_END, task, stack);
}

void gen_region_begin(struct gen *gen, uint64_t task, const char *name, uint64_t stack)
{
    GEN_EVENT(gen, EV_USER_REGION_BEGIN, task, gen_string(gen, name), stack);
}

void gen_region_end(struct gen *gen, uint64_t task, const char *name, uint64_t stack)
{
    GEN_EVENT(gen, EV_USER_REGION_END, task, gen_string(gen, name), stack);
}

void gen_log(struct gen *gen, uint64_t task, const char *key, const char *value, uint64_t stack)
{
    uint64_t key_id = gen_string(gen, key);

    GEN_EVENT(gen, EV_USER_LOG, task, key_id, gen_string(gen, value), stack);
}
