/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <string.h>

#include "v2/order.h"

/* Events of goroutines. */

/* In a goroutine's status, what the API calls it: tracev2GoStatus2GoState in Go's event.go. */
static const uint8_t go_states[GT_V2_GO_STATUSES] = {
    [GT_V2_GO_BAD] = GT_GO_UNDETERMINED, [GT_V2_GO_RUNNABLE] = GT_GO_RUNNABLE,
    [GT_V2_GO_RUNNING] = GT_GO_RUNNING,  [GT_V2_GO_SYSCALL] = GT_GO_SYSCALL,
    [GT_V2_GO_WAITING] = GT_GO_WAITING,
};

static struct gt_v2_goroutine *find(const struct gt_v2 *v2, uint64_t id)
{
    return gt_idmap_get(&v2->goroutines, id);
}

static struct gt_v2_goroutine *add(struct gt_v2 *v2, int64_t id, uint8_t status)
{
    struct gt_v2_goroutine *goroutine = gt_pool_take(&v2->goroutine_pool);
    if (!goroutine)
        return NULL;
    memset(goroutine, 0, sizeof(*goroutine));
    goroutine->id = id;
    goroutine->status = status;
    gt_v2_seq_start(v2, &goroutine->seq);
    if (gt_idmap_put(&v2->goroutines, (uint64_t) id, goroutine) != GT_OK) {
        gt_pool_give(&v2->goroutine_pool, goroutine);
        return NULL;
    }
    return goroutine;
}

/* The transition by which a goroutine is found to be in another state. */
static void tell_state(struct gt_event_data *data, int64_t id, uint8_t from, uint8_t to)
{
    data->type = GT_WIRE_GO_STATUS;
    data->arguments[0] = (uint64_t) id;
    data->from = go_states[from];
    data->to = go_states[to];
}

gt_status gt_v2_force_goroutine(struct gt_v2 *v2, uint64_t id, uint8_t status, uint64_t seq,
                                struct gt_event_data *change)
{
    struct gt_v2_goroutine *goroutine = find(v2, id);
    if (id == (uint64_t) GT_NO_GOROUTINE)
        return GT_OK;
    uint8_t from = goroutine ? goroutine->status : GT_V2_GO_BAD;
    if (!goroutine)
        goroutine = add(v2, (int64_t) id, status);
    if (!goroutine)
        return gt_mem_failure(v2->mem);
    if (from != status)
        tell_state(change, goroutine->id, from, status);
    goroutine->status = status;
    goroutine->seq.generation = v2->generation.number;
    goroutine->seq.number = seq - 1;
    return GT_OK;
}

static void drop_open(struct gt_v2 *v2, struct gt_v2_open *list)
{
    while (list) {
        struct gt_v2_open *next = list->next;
        gt_names_drop(&v2->names, list->name);
        gt_pool_give(&v2->open_pool, list);
        list = next;
    }
}

/* What it had open ends with it, without a word. */
static void destroy(struct gt_v2 *v2, struct gt_v2_goroutine *goroutine)
{
    drop_open(v2, goroutine->regions);
    drop_open(v2, goroutine->stops);
    gt_idmap_remove(&v2->goroutines, (uint64_t) goroutine->id);
    goroutine->id = GT_NO_GOROUTINE;
    gt_pool_give(&v2->goroutine_pool, goroutine);
}

static enum gt_result fail_goroutine(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                     const char *text, int64_t id, int64_t number)
{
    return gt_v2_fail(v2, thread, GT_ERR_ORDER, text, id, number);
}

/* The thread's goroutine where it is in `status` and all of a context is there; else NULL. */
static struct gt_v2_goroutine *current(const struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                       uint8_t status)
{
    struct gt_v2_goroutine *goroutine = gt_v2_current(v2, thread);
    return goroutine && goroutine->status == status ? goroutine : NULL;
}

/* Where something was lost, the start of the thread's proc may have been. */
static struct gt_v2_goroutine *running_without_proc(const struct gt_v2 *v2,
                                                    const struct gt_v2_thread *thread)
{
    if (!v2->damage.found || !gt_v2_has_goroutine(thread))
        return NULL;
    struct gt_v2_goroutine *goroutine = gt_v2_goroutine_of(v2, thread);
    return goroutine && goroutine->status == GT_V2_GO_RUNNING ? goroutine : NULL;
}

