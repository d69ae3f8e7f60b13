/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests many goroutines, texts and wakeups, in order and out of order, and lack of memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#include "store/inside.h"
#include "view/filling.h"
#include "view/memory.h"

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *seed >> 33;
}

/* Returns ids of three kinds: consecutive, far apart, and different in the upper bits only. */
static int64_t id_of(uint32_t i)
{
    if (i % 3 == 0)
        return i;
    return i % 3 == 1 ? (int64_t) i << 40 : INT64_MIN + i;
}

static void test_ids_find_their_rows(void **state)
{
    (void) state;
    const uint32_t count = 30000;
    struct filling f;
    uint32_t ordinal;
    filling_open(&f);
    for (uint32_t i = 0; i < count; i++)
        filling_goroutine(&f, id_of(i), "f", -1);
    assert_int_equal(gt_store_row_count(f.store, GT_STORE_VIEW_GOROUTINE), count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(gt_store_find_row(f.store, GT_STORE_VIEW_GOROUTINE, id_of(i), &ordinal));
        assert_int_equal(ordinal, i);
    }
    assert_false(gt_store_find_row(f.store, GT_STORE_VIEW_GOROUTINE, 1, &ordinal));
    assert_false(gt_store_find_row(f.store, GT_STORE_VIEW_GOROUTINE, -1, &ordinal));
    assert_false(gt_store_find_row(f.store, GT_VIEW_TASK, 0, &ordinal));
    assert_false(gt_store_find_row(f.store, GT_STORE_VIEWS, 0, &ordinal));
    filling_close(&f);
}

static void test_equal_texts_are_stored_once(void **state)
{
    (void) state;
    const unsigned count = 20000;
    char name[32];
    struct filling f;
    uint32_t id;
    filling_open(&f);
    /* All texts are at the same address. */
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < count; i++) {
            snprintf(name, sizeof(name), "main.function%u", i);
            filling_goroutine(&f, i, name, -1);
        }
    }
    assert_int_equal(gt_store_text_count(f.store), count + 1);
    for (unsigned i = 0; i < count; i++) {
        snprintf(name, sizeof(name), "main.function%u", i);
        assert_text(filling_row(&f, GT_STORE_VIEW_GOROUTINE, i).name, name);
        assert_true(gt_texts_find(&f.store->texts, filling_text(name), &id));
        assert_text(gt_store_text(f.store, id), name);
    }
    assert_false(gt_texts_find(&f.store->texts, filling_text("main.function"), &id));
    assert_true(gt_texts_find(&f.store->texts, filling_text(""), &id));
    assert_int_equal(id, 0);
    assert_text(gt_store_text(f.store, count + 1), "");
    char *large = test_malloc(1000000);
    memset(large, 'x', 1000000);
    const gt_instant instant = {
        sizeof(instant), 1, 0, {large, 1000000}, filling_text("goroutine"), 0, 0, NULL, 0};
    assert_status(gt_emitter_instant(f.emitter, &instant), GT_OK);
    test_free(large);
    assert_int_equal(filling_row(&f, GT_STORE_VIEW_GOROUTINE, 1).name.size, 1000000);
    assert_int_equal(filling_row(&f, GT_STORE_VIEW_GOROUTINE, 1).name.data[999999], 'x');
    filling_close(&f);
}

enum {
    WAKERS = 5000,
    EDGES = 150000
};

struct edge {
    int64_t time;
    uint32_t by, goroutine;
};

static int compare(const void *left, const void *right)
{
    const struct edge *a = left, *b = right;
    return a->time < b->time ? -1 : a->time > b->time;
}

/* Times are mostly in order, with gaps of minutes now and then. */
static void fill_edges(struct filling *f, struct edge *edges)
{
    uint64_t seed = 1;
    int64_t now = 0;
    const struct filling_state first = {"Waiting", 0, 0, -1, -1, -1, NULL, 0, 0};
    for (unsigned i = 0; i < WAKERS; i++)
        filling_state(f, i, &first);
    for (unsigned i = 0; i < EDGES; i++) {
        struct edge *edge = &edges[i];
        uint32_t by = (uint32_t) (next_random(&seed) % (i < EDGES / 2 ? 3 : WAKERS));
        now += 1 + (int64_t) (next_random(&seed) % 100);
        if (i % 20000 == 19999 && i > EDGES / 2)
            now += INT64_C(100) << 32;
        edge->time = now - (int64_t) (next_random(&seed) % (i % 1000 == 0 ? (uint64_t) now : 50));
        if (edge->time < 0)
            edge->time = 0;
        edge->by = by;
        edge->goroutine = (uint32_t) (next_random(&seed) % WAKERS);
        struct filling_state said = {.name = "Runnable", .proc = -1, .thread = -1};
        said.start = edge->time;
        said.end = now;
        said.by = by;
        filling_state(f, edge->goroutine, &said);
    }
    qsort(edges, EDGES, sizeof(*edges), compare);
}

