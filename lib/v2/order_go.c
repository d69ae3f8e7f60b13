/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/order.h"

/* Events of goroutines, except for system calls. */

/* The API's state for each status of a goroutine: tracev2GoStatus2GoState in Go's event.go. */
static const uint8_t v2_go_states[GT_V2_GO_STATUSES] = {
    [GT_V2_GO_BAD] = GT_GO_UNDETERMINED, [GT_V2_GO_RUNNABLE] = GT_GO_RUNNABLE,
    [GT_V2_GO_RUNNING] = GT_GO_RUNNING,  [GT_V2_GO_SYSCALL] = GT_GO_SYSCALL,
    [GT_V2_GO_WAITING] = GT_GO_WAITING,
};

/* Completes the transition of a goroutine whose status event says that its state is another one. */
static void v2_goroutine_change(struct gt_event_data *data, int64_t id, uint8_t from, uint8_t to)
{
    data->type = GT_WIRE_GO_STATUS;
    data->arguments[0] = (uint64_t) id;
    data->from = v2_go_states[from];
    data->to = v2_go_states[to];
}

gt_status gt_v2_force_goroutine(struct gt_v2 *v2, uint64_t id, uint8_t status, uint64_t seq,
                                struct gt_event_data *change)
{
    struct gt_v2_goroutine *goroutine = gt_v2_goroutine_find(v2, id);
    if (id == (uint64_t) GT_NO_GOROUTINE)
        return GT_OK;
    uint8_t from = goroutine ? goroutine->status : GT_V2_GO_BAD;
    if (!goroutine)
        goroutine = gt_v2_goroutine_add(v2, (int64_t) id, status);
    if (!goroutine)
        return gt_mem_failure(v2->mem);
    if (from != status)
        v2_goroutine_change(change, goroutine->id, from, status);
    goroutine->status = status;
    goroutine->seq.generation = v2->generation.number;
    goroutine->seq.number = gt_v2_seq_before(seq);
    return GT_OK;
}

static gt_result v2_fail_goroutine(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                   const char *text, int64_t id, int64_t number)
{
    return gt_v2_fail(v2, thread, GT_ERR_ORDER, text, id, number);
}

/*
 * Returns the goroutine that runs on a thread without a proc, or NULL. A damaged generation may
 * have lost the start of the thread's proc.
 */
static struct gt_v2_goroutine *v2_running_without_proc(const struct gt_v2 *v2,
                                                       const struct gt_v2_thread *thread)
{
    if (!v2->damage.found || !gt_v2_has_goroutine(thread))
        return NULL;
    struct gt_v2_goroutine *goroutine = gt_v2_context_goroutine(v2, thread);
    return goroutine && goroutine->status == GT_V2_GO_RUNNING ? goroutine : NULL;
}

/* The goroutine that runs on the thread, or NULL. */
static inline struct gt_v2_goroutine *v2_running(const struct gt_v2 *v2,
                                                 const struct gt_v2_thread *thread)
{
    struct gt_v2_goroutine *goroutine = gt_v2_current_with(v2, thread, GT_V2_GO_RUNNING);
    return goroutine ? goroutine : v2_running_without_proc(v2, thread);
}

static gt_result v2_fail_has_another(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                     int64_t id, int64_t other)
{
    return v2_fail_goroutine(
        v2, thread, "goroutine %d is in a system call on thread %d, which has another", id, other);
}

/*
 * Handles the status of a goroutine that is in a system call on another thread. The event gets that
 * thread's context, except for the proc.
 */
static gt_result v2_syscall_elsewhere(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                      struct gt_v2_goroutine *goroutine, int64_t thread_id,
                                      struct gt_event_data *data)
{
    struct gt_v2_thread *other = gt_v2_thread_get(v2, thread_id);
    if (!other)
        return gt_v2_fail_memory(v2);
    /* The context depends on earlier generations, so v2/seam sets it. */
    if (v2->is_apart) {
        data->own_stack = other->lane.tried;
        other->lane.tried = true;
        gt_v2_bind_goroutine(other, goroutine);
        return GT_RESULT_DONE;
    }
    if (other->lane.tried) {
        if (other->goroutine_id != goroutine->id) {
            v2_fail_has_another(v2, thread, goroutine->id, thread_id);
            if (!gt_v2_forgive(v2, "; it is taken up"))
                return GT_RESULT_ERROR;
            gt_v2_bind_goroutine(other, goroutine);
        }
        data->event.goroutine = goroutine->id;
    } else {
        other->lane.tried = true;
        gt_v2_bind_goroutine(other, goroutine);
    }
    data->event.thread = thread_id;
    return GT_RESULT_DONE;
}

