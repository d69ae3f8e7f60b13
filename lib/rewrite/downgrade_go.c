/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/wire.h>

#include "base/text.h"
#include "rewrite/downgrade_stream.h"
#include "rewrite/downgrade_table.h"

/* Transitions of goroutines. */

enum {
    GO_STATES = GT_GO_SYSCALL + 1
};

/* The ids that are made up begin here: Go's runtime counts from 1 on. */
#define FIRST_NAME (UINT64_C(1) << 62)

/* A transition of a goroutine that is being written. */
struct go_move {
    const struct gt_downgrade_event *e;
    const gt_transition *transition;
    struct gt_downgrade_goroutine *goroutine; /* NULL if it does not exist in the output */
};

/* The types of records that say why a goroutine stops. */
static const struct go_reason {
    const char *text;
    uint32_t type;
} go_reasons[] = {
    {"forever", GT_V1_GO_STOP},
    {"sleep", GT_V1_GO_SLEEP},
    {"chan send", GT_V1_GO_BLOCK_SEND},
    {"chan receive", GT_V1_GO_BLOCK_RECV},
    {"select", GT_V1_GO_BLOCK_SELECT},
    {"sync", GT_V1_GO_BLOCK_SYNC},
    {"sync.(*Cond).Wait", GT_V1_GO_BLOCK_COND},
    {"network", GT_V1_GO_BLOCK_NET},
    {"GC mark assist wait for work", GT_V1_GO_BLOCK_GC},
    {"", GT_V1_GO_BLOCK},
};

bool gt_downgrade_has_ended(const struct gt_downgrader *d, int64_t id)
{
    uint64_t number = (uint64_t) id;
    const struct gt_downgrade_ended *ended =
        gt_idmap_get(&d->ended, number >> GT_DOWNGRADE_ENDED_BITS);
    return ended && (ended->bits[number >> 6 & 7] >> (number & 63) & 1);
}

static gt_status go_note_end(struct gt_downgrader *d, int64_t id)
{
    uint64_t number = (uint64_t) id;
    struct gt_downgrade_ended *ended = gt_idmap_get(&d->ended, number >> GT_DOWNGRADE_ENDED_BITS);
    if (!ended)
        ended = gt_idmap_add(&d->ended, number >> GT_DOWNGRADE_ENDED_BITS);
    if (!ended)
        return gt_downgrade_no_memory(d);
    ended->bits[number >> 6 & 7] |= UINT64_C(1) << (number & 63);
    return GT_OK;
}

/* Gives a goroutine its id in the output: its own unless that was in use, or stands for none. */
static void go_name(struct gt_downgrader *d, struct gt_downgrade_goroutine *goroutine,
                    bool is_in_use)
{
    goroutine->number = (uint64_t) goroutine->id;
    if (is_in_use || goroutine->id <= 0 || gt_downgrade_has_ended(d, goroutine->id)) {
        goroutine->number = FIRST_NAME + d->names++;
        d->info.renamed++;
    }
}

static struct gt_downgrade_goroutine *go_new(struct gt_downgrader *d, int64_t id)
{
    struct gt_downgrade_goroutine *goroutine = gt_idmap_add(&d->goroutine_map, (uint64_t) id);
    if (!goroutine)
        return NULL;
    goroutine->id = id;
    goroutine->sequence = 1;
    go_name(d, goroutine, false);
    return goroutine;
}

/*
 * Adds a goroutine, which must not exist in the input. In the output it does if it has ended in a
 * system call, and gets another id then. Returns NULL if there is no memory.
 */
static struct gt_downgrade_goroutine *go_add(struct gt_downgrader *d, const struct go_move *move)
{
    struct gt_downgrade_goroutine *goroutine = move->goroutine;
    if (!goroutine)
        return go_new(d, move->transition->resource.id);
    gt_rewrite_regions_drop(&d->regions, &goroutine->regions);
    *goroutine = (struct gt_downgrade_goroutine){.id = goroutine->id, .sequence = 1};
    go_name(d, goroutine, true);
    return goroutine;
}

