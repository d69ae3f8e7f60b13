/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Compares tracks of spans with a plain array of them: the spans that were appended can be read
 * back, and queries about ranges of time equal a pass over all spans.
 */

#include "store/track.h"

#include <stdlib.h>
#include <string.h>

#include "store/pool.h"
#include "support/test.h"
#include "view/memory.h"

#define MOST      6000
#define MOST_BARS (3 * MOST)
#define MOST_LENT (32 << 20)

/* A track, and the spans that it should contain. */
struct fixture {
    struct gt_mem mem;
    struct gt_store_pool pool;
    unsigned char *lent; /* to the pool */
    size_t lent_bytes;
    struct gt_track track;
    struct gt_span spans[MOST];
    uint32_t count;
    uint64_t seed;
};

/* Makes the next span. `*span` is the previous one, or zeros at first. */
typedef void make_fn(struct fixture *f, struct gt_span *span);

static uint64_t below(struct fixture *f, uint64_t limit)
{
    return test_random(&f->seed) % limit;
}

/* Returns durations that are mostly short, rarely long. */
static int64_t some_time(struct fixture *f)
{
    return (int64_t) (test_random(&f->seed) >> (63 - below(f, 36)));
}

/* Adds to a time. Beyond the last time it wraps to the first one. */
static int64_t after(int64_t time, int64_t by)
{
    return (int64_t) ((uint64_t) time + (uint64_t) by);
}

static uint32_t some_ordinal(struct fixture *f)
{
    return below(f, 3) == 0 ? GT_STORE_NONE : (uint32_t) below(f, UINT64_C(1) << (4 * below(f, 9)));
}

static void make_state(struct fixture *f, struct gt_span *span)
{
    span->start = span->end;
    span->end += below(f, 5) == 0 ? 0 : some_time(f);
    span->stack = span->end_stack;
    span->end_stack = (uint32_t) below(f, 20000);
    span->cls = (uint32_t) below(f, GT_CLASS_WAIT_OTHER + 1);
    span->name = (uint32_t) below(f, 30);
    span->goroutine = 12;
    span->by = some_ordinal(f);
    span->proc = span->cls == GT_CLASS_RUNNING ? (uint32_t) below(f, 8) : GT_STORE_NONE;
    span->thread = span->cls == GT_CLASS_RUNNING ? (uint32_t) below(f, 300) : GT_STORE_NONE;
}

static void make_run(struct fixture *f, struct gt_span *span)
{
    span->start = span->end + (below(f, 2) == 0 ? some_time(f) : 0);
    span->end = span->start + some_time(f);
    span->cls = below(f, 100) == 0 ? GT_CLASS_RUNNING_GC : GT_CLASS_RUNNING;
    span->goroutine = (uint32_t) below(f, 1000);
    span->by = span->proc = span->thread = GT_STORE_NONE;
}

static void make_any(struct fixture *f, struct gt_span *span)
{
    span->start = after(span->end, some_time(f) * (int64_t) below(f, 3));
    span->end = after(span->start, some_time(f) * (int64_t) below(f, 2));
    span->cls = (uint32_t) below(f, GT_STORE_CLASSES);
    span->name = some_ordinal(f);
    span->goroutine = some_ordinal(f);
    span->by = some_ordinal(f);
    span->proc = some_ordinal(f);
    span->thread = some_ordinal(f);
    span->stack = some_ordinal(f);
    span->end_stack = some_ordinal(f);
}

/* Many spans begin at the same time. */
static void make_instant(struct fixture *f, struct gt_span *span)
{
    make_any(f, span);
    if (f->count > 0 && below(f, 100) != 0)
        span->start = f->spans[f->count - 1].end;
    span->end = span->start;
}

/* A multiple of something large, so that each of the few values has many bits. */
static uint32_t one_of(struct fixture *f, uint32_t count)
{
    return (uint32_t) below(f, count) * UINT32_C(123456789);
}

