/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/merge.h"

#include <string.h>

#include "base/error.h"
#include "v1/decode.h"
#include "v1/order.h"

/* What one step of the merge came to, besides a negative gt_status. */
enum {
    TAKEN = 0,
    NOTHING = 1, /* go on */
    OVER = 2,
    PROC = 3
};

static int64_t next_late(const struct gt_v1 *v1)
{
    int64_t exit = gt_v1_late_time(&v1->exits);
    int64_t sample = gt_v1_late_time(&v1->samples);
    return exit < sample ? exit : sample;
}

static void reset(struct gt_v1 *v1)
{
    gt_idmap_destroy(&v1->goroutines);
    gt_pool_destroy(&v1->goroutine_pool);
    gt_idmap_destroy(&v1->sampled);
    v1->gc_seq = 0;
    v1->taken = 0;
    v1->merged = INT64_MIN;
    v1->exits.next = v1->samples.next = 0;
    v1->late_time = next_late(v1);
    for (size_t i = 0; i < v1->exits.count; i++)
        v1->exits.events[i].place &= ~(uint64_t) 3;
}

/* Goroutines that were sampled, from the last to the first, so that each knows its next. */
static gt_status chain_samples(struct gt_v1 *v1)
{
    if (v1->samples.count == 0)
        return GT_OK;
    if (!v1->sample_next)
        v1->sample_next = gt_mem_alloc(v1->mem, v1->samples.count * sizeof(*v1->sample_next));
    if (!v1->sample_next)
        return gt_v1_fail_memory(v1);
    for (size_t i = v1->samples.count; i > 0; i--) {
        struct gt_v1_event event;
        gt_v1_decode_late(v1, gt_v1_late_offset(&v1->samples.events[i - 1]), &event);
        void *next = gt_idmap_get(&v1->sampled, event.goroutine);
        v1->sample_next[i - 1] = (uint32_t) (uintptr_t) next;
        if (gt_idmap_put(&v1->sampled, event.goroutine, (void *) (uintptr_t) i) != GT_OK)
            return gt_v1_fail_memory(v1);
    }
    return GT_OK;
}

gt_status gt_v1_merge_start(struct gt_v1 *v1)
{
    reset(v1);
    if (gt_frontier_start(&v1->frontier, v1->proc_count) != GT_OK)
        return gt_v1_fail_memory(v1);
    for (struct gt_v1_proc *proc = v1->procs; proc; proc = proc->next) {
        proc->current = 0;
        proc->last_batch = proc->first_batch;
        if (gt_v1_next(v1, proc, gt_v1_open_batch(v1, proc)))
            gt_frontier_add(&v1->frontier, &proc->lane);
    }
    return chain_samples(v1);
}

static struct gt_v1_proc *proc_of(struct gt_lane *lane)
{
    return (struct gt_v1_proc *) lane;
}

static int fail_stuck(struct gt_v1 *v1, const struct gt_v1_proc *proc, const char *repair)
{
    return gt_v1_fault(v1, GT_ERR_STUCK, gt_v1_offset(v1, proc->event), repair,
                       "%s on proc %d, and %u other procs' events, cannot come next",
                       gt_v1_specs[proc->lane.type].name, (int64_t) proc->id,
                       (uint64_t) v1->frontier.parked_count - 1);
}

/* The proc's event was taken, and ends at `p`. */
static inline void advance(struct gt_v1 *v1, struct gt_v1_proc *proc, const uint8_t *p)
{
    struct gt_frontier *f = &v1->frontier;
    gt_v1_set_context(proc, &v1->event);
    if (!gt_v1_next(v1, proc, p)) {
        proc->lane.type = GT_V1_NONE;
        gt_frontier_remove(f);
    } else if (proc->lane.time >= f->next_time) {
        gt_frontier_resift(f);
    }
}

/* Events in an order that is right must have times that do not run backwards. */
static inline int check_time(struct gt_v1 *v1, struct gt_v1_event *event)
{
    if (event->ticks >= v1->merged) {
        v1->merged = event->ticks;
        return TAKEN;
    }
    int64_t back = (int64_t) ((uint64_t) v1->merged - (uint64_t) event->ticks);
    event->ticks = v1->merged;
    return gt_v1_fault(v1, GT_ERR_TIME, gt_v1_offset(v1, event->at), "; it is moved up",
                       "%s comes %d ticks before an event that it must follow",
                       gt_v1_specs[event->type].name, back);
}