/* The one that runs on the thread. */
static inline struct gt_v2_goroutine *running(const struct gt_v2 *v2,
                                              const struct gt_v2_thread *thread)
{
    struct gt_v2_goroutine *goroutine = current(v2, thread, GT_V2_GO_RUNNING);
    return goroutine ? goroutine : running_without_proc(v2, thread);
}

static enum gt_result v2_fail_state(struct gt_v2 *v2, const struct gt_v2_thread *thread)
{
    if (!gt_v2_has_goroutine(thread) || !gt_v2_has_proc(thread))
        return gt_v2_fail_context(v2, thread);
    return gt_v2_fail_event(v2, thread, GT_ERR_ORDER,
                            "%s by goroutine %d, which is not in that state", thread->goroutine_id,
                            0);
}

static enum gt_result fail_has_another(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                       int64_t id, int64_t other)
{
    return fail_goroutine(
        v2, thread, "goroutine %d is in a system call on thread %d, which has another", id, other);
}

/*
 * A goroutine that sits in a system call on another thread: the event is
 * reported in that thread's context, though the proc stays the reporter's.
 */
static enum gt_result in_syscall_elsewhere(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                           struct gt_v2_goroutine *goroutine, int64_t thread_id,
                                           struct gt_event_data *data)
{
    struct gt_v2_thread *other = gt_v2_thread_get(v2, thread_id);
    if (!other)
        return gt_v2_fail_memory(v2);
    if (other->lane.tried) {
        if (other->goroutine_id != goroutine->id) {
            fail_has_another(v2, thread, goroutine->id, thread_id);
            if (!gt_v2_forgive(v2, "; it is taken up"))
                return GT_RESULT_ERROR;
            gt_v2_bind_goroutine(other, goroutine);
        }
        data->event.goroutine = goroutine->id;
    } else {
        other->lane.tried = 1;
        gt_v2_bind_goroutine(other, goroutine);
    }
    data->event.thread = thread_id;
    return GT_RESULT_DONE;
}

static enum gt_result in_syscall(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                 struct gt_v2_goroutine *goroutine, int64_t thread_id,
                                 struct gt_event_data *data)
{
    if (thread_id == GT_NO_THREAD)
        return fail_goroutine(v2, thread, "goroutine %d is in a system call without a thread",
                              goroutine->id, 0);
    if (thread_id != thread->id)
        return in_syscall_elsewhere(v2, thread, goroutine, thread_id, data);
    if (v2->generation.number != v2->initial_generation && thread->goroutine_id != goroutine->id) {
        fail_has_another(v2, thread, goroutine->id, thread_id);
        if (!gt_v2_forgive(v2, "; it is taken up"))
            return GT_RESULT_ERROR;
    }
    gt_v2_bind_goroutine(thread, goroutine);
    return GT_RESULT_DONE;
}

/* Only the first generation can bring goroutines that nobody created. */
static enum gt_result known_or_new(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                   struct gt_event_data *data, struct gt_v2_goroutine **goroutine)
{
    int64_t id = (int64_t) data->arguments[0];
    uint8_t status = (uint8_t) data->arguments[2];
    if (status >= GT_V2_GO_STATUSES || id == GT_NO_GOROUTINE)
        return fail_goroutine(v2, thread, "goroutine %d cannot have status %d", id, status);
    *goroutine = find(v2, (uint64_t) id);
    data->from = data->to = go_states[status];
    if (!*goroutine) {
        bool is_first = v2->generation.number == v2->initial_generation;
        if (!is_first)
            fail_goroutine(v2, thread, "status of goroutine %d, which nobody has created", id, 0);
        if (!is_first && !gt_v2_forgive(v2, "; it is taken up"))
            return GT_RESULT_ERROR;
        data->from = is_first ? GT_GO_UNDETERMINED : GT_GO_NOT_EXIST;
        *goroutine = add(v2, id, status);
        return *goroutine ? GT_RESULT_DONE : gt_v2_fail_memory(v2);
    }
    if ((*goroutine)->status != status) {
        fail_goroutine(v2, thread, "goroutine %d cannot have status %d now", id, status);
        if (!gt_v2_forgive(v2, "; it is taken up"))
            return GT_RESULT_ERROR;
        data->from = go_states[(*goroutine)->status];
        (*goroutine)->status = status;
    }
    gt_v2_seq_start(v2, &(*goroutine)->seq);
    return GT_RESULT_DONE;
}

