/* SPDX-License-Identifier: BSD-3-Clause */

/* Summaries, profiles, critical paths and reports of the events of any input. */

#include <string.h>

#include "fuzz/convert.h"
#include "fuzz/input.h"
#include "fuzz/protobuf.h"
#include "support/test.h"

#define KINDS                                                                                      \
    (GT_PROFILE_BIT(GT_PROFILE_NET) | GT_PROFILE_BIT(GT_PROFILE_SYNC) |                            \
     GT_PROFILE_BIT(GT_PROFILE_SYSCALL) | GT_PROFILE_BIT(GT_PROFILE_SCHED) |                       \
     GT_PROFILE_BIT(GT_PROFILE_CPU) | GT_PROFILE_BIT(GT_PROFILE_OFFCPU) |                          \
     GT_PROFILE_BIT(GT_PROFILE_WALL))

/* Bits of the choices. */
enum {
    CHOICE_DROP = 1,
    CHOICE_REGIONS = 2,
    CHOICE_GROUP = 4,
    CHOICE_LENIENT = 8,
    CHOICE_NO_READER = 16,
    CHOICE_ONE_KIND = 32,
    CHOICE_ALL = 64
};

struct fuzz {
    const struct input *input;
    gt_reader *reader;
    gt_summary *summary;
    gt_profile *profile;
    gt_path *path;
    gt_report *report;
    uint64_t goroutines;
    uint64_t regions;
    uint64_t tasks;
    gt_status summed;
    gt_status counted;
    gt_status followed;
    gt_status reported;
};

static void check_list(const gt_summary_time *list, size_t count, int64_t *sum)
{
    *sum = 0;
    for (size_t i = 0; i < count; i++) {
        assert_non_null(list[i].name.data);
        assert_true(list[i].time >= 0);
        *sum = gt_summary_time_sum(*sum, list[i].time);
    }
}

static void check_times(const gt_summary_times *times)
{
    int64_t sum;

    check_list(times->ranges, times->range_count, &sum);
    check_list(times->blocks, times->block_count, &sum);
    assert_int_equal(sum, times->block);
    assert_true(times->execution >= 0);
    assert_true(times->syscall >= 0);
    assert_true(times->syscall_block >= 0);
    assert_true(times->sched_wait >= 0);
    assert_true(times->total >= 0);
}

static void check_region(const gt_region_summary *region)
{
    assert_non_null(region->type.data);
    assert_non_null(region->frame.function.data);
    assert_non_null(region->frame.file.data);
    assert_true(!region->has_begin || !region->has_end || region->begin <= region->end);
    check_times(region->times);
}

static void on_region(void *user_data, const gt_region_summary *region)
{
    struct fuzz *fuzz = user_data;

    fuzz->regions++;
    check_region(region);
}

static void on_goroutine(void *user_data, const gt_goroutine_summary *goroutine)
{
    struct fuzz *fuzz = user_data;

    fuzz->goroutines++;
    assert_non_null(goroutine->name.data);
    check_times(goroutine->times);
    assert_true(!(fuzz->input->flags & CHOICE_DROP) || !goroutine->regions);
    for (size_t i = 0; goroutine->regions && i < goroutine->region_count; i++)
        check_region(goroutine->regions[i]);
}

static void on_task(void *user_data, const gt_task_summary *task)
{
    struct fuzz *fuzz = user_data;

    fuzz->tasks++;
    assert_non_null(task->name.data);
    for (size_t i = 0; task->regions && i < task->region_count; i++)
        check_region(task->regions[i]);
    for (size_t i = 0; task->logs && i < task->log_count; i++) {
        assert_non_null(task->logs[i].category.data);
        assert_non_null(task->logs[i].message.data);
    }
}

static gt_status open_summary(struct fuzz *fuzz, const gt_allocator *allocator)
{
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;

    options.flags = fuzz->input->flags & CHOICE_DROP ? GT_SUMMARY_DROP : 0;
    options.memory_limit = input_limit(fuzz->input);
    options.allocator = allocator;
    options.on_goroutine = on_goroutine;
    options.on_region = on_region;
    options.on_task = on_task;
    options.user_data = fuzz;
    return gt_summary_open(&fuzz->summary, &options, NULL);
}

