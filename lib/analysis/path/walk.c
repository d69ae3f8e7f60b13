/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/path/path.h"

#include "base/time.h"

/*
 * The path of an interval is found backwards. The position is a time, at which the goroutine of the
 * record `record` is in the state that began with this record. Where the path goes on in another
 * goroutine, it does so down to a limit, at which it returns to the wait that is on the stack
 * path->waits. A limit is always later than those below it on the stack, so that a wait whose begin
 * is the current limit needs no place there, and goroutines that wake each other in turn take none.
 *
 * Every step leads to an earlier time or, at the same time, to a record with a lower number. A path
 * therefore ends, whatever the trace says.
 */
struct path_walk {
    struct gt_path *path;
    struct gt_path_query *query;
    uint64_t record; /* 0: it is not known which one */
    int64_t position;
    int64_t limit;
    uint32_t stack; /* where the goroutine was at the position */
};

/* Sets `*label` to the label under which a part with the state of this record counts. */
static gt_status path_part_label(struct path_walk *walk, const struct gt_history_record *record,
                                 uint32_t *label)
{
    struct gt_path_label what = walk->path->labels.items[record->label];
    *label = record->label;
    if (what.state == GT_PATH_WAITING || what.state == GT_PATH_SYSCALL)
        return GT_OK;
    what.stack = what.state == GT_PATH_RUNNING ? walk->stack : 0;
    if (record->is_busy)
        what.state = GT_PATH_SCHED_BUSY;
    return gt_path_label_number(walk->path, what, label);
}

/* Adds the part from `start` to the position, as far as it is within the interval. */
static gt_status path_part_add(struct path_walk *walk, int64_t start, uint32_t goroutine,
                               uint32_t label)
{
    struct gt_path *path = walk->path;
    const struct gt_path_query *query = walk->query;
    int64_t end = walk->position < query->end ? walk->position : query->end;
    walk->position = start;
    if (start >= end)
        return GT_OK;
    const struct gt_path_goroutine *who = &path->goroutines.items[goroutine];
    if (!query->keeps)
        return gt_intervals_add(&path->intervals, who->name, label, gt_time_minus(end, start));
    const struct gt_path_step step = {start, who->id, who->name, label};
    return gt_array_add(&path->mem, &path->steps, step);
}

/* Adds a part of a state without a stack. */
static gt_status path_part_add_plain(struct path_walk *walk, int64_t start, uint32_t state)
{
    const struct gt_path_label plain = {state, 0, 0};
    uint32_t label;
    gt_status status = gt_path_label_number(walk->path, plain, &label);
    return status == GT_OK ? path_part_add(walk, start, (uint32_t) walk->query->goroutine, label)
                           : status;
}

/*
 * Goes back over a wait, which is the state before `record`, to what the goroutine did that ended
 * it. A wait that began at the position itself is just left.
 */
static gt_status path_walk_wait(struct path_walk *walk, const struct gt_history_record *record,
                                const struct gt_history_record *wait)
{
    if (wait->time >= walk->position) {
        walk->record = record->previous;
        return GT_OK;
    }
    if (wait->time > walk->limit) {
        const struct gt_path_wait outer = {record->previous, walk->limit};
        gt_status status = gt_array_add(&walk->path->mem, &walk->path->waits, outer);
        if (status != GT_OK)
            return status;
        walk->limit = wait->time;
    }
    /* The path goes on in the other goroutine. */
    walk->record = record->cause;
    return GT_OK;
}

/* Goes back over the begin of the current record, which is at the position. */
static gt_status path_walk_back(struct path_walk *walk)
{
    const struct gt_path *path = walk->path;
    struct gt_history_record record, previous;
    if (gt_history_get(&path->history, walk->record, &record) == 0) {
        walk->record = 0;
        return GT_OK;
    }
    bool has_previous = gt_history_get(&path->history, record.previous, &previous) != 0;
    walk->stack = path->labels.items[record.label].stack;
    bool was_waiting = has_previous && path->labels.items[previous.label].state == GT_PATH_WAITING;
    if (record.cause != 0 && was_waiting)
        return path_walk_wait(walk, &record, &previous);
    if (record.cause != 0 && (has_previous || record.previous == 0))
        walk->record = record.cause;
    else
        walk->record = has_previous ? record.previous : 0;
    return GT_OK;
}

/* Adds the part of the current state, down to its begin or the limit. */
static gt_status path_walk_state(struct path_walk *walk)
{
    struct gt_history_record record;
    uint32_t label;
    if (gt_history_get(&walk->path->history, walk->record, &record) == 0)
        return path_part_add_plain(walk, walk->limit, GT_PATH_UNKNOWN);
    int64_t start = record.time > walk->limit ? record.time : walk->limit;
    gt_status status = path_part_label(walk, &record, &label);
    return status == GT_OK ? path_part_add(walk, start, record.goroutine, label) : status;
}

/* Returns to the waits whose begin is reached. */
static void path_walk_return(struct path_walk *walk)
{
    struct gt_path *path = walk->path;
    if (walk->position > walk->limit || path->waits.count == 0)
        return;
    const struct gt_path_wait *wait = &path->waits.items[--path->waits.count];
    walk->record = wait->record;
    walk->limit = wait->limit;
}

static bool path_walk_pays(const struct path_walk *walk)
{
    struct gt_path *path = walk->path;
    if (walk->query->keeps || path->options.steps == 0)
        return true;
    if (path->credit == 0)
        return false;
    path->credit--;
    return true;
}

static gt_status path_walk_run(struct path_walk *walk)
{
    gt_status status = GT_OK;
    while (status == GT_OK && walk->position > walk->query->start) {
        if (!path_walk_pays(walk)) {
            walk->query->was_cut = true;
            return path_part_add_plain(walk, walk->query->start, GT_PATH_CUT);
        }
        status = path_walk_state(walk);
        if (status != GT_OK)
            return status;
        path_walk_return(walk);
        if (walk->position > walk->query->start)
            status = path_walk_back(walk);
    }
    return status;
}

/*
 * Goes to the first change of the goroutine at or after the end of the interval, from which the
 * path is followed; what is after the end does not count. Returns false if there is none.
 */
static bool path_walk_seek(struct path_walk *walk)
{
    const struct gt_history *history = &walk->path->history;
    struct gt_history_record record, previous;
    if (gt_history_get(history, walk->record, &record) == 0 || record.time < walk->query->end)
        return false;
    while (gt_history_get(history, record.previous, &previous) != 0 &&
           previous.time >= walk->query->end) {
        walk->record = record.previous;
        record = previous;
    }
    walk->position = record.time;
    return true;
}

gt_status gt_path_walk(struct gt_path *path, struct gt_path_query *query)
{
    struct path_walk walk = {
        path,       query,        path->goroutines.items[query->goroutine].last,
        query->end, query->start, query->stack};
    gt_status status = GT_OK;
    path->waits.count = 0;
    if (path_walk_seek(&walk))
        status = path_walk_back(&walk);
    else if (query->end > path->now)
        status = path_part_add_plain(&walk, path->now > query->start ? path->now : query->start,
                                     GT_PATH_UNKNOWN);
    return status == GT_OK ? path_walk_run(&walk) : status;
}
