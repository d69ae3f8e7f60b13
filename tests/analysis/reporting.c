/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/reporting.h"

#include <string.h>

void reporting_feed(gt_report *report, gt_event_make_options *options, int64_t time,
                    int64_t goroutine)
{
    gt_event *event;
    options->time = time;
    options->goroutine = goroutine;
    assert_status(gt_event_make(&event, options, NULL), GT_OK);
    assert_status(gt_report_event(report, NULL, event), GT_OK);
    gt_event_free(&event);
}

void reporting_move_by(gt_report *report, int64_t time, int64_t by, int64_t id, uint32_t from,
                       uint32_t to, const char *reason)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    assert_status(gt_goroutine_transition_make(id, from, to, &change), GT_OK);
    change.reason = (gt_string){reason, strlen(reason)};
    options.kind = GT_EVENT_STATE_TRANSITION;
    options.transition = &change;
    reporting_feed(report, &options, time, by);
}

void reporting_move(gt_report *report, int64_t time, int64_t id, uint32_t from, uint32_t to)
{
    reporting_move_by(report, time, GT_NO_GOROUTINE, id, from, to, "");
}

/* A small number that other functions of these tests have not: analyses have tables by number. */
static uint32_t number_of(const char *function)
{
    enum {
        MOST = 9973
    };

    uint32_t number = 1;
    for (const char *at = function; *at; at++)
        number = (number * 31 + (unsigned char) *at) % MOST;
    return number + 1;
}

static gt_frame frame_of(const char *function)
{
    return (gt_frame){
        .pc = number_of(function), .function = {function, strlen(function)}, .file = {"", 0}};
}

/* Goroutine `by` makes a transition in a function, which is the whole stack of the other one. */
static void move_in(gt_report *report, int64_t time, const char *function, int64_t by,
                    gt_transition *change)
{
    const gt_frame frame = frame_of(function);
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    change->stack = gt_stack_make(1, number_of(function));
    options.kind = GT_EVENT_STATE_TRANSITION;
    options.transition = change;
    options.transition_frames = &frame;
    options.transition_frame_count = 1;
    reporting_feed(report, &options, time, by);
}

void reporting_move_at(gt_report *report, int64_t time, const char *function, int64_t id,
                       uint32_t from, uint32_t to, const char *reason)
{
    gt_transition change = GT_TRANSITION_INIT;
    assert_status(gt_goroutine_transition_make(id, from, to, &change), GT_OK);
    change.reason = (gt_string){reason, strlen(reason)};
    move_in(report, time, function, id, &change);
}

void reporting_create(gt_report *report, int64_t time, int64_t id, uint32_t state)
{
    reporting_create_in(report, time, "main.work", id, state);
}

void reporting_create_in(gt_report *report, int64_t time, const char *function, int64_t id,
                         uint32_t state)
{
    gt_transition change = GT_TRANSITION_INIT;
    assert_status(gt_goroutine_transition_make(id, GT_GO_NOT_EXIST, state, &change), GT_OK);
    move_in(report, time, function, GT_NO_GOROUTINE, &change);
}

void reporting_procs(gt_report *report, int64_t time, uint64_t procs)
{
    static const char name[] = "/sched/gomaxprocs:threads";
    gt_metric metric = GT_METRIC_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    metric.name = (gt_string){name, sizeof(name) - 1};
    metric.value.kind = GT_VALUE_UINT64;
    metric.value.number = procs;
    options.kind = GT_EVENT_METRIC;
    options.metric = &metric;
    reporting_feed(report, &options, time, GT_NO_GOROUTINE);
}

void reporting_set(gt_report *report, const char *name, double value)
{
    assert_status(gt_report_set(report, (gt_string){name, strlen(name)}, value), GT_OK);
}

gt_report *reporting_open(void)
{
    gt_report *report;
    assert_status(gt_report_open(&report, NULL, NULL), GT_OK);
    return report;
}

size_t reporting_number(const gt_report *report, const char *name, gt_report_finding *finding)
{
    size_t i = 0;
    *finding = (gt_report_finding) GT_REPORT_FINDING_INIT;
    while (gt_report_get_finding(report, i, finding) == GT_OK && strcmp(finding->name.data, name))
        i++;
    return i;
}

bool reporting_find(const gt_report *report, const char *name, gt_report_finding *finding)
{
    return reporting_number(report, name, finding) < gt_report_finding_count(report);
}

void reporting_move_proc(gt_report *report, int64_t time, int64_t id, uint32_t from, uint32_t to)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    assert_status(gt_proc_transition_make(id, from, to, &change), GT_OK);
    options.kind = GT_EVENT_STATE_TRANSITION;
    options.transition = &change;
    reporting_feed(report, &options, time, GT_NO_GOROUTINE);
}

void reporting_range(gt_report *report, int64_t time, uint32_t kind, int64_t goroutine,
                     const char *name, const char *cause)
{
    gt_range range = GT_RANGE_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    range.name = (gt_string){name, strlen(name)};
    range.cause = (gt_string){cause, strlen(cause)};
    range.has_cause = cause[0] != 0;
    range.scope.kind = GT_RESOURCE_GOROUTINE;
    range.scope.id = goroutine;
    options.kind = kind;
    options.range = &range;
    reporting_feed(report, &options, time, goroutine);
}

void reporting_stop(gt_report *report, int64_t time, uint32_t kind)
{
    reporting_range(report, time, kind, 1, "stop-the-world", "read mem stats");
}