enum gt_result gt_v2_go_status(struct gt_v2 *v2, struct gt_v2_thread *thread,
                               struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, data->type == GT_WIRE_GO_STATUS_STACK ? 4 : 3))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = NULL;
    enum gt_result result = known_or_new(v2, thread, data, &goroutine);
    if (result != GT_RESULT_DONE)
        return result;
    assert(goroutine);
    if (goroutine->status == GT_V2_GO_RUNNING)
        gt_v2_bind_goroutine(thread, goroutine);
    else if (goroutine->status == GT_V2_GO_SYSCALL)
        result = in_syscall(v2, thread, goroutine, (int64_t) data->arguments[1], data);
    gt_v2_goroutine_changed(v2, goroutine);
    if (result == GT_RESULT_DONE && data->type == GT_WIRE_GO_STATUS_STACK)
        result = gt_v2_take_stack(v2, thread, data, data->arguments[3]);
    return result;
}

static enum gt_result fail_exists(struct gt_v2 *v2, const struct gt_v2_thread *thread, int64_t id)
{
    return fail_goroutine(v2, thread, "goroutine %d is created, but exists or is none", id, 0);
}

enum gt_result gt_v2_go_create(struct gt_v2 *v2, struct gt_v2_thread *thread,
                               struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 3))
        return gt_v2_fail_decoding(v2, thread);
    int64_t id = (int64_t) data->arguments[0];
    if (!gt_v2_has_proc(thread))
        return gt_v2_fail_context(v2, thread);
    if (gt_v2_has_goroutine(thread)) {
        const struct gt_v2_goroutine *creator = gt_v2_goroutine_of(v2, thread);
        if (creator && creator->status != GT_V2_GO_RUNNING) {
            v2_fail_state(v2, thread);
            if (!gt_v2_forgive(v2, "; it is let happen"))
                return GT_RESULT_ERROR;
        }
    }
    if (id == GT_NO_GOROUTINE || find(v2, (uint64_t) id))
        return fail_exists(v2, thread, id);
    struct gt_v2_goroutine *created =
        add(v2, id, data->type == GT_WIRE_GO_CREATE_BLOCKED ? GT_V2_GO_WAITING : GT_V2_GO_RUNNABLE);
    if (!created)
        return gt_v2_fail_memory(v2);
    gt_v2_goroutine_changed(v2, created);
    enum gt_result result = gt_v2_take_stack(v2, thread, data, data->arguments[1]);
    data->own_stack = data->stack == 0 ? GT_STACK_EMPTY_SLOT : data->stack;
    return result != GT_RESULT_DONE ? result
                                    : gt_v2_take_stack(v2, thread, data, data->arguments[2]);
}

enum gt_result gt_v2_go_create_syscall(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                       struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    int64_t id = (int64_t) data->arguments[0];
    if (thread->id == GT_NO_THREAD || gt_v2_has_goroutine(thread))
        return gt_v2_fail_context(v2, thread);
    if (id == GT_NO_GOROUTINE || find(v2, (uint64_t) id))
        return fail_exists(v2, thread, id);
    struct gt_v2_goroutine *created = add(v2, id, GT_V2_GO_SYSCALL);
    if (!created)
        return gt_v2_fail_memory(v2);
    gt_v2_bind_goroutine(thread, created);
    return GT_RESULT_DONE;
}

/* Completes `*next` as another event of the same context, which comes right after `*data`. */
static void v2_event_follow(struct gt_event_data *next, const struct gt_event_data *data,
                            uint8_t type)
{
    *next = *data;
    next->type = type;
    next->strings[0] = next->stack = 0;
}

static enum gt_result start(struct gt_v2_thread *thread, struct gt_v2_goroutine *goroutine,
                            uint64_t seq, enum gt_result result)
{
    goroutine->status = GT_V2_GO_RUNNING;
    goroutine->seq.number = seq;
    gt_v2_bind_goroutine(thread, goroutine);
    return result;
}

/* The thread has no proc, or still another goroutine, of which the end was lost. */
static GT_NOINLINE enum gt_result start_anyway(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                               struct gt_event_data *data,
                                               struct gt_v2_goroutine *goroutine, uint64_t seq)
{
    gt_v2_fail_context(v2, thread);
    if (!gt_v2_forgive(v2, "; it is let happen"))
        return GT_RESULT_ERROR;
    struct gt_v2_goroutine *old =
        gt_v2_has_goroutine(thread) ? gt_v2_goroutine_of(v2, thread) : NULL;
    data->event.goroutine = GT_NO_GOROUTINE;
    if (!old || old->status != GT_V2_GO_RUNNING)
        return start(thread, goroutine, seq, GT_RESULT_DONE);
    v2_event_follow(&data[1], data, GT_WIRE_GO_START);
    old->status = GT_V2_GO_RUNNABLE;
    tell_state(data, old->id, GT_V2_GO_RUNNING, GT_V2_GO_RUNNABLE);
    return start(thread, goroutine, seq, GT_RESULT_TWO);
}

