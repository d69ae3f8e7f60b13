/* SPDX-License-Identifier: BSD-3-Clause */

/* bench_store: what tracks and counters of the viewer's store cost, in CPU time and memory. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/counter.h"
#include "store/pool.h"
#include "store/track.h"
#include "support/test.h"

#define LONG_SPANS  5000000
#define ROWS        40
#define ROW_SPANS   500000
#define SMALL       300000
#define SMALL_SPANS 5
#define SAMPLES     7000000
#define BINS        1024
#define MOST_BINS   4096
#define RANGES      20

static uint64_t seed = 20;

static struct gt_mem mem;

static uint64_t below(uint64_t limit)
{
    return test_random(&seed) % limit;
}

static void give_up(const char *what)
{
    fprintf(stderr, "bench_store: %s\n", what);
    exit(1);
}

/* The next state of a goroutine that runs and waits in turn. */
static void next_state(struct gt_span *span, uint32_t i)
{
    span->start = span->end;
    span->end += (int64_t) below(UINT64_C(1) << (4 + below(14)));
    span->stack = span->end_stack;
    span->end_stack = (uint32_t) below(20000);
    span->cls = GT_CLASS_WAIT_CHAN;
    span->name = i % 3 == 1 ? 0 : (uint32_t) below(30);
    span->by = span->proc = span->thread = GT_STORE_NONE;
    if (i % 3 == 0) {
        span->cls = GT_CLASS_RUNNABLE;
        span->by = (uint32_t) below(5000);
    } else if (i % 3 == 1) {
        span->cls = GT_CLASS_RUNNING;
        span->proc = (uint32_t) below(8);
        span->thread = (uint32_t) below(20);
    }
}

/* Who runs next on a proc. */
static void next_run(struct gt_span *span)
{
    *span = (struct gt_span){.start = span->end + (int64_t) below(5000),
                             .goroutine = (uint32_t) below(3000),
                             .by = GT_STORE_NONE,
                             .proc = GT_STORE_NONE,
                             .thread = GT_STORE_NONE};
    span->end = span->start + (int64_t) below(UINT64_C(1) << (4 + below(14)));
}

static void fill(struct gt_track *track, struct gt_store_pool *pool, uint32_t count, bool states)
{
    struct gt_span span = {0};

    for (uint32_t i = 0; i < count; i++) {
        if (states)
            next_state(&span, i);
        else
            next_run(&span);
        if (!gt_track_append(track, pool, &span))
            give_up("out of memory");
    }
}

/* Takes what there is in one track out of it and puts it into another. */
static double copy(const struct gt_track *from, struct gt_track *to, struct gt_store_pool *pool)
{
    enum {
        PART = 10000
    };
    static struct gt_span spans[PART];
    double seconds = 0;

    for (uint32_t i = 0; i < gt_track_count(from);) {
        uint32_t count = 0;

        while (count < PART && gt_track_get(from, i, &spans[count])) {
            count++;
            i++;
        }
        double before = test_cpu_seconds();
        for (uint32_t n = 0; n < count; n++) {
            if (!gt_track_append(to, pool, &spans[n]))
                give_up("out of memory");
        }
        seconds += test_cpu_seconds() - before;
    }
    return seconds;
}

static void count_bar(void *user, const struct gt_bar *bar)
{
    *(uint64_t *) user += bar->count != 0;
}

/* Mean seconds for the bars of so many tracks in some range that has BINS bins; of all, if
 * `level` is 0, or of 2 to that power less. */
static double time_bars(const struct gt_track *tracks, int count, int level, uint64_t *bars)
{
    int64_t end = 1;
    double seconds = 0;
    struct gt_span last;

    if (gt_track_get(tracks, gt_track_count(tracks) - 1, &last))
        end = last.end;
    for (int n = 0; n < RANGES; n++) {
        int64_t bin = (end >> level) / BINS + 1;
        int64_t start = bin * BINS * (int64_t) below(UINT64_C(1) << level);
        double before = test_cpu_seconds();

        *bars = 0;
        for (int i = 0; i < count; i++)
            gt_track_bars(&tracks[i], start, start + bin * BINS, bin, count_bar, bars);
        seconds += test_cpu_seconds() - before;
    }
    return seconds / RANGES;
}

static double time_sums(const struct gt_track *track)
{
    struct gt_track_sums sums = {{0}, {0}};
    struct gt_span last;
    double before = test_cpu_seconds();

    if (!gt_track_get(track, gt_track_count(track) - 1, &last))
        give_up("a track without spans");
    for (int n = 0; n < 100000; n++) {
        int64_t a = (int64_t) below((uint64_t) last.end), b = (int64_t) below((uint64_t) last.end);

        gt_track_sum(track, a < b ? a : b, a < b ? b : a, &sums);
    }
    return (test_cpu_seconds() - before) / 100000;
}

