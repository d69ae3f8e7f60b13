/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/merge.h"

#include <string.h>

#include "base/error.h"
#include "base/likely.h"
#include "base/time.h"
#include "v1/futile.h"
#include "v1/order.h"
#include "v1/quick.h"
#include "v1/samples.h"

/* The next step of the merge. */
enum v1_step {
    V1_STEP_LOOK, /* decide again, because the state has changed */
    V1_STEP_PROC, /* take the event of the first proc */
    V1_STEP_END,  /* there are no more events */
    V1_STEP_ERROR /* the error is set */
};

static int64_t v1_merge_late_time(const struct gt_v1 *v1)
{
    int64_t exit = gt_v1_late_time(&v1->input.exits);
    int64_t sample = gt_v1_late_time(&v1->input.samples);
    return exit < sample ? exit : sample;
}

static void v1_proc_open(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    proc->thread = GT_NO_THREAD;
    proc->context = GT_NO_GOROUTINE;
    proc->goroutine = NULL;
    proc->running = proc->seen = proc->sweeping = proc->stopped = proc->forced = false;
    proc->last_batch = proc->first_batch;
    if (gt_v1_proc_next(v1, proc, gt_v1_batch_open(v1, proc), v1->version < 7))
        gt_frontier_add(&v1->merge.frontier, &proc->lane);
}

gt_status gt_v1_merge_start(struct gt_v1 *v1)
{
    gt_v1_state_clear(&v1->state);
    v1->input.exits.next = v1->input.samples.next = 0;
    for (size_t i = 0; i < v1->input.exits.count; i++)
        v1->input.exits.events[i].place &= ~(uint64_t) 3;
    v1->futile.taken = 0;
    v1->output.began = false;
    v1->output.last_time = -1;
    v1->merge.last_ticks = INT64_MIN;
    v1->merge.until = INT64_MIN;
    if (gt_frontier_start(&v1->merge.frontier, v1->input.proc_count) != GT_OK)
        return gt_v1_no_memory(v1);
    for (struct gt_v1_proc *proc = v1->input.procs; proc; proc = proc->next)
        v1_proc_open(v1, proc);
    return gt_v1_samples_chain(v1);
}

static struct gt_v1_proc *v1_proc_of(struct gt_lane *lane)
{
    return (struct gt_v1_proc *) lane;
}

static void v1_fail_stuck(struct gt_v1 *v1)
{
    const struct gt_v1_proc *proc = v1_proc_of(v1->merge.frontier.parked[0].lane);
    gt_v1_fail_at(v1, GT_ERR_STUCK, gt_v1_offset(v1, proc->event),
                  "%s on proc %d, and %u other procs' events, cannot come next",
                  gt_v1_name(proc->lane.type), (int64_t) proc->id,
                  (uint64_t) v1->merge.frontier.parked_count - 1);
}

enum {
    /*
     * The number of events after which the reader checks whether it was cancelled. This is needed
     * because all events of a trace may be left out, and then the program gets no event after which
     * it could stop.
     */
    FUTILE_WATCHED = GT_WATCH_STEP / 8
};

/*
 * Reports progress during the search for futile wakeups, and returns GT_CANCELLED if reading was
 * cancelled. The search precedes all events and thus runs in the caller's thread, which may call
 * the program.
 */
static gt_status v1_futile_watch(struct gt_v1 *v1)
{
    struct gt_source *source = v1->source;
    if (v1->futile.search)
        return gt_source_pass(source, gt_source_offset(source), GT_WATCH_STEP);
    return gt_source_is_cancelled(source) ? gt_source_fail_cancelled(source) : GT_OK;
}

/*
 * Counts an event that has happened with this result. Leaves it out if it is part of a futile
 * wakeup.
 */
static gt_result v1_futile_filter(struct gt_v1 *v1, unsigned type, const struct gt_event_data *data,
                                  gt_result result)
{
    struct gt_v1_futile *futile = &v1->futile;
    uint64_t index = futile->taken++;
    if (index % FUTILE_WATCHED == 0 && v1_futile_watch(v1) != GT_OK)
        return GT_RESULT_ERROR;
    if (futile->search)
        return gt_v1_futile_event(v1, type, data, index) == GT_OK ? GT_RESULT_NONE
                                                                  : GT_RESULT_ERROR;
    if (index / 8 < futile->bytes.count && (futile->bytes.items[index / 8] >> index % 8 & 1) != 0)
        return GT_RESULT_NONE;
    return result;
}

static inline bool v1_has_futile(const struct gt_v1 *v1)
{
    return v1->futile.search || v1->futile.bytes.count != 0;
}

/* Sets the times of the one or two events that a rule has completed. */
static inline void v1_output_finish(struct gt_v1 *v1, gt_result result)
{
    gt_v1_set_time(v1, v1->output.next++);
    if (result == GT_RESULT_TWO)
        gt_v1_set_time(v1, v1->output.next++);
}

