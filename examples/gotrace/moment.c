/* SPDX-License-Identifier: BSD-3-Clause */
#include "moment.h"

#include <string.h>

#include <gotrace/summary.h>
#include <gotrace/time.h>

#include "walltime.h"

enum {
    MOMENT_SECOND = 1000000000
};

bool moment_parse(struct moment *moment, const char *text)
{
    uint32_t nanoseconds;
    *moment = (struct moment){.origin = MOMENT_TRACE_CLOCK};
    if (walltime_parse_date(text, &moment->seconds, &nanoseconds)) {
        moment->origin = MOMENT_WALL_CLOCK;
        moment->nanoseconds = nanoseconds;
        return true;
    }
    if (*text == '+' || *text == '-')
        moment->origin = *text++ == '+' ? MOMENT_BEGINNING : MOMENT_END;
    else if (strspn(text, "0123456789") != strlen(text))
        return false;
    return gt_duration_parse(text, &moment->nanoseconds) == GT_OK && moment->nanoseconds >= 0;
}

int moment_take(struct moment *moment, const char *text, const struct command *self)
{
    if (!text || moment_parse(moment, text))
        return COMMAND_GO_ON;
    return command_misused(self, "not a time such as +1.5s, -200ms or 2026-11-23T14:30:00Z:", text);
}

/* Returns the time at which the wall clock is at a moment, according to the snapshot of a Sync. */
static int64_t moment_wall_time(const struct moment *moment, const gt_sync *sync)
{
    const int64_t most = INT64_MAX / MOMENT_SECOND;
    int64_t snapshot = sync->clock_seconds == INT64_MIN ? -INT64_MAX : sync->clock_seconds;
    int64_t seconds = gt_summary_time_sum(moment->seconds, -snapshot);
    if (seconds >= most)
        return INT64_MAX;
    if (seconds <= -most)
        return INT64_MIN;
    int64_t distance = seconds * MOMENT_SECOND + moment->nanoseconds - sync->clock_nanoseconds;
    return gt_summary_time_sum(sync->clock_trace, distance);
}

int64_t moment_time(const struct moment *moment, const struct moment_base *base)
{
    switch (moment->origin) {
    case MOMENT_BEGINNING:
        return gt_summary_time_sum(base->first, moment->nanoseconds);
    case MOMENT_END:
        return gt_summary_time_sum(base->last, -moment->nanoseconds);
    case MOMENT_WALL_CLOCK:
        return moment_wall_time(moment, &base->sync);
    default:
        return moment->nanoseconds;
    }
}