/*
 * The end of a system call was recorded when the goroutine had a proc again, and
 * says when it was. Go gives it that time once all events are in order, and sorts
 * again. Here it is given when its time has come, mostly before it is merged.
 */
static int merge_exit(struct gt_v1 *v1, struct gt_v1_event *event)
{
    int64_t time = (int64_t) event->numbers[2]; /* see order_event */
    uint64_t offset = gt_v1_offset(v1, event->at);
    event->proc = NULL;
    event->proc_id = GT_PROC_SYSCALLS;
    if (time == 0)
        return TAKEN;
    struct gt_v1_late_event *late = gt_v1_late_find(&v1->exits, time, offset);
    int is_past = late < &v1->exits.events[v1->exits.next];
    gt_status status = GT_OK;
    if (event->subject->blocked == 0)
        status = gt_v1_fault(v1, GT_ERR_ORDER, offset, "; its time is not used",
                             "goroutine %u leaves a system call that it did not enter",
                             event->numbers[0]);
    else if (time < event->subject->blocked)
        status = gt_v1_fault(v1, GT_ERR_TIME, offset, "; its time is not used",
                             "goroutine %u leaves a system call before it entered it",
                             event->numbers[0]);
    if (status != GT_OK)
        return status;
    if (is_past && gt_v1_late_mark(late) == GT_V1_LATE_GIVEN)
        return NOTHING;
    if (is_past)
        return gt_v1_fault(v1, GT_ERR_ORDER, offset, "; its time is not used",
                           "goroutine %u does not wait when it leaves a system call",
                           event->numbers[0]);
    if (time > event->ticks) {
        late->place |= GT_V1_LATE_MERGED;
        return NOTHING;
    }
    late->place |= GT_V1_LATE_OVER;
    event->ticks = time;
    return TAKEN;
}

static inline int order_event(struct gt_v1 *v1, struct gt_v1_event *event, int force)
{
    if (event->type == GT_V1_GO_SYS_EXIT_LOCAL)
        event->numbers[2] = event->numbers[1];
    int result = gt_v1_order(v1, event, force);
    if (result == GT_V1_READY)
        result = check_time(v1, event);
    if (result == TAKEN &&
        (event->type == GT_V1_GO_SYS_BLOCK || event->type == GT_V1_GO_IN_SYSCALL))
        event->subject->blocked = event->ticks;
    return result;
}

/* With N = 5 the sequence number of all events says the order. */
static int take_numbered(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    struct gt_v1_event *event = &v1->event;
    const uint8_t *p = gt_v1_decode(v1, proc, event);
    int is_exit = event->type == GT_V1_GO_SYS_EXIT;
    advance(v1, proc, p);
    return is_exit ? NOTHING : check_time(v1, event);
}

/* Takes the first proc's event, if it can happen. */
static inline int take_event(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    struct gt_v1_event *event = &v1->event;
    if (v1->version < 7)
        return take_numbered(v1, proc);
    const uint8_t *p = gt_v1_decode(v1, proc, event);
    int force = proc->forced;
    proc->forced = 0;
    event->forced = (uint8_t) force;
    int result = order_event(v1, event, force);
    if (result == GT_V1_NOT_READY)
        return gt_frontier_park(&v1->frontier) == GT_OK ? NOTHING : (int) gt_v1_fail_memory(v1);
    if (result < 0)
        return result;
    advance(v1, proc, p);
    return event->type == GT_V1_GO_SYS_EXIT ? merge_exit(v1, event) : result;
}

static int take_sample(struct gt_v1 *v1)
{
    struct gt_v1_late *samples = &v1->samples;
    size_t index = samples->next++;
    gt_v1_decode_late(v1, gt_v1_late_offset(&samples->events[index]), &v1->event);
    void *next = (void *) (uintptr_t) v1->sample_next[index];
    if (next)
        gt_idmap_put(&v1->sampled, v1->event.goroutine, next);
    else
        gt_idmap_remove(&v1->sampled, v1->event.goroutine);
    v1->late_time = next_late(v1);
    return check_time(v1, &v1->event);
}