/*
 * The last place at which an event may be completed, so that there is room for all events that it
 * can become.
 */
static inline const struct gt_event_data *v1_output_last(const struct gt_v1 *v1)
{
    return &v1->output.events->list[GT_EVENTS_AHEAD - GT_V1_MOST_EVENTS];
}

static enum v1_step v1_late_finish(struct gt_v1 *v1, unsigned type, gt_result result)
{
    if (result == GT_RESULT_DONE && v1_has_futile(v1))
        result = v1_futile_filter(v1, type, v1->output.next, result);
    if (result == GT_RESULT_ERROR)
        return V1_STEP_ERROR;
    if (result == GT_RESULT_DONE)
        v1_output_finish(v1, result);
    return V1_STEP_LOOK;
}

/* Handles an event whose time is before that of an event that it must follow. */
static gt_result v1_time_fix(struct gt_v1 *v1, uint64_t offset, unsigned type)
{
    int64_t back = gt_ticks_minus(v1->merge.last_ticks, v1->output.ticks);
    v1->output.ticks = v1->merge.last_ticks;
    gt_v1_fail_at(v1, GT_ERR_TIME, offset, "%s comes %d ticks before an event that it must follow",
                  gt_v1_name(type), back);
    return gt_v1_forgive(v1, "; it is moved up") ? GT_RESULT_DONE : GT_RESULT_ERROR;
}

/* Sets the time at which the trace begins, that of its first event. */
static inline void v1_output_begin(struct gt_v1 *v1, int64_t ticks)
{
    v1->output.first_ticks = ticks;
    v1->output.began = true;
}

static enum v1_step v1_merge_sample(struct gt_v1 *v1)
{
    gt_v1_sample_take(v1, v1->output.next);
    int64_t ticks = v1->output.ticks;
    if (!v1->output.began)
        v1_output_begin(v1, ticks);
    if (ticks > v1->merge.last_ticks)
        v1->merge.last_ticks = ticks;
    return v1_late_finish(v1, GT_V1_CPU_SAMPLE, GT_RESULT_DONE);
}

/* Reports the first late end of a system call, whose time has come. */
static enum v1_step v1_merge_exit(struct gt_v1 *v1)
{
    struct gt_v1_late_event *late = &v1->input.exits.events[v1->input.exits.next++];
    struct gt_event_data *data = v1->output.next;
    data->event.kind = GT_EVENT_STATE_TRANSITION;
    data->type = GT_WIRE_GO_SYSCALL_END_BLOCKED;
    data->stack = 0;
    gt_result result = gt_v1_exit_take(v1, late, data);
    if (v1->version < 7 && result == GT_RESULT_DONE) {
        if (v1->output.ticks < v1->merge.last_ticks &&
            v1_time_fix(v1, gt_v1_late_offset(late), GT_V1_GO_SYS_EXIT) != GT_RESULT_DONE)
            return V1_STEP_ERROR;
        v1->merge.last_ticks = v1->output.ticks;
    }
    return v1_late_finish(v1, GT_V1_GO_SYS_EXIT, result);
}

/*
 * Forces the event that has been parked for the longest if the reader is lenient and other procs
 * have advanced too far beyond it: what it waits for is lost. In an undamaged trace that never
 * happens, as times would run backwards. `time` is the time of the next event, or INT64_MAX if
 * there is none. Returns whether an event was forced.
 */
static bool v1_merge_force(struct gt_v1 *v1, int64_t time)
{
    const struct gt_frontier *frontier = &v1->merge.frontier;
    int64_t parked = gt_frontier_parked_time(frontier);
    if (!v1->repair.lenient || frontier->parked_count == 0)
        return false;
    if (time != INT64_MAX &&
        (time < parked || gt_time_span(parked, time) <= (uint64_t) v1->merge.slack))
        return false;
    v1_fail_stuck(v1);
    gt_v1_forgive(v1, "; it is let happen");
    gt_v1_force(v1);
    return true;
}

/*
 * Returns whether the end of a system call comes next. It follows all other events of the same
 * time.
 */
static bool v1_exit_is_next(const struct gt_v1 *v1, int64_t exit, int64_t time)
{
    if (exit != time)
        return exit < time;
    const struct gt_v1_late *exits = &v1->input.exits;
    return exit != INT64_MAX && gt_v1_late_mark(&exits->events[exits->next]) == GT_V1_LATE_MERGED;
}

/*
 * Handles the next event if it is not that of the first proc: a late event, or one that is forced.
 * Returns V1_STEP_PROC if the event of the first proc comes next.
 */