/* Whether one of the edges at the time of edge `i`, which are neighbours, is that wakeup. */
static bool has_wake(const struct edge *edges, unsigned i, uint32_t by, const struct gt_wake *wake)
{
    int64_t time = edges[i].time;
    while (i > 0 && edges[i - 1].time == time)
        i--;
    for (; i < EDGES && edges[i].time == time; i++) {
        if (edges[i].by == by && edges[i].goroutine == wake->goroutine)
            return true;
    }
    return false;
}

static void check_wakes(const struct filling *f, const struct edge *edges, uint32_t by,
                        int64_t start, int64_t end, size_t max)
{
    struct gt_wake found[200];
    uint64_t total, expected = 0;
    size_t count = gt_store_wakes(f->store, by, start, end, found, max, &total);
    for (unsigned i = 0; i < EDGES; i++) {
        const struct edge *edge = &edges[i];
        if (edge->by != by || edge->time < start || edge->time >= end)
            continue;
        if (expected < max) {
            assert_true(expected < count);
            assert_int_equal(found[expected].time, edge->time);
            assert_true(has_wake(edges, i, by, &found[expected]));
        }
        expected++;
    }
    assert_int_equal(total, expected);
    assert_int_equal(count, expected < max ? expected : max);
}

static void test_wakes_equal_a_pass_over_all_edges(void **state)
{
    (void) state;
    struct edge *edges = test_malloc(EDGES * sizeof(*edges));
    struct filling f;
    uint64_t seed = 7;
    filling_open(&f);
    fill_edges(&f, edges);
    int64_t end = edges[EDGES - 1].time;
    for (unsigned i = 0; i < 150; i++) {
        uint32_t by = (uint32_t) (next_random(&seed) % (i % 2 == 0 ? 3 : WAKERS));
        int64_t first = edges[next_random(&seed) % EDGES].time;
        int64_t last = edges[next_random(&seed) % EDGES].time;
        check_wakes(&f, edges, by, first, last, 100);
    }
    check_wakes(&f, edges, 1, INT64_MIN, INT64_MAX, 200);
    check_wakes(&f, edges, 100, 0, end, 0);
    check_wakes(&f, edges, WAKERS, 0, end, 10);
    filling_close(&f);
    test_free(edges);
}

static void test_only_a_known_waker_counts(void **state)
{
    (void) state;
    static const struct filling_state first = {.name = "Waiting", .end = 5, -1, -1, .by = 1};
    struct filling_state said = {.name = "Runnable", .start = 5, .end = 9, -1, -1, .by = 1};
    struct gt_wake found[4];
    struct filling f;
    filling_open(&f);
    filling_goroutine(&f, 1, "f", -1);
    filling_goroutine(&f, 2, "f", 1);
    filling_state(&f, 2, &first);
    filling_state(&f, 2, &said);
    /*
     * A goroutine that takes the proc does not wake the other one, and an unknown one wakes
     * nobody.
     */
    said = (struct filling_state){"Syscall, blocked", 9, 10, -1, -1, 1, NULL, 0, 0};
    filling_state(&f, 2, &said);
    said = (struct filling_state){"Runnable", 10, 11, -1, -1, 77, NULL, 0, 0};
    filling_state(&f, 2, &said);
    assert_int_equal(gt_store_wakes(f.store, 0, 0, 100, found, 4, NULL), 2);
    assert_int_equal(found[0].time, 0);
    assert_int_equal(found[1].time, 5);
    assert_int_equal(found[1].goroutine, 1);
    assert_int_equal(gt_store_wakes(f.store, 0, 1, 5, found, 4, NULL), 0);
    filling_close(&f);
}

