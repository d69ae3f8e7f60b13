/* SPDX-License-Identifier: BSD-3-Clause */
#include "curve.h"

#include <math.h>
#include <stdbool.h>

#include "support/test.h"

void curve_at(struct gen *gen, uint64_t thread, uint64_t time)
{
    gen_on(gen, thread);
    gen->dt = time - gen->time;
}

void curve_event(struct gen *gen, uint64_t thread, uint64_t time, unsigned type)
{
    curve_at(gen, thread, time);
    /* The end of a range has no stack, but the end of a sweep has two numbers. */
    if (type == EV_GC_SWEEP_END)
        GEN_EVENT(gen, type, 0, 0);
    else if (type == EV_GC_SWEEP_BEGIN || type == EV_GC_MARK_ASSIST_BEGIN)
        GEN_EVENT(gen, type, 0);
    else
        gen_bare(gen, type);
}

void curve_procs(struct gen *gen, uint64_t time, uint64_t count)
{
    curve_at(gen, 5, time);
    GEN_EVENT(gen, EV_PROCS_CHANGE, count, 0);
}

void curve_end(struct gen *gen, uint64_t time)
{
    curve_at(gen, 5, time);
    GEN_EVENT(gen, EV_HEAP_ALLOC, 1);
    gen_end(gen);
}

void curve_begin(struct gen *gen)
{
    gen_begin(gen, 23);
    gen->time = 90;
    gen_generation(gen, 1);
    gen->dt = 1;
    gen_running(gen, 5, 0, 1);
    gen_running(gen, 6, 1, 2);
    curve_procs(gen, 100, 4);
}

void curve_feed(gt_mmu *mmu, const struct wire *wire)
{
    const gt_event *event;
    gt_reader *reader;
    gt_status status;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        assert_status(gt_mmu_event(mmu, event), GT_OK);
    assert_status(status, GT_END);
    gt_reader_close(&reader);
}

gt_mmu *curve_open(const struct wire *wire, uint64_t flags)
{
    gt_mmu_options options = GT_MMU_OPTIONS_INIT;
    gt_mmu *mmu;
    options.flags = flags;
    assert_status(gt_mmu_open(&mmu, &options, NULL), GT_OK);
    curve_feed(mmu, wire);
    assert_status(gt_mmu_finish(mmu), GT_OK);
    return mmu;
}

static bool is_function(const gt_utilization *a, size_t a_count, const gt_utilization *b,
                        size_t b_count)
{
    for (size_t i = 0; i < a_count && i < b_count; i++) {
        if (a[i].time != b[i].time || fabs(a[i].value - b[i].value) > 1e-12)
            return false;
    }
    return a_count == b_count;
}

static void print_functions(gt_mmu *mmu)
{
    const gt_utilization *points;
    size_t count;
    for (size_t series = 0; gt_mmu_series(mmu, series, &points, &count) == GT_OK; series++) {
        print_error("function %zu:", series);
        for (size_t i = 0; i < count; i++)
            print_error(" {%lld, %g}", (long long) points[i].time, points[i].value);
        print_error("\n");
    }
}

void curve_expect(gt_mmu *mmu, size_t functions, const gt_utilization *points, size_t count)
{
    const gt_utilization *found;
    size_t found_count, series;
    bool is_there = 0;
    for (series = 0; gt_mmu_series(mmu, series, &found, &found_count) == GT_OK; series++)
        is_there |= is_function(found, found_count, points, count);
    if (is_there && series == functions)
        return;
    print_functions(mmu);
    fail_msg("%zu functions, and the expected one is %sthere", series, is_there ? "" : "not ");
}

void curve_check(const struct wire *wire, uint64_t flags, const gt_utilization *points,
                 size_t count)
{
    gt_mmu *mmu = curve_open(wire, flags);
    curve_expect(mmu, 1, points, count);
    gt_mmu_close(&mmu);
}
