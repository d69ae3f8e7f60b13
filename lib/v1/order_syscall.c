/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

/*
 * System calls. A GoSysCall is an instant; a GoSysBlock follows if it blocks, and
 * then a GoSysExit, which is recorded only when the goroutine has a proc again.
 */

/*
 * Returns whether the next event of the goroutine that runs on the proc is a GoSysBlock. The
 * goroutine keeps running on the proc until one of its own events there, so the proc's batches are
 * searched for its next event, ignoring events that name another goroutine. As in Go, a CPU sample
 * in between counts as an event of the goroutine; then `*split` is set, as the system call is
 * reported as a short one.
 */
static bool v1_syscall_blocks(struct gt_v1 *v1, const struct gt_v1_proc *proc, bool *split)
{
    const uint8_t *p = proc->pos;
    unsigned next = p != proc->end ? *p & 0x3fU : GT_V1_BATCH;
    if (gt_v1_event_roles[next] == GT_V1_ROLE_OWN)
        return false;
    struct gt_v1_proc ahead = *proc;
    for (;;) {
        if (!gt_v1_proc_next(v1, &ahead, ahead.pos, v1->version < 7))
            return false;
        unsigned type = ahead.lane.type;
        if (gt_v1_event_roles[type] != GT_V1_ROLE_NAMED)
            break;
        if ((int64_t) gt_v1_number(&ahead) == proc->context)
            return false;
        for (unsigned i = v1->input.numbers[type] - (v1->version < 7 ? 3U : 2U); i > 0; i--)
            gt_v1_number(&ahead);
    }
    if (ahead.lane.type != GT_V1_GO_SYS_BLOCK)
        return false;
    const struct gt_v1_late_event *samples = v1->input.samples.events;
    size_t sample = gt_idmap_get_number(&v1->merge.sampled, (uint64_t) proc->context);
    *split = sample != 0 && samples[sample - 1].time < ahead.ticks && !v1->options.as_recorded;
    return !*split;
}

/* GoSysCall. In Go's conversion a system call that does not block lasts 1 ns. */
gt_result gt_v1_go_sys_call(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    gt_v1_take_stack(v1, proc, data);
    uint32_t stack = data->stack;
    struct gt_v1_subject subject = gt_v1_running(v1, proc, data, false);
    if (subject.result != GT_RESULT_DONE)
        return subject.result;
    struct gt_event_data *begin = subject.data;
    begin->stack = stack;
    subject.goroutine->split = false;
    if (v1_syscall_blocks(v1, proc, &subject.goroutine->split)) {
        subject.goroutine->reported = GT_GO_SYSCALL;
        return GT_RESULT_DONE;
    }
    gt_v1_set_thread(begin);
    gt_event_take_context(&begin[1], begin);
    begin[1].type = GT_WIRE_GO_SYSCALL_END;
    begin[1].stack = 0;
    return GT_RESULT_TWO;
}

/* GoSysBlock: from this event on the proc can run another goroutine. */
gt_result gt_v1_go_sys_block(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    struct gt_v1_subject subject = gt_v1_running(v1, proc, data, true);
    if (subject.result != GT_RESULT_DONE)
        return subject.result;
    struct gt_v1_goroutine *goroutine = subject.goroutine;
    if (gt_v1_is_repaired(v1) && goroutine->reported != GT_GO_SYSCALL && !goroutine->split) {
        gt_v1_fail_event(v1, proc, GT_ERR_ORDER, "%s of goroutine %u, which is in no system call",
                         goroutine->id, 0);
        if (!gt_v1_forgive(v1, "; it is put in one"))
            return GT_RESULT_ERROR;
        subject.data =
            gt_v1_force_change(v1, subject.data, GT_WIRE_GO_STATUS, (int64_t) goroutine->id,
                               goroutine->reported, GT_GO_SYSCALL);
        goroutine->reported = GT_GO_SYSCALL;
    }
    goroutine->blocked = proc->ticks;
    gt_v1_goroutine_leave(goroutine);
    proc->context = GT_NO_GOROUTINE;
    gt_v1_goroutine_set_state(v1, goroutine, GT_V1_WAITING, (gt_go_state) goroutine->reported);
    return GT_RESULT_NONE;
}

