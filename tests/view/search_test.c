/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests what queries mean, and what they find in a store. */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "support/test.h"
#include "view/memory.h"
#include "web/scan.h"
#include "web/search_find.h"
#include "web/search_match.h"
#include "web/search_query.h"

#define MS INT64_C(1000000)

/* Parses a query that must be valid. */
static struct gt_search_query *parse(const char *text)
{
    struct gt_search_query *query = malloc(sizeof(*query));

    assert_non_null(query);
    assert_null(gt_search_query_parse(query, text));
    return query;
}

static void test_words_become_terms(void **state)
{
    struct gt_search_query *query = parse("  Chan  \"a B\"c\tfunc:\"main.W orker\" g12 \"g13\" ");

    (void) state;
    assert_int_equal(query->count, 4);
    assert_string_equal(query->terms[0].text, "chan");
    assert_string_equal(query->terms[1].text, "a bc");
    assert_int_equal(query->terms[2].field, GT_SEARCH_FUNC);
    assert_string_equal(query->terms[2].text, "main.w orker");
    assert_int_equal(query->terms[3].field, GT_SEARCH_TEXT);
    assert_string_equal(query->terms[3].text, "g13");
    assert_true(query->has_goroutine);
    assert_int_equal(query->goroutine, 12);
    free(query);
}

static void test_durations_become_limits(void **state)
{
    struct gt_search_query *query = parse("dur>10ms dur<=1.5s dur>5us");

    (void) state;
    assert_true(query->has_duration);
    assert_int_equal(query->shortest, 10 * MS + 1);
    assert_int_equal(query->longest, 1500 * MS);
    free(query);
    query = parse("dur>=7 dur<9");
    assert_int_equal(query->shortest, 7);
    assert_int_equal(query->longest, 8);
    free(query);
    /* This word is a name, although it begins with "dur". */
    query = parse("duration");
    assert_false(query->has_duration);
    assert_int_equal(query->count, 1);
    free(query);
}

static void test_states_become_classes(void **state)
{
    struct gt_search_query *query = parse("state:waiting");

    (void) state;
    assert_int_equal(query->classes,
                     (1u << (GT_CLASS_WAIT_OTHER + 1)) - (1u << GT_CLASS_WAIT_CHAN));
    free(query);
    query = parse("STATE:Syscall");
    assert_int_equal(query->classes, 1u << GT_CLASS_SYSCALL | 1u << GT_CLASS_SYSCALL_BLOCKED);
    free(query);
    query = parse("state:wait_net kind:state");
    assert_int_equal(query->classes, 1u << GT_CLASS_WAIT_NET);
    assert_int_equal(query->kinds, 1u << GT_SEARCH_STATE);
    free(query);
}

static void test_bad_queries_are_refused(void **state)
{
    static const char *const bad[] = {
        "",
        " \t ",
        "\"",
        "\"\"",
        "a \"b",
        "func:\"x",
        "func:",
        "stack: x",
        "reason:\"\"",
        "state:",
        "state:busy",
        "kind:",
        "kind:thing",
        "dur>",
        "dur>x",
        "dur<-1ms",
        "dur>1parsec",
        "dur>=",
        "dur>1e9",
        "dur<99999999999h",
        "g1 g2",
        "ended:",
        "ended:maybe",
        "ended:no ended:yes",
        "/(/",
        "stack:/[/",
        "/a/ /b/ /c/ /d/ /e/",
        "g99999999999999999999",
        "dur>1234567890123456789012",
        "a b c d e f h i j k l m n o p q r s t u v w x y z",
    };
    struct gt_search_query query;
    char *long_one = malloc(100001);

    (void) state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_non_null(gt_search_query_parse(&query, bad[i]));
    assert_non_null(long_one);
    memset(long_one, 'a', 100000);
    long_one[100000] = '\0';
    assert_non_null(gt_search_query_parse(&query, long_one));
    long_one[GT_SEARCH_QUERY_MAX] = '\0';
    assert_null(gt_search_query_parse(&query, long_one));
    assert_int_equal(query.terms[0].size, GT_SEARCH_QUERY_MAX);
    /* This is a query of the largest length with a single word, at its end. */
    memset(long_one, ' ', GT_SEARCH_QUERY_MAX);
    memcpy(long_one + GT_SEARCH_QUERY_MAX - 1, "x", 1);
    assert_null(gt_search_query_parse(&query, long_one));
    memset(long_one, '"', GT_SEARCH_QUERY_MAX);
    assert_non_null(gt_search_query_parse(&query, long_one));
    free(long_one);
}

