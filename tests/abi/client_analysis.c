/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

/* Runs all analyses at once, on one reading of the events. */
struct analyses {
    gt_validator *validator;
    gt_summary *summary;
    gt_summary *told;
    gt_profile *profile;
    gt_mmu *mmu;
    gt_latency *latency;
    gt_path *path;
    gt_report *report;
    gt_compare *compare;
};

static void say_finding(const gt_finding *finding)
{
    NUMBER(*finding, rule);
    NUMBER(*finding, kind);
    NUMBER(*finding, number);
    NUMBER(*finding, time);
    NUMBER(*finding, thread);
    NUMBER(*finding, proc);
    NUMBER(*finding, goroutine);
    say("  %s", finding->message);
}

static void on_finding(void *user_data, const gt_finding *finding)
{
    ++*(unsigned *) user_data;
    say_finding(finding);
}

static void say_named(const gt_summary_time *named, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        STRING(named[i], name);
        NUMBER(named[i], time);
    }
}

static void say_times(const gt_summary_times *times)
{
    NUMBER(*times, execution);
    NUMBER(*times, sched_wait);
    NUMBER(*times, syscall);
    NUMBER(*times, syscall_block);
    NUMBER(*times, block);
    NUMBER(*times, unknown);
    NUMBER(*times, total);
    say_named(times->blocks, times->block_count);
    say_named(times->ranges, times->range_count);
}

static void say_region(void *user_data, const gt_region_summary *region)
{
    (void) user_data;
    STRING(*region, type);
    NUMBER(*region, task);
    NUMBER(*region, goroutine);
    NUMBER(*region, has_begin);
    NUMBER(*region, has_end);
    NUMBER(*region, begin);
    NUMBER(*region, end);
    NUMBER(*region, inherited);
    STRING(*region, frame.function);
    say_times(region->times);
}

static void say_goroutine(void *user_data, const gt_goroutine_summary *goroutine)
{
    (void) user_data;
    NUMBER(*goroutine, id);
    STRING(*goroutine, name);
    NUMBER(*goroutine, pc);
    NUMBER(*goroutine, created);
    NUMBER(*goroutine, started);
    NUMBER(*goroutine, ended);
    say_times(goroutine->times);
    for (size_t i = 0; goroutine->regions && i < goroutine->region_count; i++)
        say_region(NULL, goroutine->regions[i]);
}

static void say_members(const gt_task_summary *task)
{
    for (size_t i = 0; i < task->child_count; i++)
        NUMBER(*task, children[i]);
    const gt_task_log *logs = task->logs;
    for (size_t i = 0; i < task->log_count; i++) {
        NUMBER(logs[i], time);
        NUMBER(logs[i], goroutine);
        STRING(logs[i], category);
        STRING(logs[i], message);
    }
    for (size_t i = 0; i < task->region_count; i++)
        STRING(*task->regions[i], type);
    for (size_t i = 0; i < task->goroutine_count; i++)
        NUMBER(*task, goroutines[i]);
}

static void say_task(void *user_data, const gt_task_summary *task)
{
    (void) user_data;
    NUMBER(*task, id);
    NUMBER(*task, parent);
    STRING(*task, name);
    NUMBER(*task, has_begin);
    NUMBER(*task, has_end);
    NUMBER(*task, begin);
    NUMBER(*task, end);
    NUMBER(*task, child_count);
    NUMBER(*task, log_count);
    NUMBER(*task, region_count);
    NUMBER(*task, goroutine_count);
}

static void open_summaries(struct analyses *all)
{
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    must("summary", gt_summary_open(&all->summary, NULL, NULL));
    options.flags = GT_SUMMARY_DROP;
    options.memory_limit = 64 << 20;
    options.allocator = &allocator;
    options.on_goroutine = say_goroutine;
    options.on_region = say_region;
    options.on_task = say_task;
    must("told summary", gt_summary_open(&all->told, &options, NULL));
}