enum gt_result gt_v2_go_start(struct gt_v2 *v2, struct gt_v2_thread *thread,
                              struct gt_event_data *data)
{
    uint64_t numbers[2];
    if (!gt_v2_read_numbers(thread, numbers, 2))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t id = numbers[0], seq = numbers[1];
    struct gt_v2_goroutine *goroutine = find(v2, id);
    if (!goroutine || goroutine->status != GT_V2_GO_RUNNABLE ||
        !gt_v2_succeeds(v2, &goroutine->seq, seq))
        return gt_v2_wait(thread, GT_V2_NEED_RUNNABLE, id, seq);
    data->arguments[0] = id;
    if (GT_UNLIKELY(!gt_v2_has_proc(thread) || gt_v2_has_goroutine(thread)))
        return start_anyway(v2, thread, data, goroutine, seq);
    return start(thread, goroutine, seq, GT_RESULT_DONE);
}

enum gt_result gt_v2_go_destroy(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = running(v2, thread);
    if (!goroutine)
        return v2_fail_state(v2, thread);
    destroy(v2, goroutine);
    gt_v2_unbind_goroutine(thread);
    return GT_RESULT_DONE;
}

static enum gt_result stop(struct gt_v2 *v2, struct gt_v2_thread *thread,
                           struct gt_event_data *data, uint8_t status)
{
    uint64_t numbers[2];
    if (!gt_v2_read_numbers(thread, numbers, 2))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = running(v2, thread);
    if (!goroutine)
        return v2_fail_state(v2, thread);
    goroutine->status = status;
    gt_v2_unbind_goroutine(thread);
    gt_v2_goroutine_changed(v2, goroutine);
    return gt_v2_take_string_and_stack(v2, thread, data, numbers[0], numbers[1]);
}

enum gt_result gt_v2_go_stop(struct gt_v2 *v2, struct gt_v2_thread *thread,
                             struct gt_event_data *data)
{
    return stop(v2, thread, data, GT_V2_GO_RUNNABLE);
}

enum gt_result gt_v2_go_block(struct gt_v2 *v2, struct gt_v2_thread *thread,
                              struct gt_event_data *data)
{
    return stop(v2, thread, data, GT_V2_GO_WAITING);
}