static void bench_long(const char *name, bool states)
{
    struct gt_track track = {0}, other = {0};
    struct gt_store_pool pool = {.mem = &mem}, others = {.mem = &mem};
    uint64_t bars;

    fill(&track, &pool, LONG_SPANS, states);
    double append = copy(&track, &other, &others);
    printf("%s, %d spans: %.1f ns to append, %.1f bytes each; sum of a range %.0f ns\n", name,
           LONG_SPANS, append * 1e9 / LONG_SPANS, (double) gt_pool_memory(&pool) / LONG_SPANS,
           time_sums(&track) * 1e9);
    for (int level = 0; level < 20; level += 3) {
        double seconds = time_bars(&track, 1, level, &bars);

        printf("    bars of 1/2^%d of it, %d bins: %.3f ms, %" PRIu64 " bars\n", level, BINS,
               seconds * 1e3, bars);
    }
    gt_track_free(&track, &mem);
    gt_track_free(&other, &mem);
    gt_store_pool_destroy(&pool);
    gt_store_pool_destroy(&others);
}

static void bench_rows(void)
{
    static struct gt_track tracks[ROWS];
    struct gt_store_pool pool = {.mem = &mem};
    uint64_t bars;

    for (int i = 0; i < ROWS; i++)
        fill(&tracks[i], &pool, ROW_SPANS, i % 2 == 0);
    printf("%d rows of %d spans each:\n", ROWS, ROW_SPANS);
    for (int level = 0; level < 12; level++) {
        double seconds = time_bars(tracks, ROWS, level, &bars);

        printf("    bars of 1/2^%d of them, %d bins: %.2f ms, %" PRIu64 " bars\n", level, BINS,
               seconds * 1e3, bars);
    }
    for (int i = 0; i < ROWS; i++)
        gt_track_free(&tracks[i], &mem);
    gt_store_pool_destroy(&pool);
}

static void bench_small(void)
{
    struct gt_track *tracks = calloc(SMALL, sizeof(*tracks));
    struct gt_span span = {0};
    struct gt_store_pool pool = {.mem = &mem};

    if (!tracks)
        give_up("out of memory");
    double before = test_cpu_seconds();
    for (uint32_t i = 0; i < SMALL * SMALL_SPANS; i++) {
        next_state(&span, i / SMALL);
        span.goroutine = i % SMALL;
        span.start = (int64_t) (i / SMALL) * 1000000 + span.goroutine;
        span.end = span.start + 1000000;
        if (!gt_track_append(&tracks[i % SMALL], &pool, &span))
            give_up("out of memory");
    }
    double seconds = test_cpu_seconds() - before;
    size_t memory = SMALL * sizeof(*tracks) + gt_pool_memory(&pool);
    printf("%d tracks of %d spans: %.1f ns to make and append one, %.1f bytes a track\n", SMALL,
           SMALL_SPANS, seconds * 1e9 / SMALL / SMALL_SPANS, (double) memory / SMALL);
    for (uint32_t i = 0; i < SMALL; i++)
        gt_track_free(&tracks[i], &mem);
    gt_store_pool_destroy(&pool);
    free(tracks);
}

static void bench_counter(void)
{
    static struct gt_counter_bin bins[MOST_BINS];
    struct gt_store_counter counter = {0};
    struct gt_store_pool pool = {.mem = &mem};
    int64_t time = 0;
    uint64_t value = 0;
    double before = test_cpu_seconds();

    for (uint32_t i = 0; i < SAMPLES; i++) {
        time += (int64_t) below(4000);
        value = below(1000) == 0 ? value / 2 : value + below(65536);
        if (!gt_counter_append(&counter, &pool, time, value))
            give_up("out of memory");
    }
    printf("a counter of %d samples: %.1f ns to make and append one, %.1f bytes each\n", SAMPLES,
           (test_cpu_seconds() - before) * 1e9 / SAMPLES, (double) (mem.used) / SAMPLES);
    for (int level = 0; level < 16; level += 3) {
        before = test_cpu_seconds();
        for (int n = 0; n < RANGES; n++) {
            int64_t start = (time >> level) * (int64_t) below(UINT64_C(1) << level);

            gt_counter_bins(&counter, start, start + (time >> level), MOST_BINS, bins);
        }
        printf("    1/2^%d of it in %d bins: %.2f ms\n", level, MOST_BINS,
               (test_cpu_seconds() - before) * 1e3 / RANGES);
    }
    gt_counter_free(&counter, &mem);
    gt_store_pool_destroy(&pool);
}

int main(void)
{
    gt_mem_init(&mem, NULL, 0);
    bench_long("states", true);
    bench_long("runs", false);
    bench_rows();
    bench_small();
    bench_counter();
    return 0;
}