static void open_analyses(struct analyses *all, unsigned *findings)
{
    gt_validator_options validator = GT_VALIDATOR_OPTIONS_INIT;
    gt_profile_options profile = GT_PROFILE_OPTIONS_INIT;
    gt_mmu_options mmu = GT_MMU_OPTIONS_INIT;
    gt_latency_options latency = GT_LATENCY_OPTIONS_INIT;
    gt_path_options path = GT_PATH_OPTIONS_INIT;
    validator.flags = GT_VALIDATOR_COARSE_CLOCK;
    validator.version = 26;
    validator.memory_limit = profile.memory_limit = mmu.memory_limit = 64 << 20;
    validator.allocator = profile.allocator = mmu.allocator = latency.allocator = &allocator;
    validator.on_finding = on_finding;
    validator.user_data = findings;
    validator.keep = 5;
    must("validator", gt_validator_open(&all->validator, &validator, NULL));
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++)
        profile.kinds |= GT_PROFILE_BIT(kind);
    profile.cpu_period = 2000000;
    must("profile", gt_profile_open(&all->profile, &profile, NULL));
    mmu.flags |= GT_MMU_SWEEP | GT_MMU_EXACT;
    must("mmu", gt_mmu_open(&all->mmu, &mmu, NULL));
    latency.series = 50;
    latency.pairs = 50;
    latency.memory_limit = 64 << 20;
    latency.flags = GT_LATENCY_PAIR_WAITS;
    must("latency", gt_latency_open(&all->latency, &latency, NULL));
    path.flags = GT_PATH_TASKS | GT_PATH_REGIONS | GT_PATH_GOROUTINES;
    path.history = 1 << 20;
    path.steps = 100;
    path.memory_limit = 64 << 20;
    path.allocator = &allocator;
    must("path", gt_path_open(&all->path, &path, NULL));
    gt_report_options report = GT_REPORT_OPTIONS_INIT;
    report.memory_limit = 64 << 20;
    report.allocator = &allocator;
    must("report", gt_report_open(&all->report, &report, NULL));
    must("threshold", gt_report_set(all->report, (gt_string){"cpu-saturated.share", 19}, 1));
    gt_compare_options compare = GT_COMPARE_OPTIONS_INIT;
    compare.series = 1000;
    compare.memory_limit = 64 << 20;
    compare.allocator = &allocator;
    must("compare", gt_compare_open(&all->compare, &compare, NULL));
    must("begin", gt_compare_begin(all->compare, 1));
    open_summaries(all);
}

static void say_validator(const gt_validator *validator)
{
    uint64_t count = gt_validator_count(validator);
    say("findings %llu", (unsigned long long) count);
    for (uint64_t i = 0; i < count + 1; i++) {
        FILLED(gt_finding, finding, GT_FINDING_INIT);
        says("finding", gt_validator_finding(validator, i, &finding.value));
        say_finding(&finding.value);
        INTACT(gt_finding, finding);
    }
}

static void say_summary(const gt_summary *summary)
{
    FILLED(gt_summary_info, info, GT_SUMMARY_INFO_INIT);
    size_t count = 0;
    const gt_goroutine_summary *const *goroutines = gt_summary_goroutines(summary, &count);
    say("sum %d", gt_summary_time_sum(INT64_MAX, 1) == INT64_MAX);
    for (size_t i = 0; i < count; i++)
        say_goroutine(NULL, goroutines[i]);
    if (count > 0)
        STRING(*gt_summary_find_goroutine(summary, goroutines[0]->id), name);
    const gt_task_summary *const *tasks = gt_summary_tasks(summary, &count);
    for (size_t i = 0; i < count; i++) {
        say_task(NULL, tasks[i]);
        say_members(tasks[i]);
    }
    if (count > 0)
        STRING(*gt_summary_find_task(summary, tasks[0]->id), name);
    must("info", gt_summary_get_info(summary, &info.value));
    NUMBER(info.value, events);
    NUMBER(info.value, first_time);
    NUMBER(info.value, last_time);
    NUMBER(info.value, goroutines);
    NUMBER(info.value, regions);
    NUMBER(info.value, tasks);
    MEMORY(info.value);
    INTACT(gt_summary_info, info);
}

static void say_samples(gt_profile *profile, uint32_t kind)
{
    struct sink sink = {0};
    for (size_t i = 0; i < gt_profile_count(profile, kind); i++) {
        FILLED(gt_profile_sample, sample, GT_PROFILE_SAMPLE_INIT);
        must("sample", gt_profile_get_sample(profile, kind, i, &sample.value));
        NUMBER(sample.value, count);
        NUMBER(sample.value, nanoseconds);
        NUMBER(sample.value, state);
        say_frames("stack", sample.value.frames, sample.value.frame_count);
        INTACT(gt_profile_sample, sample);
    }
    must("pprof", gt_profile_write_pprof(profile, kind, take_bytes, &sink));
    say_sink("pprof", &sink);
}

