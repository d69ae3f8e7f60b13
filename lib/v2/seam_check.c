/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/order.h"
#include "v2/seam.h"

/*
 * What the rules of rare events would do differently if they knew the state before the generation;
 * see v2/seam.h. Each function corresponds to a rule of v2/order.h.
 */

/* For the events whose rules look only at the context, which is known to fit. */
static bool seam_plain(struct gt_v2_seam *seam, struct gt_v2_context *context,
                       const struct gt_event_data *packed, struct gt_event_data *data)
{
    (void) seam;
    (void) context;
    (void) packed;
    (void) data;
    return true;
}

static void seam_bind_goroutine(struct gt_v2_context *context, int64_t id)
{
    if (context->thread == GT_NO_THREAD)
        return;
    context->goroutine = id;
    context->is_earlier = false;
}

/* Looks up a goroutine of the state before that has its first status of the generation. */
static bool seam_confirm_goroutine(struct gt_v2_seam *seam, struct gt_event_data *data)
{
    struct gt_v2_goroutine *goroutine = gt_v2_goroutine_find(seam->v2, data->arguments[0]);
    if (!goroutine) {
        if (data->arguments[0] > seam->created)
            seam->created = data->arguments[0];
        return seam->is_first;
    }
    if (goroutine->status != (uint8_t) data->arguments[2] || goroutine->stops)
        return false;
    struct gt_v2_earlier_goroutine *earlier = gt_idmap_add(&seam->goroutines, data->arguments[0]);
    if (!earlier)
        return false;
    earlier->goroutine = goroutine;
    earlier->regions = goroutine->regions;
    earlier->assisting = goroutine->assisting;
    seam->assists += earlier->assisting;
    data->from = data->to;
    return true;
}

/* The status of a goroutine in a system call, which may be on another thread. */
static bool seam_syscall_status(struct gt_v2_seam *seam, struct gt_v2_context *context,
                                struct gt_event_data *data)
{
    int64_t id = (int64_t) data->arguments[0];
    int64_t thread = (int64_t) data->arguments[1];
    if (thread == context->thread) {
        if (!seam->is_first && context->goroutine != id)
            return false;
        seam_bind_goroutine(context, id);
        return true;
    }
    struct gt_v2_context *other = gt_v2_seam_context(seam, thread);
    if (!other)
        return false;
    if (other->tried || data->own_stack != 0) {
        if (other->goroutine != id)
            return false;
        data->event.goroutine = id;
    }
    other->tried = true;
    seam_bind_goroutine(other, id);
    data->event.thread = thread;
    return true;
}

static bool seam_go_status(struct gt_v2_seam *seam, struct gt_v2_context *context,
                           const struct gt_event_data *packed, struct gt_event_data *data)
{
    uint8_t status = (uint8_t) data->arguments[2];
    if (status == GT_V2_GO_BAD)
        return false;
    if (packed->from == GT_GO_UNDETERMINED && !seam_confirm_goroutine(seam, data))
        return false;
    if (status == GT_V2_GO_RUNNING)
        seam_bind_goroutine(context, (int64_t) data->arguments[0]);
    return status != GT_V2_GO_SYSCALL || seam_syscall_status(seam, context, data);
}

static bool seam_go_create_syscall(struct gt_v2_seam *seam, struct gt_v2_context *context,
                                   const struct gt_event_data *packed, struct gt_event_data *data)
{
    (void) packed;
    if (context->goroutine != GT_NO_GOROUTINE || !gt_v2_seam_is_free(seam, data->arguments[0]))
        return false;
    seam_bind_goroutine(context, (int64_t) data->arguments[0]);
    return true;
}

/* If the thread had a proc, another event before this one has taken it away. */
static bool seam_go_destroy_syscall(struct gt_v2_seam *seam, struct gt_v2_context *context,
                                    const struct gt_event_data *packed, struct gt_event_data *data)
{
    (void) seam;
    if (context->proc != GT_NO_PROC)
        return false;
    data->event.proc = packed->event.proc;
    seam_bind_goroutine(context, GT_NO_GOROUTINE);
    return true;
}

static bool seam_go_syscall_end_blocked(struct gt_v2_seam *seam, struct gt_v2_context *context,
                                        const struct gt_event_data *packed,
                                        struct gt_event_data *data)
{
    (void) seam;
    (void) data;
    if (context->proc != packed->event.proc)
        return false;
    seam_bind_goroutine(context, GT_NO_GOROUTINE);
    return true;
}

/* The status of a proc in a system call that is about to be stolen from its thread. */
static bool seam_proc_set_owner(struct gt_v2_seam *seam, struct gt_v2_earlier_proc *earlier,
                                struct gt_event_data *data)
{
    const struct gt_v2_proc *proc = earlier->proc;
    const struct gt_v2_context *owner =
        proc->thread ? gt_v2_seam_context(seam, proc->thread->id) : NULL;
    if (!owner || owner->proc != proc->id)
        return false;
    data->from = data->to = GT_PROC_RUNNING;
    data->event.thread = owner->thread;
    data->event.proc = proc->id;
    data->event.goroutine = owner->goroutine;
    earlier->in_syscall = true;
    return true;
}

