/* SPDX-License-Identifier: BSD-3-Clause */

/* Sums of the results of the analyses on a trace, as far as it can be read. */

#include "sum.h"
#include "support/test.h"

static void sum_times(struct sum *sum, const gt_summary_times *times)
{
    sum_signed(sum, times->execution);
    sum_signed(sum, times->sched_wait);
    sum_signed(sum, times->syscall);
    sum_signed(sum, times->syscall_block);
    sum_signed(sum, times->block);
    sum_signed(sum, times->unknown);
    sum_signed(sum, times->total);
    for (size_t i = 0; i < times->block_count; i++) {
        sum_string(sum, times->blocks[i].name);
        sum_signed(sum, times->blocks[i].time);
    }
    for (size_t i = 0; i < times->range_count; i++) {
        sum_string(sum, times->ranges[i].name);
        sum_signed(sum, times->ranges[i].time);
    }
}

static void sum_region(struct sum *sum, const gt_region_summary *region)
{
    sum_string(sum, region->type);
    sum_number(sum, region->task);
    sum_signed(sum, region->goroutine);
    sum_number(sum, 4 * region->has_begin + 2 * region->has_end + region->inherited);
    sum_signed(sum, region->begin);
    sum_signed(sum, region->end);
    sum_frame(sum, &region->frame);
    sum_times(sum, region->times);
}

static void sum_goroutine(struct sum *sum, const gt_goroutine_summary *goroutine)
{
    sum_signed(sum, goroutine->id);
    sum_string(sum, goroutine->name);
    sum_number(sum, goroutine->pc);
    sum_signed(sum, goroutine->created);
    sum_signed(sum, goroutine->started);
    sum_signed(sum, goroutine->ended);
    sum_times(sum, goroutine->times);
    for (size_t i = 0; i < goroutine->region_count; i++)
        sum_region(sum, goroutine->regions[i]);
}

static void sum_task(struct sum *sum, const gt_task_summary *task)
{
    sum_number(sum, task->id);
    sum_number(sum, task->parent);
    sum_string(sum, task->name);
    sum_signed(sum, task->begin);
    sum_signed(sum, task->end);
    for (size_t i = 0; i < task->child_count; i++)
        sum_number(sum, task->children[i]);
    for (size_t i = 0; i < task->log_count; i++)
        sum_string(sum, task->logs[i].message);
    for (size_t i = 0; i < task->region_count; i++)
        sum_signed(sum, task->regions[i]->goroutine);
    for (size_t i = 0; i < task->goroutine_count; i++)
        sum_signed(sum, task->goroutines[i]);
}

void sum_summary(struct sum *sum, const struct trace *trace)
{
    gt_reader *reader = sum_open(trace, 0);
    const gt_goroutine_summary *const *goroutines;
    const gt_task_summary *const *tasks;
    const gt_event *event;
    gt_summary *summary;
    size_t count;

    assert_status(gt_summary_open(&summary, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_summary_event(summary, reader, event), GT_OK);
    assert_status(gt_summary_finish(summary), GT_OK);
    goroutines = gt_summary_goroutines(summary, &count);
    for (size_t i = 0; i < count; i++)
        sum_goroutine(sum, goroutines[i]);
    tasks = gt_summary_tasks(summary, &count);
    for (size_t i = 0; i < count; i++)
        sum_task(sum, tasks[i]);
    gt_summary_close(&summary);
    gt_reader_close(&reader);
}

static void sum_series(struct sum *sum, const gt_latency *latency, size_t index)
{
    static const double parts[] = {0.25, 0.5, 0.75, 1};
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    int64_t duration;

    assert_status(gt_latency_get_series(latency, index, &series), GT_OK);
    sum_number(sum, series.kind);
    sum_number(sum, series.group);
    sum_string(sum, series.name);
    sum_number(sum, series.count);
    sum_signed(sum, series.sum);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        assert_status(gt_latency_quantile(latency, index, parts[i], &duration), GT_OK);
        sum_signed(sum, duration);
    }
    while (gt_latency_next_bucket(latency, index, &bucket) == GT_OK) {
        sum_signed(sum, bucket.from);
        sum_number(sum, bucket.count);
    }
}