/*
 * The proc to whose records one belongs that a goroutine or a scheduler makes about another
 * goroutine. Readers ask for the goroutine that runs there; else it is none.
 */
static struct gt_downgrade_proc *go_maker(struct gt_downgrader *d, const struct go_move *move)
{
    struct gt_downgrade_proc *proc = move->e->proc;
    int64_t id = proc->goroutine ? proc->goroutine->id : GT_NO_GOROUTINE;
    return id == move->e->event->goroutine ? proc : &d->none;
}

/* Notes where the last record with a number of a goroutine is. Returns whether it was there. */
static bool go_is_local(const struct gt_downgrader *d, struct gt_downgrade_goroutine *goroutine,
                        struct gt_downgrade_proc *proc)
{
    bool is_local = goroutine->last == proc && proc != &d->none;
    goroutine->last = proc;
    return is_local;
}

/* Writes the start of a goroutine. It is held back if a label may follow. */
static gt_status go_run(struct gt_downgrader *d, struct gt_downgrade_proc *proc,
                        struct gt_downgrade_goroutine *goroutine, int64_t time)
{
    if (proc == &d->none || proc->goroutine || goroutine->state != GT_DOWNGRADE_RUNNABLE)
        return gt_downgrade_contradiction(d);
    gt_status status = gt_downgrade_start_release(d, proc, 0);
    proc->has_begun |= time >= GT_DOWNGRADE_FIRST_TIME;
    proc->has_start = true;
    proc->start_time = time;
    proc->start_is_local = go_is_local(d, goroutine, proc);
    proc->start_sequence = goroutine->sequence++;
    proc->goroutine = goroutine;
    goroutine->proc = proc;
    goroutine->state = GT_DOWNGRADE_RUNNING;
    goroutine->is_in_syscall = goroutine->is_due = false;
    if (status != GT_OK || !goroutine->owes_assist)
        return status;
    goroutine->owes_assist = false;
    return gt_downgrade_add(d, proc, time, GT_V1_MARK_ASSIST_START, 0);
}

gt_status gt_downgrade_run_due(struct gt_downgrader *d, struct gt_downgrade_proc *proc,
                               struct gt_downgrade_goroutine *goroutine, int64_t time)
{
    time = gt_downgrade_run_time(d, proc, time);
    gt_status status = go_run(d, proc, goroutine, time);
    /* At the start of a trace, readers since Go 1.23 do not take a label for a state. */
    return status == GT_OK ? gt_downgrade_start_release(d, proc, 0) : status;
}

/* Notes a goroutine that existed when the trace began. */
static gt_status go_begin(struct gt_downgrader *d, const struct go_move *move)
{
    struct gt_downgrade_first first = {.number = 0};
    gt_go_state state = move->transition->to;
    if (d->is_started || (move->goroutine && !move->goroutine->is_gone))
        return gt_downgrade_contradiction(d);
    struct gt_downgrade_goroutine *goroutine = go_add(d, move);
    if (!goroutine)
        return gt_downgrade_no_memory(d);
    first.number = goroutine->number;
    if (state == GT_GO_WAITING || state == GT_GO_SYSCALL) {
        first.type = state == GT_GO_WAITING ? GT_V1_GO_WAITING : GT_V1_GO_IN_SYSCALL;
        goroutine->state = GT_DOWNGRADE_WAITING;
        goroutine->is_in_syscall = state == GT_GO_SYSCALL;
        goroutine->sequence = 2;
    }
    if (gt_array_add(&d->mem, &d->firsts, first) != GT_OK)
        return gt_downgrade_no_memory(d);
    goroutine->first = d->firsts.count;
    goroutine->is_due = state == GT_GO_RUNNING;
    if (!goroutine->is_due || move->e->proc == &d->none)
        return GT_OK;
    return gt_downgrade_run_due(d, move->e->proc, goroutine, move->e->time);
}

/* Handles a status of a goroutine that is known. */
static gt_status go_stay(struct gt_downgrader *d, const struct go_move *move)
{
    if (!move->goroutine)
        return gt_downgrade_contradiction(d);
    d->info.stacks += move->e->type == GT_WIRE_GO_STATUS_STACK;
    return GT_OK;
}

