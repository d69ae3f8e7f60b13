/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"
#include "sweep/use.h"

#define KINDS (GT_PROFILE_BIT(GT_PROFILE_WALL + 1) - GT_PROFILE_BIT(GT_PROFILE_NET))

/* An object that takes events. A pointer to any member is passed as a `void *`. */
union object {
    gt_validator *validator;
    gt_summary *summary;
    gt_profile *profile;
    gt_mmu *mmu;
    gt_latency *latency;
    gt_path *path;
    gt_report *report;
};

struct analysis {
    gt_status (*open)(union object *object, struct run *run, const struct use *use);
    gt_status (*event)(union object *object, gt_reader *reader, const gt_event *event);
    gt_status (*finish)(union object *object);
    /* Adds the results to the run. */
    gt_status (*tell)(union object *object, struct run *run);
    void (*close)(union object *object);
};

static void add_string(struct run *run, gt_string string)
{
    run_add_bytes(run, string.data, string.size);
}

static void add_frame(struct run *run, const gt_frame *frame)
{
    run_add(run, frame->pc);
    run_add(run, frame->line);
    add_string(run, frame->function);
    add_string(run, frame->file);
}

static void on_finding(void *user_data, const gt_finding *finding)
{
    run_add(user_data, finding->rule);
    run_add(user_data, finding->number);
}

static gt_status open_validator(union object *object, struct run *run, const struct use *use)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;

    (void) use;
    options.version = run->trace->version;
    options.allocator = &run->probe.allocator;
    options.on_finding = on_finding;
    options.user_data = run;
    return gt_validator_open(&object->validator, &options, NULL);
}

static gt_status event_validator(union object *object, gt_reader *reader, const gt_event *event)
{
    return gt_validator_event(object->validator, reader, event);
}

static gt_status finish_validator(union object *object)
{
    (void) object;
    return GT_OK;
}

static gt_status tell_validator(union object *object, struct run *run)
{
    run_add(run, gt_validator_count(object->validator));
    return GT_OK;
}

static void close_validator(union object *object)
{
    gt_validator_close(&object->validator);
}

static const struct analysis validator = {open_validator, event_validator, finish_validator,
                                          tell_validator, close_validator};

static void add_times(struct run *run, const gt_summary_times *times)
{
    run_add(run, (uint64_t) times->execution);
    run_add(run, (uint64_t) times->sched_wait);
    run_add(run, (uint64_t) times->syscall);
    run_add(run, (uint64_t) times->syscall_block);
    run_add(run, (uint64_t) times->total);
    for (size_t i = 0; i < times->block_count; i++) {
        add_string(run, times->blocks[i].name);
        run_add(run, (uint64_t) times->blocks[i].time);
    }
    for (size_t i = 0; i < times->range_count; i++) {
        add_string(run, times->ranges[i].name);
        run_add(run, (uint64_t) times->ranges[i].time);
    }
}

static void on_goroutine(void *user_data, const gt_goroutine_summary *goroutine)
{
    run_add(user_data, (uint64_t) goroutine->id);
    add_string(user_data, goroutine->name);
    add_times(user_data, goroutine->times);
}

static void on_region(void *user_data, const gt_region_summary *region)
{
    add_string(user_data, region->type);
    add_frame(user_data, &region->frame);
    add_times(user_data, region->times);
}

static void on_task(void *user_data, const gt_task_summary *task)
{
    run_add(user_data, task->id);
    add_string(user_data, task->name);
    run_add(user_data, task->region_count);
    run_add(user_data, task->log_count);
}

static gt_status open_summary(union object *object, struct run *run, const struct use *use)
{
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;

    options.flags = use->flags;
    options.allocator = &run->probe.allocator;
    options.on_goroutine = on_goroutine;
    options.on_region = on_region;
    options.on_task = on_task;
    options.user_data = run;
    return gt_summary_open(&object->summary, &options, NULL);
}

static gt_status event_summary(union object *object, gt_reader *reader, const gt_event *event)
{
    return gt_summary_event(object->summary, reader, event);
}

static gt_status finish_summary(union object *object)
{
    return gt_summary_finish(object->summary);
}

static gt_status tell_summary(union object *object, struct run *run)
{
    size_t count;
    const gt_goroutine_summary *const *goroutines = gt_summary_goroutines(object->summary, &count);
    const gt_task_summary *const *tasks;

    for (size_t i = 0; i < count; i++)
        on_goroutine(run, goroutines[i]);
    tasks = gt_summary_tasks(object->summary, &count);
    for (size_t i = 0; i < count; i++)
        on_task(run, tasks[i]);
    return GT_OK;
}

