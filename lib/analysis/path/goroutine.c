/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/path/path.h"

#include <gotrace/reader.h>

#include "analysis/frames.h"
#include "base/hash.h"
#include "base/procs.h"
#include "base/time.h"

gt_status gt_path_stack_number(struct gt_path *path, gt_stack stack, uint32_t *number)
{
    *number = 0;
    if (stack == GT_STACK_NONE || !gt_frames_are_known(path->reader, path->event))
        return GT_OK;
    return gt_stackset_number(&path->stacks, path->reader, path->event, stack, number);
}

static bool path_label_is_same(const struct gt_path_label *a, const struct gt_path_label *b)
{
    return a->stack == b->stack && a->state == b->state && a->reason == b->reason;
}

/* Sets `*number` to the number of a label that is not among the recent ones. */
static gt_status path_label_find(struct gt_path *path, const struct gt_path_label *label,
                                 uint32_t *number)
{
    uint64_t hash =
        gt_hash_pair((uint64_t) label->reason << 3 | label->state, label->stack, path->secret);
    const struct gt_path_label *known;
    GT_INDEX_FIND(known, &path->labels, &path->label_index, hash, path_label_is_same(known, label));
    *number = (uint32_t) gt_array_index(&path->labels, known);
    return known ? GT_OK
                 : gt_index_append(&path->label_index, &path->labels, &path->mem, hash, *label);
}

gt_status gt_path_label_number(struct gt_path *path, struct gt_path_label label, uint32_t *number)
{
    uint64_t key = (uint64_t) label.stack << 32 | (uint64_t) label.reason << 3 | label.state;
    uint32_t *place = gt_recent_place(&path->recent_labels, key);
    const struct gt_path_label *known;
    GT_RECENT_FIND(known, &path->labels, place, path_label_is_same(known, &label));
    if (!known) {
        gt_status status = path_label_find(path, &label, place);
        if (status != GT_OK)
            return status;
    }
    *number = *place;
    return GT_OK;
}

/* For how long until now no proc was idle. */
static int64_t path_busy_time(const struct gt_path *path)
{
    if (!path->is_busy)
        return path->busy_before;
    return gt_time_plus(path->busy_before, gt_time_minus(path->now, path->busy_since));
}

static void path_busy_update(struct gt_path *path)
{
    bool is_busy = path->procs > 0 && path->procs_held >= path->procs;
    if (is_busy == path->is_busy)
        return;
    path->busy_before = path_busy_time(path);
    path->busy_since = path->now;
    path->is_busy = is_busy;
}

/* Where no event tells GOMAXPROCS at first, the reader knows it once goroutines run. */
static void path_first_procs_find(struct gt_path *path)
{
    path->procs = gt_reader_get_first_procs(path->reader);
    path_busy_update(path);
}

void gt_path_metric(struct gt_path *path, const gt_event *event)
{
    if (gt_procs_take(event, &path->procs))
        path_busy_update(path);
}

/* A thread takes a proc, or leaves it. */
static gt_status path_proc_change(struct gt_path *path, const gt_transition *change)
{
    enum {
        PROC_IDLE = 1,
        PROC_HELD = 2
    };

    uint64_t id = (uint64_t) change->resource.id;
    size_t from = gt_idmap_get_number(&path->proc_states, id);
    size_t to = change->to == GT_PROC_RUNNING ? PROC_HELD : PROC_IDLE;
    if (from == to)
        return GT_OK;
    path->procs_held += to == PROC_HELD;
    path->procs_held -= from == PROC_HELD;
    path_busy_update(path);
    return gt_idmap_put_number(&path->proc_states, id, to);
}

/* Releases the goroutines whose last records are in the oldest chunk, which is to be dropped. */
static gt_status path_chunk_forget(struct gt_path *path, const struct gt_history_chunk *chunk)
{
    uint64_t at = gt_history_oldest_number(&path->history), next;
    struct gt_history_record record;
    for (uint32_t i = 0; i < chunk->count; i++, at = next) {
        next = gt_history_get(&path->history, at, &record);
        const struct gt_path_goroutine *goroutine = &path->goroutines.items[record.goroutine];
        if (!goroutine->is_gone || goroutine->last != at)
            continue;
        int64_t id = goroutine->id;
        gt_status status = gt_array_add(&path->mem, &path->free, record.goroutine);
        if (status != GT_OK)
            return status;
        if (gt_path_goroutine_number(path, id) == (size_t) record.goroutine + 1)
            gt_idmap_remove(&path->numbers, (uint64_t) id);
    }
    return GT_OK;
}

/* A change of the state of a goroutine, as it will be recorded. */
struct path_change {
    size_t goroutine; /* its number */
    int64_t time;
    uint64_t cause; /* the number of a record, or 0 */
    struct gt_path_label label;
};

