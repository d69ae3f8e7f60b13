/* SPDX-License-Identifier: BSD-3-Clause */

/* Ways that analyse all events: findings, summaries, profiles, utilisation and latencies. */

#include <gotrace/timeline.h>

#include "limits/ways.h"

typedef gt_status (*fold_fn)(void *object, gt_reader *reader, const gt_event *event);

/* Passes all events that can be read to an open object. */
static void fold(struct way_run *run, void *object, fold_fn take)
{
    const gt_event *event;
    gt_reader *reader;
    gt_status status = way_open_reader(run, &reader, 0);

    while (run->status == GT_OK && status == GT_OK) {
        status = gt_reader_next_event(reader, &event);
        if (status == GT_OK)
            run->status = take(object, reader, event);
    }
    way_close_reader(run, &reader);
}

static gt_status take_validator(void *object, gt_reader *reader, const gt_event *event)
{
    return gt_validator_event(object, reader, event);
}

static void on_finding(void *user_data, const gt_finding *finding)
{
    struct way_run *run = user_data;

    way_note_text(run, finding->message, sizeof(finding->message));
    way_give_number(run, finding->rule);
    way_give_number(run, finding->number);
}

void way_validate(struct way_run *run)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    gt_validator *validator;

    options.allocator = run->allocator;
    options.memory_limit = run->limit;
    options.on_finding = on_finding;
    options.user_data = run;
    run->status = gt_validator_open(&validator, &options, NULL);
    if (run->status == GT_OK)
        fold(run, validator, take_validator);
    if (run->status == GT_OK)
        way_give_number(run, gt_validator_count(validator));
    gt_validator_close(&validator);
}

static gt_status take_summary(void *object, gt_reader *reader, const gt_event *event)
{
    return gt_summary_event(object, reader, event);
}

static void give_times(struct way_run *run, const gt_summary_times *times)
{
    way_give_number(run, (uint64_t) times->execution);
    way_give_number(run, (uint64_t) times->block);
    way_give_number(run, (uint64_t) times->total);
    way_give_number(run, times->block_count);
    way_give_number(run, times->range_count);
}

static void on_goroutine(void *user_data, const gt_goroutine_summary *goroutine)
{
    way_give_number(user_data, (uint64_t) goroutine->id);
    way_give(user_data, goroutine->name.data, goroutine->name.size);
    give_times(user_data, goroutine->times);
}

static void on_region(void *user_data, const gt_region_summary *region)
{
    way_give(user_data, region->type.data, region->type.size);
    give_times(user_data, region->times);
}

static void on_task(void *user_data, const gt_task_summary *task)
{
    way_give_number(user_data, task->id);
    way_give(user_data, task->name.data, task->name.size);
    way_give_number(user_data, task->goroutine_count);
}

static void summarize(struct way_run *run, uint64_t flags)
{
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    gt_summary_info info = GT_SUMMARY_INFO_INIT;
    gt_summary *summary;

    options.flags = flags;
    options.allocator = run->allocator;
    options.memory_limit = run->limit;
    options.on_goroutine = on_goroutine;
    options.on_region = on_region;
    options.on_task = on_task;
    options.user_data = run;
    run->status = gt_summary_open(&summary, &options, NULL);
    if (run->status == GT_OK)
        fold(run, summary, take_summary);
    if (run->status == GT_OK)
        run->status = gt_summary_finish(summary);
    run->told = gt_summary_get_info(summary, &info) == GT_OK;
    run->peak = info.memory_peak;
    gt_summary_close(&summary);
}

void way_summary(struct way_run *run)
{
    summarize(run, 0);
}

void way_summary_drop(struct way_run *run)
{
    summarize(run, GT_SUMMARY_DROP);
}

static gt_status take_profile(void *object, gt_reader *reader, const gt_event *event)
{
    return gt_profile_event(object, reader, event);
}

static void finish_profile(struct way_run *run, gt_profile *profile)
{
    run->status = gt_profile_finish(profile);
    for (uint32_t kind = GT_PROFILE_NET; run->status == GT_OK && kind <= GT_PROFILE_WALL; kind++)
        run->status = gt_profile_write_pprof(profile, kind, way_write, run);
}

static void count_waits(struct way_run *run, uint64_t flags)
{
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;
    gt_profile_info info = GT_PROFILE_INFO_INIT;
    gt_profile *profile;

    options.flags = flags;
    options.kinds = GT_PROFILE_BIT(GT_PROFILE_WALL + 1) - GT_PROFILE_BIT(GT_PROFILE_NET);
    options.allocator = run->allocator;
    options.memory_limit = run->limit;
    run->status = gt_profile_open(&profile, &options, NULL);
    if (run->status == GT_OK)
        fold(run, profile, take_profile);
    if (run->status == GT_OK)
        finish_profile(run, profile);
    run->told = gt_profile_get_info(profile, &info) == GT_OK;
    run->peak = info.memory_peak;
    gt_profile_close(&profile);
}