/*
 * The time of the first late end of a system call has come. One whose goroutine does
 * not wait is left to the merge, which says what is wrong.
 */
static int take_exit(struct gt_v1 *v1)
{
    struct gt_v1_late_event *late = &v1->exits.events[v1->exits.next++];
    struct gt_v1_event *event = &v1->event;
    v1->late_time = next_late(v1);
    unsigned mark = gt_v1_late_mark(late);
    if (mark == GT_V1_LATE_OVER)
        return NOTHING;
    gt_v1_decode_late(v1, gt_v1_late_offset(late), event);
    event->ticks = late->time;
    if (v1->version < 7) {
        event->ticks = event->numbers[2] != 0 ? (int64_t) event->numbers[2] : v1->merged;
        return check_time(v1, event);
    }
    if (mark == GT_V1_LATE_MERGED)
        return TAKEN;
    event->subject = gt_idmap_get(&v1->goroutines, event->numbers[0]);
    if (!event->subject || event->subject->merged != GT_V1_WAITING)
        return NOTHING;
    late->place |= GT_V1_LATE_GIVEN;
    return TAKEN;
}

/*
 * A lenient merge does not wait for what never comes: once others have got ahead
 * of a proc that waits, its event is let happen as it is. In a good trace none
 * does, as then times would run backwards.
 */
static int force_parked(struct gt_v1 *v1, int64_t time)
{
    struct gt_frontier *f = &v1->frontier;
    int64_t parked = gt_frontier_parked_time(f);
    if (!v1->options.lenient || f->parked_count == 0 ||
        (time != INT64_MAX && (time < parked || time - parked <= v1->slack)))
        return 0;
    struct gt_v1_proc *proc = proc_of(f->parked[0].lane);
    fail_stuck(v1, proc, "; it is let happen");
    proc->forced = 1;
    gt_frontier_wake(f, proc->lane.need, proc->lane.wish_id, proc->lane.wish_seq);
    if (f->first)
        gt_frontier_resift(f);
    else
        gt_frontier_admit(f);
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
 * happen, or the end. Returns PROC where it is that event after all.
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
        return NOTHING;
    if (exit_is_next(v1, gt_v1_late_time(&v1->exits), time))
        return take_exit(v1);
    if (is_sample)
        return take_sample(v1);
    if (lane)
        return PROC;
    return v1->frontier.parked_count != 0 ? fail_stuck(v1, proc_of(v1->frontier.parked[0].lane), "")
                                          : OVER;
}

static inline int step(struct gt_v1 *v1)
{
    const struct gt_lane *lane = v1->frontier.first;
    int is_plain = lane && lane->time < v1->late_time && v1->frontier.parked_count == 0;
    int result = is_plain ? PROC : step_aside(v1);
    return result == PROC ? take_event(v1, proc_of(v1->frontier.first)) : result;
}

static int is_futile(const struct gt_v1 *v1, uint64_t index)
{
    return index / 8 < v1->futile_size && (v1->futile[index / 8] >> index % 8 & 1) != 0;
}

gt_status gt_v1_merge_next(struct gt_v1 *v1)
{
    for (;;) {
        int result = step(v1);
        if (result < 0)
            return (gt_status) result;
        if (result == OVER)
            return GT_END;
        if (result == TAKEN && !is_futile(v1, v1->taken++))
            return GT_OK;
    }
}

int gt_v1_merge_blocks(const struct gt_v1 *v1, const struct gt_v1_event *event)
{
    int64_t ticks;
    if (event->proc->lane.type == GT_V1_NONE ||
        !gt_v1_blocks(v1, event->proc, event->goroutine, &ticks))
        return 0;
    if (v1->samples.count == 0)
        return 1;
    uintptr_t sample = (uintptr_t) gt_idmap_get(&v1->sampled, event->goroutine);
    return sample == 0 || v1->samples.events[sample - 1].time >= ticks;
}