static void close_summary(union object *object)
{
    gt_summary_close(&object->summary);
}

static const struct analysis summary = {open_summary, event_summary, finish_summary, tell_summary,
                                        close_summary};

static gt_status open_profile(union object *object, struct run *run, const struct use *use)
{
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;

    options.flags = use->flags;
    options.kinds = KINDS;
    if (use->id)
        options.goroutine = (gt_string){"main.main", sizeof("main.main") - 1};
    options.allocator = &run->probe.allocator;
    return gt_profile_open(&object->profile, &options, NULL);
}

static gt_status event_profile(union object *object, gt_reader *reader, const gt_event *event)
{
    return gt_profile_event(object->profile, reader, event);
}

static gt_status finish_profile(union object *object)
{
    return gt_profile_finish(object->profile);
}

static void add_samples(struct run *run, gt_profile *profile, uint32_t kind)
{
    gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
    size_t count = gt_profile_count(profile, kind), i, k;

    for (i = 0; i < count; i++) {
        assert_status(gt_profile_get_sample(profile, kind, i, &sample), GT_OK);
        run_add(run, sample.nanoseconds);
        run_add(run, sample.count);
        for (k = 0; k < sample.frame_count; k++)
            add_frame(run, &sample.frames[k]);
    }
}

static gt_status tell_profile(union object *object, struct run *run)
{
    gt_status status = GT_OK;

    for (uint32_t kind = GT_PROFILE_NET; status == GT_OK && kind <= GT_PROFILE_WALL; kind++) {
        add_samples(run, object->profile, kind);
        status = gt_profile_write_pprof(object->profile, kind, run_write, run);
    }
    return status;
}

static void close_profile(union object *object)
{
    gt_profile_close(&object->profile);
}

static const struct analysis profile = {open_profile, event_profile, finish_profile, tell_profile,
                                        close_profile};

static gt_status open_mmu(union object *object, struct run *run, const struct use *use)
{
    gt_mmu_options options = GT_MMU_OPTIONS_INIT;

    options.flags |= use->flags;
    options.allocator = &run->probe.allocator;
    return gt_mmu_open(&object->mmu, &options, NULL);
}

static gt_status event_mmu(union object *object, gt_reader *reader, const gt_event *event)
{
    (void) reader;
    return gt_mmu_event(object->mmu, event);
}

static gt_status finish_mmu(union object *object)
{
    return gt_mmu_finish(object->mmu);
}

/* Returns a utilisation as a number, rounded to the digits that are significant. */
static uint64_t whole(double value)
{
    return (uint64_t) (value * 1e9);
}

/* Queries one value after the other. Returns the first failure. */
static gt_status ask_mmu(union object *object, struct run *run)
{
    static const double parts[] = {0, 0.5, 1};
    const gt_utilization *points;
    gt_utilization worst[3];
    double values[3], least;
    int64_t start, end;
    size_t count;
    gt_status status = gt_mmu_range(object->mmu, &start, &end);

    if (status != GT_OK)
        return status;
    run_add(run, (uint64_t) (end - start));
    if ((status = gt_mmu_minimum(object->mmu, 1000000, &least)) != GT_OK)
        return status;
    run_add(run, whole(least));
    status = gt_mmu_series(object->mmu, 0, &points, &count);
    if (status != GT_OK && status != GT_ERR_NOT_AVAILABLE)
        return status;
    run_add(run, status == GT_OK ? count : 0);
    if ((status = gt_mmu_quantiles(object->mmu, 1000000, parts, 3, values)) != GT_OK)
        return status;
    run_add(run, whole(values[1]));
    count = 3;
    if ((status = gt_mmu_worst(object->mmu, 1000000, worst, &count)) != GT_OK)
        return status;
    run_add(run, count);
    return GT_OK;
}

/* If only one allocation fails, the same queries succeed the next time. */
static gt_status tell_mmu(union object *object, struct run *run)
{
    const size_t count = run->count;
    const uint64_t hash = run->hash;
    gt_status status = ask_mmu(object, run);

    if (status == GT_ERR_NO_MEMORY && !run->probe.fail_on) {
        run->count = count;
        run->hash = hash;
        assert_status(ask_mmu(object, run), GT_OK);
    }
    return status;
}

static void close_mmu(union object *object)
{
    gt_mmu_close(&object->mmu);
}

static const struct analysis mmu = {open_mmu, event_mmu, finish_mmu, tell_mmu, close_mmu};

static gt_status open_latency(union object *object, struct run *run, const struct use *use)
{
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;

    options.flags = use->flags;
    options.allocator = &run->probe.allocator;
    return gt_latency_open(&object->latency, &options, NULL);
}

