/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/states.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* How far times may be pushed on by others. */
#define TIME_SLACK 200

/* From here on ids of goroutines are made up. */
#define MADE_UP_IDS (INT64_C(1) << 62)

/* What is counted of the events that are no transitions of goroutines. */
enum {
    COUNT_METRIC,
    COUNT_TASK_BEGIN,
    COUNT_TASK_END,
    COUNT_REGION_BEGIN,
    COUNT_REGION_END,
    COUNT_LOG,
    COUNT_SAMPLE,
    COUNT_GC,
    COUNT_SWEEP,
    COUNT_ASSIST,
    COUNT_STOP,
    COUNT_BEGIN, /* the same four kinds of range, at their beginning */
    COUNT_PROC_START = COUNT_BEGIN + 4,
    COUNT_PROC_STOP
};

struct read {
    struct states *states;
    gt_reader *reader;
    int64_t first;
    uint64_t syncs;
    size_t capacity;
};

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_stack(struct read *read, const gt_event *event, gt_stack stack)
{
    const gt_frame *frames;
    size_t count;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    if (stack == GT_STACK_NONE)
        return 0;
    assert_status(gt_event_frames(read->reader, event, stack, &frames, &count), GT_OK);
    for (size_t i = 0; i < count; i++) {
        hash = hash_bytes(hash, &frames[i].pc, sizeof(frames[i].pc));
        hash = hash_bytes(hash, &frames[i].line, sizeof(frames[i].line));
        hash = hash_bytes(hash, frames[i].function.data, frames[i].function.size);
        hash = hash_bytes(hash, frames[i].file.data, frames[i].file.size);
    }
    return count == 0 ? 0 : hash;
}

static struct states_step *step_add(struct read *read, int64_t goroutine)
{
    struct states *states = read->states;
    if (states->count == read->capacity) {
        read->capacity = 2 * read->capacity + 100;
        states->steps = realloc(states->steps, read->capacity * sizeof(*states->steps));
        assert_non_null(states->steps);
    }
    struct states_step *step = &states->steps[states->count];
    memset(step, 0, sizeof(*step));
    step->goroutine = goroutine;
    step->number = states->count++;
    return step;
}

static void read_transition(struct read *read, const gt_event *event, const gt_transition *change)
{
    if (change->from == change->to || change->resource.id >= MADE_UP_IDS)
        return;
    struct states_step *step = step_add(read, change->resource.id);
    bool stops = change->from == GT_GO_RUNNING && change->to != GT_GO_NOT_EXIST;
    step->state = change->to;
    step->is_first = change->from == GT_GO_UNDETERMINED;
    step->time = step->is_first ? 0 : event->time - read->first;
    step->stack = stops ? hash_stack(read, event, gt_event_stack(event)) : 0;
    if (stops && change->reason.size < sizeof(step->reason))
        memcpy(step->reason, change->reason.data, change->reason.size);
}

static void read_proc(struct read *read, const gt_transition *change)
{
    if (change->from == GT_PROC_IDLE && change->to == GT_PROC_RUNNING)
        read->states->counts[COUNT_PROC_START]++;
    if (change->from == GT_PROC_RUNNING && change->to == GT_PROC_IDLE)
        read->states->counts[COUNT_PROC_STOP]++;
}

/* Ranges that are active at first begin then; later they are named again, but do not begin. */
static void read_range(struct read *read, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    unsigned kind = COUNT_STOP;
    assert_status(gt_event_range(event, &range), GT_OK);
    if (range.scope.kind == GT_RESOURCE_NONE)
        kind = COUNT_GC;
    else if (range.scope.kind == GT_RESOURCE_PROC)
        kind = COUNT_SWEEP;
    else if (!range.has_cause)
        kind = COUNT_ASSIST;
    if (event->kind == GT_EVENT_RANGE_END)
        read->states->counts[kind]++;
    else if (event->kind == GT_EVENT_RANGE_BEGIN || read->syncs == 1)
        read->states->counts[kind - COUNT_GC + COUNT_BEGIN]++;
}