void way_profile(struct way_run *run)
{
    count_waits(run, 0);
}

void way_profile_regions(struct way_run *run)
{
    count_waits(run, GT_PROFILE_REGIONS);
}

static gt_status take_mmu(void *object, gt_reader *reader, const gt_event *event)
{
    (void) reader;
    return gt_mmu_event(object, event);
}

static void give_worst(struct way_run *run, gt_mmu *mmu, int64_t window)
{
    gt_utilization worst[4];
    size_t count = 4;

    run->status = gt_mmu_worst(mmu, window, worst, &count);
    for (size_t i = 0; run->status == GT_OK && i < count; i++)
        way_give_number(run, (uint64_t) worst[i].time);
}

static void finish_mmu(struct way_run *run, gt_mmu *mmu)
{
    static const double parts[] = {0.01, 0.5};
    const gt_utilization *points;
    double values[2], minimum;
    size_t count;

    run->status = gt_mmu_finish(mmu);
    if (run->status == GT_OK)
        run->status = gt_mmu_minimum(mmu, 1000, &minimum);
    if (run->status == GT_OK)
        run->status = gt_mmu_quantiles(mmu, 1000, parts, 2, values);
    if (run->status == GT_OK)
        give_worst(run, mmu, 1000);
    if (run->status != GT_OK)
        return;
    way_give(run, &minimum, sizeof(minimum));
    way_give(run, values, sizeof(values));
    if (gt_mmu_series(mmu, 0, &points, &count) == GT_OK)
        way_give(run, points, count * sizeof(*points));
}

static void find_utilization(struct way_run *run, uint64_t flags)
{
    gt_mmu_options options = GT_MMU_OPTIONS_INIT;
    gt_mmu *mmu;

    options.flags |= flags | GT_MMU_SWEEP | GT_MMU_EXACT;
    options.allocator = run->allocator;
    options.memory_limit = run->limit;
    run->status = gt_mmu_open(&mmu, &options, NULL);
    if (run->status == GT_OK)
        fold(run, mmu, take_mmu);
    if (run->status == GT_OK)
        finish_mmu(run, mmu);
    gt_mmu_close(&mmu);
}

void way_mmu(struct way_run *run)
{
    find_utilization(run, 0);
}

void way_mmu_procs(struct way_run *run)
{
    find_utilization(run, GT_MMU_PER_PROC);
}

static gt_status take_latency(void *object, gt_reader *reader, const gt_event *event)
{
    return gt_latency_event(object, reader, event);
}

static void give_series(struct way_run *run, const gt_latency *latency)
{
    gt_latency_series series = GT_LATENCY_SERIES_INIT;

    for (size_t i = 0; gt_latency_get_series(latency, i, &series) == GT_OK; i++) {
        way_give_number(run, series.kind);
        way_give(run, series.name.data, series.name.size);
        way_give_number(run, series.count);
        way_give_number(run, (uint64_t) series.sum);
    }
    way_give_number(run, gt_latency_pair_count(latency));
}

void way_latency(struct way_run *run)
{
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    gt_latency_info info = GT_LATENCY_INFO_INIT;
    gt_latency *latency;

    options.allocator = run->allocator;
    options.memory_limit = run->limit;
    run->status = gt_latency_open(&latency, &options, NULL);
    if (run->status == GT_OK)
        fold(run, latency, take_latency);
    if (run->status == GT_OK)
        run->status = gt_latency_finish(latency);
    if (run->status == GT_OK)
        give_series(run, latency);
    run->told = gt_latency_get_info(latency, &info) == GT_OK;
    run->peak = info.memory_peak;
    gt_latency_close(&latency);
}

static gt_status take_selector(void *object, gt_reader *reader, const gt_event *event)
{
    (void) reader;
    return gt_selector_event(object, event);
}

static void select_part(struct way_run *run, uint32_t selection)
{
    gt_selector_options options = GT_SELECTOR_OPTIONS_INIT;
    gt_emitter_options range = GT_EMITTER_OPTIONS_INIT;
    gt_selector *selector;

    options.allocator = run->allocator;
    options.memory_limit = run->limit;
    run->status = gt_selector_open(&selector, selection, 1, &options, NULL);
    if (run->status == GT_OK)
        fold(run, selector, take_selector);
    if (run->status == GT_OK)
        run->status = gt_selector_finish(selector);
    if (run->status == GT_OK && gt_selector_apply(selector, &range) == GT_OK) {
        way_give_number(run, (uint64_t) range.range_start);
        way_give_number(run, (uint64_t) range.range_end);
    }
    gt_selector_close(&selector);
}

void way_select_goroutine(struct way_run *run)
{
    select_part(run, GT_SELECT_GOROUTINE);
}

void way_select_task(struct way_run *run)
{
    select_part(run, GT_SELECT_TASK);
}