/*
 * Creates a goroutine. One that waits or is in a system call gets a second record, and can get it
 * only while it has no other ones.
 */
static gt_status go_create(struct gt_downgrader *d, const struct go_move *move)
{
    const struct gt_downgrade_event *e = move->e;
    struct gt_downgrade_goroutine *goroutine = move->goroutine;
    struct gt_downgrade_proc *proc = go_maker(d, move);
    gt_go_state state = move->transition->to;
    uint64_t start, stack = e->stack;
    if (goroutine && goroutine->is_gone && state == GT_GO_SYSCALL && !goroutine->regions) {
        goroutine->is_gone = false;
        return GT_OK;
    }
    if (goroutine && !goroutine->is_gone)
        return gt_downgrade_contradiction(d);
    goroutine = go_add(d, move);
    if (!goroutine)
        return gt_downgrade_no_memory(d);
    gt_status status = gt_downgrade_stack(d, e->event, move->transition->stack, &start);
    if (status == GT_OK)
        status = gt_downgrade_some_stack(d, start, &start);
    /* Its maker may be in a region, whose task it inherits. */
    if (status == GT_OK && proc->goroutine)
        status = gt_downgrade_some_stack(d, stack, &stack);
    if (status == GT_OK)
        status =
            gt_downgrade_add(d, proc, e->time, GT_V1_GO_CREATE, goroutine->number, start, stack);
    go_is_local(d, goroutine, proc);
    goroutine->state = GT_DOWNGRADE_RUNNABLE;
    if (status != GT_OK || state == GT_GO_RUNNABLE)
        return status;
    goroutine->state = GT_DOWNGRADE_WAITING;
    goroutine->is_in_syscall = state == GT_GO_SYSCALL;
    goroutine->sequence = 2;
    return gt_downgrade_add(d, proc, e->time,
                            state == GT_GO_SYSCALL ? GT_V1_GO_IN_SYSCALL : GT_V1_GO_WAITING,
                            goroutine->number);
}

static gt_status go_start(struct gt_downgrader *d, const struct go_move *move)
{
    return move->goroutine ? go_run(d, move->e->proc, move->goroutine, move->e->time)
                           : gt_downgrade_contradiction(d);
}

/* Returns whether a goroutine runs on the proc of the event, also in a system call. */
static bool go_runs(const struct go_move *move)
{
    return move->goroutine && move->goroutine->proc && move->goroutine->proc == move->e->proc;
}

static void go_leave(struct gt_downgrade_goroutine *goroutine, enum gt_downgrade_state state)
{
    goroutine->proc->goroutine = NULL;
    goroutine->proc = NULL;
    goroutine->state = state;
}

/* The goroutine remains runnable. */
static gt_status go_yield(struct gt_downgrader *d, const struct go_move *move)
{
    const struct gt_downgrade_event *e = move->e;
    if (!go_runs(move))
        return gt_downgrade_contradiction(d);
    gt_string reason = move->transition->reason;
    bool is_own = gt_text_is(reason, "runtime.Gosched");
    d->info.reasons += !is_own && !gt_text_is(reason, "preempted");
    gt_status status =
        gt_downgrade_add(d, e->proc, e->time, is_own ? GT_V1_GO_SCHED : GT_V1_GO_PREEMPT, e->stack);
    go_leave(move->goroutine, GT_DOWNGRADE_RUNNABLE);
    return status;
}

static uint32_t go_reason_type(struct gt_downgrader *d, gt_string reason)
{
    for (size_t i = 0; i < sizeof(go_reasons) / sizeof(*go_reasons); i++)
        if (gt_text_is(reason, go_reasons[i].text))
            return go_reasons[i].type;
    d->info.reasons++;
    return GT_V1_GO_BLOCK;
}

static gt_status go_block(struct gt_downgrader *d, const struct go_move *move)
{
    const struct gt_downgrade_event *e = move->e;
    if (!go_runs(move))
        return gt_downgrade_contradiction(d);
    uint32_t type = go_reason_type(d, move->transition->reason);
    gt_status status = gt_downgrade_add(d, e->proc, e->time, type, e->stack);
    go_leave(move->goroutine, type == GT_V1_GO_STOP ? GT_DOWNGRADE_OVER : GT_DOWNGRADE_WAITING);
    return status;
}

