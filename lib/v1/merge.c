/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/merge.h"

#include <string.h>

#include "base/error.h"
#include "base/likely.h"
#include "base/wraps.h"
#include "v1/futile.h"
#include "v1/order.h"

/* What comes next, besides a negative gt_status. */
enum {
    GO_ON,
    PROC, /* the first proc's event */
    OVER
};

static int64_t next_late(const struct gt_v1 *v1)
{
    int64_t exit = gt_v1_late_time(&v1->exits);
    int64_t sample = gt_v1_late_time(&v1->samples);
    return exit < sample ? exit : sample;
}

/* Where the goroutine of a sample is, behind the sample's time and its proc. */
static uint64_t sampled_goroutine(const struct gt_v1 *v1, size_t index)
{
    const uint8_t *p = gt_v1_after_time(v1, gt_v1_late_offset(&v1->samples.events[index]));
    p = gt_v1_skip_number(gt_v1_skip_number(p));
    return gt_varint_trusted(&p);
}

/* Goroutines that were sampled, from the last to the first, so that each knows its next. */
static gt_status chain_samples(struct gt_v1 *v1)
{
    gt_idmap_destroy(&v1->sampled);
    if (v1->samples.count == 0)
        return GT_OK;
    if (!v1->sample_next)
        v1->sample_next = gt_mem_alloc(v1->mem, v1->samples.count * sizeof(*v1->sample_next));
    if (!v1->sample_next)
        return gt_v1_fail_memory(v1);
    for (size_t i = v1->samples.count; i > 0; i--) {
        uint64_t goroutine = sampled_goroutine(v1, i - 1);
        v1->sample_next[i - 1] = (uint32_t) gt_idmap_get_number(&v1->sampled, goroutine);
        if (gt_idmap_put_number(&v1->sampled, goroutine, i) != GT_OK)
            return gt_v1_fail_memory(v1);
    }
    return GT_OK;
}

static void start_proc(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    proc->thread = GT_NO_THREAD;
    proc->context = GT_NO_GOROUTINE;
    proc->goroutine = NULL;
    proc->running = proc->seen = proc->sweeping = proc->stopped = proc->forced = 0;
    proc->last_batch = proc->first_batch;
    if (gt_v1_next(v1, proc, gt_v1_open_batch(v1, proc), v1->version < 7))
        gt_frontier_add(&v1->frontier, &proc->lane);
}

gt_status gt_v1_merge_start(struct gt_v1 *v1)
{
    gt_v1_forget_state(v1);
    v1->exits.next = v1->samples.next = 0;
    for (size_t i = 0; i < v1->exits.count; i++)
        v1->exits.events[i].place &= ~(uint64_t) 3;
    v1->until = INT64_MIN;
    if (gt_frontier_start(&v1->frontier, v1->proc_count) != GT_OK)
        return gt_v1_fail_memory(v1);
    for (struct gt_v1_proc *proc = v1->procs; proc; proc = proc->next)
        start_proc(v1, proc);
    return chain_samples(v1);
}

static struct gt_v1_proc *proc_of(struct gt_lane *lane)
{
    return (struct gt_v1_proc *) lane;
}

static gt_status fail_stuck(struct gt_v1 *v1, const char *repair)
{
    const struct gt_v1_proc *proc = proc_of(v1->frontier.parked[0].lane);
    return gt_v1_fault(v1, GT_ERR_STUCK, gt_v1_offset(v1, proc->event), repair,
                       "%s on proc %d, and %u other procs' events, cannot come next",
                       gt_v1_name(proc->lane.type), (int64_t) proc->id,
                       (uint64_t) v1->frontier.parked_count - 1);
}

static int is_futile(const struct gt_v1 *v1, uint64_t index)
{
    return index / 8 < v1->futile_size && (v1->futile[index / 8] >> index % 8 & 1) != 0;
}

/* Events of old versions, which may be part of a futile wakeup. */
static int look_for_futile(struct gt_v1 *v1, unsigned type, const struct gt_event_data *data,
                           int result)
{
    uint64_t index = v1->taken++;
    if (v1->search) {
        gt_status status = gt_v1_search_event(v1, type, data, index);
        return status != GT_OK ? (int) status : GT_V1_NOTHING;
    }
    return is_futile(v1, index) ? GT_V1_NOTHING : result;
}

/* Completes what a rule has left in v1->slot. */
static inline void finish(struct gt_v1 *v1, int result)
{
    gt_v1_set_time(v1, v1->slot++);
    if (result == GT_V1_GIVEN_TWO)
        gt_v1_set_time(v1, v1->slot++);
}

/* Up to there, there is room for what comes of an event. */
static inline const struct gt_event_data *last_slot(const struct gt_v1 *v1)
{
    return &v1->events->list[GT_EVENTS_AHEAD - GT_V1_MOST_GIVEN];
}