static gt_result v2_goroutine_in_syscall(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                         struct gt_v2_goroutine *goroutine, int64_t thread_id,
                                         struct gt_event_data *data)
{
    if (thread_id == GT_NO_THREAD)
        return v2_fail_goroutine(v2, thread, "goroutine %d is in a system call without a thread",
                                 goroutine->id, 0);
    if (thread_id != thread->id)
        return v2_syscall_elsewhere(v2, thread, goroutine, thread_id, data);
    if (v2->generation.number != v2->state.first_generation &&
        thread->goroutine_id != goroutine->id) {
        v2_fail_has_another(v2, thread, goroutine->id, thread_id);
        if (!gt_v2_forgive(v2, "; it is taken up"))
            return GT_RESULT_ERROR;
    }
    gt_v2_bind_goroutine(thread, goroutine);
    return GT_RESULT_DONE;
}

/*
 * Handles the status of a goroutine that was not created before, which only the first generation
 * may contain.
 */
static struct gt_v2_subject v2_goroutine_new(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                             struct gt_event_data *data, int64_t id, uint8_t status)
{
    struct gt_v2_subject subject = {NULL, GT_RESULT_ERROR};
    bool is_first = v2->generation.number == v2->state.first_generation;
    if (!is_first)
        v2_fail_goroutine(v2, thread, "status of goroutine %d, which nobody has created", id, 0);
    if (!is_first && !gt_v2_forgive(v2, "; it is taken up"))
        return subject;
    data->from = is_first ? GT_GO_UNDETERMINED : GT_GO_NOT_EXIST;
    subject.goroutine = gt_v2_goroutine_add(v2, id, status);
    subject.result = subject.goroutine ? GT_RESULT_DONE : gt_v2_fail_memory(v2);
    return subject;
}

/* Finds the goroutine of a status event, and completes the event's states. */
static struct gt_v2_subject v2_goroutine_status(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                                struct gt_event_data *data)
{
    struct gt_v2_subject subject = {NULL, GT_RESULT_ERROR};
    int64_t id = (int64_t) data->arguments[0];
    uint8_t status = (uint8_t) data->arguments[2];
    if (status >= GT_V2_GO_STATUSES || id == GT_NO_GOROUTINE) {
        v2_fail_goroutine(v2, thread, "goroutine %d cannot have status %d", id, status);
        return subject;
    }
    struct gt_v2_goroutine *goroutine = gt_v2_goroutine_find(v2, (uint64_t) id);
    data->from = data->to = v2_go_states[status];
    if (!goroutine)
        return v2_goroutine_new(v2, thread, data, id, status);
    if (goroutine->status != status) {
        v2_fail_goroutine(v2, thread, "goroutine %d cannot have status %d now", id, status);
        if (!gt_v2_forgive(v2, "; it is taken up"))
            return subject;
        data->from = v2_go_states[goroutine->status];
        goroutine->status = status;
    }
    gt_v2_seq_start(v2, &goroutine->seq);
    return (struct gt_v2_subject){goroutine, GT_RESULT_DONE};
}

gt_result gt_v2_go_status(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, data->type == GT_WIRE_GO_STATUS_STACK ? 4 : 3))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_subject subject = v2_goroutine_status(v2, thread, data);
    if (subject.result != GT_RESULT_DONE)
        return subject.result;
    struct gt_v2_goroutine *goroutine = subject.goroutine;
    gt_result result = GT_RESULT_DONE;
    if (goroutine->status == GT_V2_GO_RUNNING)
        gt_v2_bind_goroutine(thread, goroutine);
    else if (goroutine->status == GT_V2_GO_SYSCALL)
        result = v2_goroutine_in_syscall(v2, thread, goroutine, (int64_t) data->arguments[1], data);
    gt_v2_goroutine_changed(v2, goroutine);
    if (result == GT_RESULT_DONE && data->type == GT_WIRE_GO_STATUS_STACK)
        result = gt_v2_take_stack(v2, thread, data, data->arguments[3]);
    return result;
}