/* Ends a stop of the world whose goroutine ends. */
static gt_status go_end_stop(struct gt_downgrader *d, const struct go_move *move)
{
    if (!d->is_stopped || d->stopper != move->goroutine->id)
        return GT_OK;
    d->is_stopped = false;
    return gt_downgrade_add_bare(d, move->e->proc, move->e->time, GT_V1_STW_DONE);
}

static gt_status go_end(struct gt_downgrader *d, const struct go_move *move)
{
    const struct gt_downgrade_event *e = move->e;
    if (!go_runs(move))
        return gt_downgrade_contradiction(d);
    gt_status status = go_end_stop(d, move);
    if (status == GT_OK)
        status = gt_downgrade_add_bare(d, e->proc, e->time, GT_V1_GO_END);
    if (status == GT_OK)
        status = go_note_end(d, move->goroutine->id);
    go_leave(move->goroutine, GT_DOWNGRADE_OVER);
    gt_idmap_drop(&d->goroutine_map, (uint64_t) move->goroutine->id, move->goroutine);
    return status;
}

static gt_status go_unblock(struct gt_downgrader *d, const struct go_move *move)
{
    const struct gt_downgrade_event *e = move->e;
    struct gt_downgrade_goroutine *goroutine = move->goroutine;
    struct gt_downgrade_proc *proc = go_maker(d, move);
    if (!goroutine || goroutine->state != GT_DOWNGRADE_WAITING || goroutine->is_in_syscall)
        return gt_downgrade_contradiction(d);
    bool is_local = go_is_local(d, goroutine, proc);
    uint64_t sequence = goroutine->sequence++;
    goroutine->state = GT_DOWNGRADE_RUNNABLE;
    if (is_local)
        return gt_downgrade_add(d, proc, e->time, GT_V1_GO_UNBLOCK_LOCAL, goroutine->number,
                                e->stack);
    return gt_downgrade_add(d, proc, e->time, GT_V1_GO_UNBLOCK, goroutine->number, sequence,
                            e->stack);
}

static gt_status go_enter(struct gt_downgrader *d, const struct go_move *move)
{
    if (!go_runs(move))
        return gt_downgrade_contradiction(d);
    move->goroutine->is_in_syscall = true;
    return gt_downgrade_add(d, move->e->proc, move->e->time, GT_V1_GO_SYS_CALL, move->e->stack);
}

/* Ends a system call in which the goroutine has lost its proc. It has no other time of its own. */
static gt_status go_exit(struct gt_downgrader *d, const struct go_move *move)
{
    const struct gt_downgrade_event *e = move->e;
    struct gt_downgrade_goroutine *goroutine = move->goroutine;
    gt_status status = GT_OK;
    if (!goroutine || !goroutine->is_in_syscall)
        return gt_downgrade_contradiction(d);
    if (goroutine->proc)
        status = gt_downgrade_leave_proc(d, goroutine->proc, e->time);
    goroutine->is_in_syscall = false;
    goroutine->state = GT_DOWNGRADE_RUNNABLE;
    goroutine->last = e->proc;
    uint64_t sequence = goroutine->sequence++;
    return status == GT_OK ? gt_downgrade_add(d, e->proc, e->time, GT_V1_GO_SYS_EXIT,
                                              goroutine->number, sequence, 0)
                           : status;
}

/* A system call that has not blocked ends without a record, as it was an instant. */
static gt_status go_return(struct gt_downgrader *d, const struct go_move *move)
{
    if (!move->goroutine || !move->goroutine->is_in_syscall)
        return gt_downgrade_contradiction(d);
    if (!move->goroutine->proc) {
        gt_status status = go_exit(d, move);
        return status == GT_OK ? go_start(d, move) : status;
    }
    move->goroutine->is_in_syscall = false;
    return GT_OK;
}

/*
 * Ends a goroutine in a system call: a callback from C returns. Go 1.21 does not record that. There
 * the goroutine remains in the system call until the next callback on its thread.
 */