/* Looks up a proc of the state before that has its first status of the generation. */
static bool seam_confirm_proc(struct gt_v2_seam *seam, struct gt_event_data *data)
{
    uint8_t status = (uint8_t) data->arguments[1];
    struct gt_v2_proc *proc = gt_idmap_get(&seam->v2->state.procs, data->arguments[0]);
    if (!proc) {
        data->from = seam->is_first ? GT_PROC_UNDETERMINED : GT_PROC_NOT_EXIST;
        return true;
    }
    struct gt_v2_earlier_proc *earlier = gt_idmap_add(&seam->procs, data->arguments[0]);
    if (!earlier)
        return false;
    earlier->proc = proc;
    earlier->sweeping = proc->sweeping;
    seam->sweeps += earlier->sweeping;
    data->from = data->to;
    if (status == GT_V2_PROC_SYSCALL_ABANDONED && proc->status == GT_V2_PROC_SYSCALL)
        return seam_proc_set_owner(seam, earlier, data);
    return status == proc->status;
}

static bool seam_proc_status(struct gt_v2_seam *seam, struct gt_v2_context *context,
                             const struct gt_event_data *packed, struct gt_event_data *data)
{
    uint8_t status = (uint8_t) data->arguments[1];
    if (status == GT_V2_PROC_BAD)
        return false;
    if (packed->from == GT_PROC_UNDETERMINED && !seam_confirm_proc(seam, data))
        return false;
    if (packed->from != GT_PROC_UNDETERMINED) {
        /* The reading apart does not know of whom the proc is. */
        const struct gt_v2_earlier_proc *earlier = gt_idmap_get(&seam->procs, data->arguments[0]);
        if (earlier && earlier->in_syscall)
            return false;
    }
    if ((status == GT_V2_PROC_RUNNING || status == GT_V2_PROC_SYSCALL) &&
        context->thread != GT_NO_THREAD)
        context->proc = (int64_t) data->arguments[0];
    return true;
}

static bool seam_proc_start(struct gt_v2_seam *seam, struct gt_v2_context *context,
                            const struct gt_event_data *packed, struct gt_event_data *data)
{
    (void) seam;
    (void) packed;
    if (context->proc != GT_NO_PROC)
        return false;
    context->proc = (int64_t) data->arguments[0];
    return true;
}

static bool seam_proc_stop(struct gt_v2_seam *seam, struct gt_v2_context *context,
                           const struct gt_event_data *packed, struct gt_event_data *data)
{
    (void) seam;
    (void) packed;
    (void) data;
    context->proc = GT_NO_PROC;
    return true;
}

static bool seam_proc_steal(struct gt_v2_seam *seam, struct gt_v2_context *context,
                            const struct gt_event_data *packed, struct gt_event_data *data)
{
    struct gt_v2_earlier_proc *earlier = gt_idmap_get(&seam->procs, data->arguments[0]);
    bool in_syscall = earlier && earlier->in_syscall;
    (void) context;
    if (packed->from != GT_PROC_RUNNING && !in_syscall)
        return true;
    struct gt_v2_context *victim = gt_v2_seam_context(seam, (int64_t) data->arguments[2]);
    if (!victim || victim->proc != (int64_t) data->arguments[0])
        return false;
    if (in_syscall) {
        if (!victim->tried)
            return false;
        data->from = GT_PROC_RUNNING;
        earlier->in_syscall = false;
    }
    victim->proc = GT_NO_PROC;
    return true;
}

static bool seam_gc(struct gt_v2_seam *seam, struct gt_v2_context *context,
                    const struct gt_event_data *packed, struct gt_event_data *data)
{
    const struct gt_v2_state *state = &seam->v2->state;
    bool begins = data->type == GT_WIRE_GC_BEGIN;
    bool is_known = seam->gc_known;
    (void) packed;
    seam->gc_known = true;
    if (is_known || (begins ? state->gc == GT_V2_GC_UNDETERMINED : seam->is_first))
        return true;
    return data->arguments[0] == gt_v2_seq_after(state->gc_seq) &&
           (state->gc == GT_V2_GC_ON) != begins && context->proc != GT_NO_PROC &&
           context->goroutine != GT_NO_GOROUTINE;
}

static bool seam_sweep_active(struct gt_v2_seam *seam, struct gt_v2_context *context,
                              const struct gt_event_data *packed, struct gt_event_data *data)
{
    struct gt_v2_earlier_proc *earlier = gt_idmap_get(&seam->procs, data->arguments[0]);
    (void) context;
    (void) packed;
    if (!earlier || !earlier->sweeping)
        return seam->is_first;
    earlier->sweeping = false;
    seam->sweeps--;
    return true;
}

