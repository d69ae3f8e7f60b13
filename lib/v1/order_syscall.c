/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

/*
 * System calls. A GoSysCall is an instant; a GoSysBlock follows if it blocks, and
 * then a GoSysExit, which is recorded only when the goroutine has a proc again.
 */

/* Whether events of the type are of a goroutine that they name, whatever runs. */
static int names_goroutine(unsigned type)
{
    return type == GT_V1_GO_SYS_EXIT || type == GT_V1_GO_SYS_EXIT_LOCAL ||
           type == GT_V1_GO_WAITING || type == GT_V1_GO_IN_SYSCALL;
}

/*
 * Whether the goroutine's next event of all is a GoSysBlock. It runs on the proc until
 * one of its events there says otherwise, so that is the proc's next event, unless
 * that is of a goroutine that the event itself names. As in Go, a CPU sample in between
 * counts as an event of the goroutine's; `*split` says that it is one.
 */
static int blocks(const struct gt_v1 *v1, const struct gt_v1_proc *proc, uint8_t *split)
{
    const uint8_t *p = proc->pos;
    unsigned next = p != v1->end ? *p & 0x3fU : GT_V1_BATCH;
    if (gt_v1_is_event[next] && next != GT_V1_GO_SYS_BLOCK && !names_goroutine(next))
        return 0;
    struct gt_v1_proc ahead = *proc;
    for (;;) {
        if (!gt_v1_next(v1, &ahead, ahead.pos, v1->version < 7))
            return 0;
        unsigned type = ahead.lane.type;
        if (!names_goroutine(type))
            break;
        if ((int64_t) gt_v1_number(&ahead) == proc->context)
            return 0;
        for (unsigned i = v1->numbers[type] - (v1->version < 7 ? 3U : 2U); i > 0; i--)
            gt_v1_number(&ahead);
    }
    if (ahead.lane.type != GT_V1_GO_SYS_BLOCK)
        return 0;
    size_t sample = gt_idmap_get_number(&v1->sampled, (uint64_t) proc->context);
    *split = sample != 0 && v1->samples.events[sample - 1].time < ahead.ticks &&
             !v1->options.as_recorded;
    return !*split;
}

/* One that does not block lasts 1 ns in Go's conversion. */
int gt_v1_go_sys_call(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    gt_v1_read_stack(v1, proc, data);
    uint32_t stack = data->stack;
    struct gt_v1_goroutine *goroutine;
    int result = gt_v1_running(v1, proc, 0, &goroutine);
    if (result != 0)
        return result;
    data = v1->slot;
    data->stack = stack;
    goroutine->split = 0;
    if (blocks(v1, proc, &goroutine->split)) {
        goroutine->given = GT_GO_SYSCALL;
        return GT_V1_GIVEN;
    }
    gt_v1_set_thread(data);
    data[1].event = data->event;
    data[1].type = GT_WIRE_GO_SYSCALL_END;
    data[1].stack = 0;
    return GT_V1_GIVEN_TWO;
}

/* The proc goes its own way. */
int gt_v1_go_sys_block(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    (void) data;
    struct gt_v1_goroutine *goroutine;
    int result = gt_v1_running(v1, proc, 1, &goroutine);
    if (result != 0)
        return result;
    if (v1->options.lenient && goroutine->given != GT_GO_SYSCALL && !goroutine->split) {
        gt_status status =
            gt_v1_break(v1, proc, "; it is put in one",
                        "%s of goroutine %u, which is in no system call", goroutine->id, 0);
        if (status != GT_OK)
            return status;
        gt_v1_give_change(v1, GT_WIRE_GO_STATUS, (int64_t) goroutine->id, goroutine->given,
                          GT_GO_SYSCALL);
        goroutine->given = GT_GO_SYSCALL;
    }
    goroutine->blocked = proc->ticks;
    gt_v1_leave_proc(goroutine);
    proc->context = GT_NO_GOROUTINE;
    gt_v1_set_state(v1, goroutine, GT_V1_WAITING, (gt_go_state) goroutine->given);
    return GT_V1_NOTHING;
}

static int give_exit(struct gt_v1 *v1, struct gt_v1_goroutine *goroutine, enum gt_v1_state state,
                     struct gt_event_data *data)
{
    data->event.thread = GT_NO_THREAD;
    data->event.proc = GT_PROC_SYSCALLS;
    data->event.goroutine = (int64_t) goroutine->id;
    goroutine->split = 0;
    gt_v1_set_state(v1, goroutine, state, GT_GO_RUNNABLE);
    return GT_V1_GIVEN;
}

/* A time that the end of the call cannot have: the one at which it was recorded will do. */
static gt_status check_time(struct gt_v1 *v1, const struct gt_v1_proc *proc,
                            const struct gt_v1_goroutine *goroutine, int64_t *time)
{
    gt_status status = GT_ERR_ORDER;
    const char *text = "goroutine %u leaves a system call that it did not enter";
    if (goroutine->blocked != 0 && *time >= goroutine->blocked)
        return GT_OK;
    if (goroutine->blocked != 0) {
        status = GT_ERR_TIME;
        text = "goroutine %u leaves a system call before it entered it";
    }
    *time = 0;
    return gt_v1_fault(v1, status, gt_v1_offset(v1, proc->event), "; its time is not used", text,
                       goroutine->id);
}