/* A goroutine that does the same again and again, or a proc on which a few goroutines run. */
static void make_loop(struct fixture *f, struct gt_span *span)
{
    make_run(f, span);
    span->name = one_of(f, 1 + f->count / 200 % 9);
    span->goroutine = one_of(f, f->count < 1000 ? 10 : 3);
    span->by = one_of(f, 5);
    span->thread = one_of(f, 2);
    span->stack = one_of(f, 4);
    span->end_stack = one_of(f, 4);
    if (f->count % 150 > 100)
        span->goroutine += (uint32_t) below(f, 40) * 40000;
}

/* Times are at the borders of bins whose widths are powers of 2. */
static void make_aligned(struct fixture *f, struct gt_span *span)
{
    int64_t last = span->end;

    make_any(f, span);
    span->start = last + 4 * (int64_t) below(f, 2);
    span->end = span->start + 4 * (int64_t) below(f, 3);
}

/* Times are in any order and include the extremes. */
static void make_wild(struct fixture *f, struct gt_span *span)
{
    make_any(f, span);
    span->start = (int64_t) test_random(&f->seed) >> below(f, 60);
    span->end = (int64_t) test_random(&f->seed) >> below(f, 60);
    if (f->count == 0)
        span->start = span->end = INT64_MIN;
    else if (f->count == 400)
        span->end = INT64_MAX;
    else if (f->count < 400)
        span->end = INT64_MIN + (int64_t) below(f, UINT64_C(1) << 50);
}

/* One span is as long as all others together. */
static void make_outlier(struct fixture *f, struct gt_span *span)
{
    make_state(f, span);
    if (f->count % 700 == 300)
        span->end += INT64_C(1) << 50;
    if (f->count % 500 == 100)
        span->by = UINT32_MAX - 1;
}

static make_fn *const makers[] = {
    make_state, make_run, make_any, make_loop, make_instant, make_aligned, make_wild, make_outlier,
};

#define MAKERS (sizeof(makers) / sizeof(makers[0]))

/* Returns the span in the form in which a track keeps it. */
static struct gt_span as_appended(const struct fixture *f, struct gt_span span)
{
    if (f->count > 0 && span.start < f->spans[f->count - 1].end)
        span.start = f->spans[f->count - 1].end;
    if (span.end < span.start)
        span.end = span.start;
    span.index = f->count;
    return span;
}

/* Appends spans until there are `count`. */
static void append(struct fixture *f, make_fn *make, uint32_t count)
{
    while (f->count < count) {
        struct gt_span span = {0};

        if (f->count > 0)
            span = f->spans[f->count - 1];
        make(f, &span);
        f->spans[f->count] = as_appended(f, span);
        span.index = 77;
        assert_true(gt_track_append(&f->track, &f->pool, &span));
        f->count++;
    }
}

static struct fixture *begin(uint64_t seed)
{
    struct fixture *f = calloc(1, sizeof(*f));

    assert_non_null(f);
    memory_init(&f->mem);
    f->pool.mem = &f->mem;
    f->seed = seed;
    return f;
}

static void end(struct fixture *f)
{
    gt_track_free(&f->track, &f->mem);
    assert_int_equal(gt_track_count(&f->track), 0);
    gt_store_pool_destroy(&f->pool);
    free(f->lent);
    free(f);
}

static void check_span(const struct gt_span *span, const struct gt_span *expected)
{
    assert_int_equal(span->start, expected->start);
    assert_int_equal(span->end, expected->end);
    assert_int_equal(span->index, expected->index);
    assert_int_equal(span->cls, expected->cls);
    assert_int_equal(span->name, expected->name);
    assert_int_equal(span->goroutine, expected->goroutine);
    assert_int_equal(span->by, expected->by);
    assert_int_equal(span->proc, expected->proc);
    assert_int_equal(span->thread, expected->thread);
    assert_int_equal(span->stack, expected->stack);
    assert_int_equal(span->end_stack, expected->end_stack);
}