/* There may be one more GOMAXPROCS at the end. */
static void read_metric(struct read *read, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    assert_status(gt_event_metric(event, &metric), GT_OK);
    if (memcmp(metric.name.data, "/sched/", strlen("/sched/")) == 0)
        return;
    read->states->counts[COUNT_METRIC]++;
    read->states->texts +=
        hash_bytes(metric.value.number, metric.name.data, metric.name.size) + metric.value.number;
}

static void read_user_event(struct read *read, const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    gt_region region = GT_REGION_INIT;
    gt_log log = GT_LOG_INIT;
    uint64_t hash = (uint64_t) event->goroutine;
    if (gt_event_log(event, &log) == GT_OK) {
        read->states->counts[COUNT_LOG]++;
        hash = hash_bytes(hash, log.category.data, log.category.size);
        hash = hash_bytes(hash + log.task, log.message.data, log.message.size);
    } else if (gt_event_region(event, &region) == GT_OK) {
        read->states->counts[COUNT_REGION_BEGIN + (event->kind == GT_EVENT_REGION_END)]++;
        hash = hash_bytes(hash + region.task, region.type.data, region.type.size);
    } else {
        assert_status(gt_event_task(event, &task), GT_OK);
        read->states->counts[COUNT_TASK_BEGIN + (event->kind == GT_EVENT_TASK_END)]++;
        hash = hash_bytes(hash + task.id, task.type.data, task.type.size);
    }
    read->states->texts += hash + hash_stack(read, event, gt_event_stack(event));
}

static void read_event(struct read *read, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    switch (event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        assert_status(gt_event_transition(event, &change), GT_OK);
        if (change.resource.kind == GT_RESOURCE_GOROUTINE)
            read_transition(read, event, &change);
        else
            read_proc(read, &change);
        break;
    case GT_EVENT_METRIC:
        read_metric(read, event);
        break;
    case GT_EVENT_LABEL:
        read->states->labels++;
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        read_range(read, event);
        break;
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
    case GT_EVENT_LOG:
        read_user_event(read, event);
        break;
    case GT_EVENT_STACK_SAMPLE:
        read->states->counts[COUNT_SAMPLE]++;
        read->states->texts += hash_stack(read, event, gt_event_stack(event));
        break;
    default:
        break;
    }
}