static void sum_pair(struct sum *sum, const gt_latency *latency, size_t index)
{
    gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
    gt_frame frames[GT_STACK_MAX_FRAMES];
    size_t count;

    assert_status(gt_latency_get_pair(latency, index, &pair), GT_OK);
    sum_number(sum, pair.count);
    sum_signed(sum, pair.time);
    for (uint32_t side = GT_LATENCY_WAITER; side <= GT_LATENCY_UNBLOCKER; side++) {
        assert_status(
            gt_latency_pair_frames(latency, index, side, frames, GT_STACK_MAX_FRAMES, &count),
            GT_OK);
        for (size_t i = 0; i < count; i++)
            sum_frame(sum, &frames[i]);
    }
}

void sum_latency(struct sum *sum, const struct trace *trace)
{
    gt_reader *reader = sum_open(trace, 0);
    const gt_event *event;
    gt_latency *latency;

    assert_status(gt_latency_open(&latency, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_latency_event(latency, reader, event), GT_OK);
    assert_status(gt_latency_finish(latency), GT_OK);
    for (size_t i = 0; i < gt_latency_series_count(latency); i++)
        sum_series(sum, latency, i);
    for (size_t i = 0; i < gt_latency_pair_count(latency); i++)
        sum_pair(sum, latency, i);
    gt_latency_close(&latency);
    gt_reader_close(&reader);
}

static void sum_samples(struct sum *sum, gt_profile *profile, uint32_t kind)
{
    gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;

    for (size_t i = 0; i < gt_profile_count(profile, kind); i++) {
        assert_status(gt_profile_get_sample(profile, kind, i, &sample), GT_OK);
        sum_number(sum, sample.count);
        sum_number(sum, sample.nanoseconds);
        sum_number(sum, sample.state);
        for (size_t k = 0; k < sample.frame_count; k++)
            sum_frame(sum, &sample.frames[k]);
    }
    assert_status(gt_profile_write_pprof(profile, kind, sum_write, sum), GT_OK);
}

void sum_profile(struct sum *sum, const struct trace *trace)
{
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;
    gt_reader *reader = sum_open(trace, 0);
    const gt_event *event;
    gt_profile *profile;

    options.kinds = GT_PROFILE_BIT(GT_PROFILE_WALL + 1) - GT_PROFILE_BIT(GT_PROFILE_NET);
    assert_status(gt_profile_open(&profile, &options, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_profile_event(profile, reader, event), GT_OK);
    assert_status(gt_profile_finish(profile), GT_OK);
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++)
        sum_samples(sum, profile, kind);
    gt_profile_close(&profile);
    gt_reader_close(&reader);
}

static void sum_windows(struct sum *sum, gt_mmu *mmu)
{
    static const double parts[] = {0.01, 0.1, 0.5};
    int64_t start, end;
    double values[3], minimum;
    gt_utilization worst[3];

    assert_status(gt_mmu_range(mmu, &start, &end), GT_OK);
    sum_signed(sum, start);
    sum_signed(sum, end);
    for (int64_t window = 1000; window <= 1000000000; window *= 100) {
        size_t count = 3;

        assert_status(gt_mmu_minimum(mmu, window, &minimum), GT_OK);
        sum_share(sum, minimum);
        assert_status(gt_mmu_quantiles(mmu, window, parts, 3, values), GT_OK);
        for (size_t i = 0; i < 3; i++)
            sum_share(sum, values[i]);
        assert_status(gt_mmu_worst(mmu, window, worst, &count), GT_OK);
        for (size_t i = 0; i < count; i++)
            sum_share(sum, worst[i].value);
    }
}

/* With GT_MMU_PER_PROC series have no order, but windows have. */
void sum_mmu(struct sum *sum, const struct trace *trace)
{
    static const uint64_t flags[] = {0, GT_MMU_EXACT | GT_MMU_SWEEP, GT_MMU_PER_PROC};

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        gt_mmu_options options = GT_MMU_OPTIONS_INIT;
        gt_reader *reader = sum_open(trace, 0);
        const gt_event *event;
        gt_mmu *mmu;

        options.flags |= flags[i];
        assert_status(gt_mmu_open(&mmu, &options, NULL), GT_OK);
        while (gt_reader_next_event(reader, &event) == GT_OK)
            assert_status(gt_mmu_event(mmu, event), GT_OK);
        assert_status(gt_mmu_finish(mmu), GT_OK);
        sum_windows(sum, mmu);
        gt_mmu_close(&mmu);
        gt_reader_close(&reader);
    }
}
