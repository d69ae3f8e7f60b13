/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * path_sums COUNT TRACE...: checks that critical paths have no gap, no overlap and the length of
 * their interval: for every region and task of each trace, and for COUNT random intervals of its
 * goroutines. It notes itself when regions and tasks begin and end. For each trace it also checks
 * the sums by row that gt_path makes of regions, tasks and lives of goroutines, and prints
 * REGIONS TASKS RANDOM PARTS NAME. Fails if a path is wrong.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <gotrace/gotrace.h>

enum {
    REGION,
    TASK,
    KINDS,
    /* How far random intervals go beyond the begin and the end of the trace. */
    BEYOND = 9
};

/* An interval, or the begin of one, which is then known by its goroutine or its task. */
struct interval {
    int64_t goroutine;
    uint64_t task;
    int64_t start;
    int64_t end;
};

struct list {
    struct interval *items;
    size_t count;
    size_t capacity;
};

struct trace {
    const char *name;
    gt_path *all;          /* follows any interval */
    gt_path *kinds[KINDS]; /* add up regions, and tasks */
    gt_path *lives;
    struct list open[KINDS];
    struct list ended[KINDS];
    struct list goroutines;
    int64_t start, end;
    uint64_t parts;
    uint64_t seed;
};

static void list_add(struct list *list, struct interval interval)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 16;
        list->items = realloc(list->items, list->capacity * sizeof(*list->items));
        if (!list->items)
            exit(3);
    }
    list->items[list->count++] = interval;
}

/* A task that begins again is one that begins then. */
static void note_task(struct trace *trace, const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    struct list *open = &trace->open[TASK];
    if (gt_event_task(event, &task) != GT_OK)
        return;
    size_t at = 0;
    while (at < open->count && open->items[at].task != task.id)
        at++;
    if (event->kind == GT_EVENT_TASK_BEGIN) {
        const struct interval begin = {0, task.id, event->time, 0};
        if (at == open->count)
            list_add(open, begin);
        else
            open->items[at] = begin;
    } else if (at < open->count) {
        list_add(&trace->ended[TASK],
                 (struct interval){event->goroutine, task.id, open->items[at].start, event->time});
        open->items[at] = open->items[--open->count];
    }
}

/* Regions of a goroutine are nested, so that the last one that has begun ends first. */
static void note_region(struct trace *trace, const gt_event *event)
{
    struct list *open = &trace->open[REGION];
    if (event->kind == GT_EVENT_REGION_BEGIN) {
        list_add(open, (struct interval){event->goroutine, 0, event->time, 0});
        return;
    }
    size_t at = open->count;
    while (at > 0 && open->items[at - 1].goroutine != event->goroutine)
        at--;
    if (at == 0)
        return;
    list_add(&trace->ended[REGION],
             (struct interval){event->goroutine, 0, open->items[at - 1].start, event->time});
    for (; at < open->count; at++)
        open->items[at - 1] = open->items[at];
    open->count--;
}

/* The regions of a goroutine that has ended end no more. */
static void forget_regions(struct trace *trace, int64_t goroutine)
{
    struct list *open = &trace->open[REGION];
    size_t kept = 0;
    for (size_t i = 0; i < open->count; i++) {
        if (open->items[i].goroutine != goroutine)
            open->items[kept++] = open->items[i];
    }
    open->count = kept;
}

static void note_goroutine(struct trace *trace, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    if (gt_event_transition(event, &change) != GT_OK ||
        change.resource.kind != GT_RESOURCE_GOROUTINE)
        return;
    if (change.from == GT_GO_NOT_EXIST || change.from == GT_GO_UNDETERMINED)
        list_add(&trace->goroutines, (struct interval){change.resource.id, 0, 0, 0});
    if (change.to == GT_GO_NOT_EXIST || change.from == GT_GO_NOT_EXIST)
        forget_regions(trace, change.resource.id);
}

static void note(struct trace *trace, const gt_event *event)
{
    trace->end = event->time;
    switch (event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        note_goroutine(trace, event);
        break;
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        note_task(trace, event);
        break;
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        note_region(trace, event);
        break;
    default:
        break;
    }
}

static gt_status take(struct trace *trace, gt_reader *reader, const gt_event *event)
{
    gt_status status = gt_path_event(trace->all, reader, event);
    for (int kind = 0; kind < KINDS && status == GT_OK; kind++)
        status = gt_path_event(trace->kinds[kind], reader, event);
    if (status == GT_OK)
        status = gt_path_event(trace->lives, reader, event);
    note(trace, event);
    return status;
}

static gt_status read_all(struct trace *trace)
{
    gt_reader *reader;
    const gt_event *event;
    bool has_begun = false;
    gt_status status = gt_reader_open_file(&reader, trace->name, NULL, NULL);
    while (status == GT_OK && (status = gt_reader_next_event(reader, &event)) == GT_OK) {
        if (!has_begun)
            trace->start = event->time;
        has_begun = true;
        status = take(trace, reader, event);
    }
    gt_reader_close(&reader);
    return status;
}