gt_result gt_v2_go_create(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 3))
        return gt_v2_fail_decoding(v2, thread);
    int64_t id = (int64_t) data->arguments[0];
    if (!gt_v2_has_proc(thread))
        return gt_v2_fail_context(v2, thread);
    const struct gt_v2_goroutine *creator =
        gt_v2_has_goroutine(thread) ? gt_v2_context_goroutine(v2, thread) : NULL;
    if (creator && creator->status != GT_V2_GO_RUNNING) {
        gt_v2_fail_state(v2, thread);
        if (!gt_v2_forgive(v2, "; it is let happen"))
            return GT_RESULT_ERROR;
    }
    if (id == GT_NO_GOROUTINE || gt_v2_goroutine_find(v2, (uint64_t) id))
        return gt_v2_fail_exists(v2, thread, id);
    struct gt_v2_goroutine *created = gt_v2_goroutine_add(
        v2, id, data->type == GT_WIRE_GO_CREATE_BLOCKED ? GT_V2_GO_WAITING : GT_V2_GO_RUNNABLE);
    if (!created)
        return gt_v2_fail_memory(v2);
    gt_v2_goroutine_changed(v2, created);
    gt_result result = gt_v2_take_stack(v2, thread, data, data->arguments[1]);
    data->own_stack = data->stack == 0 ? GT_STACK_EMPTY_SLOT : data->stack;
    return result != GT_RESULT_DONE ? result
                                    : gt_v2_take_stack(v2, thread, data, data->arguments[2]);
}

static gt_result v2_goroutine_start(struct gt_v2_thread *thread, struct gt_v2_goroutine *goroutine,
                                    uint64_t seq, gt_result result)
{
    goroutine->status = GT_V2_GO_RUNNING;
    goroutine->seq.number = seq;
    gt_v2_bind_goroutine(thread, goroutine);
    return result;
}

/*
 * Starts a goroutine although the thread has no proc, or still has another goroutine, whose end was
 * lost.
 */
static GT_NOINLINE gt_result v2_goroutine_force_start(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                                      struct gt_event_data *data,
                                                      struct gt_v2_goroutine *goroutine,
                                                      uint64_t seq)
{
    gt_v2_fail_context(v2, thread);
    if (!gt_v2_forgive(v2, "; it is let happen"))
        return GT_RESULT_ERROR;
    struct gt_v2_goroutine *old =
        gt_v2_has_goroutine(thread) ? gt_v2_context_goroutine(v2, thread) : NULL;
    data->event.goroutine = GT_NO_GOROUTINE;
    if (!old || old->status != GT_V2_GO_RUNNING)
        return v2_goroutine_start(thread, goroutine, seq, GT_RESULT_DONE);
    gt_v2_event_follow(&data[1], data, GT_WIRE_GO_START);
    old->status = GT_V2_GO_RUNNABLE;
    v2_goroutine_change(data, old->id, GT_V2_GO_RUNNING, GT_V2_GO_RUNNABLE);
    return v2_goroutine_start(thread, goroutine, seq, GT_RESULT_TWO);
}

gt_result gt_v2_go_start(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    uint64_t numbers[2];
    if (!gt_v2_read_numbers(thread, numbers, 2))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t id = numbers[0], seq = numbers[1];
    struct gt_v2_goroutine *goroutine = gt_v2_goroutine_find(v2, id);
    if (!goroutine || goroutine->status != GT_V2_GO_RUNNABLE ||
        !gt_v2_succeeds(v2, &goroutine->seq, seq))
        return gt_v2_wait(thread, GT_V2_NEED_RUNNABLE, id, seq);
    data->arguments[0] = id;
    if (GT_UNLIKELY(!gt_v2_has_proc(thread) || gt_v2_has_goroutine(thread)))
        return v2_goroutine_force_start(v2, thread, data, goroutine, seq);
    return v2_goroutine_start(thread, goroutine, seq, GT_RESULT_DONE);
}