static void check_spans(const struct fixture *f)
{
    struct gt_span span;

    assert_int_equal(gt_track_count(&f->track), f->count);
    for (uint32_t i = 0; i < f->count; i++) {
        assert_true(gt_track_get(&f->track, i, &span));
        check_span(&span, &f->spans[i]);
    }
    assert_false(gt_track_get(&f->track, f->count, &span));
    assert_false(gt_track_get(&f->track, GT_STORE_NONE, &span));
}

/* Returns a time that is mostly near that of some span. */
static int64_t pick_time(struct fixture *f)
{
    static const int64_t ends[] = {INT64_MIN, INT64_MAX, -1, 0, 1, INT64_MIN + 1, INT64_MAX - 1};
    const struct gt_span *span = &f->spans[f->count == 0 ? 0 : below(f, f->count)];
    uint64_t time = (uint64_t) (below(f, 2) == 0 ? span->start : span->end);

    if (below(f, 10) == 0)
        return ends[below(f, sizeof(ends) / sizeof(ends[0]))];
    if (below(f, 2) == 0)
        time += below(f, 5) - 2;
    if (below(f, 3) == 0)
        time += (uint64_t) some_time(f) - (uint64_t) some_time(f);
    return (int64_t) time;
}

/* Sets a range that is not empty. */
static void pick_range(struct fixture *f, int64_t *start, int64_t *finish)
{
    do {
        *start = pick_time(f);
        *finish = pick_time(f);
    } while (*start == *finish);
    if (*start > *finish) {
        int64_t time = *start;

        *start = *finish;
        *finish = time;
    }
}

static void check_find(struct fixture *f)
{
    for (int n = 0; n < 50; n++) {
        int64_t time = pick_time(f);
        uint32_t expected = 0;

        while (expected < f->count && f->spans[expected].end <= time)
            expected++;
        assert_int_equal(gt_track_find(&f->track, time), expected);
    }
}

/* Whether a part of the span is in the range. */
static bool is_in(const struct gt_span *span, int64_t start, int64_t finish)
{
    if (span->start == span->end)
        return span->start >= start && span->start < finish;
    return span->end > start && span->start < finish;
}

static int64_t later_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t earlier_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static uint64_t length_of(int64_t start, int64_t finish)
{
    return (uint64_t) finish - (uint64_t) start;
}

static void add_expected(const struct fixture *f, int64_t start, int64_t finish,
                         struct gt_track_sums *sums)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const struct gt_span *span = &f->spans[i];
        int64_t *sum = &sums->time[span->cls];

        if (!is_in(span, start, finish))
            continue;
        uint64_t length = length_of(later_of(span->start, start), earlier_of(span->end, finish));
        *sum = length > length_of(*sum, INT64_MAX) ? INT64_MAX : *sum + (int64_t) length;
        sums->count[span->cls]++;
    }
}

static void check_sums(struct fixture *f)
{
    for (int n = 0; n < 30; n++) {
        struct gt_track_sums sums = {{1}, {1}}, expected = {{1}, {1}};
        int64_t start, finish;

        pick_range(f, &start, &finish);
        gt_track_sum(&f->track, start, finish, &sums);
        add_expected(f, start, finish, &expected);
        assert_memory_equal(&sums, &expected, sizeof(sums));
        gt_track_sum(&f->track, finish, start, &sums);
        gt_track_sum(&f->track, start, start, &sums);
        assert_memory_equal(&sums, &expected, sizeof(sums));
    }
}

/* A bar, and the sums that its shares should represent. */
struct expected_bar {
    struct gt_bar bar;
    struct gt_track_sums sums;
    int64_t bin; /* number of the bin; bars that are not merged have none */
    bool merged;
};

struct bars {
    struct expected_bar *list;
    size_t count, given;
    const struct fixture *f;
};

static int64_t bin_of(int64_t time, int64_t bin)
{
    return time / bin - (time % bin < 0);
}

