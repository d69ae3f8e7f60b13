/* SPDX-License-Identifier: BSD-3-Clause */

/* The validator and the utilisation, on the events of any input. */

#include <stdbool.h>
#include <string.h>

#include "fuzz/input.h"
#include "support/test.h"

struct fuzz {
    const struct input *input;
    gt_reader *reader;
    gt_validator *validator;
    gt_mmu *mmu;
    uint64_t told;
    gt_status validated;
    gt_status measured;
};

static void tell(void *user_data, const gt_finding *finding)
{
    struct fuzz *fuzz = user_data;

    fuzz->told++;
    assert_true(finding->number > 0);
    assert_true(strlen(finding->message) > 0);
    assert_string_not_equal(gt_rule_text(finding->rule), "unknown rule");
}

static gt_status open_validator(struct fuzz *fuzz, const gt_allocator *allocator)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;

    assert_status(gt_reader_get_info(fuzz->reader, &info), GT_OK);
    options.flags = fuzz->input->flags & GT_VALIDATOR_COARSE_CLOCK;
    options.version = fuzz->input->pick & 1 ? 0 : info.version;
    options.memory_limit = input_limit(fuzz->input);
    options.allocator = allocator;
    options.on_finding = tell;
    options.user_data = fuzz;
    options.keep = fuzz->input->pick;
    return gt_validator_open(&fuzz->validator, &options, NULL);
}

static gt_status open_mmu(struct fuzz *fuzz, const gt_allocator *allocator)
{
    gt_mmu_options options = GT_MMU_OPTIONS_INIT;

    options.flags = fuzz->input->flags % (2 * GT_MMU_PER_PROC);
    options.memory_limit = input_limit(fuzz->input);
    options.allocator = allocator;
    return gt_mmu_open(&fuzz->mmu, &options, NULL);
}

static void feed_all(struct fuzz *fuzz)
{
    struct gt_reader *reader = fuzz->input->flags & 128 ? NULL : fuzz->reader;
    const gt_event *event;

    while (gt_reader_next_event(fuzz->reader, &event) == GT_OK) {
        if (fuzz->validated == GT_OK)
            fuzz->validated = gt_validator_event(fuzz->validator, reader, event);
        if (fuzz->measured == GT_OK)
            fuzz->measured = gt_mmu_event(fuzz->mmu, event);
    }
}

static void check_findings(struct fuzz *fuzz)
{
    uint64_t count = gt_validator_count(fuzz->validator), i;
    gt_finding finding = GT_FINDING_INIT;

    assert_int_equal(count, fuzz->told);
    for (i = 0; i < count && i < fuzz->input->pick; i++)
        assert_status(gt_validator_finding(fuzz->validator, i, &finding), GT_OK);
    assert_status(gt_validator_finding(fuzz->validator, i, &finding), GT_ERR_NOT_AVAILABLE);
}

static void assert_utilization(double value)
{
    assert_true(value >= 0 && value <= 1);
}

static void check_series(struct fuzz *fuzz)
{
    const gt_utilization *points;
    size_t count;

    for (size_t series = 0; gt_mmu_series(fuzz->mmu, series, &points, &count) == GT_OK; series++) {
        for (size_t i = 0; i < count; i++) {
            assert_utilization(points[i].value);
            assert_true(i == 0 || points[i].time >= points[i - 1].time);
        }
    }
}

/* Results that are computed on request may fail for want of memory. */
static bool is_done(const struct fuzz *fuzz, gt_status status)
{
    if (!input_is_trouble(status))
        assert_status(status, GT_OK);
    assert_true(status == GT_OK || fuzz->input->trouble != TROUBLE_NONE);
    return status == GT_OK;
}

/* The tolerance is for rounding errors. */
#define MORE 1e-6

static void check_window(struct fuzz *fuzz, int64_t window)
{
    static const double quantiles[] = {0, 0.25, 0.5, 1};
    gt_utilization worst[4];
    double least, values[4];
    size_t count = 4;
    gt_status status;

    if (!is_done(fuzz, gt_mmu_minimum(fuzz->mmu, window, &least)))
        return;
    assert_utilization(least);
    status = gt_mmu_quantiles(fuzz->mmu, window, quantiles, 4, values);
    for (size_t i = 0; status == GT_OK && i < 4; i++) {
        assert_utilization(values[i]);
        assert_true(i == 0 || values[i] >= values[i - 1]);
    }
    status = gt_mmu_worst(fuzz->mmu, window, worst, &count);
    assert_true(status != GT_OK || count <= 4);
    for (size_t i = 0; status == GT_OK && i < count; i++) {
        assert_true(worst[i].value >= least - MORE);
        assert_true(i == 0 || worst[i].value >= worst[i - 1].value);
    }
}

static void check_utilization(struct fuzz *fuzz)
{
    static const int64_t windows[] = {INT64_MIN, -1, 0, 1, 1000, 1000000, INT64_MAX};
    int64_t start, end;

    if (fuzz->measured != GT_OK || gt_mmu_finish(fuzz->mmu) != GT_OK)
        return;
    if (!is_done(fuzz, gt_mmu_range(fuzz->mmu, &start, &end)))
        return;
    assert_true(start <= end);
    check_series(fuzz);
    for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++)
        check_window(fuzz, windows[i]);
    check_window(fuzz, 1 + (end - start) / (1 + fuzz->input->pick));
}

static void run(struct fuzz *fuzz)
{
    struct probe validating, measuring;

    input_probe(fuzz->input, &validating);
    input_probe(fuzz->input, &measuring);
    fuzz->validated = open_validator(fuzz, &validating.allocator);
    fuzz->measured = open_mmu(fuzz, &measuring.allocator);
    feed_all(fuzz);
    if (fuzz->validated == GT_OK)
        check_findings(fuzz);
    check_utilization(fuzz);
    gt_validator_close(&fuzz->validator);
    gt_mmu_close(&fuzz->mmu);
    input_check_memory(fuzz->input, &validating, 0);
    input_check_memory(fuzz->input, &measuring, 0);
    input_check_failure(fuzz->input, &validating, fuzz->validated);
    input_check_failure(fuzz->input, &measuring, fuzz->measured);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct fuzz fuzz = {0};
    struct input input;

    if (!input_take(&input, data, size, 0))
        return 0;
    fuzz.input = &input;
    options.flags = input.pick & 2 ? GT_READER_LENIENT : 0;
    if (gt_reader_open_memory(&fuzz.reader, input.data, input.size, &options, NULL) == GT_OK)
        run(&fuzz);
    gt_reader_close(&fuzz.reader);
    input_free(&input);
    return 0;
}