/* Random bytes never crash, and the terms of a valid query are within its text. */
static void test_random_queries_stay_in_bounds(void **state)
{
    static const char letters[] = "ag1 \"\":><=dur.msfnckindtel\t\xff";
    uint64_t seed = 3;
    struct gt_search_query query;
    int good = 0;

    (void) state;
    for (int i = 0; i < 100000; i++) {
        char text[64];
        size_t size = (size_t) (test_random(&seed) % sizeof(text)), j;

        for (j = 0; j < size; j++)
            text[j] = letters[test_random(&seed) % (sizeof(letters) - 1)];
        text[size < sizeof(text) ? size : sizeof(text) - 1] = '\0';
        if (gt_search_query_parse(&query, text))
            continue;
        good++;
        for (j = 0; j < query.count; j++)
            assert_int_equal(strlen(query.terms[j].text), query.terms[j].size);
    }
    assert_true(good > 100 && good < 99900);
}

static void make_store(struct filling *f)
{
    uint32_t leaf, other;

    filling_open(f);
    leaf = scene_stack(f, "net.Read:1 main.Handler:2 main.main:3");
    other = scene_stack(f, "time.Sleep:1 main.main:4");
    filling_goroutine(f, 1, "main.main", -1);
    filling_goroutine(f, 12, "main.Handler", -1);
    assert_status(filling_add_goroutine(f, 120, "main.Handler", 1, "path=/Index", 0), GT_OK);
    scene_state(f, 1, 0, 5 * MS, "Running", NULL, 0, 0, 0);
    scene_state(f, 1, 5 * MS, 30 * MS, "Waiting", "sleep", -1, other, 0);
    scene_state(f, 12, MS, 3 * MS, "Waiting", "network", -1, leaf, 0);
    scene_state(f, 12, 3 * MS, 4 * MS, "Runnable", NULL, -1, 0, 0);
    scene_state(f, 12, 4 * MS, 40 * MS, "Waiting", "chan receive", -1, 0, leaf);
    scene_state(f, 120, 2 * MS, 3 * MS, "Waiting", "chan send", -1, 0, 0);
    assert_status(filling_add_region(f, 12, "parse Request", 4 * MS, 6 * MS), GT_OK);
    assert_status(filling_add_region(f, 120, "answer", 2 * MS, 3 * MS), GT_OK);
    assert_status(filling_add_range(f, 12, "GC mark assist", 4 * MS, 5 * MS), GT_OK);
    assert_status(filling_add_range(f, 12, "stop-the-world (start trace)", MS, 2 * MS), GT_OK);
    assert_status(filling_add_range(f, GT_ROW_GC, "GC concurrent mark phase", 0, 6 * MS), GT_OK);
    assert_status(filling_add_task(f, 7, "request", 0, 20 * MS, 0), GT_OK);
    assert_status(filling_add_mark(f, 12, "[http] GET /index", "user event", 5 * MS, 0), GT_OK);
    assert_status(filling_add_mark(f, 120, "[http] done", "user event", 3 * MS, 0), GT_OK);
}

/* Returns what a query finds, as "kind*count " for each kind. */
static const char *found(struct filling *f, const char *text)
{
    static char summary[256];
    struct gt_search_query *query = parse(text);
    struct gt_search search = {
        .mem = memory_shared(), .store = f->store, .query = query, .max = 1000};
    size_t used = 0;

    summary[0] = '\0';
    assert_true(gt_search_find(&search));
    assert_false(search.approximate);
    for (size_t kind = 0; kind < GT_SEARCH_KINDS; kind++) {
        assert_int_equal(search.hits[kind].count, search.hits[kind].total);
        if (search.hits[kind].total > 0)
            used += (size_t) snprintf(summary + used, sizeof(summary) - used, "%s*%d ",
                                      gt_search_kinds[kind], (int) search.hits[kind].total);
    }
    gt_search_free(&search);
    free(query);
    return summary;
}