gt_result gt_v2_go_destroy(struct gt_v2 *v2, struct gt_v2_thread *thread,
                           struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = v2_running(v2, thread);
    if (!goroutine)
        return gt_v2_fail_state(v2, thread);
    gt_v2_goroutine_end(v2, goroutine);
    gt_v2_unbind_goroutine(thread);
    return GT_RESULT_DONE;
}

static gt_result v2_goroutine_stop(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                   struct gt_event_data *data, uint8_t status)
{
    uint64_t numbers[2];
    if (!gt_v2_read_numbers(thread, numbers, 2))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = v2_running(v2, thread);
    if (!goroutine)
        return gt_v2_fail_state(v2, thread);
    goroutine->status = status;
    gt_v2_unbind_goroutine(thread);
    gt_v2_goroutine_changed(v2, goroutine);
    return gt_v2_take_string_and_stack(v2, thread, data, numbers[0], numbers[1]);
}

gt_result gt_v2_go_stop(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    return v2_goroutine_stop(v2, thread, data, GT_V2_GO_RUNNABLE);
}

gt_result gt_v2_go_block(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    return v2_goroutine_stop(v2, thread, data, GT_V2_GO_WAITING);
}

/*
 * GoUnblock requires no context, because threads without one record it, too, such as the runtime's
 * monitor.
 */
gt_result gt_v2_go_unblock(struct gt_v2 *v2, struct gt_v2_thread *thread,
                           struct gt_event_data *data)
{
    uint64_t numbers[3];
    if (!gt_v2_read_numbers(thread, numbers, 3))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t id = numbers[0], seq = numbers[1];
    struct gt_v2_goroutine *goroutine = gt_v2_goroutine_find(v2, id);
    if (!goroutine || goroutine->status != GT_V2_GO_WAITING ||
        !gt_v2_succeeds(v2, &goroutine->seq, seq))
        return gt_v2_wait(thread, GT_V2_NEED_WAITING, id, seq);
    data->arguments[0] = id;
    goroutine->status = GT_V2_GO_RUNNABLE;
    goroutine->seq.number = seq;
    gt_v2_goroutine_changed(v2, goroutine);
    return gt_v2_take_stack(v2, thread, data, numbers[2]);
}

/*
 * GoSwitch, a coroutine switch, becomes three events. The next goroutine is unblocked, which this
 * event itself represents; the current one blocks or ends; and the next one starts, in a context
 * without a goroutine.
 */
gt_result gt_v2_go_switch(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t seq = data->arguments[1];
    struct gt_v2_goroutine *goroutine = gt_v2_current_with(v2, thread, GT_V2_GO_RUNNING);
    if (!goroutine)
        return gt_v2_fail_state(v2, thread);
    struct gt_v2_goroutine *next = gt_v2_goroutine_find(v2, data->arguments[0]);
    if (!next || next->status != GT_V2_GO_WAITING || !gt_v2_succeeds(v2, &next->seq, seq))
        return gt_v2_wait(thread, GT_V2_NEED_WAITING, data->arguments[0], seq);
    if (data->type == GT_WIRE_GO_SWITCH) {
        goroutine->status = GT_V2_GO_WAITING;
        gt_v2_goroutine_changed(v2, goroutine);
        gt_v2_event_follow(&data[1], data, GT_WIRE_GO_BLOCK);
    } else {
        gt_v2_goroutine_end(v2, goroutine);
        gt_v2_event_follow(&data[1], data, GT_WIRE_GO_DESTROY);
    }
    next->status = GT_V2_GO_RUNNING;
    next->seq.number = seq;
    gt_v2_bind_goroutine(thread, next);
    gt_v2_event_follow(&data[2], data, GT_WIRE_GO_START);
    data[2].event.goroutine = GT_NO_GOROUTINE;
    return GT_RESULT_THREE;
}