static gt_status open_profile(struct fuzz *fuzz, const gt_allocator *allocator)
{
    const uint8_t flags = fuzz->input->flags;
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;

    options.kinds = KINDS;
    if (flags & CHOICE_ONE_KIND)
        options.kinds = GT_PROFILE_BIT(GT_PROFILE_NET + fuzz->input->pick % GT_PROFILE_WALL);
    if (flags & CHOICE_REGIONS) {
        options.flags = GT_PROFILE_REGIONS;
        options.latency_min = fuzz->input->pick;
    } else if (flags & CHOICE_GROUP) {
        options.goroutine = (gt_string){"main.main", strlen("main.main")};
    }
    if (flags & CHOICE_ALL)
        options.flags |= GT_PROFILE_ALL;
    options.memory_limit = input_limit(fuzz->input);
    options.allocator = allocator;
    return gt_profile_open(&fuzz->profile, &options, NULL);
}

static gt_status open_path(struct fuzz *fuzz, const gt_allocator *allocator)
{
    const uint8_t flags = fuzz->input->flags;
    gt_path_options options = GT_PATH_OPTIONS_INIT;

    options.flags = flags & CHOICE_REGIONS ? GT_PATH_REGIONS | GT_PATH_TASKS : GT_PATH_GOROUTINES;
    if (flags & CHOICE_GROUP)
        options.name = (gt_string){"main.main", strlen("main.main")};
    options.history = flags & CHOICE_DROP;
    options.steps = flags & CHOICE_ALL ? 1 + fuzz->input->pick % 3 : 0;
    options.memory_limit = input_limit(fuzz->input);
    options.allocator = allocator;
    return gt_path_open(&fuzz->path, &options, NULL);
}

/* In half of all runs everything is a fault. */
static gt_status open_report(struct fuzz *fuzz, const gt_allocator *allocator)
{
    gt_report_options options = GT_REPORT_OPTIONS_INIT;
    gt_report_threshold threshold = GT_REPORT_THRESHOLD_INIT;

    options.memory_limit = input_limit(fuzz->input);
    options.allocator = allocator;
    gt_status status = gt_report_open(&fuzz->report, &options, NULL);
    for (size_t i = 0; status == GT_OK && fuzz->input->flags & CHOICE_ALL &&
                       gt_report_get_threshold(fuzz->report, i, &threshold) == GT_OK;
         i++)
        assert_status(gt_report_set(fuzz->report, threshold.name, 0), GT_OK);
    return status;
}

/* The largest subject of each finding comes first. */
static void check_report(struct fuzz *fuzz)
{
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    gt_report_subject subject = GT_REPORT_SUBJECT_INIT;
    size_t count;

    if (fuzz->reported == GT_OK)
        fuzz->reported = gt_report_finish(fuzz->report);
    for (size_t i = 0; gt_report_get_finding(fuzz->report, i, &finding) == GT_OK; i++) {
        assert_true(finding.figure >= 0 && finding.share >= 0 && finding.share <= 100);
        double before = -1;
        for (size_t k = 0; gt_report_get_subject(fuzz->report, i, k, &subject) == GT_OK; k++) {
            assert_true(k == 0 || subject.figure <= before);
            before = subject.figure;
            assert_status(
                gt_report_subject_frames(fuzz->report, i, k, GT_REPORT_STACK_OWN, NULL, 0, &count),
                GT_OK);
        }
    }
    gt_report_close(&fuzz->report);
}

/* The parts of the path are disjoint and add up to the interval. */
static void check_path(struct fuzz *fuzz, int64_t goroutine, int64_t start, int64_t end)
{
    gt_path_part part = GT_PATH_PART_INIT;
    size_t count, frames;

    if (fuzz->followed != GT_OK || start > end)
        return;
    fuzz->followed = gt_path_follow(fuzz->path, goroutine, start, end);
    if (fuzz->followed == GT_ERR_NOT_AVAILABLE)
        fuzz->followed = GT_OK;
    else if (fuzz->followed == GT_OK) {
        count = gt_path_part_count(fuzz->path);
        for (size_t i = 0; i < count; i++) {
            assert_status(gt_path_get_part(fuzz->path, i, &part), GT_OK);
            assert_int_equal(part.start, start);
            assert_true(part.end > start && part.group.data && part.reason.data);
            assert_status(gt_path_part_frames(fuzz->path, i, NULL, 0, &frames), GT_OK);
            start = part.end;
        }
        assert_int_equal(start, end);
    }
}