/* Adds something of every kind. Returns the first error. */
static gt_status fill(struct filling *f)
{
    const struct filling_state run = {"Running", 0, 10, 1, 2, -1, NULL, 0, 0};
    const struct filling_state wait = {"Waiting", 10, 20, -1, -1, -1, "sync", 0, 0};
    const struct filling_state wake = {"Runnable", 0, 20, -1, -1, 1, NULL, 0, 0};
    gt_emitter_frame frame = {1, 1, filling_text("f"), filling_text("g")};
    uint32_t stack;
    const gt_status results[] = {
        gt_emitter_stack(f->emitter, &frame, 1, &stack),
        filling_add_goroutine(f, 1, "main.main", -1, "label", 0),
        filling_add_state(f, 1, &run),
        filling_add_state(f, 1, &wait),
        filling_add_state(f, 2, &wake),
        filling_add_region(f, 1, "inner", 2, 3),
        filling_add_region(f, 1, "outer", 1, 4),
        filling_add_range(f, 1, "stop-the-world (x)", 1, 4),
        filling_add_range(f, GT_ROW_GC, "GC", 1, 4),
        filling_add_task(f, 2, "task", 1, 4, 1),
        filling_add_mark(f, 1, "log", "user event", 5, 0),
        filling_add_mark(f, 1, "CPU profile sample", "", 5, 0),
        gt_emitter_heap(f->emitter, 5, 100),
    };
    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
        if (results[i] != GT_OK)
            return results[i];
    }
    return GT_OK;
}

/* Everything that the store has after a failure can be read. */
static void ask_all(const struct filling *f)
{
    struct gt_store_row row;
    struct gt_span span;
    struct gt_mark mark;
    for (uint32_t view = 0; view < GT_STORE_VIEWS; view++) {
        for (uint32_t i = 0; i < gt_store_row_count(f->store, view); i++) {
            assert_true(gt_store_get_row(f->store, view, i, &row));
            for (size_t lane = 0; lane < row.lane_count; lane++)
                assert_non_null(gt_store_track(f->store, row.lanes[lane].track));
            uint32_t ordinal;
            assert_true(gt_store_find_row(f->store, view, row.id, &ordinal));
            assert_int_equal(ordinal, i);
        }
    }
    for (uint32_t i = 0; i < gt_store_track_count(f->store); i++) {
        const struct gt_track *track = gt_store_track(f->store, i);
        for (uint32_t index = 0; index < gt_track_count(track); index++)
            assert_true(gt_track_get(track, index, &span));
    }
    for (uint64_t i = 0; i < gt_store_mark_count(f->store); i++)
        assert_true(gt_store_get_mark(f->store, i, &mark));
    assert_true(gt_store_memory(f->store) > 0);
}

static void test_store_stays_readable_when_memory_runs_out(void **state)
{
    (void) state;
    int failures = 0;
    for (;; failures++) {
        struct filling f;
        filling_open(&f);
        memory_fail_after(failures);
        gt_status status = fill(&f);
        memory_fail_after(-1);
        assert_int_equal(gt_store_failed(f.store), status != GT_OK);
        ask_all(&f);
        if (status != GT_OK)
            assert_status(status, GT_ERR_CALLBACK);
        filling_close(&f);
        if (status == GT_OK)
            break;
    }
    assert_in_range(failures, 20, 200);
    for (int i = 0; i < 4; i++) {
        memory_fail_after(i);
        assert_null(gt_store_new(false, &memory_allocator));
    }
    memory_fail_after(-1);
}

/* As many wakeups as are in a run, and one more: they are sorted, for which memory is needed. */
static void test_wakes_stay_when_a_run_has_no_memory(void **state)
{
    (void) state;

    enum {
        RUN = 1 << 16,
        WAKER = 3
    };

    struct gt_mem mem;
    struct gt_wakes wakes = {.mem = &mem};
    struct gt_wake found[2];
    uint64_t total;
    int failures = 0;
    memory_init(&mem);
    for (uint32_t i = 0; i < RUN; i++)
        assert_true(gt_wakes_add(&wakes, i, i % 2 == 0 ? WAKER : RUN + i, i));
    for (bool is_added = false; !is_added; failures += !is_added) {
        /* What one allocation has given stays for the next try. */
        memory_fail_after(failures != 0);
        is_added = gt_wakes_add(&wakes, RUN, WAKER, 9);
        memory_fail_after(-1);
        assert_int_equal(gt_wakes_get(&wakes, WAKER, 1, RUN + 1, found, 2, &total), 2);
        assert_int_equal(total, RUN / 2 - 1 + is_added);
        assert_int_equal(found[0].goroutine, 2);
        assert_int_equal(found[1].goroutine, 4);
    }
    /* The list of runs, the buffer to sort in, and the run. */
    assert_int_equal(failures, 3);
    gt_wakes_destroy(&wakes);
    assert_int_equal(mem.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_find_their_rows),
        cmocka_unit_test(test_equal_texts_are_stored_once),
        cmocka_unit_test(test_wakes_equal_a_pass_over_all_edges),
        cmocka_unit_test(test_wakes_stay_when_a_run_has_no_memory),
        cmocka_unit_test(test_only_a_known_waker_counts),
        cmocka_unit_test(test_store_stays_readable_when_memory_runs_out),
    };
    return cmocka_run_group_tests_name("view store, much", tests, NULL, NULL);
}