static gt_status path_change_add(struct gt_path *path, const struct path_change *change)
{
    const struct gt_history_chunk *oldest = gt_history_oldest(&path->history);
    gt_status status = oldest ? path_chunk_forget(path, oldest) : GT_OK;
    struct gt_path_goroutine *goroutine = &path->goroutines.items[change->goroutine];
    struct gt_history_record record = {
        .time = change->time,
        .previous = goroutine->last,
        .cause = change->cause,
        .goroutine = (uint32_t) change->goroutine,
    };
    if (status == GT_OK)
        status = gt_path_label_number(path, change->label, &record.label);
    if (status == GT_OK)
        status = gt_history_reserve(&path->history);
    if (status != GT_OK)
        return status;
    path->changes++;
    goroutine->last = gt_history_add(&path->history, &record);
    goroutine->since = change->time;
    goroutine->state = (uint8_t) change->label.state;
    return GT_OK;
}

/* Notes whether the procs were busy during most of the time for which the goroutine was runnable.
 */
static void path_runnable_leave(struct gt_path *path, const struct gt_path_goroutine *goroutine)
{
    if (goroutine->state != GT_PATH_SCHED_IDLE)
        return;
    uint64_t all = gt_time_span(goroutine->since, path->now);
    uint64_t busy = gt_time_span(goroutine->busy, path_busy_time(path));
    if (busy >= all - busy)
        gt_history_set_busy(&path->history, goroutine->last);
}

/* Ends the existence of a goroutine, whose time so far is an interval if it was created. */
static gt_status path_goroutine_end(struct gt_path *path, size_t number, uint32_t stack)
{
    struct gt_path_goroutine *goroutine = &path->goroutines.items[number];
    gt_path_regions_drop(path, goroutine);
    gt_status status = GT_OK;
    path_runnable_leave(path, goroutine);
    if (goroutine->has_birth && path->options.flags & GT_PATH_GOROUTINES) {
        const struct gt_path_found found = {.start = goroutine->born, .name = goroutine->name};
        status = gt_path_interval_end(path, number + 1, &found, stack);
    }
    const struct path_change change = {number, path->now, 0, {GT_PATH_UNKNOWN, 0, stack}};
    if (status == GT_OK)
        status = path_change_add(path, &change);
    path->goroutines.items[number].is_gone = true;
    return status;
}

gt_status gt_path_goroutines_end(struct gt_path *path)
{
    gt_status status = GT_OK;
    for (size_t i = 0; i < path->goroutines.count && status == GT_OK; i++) {
        const struct gt_path_goroutine *goroutine = &path->goroutines.items[i];
        if (goroutine->is_gone || !goroutine->has_birth)
            continue;
        const struct gt_path_found found = {.start = goroutine->born, .name = goroutine->name};
        status = gt_path_interval_end(path, i + 1, &found, 0);
    }
    return status;
}

/* Sets `*number` to the number of a new goroutine. */
static gt_status path_goroutine_add(struct gt_path *path, int64_t id, size_t *number)
{
    static const struct gt_path_goroutine blank;
    gt_status status = GT_OK;
    *number = path->goroutines.count;
    if (path->free.count > 0)
        *number = path->free.items[path->free.count - 1];
    else if (path->goroutines.count < UINT32_MAX)
        status = gt_array_add(&path->mem, &path->goroutines, blank);
    else
        status = gt_mem_fail(&path->mem, GT_ERR_LIMIT);
    if (status == GT_OK)
        status = gt_idmap_put_number(&path->numbers, (uint64_t) id, *number + 1);
    if (status != GT_OK)
        return status;
    path->free.count -= path->free.count > 0;
    path->goroutines.items[*number] = blank;
    path->goroutines.items[*number].id = id;
    return GT_OK;
}

static gt_status path_goroutine_name(struct gt_path *path, struct gt_path_goroutine *goroutine,
                                     uint32_t stack)
{
    if (goroutine->name != 0 || stack == 0)
        return GT_OK;
    return gt_texts_add(&path->texts, gt_stackset_root(&path->stacks, stack), &goroutine->name);
}

/* The number of the last record of the goroutine that made the transition of another one, or 0. */
static uint64_t path_cause(const struct gt_path *path, const gt_event *event, int64_t id)
{
    if (event->goroutine == id || event->goroutine == GT_NO_GOROUTINE)
        return 0;
    const struct gt_path_goroutine *other = gt_path_goroutine_get(path, event->goroutine);
    return other && !other->is_gone ? other->last : 0;
}

static uint32_t path_state(uint32_t go_state)
{
    static const uint32_t states[] = {
        [GT_GO_UNDETERMINED] = GT_PATH_UNKNOWN, [GT_GO_NOT_EXIST] = GT_PATH_UNKNOWN,
        [GT_GO_RUNNABLE] = GT_PATH_SCHED_IDLE,  [GT_GO_RUNNING] = GT_PATH_RUNNING,
        [GT_GO_WAITING] = GT_PATH_WAITING,      [GT_GO_SYSCALL] = GT_PATH_SYSCALL,
    };
    return go_state <= GT_GO_SYSCALL ? states[go_state] : GT_PATH_UNKNOWN;
}

/*
 * Finds the number of the goroutine that changes its state, which may be new. Traces of Go 1.22 to
 * 1.24 can name a goroutine again that has ended.
 */