/* A late event, by the time of which `data` was completed. */
static int finish_late(struct gt_v1 *v1, unsigned type, int result)
{
    if (result == GT_V1_GIVEN && (v1->search || v1->futile_size != 0))
        result = look_for_futile(v1, type, v1->slot, result);
    if (result < 0)
        return result;
    if (result == GT_V1_GIVEN)
        finish(v1, result);
    return GO_ON;
}

/* Events in an order that is right must have times that do not run backwards. */
static gt_status fix_time(struct gt_v1 *v1, uint64_t offset, unsigned type, int64_t *ticks)
{
    int64_t back = gt_time_minus(v1->merged, *ticks);
    *ticks = v1->merged;
    return gt_v1_fault(v1, GT_ERR_TIME, offset, "; it is moved up",
                       "%s comes %d ticks before an event that it must follow", gt_v1_name(type),
                       back);
}

/* A first event: it is earlier than any other. */
static inline void set_zero(struct gt_v1 *v1, int64_t ticks)
{
    v1->first_ticks = ticks;
    v1->began = 1;
}

static int take_sample(struct gt_v1 *v1)
{
    size_t index = v1->samples.next++;
    uint64_t goroutine = sampled_goroutine(v1, index);
    uint32_t next = v1->sample_next[index];
    int64_t ticks = v1->samples.events[index].time;
    if (next != 0)
        gt_idmap_put_number(&v1->sampled, goroutine, next);
    else
        gt_idmap_remove(&v1->sampled, goroutine);
    if (!v1->began)
        set_zero(v1, ticks);
    if (ticks > v1->merged)
        v1->merged = ticks;
    return finish_late(v1, GT_V1_CPU_SAMPLE, gt_v1_give_sample(v1, index, v1->slot));
}

/* The time of the first late end of a system call has come. */
static int take_exit(struct gt_v1 *v1)
{
    struct gt_v1_late_event *late = &v1->exits.events[v1->exits.next++];
    struct gt_event_data *data = v1->slot;
    data->event.kind = GT_EVENT_STATE_TRANSITION;
    data->type = GT_WIRE_GO_SYSCALL_END_BLOCKED;
    data->stack = 0;
    int result = gt_v1_give_exit(v1, late, data);
    if (v1->version < 7 && result == GT_V1_GIVEN) {
        if (v1->ticks < v1->merged) {
            gt_status status = fix_time(v1, gt_v1_late_offset(late), GT_V1_GO_SYS_EXIT, &v1->ticks);
            if (status != GT_OK)
                return status;
        }
        v1->merged = v1->ticks;
    }
    return finish_late(v1, GT_V1_GO_SYS_EXIT, result);
}

/*
 * A lenient merge does not wait for what never comes: once others have got ahead
 * of a proc that waits, its event is let happen as it is. In a good trace none
 * does, as then times would run backwards.
 */
static int force_parked(struct gt_v1 *v1, int64_t time)
{
    struct gt_frontier *frontier = &v1->frontier;
    int64_t parked = gt_frontier_parked_time(frontier);
    if (!v1->options.lenient || frontier->parked_count == 0)
        return 0;
    if (time != INT64_MAX && (time < parked || gt_time_span(parked, time) <= (uint64_t) v1->slack))
        return 0;
    struct gt_v1_proc *proc = proc_of(frontier->parked[0].lane);
    fail_stuck(v1, "; it is let happen");
    proc->forced = 1;
    gt_frontier_wake(frontier, proc->lane.need, proc->lane.wish_id, proc->lane.wish_seq);
    gt_frontier_admit(frontier);
    return 1;
}

/* An end of a system call goes after all that happened until then. */
static int exit_is_next(const struct gt_v1 *v1, int64_t exit, int64_t time)
{
    if (exit != time)
        return exit < time;
    const struct gt_v1_late *exits = &v1->exits;
    return exit != INT64_MAX && gt_v1_late_mark(&exits->events[exits->next]) == GT_V1_LATE_MERGED;
}

/*
 * What comes next besides the first proc's event: a late event, one that is let
 * happen, or the end.
 */
static int step_aside(struct gt_v1 *v1)
{
    const struct gt_lane *lane = v1->frontier.first;
    int64_t sample = gt_v1_late_time(&v1->samples);
    int64_t time = lane ? lane->time : INT64_MAX;
    int is_sample = sample < time;
    if (is_sample)
        time = sample;
    if (v1->frontier.parked_count != 0 && force_parked(v1, time))
        return GO_ON;
    if (exit_is_next(v1, gt_v1_late_time(&v1->exits), time))
        return take_exit(v1);
    if (is_sample)
        return take_sample(v1);
    if (lane)
        return PROC;
    return v1->frontier.parked_count != 0 ? (int) fail_stuck(v1, "") : OVER;
}

