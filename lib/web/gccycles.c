/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/gccycles.h"

#include "base/text.h"
#include "base/time.h"
#include "web/record.h"

enum {
    /* The number of most recent stops among which the stop that a range ends is searched for. */
    OPEN_STOPS = 16
};

const char *const gt_gc_worker_names[GT_GC_WORKERS] = {"dedicated", "fractional", "idle"};

/* The labels of workers in traceGoStart and gcBgMarkWorker of Go's runtime. */
static const char *const labels[GT_GC_WORKERS] = {"GC (dedicated)", "GC (fractional)", "GC (idle)"};

/* The state of the pass over the trace. */
struct gc_pass {
    struct gt_gc_cycles *cycles;
    struct gt_mem *mem;
    bool has_begun;
    int64_t start, now;
    /* The workers by goroutine, and the sweeps by proc. */
    struct gt_gc_meter workers, sweeps;
    struct gt_gc_heap heap;
    /* The stop in which the latest cycle starts, and that in which its marking ends; plus 1. */
    size_t starting, terminating;
};

static struct gt_gc_cycle *gc_cycle_latest(const struct gc_pass *pass)
{
    size_t count = pass->cycles->list.count;
    return count > 0 ? &pass->cycles->list.items[count - 1] : NULL;
}

static bool gc_cycle_marks(const struct gt_gc_cycle *cycle)
{
    return cycle && cycle->mark_end == GT_RECORD_NONE;
}

static bool gc_stop_is(const struct gc_pass *pass, size_t index, const char *cause)
{
    const struct gt_gc_stop *stop = &pass->cycles->stops.items[index];
    return gt_text_contains(gt_dictionary_get(&pass->cycles->causes, stop->cause), cause);
}

/* Attaches the latest stop to the latest cycle, if it belongs to that. */
static void gc_stop_attach(struct gc_pass *pass)
{
    struct gt_gc_cycle *cycle = gc_cycle_latest(pass);
    size_t index = pass->cycles->stops.count - 1;
    const struct gt_gc_stop *stop = &pass->cycles->stops.items[index];
    if (!gc_cycle_marks(cycle))
        return;
    if (cycle->start == GT_RECORD_NONE && gc_stop_is(pass, index, "sweep termination")) {
        cycle->start = stop->start;
        pass->starting = index + 1;
    } else if (gc_stop_is(pass, index, "mark termination")) {
        cycle->termination = stop->start;
        pass->terminating = index + 1;
    }
}

static bool gc_stop_begin(struct gc_pass *pass, const gt_range *range)
{
    struct gt_gc_cycles *cycles = pass->cycles;
    struct gt_gc_stop stop = {pass->now, GT_RECORD_NONE, range->scope.id, 0};
    if (!gt_dictionary_put(&cycles->causes, range->cause, &stop.cause) ||
        gt_array_extend(pass->mem, &cycles->by_cause, stop.cause + (size_t) 1) != GT_OK ||
        gt_array_add(pass->mem, &cycles->stops, stop) != GT_OK)
        return false;
    cycles->by_cause.items[stop.cause].count++;
    gc_stop_attach(pass);
    return true;
}

/* Finds the open stop to which the end of a range belongs. Returns NULL if there is none. */
static struct gt_gc_stop *gc_stop_find(const struct gc_pass *pass, const gt_range *range)
{
    struct gt_gc_cycles *cycles = pass->cycles;
    size_t count = cycles->stops.count;
    for (size_t i = 0; i < OPEN_STOPS && i < count; i++) {
        struct gt_gc_stop *stop = &cycles->stops.items[count - 1 - i];
        if (stop->end == GT_RECORD_NONE && stop->goroutine == range->scope.id &&
            gt_text_equal(gt_dictionary_get(&cycles->causes, stop->cause), range->cause))
            return stop;
    }
    return NULL;
}

static void gc_stop_end(struct gc_pass *pass, struct gt_gc_stop *stop)
{
    struct gt_gc_cause *cause = &pass->cycles->by_cause.items[stop->cause];
    struct gt_gc_cycle *cycle = gc_cycle_latest(pass);
    size_t number = (size_t) (stop - pass->cycles->stops.items) + 1;
    stop->end = pass->now;
    int64_t length = gt_time_minus(stop->end, stop->start);
    gt_time_add_to(&cause->time, length);
    cause->longest = length > cause->longest ? length : cause->longest;
    if (cycle && number == pass->starting)
        cycle->start_end = pass->now;
    if (cycle && number == pass->terminating && !gc_cycle_marks(cycle)) {
        cycle->termination_end = pass->now;
        cycle->after = pass->heap;
    }
}

/* A stop of the world has no event that reports it as active, so a stop that began before the trace
 * is not recognised. */
static bool gc_stop_take(struct gc_pass *pass, const gt_event *event, const gt_range *range)
{
    if (event->kind == GT_EVENT_RANGE_BEGIN)
        return gc_stop_begin(pass, range);
    struct gt_gc_stop *stop = gc_stop_find(pass, range);
    if (stop)
        gc_stop_end(pass, stop);
    return true;
}

