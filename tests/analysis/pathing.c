/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/pathing.h"

#include <string.h>

#include "support/test.h"

gt_path *pathing_open(uint64_t flags, uint64_t history, uint64_t steps)
{
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    gt_path *path;
    options.flags = flags;
    options.history = history;
    options.steps = steps;
    assert_status(gt_path_open(&path, &options, NULL), GT_OK);
    return path;
}

static gt_event_make_options pathing_event(uint32_t kind, int64_t time, int64_t goroutine)
{
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    options.kind = kind;
    options.time = time;
    options.goroutine = goroutine;
    return options;
}

static gt_status pathing_feed(gt_path *path, const gt_event_make_options *options)
{
    gt_event *event;
    assert_status(gt_event_make(&event, options, NULL), GT_OK);
    gt_status status = gt_path_event(path, NULL, event);
    gt_event_free(&event);
    return status;
}

static gt_frame pathing_frame(uint64_t line)
{
    gt_frame frame = {0};
    frame.pc = line;
    frame.line = line;
    frame.function = (gt_string){"main.work", 9};
    return frame;
}

gt_status pathing_move_at(gt_path *path, int64_t time, int64_t by, int64_t id, uint32_t from,
                          uint32_t to, uint64_t line)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_event_make_options options = pathing_event(GT_EVENT_STATE_TRANSITION, time, by);
    gt_frame frame = pathing_frame(line);
    assert_status(gt_goroutine_transition_make(id, from, to, &change), GT_OK);
    if (line != 0) {
        options.stack = gt_stack_make(1, (uint32_t) line);
        options.frames = &frame;
        options.frame_count = 1;
        change.stack = options.stack;
    }
    options.transition = &change;
    return pathing_feed(path, &options);
}

gt_status pathing_proc(gt_path *path, int64_t time, int64_t id, uint32_t from, uint32_t to)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_event_make_options options = pathing_event(GT_EVENT_STATE_TRANSITION, time, GT_NO_GOROUTINE);
    assert_status(gt_proc_transition_make(id, from, to, &change), GT_OK);
    options.transition = &change;
    return pathing_feed(path, &options);
}

gt_status pathing_procs(gt_path *path, int64_t time, uint64_t count)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_event_make_options options = pathing_event(GT_EVENT_METRIC, time, GT_NO_GOROUTINE);
    metric.name = (gt_string){"/sched/gomaxprocs:threads", 25};
    metric.value.kind = GT_VALUE_UINT64;
    metric.value.number = count;
    options.metric = &metric;
    return pathing_feed(path, &options);
}

gt_status pathing_sample(gt_path *path, int64_t time, int64_t goroutine, uint64_t line)
{
    gt_event_make_options options = pathing_event(GT_EVENT_STACK_SAMPLE, time, goroutine);
    gt_frame frame = pathing_frame(line);
    options.stack = gt_stack_make(1, (uint32_t) line);
    options.frames = &frame;
    options.frame_count = 1;
    return pathing_feed(path, &options);
}

gt_status pathing_region(gt_path *path, uint32_t kind, int64_t time, int64_t goroutine,
                         const char *name)
{
    gt_region region = GT_REGION_INIT;
    gt_event_make_options options = pathing_event(kind, time, goroutine);
    region.type = (gt_string){name, strlen(name)};
    options.region = &region;
    return pathing_feed(path, &options);
}

gt_status pathing_task(gt_path *path, uint32_t kind, int64_t time, int64_t goroutine, uint64_t id,
                       const char *name)
{
    gt_task task = GT_TASK_INIT;
    gt_event_make_options options = pathing_event(kind, time, goroutine);
    task.id = id;
    task.type = (gt_string){name, strlen(name)};
    options.task = &task;
    return pathing_feed(path, &options);
}

gt_status pathing_move(gt_path *path, int64_t time, int64_t by, int64_t id, uint32_t from,
                       uint32_t to)
{
    return pathing_move_at(path, time, by, id, from, to, 0);
}

void pathing_must_move(gt_path *path, int64_t time, int64_t by, int64_t id, uint32_t from,
                       uint32_t to)
{
    assert_status(pathing_move(path, time, by, id, from, to), GT_OK);
}

void pathing_expect_part(const gt_path *path, size_t index, int64_t start, int64_t end,
                         int64_t goroutine, uint32_t state)
{
    gt_path_part part = GT_PATH_PART_INIT;
    assert_status(gt_path_get_part(path, index, &part), GT_OK);
    assert_int_equal(part.start, start);
    assert_int_equal(part.end, end);
    assert_int_equal(part.goroutine, goroutine);
    assert_int_equal(part.state, state);
}

size_t pathing_follow(gt_path *path, int64_t goroutine, int64_t start, int64_t end)
{
    gt_path_part part = GT_PATH_PART_INIT;
    int64_t time = start;
    assert_status(gt_path_follow(path, goroutine, start, end), GT_OK);
    for (size_t i = 0; i < gt_path_part_count(path); i++) {
        assert_status(gt_path_get_part(path, i, &part), GT_OK);
        assert_int_equal(part.start, time);
        assert_true(part.end > part.start);
        time = part.end;
    }
    assert_int_equal(time, end);
    return gt_path_part_count(path);
}