static void test_queries_find_what_they_name(void **state)
{
    static const struct {
        const char *query;
        const char *found;
    } cases[] = {
        {"handler", "goroutine*2 function*2 "},
        {"MAIN.handler", "goroutine*2 function*2 "},
        {"index", "goroutine*1 log*1 "},
        {"12", "goroutine*1 "},
        {"g12", "goroutine*1 "},
        {"g13", ""},
        {"\"g12\"", ""},
        {"7", "task*1 "},
        {"chan", "reason*2 "},
        {"chan g12", "reason*1 "},
        {"chan func:handler", "reason*2 "},
        {"reason:chan", "reason*2 "},
        {"kind:reason", "reason*4 "},
        {"request", "task*1 region*1 "},
        {"request kind:region", "region*1 "},
        {"request g120", ""},
        {"func:handler", "goroutine*2 "},
        {"func:main", "goroutine*3 "},
        {"http", "log*2 "},
        {"http g120", "log*1 "},
        {"http func:main.main", ""},
        {"kind:log", "log*2 "},
        {"gc", "range*2 "},
        {"gc g12", "range*1 "},
        {"stop-the-world", "range*1 "},
        {"kind:function", "function*6 "},
        {"state:running", "state*1 "},
        {"state:waiting", "state*4 "},
        {"state:waiting g12", "state*2 "},
        {"state:waiting reason:chan", "state*2 "},
        {"state:waiting handler", "state*3 "},
        {"state:waiting state:running", ""},
        {"stack:handler", "state*2 "},
        {"stack:HANDLER stack:net.read", "state*2 "},
        {"stack:handler stack:sleep", ""},
        {"stack:sleep", "state*1 "},
        {"stack:net.read state:wait_net", "state*1 "},
        {"dur>20ms", "state*2 "},
        {"dur>=20ms", "task*1 state*2 "},
        {"dur>20ms g12", "state*1 "},
        {"dur>=25ms dur<36ms", "state*1 "},
        {"dur>4ms handler", "state*1 "},
        {"dur<=1ms answer", "region*1 "},
        {"kind:goroutine dur>38ms", "goroutine*1 "},
        {"nothing", ""},
        {"/^main\\.h/", "goroutine*2 function*2 "},
        {"/handler$/ g12", "goroutine*1 "},
        {"reason:/^chan (send|receive)$/", "reason*2 "},
        {"func:/^main\\.main$/ kind:goroutine", "goroutine*1 "},
        {"stack:/read$/", "state*2 "},
        {"/get \\/index/", "log*1 "},
        {"/index", "goroutine*1 log*1 "},
        {"\"/index/\"", ""},
        {"/./ kind:task", "task*1 "},
        {"ended:no", "goroutine*1 state*1 "},
        {"ended:no handler", "goroutine*1 state*1 "},
        {"ended:yes kind:goroutine", "goroutine*2 "},
        {"ended:yes kind:state dur>=25ms", "state*1 "},
    };
    struct filling f;

    (void) state;
    make_store(&f);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *summary = found(&f, cases[i].query);

        if (strcmp(summary, cases[i].found) != 0)
            fail_msg("%s: %s, not %s", cases[i].query, summary, cases[i].found);
    }
    filling_close(&f);
}

/* The first hits in order of time are kept, whichever thread finds them. */
static void test_first_hits_in_time_are_kept(void **state)
{
    struct filling f;
    struct gt_search_query *query = parse("reason:sync");
    struct gt_search all = {.mem = memory_shared(), .query = query, .max = 1000000};
    struct gt_search some = {.mem = memory_shared(), .query = query, .max = 100};
    const struct gt_hits *hits = &all.hits[GT_SEARCH_REASON];
    uint64_t expected = 0;
    uint32_t view, ordinal;
    struct gt_span span;

    (void) state;
    filling_open(&f);
    scene_random(&f, 3, 400, 3000000);
    for (uint32_t track = 0; track < gt_store_track_count(f.store); track++) {
        assert_true(gt_store_track_row(f.store, track, &view, &ordinal));
        for (uint32_t i = 0; view == GT_STORE_VIEW_GOROUTINE &&
                             gt_track_get(gt_store_track(f.store, track), i, &span);
             i++)
            expected += span.cls == GT_CLASS_WAIT_SYNC;
    }
    all.store = some.store = f.store;
    assert_true(gt_search_find(&all) && gt_search_find(&some));
    assert_true(expected > 1000);
    assert_int_equal(hits->total, expected);
    assert_int_equal(hits->count, expected);
    assert_int_equal(some.hits[GT_SEARCH_REASON].total, expected);
    assert_int_equal(some.hits[GT_SEARCH_REASON].count, 100);
    for (uint32_t i = 0; i < expected; i++) {
        const struct gt_hit *hit = &hits->list[i];

        assert_true(i == 0 || hit->start >= hit[-1].start);
        assert_true(gt_track_get(gt_store_track(f.store, hit->track), hit->index, &span));
        assert_int_equal(span.cls, GT_CLASS_WAIT_SYNC);
        assert_int_equal(span.start, hit->start);
        assert_int_equal(span.end, hit->end);
    }
    assert_memory_equal(some.hits[GT_SEARCH_REASON].list, hits->list, 100 * sizeof(*hits->list));
    assert_false(all.approximate || some.approximate);
    gt_search_free(&all);
    gt_search_free(&some);
    free(query);
    filling_close(&f);
}