static bool complain(const struct trace *trace, const struct interval *interval, const char *what)
{
    fprintf(stderr, "%s: goroutine %" PRId64 " from %" PRId64 " to %" PRId64 ": %s\n", trace->name,
            interval->goroutine, interval->start, interval->end, what);
    return false;
}

/* Whether the parts follow one another from the start of the interval to its end. */
static bool is_whole(struct trace *trace, const struct interval *interval)
{
    gt_path_part part = GT_PATH_PART_INIT;
    int64_t at = interval->start;
    gt_status status =
        gt_path_follow(trace->all, interval->goroutine, interval->start, interval->end);
    if (status == GT_ERR_NOT_AVAILABLE && interval->goroutine == GT_NO_GOROUTINE)
        return true;
    if (status != GT_OK)
        return complain(trace, interval, gt_status_text(status));
    for (size_t i = 0; gt_path_get_part(trace->all, i, &part) == GT_OK; i++) {
        if (part.start != at || part.end <= part.start)
            return complain(trace, interval, "its parts do not follow one another");
        at = part.end;
        trace->parts++;
    }
    return at == interval->end || complain(trace, interval, "its parts do not add up");
}

/* Whether the rows of all intervals have their time. */
static bool adds_up(const struct trace *trace, gt_path *path)
{
    const struct interval all = {0};
    int64_t time = 0;
    if (gt_path_finish(path) != GT_OK || gt_path_select(path, 0, INT64_MAX) != GT_OK)
        return complain(trace, &all, "no rows");
    for (size_t i = 0; i < gt_path_interval_count(path); i++) {
        gt_path_interval interval = GT_PATH_INTERVAL_INIT;
        gt_path_get_interval(path, i, &interval);
        time += interval.end - interval.start;
    }
    for (size_t i = 0; i < gt_path_row_count(path); i++) {
        gt_path_row row = GT_PATH_ROW_INIT;
        gt_path_get_row(path, i, &row);
        time -= row.time;
    }
    return time == 0 || complain(trace, &all, "the rows do not add up");
}

/* Regions and tasks are those that the path has found itself. */
static bool check_kind(struct trace *trace, int kind)
{
    const struct list *list = &trace->ended[kind];
    const struct interval all = {0};
    if (gt_path_interval_count(trace->kinds[kind]) != list->count)
        return complain(trace, &all, kind == TASK ? "other tasks" : "other regions");
    for (size_t i = 0; i < list->count; i++) {
        if (!is_whole(trace, &list->items[i]))
            return false;
    }
    return adds_up(trace, trace->kinds[kind]);
}

static uint64_t chance(struct trace *trace, uint64_t limit)
{
    trace->seed ^= trace->seed << 13;
    trace->seed ^= trace->seed >> 7;
    trace->seed ^= trace->seed << 17;
    return trace->seed % limit;
}

static bool check_random(struct trace *trace, long count)
{
    uint64_t length = (uint64_t) (trace->end - trace->start) + 2 * BEYOND + 1;
    for (long i = 0; i < count && trace->goroutines.count > 0; i++) {
        struct interval interval =
            trace->goroutines.items[chance(trace, (uint64_t) trace->goroutines.count)];
        int64_t one = trace->start - BEYOND + (int64_t) chance(trace, length);
        int64_t other = trace->start - BEYOND + (int64_t) chance(trace, length);
        interval.start = one < other ? one : other;
        interval.end = one < other ? other : one;
        if (!is_whole(trace, &interval))
            return false;
    }
    return true;
}

static gt_path *open_path(uint64_t flags)
{
    gt_path *path;
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    options.flags = flags;
    return gt_path_open(&path, &options, NULL) == GT_OK ? path : NULL;
}

static void close_all(struct trace *trace)
{
    gt_path_close(&trace->all);
    gt_path_close(&trace->lives);
    for (int kind = 0; kind < KINDS; kind++) {
        gt_path_close(&trace->kinds[kind]);
        free(trace->open[kind].items);
        free(trace->ended[kind].items);
    }
    free(trace->goroutines.items);
}

static bool check(const char *name, long count)
{
    struct trace trace = {.name = name, .seed = 24};
    trace.all = open_path(0);
    trace.kinds[REGION] = open_path(GT_PATH_REGIONS);
    trace.kinds[TASK] = open_path(GT_PATH_TASKS);
    trace.lives = open_path(GT_PATH_GOROUTINES);
    /* What a damaged trace has before its fault counts. */
    gt_status status = read_all(&trace);
    bool is_good = status != GT_ERR_NO_MEMORY && status != GT_ERR_INVALID_ARGUMENT;
    is_good = is_good && check_kind(&trace, REGION) && check_kind(&trace, TASK) &&
              adds_up(&trace, trace.lives) && check_random(&trace, count);
    printf("%zu %zu %ld %" PRIu64 " %s\n", trace.ended[REGION].count, trace.ended[TASK].count,
           trace.goroutines.count > 0 ? count : 0, trace.parts, name);
    close_all(&trace);
    return is_good;
}

int main(int argc, char **argv)
{
    bool is_good = argc > 2;
    for (int i = 2; i < argc; i++)
        is_good = check(argv[i], strtol(argv[1], NULL, 10)) && is_good;
    return is_good ? 0 : 1;
}