static gt_status event_latency(union object *object, gt_reader *reader, const gt_event *event)
{
    return gt_latency_event(object->latency, reader, event);
}

static gt_status finish_latency(union object *object)
{
    return gt_latency_finish(object->latency);
}

static void add_pair(struct run *run, gt_latency *latency, size_t index)
{
    gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
    gt_frame frames[4];
    size_t count;

    assert_status(gt_latency_get_pair(latency, index, &pair), GT_OK);
    run_add(run, pair.count);
    run_add(run, (uint64_t) pair.time);
    run_add(run, (uint64_t) pair.maximum);
    add_string(run, pair.reason);
    for (uint32_t side = GT_LATENCY_WAITER; side <= GT_LATENCY_UNBLOCKER; side++) {
        assert_status(gt_latency_pair_frames(latency, index, side, frames, 4, &count), GT_OK);
        for (size_t i = 0; i < count && i < 4; i++)
            add_frame(run, &frames[i]);
    }
}

static gt_status tell_latency(union object *object, struct run *run)
{
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    int64_t median = 0;

    for (size_t i = 0; i < gt_latency_series_count(object->latency); i++) {
        assert_status(gt_latency_get_series(object->latency, i, &series), GT_OK);
        assert_status(gt_latency_quantile(object->latency, i, 0.5, &median), GT_OK);
        add_string(run, series.name);
        run_add(run, series.count);
        run_add(run, (uint64_t) series.sum);
        run_add(run, (uint64_t) median);
    }
    for (size_t i = 0; i < gt_latency_pair_count(object->latency); i++)
        add_pair(run, object->latency, i);
    return GT_OK;
}

static void close_latency(union object *object)
{
    gt_latency_close(&object->latency);
}

static const struct analysis latency = {open_latency, event_latency, finish_latency, tell_latency,
                                        close_latency};

static gt_status open_path(union object *object, struct run *run, const struct use *use)
{
    gt_path_options options = GT_PATH_OPTIONS_INIT;

    options.flags = use->flags;
    options.name = (gt_string){"", 0};
    if (use->id == 0)
        options.name.data = NULL;
    options.allocator = &run->probe.allocator;
    return gt_path_open(&object->path, &options, NULL);
}

static gt_status event_path(union object *object, gt_reader *reader, const gt_event *event)
{
    return gt_path_event(object->path, reader, event);
}

static gt_status finish_path(union object *object)
{
    return gt_path_finish(object->path);
}

static void add_parts(struct run *run, const gt_path *path)
{
    gt_path_part part = GT_PATH_PART_INIT;

    for (size_t i = 0; gt_path_get_part(path, i, &part) == GT_OK; i++) {
        run_add(run, (uint64_t) part.start);
        run_add(run, (uint64_t) part.goroutine);
        run_add(run, part.state);
        add_string(run, part.reason);
    }
}

static void add_rows(struct run *run, const gt_path *path)
{
    gt_path_row row = GT_PATH_ROW_INIT;
    gt_frame frames[4];
    size_t count = 0;

    for (size_t i = 0; gt_path_get_row(path, i, &row) == GT_OK; i++) {
        add_string(run, row.group);
        run_add(run, row.state);
        run_add(run, (uint64_t) row.time);
        assert_status(gt_path_row_frames(path, i, frames, 4, &count), GT_OK);
        for (size_t k = 0; k < count && k < 4; k++)
            add_frame(run, &frames[k]);
    }
}

static gt_status tell_path(union object *object, struct run *run)
{
    gt_path_info info = GT_PATH_INFO_INIT;
    int64_t longest;
    gt_status status = gt_path_quantile(object->path, 1, &longest);

    if (status == GT_OK)
        status = gt_path_select(object->path, 0, longest);
    else if (status == GT_ERR_NOT_AVAILABLE)
        status = GT_OK;
    if (status != GT_OK)
        return status;
    add_rows(run, object->path);
    assert_status(gt_path_get_info(object->path, &info), GT_OK);
    status = gt_path_follow(object->path, 1, info.start, info.end);
    add_parts(run, object->path);
    return status == GT_ERR_NOT_AVAILABLE ? GT_OK : status;
}

static void close_path(union object *object)
{
    gt_path_close(&object->path);
}

static const struct analysis path = {open_path, event_path, finish_path, tell_path, close_path};

static gt_status open_report(union object *object, struct run *run, const struct use *use)
{
    gt_report_options options = GT_REPORT_OPTIONS_INIT;
    gt_report_threshold threshold = GT_REPORT_THRESHOLD_INIT;

    options.allocator = &run->probe.allocator;
    gt_status status = gt_report_open(&object->report, &options, NULL);
    for (size_t i = 0; status == GT_OK && i < gt_report_threshold_count(); i++) {
        assert_status(gt_report_get_threshold(object->report, i, &threshold), GT_OK);
        assert_status(gt_report_set(object->report, threshold.name, (double) use->id), GT_OK);
    }
    return status;
}