/*
 * Prepares the end of a system call. Go does not check what the goroutine waits for. After repairs,
 * a goroutine that was not reported to be in a system call is put into one first. Returns where the
 * end is to be completed.
 */
static struct gt_event_data *v1_syscall_enter(struct gt_v1 *v1,
                                              const struct gt_v1_goroutine *goroutine,
                                              struct gt_event_data *data)
{
    if (!gt_v1_is_repaired(v1) || goroutine->reported == GT_GO_SYSCALL || goroutine->split)
        return data;
    return gt_v1_force_change(v1, data, GT_WIRE_GO_STATUS, (int64_t) goroutine->id,
                              goroutine->reported, GT_GO_SYSCALL);
}

/* Completes the end of a system call in `data`. */
static gt_result v1_syscall_end(struct gt_v1 *v1, struct gt_v1_goroutine *goroutine,
                                enum gt_v1_go_state state, struct gt_event_data *data)
{
    data = v1_syscall_enter(v1, goroutine, data);
    data->event.thread = GT_NO_THREAD;
    data->event.proc = GT_STAND_IN_SYSCALLS;
    data->event.goroutine = (int64_t) goroutine->id;
    goroutine->split = false;
    gt_v1_goroutine_set_state(v1, goroutine, state, GT_GO_RUNNABLE);
    return GT_RESULT_DONE;
}

/*
 * Checks the time at which the system call ended. If that time is impossible, the event happens at
 * the time at which it was recorded.
 */
static gt_result v1_syscall_check_time(struct gt_v1 *v1, const struct gt_v1_proc *proc,
                                       const struct gt_v1_goroutine *goroutine, int64_t *time)
{
    gt_status status = GT_ERR_ORDER;
    const char *text = "goroutine %u leaves a system call that it did not enter";
    if (goroutine->blocked != 0 && *time >= goroutine->blocked)
        return GT_RESULT_DONE;
    if (goroutine->blocked != 0) {
        status = GT_ERR_TIME;
        text = "goroutine %u leaves a system call before it entered it";
    }
    *time = 0;
    gt_v1_fail_at(v1, status, gt_v1_offset(v1, proc->event), text, goroutine->id);
    return gt_v1_forgive(v1, "; its time is not used") ? GT_RESULT_DONE : GT_RESULT_ERROR;
}

/*
 * Handles the record of the end of a system call when the merge reaches it. Go changes the event's
 * time to that at which the call ended once all events are in order, and sorts the events again.
 * Here the event is reported when that time has come, in most cases before the merge reaches the
 * record.
 */
