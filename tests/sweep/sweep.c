/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * sweep PART SECONDS FROM FILE: a part of the sweeps, over one trace as far as it gets in so
 * much time, 0 for all of it. It begins with the step number FROM, and says "PART FILE TO
 * TOTAL RUNS SECONDS" at the end, where these are of the processor: the next time it can go
 * on from there.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/test.h"
#include "sweep/damage.h"
#include "sweep/failing.h"

struct sweep {
    struct trace trace;
    struct damage damage;
    uint64_t runs;
};

/* What the sweep is doing, printed if it crashes. */
static char now[512];

static uint64_t count_places(const struct sweep *sweep)
{
    return sweep->trace.size;
}

static void do_cut(struct sweep *sweep, uint64_t i)
{
    damage_cut(&sweep->damage, (size_t) i);
}

static void do_change(struct sweep *sweep, uint64_t i)
{
    damage_change(&sweep->damage, (size_t) i);
}

/* From 1 to 4096 bytes, and all at once. */
static uint64_t count_steps(const struct sweep *sweep)
{
    (void) sweep;
    return 4097;
}

static void do_step(struct sweep *sweep, uint64_t i)
{
    damage_step(&sweep->damage, i == 0 ? SIZE_MAX : (size_t) i);
}

static uint64_t count_uses(const struct sweep *sweep)
{
    (void) sweep;
    return RUN_SOURCES *
           (use_reader_count + use_raw_count + use_analysis_count + use_drawing_count);
}

static const struct use *get_use(uint64_t i)
{
    if (i < use_reader_count)
        return &use_readers[i];
    i -= use_reader_count;
    if (i < use_raw_count)
        return &use_raws[i];
    i -= use_raw_count;
    if (i < use_analysis_count)
        return &use_analyses[i];
    return &use_drawings[i - use_analysis_count];
}

static void do_use(struct sweep *sweep, uint64_t i)
{
    sweep->runs += failing_sweep(get_use(i / RUN_SOURCES), &sweep->trace,
                                 (enum run_source)(i % RUN_SOURCES), 1);
}

static const struct part {
    const char *name;
    uint64_t (*count)(const struct sweep *sweep);
    void (*step)(struct sweep *sweep, uint64_t i);
} parts[] = {
    {"cut", count_places, do_cut},
    {"change", count_places, do_change},
    {"step", count_steps, do_step},
    {"fail", count_uses, do_use},
};

#define PARTS (sizeof(parts) / sizeof(parts[0]))

static const struct part *find_part(const char *name)
{
    for (size_t i = 0; i < PARTS; i++) {
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i];
    }
    return NULL;
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* A stride that reaches all places, and spreads the first ones evenly. */
static uint64_t spread(uint64_t total)
{
    uint64_t step = total * 618 / 1000 + 1;

    while (divisor(total, step) != 1)
        step++;
    return step;
}

static void tell_now(int number)
{
    ssize_t written = write(STDERR_FILENO, now, strlen(now));

    (void) written;
    signal(number, SIG_DFL);
    raise(number);
}

static uint64_t sweep_from(struct sweep *sweep, const struct part *part, uint64_t from, time_t end)
{
    const uint64_t total = part->count(sweep), step = spread(total);

    for (; from < total && (end == 0 || time(NULL) < end); from++) {
        uint64_t i = from * step % total;

        snprintf(now, sizeof(now), "%s %s: number %llu\n", part->name, sweep->trace.path,
                 (unsigned long long) i);
        part->step(sweep, i);
    }
    return from;
}

int main(int argc, char **argv)
{
    const struct part *part = argc == 5 ? find_part(argv[1]) : NULL;
    struct sweep sweep = {.runs = 0};
    uint64_t seconds, end;

    if (!part) {
        fprintf(stderr, "usage: sweep cut|change|step|fail SECONDS FROM FILE\n");
        return 2;
    }
    /* Outside of a test, a failed assertion would only exit. */
    setenv("CMOCKA_TEST_ABORT", "1", 1);
    signal(SIGABRT, tell_now);
    signal(SIGSEGV, tell_now);
    trace_read(&sweep.trace, argv[4]);
    damage_begin(&sweep.damage, &sweep.trace);
    seconds = strtoull(argv[2], NULL, 10);
    end = sweep_from(&sweep, part, strtoull(argv[3], NULL, 10),
                     seconds ? time(NULL) + (time_t) seconds : 0);
    printf("%s %s %llu %llu %llu %.1f\n", part->name, argv[4], (unsigned long long) end,
           (unsigned long long) part->count(&sweep),
           (unsigned long long) (sweep.runs + sweep.damage.readings), test_cpu_seconds());
    damage_end(&sweep.damage);
    trace_free(&sweep.trace);
    return 0;
}
