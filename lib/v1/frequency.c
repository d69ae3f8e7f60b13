/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/frequency.h"

#include "base/time.h"
#include "v1/repair.h"

enum {
    /*
     * Ticks per second if the trace does not contain the frequency: those of an x86 processor of
     * 2.5 GHz, whose ticks the runtime divides by 64.
     */
    USUAL_FREQUENCY = 2500000000 / 64,

    /* The CPU profiler samples a thread that is busy 100 times a second. */
    SAMPLES_A_SECOND = 100,
    SAMPLES_NEEDED = 16,

    /* The reciprocal of the skew between clocks that a lenient merge tolerates, 10 microseconds. */
    SLACKS_A_SECOND = 100000
};

/*
 * Estimates the frequency from CPU samples, assuming that one thread was busy all the time: then
 * the mean distance of the samples is the period of the CPU profiler. Returns 0 if there are too
 * few samples.
 */
static uint64_t v1_frequency_estimate(const struct gt_v1 *v1)
{
    const struct gt_v1_late *samples = &v1->input.samples;
    if (samples->count < SAMPLES_NEEDED)
        return 0;
    uint64_t span = gt_time_span(samples->events[0].time, samples->events[samples->count - 1].time);
    uint64_t period = span / (samples->count - 1);
    return period < UINT64_MAX / SAMPLES_A_SECOND ? period * SAMPLES_A_SECOND : 0;
}

static const double v1_most_ns = 4611686018427387904.0; /* 2^62 */

int64_t gt_v1_to_ns_slow(const struct gt_v1 *v1, int64_t span)
{
    double ns = (double) span * v1->output.unit;
    if (ns >= v1_most_ns)
        return (int64_t) v1_most_ns;
    return ns > 0 ? (int64_t) ns : 0;
}

/*
 * The runtime writes the frequency after all events and before all stacks, so a trace that has
 * neither of them was cut off.
 */
static bool v1_frequency_is_cut_off(const struct gt_v1 *v1)
{
    return !v1->input.has_stacks && v1->input.end == v1->source->end;
}

static void v1_frequency_fail(struct gt_v1 *v1, uint64_t estimate)
{
    static const char *const texts[2][2] = {
        {"no frequency", "no frequency; %u ticks a second are assumed"},
        {"cut off before its frequency; try GT_READER_LENIENT",
         "cut off before its frequency; %u ticks a second are assumed"},
    };
    bool is_cut = v1_frequency_is_cut_off(v1);
    gt_v1_fail_at(v1, is_cut ? GT_ERR_TRUNCATED : GT_ERR_GENERATION,
                  gt_v1_offset(v1, v1->input.end), texts[is_cut][v1->repair.lenient], estimate);
}

/* Estimates the frequency, or uses the usual one; the times are then estimates, too. */
static gt_result v1_frequency_guess(struct gt_v1 *v1)
{
    uint64_t estimate = v1_frequency_estimate(v1);
    if (estimate == 0)
        estimate = USUAL_FREQUENCY;
    v1_frequency_fail(v1, estimate);
    v1->input.frequency = estimate;
    return gt_v1_forgive(v1, "; times are estimates and may be off by a factor") ? GT_RESULT_DONE
                                                                                 : GT_RESULT_ERROR;
}

gt_status gt_v1_set_frequency(struct gt_v1 *v1)
{
    struct gt_v1_output *output = &v1->output;
    if (v1->input.frequency == 0 && v1_frequency_guess(v1) != GT_RESULT_DONE)
        return (gt_status) v1->error->status;
    output->unit = 1e9 / (double) v1->input.frequency;
    output->overflow_ticks =
        (uint64_t) (output->unit > 0.5 ? v1_most_ns / output->unit : v1_most_ns);
    v1->merge.slack = (int64_t) (v1->input.frequency / SLACKS_A_SECOND);
    return GT_OK;
}
