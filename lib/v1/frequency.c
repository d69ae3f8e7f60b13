/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/frequency.h"

#include "base/wraps.h"

enum {
    /*
     * Where nothing says how fast the clock was: that of an x86 processor of
     * 2.5 GHz, of which the runtime divides the ticks by 64.
     */
    USUAL_FREQUENCY = 2500000000 / 64,

    /* The CPU profiler samples a thread that is busy 100 times a second. */
    SAMPLES_A_SECOND = 100,
    SAMPLES_NEEDED = 16,

    /* What a lenient merge takes for a disagreement of clocks: 10 microseconds. */
    SLACKS_A_SECOND = 100000
};

/*
 * Samples are as far apart as the profiler's period, or much nearer, as there are
 * several threads, or a little farther. The whole span says how fast the clock was,
 * if one thread was always busy. 0 where there are too few of them.
 */
static uint64_t from_samples(const struct gt_v1 *v1)
{
    const struct gt_v1_late *samples = &v1->samples;
    if (samples->count < SAMPLES_NEEDED)
        return 0;
    uint64_t span = gt_time_span(samples->events[0].time, samples->events[samples->count - 1].time);
    uint64_t period = span / (samples->count - 1);
    return period < UINT64_MAX / SAMPLES_A_SECOND ? period * SAMPLES_A_SECOND : 0;
}

static const double most_ns = 4611686018427387904.0; /* 2^62 */

int64_t gt_v1_overflow_to_ns(const struct gt_v1 *v1, int64_t span)
{
    double ns = (double) span * v1->unit;
    if (ns >= most_ns)
        return (int64_t) most_ns;
    return ns > 0 ? (int64_t) ns : 0;
}

gt_status gt_v1_set_frequency(struct gt_v1 *v1)
{
    if (v1->frequency == 0) {
        uint64_t estimate = from_samples(v1);
        if (estimate == 0)
            estimate = USUAL_FREQUENCY;
        gt_status status = gt_v1_fault(
            v1, GT_ERR_GENERATION, gt_v1_offset(v1, v1->end),
            "; times are estimates and may be off by a factor",
            v1->options.lenient ? "no frequency; %u ticks a second are assumed" : "no frequency",
            estimate);
        if (status != GT_OK)
            return status;
        v1->frequency = estimate;
    }
    v1->unit = 1e9 / (double) v1->frequency;
    v1->overflow_ticks = (uint64_t) (v1->unit > 0.5 ? most_ns / v1->unit : most_ns);
    v1->slack = (int64_t) (v1->frequency / SLACKS_A_SECOND);
    return GT_OK;
}