/* The rows add up to the intervals, except where a sum is too large for a number. */
static void check_rows(struct fuzz *fuzz)
{
    gt_path_row row = GT_PATH_ROW_INIT;
    gt_path_interval interval = GT_PATH_INTERVAL_INIT;
    int64_t rows = 0, intervals = 0;

    if (fuzz->followed == GT_OK)
        fuzz->followed = gt_path_select(fuzz->path, INT64_MIN, INT64_MAX);
    if (fuzz->followed != GT_OK)
        return;
    for (size_t i = 0; gt_path_get_row(fuzz->path, i, &row) == GT_OK; i++) {
        assert_true(row.time > 0 && row.count > 0);
        rows = gt_summary_time_sum(rows, row.time);
    }
    for (size_t i = 0; gt_path_get_interval(fuzz->path, i, &interval) == GT_OK; i++) {
        uint64_t span = (uint64_t) interval.end - (uint64_t) interval.start;
        assert_true(interval.end >= interval.start);
        intervals = gt_summary_time_sum(intervals, span > INT64_MAX ? INT64_MAX : (int64_t) span);
    }
    assert_true(rows == intervals || intervals == INT64_MAX);
}

static void check_paths(struct fuzz *fuzz)
{
    const int64_t pick = fuzz->input->pick;
    gt_path_info info = GT_PATH_INFO_INIT;

    if (fuzz->followed == GT_OK)
        fuzz->followed = gt_path_finish(fuzz->path);
    check_rows(fuzz);
    if (fuzz->followed != GT_OK)
        return;
    assert_status(gt_path_get_info(fuzz->path, &info), GT_OK);
    for (int64_t goroutine = -1; goroutine < 20; goroutine++) {
        check_path(fuzz, goroutine, info.start, info.end);
        check_path(fuzz, goroutine, INT64_MIN, INT64_MAX);
        check_path(fuzz, goroutine, info.start / 2 + info.end / 2, info.end);
        check_path(fuzz, goroutine, info.start, info.start / 2 + info.end / 2 + pick);
    }
}

static void check_samples(struct fuzz *fuzz, uint32_t kind)
{
    gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
    size_t count = gt_profile_count(fuzz->profile, kind), i, k;
    uint64_t last = UINT64_MAX;

    for (i = 0; i < count; i++) {
        assert_status(gt_profile_get_sample(fuzz->profile, kind, i, &sample), GT_OK);
        assert_true(sample.nanoseconds <= last);
        last = sample.nanoseconds;
        assert_true(sample.count <= INT64_MAX && last <= INT64_MAX);
        assert_true(sample.frame_count <= GT_STACK_MAX_FRAMES);
        for (k = 0; k < sample.frame_count; k++)
            assert_non_null(sample.frames[k].function.data);
    }
    assert_status(gt_profile_get_sample(fuzz->profile, kind, count, &sample),
                  GT_ERR_INVALID_ARGUMENT);
}

/* Memory that is lacking for a snapshot changes nothing. */
static void take_snapshots(struct fuzz *fuzz)
{
    gt_summary_info info = GT_SUMMARY_INFO_INIT;
    size_t goroutines, tasks;

    if (fuzz->summed == GT_OK && gt_summary_snapshot(fuzz->summary) == GT_OK) {
        const gt_goroutine_summary *const *list = gt_summary_goroutines(fuzz->summary, &goroutines);
        assert_status(gt_summary_get_info(fuzz->summary, &info), GT_OK);
        assert_true(goroutines <= info.goroutines);
        for (size_t i = 0; i < goroutines; i++) {
            check_times(list[i]->times);
            for (size_t k = 0; list[i]->regions && k < list[i]->region_count; k++)
                check_region(list[i]->regions[k]);
        }
        const gt_task_summary *const *task = gt_summary_tasks(fuzz->summary, &tasks);
        for (size_t i = 0; i < tasks; i++) {
            for (size_t k = 0; task[i]->regions && k < task[i]->region_count; k++)
                check_region(task[i]->regions[k]);
        }
    }
    if (fuzz->counted == GT_OK && gt_profile_snapshot(fuzz->profile) == GT_OK)
        check_samples(fuzz, GT_PROFILE_WALL);
}

