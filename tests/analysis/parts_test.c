/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A caller may leave out events of a kind or those before some time. Then there are fewer results,
 * but the analyses do not fail, and count nothing that they were not given.
 */

#include <stdlib.h>
#include <string.h>

#include "support/crowd.h"
#include "support/files.h"
#include "support/test.h"

#define KINDS         (GT_EVENT_EXPERIMENTAL + 1)
#define WITHOUT(kind) (UINT32_C(1) << (kind))
#define REGIONS       (WITHOUT(GT_EVENT_REGION_BEGIN) | WITHOUT(GT_EVENT_REGION_END))

/* The events that are passed on. */
struct part {
    /* Bits of the kinds that are left out. */
    uint32_t without;
    /* The number of events that are left out at the start. */
    uint64_t skip;
};

/* The results. */
struct result {
    gt_summary_info summary;
    size_t series;
    size_t pairs;
    size_t samples;
};

struct all {
    gt_latency *latency;
    gt_summary *summary;
    gt_profile *profile;
    gt_profile *regions;
    gt_mmu *mmu;
};

static void open_all(struct all *all)
{
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;
    gt_mmu_options mmu = GT_MMU_OPTIONS_INIT;
    assert_status(gt_latency_open(&all->latency, NULL, NULL), GT_OK);
    assert_status(gt_summary_open(&all->summary, NULL, NULL), GT_OK);
    options.kinds = GT_PROFILE_BIT(GT_PROFILE_WALL + 1) - GT_PROFILE_BIT(GT_PROFILE_NET);
    assert_status(gt_profile_open(&all->profile, &options, NULL), GT_OK);
    options.flags = GT_PROFILE_REGIONS;
    assert_status(gt_profile_open(&all->regions, &options, NULL), GT_OK);
    mmu.flags |= GT_MMU_SWEEP;
    assert_status(gt_mmu_open(&all->mmu, &mmu, NULL), GT_OK);
}

static void give(struct all *all, gt_reader *reader, const gt_event *event)
{
    assert_status(gt_latency_event(all->latency, reader, event), GT_OK);
    assert_status(gt_summary_event(all->summary, reader, event), GT_OK);
    assert_status(gt_profile_event(all->profile, reader, event), GT_OK);
    assert_status(gt_profile_event(all->regions, reader, event), GT_OK);
    assert_status(gt_mmu_event(all->mmu, event), GT_OK);
}

static void finish(struct all *all, struct result *result)
{
    assert_status(gt_latency_finish(all->latency), GT_OK);
    assert_status(gt_summary_finish(all->summary), GT_OK);
    assert_status(gt_profile_finish(all->profile), GT_OK);
    assert_status(gt_profile_finish(all->regions), GT_OK);
    assert_status(gt_mmu_finish(all->mmu), GT_OK);
    *result = (struct result){GT_SUMMARY_INFO_INIT, 0, 0, 0};
    assert_status(gt_summary_get_info(all->summary, &result->summary), GT_OK);
    result->series = gt_latency_series_count(all->latency);
    result->pairs = gt_latency_pair_count(all->latency);
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++)
        if (kind != GT_PROFILE_CPU)
            result->samples += gt_profile_count(all->profile, kind);
    gt_latency_close(&all->latency);
    gt_summary_close(&all->summary);
    gt_profile_close(&all->profile);
    gt_profile_close(&all->regions);
    gt_mmu_close(&all->mmu);
}

static uint64_t run(const void *data, size_t size, struct part part, struct result *result)
{
    uint64_t events = 0;
    const gt_event *event;
    gt_reader *reader;
    struct all all;
    assert_status(gt_reader_open_memory(&reader, data, size, NULL, NULL), GT_OK);
    open_all(&all);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        if (events++ >= part.skip && !(part.without & WITHOUT(event->kind)))
            give(&all, reader, event);
    }
    finish(&all, result);
    gt_reader_close(&reader);
    return events;
}

static void check_kinds(const void *data, size_t size, const struct result *whole)
{
    struct result result;
    struct part part = {0, 0};
    for (unsigned kind = 0; kind < KINDS; kind++) {
        part.without = WITHOUT(kind);
        run(data, size, part, &result);
        /* Goroutines are known by their transitions, and everything else by goroutine. */
        if (kind == GT_EVENT_STATE_TRANSITION) {
            assert_int_equal(result.summary.goroutines, 0);
            assert_int_equal(result.summary.regions, 0);
            assert_int_equal(result.samples, 0);
            assert_int_equal(result.pairs, 0);
        } else {
            assert_int_equal(result.summary.goroutines, whole->summary.goroutines);
            assert_int_equal(result.pairs, whole->pairs);
        }
    }
    part.without = REGIONS;
    run(data, size, part, &result);
    assert_true(result.series <= whole->series);
    part.without = WITHOUT(GT_EVENT_TASK_BEGIN);
    run(data, size, part, &result);
    assert_true(result.series <= whole->series);
}

static void check(const void *data, size_t size)
{
    struct part part = {0, 0};
    struct result whole, result;
    uint64_t events = run(data, size, part, &whole);
    assert_true(whole.summary.goroutines > 0 && whole.series > 0);
    check_kinds(data, size, &whole);
    for (part.skip = 1; part.skip < events; part.skip += events / 40 + 1) {
        run(data, size, part, &result);
        assert_true(result.summary.goroutines <= whole.summary.goroutines);
        assert_true(result.summary.tasks <= whole.summary.tasks);
    }
    part.skip = events;
    run(data, size, part, &result);
    assert_int_equal(result.summary.goroutines + result.series + result.samples, 0);
}

static void test_parts_of_a_crowd_do_no_harm(void **state)
{
    struct gen g = {0};
    (void) state;
    crowd_write(&g, 20);
    check(g.wire.data, g.wire.size);
    gen_free(&g);
}

static void check_file(const char *name)
{
    char *path = files_join(files_testdata(), name);
    size_t size;
    uint8_t *data = files_read(path, &size);
    check(data, size);
    free(data);
    free(path);
}

static void test_parts_of_recorded_traces_do_no_harm(void **state)
{
    (void) state;
    check_file("v1/go1.19-tasks.trace");
    check_file("v1/go1.21-gc.trace");
    check_file("v2/go1.23-net.trace");
    check_file("v2/go1.26-tasks.trace");
    check_file("v2/go1.27-gc.trace");
    check_file("v2/go1.27-syscall.trace");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_of_a_crowd_do_no_harm),
        cmocka_unit_test(test_parts_of_recorded_traces_do_no_harm),
    };
    return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