static gt_result v1_syscall_merge_exit(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                       struct gt_v1_goroutine *goroutine, int64_t time,
                                       struct gt_event_data *data)
{
    bool was_reported = goroutine->state == GT_V1_LEFT;
    if (time != 0 && v1_syscall_check_time(v1, proc, goroutine, &time) != GT_RESULT_DONE)
        return GT_RESULT_ERROR;
    if (time != 0) {
        const struct gt_v1_late *exits = &v1->input.exits;
        struct gt_v1_late_event *late = gt_v1_late_find(exits, time, gt_v1_offset(v1, proc->event));
        bool is_past = late < &exits->events[exits->next];
        if (!is_past && time > proc->ticks) {
            late->place |= GT_V1_LATE_MERGED;
            gt_v1_goroutine_set_state(v1, goroutine, GT_V1_RETURNING,
                                      (gt_go_state) goroutine->reported);
            return GT_RESULT_NONE;
        }
        if (!is_past) {
            late->place |= GT_V1_LATE_OVER;
            v1->output.ticks = time;
        } else if (!was_reported) {
            gt_v1_fail_event(v1, proc, GT_ERR_ORDER,
                             "%s of goroutine %u, which did not wait at that time", goroutine->id,
                             0);
            if (!gt_v1_forgive(v1, "; its time is not used"))
                return GT_RESULT_ERROR;
        }
    }
    if (was_reported) {
        gt_v1_goroutine_set_state(v1, goroutine, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
        return GT_RESULT_NONE;
    }
    return v1_syscall_end(v1, goroutine, GT_V1_RUNNABLE, data);
}

/*
 * Returns whether the goroutine waits for the end of a system call. Go does not check what it waits
 * for; after repairs the states that were delivered decide.
 */
static bool v1_is_in_syscall(const struct gt_v1 *v1, const struct gt_v1_goroutine *goroutine)
{
    return goroutine->state == GT_V1_WAITING &&
           (goroutine->reported == GT_GO_SYSCALL || goroutine->split || !gt_v1_is_repaired(v1));
}

static gt_result v1_syscall_exit(struct gt_v1 *v1, struct gt_v1_proc *proc, uint64_t id,
                                 bool numbered, uint64_t seq, struct gt_event_data *data)
{
    int64_t time = (int64_t) gt_v1_number(proc);
    /*
     * In version 5 the event is ordered by its own sequence number, unless it was recorded at once.
     */
    if (v1->version < 7 && time != 0)
        return GT_RESULT_ELSEWHERE;
    struct gt_v1_subject subject = {gt_v1_goroutine_find(v1, id), data, GT_RESULT_DONE};
    struct gt_v1_goroutine *goroutine = subject.goroutine;
    bool waits = goroutine && (goroutine->state == GT_V1_LEFT || v1_is_in_syscall(v1, goroutine));
    if (!waits || (numbered && goroutine->seq != seq)) {
        struct gt_v1_want want = {id, seq, numbered, GT_V1_WAITING, GT_GO_SYSCALL};
        subject = gt_v1_goroutine_require(v1, proc, &want, subject);
        if (subject.result != GT_RESULT_DONE)
            return subject.result;
    }
    subject.goroutine->seq = gt_v1_seq_after(subject.goroutine, numbered, seq);
    return v1_syscall_merge_exit(v1, proc, subject.goroutine, time, subject.data);
}

gt_result gt_v1_go_sys_exit(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    uint64_t seq = gt_v1_number(proc);
    if (v1->version < 7)
        return v1_syscall_exit(v1, proc, id, false, 0, data);
    return v1_syscall_exit(v1, proc, id, gt_v1_is_seq(seq), seq, data);
}

gt_result gt_v1_go_sys_exit_local(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                  struct gt_event_data *data)
{
    return v1_syscall_exit(v1, proc, gt_v1_number(proc), false, 0, data);
}

/*
 * Handles the end of a system call in version 5, which is ordered by its sequence number; its time
 * may be wrong.
 */
static gt_result v1_syscall_numbered_exit(struct gt_v1 *v1, uint64_t offset, uint64_t id,
                                          int64_t time, struct gt_event_data *data)
{
    struct gt_v1_goroutine *goroutine = gt_v1_goroutine_find(v1, id);
    if (!goroutine || !v1_is_in_syscall(v1, goroutine)) {
        gt_v1_fail_at(v1, GT_ERR_ORDER, offset,
                      "GoSysExit of goroutine %u, which does not wait for that", id);
        return gt_v1_leave_out(v1);
    }
    v1->output.ticks = time;
    return v1_syscall_end(v1, goroutine, GT_V1_RUNNABLE, data);
}

/*
 * If the goroutine does not wait, nothing is reported here: the merge will reach the record and
 * report the error.
 */
gt_result gt_v1_exit_take(struct gt_v1 *v1, struct gt_v1_late_event *late,
                          struct gt_event_data *data)
{
    uint64_t offset = gt_v1_late_offset(late);
    const uint8_t *p = gt_v1_after_time(v1, offset);
    uint64_t id = gt_varint_trusted(&p);
    if (v1->version < 7) {
        gt_varint_trusted(&p);
        return v1_syscall_numbered_exit(v1, offset, id, (int64_t) gt_varint_trusted(&p), data);
    }
    if (gt_v1_late_mark(late) == GT_V1_LATE_OVER)
        return GT_RESULT_NONE;
    struct gt_v1_goroutine *goroutine = gt_v1_goroutine_find(v1, id);
    v1->output.ticks = late->time;
    if (gt_v1_late_mark(late) == GT_V1_LATE_MERGED)
        return goroutine && goroutine->state == GT_V1_RETURNING
                   ? v1_syscall_end(v1, goroutine, GT_V1_RUNNABLE, data)
                   : GT_RESULT_NONE;
    if (!goroutine || !v1_is_in_syscall(v1, goroutine) || goroutine->blocked == 0 ||
        late->time < goroutine->blocked)
        return GT_RESULT_NONE;
    return v1_syscall_end(v1, goroutine, GT_V1_LEFT, data);
}