/* Searches a sample of about 8000 of the spans. */
static void search_sample(struct filling *f, const char *text, struct gt_search *search)
{
    struct gt_search_query *query = parse(text);

    *search = (struct gt_search){
        .mem = memory_shared(), .store = f->store, .query = query, .max = 1000000, .most = 8000};
    assert_true(gt_search_find(search));
    free(query);
}

/*
 * A rough search estimates the totals from spans of the whole trace, not from its beginning, and
 * twice the same. What is counted in advance is exact.
 */
static void test_samples_of_a_search_are_from_the_whole_trace(void **state)
{
    const int goroutines = 20, spans = 5000;
    struct filling f;
    struct gt_search one, two;
    const struct gt_hits *hits = &one.hits[GT_SEARCH_STATE];
    int late = 0;

    (void) state;
    filling_open(&f);
    for (int id = 1; id <= goroutines; id++) {
        filling_goroutine(&f, id, "main.main", -1);
        for (int i = 0; i < spans; i++)
            scene_state(&f, id, i * MS, i * MS + 500 + i % 2 * 500, "Waiting", "sleep", -1, 0, 0);
    }
    search_sample(&f, "dur>600ns", &one);
    search_sample(&f, "dur>600ns", &two);
    assert_true(one.approximate);
    assert_int_equal(one.spans, goroutines * spans);
    assert_int_equal(hits->total, hits->count * 16);
    assert_in_range(hits->total, 40000, 60000);
    for (size_t i = 0; i < hits->count; i++)
        late += hits->list[i].start >= spans / 2 * MS;
    assert_in_range(late, hits->count * 4 / 10, hits->count * 6 / 10);
    assert_int_equal(two.hits[GT_SEARCH_STATE].count, hits->count);
    assert_memory_equal(two.hits[GT_SEARCH_STATE].list, hits->list,
                        hits->count * sizeof(*hits->list));
    gt_search_free(&one);
    gt_search_free(&two);
    search_sample(&f, "reason:sleep", &one);
    assert_false(one.approximate);
    assert_int_equal(one.hits[GT_SEARCH_REASON].count, goroutines * spans);
    gt_search_free(&one);
    filling_close(&f);
}

static int64_t length_of(const struct gt_hit *hit)
{
    return hit->end - hit->start;
}

/* Finds the first `max` in some order, of all kinds. */
static void find_table(struct filling *f, const char *text, const struct gt_hits_table *table,
                       size_t max, struct gt_hits *all)
{
    struct gt_search_query *query = parse(text);
    struct gt_search search = {
        .mem = memory_shared(), .store = f->store, .query = query, .max = max, .table = table};

    *all = (struct gt_hits){.mem = memory_shared(), .max = max, .table = table};
    assert_true(gt_search_find(&search));
    for (size_t kind = 0; kind < GT_SEARCH_KINDS; kind++)
        assert_true(gt_hits_merge(all, &search.hits[kind]));
    gt_hits_sort(all);
    gt_search_free(&search);
    free(query);
}

static void check_order(struct filling *f, struct gt_hits_table table)
{
    struct gt_hits all, first;

    find_table(f, "kind:state", &table, 1000000, &all);
    find_table(f, "kind:state", &table, 50, &first);
    assert_int_equal(first.total, all.total);
    assert_int_equal(first.time, all.time);
    assert_int_equal(first.count, 50);
    assert_memory_equal(first.list, all.list, 50 * sizeof(*all.list));
    for (size_t i = 1; i < all.count; i++) {
        const struct gt_hit *one = &all.list[i - 1], *two = &all.list[i];
        int64_t by = table.order == GT_HITS_START      ? two->start - one->start
                     : table.order == GT_HITS_DURATION ? length_of(two) - length_of(one)
                                                       : 0;

        assert_true(table.is_descending ? by <= 0 : by >= 0);
    }
    gt_hits_free(&all);
    gt_hits_free(&first);
}