/*
 * Go gives the event the time that it tells once all events are in order, and sorts
 * again. Here it is given when its time has come, mostly before it is merged.
 */
static int merge_exit(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_v1_goroutine *goroutine,
                      int64_t time, struct gt_event_data *data)
{
    int was_given = goroutine->state == GT_V1_LEFT;
    gt_status status = time != 0 ? check_time(v1, proc, goroutine, &time) : GT_OK;
    if (status != GT_OK)
        return status;
    goroutine->seq++;
    if (time != 0) {
        struct gt_v1_late_event *late =
            gt_v1_late_find(&v1->exits, time, gt_v1_offset(v1, proc->event));
        int is_past = late < &v1->exits.events[v1->exits.next];
        if (!is_past && time > proc->ticks) {
            late->place |= GT_V1_LATE_MERGED;
            gt_v1_set_state(v1, goroutine, GT_V1_RETURNING, (gt_go_state) goroutine->given);
            return GT_V1_NOTHING;
        }
        if (!is_past) {
            late->place |= GT_V1_LATE_OVER;
            v1->ticks = time;
        } else if (!was_given) {
            status = gt_v1_break(v1, proc, "; its time is not used",
                                 "%s of goroutine %u, which did not wait at that time",
                                 goroutine->id, 0);
            if (status != GT_OK)
                return status;
        }
    }
    if (was_given) {
        gt_v1_set_state(v1, goroutine, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
        return GT_V1_NOTHING;
    }
    return give_exit(v1, goroutine, GT_V1_RUNNABLE, data);
}

/*
 * Whether the goroutine waits for the end of a system call. Go does not ask what it waits
 * for; a lenient reader gives only what follows from what it gave before.
 */
static int is_in_syscall(const struct gt_v1 *v1, const struct gt_v1_goroutine *goroutine)
{
    return goroutine->state == GT_V1_WAITING &&
           (goroutine->given == GT_GO_SYSCALL || goroutine->split || !v1->options.lenient);
}

static int sys_exit(struct gt_v1 *v1, struct gt_v1_proc *proc, uint64_t id, int numbered,
                    uint64_t seq, struct gt_event_data *data)
{
    int64_t time = (int64_t) gt_v1_number(proc);
    /* With N = 5 the event has its place by its own number, unless it was not late. */
    if (v1->version < 7 && time != 0)
        return GT_V1_ELSEWHERE;
    struct gt_v1_goroutine *goroutine = gt_idmap_get(&v1->goroutines, id);
    int waits = goroutine && (goroutine->state == GT_V1_LEFT || is_in_syscall(v1, goroutine));
    if (!waits || (numbered && goroutine->seq != seq)) {
        struct gt_v1_want want = {id, seq, numbered, GT_V1_WAITING, GT_GO_SYSCALL};
        int result = gt_v1_settle(v1, proc, &want, goroutine);
        if (result != 0)
            return result;
        goroutine = v1->made;
        data = v1->slot;
    }
    return merge_exit(v1, proc, goroutine, time, data);
}

int gt_v1_go_sys_exit(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    uint64_t seq = gt_v1_number(proc);
    return sys_exit(v1, proc, id, v1->version >= 7, seq, data);
}

int gt_v1_go_sys_exit_local(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    return sys_exit(v1, proc, gt_v1_number(proc), 0, 0, data);
}

/* With N = 5: its number, and a time for it that may be wrong. */
static int give_numbered(struct gt_v1 *v1, uint64_t offset, uint64_t id, int64_t time,
                         struct gt_event_data *data)
{
    struct gt_v1_goroutine *goroutine = gt_idmap_get(&v1->goroutines, id);
    if (!goroutine || !is_in_syscall(v1, goroutine)) {
        gt_status status =
            gt_v1_fault(v1, GT_ERR_ORDER, offset, "; it is left out",
                        "GoSysExit of goroutine %u, which does not wait for that", id);
        return status != GT_OK ? (int) status : GT_V1_NOTHING;
    }
    v1->ticks = time;
    return give_exit(v1, goroutine, GT_V1_RUNNABLE, data);
}

/* One whose goroutine does not wait is left to the merge, which says what is wrong. */
int gt_v1_give_exit(struct gt_v1 *v1, struct gt_v1_late_event *late, struct gt_event_data *data)
{
    uint64_t offset = gt_v1_late_offset(late);
    const uint8_t *p = gt_v1_after_time(v1, offset);
    uint64_t id = gt_varint_trusted(&p);
    if (v1->version < 7) {
        gt_varint_trusted(&p);
        return give_numbered(v1, offset, id, (int64_t) gt_varint_trusted(&p), data);
    }
    if (gt_v1_late_mark(late) == GT_V1_LATE_OVER)
        return GT_V1_NOTHING;
    struct gt_v1_goroutine *goroutine = gt_idmap_get(&v1->goroutines, id);
    v1->ticks = late->time;
    if (gt_v1_late_mark(late) == GT_V1_LATE_MERGED)
        return goroutine && goroutine->state == GT_V1_RETURNING
                   ? give_exit(v1, goroutine, GT_V1_RUNNABLE, data)
                   : GT_V1_NOTHING;
    if (!goroutine || !is_in_syscall(v1, goroutine) || goroutine->blocked == 0 ||
        late->time < goroutine->blocked)
        return GT_V1_NOTHING;
    return give_exit(v1, goroutine, GT_V1_LEFT, data);
}