static int step_compare(const void *a, const void *b)
{
    const struct states_step *x = a, *y = b;
    if (x->goroutine != y->goroutine)
        return x->goroutine < y->goroutine ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Returns whether the step is one of the same goroutine after `before`, in this state. */
static bool step_follows(const struct states_step *step, const struct states_step *before,
                         gt_go_state state)
{
    return before && before->goroutine == step->goroutine && before->state == state;
}

/*
 * Adds a step of a sorted list to those that remain, of which `*count` are there. The rules are
 * those of the mapping: see docs/writing.md.
 */
static void step_keep(struct states_step *kept, size_t *count, const struct states_step *step)
{
    struct states_step *before = *count != 0 ? &kept[*count - 1] : NULL;
    bool is_known = before && before->goroutine == step->goroutine;
    bool was_called = step_follows(step, before, GT_GO_SYSCALL);
    if (was_called && step->state == GT_GO_NOT_EXIST)
        return; /* it ends in a system call */
    if (was_called && step->state == GT_GO_SYSCALL)
        return; /* and comes back in one */
    if (was_called && step->state == GT_GO_RUNNING && !before->is_first) {
        --*count; /* a system call that has not blocked */
        return;
    }
    if (was_called && step->state == GT_GO_RUNNING) {
        kept[*count] = *step;
        kept[(*count)++].state = GT_GO_RUNNABLE;
    }
    if (step_follows(step, before, GT_GO_NOT_EXIST) && step->is_first)
        return; /* the trace contradicts itself; the copy has another goroutine */
    if (is_known && step->is_first) {
        before->state = step->state; /* it was created so */
        return;
    }
    kept[(*count)++] = *step;
}

void states_read(struct states *states, const void *data, size_t size, bool is_damaged)
{
    struct read read = {.states = states};
    const gt_event *event;
    gt_status status;
    memset(states, 0, sizeof(*states));
    assert_status(gt_reader_open_memory(&read.reader, data, size, NULL, NULL), GT_OK);
    while ((status = gt_reader_next_event(read.reader, &event)) == GT_OK) {
        read.syncs += event->kind == GT_EVENT_SYNC;
        if (read.syncs == 1 && event->kind == GT_EVENT_SYNC)
            read.first = event->time;
        if (event->kind != GT_EVENT_SYNC)
            states->last = event->time - read.first;
        read_event(&read, event);
    }
    if (!is_damaged)
        assert_status(status, GT_END);
    gt_reader_close(&read.reader);
    if (states->count == 0)
        return;
    qsort(states->steps, states->count, sizeof(*states->steps), step_compare);
    struct states_step *kept = malloc(2 * states->count * sizeof(*kept));
    size_t count = 0;
    assert_non_null(kept);
    for (size_t i = 0; i < states->count; i++)
        step_keep(kept, &count, &states->steps[i]);
    free(states->steps);
    states->steps = kept;
    states->count = count;
}

void states_free(struct states *states)
{
    free(states->steps);
}

static void expect_same_reason(const struct states_step *a, const struct states_step *b)
{
    bool is_stop = a->state == GT_GO_RUNNABLE;
    if (strcmp(a->reason, b->reason) != 0)
        assert_string_equal(b->reason, is_stop ? "preempted" : "");
}

static void expect_same_step(const struct states_step *a, const struct states_step *b,
                             int64_t shift)
{
    if (a->goroutine != b->goroutine || a->state != b->state || a->stack != b->stack)
        fail_msg("input: goroutine %lld becomes %d at %lld, copy: %lld becomes %d at %lld",
                 (long long) a->goroutine, (int) a->state, (long long) a->time,
                 (long long) b->goroutine, (int) b->state, (long long) b->time);
    expect_same_reason(a, b);
    if (a->is_first || b->is_first)
        return;
    int64_t late = b->time - a->time - shift;
    if (late < 0 || late > TIME_SLACK)
        fail_msg("goroutine %lld becomes %d %lld ns late", (long long) a->goroutine, (int) a->state,
                 (long long) late);
}

/* Whether a goroutine runs at the end of a trace, by its last step. */
static bool step_runs_at_end(const struct states *states, size_t i)
{
    bool is_last =
        i + 1 == states->count || states->steps[i + 1].goroutine != states->steps[i].goroutine;
    return is_last && states->steps[i].state == GT_GO_RUNNING;
}

/* What runs until the end is preempted there in the copy. */
static void expect_preempted(const struct states *copy, size_t i, int64_t goroutine)
{
    if (i >= copy->count || copy->steps[i].goroutine != goroutine ||
        copy->steps[i].state != GT_GO_RUNNABLE || copy->steps[i].time < copy->last - TIME_SLACK)
        fail_msg("goroutine %lld is not preempted at the end", (long long) goroutine);
}

static void expect_same_steps(const struct states *input, const struct states *copy, int64_t shift)
{
    size_t at = 0;
    for (size_t i = 0; i < input->count && at < copy->count; i++) {
        expect_same_step(&input->steps[i], &copy->steps[at++], shift);
        if (step_runs_at_end(input, i))
            expect_preempted(copy, at++, input->steps[i].goroutine);
    }
    assert_int_equal(at, copy->count);
}

/* How often something is in the copy. All ranges but mark assists end there. */
static uint64_t expected_count(const struct states *input, unsigned kind)
{
    bool ends = kind == COUNT_GC || kind == COUNT_SWEEP || kind == COUNT_STOP;
    return input->counts[ends ? kind - COUNT_GC + COUNT_BEGIN : kind];
}

void states_expect_same(const struct states *input, const struct states *copy, int64_t shift)
{
    expect_same_steps(input, copy, shift);
    for (unsigned i = 0; i < COUNT_PROC_START; i++)
        if (expected_count(input, i) != copy->counts[i])
            fail_msg("count %u is %llu and %llu", i, (unsigned long long) expected_count(input, i),
                     (unsigned long long) copy->counts[i]);
    assert_int_equal(input->texts, copy->texts);
    assert_in_range(copy->last - input->last - shift, 0, TIME_SLACK);
}