/* A table sorts all hits, and sums up those within its limits. */
static void test_tables_have_order_sums_and_limits(void **state)
{
    struct filling f;
    struct gt_hits_table table = {.longest = INT64_MAX};
    struct gt_hits all, some;
    int64_t time = 0;
    uint64_t count = 0, in_histogram = 0;

    (void) state;
    filling_open(&f);
    scene_random(&f, 3, 200, 1000000);
    table.store = f.store;
    for (int order = 0; order < GT_HITS_ORDERS; order++) {
        table.order = (enum gt_hits_order) order;
        table.is_descending = false;
        check_order(&f, table);
        table.is_descending = true;
        check_order(&f, table);
    }
    find_table(&f, "kind:state", &table, 1000000, &all);
    assert_int_equal(all.count, all.total);
    table.shortest = 1000;
    table.longest = 20000;
    find_table(&f, "kind:state", &table, 10, &some);
    for (size_t i = 0; i < all.count; i++) {
        int64_t length = length_of(&all.list[i]);

        if (length >= 1000 && length <= 20000) {
            time += length;
            count++;
        }
    }
    assert_true(count > 0 && count < all.count);
    assert_int_equal(some.total, count);
    assert_int_equal(some.time, time);
    /* The distribution is of all, so that the page can show what the limits leave out. */
    assert_int_equal(some.lengths.count, all.count);
    assert_int_equal(some.lengths.sum, all.time);
    for (size_t i = 0; i < some.histogram.count; i++)
        in_histogram += some.histogram.counts[i];
    assert_int_equal(in_histogram, all.count);
    gt_hits_free(&all);
    gt_hits_free(&some);
    filling_close(&f);
}

/* With tracks, only what is in their rows or on them is found. */
static void test_tracks_restrict_a_search(void **state)
{
    static const struct {
        const char *query;
        int all, of_row;
    } cases[] = {{"kind:state", 6, 3},   {"kind:goroutine", 3, 1}, {"kind:log", 2, 1},
                 {"kind:region", 2, 1},  {"kind:task", 1, 0},      {"gc", 2, 1},
                 {"g1 kind:state", 2, 0}};
    struct filling f;
    struct gt_store_row row;
    uint32_t list[8], ordinal;
    struct gt_query_tracks tracks = {.list = list};

    (void) state;
    make_store(&f);
    assert_true(gt_store_find_row(f.store, GT_STORE_VIEW_GOROUTINE, 12, &ordinal));
    assert_true(gt_store_get_row(f.store, GT_STORE_VIEW_GOROUTINE, ordinal, &row));
    for (size_t i = 0; i < row.lane_count && i < 8; i++)
        list[tracks.count++] = row.lanes[i].track;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (size_t j = 0; j < 2; j++) {
            struct gt_search_query *query = parse(cases[i].query);
            struct gt_search search = {.mem = memory_shared(),
                                       .store = f.store,
                                       .query = query,
                                       .max = 100,
                                       .tracks = j == 1 ? &tracks : NULL};
            uint64_t total = 0;

            assert_true(gt_search_find(&search));
            for (size_t kind = 0; kind < GT_SEARCH_KINDS; kind++)
                total += search.hits[kind].total;
            if (total != (uint64_t) (j == 1 ? cases[i].of_row : cases[i].all))
                fail_msg("%s: %d", cases[i].query, (int) total);
            gt_search_free(&search);
            free(query);
        }
    }
    filling_close(&f);
}

/* Visits every span of every goroutine. */
static void look_at_all(const struct gt_store *store, struct gt_search_match *match,
                        struct gt_hits *hits)
{
    uint32_t words = match->terms_of[GT_SEARCH_TEXT], view, ordinal, track, i;
    struct gt_store_head head;
    struct gt_span span;

    for (track = 0; track < gt_store_track_count(store); track++) {
        assert_true(gt_store_track_row(store, track, &view, &ordinal));
        if (view != GT_STORE_VIEW_GOROUTINE || !gt_store_get_head(store, view, ordinal, &head) ||
            !gt_search_match_goroutine(match, store, &head))
            continue;
        for (i = 0; gt_track_get(gt_store_track(store, track), i, &span); i++) {
            uint32_t in_name =
                words & gt_search_terms_in(match->query, gt_store_text(store, head.name));
            enum gt_search_kind kind =
                gt_search_match_span(match, store, gt_scan_lane_of(span.cls), &span, in_name);
            const struct gt_hit hit = {.start = span.start,
                                       .end = span.end,
                                       .view = view,
                                       .ordinal = ordinal,
                                       .track = track,
                                       .index = i,
                                       .name = span.name,
                                       .cls = span.cls};

            if (kind < GT_SEARCH_KINDS)
                assert_true(gt_hits_add(&hits[kind], &hit));
        }
    }
}