/* The event happened: checks its time, and whether it is part of a futile wakeup. */
static int account(struct gt_v1 *v1, const struct gt_v1_proc *proc, unsigned type, int result)
{
    if (proc->ticks >= v1->merged) {
        v1->merged = proc->ticks;
    } else {
        gt_status status = fix_time(v1, gt_v1_offset(v1, proc->event), type, &v1->ticks);
        if (status != GT_OK)
            return status;
    }
    if (result >= 0 && (v1->search || v1->futile_size != 0))
        return look_for_futile(v1, type, v1->slot, result);
    return result;
}

/* The first proc's event cannot happen yet. Its arguments will be read again. */
static gt_status park(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    proc->pos = gt_v1_after_time(v1, gt_v1_offset(v1, proc->event));
    if (gt_frontier_park(&v1->frontier) != GT_OK)
        return gt_v1_fail_memory(v1);
    if (v1->options.lenient)
        v1->until = INT64_MIN;
    return GT_OK;
}

/*
 * What may be out of the ordinary when a rule has returned. Returns another result for the rule's:
 * GT_V1_GIVEN and so on where the event happened and goes with its proc's time.
 */
static int sort_out(struct gt_v1 *v1, const struct gt_v1_proc *proc, int result)
{
    if (result == GT_V1_ELSEWHERE || result == GT_V1_WAIT)
        return result;
    /* Go looks at the times of all events before it checks what they say. */
    if (result >= 0 || (result == GT_ERR_ORDER && proc->ticks < v1->merged))
        return account(v1, proc, proc->lane.type, result);
    return result;
}

static inline void set_context(struct gt_event_data *data, const struct gt_v1_proc *proc,
                               const struct gt_v1_action *action)
{
    data->event.kind = action->kind;
    data->event.thread = proc->thread;
    data->event.proc = proc->id;
    data->event.goroutine = proc->context;
    data->type = action->type;
    data->stack = 0;
}

/* What a rule has returned that is no plain event. */
static inline int is_odd(int result)
{
    return result != GT_V1_GIVEN && result != GT_V1_GIVEN_TWO && result != GT_V1_NOTHING;
}

/*
 * The first proc's event, then that of whichever is the first, as long as there is room and
 * nothing else is to be looked at. There must be room for one.
 */
static GT_ALWAYS_INLINE gt_status run(struct gt_v1 *v1, struct gt_v1_proc *proc, int is_old)
{
    struct gt_frontier *frontier = &v1->frontier;
    const struct gt_event_data *last = last_slot(v1);
    int numbered = is_old && v1->version < 7;
    do {
        const struct gt_v1_action *action = &gt_v1_actions[proc->lane.type];
        struct gt_event_data *data = v1->slot;
        set_context(data, proc, action);
        v1->ticks = proc->ticks;
        int result = action->rule(v1, proc, data);
        if (GT_UNLIKELY(is_old || is_odd(result) || proc->ticks < v1->merged)) {
            result = sort_out(v1, proc, result);
            if (result == GT_V1_WAIT)
                return park(v1, proc);
            if (result < 0)
                return (gt_status) result;
        } else {
            v1->merged = proc->ticks;
        }
        if (result != GT_V1_ELSEWHERE)
            proc->forced = 0;
        if (result < GT_V1_NOTHING)
            finish(v1, result);
        if (GT_UNLIKELY(!gt_v1_next(v1, proc, proc->pos, numbered))) {
            gt_frontier_remove(frontier);
            return GT_OK;
        }
        if (proc->lane.time >= frontier->next_time) {
            gt_frontier_resift(frontier);
            proc = proc_of(frontier->first);
        }
    } while (v1->slot <= last && proc->lane.time < v1->until);
    return GT_OK;
}

/* Only old versions have futile wakeups and numbers: the loop of new ones does without them. */
static gt_status run_old(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    return run(v1, proc, 1);
}

static gt_status run_new(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    return run(v1, proc, 0);
}

/*
 * Until when nothing but procs' events come: a late event is next then, or, of those that wait,
 * one may have to be let happen at any time.
 */
static int64_t run_until(const struct gt_v1 *v1)
{
    return v1->options.lenient && v1->frontier.parked_count != 0 ? INT64_MIN : next_late(v1);
}

gt_status gt_v1_merge(struct gt_v1 *v1)
{
    gt_status status = GT_OK;
    if (v1->owed)
        gt_v1_give_owed(v1);
    while (status == GT_OK && v1->slot <= last_slot(v1)) {
        const struct gt_lane *lane = v1->frontier.first;
        if (!lane || lane->time >= v1->until) {
            int next = step_aside(v1);
            v1->until = run_until(v1);
            if (next < 0)
                return (gt_status) next;
            if (next == OVER)
                return GT_END;
            if (next != PROC)
                continue;
        }
        struct gt_v1_proc *proc = proc_of(v1->frontier.first);
        if (!v1->began)
            set_zero(v1, proc->ticks);
        status = v1->version < 11 ? run_old(v1, proc) : run_new(v1, proc);
        if (v1->owed)
            gt_v1_give_owed(v1);
    }
    return status;
}