static bool seam_assist_active(struct gt_v2_seam *seam, struct gt_v2_context *context,
                               const struct gt_event_data *packed, struct gt_event_data *data)
{
    struct gt_v2_earlier_goroutine *earlier = gt_idmap_get(&seam->goroutines, data->arguments[0]);
    (void) context;
    (void) packed;
    if (!earlier || !earlier->assisting)
        return seam->is_first;
    earlier->assisting = false;
    seam->assists--;
    return true;
}

static bool seam_task_begin(struct gt_v2_seam *seam, struct gt_v2_context *context,
                            const struct gt_event_data *packed, struct gt_event_data *data)
{
    (void) context;
    (void) packed;
    return !gt_idmap_get(&seam->v2->state.tasks, data->arguments[0]);
}

static bool seam_task_end(struct gt_v2_seam *seam, struct gt_v2_context *context,
                          const struct gt_event_data *packed, struct gt_event_data *data)
{
    uint64_t id = data->arguments[0];
    struct gt_v2_task *task = gt_idmap_get(&seam->v2->state.tasks, id);
    (void) context;
    if (packed->name || !task || gt_idmap_get(&seam->tasks, id))
        return true;
    data->name = task->name;
    data->arguments[2] = task->parent;
    return gt_idmap_put(&seam->tasks, id, task) == GT_OK;
}

static bool seam_region_end(struct gt_v2_seam *seam, struct gt_v2_context *context,
                            const struct gt_event_data *packed, struct gt_event_data *data)
{
    struct gt_v2_earlier_goroutine *earlier =
        gt_idmap_get(&seam->goroutines, (uint64_t) context->goroutine);
    (void) packed;
    data->type = GT_WIRE_USER_REGION_END;
    if (!earlier || !earlier->regions)
        return true;
    const struct gt_v2_open *region = earlier->regions;
    gt_string name = gt_strings_get(&seam->v2->table->strings, data->strings[0]);
    if (region->task != data->arguments[0] || !gt_name_is(region->name, name.data, name.size))
        return false;
    earlier->regions = region->next;
    return true;
}

gt_v2_seam_rule *const gt_v2_seam_rules[256] = {
    [GT_WIRE_GO_STATUS] = seam_go_status,
    [GT_WIRE_GO_STATUS_STACK] = seam_go_status,
    [GT_WIRE_GO_CREATE_SYSCALL] = seam_go_create_syscall,
    [GT_WIRE_GO_DESTROY_SYSCALL] = seam_go_destroy_syscall,
    [GT_WIRE_GO_SYSCALL_END_BLOCKED] = seam_go_syscall_end_blocked,
    [GT_WIRE_PROC_STATUS] = seam_proc_status,
    [GT_WIRE_PROC_START] = seam_proc_start,
    [GT_WIRE_PROC_STOP] = seam_proc_stop,
    [GT_WIRE_PROC_STEAL] = seam_proc_steal,
    [GT_WIRE_GC_ACTIVE] = seam_gc,
    [GT_WIRE_GC_BEGIN] = seam_gc,
    [GT_WIRE_GC_END] = seam_gc,
    [GT_WIRE_GC_SWEEP_ACTIVE] = seam_sweep_active,
    [GT_WIRE_GC_MARK_ASSIST_ACTIVE] = seam_assist_active,
    [GT_WIRE_USER_TASK_BEGIN] = seam_task_begin,
    [GT_WIRE_USER_TASK_END] = seam_task_end,
    [GT_V2_OUTER_REGION_END] = seam_region_end,
    [GT_WIRE_PROCS_CHANGE] = seam_plain,
    [GT_WIRE_STW_BEGIN] = seam_plain,
    [GT_WIRE_STW_END] = seam_plain,
    [GT_WIRE_GO_LABEL] = seam_plain,
    [GT_WIRE_GO_SWITCH] = seam_plain,
    [GT_WIRE_GO_SWITCH_DESTROY] = seam_plain,
    [GT_WIRE_SPAN] = seam_plain,
    [GT_WIRE_SPAN_ALLOC] = seam_plain,
    [GT_WIRE_SPAN_FREE] = seam_plain,
    [GT_WIRE_HEAP_OBJECT] = seam_plain,
    [GT_WIRE_HEAP_OBJECT_ALLOC] = seam_plain,
    [GT_WIRE_HEAP_OBJECT_FREE] = seam_plain,
    [GT_WIRE_GOROUTINE_STACK] = seam_plain,
    [GT_WIRE_GOROUTINE_STACK_ALLOC] = seam_plain,
    [GT_WIRE_GOROUTINE_STACK_FREE] = seam_plain,
};

bool gt_v2_seam_check(struct gt_v2_seam *seam, struct gt_v2_context *context,
                      const struct gt_event_data *packed, struct gt_event_data *data)
{
    gt_v2_seam_rule *rule = gt_v2_seam_rules[data->type];
    return rule && rule(seam, context, packed, data);
}