static void say_profile(gt_profile *profile)
{
    FILLED(gt_profile_info, info, GT_PROFILE_INFO_INIT);
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++) {
        say("profile %s", gt_profile_kind_name(kind));
        say_samples(profile, kind);
    }
    must("info", gt_profile_get_info(profile, &info.value));
    NUMBER(info.value, selected);
    NUMBER(info.value, stacks);
    NUMBER(info.value, first_time);
    NUMBER(info.value, last_time);
    MEMORY(info.value);
    INTACT(gt_profile_info, info);
}

static void say_mmu(gt_mmu *mmu)
{
    const double quantiles[] = {0.0, 0.5, 1.0};
    double values[3] = {0}, least = 0;
    const gt_utilization *points = NULL;
    gt_utilization worst[4];
    size_t count = 0;
    int64_t start = 0, end = 0;
    must("range", gt_mmu_range(mmu, &start, &end));
    say("mmu %lld to %lld", (long long) start, (long long) end);
    says("series", gt_mmu_series(mmu, 0, &points, &count));
    for (size_t i = 0; i < count; i++)
        say("  %lld %.6f", (long long) points[i].time, points[i].value);
    must("minimum", gt_mmu_minimum(mmu, 1000000, &least));
    must("quantiles", gt_mmu_quantiles(mmu, 1000000, quantiles, 3, values));
    say("least %.6f of %.6f %.6f %.6f", least, values[0], values[1], values[2]);
    count = 4;
    must("worst", gt_mmu_worst(mmu, 1000000, worst, &count));
    for (size_t i = 0; i < count; i++)
        say("  %lld %.6f", (long long) worst[i].time, worst[i].value);
}

static void say_series(const gt_latency *latency, size_t index)
{
    FILLED(gt_latency_series, series, GT_LATENCY_SERIES_INIT);
    FILLED(gt_latency_bucket, bucket, GT_LATENCY_BUCKET_INIT);
    int64_t median = 0;
    must("series", gt_latency_get_series(latency, index, &series.value));
    NUMBER(series.value, kind);
    NUMBER(series.value, group);
    STRING(series.value, name);
    NUMBER(series.value, count);
    NUMBER(series.value, sum);
    NUMBER(series.value, minimum);
    NUMBER(series.value, maximum);
    must("median", gt_latency_quantile(latency, index, 0.5, &median));
    say("  median %lld", (long long) median);
    while (gt_latency_next_bucket(latency, index, &bucket.value) == GT_OK)
        say("  %lld to %lld: %llu", (long long) bucket.value.from, (long long) bucket.value.to,
            (unsigned long long) bucket.value.count);
    INTACT(gt_latency_series, series);
    INTACT(gt_latency_bucket, bucket);
}

static void say_pair(const gt_latency *latency, size_t index)
{
    FILLED(gt_latency_pair, pair, GT_LATENCY_PAIR_INIT);
    FILLED(gt_latency_bucket, bucket, GT_LATENCY_BUCKET_INIT);
    gt_frame frames[MAX_FRAMES];
    int64_t median = 0;
    must("pair", gt_latency_get_pair(latency, index, &pair.value));
    NUMBER(pair.value, count);
    NUMBER(pair.value, time);
    NUMBER(pair.value, maximum);
    NUMBER(pair.value, begin);
    NUMBER(pair.value, goroutine);
    NUMBER(pair.value, unblocker);
    STRING(pair.value, reason);
    must("median", gt_latency_pair_quantile(latency, index, 0.5, &median));
    say("  median %lld", (long long) median);
    while (gt_latency_next_pair_bucket(latency, index, &bucket.value) == GT_OK)
        say("  from %lld: %llu", (long long) bucket.value.from,
            (unsigned long long) bucket.value.count);
    for (uint32_t side = GT_LATENCY_WAITER; side <= GT_LATENCY_UNBLOCKER; side++) {
        size_t count = 0;
        must("frames", gt_latency_pair_frames(latency, index, side, frames, MAX_FRAMES, &count));
        say_frames("side", frames, count);
    }
    INTACT(gt_latency_pair, pair);
    INTACT(gt_latency_bucket, bucket);
}

static void say_latency(const gt_latency *latency)
{
    FILLED(gt_latency_info, info, GT_LATENCY_INFO_INIT);
    for (size_t i = 0; i < gt_latency_series_count(latency); i++)
        say_series(latency, i);
    for (size_t i = 0; i < gt_latency_pair_count(latency); i++)
        say_pair(latency, i);
    must("info", gt_latency_get_info(latency, &info.value));
    NUMBER(info.value, events);
    NUMBER(info.value, unpaired);
    MEMORY(info.value);
    INTACT(gt_latency_info, info);
}