/* Adds the part of a short span that lies in one bin to the bar of that bin. */
static void expect_part(struct bars *bars, const struct gt_span *span, int64_t start,
                        int64_t finish, int64_t bin)
{
    struct expected_bar *bar = bars->count == 0 ? NULL : &bars->list[bars->count - 1];

    if (!bar || !bar->merged || bar->bin != bin) {
        assert_true(bars->count < MOST_BARS);
        bar = &bars->list[bars->count++];
        *bar = (struct expected_bar){.merged = true, .bin = bin};
        bar->bar.span = *span;
        bar->bar.start = start;
    } else {
        bar->bar.span = (struct gt_span){.index = bar->bar.span.index};
    }
    bar->bar.end = finish;
    bar->bar.count++;
    bar->sums.time[span->cls] += finish - start;
    bar->sums.count[span->cls]++;
}

static void expect_span(struct bars *bars, const struct gt_span *span, int64_t start,
                        int64_t finish, int64_t bin)
{
    if (length_of(span->start, span->end) >= (uint64_t) bin) {
        assert_true(bars->count < MOST_BARS);
        bars->list[bars->count++] = (struct expected_bar){
            .bar = {.start = span->start, .end = span->end, .count = 1, .span = *span},
        };
        return;
    }
    int64_t from = later_of(span->start, start), to = earlier_of(span->end, finish);
    int64_t first = bin_of(from, bin), last = bin_of(to, bin);
    if (first == last || to == last * bin) {
        expect_part(bars, span, from, to, first);
    } else {
        expect_part(bars, span, from, last * bin, first);
        expect_part(bars, span, last * bin, to, last);
    }
}

static uint64_t amount_of(const struct expected_bar *bar, bool counts, int cls)
{
    return counts ? bar->sums.count[cls] : (uint64_t) bar->sums.time[cls];
}

/*
 * A share may be off by rounding, or be 1 where it should be less. One of the largest shares
 * compensates for the sum of these errors.
 */
static void check_shares(const struct gt_bar *bar, const struct expected_bar *expected)
{
    uint64_t length = length_of(bar->start, bar->end), all = 0, most = 0;
    double unit = 255 / (length == 0 ? (double) bar->count : (double) length);
    int sum = 0;

    for (int cls = 0; cls < GT_STORE_CLASSES; cls++) {
        uint64_t amount = amount_of(expected, length == 0, cls);

        all += amount;
        most = amount > most ? amount : most;
    }
    for (int cls = 0; cls < GT_STORE_CLASSES; cls++) {
        double share = (double) amount_of(expected, length == 0, cls) * unit;
        bool large = share + 1 > (double) most * unit;

        assert_int_equal(bar->shares[cls] != 0, expected->sums.count[cls] != 0);
        assert_true(bar->shares[cls] < share + (large ? 9 : 1.001));
        assert_true(bar->shares[cls] > share - (large ? 16 : 0.501));
        sum += bar->shares[cls];
    }
    double total = (double) all * unit;
    assert_true(sum > total - 0.501);
    assert_true(sum < total + (total < 140 ? 16.001 : 0.501));
}

static void check_bar(void *user, const struct gt_bar *bar)
{
    static const uint8_t none[GT_STORE_CLASSES];
    struct bars *bars = user;

    assert_true(bars->given < bars->count);
    const struct expected_bar *expected = &bars->list[bars->given++];
    assert_int_equal(bar->start, expected->bar.start);
    assert_int_equal(bar->end, expected->bar.end);
    assert_int_equal(bar->count, expected->bar.count);
    check_span(&bar->span, &expected->bar.span);
    if (bar->count == 1)
        assert_memory_equal(bar->shares, none, sizeof(none));
    else
        check_shares(bar, expected);
}

