/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/clock.h"

/* Over how many nanoseconds the counter is compared with the monotonic clock. */
static const uint64_t CLOCK_CALIBRATION = 10000000;

/* How often both are read: of these pairs the one that took least is right. */
enum {
    CLOCK_TRIES = 16
};

static void clock_set_rate(struct gt_recorder_clock *clock, uint64_t hz)
{
    const uint64_t units = 1000000000 / GT_CLOCK_UNIT;
    clock->whole = units / hz;
    clock->part = (units % hz << 32) / hz;
}

/* Reads the counter and the monotonic clock, in ns, at one moment. */
static uint64_t clock_pair(uint64_t *nanoseconds)
{
    uint64_t least = UINT64_MAX, tick = 0;
    for (unsigned i = 0; i < CLOCK_TRIES; i++) {
        uint64_t before = gt_system_counter();
        uint64_t now = gt_system_moment().monotonic;
        uint64_t passed = gt_system_counter() - before;
        if (passed < least) {
            least = passed;
            tick = before + passed / 2;
            *nanoseconds = now;
        }
    }
    return tick;
}

static bool clock_is_counted(const gt_recorder_options *options)
{
    return gt_system_has_counter() &&
           ((options->flags & GT_RECORDER_TSC) != 0 || gt_system_trusts_counter());
}

void gt_recorder_clock_init(struct gt_recorder_clock *clock, const gt_recorder_options *options)
{
    clock->read = options->clock;
    clock->user_data = options->user_data;
    clock->is_calibrated = true;
    if (options->clock) {
        clock->source = GT_CLOCK_PROGRAM;
        clock_set_rate(clock, options->clock_hz);
    } else if (clock_is_counted(options)) {
        clock->source = GT_CLOCK_COUNTER;
        clock->is_calibrated = false;
        clock->first_tick = clock_pair(&clock->first_nanoseconds);
        clock->first_time = clock->first_nanoseconds / GT_CLOCK_UNIT;
    }
}

/* A counter that stands still is of no use. */
static void clock_set_measured(struct gt_recorder_clock *clock, uint64_t ticks,
                               uint64_t nanoseconds)
{
    while (nanoseconds >> 25 != 0) {
        nanoseconds >>= 1;
        ticks >>= 1;
    }
    if (ticks == 0) {
        clock->source = GT_CLOCK_SYSTEM;
        return;
    }
    uint64_t parts = (nanoseconds << 32) / GT_CLOCK_UNIT / ticks;
    clock->whole = parts >> 32;
    clock->part = parts & UINT32_MAX;
}

void gt_recorder_clock_calibrate(struct gt_recorder_clock *clock)
{
    if (clock->is_calibrated)
        return;
    uint64_t nanoseconds = 0;
    uint64_t tick = clock_pair(&nanoseconds);
    while (nanoseconds - clock->first_nanoseconds < CLOCK_CALIBRATION) {
        gt_system_sleep(CLOCK_CALIBRATION);
        tick = clock_pair(&nanoseconds);
    }
    clock_set_measured(clock, tick - clock->first_tick, nanoseconds - clock->first_nanoseconds);
    clock->is_calibrated = true;
}

struct gt_recorder_moment gt_recorder_clock_moment(const struct gt_recorder_clock *clock,
                                                   uint64_t last)
{
    struct gt_recorder_moment moment = {gt_system_moment(), 0};
    moment.time = clock->source == GT_CLOCK_SYSTEM ? moment.system.monotonic / GT_CLOCK_UNIT
                                                   : gt_recorder_clock_time(clock);
    if (moment.time <= last)
        moment.time = last + 1;
    return moment;
}

uint64_t gt_recorder_clock_ask(const struct gt_recorder_clock *clock)
{
    uint64_t time = gt_recorder_clock_scale(clock, clock->read(clock->user_data));
    if (time == 0)
        return 1;
    return time < GT_CLOCK_LAST ? time : GT_CLOCK_LAST;
}