static void say_row(const gt_path *path, size_t index)
{
    FILLED(gt_path_row, row, GT_PATH_ROW_INIT);
    gt_frame frames[MAX_FRAMES];
    size_t count = 0;
    must("row", gt_path_get_row(path, index, &row.value));
    NUMBER(row.value, id);
    STRING(row.value, group);
    STRING(row.value, reason);
    say("  %s", gt_path_state_name(row.value.state));
    NUMBER(row.value, count);
    NUMBER(row.value, time);
    must("frames", gt_path_row_frames(path, index, frames, MAX_FRAMES, &count));
    say_frames("row", frames, count);
    INTACT(gt_path_row, row);
}

static void say_part(const gt_path *path, size_t index)
{
    FILLED(gt_path_part, part, GT_PATH_PART_INIT);
    gt_frame frames[MAX_FRAMES];
    size_t count = 0;
    must("part", gt_path_get_part(path, index, &part.value));
    NUMBER(part.value, start);
    NUMBER(part.value, end);
    NUMBER(part.value, goroutine);
    STRING(part.value, group);
    STRING(part.value, reason);
    NUMBER(part.value, state);
    must("frames", gt_path_part_frames(path, index, frames, MAX_FRAMES, &count));
    say_frames("part", frames, count);
    INTACT(gt_path_part, part);
}

static void say_interval(gt_path *path, size_t index)
{
    FILLED(gt_path_interval, interval, GT_PATH_INTERVAL_INIT);
    must("interval", gt_path_get_interval(path, index, &interval.value));
    NUMBER(interval.value, task);
    NUMBER(interval.value, goroutine);
    NUMBER(interval.value, start);
    NUMBER(interval.value, end);
    STRING(interval.value, name);
    says("follow",
         gt_path_follow(path, interval.value.goroutine, interval.value.start, interval.value.end));
    for (size_t i = 0; i < gt_path_part_count(path); i++)
        say_part(path, i);
    INTACT(gt_path_interval, interval);
}

static void say_path(gt_path *path)
{
    FILLED(gt_path_info, info, GT_PATH_INFO_INIT);
    int64_t longest = 0;
    for (size_t i = 0; i < gt_path_interval_count(path); i++)
        say_interval(path, i);
    says("longest", gt_path_quantile(path, 1, &longest));
    must("select", gt_path_select(path, 0, longest));
    say("selected %zu", gt_path_selected_count(path));
    for (size_t i = 0; i < gt_path_row_count(path); i++)
        say_row(path, i);
    must("info", gt_path_get_info(path, &info.value));
    NUMBER(info.value, events);
    NUMBER(info.value, changes);
    NUMBER(info.value, forgotten);
    NUMBER(info.value, cut);
    NUMBER(info.value, start);
    NUMBER(info.value, end);
    MEMORY(info.value);
    INTACT(gt_path_info, info);
}

static void say_subject(const gt_report *report, size_t finding, size_t index)
{
    FILLED(gt_report_subject, subject, GT_REPORT_SUBJECT_INIT);
    gt_frame frames[MAX_FRAMES];
    size_t count = 0;
    must("subject", gt_report_get_subject(report, finding, index, &subject.value));
    STRING(subject.value, group);
    STRING(subject.value, detail);
    NUMBER(subject.value, figure);
    NUMBER(subject.value, count);
    for (uint32_t which = GT_REPORT_STACK_OWN; which <= GT_REPORT_STACK_OTHER; which++) {
        must("frames",
             gt_report_subject_frames(report, finding, index, which, frames, MAX_FRAMES, &count));
        say_frames("subject", frames, count);
    }
    INTACT(gt_report_subject, subject);
}

static void say_reported(const gt_report *report, size_t index)
{
    FILLED(gt_report_finding, finding, GT_REPORT_FINDING_INIT);
    FILLED(gt_report_kind, kind, GT_REPORT_KIND_INIT);
    must("finding", gt_report_get_finding(report, index, &finding.value));
    must("kind", gt_report_get_kind((size_t) finding.value.kind, &kind.value));
    STRING(finding.value, name);
    STRING(kind.value, name);
    say("  %s", gt_report_unit_name(kind.value.unit));
    NUMBER(finding.value, figure);
    NUMBER(finding.value, goroutine);
    NUMBER(finding.value, start);
    NUMBER(finding.value, end);
    for (size_t i = 0; i < finding.value.subject_count; i++)
        say_subject(report, index, i);
    INTACT(gt_report_finding, finding);
    INTACT(gt_report_kind, kind);
}