static enum v1_step v1_merge_step(struct gt_v1 *v1)
{
    const struct gt_lane *lane = v1->merge.frontier.first;
    int64_t sample = gt_v1_late_time(&v1->input.samples);
    int64_t time = lane ? lane->time : INT64_MAX;
    bool is_sample = sample < time;
    if (is_sample)
        time = sample;
    if (v1->merge.frontier.parked_count != 0 && v1_merge_force(v1, time))
        return V1_STEP_LOOK;
    if (v1_exit_is_next(v1, gt_v1_late_time(&v1->input.exits), time))
        return v1_merge_exit(v1);
    if (is_sample)
        return v1_merge_sample(v1);
    if (lane)
        return V1_STEP_PROC;
    if (v1->merge.frontier.parked_count == 0)
        return V1_STEP_END;
    v1_fail_stuck(v1);
    return V1_STEP_ERROR;
}

/*
 * Accounts for an event that has happened: checks its time, and whether it is part of a futile
 * wakeup.
 */
static gt_result v1_merge_account(struct gt_v1 *v1, const struct gt_v1_proc *proc, gt_result result)
{
    unsigned type = proc->lane.type;
    if (proc->ticks >= v1->merge.last_ticks)
        v1->merge.last_ticks = proc->ticks;
    else if (v1_time_fix(v1, gt_v1_offset(v1, proc->event), type) != GT_RESULT_DONE)
        return GT_RESULT_ERROR;
    if (result != GT_RESULT_ERROR && v1_has_futile(v1))
        return v1_futile_filter(v1, type, v1->output.next, result);
    return result;
}

/* Parks the first proc, whose event cannot happen yet. The event's arguments will be read again. */
static gt_status v1_merge_park(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    proc->pos = gt_v1_after_time(v1, gt_v1_offset(v1, proc->event));
    if (gt_frontier_park(&v1->merge.frontier) != GT_OK)
        return gt_v1_no_memory(v1);
    if (v1->repair.lenient)
        v1->merge.until = INT64_MIN;
    return GT_OK;
}

/* Handles the rare results of a rule. Returns the result that replaces it. */
static gt_result v1_merge_check(struct gt_v1 *v1, const struct gt_v1_proc *proc, gt_result result)
{
    if (result == GT_RESULT_ELSEWHERE || result == GT_RESULT_WAIT)
        return result;
    /*
     * The time is checked before the error is reported, because Go checks the times of all events
     * before it interprets them.
     */
    if (result != GT_RESULT_ERROR ||
        (v1->error->status == GT_ERR_ORDER && proc->ticks < v1->merge.last_ticks))
        return v1_merge_account(v1, proc, result);
    return result;
}

static inline void v1_set_context(struct gt_event_data *data, const struct gt_v1_proc *proc)
{
    data->event.thread = proc->thread;
    data->event.proc = proc->id;
    data->event.goroutine = proc->context;
    data->stack = 0;
}

/*
 * Applies the rule of the first proc's event, and advances the proc to its next event. Returns
 * false if the proc is no longer the first one, because it waits or has no more events, or if
 * `*status` is an error.
 */
static bool v1_merge_take(struct gt_v1 *v1, struct gt_v1_proc *proc, gt_status *status)
{
    const struct gt_v1_action *action = &gt_v1_actions[proc->lane.type];
    struct gt_event_data *data = v1->output.next;
    v1_set_context(data, proc);
    data->event.kind = action->kind;
    data->type = action->type;
    v1->output.ticks = proc->ticks;
    gt_result result = v1_merge_check(v1, proc, action->rule(v1, proc, data));
    if (result == GT_RESULT_WAIT || result == GT_RESULT_ERROR) {
        *status =
            result == GT_RESULT_WAIT ? v1_merge_park(v1, proc) : (gt_status) v1->error->status;
        return false;
    }
    if (result != GT_RESULT_ELSEWHERE)
        proc->forced = false;
    if (result < GT_RESULT_NONE)
        v1_output_finish(v1, result);
    if (gt_v1_proc_next(v1, proc, proc->pos, v1->version < 7))
        return true;
    gt_frontier_remove(&v1->merge.frontier);
    return false;
}

/*
 * Takes events of the first proc, then of whichever proc is the first one, while there is room and
 * no other event comes next. There must be room for one event.
 */
static gt_status v1_merge_run(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    struct gt_frontier *frontier = &v1->merge.frontier;
    const struct gt_event_data *last = v1_output_last(v1);
    gt_status status = GT_OK;
    do {
        if (!v1_merge_take(v1, proc, &status))
            break;
        if (proc->lane.time >= frontier->next_time) {
            gt_frontier_resift(frontier);
            proc = v1_proc_of(frontier->first);
        }
    } while (v1->output.next <= last && proc->lane.time < v1->merge.until);
    return status;
}