static void check_spans(struct filling *f, const char *text, size_t max)
{
    static const enum gt_search_kind kinds[] = {GT_SEARCH_REGION, GT_SEARCH_RANGE, GT_SEARCH_REASON,
                                                GT_SEARCH_STATE};
    struct gt_search_query *query = parse(text);
    struct gt_search search = {
        .mem = memory_shared(), .store = f->store, .query = query, .max = max};
    struct gt_hits expected[GT_SEARCH_KINDS];
    struct gt_search_match match;

    for (size_t i = 0; i < GT_SEARCH_KINDS; i++)
        expected[i] = (struct gt_hits){.mem = memory_shared(), .max = max, .kind = (uint32_t) i};
    /* The queries here do not depend on stacks. */
    gt_search_match_init(&match, memory_shared(), query, NULL, 0);
    look_at_all(f->store, &match, expected);
    assert_true(gt_search_find(&search));
    assert_false(search.approximate);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const struct gt_hits *hits = &search.hits[kinds[i]], *other = &expected[kinds[i]];

        gt_hits_sort(&expected[kinds[i]]);
        if (hits->total != other->total || hits->count != other->count)
            fail_msg("%s: %d of %d, not %d of %d", text, (int) hits->count, (int) hits->total,
                     (int) other->count, (int) other->total);
        /* The last member is followed by padding, which may have any value. */
        for (size_t k = 0; k < hits->count; k++)
            assert_memory_equal(&hits->list[k], &other->list[k],
                                offsetof(struct gt_hit, kind) + sizeof(hits->list[k].kind));
    }
    for (size_t i = 0; i < GT_SEARCH_KINDS; i++)
        gt_hits_free(&expected[i]);
    gt_search_match_free(&match);
    gt_search_free(&search);
    free(query);
}

/*
 * Whatever is counted in advance and however many tracks are skipped, the result is that of a
 * visit to every span.
 */
static void test_search_equals_a_pass_over_all_spans(void **state)
{
    static const char *const queries[] = {
        "sync",
        "e",
        "preempted",
        "nowhere",
        "reason:s",
        "reason:sleep",
        "kind:reason",
        "kind:state",
        "kind:state worker",
        "kind:reason worker",
        "kind:region",
        "kind:range gc",
        "part",
        "state:waiting",
        "state:waiting reason:sync",
        "state:running worker",
        "state:runnable preempted main",
        "state:waiting main worker",
        "func:worker sync",
        "func:worker state:running",
        "func:worker func:main state:waiting dur>5us",
        "g17 state:running",
        "g17 kind:reason",
        "g9999 kind:reason",
        "dur>20us",
        "dur>20us worker",
        "dur<0",
        "dur<=1us state:syscall",
        "dur>1h sync",
        "17 kind:state",
    };
    static const size_t most[] = {1, 30, 1000000};
    struct filling f;

    (void) state;
    filling_open(&f);
    scene_random(&f, 5, 150, 400000);
    for (int64_t time = 0; time < 400000; time += 1000) {
        int64_t goroutine = 1 + time / 1000 % 50;

        assert_status(filling_add_region(&f, goroutine, time % 3000 == 0 ? "sync" : "part", time,
                                         time + 10 + time / 100),
                      GT_OK);
        assert_status(
            filling_add_range(&f, (uint64_t) goroutine, "GC mark assist", time, time + 400), GT_OK);
    }
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        for (size_t j = 0; j < sizeof(most) / sizeof(most[0]); j++)
            check_spans(&f, queries[i], most[j]);
    }
    filling_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_become_terms),
        cmocka_unit_test(test_durations_become_limits),
        cmocka_unit_test(test_states_become_classes),
        cmocka_unit_test(test_bad_queries_are_refused),
        cmocka_unit_test(test_random_queries_stay_in_bounds),
        cmocka_unit_test(test_queries_find_what_they_name),
        cmocka_unit_test(test_first_hits_in_time_are_kept),
        cmocka_unit_test(test_tables_have_order_sums_and_limits),
        cmocka_unit_test(test_tracks_restrict_a_search),
        cmocka_unit_test(test_samples_of_a_search_are_from_the_whole_trace),
        cmocka_unit_test(test_search_equals_a_pass_over_all_spans),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