static void say_report(const gt_report *report)
{
    FILLED(gt_report_info, info, GT_REPORT_INFO_INIT);
    FILLED(gt_report_threshold, threshold, GT_REPORT_THRESHOLD_INIT);
    say("kinds %d", gt_report_kind_count() > 0);
    say("thresholds %d", gt_report_threshold_count() > 0);
    must("threshold", gt_report_get_threshold(report, 0, &threshold.value));
    STRING(threshold.value, name);
    NUMBER(threshold.value, value);
    for (size_t i = 0; i < gt_report_finding_count(report); i++)
        say_reported(report, i);
    must("info", gt_report_get_info(report, &info.value));
    NUMBER(info.value, events);
    NUMBER(info.value, goroutines);
    NUMBER(info.value, procs);
    MEMORY(info.value);
    INTACT(gt_report_info, info);
    INTACT(gt_report_threshold, threshold);
}

static void say_difference(const gt_compare *compare, size_t index)
{
    FILLED(gt_compare_difference, difference, GT_COMPARE_DIFFERENCE_INIT);
    must("difference", gt_compare_get(compare, index, &difference.value));
    say("  %s %s", gt_compare_subject_name(difference.value.subject),
        gt_compare_measure_name(difference.value.measure));
    say("  %s %s", gt_compare_statistic_name(difference.value.statistic),
        gt_compare_verdict_name(difference.value.verdict));
    STRING(difference.value, name);
    STRING(difference.value, detail);
    NUMBER(difference.value, before_count);
    NUMBER(difference.value, after_count);
    NUMBER(difference.value, before);
    NUMBER(difference.value, after);
    NUMBER(difference.value, has_interval);
    FILLED(gt_latency_bucket, bucket, GT_LATENCY_BUCKET_INIT);
    while (gt_compare_next_bucket(compare, index, 1, &bucket.value) == GT_OK)
        say("   %lld to %lld %llu", (long long) bucket.value.from, (long long) bucket.value.to,
            (unsigned long long) bucket.value.count);
    INTACT(gt_compare_difference, difference);
    INTACT(gt_latency_bucket, bucket);
}

static void say_compare(const gt_compare *compare)
{
    FILLED(gt_compare_info, info, GT_COMPARE_INFO_INIT);
    for (size_t i = 0; i < gt_compare_count(compare); i++)
        say_difference(compare, i);
    must("info", gt_compare_get_info(compare, &info.value));
    NUMBER(info.value, events);
    NUMBER(info.value, after_traces);
    NUMBER(info.value, after_time);
    MEMORY(info.value);
    INTACT(gt_compare_info, info);
}

static void feed(const struct analyses *all, gt_reader *reader, const gt_event *event)
{
    must("validator", gt_validator_event(all->validator, reader, event));
    must("summary", gt_summary_event(all->summary, reader, event));
    must("told summary", gt_summary_event(all->told, reader, event));
    must("profile", gt_profile_event(all->profile, reader, event));
    must("mmu", gt_mmu_event(all->mmu, event));
    must("latency", gt_latency_event(all->latency, reader, event));
    must("path", gt_path_event(all->path, reader, event));
    must("report", gt_report_event(all->report, reader, event));
    must("compare", gt_compare_event(all->compare, reader, event));
}

void use_analyses(void)
{
    struct analyses all = {0};
    unsigned findings = 0;
    gt_reader *reader = open_trace();
    const gt_event *event = NULL;
    open_analyses(&all, &findings);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        feed(&all, reader, event);
    must("summary", gt_summary_finish(all.summary));
    must("told summary", gt_summary_finish(all.told));
    must("profile", gt_profile_finish(all.profile));
    must("mmu", gt_mmu_finish(all.mmu));
    must("latency", gt_latency_finish(all.latency));
    must("path", gt_path_finish(all.path));
    must("report", gt_report_finish(all.report));
    must("compare", gt_compare_finish(all.compare));
    gt_reader_close(&reader);
    say("told of %u", findings);
    say_validator(all.validator);
    say_summary(all.summary);
    say_profile(all.profile);
    say_mmu(all.mmu);
    say_latency(all.latency);
    say_path(all.path);
    say_report(all.report);
    say_compare(all.compare);
    gt_validator_close(&all.validator);
    gt_summary_close(&all.summary);
    gt_summary_close(&all.told);
    gt_profile_close(&all.profile);
    gt_mmu_close(&all.mmu);
    gt_latency_close(&all.latency);
    gt_path_close(&all.path);
    gt_report_close(&all.report);
    gt_compare_close(&all.compare);
    say("held %zu", heap.held);
}