static GT_ALWAYS_INLINE struct gt_v1_place v1_place_of(const struct gt_v1_proc *proc)
{
    return (struct gt_v1_place){proc->pos, proc->ticks, proc->lane.type};
}

static GT_ALWAYS_INLINE void v1_place_store(const struct gt_v1_place *place,
                                            struct gt_v1_proc *proc)
{
    proc->pos = place->pos;
    proc->lane.time = proc->ticks = place->ticks;
    proc->lane.type = place->type;
}

/*
 * Advances to the proc's next event, at `p` or later. Returns false if there is none, and then
 * leaves `*place` undefined.
 */
static GT_ALWAYS_INLINE bool v1_place_next(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                           struct gt_v1_place *place, const uint8_t *p)
{
    if (GT_UNLIKELY(p == proc->end || gt_v1_event_roles[*p & 0x3f] == GT_V1_ROLE_NONE)) {
        proc->ticks = place->ticks;
        bool has_next = gt_v1_proc_next(v1, proc, p, false);
        *place = v1_place_of(proc);
        return has_next;
    }
    const struct gt_varint span = gt_v1_varint_read(*p >> 6 == GT_V1_COUNTED ? p + 2 : p + 1);
    proc->event = p;
    *place = (struct gt_v1_place){span.end, gt_v1_add(place->ticks, span.value), *p & 0x3f};
    return true;
}

/* Takes an event that no quick case handles, as v1_merge_take does. */
static GT_NOINLINE bool v1_merge_take_unusual(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                              struct gt_event_data *data, gt_status *status)
{
    v1->output.next = data;
    bool goes_on = v1_merge_take(v1, proc, status);
    if (gt_v1_is_repaired(v1))
        v1->merge.until = INT64_MIN;
    return goes_on;
}

/* Does what v1_merge_run does, with quick cases. Used while gt_v1_quick_is_possible. */
static gt_status v1_merge_run_quick(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    struct gt_frontier *frontier = &v1->merge.frontier;
    struct gt_event_data *data = v1->output.next;
    const struct gt_event_data *last = v1_output_last(v1);
    gt_status status = GT_OK;
    struct gt_v1_place place = v1_place_of(proc);
    for (;;) {
        v1_set_context(data, proc);
        const uint8_t *next =
            place.ticks >= v1->merge.last_ticks ? gt_v1_quick_take(v1, proc, &place, &data) : NULL;
        if (next) {
            v1->merge.last_ticks = place.ticks;
            data->event.time = gt_v1_next_time(v1, place.ticks);
            data++;
            if (GT_UNLIKELY(!v1_place_next(v1, proc, &place, next))) {
                gt_frontier_remove(frontier);
                break;
            }
        } else {
            v1_place_store(&place, proc);
            bool goes_on = v1_merge_take_unusual(v1, proc, data, &status);
            data = v1->output.next;
            if (!goes_on)
                break;
            place = v1_place_of(proc);
        }
        if (place.ticks >= frontier->next_time) {
            v1_place_store(&place, proc);
            gt_frontier_resift(frontier);
            proc = v1_proc_of(frontier->first);
            place = v1_place_of(proc);
        }
        if (data > last || place.ticks >= v1->merge.until) {
            v1_place_store(&place, proc);
            break;
        }
    }
    v1->output.next = data;
    return status;
}

/*
 * The time up to which only events of procs come next. At that time a late event follows. If a
 * parked event may have to be forced, there is no such time, and the result is INT64_MIN.
 */
static int64_t v1_merge_until(const struct gt_v1 *v1)
{
    bool may_force = v1->repair.lenient && v1->merge.frontier.parked_count != 0;
    return may_force ? INT64_MIN : v1_merge_late_time(v1);
}

gt_status gt_v1_merge(struct gt_v1 *v1)
{
    gt_status status = GT_OK;
    if (v1->state.owed)
        gt_v1_add_owed(v1);
    while (status == GT_OK && v1->output.next <= v1_output_last(v1)) {
        const struct gt_lane *lane = v1->merge.frontier.first;
        if (!lane || lane->time >= v1->merge.until) {
            enum v1_step step = v1_merge_step(v1);
            v1->merge.until = v1_merge_until(v1);
            if (step == V1_STEP_ERROR)
                return (gt_status) v1->error->status;
            if (step == V1_STEP_END)
                return GT_END;
            if (step == V1_STEP_LOOK)
                continue;
        }
        struct gt_v1_proc *proc = v1_proc_of(v1->merge.frontier.first);
        if (!v1->output.began)
            v1_output_begin(v1, proc->ticks);
        status =
            gt_v1_quick_is_possible(v1) ? v1_merge_run_quick(v1, proc) : v1_merge_run(v1, proc);
        if (v1->state.owed)
            gt_v1_add_owed(v1);
    }
    return status;
}