static bool gc_mark_begin(struct gc_pass *pass, int64_t start)
{
    struct gt_gc_cycle *cycle = gt_array_push(pass->mem, &pass->cycles->list);
    if (!cycle)
        return false;
    *cycle = (struct gt_gc_cycle){.mark = start,
                                  .mark_end = GT_RECORD_NONE,
                                  .start = GT_RECORD_NONE,
                                  .start_end = GT_RECORD_NONE,
                                  .termination = GT_RECORD_NONE,
                                  .termination_end = GT_RECORD_NONE,
                                  .sweep_end = GT_RECORD_NONE,
                                  .before = pass->heap};
    pass->starting = pass->terminating = 0;
    /* Some versions begin to mark after they have stopped the world, others before. */
    size_t count = pass->cycles->stops.count;
    if (count > 0 && pass->cycles->stops.items[count - 1].end == GT_RECORD_NONE)
        gc_stop_attach(pass);
    return true;
}

static bool gc_mark_take(struct gc_pass *pass, const gt_event *event)
{
    struct gt_gc_cycle *cycle = gc_cycle_latest(pass);
    if (event->kind == GT_EVENT_RANGE_BEGIN)
        return gc_mark_begin(pass, pass->now);
    if (event->kind == GT_EVENT_RANGE_ACTIVE)
        return gc_cycle_marks(cycle) || gc_mark_begin(pass, GT_RECORD_NONE);
    if (gc_cycle_marks(cycle)) {
        cycle->mark_end = pass->now;
        cycle->after = pass->heap;
    }
    return true;
}

static void gc_value_add(struct gt_gc_value *sum, uint64_t more)
{
    sum->is_known = true;
    sum->value = sum->value + more < sum->value ? UINT64_MAX : sum->value + more;
}

static void gc_swept_add(struct gc_pass *pass, struct gt_gc_cycle *cycle, const gt_event *event,
                         const gt_range *range)
{
    gt_string name;
    gt_value value;
    for (uint32_t i = 0; i < range->attribute_count; i++) {
        if (gt_event_range_attribute(event, i, &name, &value) != GT_OK ||
            value.kind != GT_VALUE_UINT64)
            continue;
        pass->cycles->has_swept = true;
        if (gt_text_is(name, "bytes swept"))
            gc_value_add(&cycle->swept, value.number);
        else if (gt_text_is(name, "bytes reclaimed"))
            gc_value_add(&cycle->reclaimed, value.number);
    }
}

static bool gc_sweep_take(struct gc_pass *pass, const gt_event *event, const gt_range *range)
{
    struct gt_gc_cycle *cycle = gc_cycle_latest(pass);
    if (event->kind != GT_EVENT_RANGE_END)
        return gt_gc_meter_begin(&pass->sweeps, range->scope.id, pass->now, 0);
    int64_t length = gt_gc_meter_end(gt_gc_meter_find(&pass->sweeps, range->scope.id), pass->now);
    if (length == GT_RECORD_NONE)
        return true;
    gt_time_add_to(&pass->cycles->sweep, length);
    if (!cycle)
        return true;
    cycle->sweep_end = pass->now;
    cycle->sweeps++;
    gt_time_add_to(&cycle->sweep, length);
    gc_swept_add(pass, cycle, event, range);
    return true;
}

static void gc_assist_end(struct gc_pass *pass, struct gt_gc_measured *assist)
{
    struct gt_gc_cycle *cycle = gc_cycle_latest(pass);
    int64_t length = gt_gc_meter_end(assist, pass->now);
    if (!cycle || length == GT_RECORD_NONE)
        return;
    cycle->assists++;
    gt_time_add_to(&cycle->assist, length);
}

static bool gc_assist_take(struct gc_pass *pass, const gt_event *event, const gt_range *range)
{
    struct gt_gc_meter *assists = &pass->cycles->assists;
    if (event->kind != GT_EVENT_RANGE_END)
        return gt_gc_meter_begin(assists, range->scope.id, pass->now, 0);
    gc_assist_end(pass, gt_gc_meter_find(assists, range->scope.id));
    return true;
}

static bool gc_range_take(struct gc_pass *pass, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    if (gt_event_range(event, &range) != GT_OK)
        return true;
    if (range.has_cause)
        return gc_stop_take(pass, event, &range);
    if (gt_text_is(range.name, "GC concurrent mark phase"))
        return gc_mark_take(pass, event);
    if (gt_text_is(range.name, "GC incremental sweep"))
        return gc_sweep_take(pass, event, &range);
    if (gt_text_is(range.name, "GC mark assist"))
        return gc_assist_take(pass, event, &range);
    return true;
}