static void check_range(struct bars *bars, int64_t start, int64_t finish, int64_t bin)
{
    const struct fixture *f = bars->f;

    bars->count = bars->given = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        if (is_in(&f->spans[i], start, finish))
            expect_span(bars, &f->spans[i], start, finish, bin);
    }
    gt_track_bars(&f->track, start, finish, bin, check_bar, bars);
    assert_int_equal(bars->given, bars->count);
}

static void check_bars(struct fixture *f)
{
    struct bars bars = {.f = f, .list = malloc(MOST_BARS * sizeof(*bars.list))};
    int64_t start, finish;

    assert_non_null(bars.list);
    for (int n = 0; n < 40; n++) {
        int64_t bin = 1 + (int64_t) (test_random(&f->seed) >> (1 + below(f, 63)));

        pick_range(f, &start, &finish);
        check_range(&bars, start, finish, bin);
    }
    for (int level = 0; level<63; level += f->count> 1000 ? 5 : 1) {
        check_range(&bars, INT64_MIN, INT64_MAX, INT64_C(1) << level);
        pick_range(f, &start, &finish);
        check_range(&bars, start, finish, INT64_C(1) << level);
    }
    free(bars.list);
}

/* Everything is checked after each of several counts, while a track grows. */
static void test_tracks_equal_an_array_of_spans(void **state)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 4, 5, 17, 63, 64, 65, 128, 129, 500, 1000, MOST};

    (void) state;
    for (size_t i = 0; i < MAKERS; i++) {
        struct fixture *f = begin(i + 1);

        for (size_t n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
            append(f, makers[i], counts[n]);
            check_spans(f);
            check_find(f);
            check_sums(f);
            check_bars(f);
        }
        end(f);
    }
}

/* Small tracks vary more. */
static void test_small_tracks_equal_an_array_of_spans(void **state)
{
    (void) state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct fixture *f = begin(1000 + seed);

        append(f, makers[seed % MAKERS], (uint32_t) below(f, 200));
        check_spans(f);
        check_find(f);
        check_sums(f);
        check_bars(f);
        end(f);
    }
}

static void ignore_bar(void *user, const struct gt_bar *bar)
{
    (void) bar;
    ++*(int *) user;
}

static void test_empty_range_has_no_bars(void **state)
{
    struct fixture *f = begin(5);
    int bars = 0;

    (void) state;
    gt_track_bars(&f->track, INT64_MIN, INT64_MAX, 1, ignore_bar, &bars);
    append(f, make_state, 300);
    gt_track_bars(&f->track, 1000, 1000, 1, ignore_bar, &bars);
    gt_track_bars(&f->track, 1000, 10, 1, ignore_bar, &bars);
    assert_int_equal(bars, 0);
    gt_track_bars(&f->track, INT64_MIN, INT64_MAX, INT64_MIN, ignore_bar, &bars);
    assert_true(bars > 150);
    end(f);
}

/* The durations exceed an int64_t. */
static void test_longest_times_saturate(void **state)
{
    struct fixture *f = begin(6);
    struct gt_span span = {.start = INT64_MIN, .end = INT64_MAX, .cls = GT_CLASS_TASK};
    struct gt_track_sums sums = {{0}, {0}};
    int bars = 0;

    (void) state;
    assert_true(gt_track_append(&f->track, &f->pool, &span));
    assert_true(gt_track_append(&f->track, &f->pool, &span));
    gt_track_sum(&f->track, -10, 20, &sums);
    assert_int_equal(sums.time[GT_CLASS_TASK], 30);
    for (int n = 2; n < 4; n++) {
        gt_track_sum(&f->track, INT64_MIN, INT64_MAX, &sums);
        assert_int_equal(sums.time[GT_CLASS_TASK], INT64_MAX);
        assert_int_equal(sums.count[GT_CLASS_TASK], n);
    }
    gt_track_bars(&f->track, INT64_MIN, INT64_MAX, INT64_MAX, ignore_bar, &bars);
    assert_int_equal(bars, 1);
    end(f);
}