static gt_status event_report(union object *object, gt_reader *reader, const gt_event *event)
{
    return gt_report_event(object->report, reader, event);
}

static gt_status finish_report(union object *object)
{
    return gt_report_finish(object->report);
}

static void add_subjects(struct run *run, const gt_report *report, size_t finding)
{
    gt_report_subject subject = GT_REPORT_SUBJECT_INIT;
    gt_frame frames[4];
    size_t count = 0;

    for (size_t i = 0; gt_report_get_subject(report, finding, i, &subject) == GT_OK; i++) {
        add_string(run, subject.group);
        add_string(run, subject.detail);
        run_add(run, subject.count);
        assert_status(
            gt_report_subject_frames(report, finding, i, GT_REPORT_STACK_OTHER, frames, 4, &count),
            GT_OK);
        for (size_t k = 0; k < count && k < 4; k++)
            add_frame(run, &frames[k]);
    }
}

static gt_status tell_report(union object *object, struct run *run)
{
    gt_report_finding finding = GT_REPORT_FINDING_INIT;

    for (size_t i = 0; gt_report_get_finding(object->report, i, &finding) == GT_OK; i++) {
        add_string(run, finding.name);
        run_add(run, (uint64_t) finding.goroutine);
        run_add(run, (uint64_t) finding.start);
        add_subjects(run, object->report, i);
    }
    return GT_OK;
}

static void close_report(union object *object)
{
    gt_report_close(&object->report);
}

static const struct analysis report = {open_report, event_report, finish_report, tell_report,
                                       close_report};

static gt_status feed(const struct analysis *about, union object *object, struct run *run,
                      gt_reader *reader)
{
    const gt_event *event;
    gt_status status, read;

    while ((read = gt_reader_next_event(reader, &event)) == GT_OK) {
        status = about->event(object, reader, event);
        if (status == GT_OK)
            continue;
        assert_status(about->event(object, reader, event), status);
        assert_status(about->event(object, reader, event), status);
        return status;
    }
    if (read != GT_END)
        return read;
    status = about->finish(object);
    return status == GT_OK ? about->tell(object, run) : status;
}

static void run_analysis(struct run *run, const struct use *use)
{
    static const struct analysis *const analyses[] = {&validator, &summary, &profile, &mmu,
                                                      &latency,   &path,    &report};
    const struct analysis *about = analyses[use->kind];
    union object object = {NULL};
    gt_reader *reader;

    run->status = run_open(run, GT_READER_LENIENT, &reader);
    if (run->status == GT_OK)
        run->status = about->open(&object, run, use);
    if (run->status == GT_OK)
        run->status = feed(about, &object, run, reader);
    gt_reader_close(&reader);
    about->close(&object);
}

const struct use use_analyses[] = {
    {"validator", run_analysis, 0, 0, 0, GT_OK},
    {"summary", run_analysis, 0, 1, 0, GT_OK},
    {"summary that drops", run_analysis, GT_SUMMARY_DROP, 1, 0, GT_OK},
    {"profiles", run_analysis, 0, 2, 0, GT_ERR_IO},
    {"profiles of regions", run_analysis, GT_PROFILE_REGIONS, 2, 0, GT_ERR_IO},
    {"profiles of a group", run_analysis, 0, 2, 1, GT_ERR_IO},
    {"profiles of all waits", run_analysis, GT_PROFILE_ALL, 2, 0, GT_ERR_IO},
    {"utilisation", run_analysis, 0, 3, 0, GT_OK},
    {"utilisation per proc", run_analysis, GT_MMU_PER_PROC | GT_MMU_SWEEP, 3, 0, GT_OK},
    {"latencies", run_analysis, 0, 4, 0, GT_OK},
    {"latencies of pairs", run_analysis, GT_LATENCY_PAIR_WAITS, 4, 0, GT_OK},
    {"critical paths", run_analysis, GT_PATH_TASKS | GT_PATH_REGIONS, 5, 0, GT_OK},
    {"critical paths of goroutines", run_analysis, GT_PATH_GOROUTINES, 5, 0, GT_OK},
    {"critical paths of a name", run_analysis, GT_PATH_TASKS, 5, 1, GT_OK},
    {"report", run_analysis, 0, 6, 0, GT_OK},
};

const size_t use_analysis_count = sizeof(use_analyses) / sizeof(use_analyses[0]);