static void gc_metric_take(struct gc_pass *pass, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    if (gt_event_metric(event, &metric) != GT_OK || metric.value.kind != GT_VALUE_UINT64)
        return;
    struct gt_gc_value value = {true, metric.value.number};
    if (gt_text_is(metric.name, "/memory/classes/heap/objects:bytes")) {
        pass->heap.used = value;
        pass->cycles->has_heap = true;
    } else if (gt_text_is(metric.name, "/gc/heap/goal:bytes")) {
        pass->heap.goal = value;
        pass->cycles->has_goal = true;
        /* The goal is set anew after the end of marking, but before the world starts again. */
        struct gt_gc_cycle *cycle = gc_cycle_latest(pass);
        if (cycle && cycle->termination_end == GT_RECORD_NONE && !gc_cycle_marks(cycle))
            cycle->after = pass->heap;
    }
}

/* A worker gets a label whenever it starts to work. */
static bool gc_label_take(struct gc_pass *pass, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    if (gt_event_label(event, &label) != GT_OK || label.resource.kind != GT_RESOURCE_GOROUTINE)
        return true;
    for (uint32_t i = 0; i < GT_GC_WORKERS; i++) {
        if (gt_text_is(label.label, labels[i])) {
            pass->cycles->has_workers = true;
            return gt_gc_meter_begin(&pass->workers, label.resource.id, pass->now, i);
        }
    }
    return true;
}

static void gc_worker_end(struct gc_pass *pass, struct gt_gc_measured *worker)
{
    struct gt_gc_cycle *cycle = gc_cycle_latest(pass);
    int64_t length = gt_gc_meter_end(worker, pass->now);
    if (length == GT_RECORD_NONE)
        return;
    gt_time_add_to(&pass->cycles->work[worker->mode], length);
    if (cycle)
        gt_time_add_to(&cycle->work[worker->mode], length);
}

/* A worker works until it stops running, and a goroutine that ends assists no longer. */
static void gc_transition_take(struct gc_pass *pass, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    if (gt_event_transition(event, &transition) != GT_OK ||
        transition.resource.kind != GT_RESOURCE_GOROUTINE)
        return;
    int64_t id = transition.resource.id;
    if (transition.from == GT_GO_RUNNING && transition.to != GT_GO_RUNNING)
        gc_worker_end(pass, gt_gc_meter_find(&pass->workers, id));
    if (transition.to == GT_GO_NOT_EXIST)
        gc_assist_end(pass, gt_gc_meter_find(&pass->cycles->assists, id));
}

static gt_status gc_event_take(void *user_data, gt_reader *reader, const gt_event *event)
{
    struct gc_pass *pass = user_data;
    bool good = true;
    (void) reader;
    if (!pass->has_begun)
        pass->start = event->time;
    pass->has_begun = true;
    pass->now = gt_time_minus(event->time, pass->start);
    switch (event->kind) {
    case GT_EVENT_METRIC:
        gc_metric_take(pass, event);
        break;
    case GT_EVENT_LABEL:
        good = gc_label_take(pass, event);
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        good = gc_range_take(pass, event);
        break;
    case GT_EVENT_STATE_TRANSITION:
        gc_transition_take(pass, event);
        break;
    default:
        break;
    }
    return good ? GT_OK : GT_ERR_NO_MEMORY;
}

/* Ends everything that is still in progress at the end of the trace. */
static void gc_pass_finish(struct gc_pass *pass)
{
    for (size_t i = 0; i < pass->workers.list.count; i++)
        gc_worker_end(pass, &pass->workers.list.items[i]);
    for (size_t i = 0; i < pass->cycles->assists.list.count; i++)
        gc_assist_end(pass, &pass->cycles->assists.list.items[i]);
    pass->cycles->end = pass->now;
}

static void gc_cycles_free(struct gt_mem *mem, void *result)
{
    struct gt_gc_cycles *cycles = result;
    gt_array_free(mem, &cycles->list);
    gt_array_free(mem, &cycles->stops);
    gt_array_free(mem, &cycles->by_cause);
    gt_dictionary_free(&cycles->causes);
    gt_gc_meter_free(&cycles->assists);
    gt_mem_free(mem, cycles, sizeof(*cycles));
}

static void *gc_cycles_run(struct gt_analysis_pass *analysis, const void *key)
{
    struct gt_mem *mem = &analysis->web->mem;
    struct gc_pass pass = {.mem = mem, .cycles = gt_mem_zeros(mem, sizeof(*pass.cycles))};
    (void) key;
    if (!pass.cycles)
        return gt_analysis_fail(analysis, GT_ERR_NO_MEMORY);
    pass.cycles->causes.mem = mem;
    gt_gc_meter_init(&pass.cycles->assists, mem);
    gt_gc_meter_init(&pass.workers, mem);
    gt_gc_meter_init(&pass.sweeps, mem);
    bool good = gt_analysis_read(analysis, gc_event_take, &pass);
    if (good)
        gc_pass_finish(&pass);
    gt_gc_meter_free(&pass.workers);
    gt_gc_meter_free(&pass.sweeps);
    if (good)
        return pass.cycles;
    gc_cycles_free(mem, pass.cycles);
    return NULL;
}

const struct gt_analysis_kind gt_gc_cycles_kind = {gc_cycles_run, gc_cycles_free};