static gt_status go_vanish(struct gt_downgrader *d, const struct go_move *move)
{
    struct gt_downgrade_goroutine *goroutine = move->goroutine;
    gt_status status = GT_OK;
    if (!goroutine || !goroutine->is_in_syscall)
        return gt_downgrade_contradiction(d);
    if (goroutine->proc)
        status = gt_downgrade_leave_proc(d, goroutine->proc, move->e->time);
    goroutine->is_gone = true;
    d->info.callbacks++;
    return status;
}

typedef gt_status go_move_fn(struct gt_downgrader *d, const struct go_move *move);

/* What to do for a transition, by the states before and after it. */
static go_move_fn *const go_moves[GO_STATES][GO_STATES] = {
    [GT_GO_UNDETERMINED] = {[GT_GO_RUNNABLE] = go_begin,
                            [GT_GO_RUNNING] = go_begin,
                            [GT_GO_WAITING] = go_begin,
                            [GT_GO_SYSCALL] = go_begin},
    [GT_GO_NOT_EXIST] =
        {[GT_GO_RUNNABLE] = go_create, [GT_GO_WAITING] = go_create, [GT_GO_SYSCALL] = go_create},
    [GT_GO_RUNNABLE] = {[GT_GO_RUNNABLE] = go_stay, [GT_GO_RUNNING] = go_start},
    [GT_GO_RUNNING] = {[GT_GO_NOT_EXIST] = go_end,
                       [GT_GO_RUNNABLE] = go_yield,
                       [GT_GO_RUNNING] = go_stay,
                       [GT_GO_WAITING] = go_block,
                       [GT_GO_SYSCALL] = go_enter},
    [GT_GO_WAITING] = {[GT_GO_RUNNABLE] = go_unblock, [GT_GO_WAITING] = go_stay},
    [GT_GO_SYSCALL] = {[GT_GO_NOT_EXIST] = go_vanish,
                       [GT_GO_RUNNABLE] = go_exit,
                       [GT_GO_RUNNING] = go_return,
                       [GT_GO_SYSCALL] = go_stay},
};

/*
 * The first stack of a goroutine that existed when the trace began tells the function that it began
 * with, by which tools name the goroutine.
 */
static gt_status go_note_stack(struct gt_downgrader *d, const struct go_move *move)
{
    struct gt_downgrade_goroutine *goroutine =
        gt_idmap_get(&d->goroutine_map, (uint64_t) move->transition->resource.id);
    uint64_t root;
    if (!goroutine || goroutine->first == 0 || d->is_started)
        return GT_OK;
    gt_status status = gt_downgrade_root(d, move->e->event, move->transition->stack, &root);
    if (status != GT_OK || root == 0)
        return status;
    d->firsts.items[goroutine->first - 1].stack = (uint32_t) root;
    goroutine->first = 0;
    return GT_OK;
}

/*
 * Returns whether a lenient reader has added the transition: a status of a goroutine that is known,
 * and is in another one. It happens where the goroutine is, of which the event says nothing.
 */
static bool go_is_repair(const struct go_move *move)
{
    bool is_status = move->e->type == GT_WIRE_GO_STATUS;
    return is_status && move->goroutine && move->transition->from != GT_GO_UNDETERMINED &&
           move->transition->from != move->transition->to;
}

gt_status gt_downgrade_goroutine_change(struct gt_downgrader *d, const struct gt_downgrade_event *e,
                                        const gt_transition *transition)
{
    struct gt_downgrade_event own;
    struct go_move move = {e, transition,
                           gt_idmap_get(&d->goroutine_map, (uint64_t) transition->resource.id)};
    uint32_t from = transition->from, to = transition->to;
    if (go_is_repair(&move) && move.goroutine->proc) {
        own = *e;
        own.proc = move.goroutine->proc;
        move.e = &own;
    }
    go_move_fn *function = from < GO_STATES && to < GO_STATES ? go_moves[from][to] : NULL;
    gt_status status = function ? function(d, &move) : gt_downgrade_contradiction(d);
    return status == GT_OK ? go_note_stack(d, &move) : status;
}