/* Leaves two blocks of `bytes` bytes in the pool, and nothing else. */
static void lend(struct fixture *f, size_t bytes)
{
    memory_fail_after(0);
    while (gt_store_pool_take(&f->pool, GT_POOL_LEAST)) {
    }
    for (int i = 0; i < 2 && bytes > 0; i++) {
        assert_true(f->lent_bytes + bytes + 8 <= MOST_LENT);
        gt_store_pool_give(&f->pool, f->lent + f->lent_bytes, bytes);
        f->lent_bytes += bytes + 8;
    }
}

/* Appends a span with increasing memory until it succeeds. Returns the number of failures. */
static int append_poorly(struct fixture *f, const struct gt_span *span)
{
    int failures = 0;

    for (int successes = 0; successes < 3; successes++) {
        for (size_t bytes = 0; bytes <= GT_POOL_MOST; bytes += 160) {
            lend(f, bytes);
            memory_fail_after(successes);
            bool good = gt_track_append(&f->track, &f->pool, span);
            memory_fail_after(-1);
            if (good)
                return failures;
            failures++;
            check_spans(f);
        }
    }
    fail_msg("a span that cannot be appended");
    return failures;
}

/* The next attempt to append the span succeeds. */
static void test_track_is_unchanged_when_memory_runs_out(void **state)
{
    (void) state;
    for (size_t i = 0; i < MAKERS; i++) {
        struct fixture *f = begin(i + 1);
        int failures = 0;

        f->lent = malloc(MOST_LENT);
        assert_non_null(f->lent);
        while (f->count < 700) {
            struct gt_span span = f->spans[f->count == 0 ? 0 : f->count - 1];

            makers[i](f, &span);
            f->spans[f->count] = as_appended(f, span);
            failures += append_poorly(f, &span);
            f->count++;
        }
        assert_true(failures > 100);
        check_spans(f);
        check_sums(f);
        check_bars(f);
        end(f);
    }
}

/* Returns the memory of tracks with `count` spans each, per track. */
static size_t cost_of(make_fn *make, uint32_t count)
{
    enum {
        TRACKS = 4000
    };
    struct fixture *f = begin(3);

    for (uint32_t i = 0; i < TRACKS; i++) {
        struct gt_span span = {.start = 0};

        memset(&f->track, 0, sizeof(f->track));
        for (f->count = 0; f->count < count; f->count++) {
            make(f, &span);
            assert_true(gt_track_append(&f->track, &f->pool, &span));
        }
    }
    size_t memory = gt_pool_memory(&f->pool) / TRACKS;
    end(f);
    return memory;
}

/* A span takes as much memory as the header says, and a small track does not take much. */
static void test_spans_take_the_documented_memory(void **state)
{
    (void) state;
    assert_in_range(cost_of(make_state, 1), 20, 60);
    assert_in_range(cost_of(make_state, 10), 20, 32 + 10 * 25);

    struct fixture *f = begin(4);
    for (struct gt_span span = {0}; f->count < MOST; f->count++) {
        span = (struct gt_span){
            span.end,     span.end + 1000, 0,        f->count % 5, f->count % 30, 1, GT_STORE_NONE,
            f->count % 8, f->count % 20,   f->count, f->count + 1};
        assert_true(gt_track_append(&f->track, &f->pool, &span));
    }
    assert_in_range(gt_pool_memory(&f->pool), MOST, MOST * 8 + 65 * 1024);
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tracks_equal_an_array_of_spans),
        cmocka_unit_test(test_small_tracks_equal_an_array_of_spans),
        cmocka_unit_test(test_empty_range_has_no_bars),
        cmocka_unit_test(test_longest_times_saturate),
        cmocka_unit_test(test_track_is_unchanged_when_memory_runs_out),
        cmocka_unit_test(test_spans_take_the_documented_memory),
    };

    return cmocka_run_group_tests_name("track", tests, NULL, NULL);
}