/* Needs no context: the runtime's monitor, say, has none. */
enum gt_result gt_v2_go_unblock(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                struct gt_event_data *data)
{
    uint64_t numbers[3];
    if (!gt_v2_read_numbers(thread, numbers, 3))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t id = numbers[0], seq = numbers[1];
    struct gt_v2_goroutine *goroutine = find(v2, id);
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
 * A coroutine switch is three events at one time: the next goroutine is
 * unblocked, as this event itself is read; the current one blocks or ends; and
 * the next one starts, in a context without a goroutine.
 */
enum gt_result gt_v2_go_switch(struct gt_v2 *v2, struct gt_v2_thread *thread,
                               struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t seq = data->arguments[1];
    struct gt_v2_goroutine *goroutine = current(v2, thread, GT_V2_GO_RUNNING);
    if (!goroutine)
        return v2_fail_state(v2, thread);
    struct gt_v2_goroutine *next = find(v2, data->arguments[0]);
    if (!next || next->status != GT_V2_GO_WAITING || !gt_v2_succeeds(v2, &next->seq, seq))
        return gt_v2_wait(thread, GT_V2_NEED_WAITING, data->arguments[0], seq);
    if (data->type == GT_WIRE_GO_SWITCH) {
        goroutine->status = GT_V2_GO_WAITING;
        gt_v2_goroutine_changed(v2, goroutine);
        v2_event_follow(&data[1], data, GT_WIRE_GO_BLOCK);
    } else {
        destroy(v2, goroutine);
        v2_event_follow(&data[1], data, GT_WIRE_GO_DESTROY);
    }
    next->status = GT_V2_GO_RUNNING;
    next->seq.number = seq;
    gt_v2_bind_goroutine(thread, next);
    v2_event_follow(&data[2], data, GT_WIRE_GO_START);
    data[2].event.goroutine = GT_NO_GOROUTINE;
    return GT_RESULT_THREE;
}

/*
 * The proc's number makes clear which system call a later steal ends; it must be
 * right at once, as the proc is this thread's.
 */
enum gt_result gt_v2_go_syscall_begin(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                      struct gt_event_data *data)
{
    uint64_t numbers[2];
    if (!gt_v2_read_numbers(thread, numbers, 2))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = current(v2, thread, GT_V2_GO_RUNNING);
    if (!goroutine)
        return v2_fail_state(v2, thread);
    struct gt_v2_proc *proc = thread->proc;
    if (!gt_v2_succeeds(v2, &proc->seq, numbers[0])) {
        gt_v2_fail(v2, thread, GT_ERR_ORDER,
                   "system call with number %d of proc %d, which is not its next",
                   (int64_t) numbers[0], proc->id);
        if (!gt_v2_forgive(v2, "; it is let happen"))
            return GT_RESULT_ERROR;
        proc->seq.generation = v2->generation.number;
    }
    goroutine->status = GT_V2_GO_SYSCALL;
    proc->status = GT_V2_PROC_SYSCALL;
    proc->seq.number = numbers[0];
    gt_v2_proc_changed(v2, proc);
    return gt_v2_take_stack(v2, thread, data, numbers[1]);
}

enum gt_result gt_v2_go_syscall_end(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                    struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = current(v2, thread, GT_V2_GO_SYSCALL);
    if (!goroutine)
        return v2_fail_state(v2, thread);
    struct gt_v2_proc *proc = thread->proc;
    if (proc->status != GT_V2_PROC_SYSCALL)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER,
                          "goroutine %d leaves a system call that proc %d is not in", goroutine->id,
                          proc->id);
    goroutine->status = GT_V2_GO_RUNNING;
    proc->status = GT_V2_PROC_RUNNING;
    gt_v2_proc_changed(v2, proc);
    return GT_RESULT_DONE;
}

/*
 * Happens once the thread has lost the proc that it entered the system call
 * with; it may have got another one already.
 */
enum gt_result gt_v2_go_syscall_end_blocked(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                            struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    if (thread->proc && thread->proc->status == GT_V2_PROC_SYSCALL)
        return gt_v2_wait(thread, GT_V2_NEED_SYSCALL_OVER, (uint64_t) thread->proc_id, 0);
    struct gt_v2_goroutine *goroutine =
        gt_v2_has_goroutine(thread) ? gt_v2_goroutine_of(v2, thread) : NULL;
    if (!goroutine || goroutine->status != GT_V2_GO_SYSCALL)
        return gt_v2_fail_context(v2, thread);
    goroutine->status = GT_V2_GO_RUNNABLE;
    gt_v2_unbind_goroutine(thread);
    gt_v2_goroutine_changed(v2, goroutine);
    return GT_RESULT_DONE;
}

/*
 * A goroutine that C code called into leaves again. The thread loses its proc as
 * well: its id may come back as another thread's, which must not have it. So the
 * first event is a steal of the proc from oneself.
 */
enum gt_result gt_v2_go_destroy_syscall(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                        struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine =
        gt_v2_has_goroutine(thread) ? gt_v2_goroutine_of(v2, thread) : NULL;
    if (!goroutine || goroutine->status != GT_V2_GO_SYSCALL)
        return gt_v2_fail_context(v2, thread);
    enum gt_result result = GT_RESULT_DONE;
    struct gt_v2_proc *proc = thread->proc;
    if (proc) {
        if (proc->status != GT_V2_PROC_SYSCALL)
            return gt_v2_fail_context(v2, thread);
        proc->status = GT_V2_PROC_SYSCALL_ABANDONED;
        gt_v2_unbind_proc(thread);
        gt_v2_proc_changed(v2, proc);
        v2_event_follow(&data[1], data, GT_WIRE_GO_DESTROY_SYSCALL);
        data->type = GT_WIRE_PROC_STEAL;
        data->arguments[0] = (uint64_t) proc->id;
        data->from = GT_PROC_RUNNING;
        data->to = GT_PROC_IDLE;
        result = GT_RESULT_TWO;
    }
    destroy(v2, goroutine);
    gt_v2_unbind_goroutine(thread);
    return result;
}