static gt_status path_goroutine_find(struct gt_path *path, const gt_transition *change,
                                     size_t *number)
{
    size_t known = gt_path_goroutine_number(path, change->resource.id);
    if (known == 0)
        return path_goroutine_add(path, change->resource.id, number);
    *number = known - 1;
    struct gt_path_goroutine *goroutine = &path->goroutines.items[*number];
    bool was_gone = goroutine->is_gone;
    if (change->from != GT_GO_NOT_EXIST) {
        goroutine->has_birth = goroutine->has_birth && !was_gone;
        goroutine->is_gone = false;
        return GT_OK;
    }
    gt_status status = was_gone ? GT_OK : path_goroutine_end(path, *number, 0);
    uint64_t last = path->goroutines.items[*number].last;
    if (status == GT_OK)
        status = path_goroutine_add(path, change->resource.id, number);
    /* The past of the id goes on, so that a time can be asked for in which it was another one's. */
    if (status == GT_OK)
        path->goroutines.items[*number].last = last;
    return status;
}

/* Sets what a goroutine has from its first transition. */
static void path_goroutine_enter(struct gt_path *path, struct path_change *change,
                                 const gt_transition *from)
{
    struct gt_path_goroutine *goroutine = &path->goroutines.items[change->goroutine];
    if (goroutine->last != 0 && from->from != GT_GO_NOT_EXIST)
        return;
    /* It has been in this state from before the trace. */
    if (from->from == GT_GO_UNDETERMINED)
        change->time = path->start;
    goroutine->has_birth = from->from == GT_GO_NOT_EXIST;
    goroutine->born = path->now;
}

static gt_status path_change_make(struct gt_path *path, const gt_event *event,
                                  const gt_transition *from, struct path_change *change)
{
    struct gt_path_goroutine *goroutine = &path->goroutines.items[change->goroutine];
    bool is_caused = goroutine->state == GT_PATH_WAITING || from->from == GT_GO_NOT_EXIST;
    uint32_t own;
    gt_status status = gt_path_stack_number(path, from->stack, &own);
    if (status == GT_OK)
        status = path_goroutine_name(path, goroutine, own);
    if (is_caused)
        change->cause = path_cause(path, event, goroutine->id);
    change->label.state = path_state(from->to);
    change->label.stack = own;
    if (status == GT_OK && change->cause != 0)
        status = gt_path_stack_number(path, gt_event_stack(event), &change->label.stack);
    if (status == GT_OK && from->to == GT_GO_WAITING)
        status = gt_texts_add(&path->texts, from->reason, &change->label.reason);
    return status;
}

/*
 * A coroutine that is switched to runs from the moment on at which the other one ended its wait:
 * the change takes the place of the one by which it became runnable, unless that was dropped.
 */
static void path_change_switch(struct gt_path *path, struct path_change *change)
{
    struct gt_path_goroutine *goroutine = &path->goroutines.items[change->goroutine];
    struct gt_history_record runnable;
    if (gt_history_get(&path->history, goroutine->last, &runnable) == 0)
        return;
    change->time = runnable.time;
    change->cause = runnable.cause;
    goroutine->last = runnable.previous;
}

gt_status gt_path_transition(struct gt_path *path, const gt_event *event)
{
    gt_transition from = GT_TRANSITION_INIT;
    struct path_change change = {.time = path->now};
    gt_status status = gt_event_transition(event, &from);
    if (status != GT_OK || from.from == from.to)
        return status;
    if (from.resource.kind == GT_RESOURCE_PROC)
        return path_proc_change(path, &from);
    if (from.resource.kind != GT_RESOURCE_GOROUTINE)
        return GT_OK;
    enum gt_switch_step step = gt_switch_take(&path->switched, event, &from);
    if (from.to == GT_GO_NOT_EXIST && gt_path_goroutine_number(path, from.resource.id) == 0)
        return GT_OK;
    if (path->procs == 0 && from.to == GT_GO_RUNNING)
        path_first_procs_find(path);
    status = path_goroutine_find(path, &from, &change.goroutine);
    if (status == GT_OK)
        status = path_change_make(path, event, &from, &change);
    if (status != GT_OK)
        return status;
    if (from.to == GT_GO_NOT_EXIST)
        return path_goroutine_end(path, change.goroutine, change.label.stack);
    path_goroutine_enter(path, &change, &from);
    if (step == GT_SWITCH_STARTS)
        path_change_switch(path, &change);
    else
        path_runnable_leave(path, &path->goroutines.items[change.goroutine]);
    if (change.label.state == GT_PATH_SCHED_IDLE)
        path->goroutines.items[change.goroutine].busy =
            change.time == path->now ? path_busy_time(path) : 0;
    return path_change_add(path, &change);
}

gt_status gt_path_sample(struct gt_path *path, const gt_event *event)
{
    size_t number = gt_path_goroutine_number(path, event->goroutine);
    if (number == 0 || path->goroutines.items[number - 1].state != GT_PATH_RUNNING)
        return GT_OK;
    struct path_change change = {number - 1, path->now, 0, {GT_PATH_RUNNING, 0, 0}};
    gt_status status = gt_path_stack_number(path, gt_event_stack(event), &change.label.stack);
    return status == GT_OK ? path_change_add(path, &change) : status;
}