static void feed_all(struct fuzz *fuzz)
{
    struct gt_reader *reader = fuzz->input->flags & CHOICE_NO_READER ? NULL : fuzz->reader;
    const gt_event *event;

    for (unsigned i = 0; gt_reader_next_event(fuzz->reader, &event) == GT_OK; i++) {
        if (fuzz->summed == GT_OK)
            fuzz->summed = gt_summary_event(fuzz->summary, reader, event);
        if (fuzz->counted == GT_OK)
            fuzz->counted = gt_profile_event(fuzz->profile, fuzz->reader, event);
        if (fuzz->followed == GT_OK)
            fuzz->followed = gt_path_event(fuzz->path, reader, event);
        if (fuzz->reported == GT_OK)
            fuzz->reported = gt_report_event(fuzz->report, reader, event);
        if (i % 101 == fuzz->input->pick % 101u)
            take_snapshots(fuzz);
    }
    if (fuzz->summed == GT_OK)
        fuzz->summed = gt_summary_finish(fuzz->summary);
    if (fuzz->counted == GT_OK)
        fuzz->counted = gt_profile_finish(fuzz->profile);
}

/*
 * Asserts that everything in the summary was reported. A goroutine that ended can be reported again
 * at the end, if it continues all the same.
 */
static void check_summary(struct fuzz *fuzz)
{
    gt_summary_info info = GT_SUMMARY_INFO_INIT;
    size_t goroutines, tasks;

    assert_status(gt_summary_get_info(fuzz->summary, &info), GT_OK);
    gt_summary_goroutines(fuzz->summary, &goroutines);
    gt_summary_tasks(fuzz->summary, &tasks);
    if (fuzz->summed == GT_OK) {
        assert_true(info.regions >= fuzz->regions);
        if (fuzz->input->flags & CHOICE_DROP) {
            assert_int_equal(info.goroutines, fuzz->goroutines);
            assert_int_equal(info.tasks, fuzz->tasks);
        } else {
            assert_int_equal(info.goroutines, goroutines);
            assert_int_equal(info.tasks, tasks);
            assert_true(fuzz->goroutines >= goroutines && fuzz->tasks >= tasks);
        }
    }
}

/* Kinds that the options did not select are refused. */
static void check_pprof(struct fuzz *fuzz, uint32_t kind, const struct probe *probe)
{
    struct converted out = {0};
    gt_status status = gt_profile_write_pprof(fuzz->profile, kind, converted_take, &out);

    input_check_failure(fuzz->input, probe, status);
    if (status == GT_OK)
        assert_true(protobuf_is_good(out.data, out.size));
    if (!(fuzz->input->flags & CHOICE_ONE_KIND))
        assert_true(status != GT_ERR_INVALID_ARGUMENT);
    converted_free(&out);
}

static void run(struct fuzz *fuzz)
{
    struct probe summing, counting, following, reporting;

    input_probe(fuzz->input, &summing);
    input_probe(fuzz->input, &counting);
    input_probe(fuzz->input, &following);
    input_probe(fuzz->input, &reporting);
    fuzz->summed = open_summary(fuzz, &summing.allocator);
    fuzz->counted = open_profile(fuzz, &counting.allocator);
    fuzz->followed = open_path(fuzz, &following.allocator);
    fuzz->reported = open_report(fuzz, &reporting.allocator);
    feed_all(fuzz);
    gt_reader_close(&fuzz->reader);
    check_paths(fuzz);
    check_report(fuzz);
    if (fuzz->summary)
        check_summary(fuzz);
    for (uint32_t kind = GT_PROFILE_NET; fuzz->counted == GT_OK && kind <= GT_PROFILE_WALL;
         kind++) {
        check_samples(fuzz, kind);
        check_pprof(fuzz, kind, &counting);
    }
    gt_summary_close(&fuzz->summary);
    gt_profile_close(&fuzz->profile);
    gt_path_close(&fuzz->path);
    input_check_memory(fuzz->input, &summing, 0);
    input_check_memory(fuzz->input, &counting, 0);
    input_check_memory(fuzz->input, &following, 0);
    input_check_failure(fuzz->input, &summing, fuzz->summed);
    input_check_failure(fuzz->input, &counting, fuzz->counted);
    input_check_failure(fuzz->input, &following, fuzz->followed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct fuzz fuzz = {0};
    struct input input;

    if (!input_take(&input, data, size, 0))
        return 0;
    fuzz.input = &input;
    options.flags = input.flags & CHOICE_LENIENT ? GT_READER_LENIENT : 0;
    if (gt_reader_open_memory(&fuzz.reader, input.data, input.size, &options, NULL) == GT_OK)
        run(&fuzz);
    gt_reader_close(&fuzz.reader);
    input_free(&input);
    return 0;
}
