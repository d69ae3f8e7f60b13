/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_CLOCK_H
#define GT_RECORDER_CLOCK_H

#include <gotrace/recorder.h>

#include "base/wraps.h"
#include "recorder/system.h"

/*
 * The clock of a recorder. Its times are in units of GT_CLOCK_UNIT, whatever it counts: a counter
 * of the processor or of the program is scaled when it is read.
 */

enum gt_clock_source {
    GT_CLOCK_SYSTEM,  /* the monotonic clock */
    GT_CLOCK_COUNTER, /* the counter of the processor */
    GT_CLOCK_PROGRAM  /* options.clock */
};

/* A clock of the program gives times from 1 to this one, so that readers lose no unit of them. */
#define GT_CLOCK_LAST (UINT64_C(1) << 52)

struct gt_recorder_clock {
    enum gt_clock_source source;
    bool is_calibrated;
    /* A tick is so many units, and so many parts of 2^32 of a unit. */
    uint64_t whole, part;
    /* The time of a tick. */
    uint64_t first_tick, first_time;
    uint64_t first_nanoseconds; /* of the monotonic clock then */
    gt_rec_clock_fn read;
    void *user_data;
};

/* A moment by the clocks of the system and of the recorder. */
struct gt_recorder_moment {
    struct gt_system_moment system;
    uint64_t time;
};

void gt_recorder_clock_init(struct gt_recorder_clock *clock, const gt_recorder_options *options);

/* Finds out how fast the counter is, unless that is known. Before anything is recorded. */
void gt_recorder_clock_calibrate(struct gt_recorder_clock *clock);

/* The present moment, which is later than the time `last`, whatever the clock of a program says. */
struct gt_recorder_moment gt_recorder_clock_moment(const struct gt_recorder_clock *clock,
                                                   uint64_t last);

/* The time by the clock of the program. */
uint64_t gt_recorder_clock_ask(const struct gt_recorder_clock *clock);

/* Wraps around where a clock of the program says that centuries have passed. */
GT_WRAPS static inline uint64_t gt_recorder_clock_scale(const struct gt_recorder_clock *clock,
                                                        uint64_t ticks)
{
    uint64_t low = ticks & UINT32_MAX;
    return ticks * clock->whole + (ticks >> 32) * clock->part + (low * clock->part >> 32);
}

static inline uint64_t gt_recorder_clock_time(const struct gt_recorder_clock *clock)
{
    if (clock->source == GT_CLOCK_COUNTER)
        return clock->first_time +
               gt_recorder_clock_scale(clock, gt_system_counter() - clock->first_tick);
    return clock->source == GT_CLOCK_SYSTEM ? gt_system_clock() : gt_recorder_clock_ask(clock);
}

#endif
