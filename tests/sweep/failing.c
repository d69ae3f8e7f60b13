/* SPDX-License-Identifier: BSD-3-Clause */
#include "sweep/failing.h"

#include "support/test.h"

/* The sizes of reads are small, so that there are many reads. */
#define STEP 61

/* The results of reads that fail; the last stands for one byte more than requested. */
static const int64_t failures[] = {-1, INT64_MIN + 1, INT64_MAX};
#define FAILURES (sizeof(failures) / sizeof(failures[0]))

static void do_run(const struct use *use, struct run *run, const struct run *good,
                   gt_status failure)
{
    use->run(run, use);
    probe_check(&run->probe);
    if (run->spares && run->probe.failed > 0 && run->status == GT_END) {
        run_assert_equal(run, good);
        run_free(run);
        return;
    }
    if (run->status != failure)
        print_error("%s of %s: allocation %llu, read %llu, write %llu, on %d\n", use->name,
                    run->trace->path, (unsigned long long) run->probe.fail_at,
                    (unsigned long long) run->reads.at, (unsigned long long) run->writes.at,
                    run->probe.fail_on);
    assert_status(run->status, failure);
    if (good)
        run_assert_prefix(run, good);
    run_free(run);
}

static void fail_allocations(const struct use *use, const struct run *good, uint64_t stride)
{
    for (uint64_t at = 1; at <= good->probe.calls; at += stride) {
        for (int on = 0; on <= 1; on++) {
            struct run run;

            run_init(&run, good);
            run.probe.fail_at = at;
            run.probe.fail_on = on;
            do_run(use, &run, good, GT_ERR_NO_MEMORY);
            assert_true(run.probe.failed > 0);
        }
    }
}

static void fail_reads(const struct use *use, const struct run *good, uint64_t stride)
{
    for (uint64_t at = 1; at <= good->reads.calls; at += stride) {
        for (int on = 0; on <= 1; on++) {
            struct run run;

            run_init(&run, good);
            run.reads.at = at;
            run.reads.on = on;
            run.failure = failures[at % FAILURES];
            do_run(use, &run, good, GT_ERR_IO);
            /* The source is not called again. */
            assert_int_equal(run.reads.calls, at);
        }
    }
}

static void fail_writes(const struct use *use, const struct run *good, uint64_t stride)
{
    for (uint64_t at = 1; at <= good->writes.calls; at += stride) {
        for (int on = 0; on <= 1; on++) {
            struct run run;

            run_init(&run, good);
            run.writes.at = at;
            run.writes.on = on;
            do_run(use, &run, good, use->unwritten);
            assert_int_equal(run.writes.calls, at);
        }
    }
}

uint64_t failing_sweep(const struct use *use, const struct trace *trace, enum run_source source,
                       uint64_t stride)
{
    const struct run like = {.trace = trace, .source = source, .step = STEP};
    struct run good;
    uint64_t count;

    run_init(&good, &like);
    use->run(&good, use);
    probe_check(&good.probe);
    assert_true(good.probe.calls > 0);
    fail_allocations(use, &good, stride);
    fail_reads(use, &good, stride);
    fail_writes(use, &good, stride);
    count = good.probe.calls + good.reads.calls + good.writes.calls;
    run_free(&good);
    return 1 + 2 * count / stride;
}
