/* SPDX-License-Identifier: BSD-3-Clause */

/* The merge of lanes by time, and lanes that wait for each other. */

#include "merge/frontier.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "unit/failing.h"

#define LANES 120

enum place {
    READY,
    PARKED,
    WOKEN, /* ready once the first lane's next event is known */
    GONE
};

/* Kinds of need, which each format defines. */
enum {
    NEED_THIS,
    NEED_THAT,
    NEED_OTHER,
    NEEDS
};

/* A frontier, and the place in which each of its lanes must be. */
struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct gt_frontier frontier;
    struct gt_lane lanes[LANES]; /* by rank */
    enum place places[LANES];
    size_t count;
    uint64_t seed;
    int64_t step; /* the approximate distance of events of a lane */
};

static void begin(struct fixture *f)
{
    memset(f, 0, sizeof(*f));
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    gt_frontier_init(&f->frontier, &f->mem);
    f->seed = 20240229;
    f->step = 1;
}

static void end(struct fixture *f)
{
    gt_frontier_destroy(&f->frontier);
    assert_int_equal(f->mem.used, 0);
    probe_check(&f->probe);
}

/* Starts a generation whose lanes have these times. */
static void start(struct fixture *f, const int64_t *times, size_t count)
{
    f->count = count;
    assert_status(gt_frontier_start(&f->frontier, count), GT_OK);
    for (size_t i = 0; i < count; i++) {
        memset(&f->lanes[i], 0, sizeof(f->lanes[i]));
        f->lanes[i].rank = (uint32_t) i;
        f->lanes[i].time = times[i];
        f->places[i] = READY;
        gt_frontier_add(&f->frontier, &f->lanes[i]);
    }
}

static void start_equal(struct fixture *f, size_t count)
{
    static const int64_t zeros[LANES];
    start(f, zeros, count);
}

static struct gt_wish wish_of(const struct gt_lane *lane)
{
    struct gt_wish wish = {lane->wish_id, lane->wish_seq, lane->need};
    return wish;
}

static void set_wish(struct gt_lane *lane, const struct gt_wish *wish)
{
    lane->wish_id = wish->id;
    lane->wish_seq = wish->seq;
    lane->need = wish->need;
}

static int equal_wishes(struct gt_wish a, struct gt_wish b)
{
    return a.id == b.id && a.seq == b.seq && a.need == b.need;
}

static size_t in_place(const struct fixture *f, enum place place)
{
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++)
        count += f->places[i] == place;
    return count;
}

/* The first lane by time and rank in a place; with `wish` only of lanes that have it. */
static struct gt_lane *first_in(struct fixture *f, enum place place, const struct gt_wish *wish)
{
    struct gt_lane *first = NULL;
    for (size_t i = 0; i < f->count; i++) {
        struct gt_lane *lane = &f->lanes[i];
        if (f->places[i] != place || (first && first->time <= lane->time))
            continue;
        if (!wish || equal_wishes(*wish, wish_of(lane)))
            first = lane;
    }
    return first;
}

/* Checks the frontier's first lane, and returns it. */
static struct gt_lane *check_first(struct fixture *f)
{
    const struct gt_lane *parked = first_in(f, PARKED, NULL);
    assert_ptr_equal(f->frontier.first, first_in(f, READY, NULL));
    assert_int_equal(f->frontier.parked_count, in_place(f, PARKED));
    assert_int_equal(gt_frontier_parked_time(&f->frontier), parked ? parked->time : INT64_MAX);
    return f->frontier.first;
}

static void admit_woken(struct fixture *f)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->places[i] == WOKEN)
            f->places[i] = READY;
    }
}

/* The first lane's next event is at `time`. */
static void advance(struct fixture *f, int64_t time)
{
    f->frontier.first->time = time;
    if (time >= f->frontier.next_time) {
        gt_frontier_resift(&f->frontier);
        admit_woken(f);
    }
    assert_int_equal(in_place(f, WOKEN), 0);
    check_first(f);
}

static void remove_first(struct fixture *f)
{
    f->places[f->frontier.first->rank] = GONE;
    gt_frontier_remove(&f->frontier);
    admit_woken(f);
    check_first(f);
}

static void park(struct fixture *f, uint8_t need, uint64_t id, uint64_t seq)
{
    struct gt_wish wish = {id, seq, need};
    set_wish(f->frontier.first, &wish);
    f->places[f->frontier.first->rank] = PARKED;
    assert_status(gt_frontier_park(&f->frontier), GT_OK);
    admit_woken(f);
    check_first(f);
}

static void wake(struct fixture *f, const struct gt_wish *wish)
{
    const struct gt_lane *lane = first_in(f, PARKED, wish);
    if (lane)
        f->places[lane->rank] = WOKEN;
    gt_frontier_wake(&f->frontier, wish->need, wish->id, wish->seq);
}

static void wake_all(struct fixture *f, uint8_t need, uint64_t id)
{
    struct gt_wish wish = {id, 0, need};
    const struct gt_lane *lane;
    while ((lane = first_in(f, PARKED, &wish)) != NULL)
        f->places[lane->rank] = WOKEN;
    gt_frontier_wake_all(&f->frontier, need, id);
}

/* There are so few that lanes share wishes, and that some differ in one member only. */
static struct gt_wish random_wish(uint64_t pick)
{
    static const uint64_t ids[] = {0, 1, 5, UINT64_MAX};
    struct gt_wish wish = {ids[pick % 4], (pick >> 8) % 2, NEED_THIS};
    wish.need = (uint8_t) ((pick >> 16) % (NEEDS));
    return wish;
}

/* Wakes lanes at random, and at least one if there is no other ready lane. */
static void random_wakes(struct fixture *f)
{
    uint64_t pick = test_random(&f->seed);
    struct gt_wish wish = random_wish(pick >> 20);
    if (pick % 3 == 0)
        wake(f, &wish);
    if (pick % 7 == 0)
        wake_all(f, wish.need, wish.id ^ 1);
    if (in_place(f, READY) == 1 && in_place(f, WOKEN) == 0 && in_place(f, PARKED) > 0) {
        wish = wish_of(first_in(f, PARKED, NULL));
        wake(f, &wish);
    }
    assert_int_equal(f->frontier.parked_count, in_place(f, PARKED));
}

static void random_step(struct fixture *f)
{
    uint64_t pick = test_random(&f->seed);
    int others = in_place(f, READY) + in_place(f, WOKEN) > 1;
    if (pick % 64 == 0) {
        remove_first(f);
    } else if (pick % 4 == 1 && others) {
        struct gt_wish wish = random_wish(pick >> 20);
        park(f, wish.need, wish.id, wish.seq);
    } else if (pick % 128 == 2) {
        /* In a damaged trace times may run backwards. */
        advance(f, f->frontier.first->time - (int64_t) (pick >> 32) % 50 * f->step);
    } else {
        advance(f, f->frontier.first->time + (int64_t) (pick >> 32) % 4 * f->step);
    }
}

static void merge_random_lanes(struct fixture *f, int64_t step)
{
    static const size_t counts[] = {1, 2, 3, 50, LANES, 7, LANES};
    int64_t times[LANES];
    begin(f);
    f->step = step;
    for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
        for (size_t i = 0; i < counts[k]; i++)
            times[i] = ((int64_t) (test_random(&f->seed) % 60) - 20) * step;
        start(f, times, counts[k]);
        while (check_first(f)) {
            random_wakes(f);
            random_step(f);
        }
        assert_int_equal(in_place(f, GONE), counts[k]);
    }
    end(f);
}

static void test_random_lanes_come_in_order(void **state)
{
    /* The largest step makes times that are too far from each other for the tree of lanes. */
    static const int64_t steps[] = {1, 17, 1000, INT64_C(1) << 40, INT64_C(1) << 52};
    static struct fixture f;
    (void) state;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
        merge_random_lanes(&f, steps[i]);
}

static void test_no_lanes_have_no_first(void **state)
{
    static struct fixture f;
    (void) state;
    begin(&f);
    start_equal(&f, 0);
    assert_null(check_first(&f));
    end(&f);
}

/* At equal times the lane with the lower rank always comes first. */
static void test_equal_times_go_by_rank(void **state)
{
    static struct fixture f;
    (void) state;
    begin(&f);
    start_equal(&f, LANES);
    for (size_t i = 0; i < LANES; i++) {
        assert_int_equal(f.frontier.first->rank, i);
        advance(&f, 1);
    }
    for (size_t i = 0; i < LANES; i++) {
        assert_int_equal(f.frontier.first->rank, i);
        remove_first(&f);
    }
    assert_null(f.frontier.first);
    end(&f);
}

static void check_order(struct fixture *f, const int64_t *times, const uint32_t *order,
                        size_t count)
{
    begin(f);
    start(f, times, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(f->frontier.first->rank, order[i]);
        remove_first(f);
    }
    end(f);
}

static void test_extreme_times_are_ordered(void **state)
{
    static const int64_t late[] = {INT64_MAX, INT64_MIN, 0, INT64_MAX, INT64_MIN, -1};
    static const uint32_t of_late[] = {1, 4, 5, 2, 0, 3};
    static const int64_t early[] = {INT64_MIN, INT64_MAX, -1, INT64_MIN, 1, INT64_MAX - 1};
    static const uint32_t of_early[] = {0, 3, 2, 4, 5, 1};
    static struct fixture f;
    (void) state;
    static const uint32_t of_two[] = {1, 0};
    check_order(&f, late, of_late, 6);
    check_order(&f, late, of_two, 2);
    check_order(&f, early, of_early, 6);
}

/* All lanes reach the last time that fits a key; the one with this rank is `beyond` it. */
static void cross_the_edge(struct fixture *f, size_t rank, int64_t beyond)
{
    enum {
        COUNT = 8 /* as many as leaves */
    };

    start_equal(f, COUNT);
    int64_t last = f->frontier.base + (int64_t) f->frontier.span;
    for (size_t i = 0; i < COUNT; i++)
        advance(f, last + (i == rank ? beyond : 0));
    while (f->frontier.first)
        remove_first(f);
    /* And before the first time that fits. */
    start_equal(f, COUNT);
    advance(f, f->frontier.base + beyond);
    while (f->frontier.first)
        remove_first(f);
}

static void test_times_at_the_edge_of_keys_are_ordered(void **state)
{
    static struct fixture f;
    (void) state;
    begin(&f);
    for (size_t rank = 0; rank < 8; rank++) {
        for (int64_t beyond = -2; beyond <= 2; beyond++)
            cross_the_edge(&f, rank, beyond);
    }
    end(&f);
}

/* A lane that waits while the others' times exceed keys, or whose own time does, is not lost. */
static void test_far_lanes_wait_and_are_woken(void **state)
{
    static const struct gt_wish wish = {7, 3, NEED_THIS};
    static struct fixture f;
    (void) state;
    for (int64_t far = 0; far < 2; far++) {
        begin(&f);
        start_equal(&f, 10);
        if (far != 0)
            advance(&f, INT64_C(1) << 61);
        park(&f, wish.need, wish.id, wish.seq);
        advance(&f, INT64_C(1) << 61);
        wake(&f, &wish);
        advance(&f, 5);
        for (size_t i = 0; i < 10; i++)
            remove_first(&f);
        assert_null(f.frontier.first);
        /* The next generation starts anew. */
        start_equal(&f, 3);
        assert_false(f.frontier.is_far);
        end(&f);
    }
}

/* Many lanes have the same wish; each wake makes the earliest of them ready. */
static void test_wake_takes_the_earliest(void **state)
{
    static const struct gt_wish wish = {7, 3, NEED_THIS};
    static struct fixture f;
    int64_t times[LANES], last = -1;
    uint32_t last_rank = 0;
    (void) state;
    begin(&f);
    for (size_t i = 0; i < LANES; i++)
        times[i] = (int64_t) (i * 37 % 60);
    times[LANES - 1] = 1000;
    start(&f, times, LANES);
    for (size_t i = 0; i + 1 < LANES; i++)
        park(&f, wish.need, wish.id, wish.seq);
    for (size_t i = 0; i + 1 < LANES; i++) {
        const struct gt_lane *lane;
        assert_int_equal(f.frontier.first->rank, LANES - 1);
        wake(&f, &wish);
        advance(&f, 1000);
        lane = f.frontier.first;
        assert_true(lane->time > last || (lane->time == last && lane->rank > last_rank));
        last = lane->time;
        last_rank = lane->rank;
        remove_first(&f);
    }
    assert_int_equal(f.frontier.parked_count, 0);
    end(&f);
}

/* Waking all wakes the lanes with this wish, and no others. */
static void test_wake_all_takes_all_of_one_wish(void **state)
{
    static struct fixture f;
    (void) state;
    begin(&f);
    start_equal(&f, 100);
    for (size_t i = 0; i < 90; i++)
        park(&f, i % 3 == 2 ? NEED_OTHER : NEED_THAT, i % 3, 0);
    park(&f, NEED_THAT, 1, 1);
    wake_all(&f, NEED_THAT, 1);
    assert_int_equal(in_place(&f, WOKEN), 30);
    advance(&f, 0);
    for (size_t i = 0; i < 30; i++) {
        assert_int_equal(f.frontier.first->rank, 3 * i + 1);
        remove_first(&f);
    }
    assert_int_equal(f.frontier.parked_count, 61);
    wake_all(&f, NEED_THAT, 1);
    assert_int_equal(f.frontier.parked_count, 61);
    end(&f);
}

/*
 * Many lanes that waited for long are woken at once. They precede all others, and have events
 * before, between and after those of the others.
 */
static void test_lanes_woken_late_come_in_order(void **state)
{
    static struct fixture f;
    int64_t times[LANES];
    (void) state;
    begin(&f);
    for (size_t i = 0; i < LANES; i++)
        times[i] = (int64_t) (i * 7 % LANES);
    start(&f, times, LANES);
    for (size_t i = 0; i < 80; i++)
        park(&f, NEED_THAT, 1, 0);
    for (size_t i = 0; i < 2000; i++)
        advance(&f, f.frontier.first->time + 1 + (int64_t) (test_random(&f.seed) % 5000));
    wake_all(&f, NEED_THAT, 1);
    assert_int_equal(in_place(&f, WOKEN), 80);
    for (size_t i = 0; i < 20000; i++)
        advance(&f, f.frontier.first->time + (int64_t) (test_random(&f.seed) % 2000));
    while (f.frontier.first)
        remove_first(&f);
    assert_int_equal(in_place(&f, GONE), LANES);
    end(&f);
}

/* Two wishes are equal if all members are; waking for another wish wakes nobody. */
static void check_wishes(struct fixture *f)
{
    static const struct gt_wish others[] = {
        {6, 8, NEED_OTHER},
        {5, 9, NEED_OTHER},
        {5, 8, NEED_THIS},
        {8, 5, NEED_OTHER},
        {5 + (UINT64_C(1) << 32), 8, NEED_OTHER},
    };
    static const struct gt_wish wish = {5, 8, NEED_OTHER};
    begin(f);
    start_equal(f, 3);
    park(f, wish.need, wish.id, wish.seq);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        wake(f, &others[i]);
        wake_all(f, others[i].need, others[i].id);
        assert_int_equal(f->frontier.parked_count, 1);
    }
    wake(f, &wish);
    assert_int_equal(f->frontier.parked_count, 0);
    advance(f, 0);
    assert_int_equal(f->frontier.first->rank, 0);
    end(f);
}

/* The secret of the hash differs in each run, so that different wishes share a bucket. */
static void test_other_wishes_wake_nobody(void **state)
{
    static struct fixture f;
    (void) state;
    for (int i = 0; i < 1000; i++)
        check_wishes(&f);
}

/* So many threads that one step for each pair of them would take seconds. */
#define CROWD 100000

enum crowd {
    ONE_WISH,
    ONE_WISH_LATEST_FIRST,
    WISHES_BY_ID,
    WISHES_BY_HIGH_BITS,
    WISHES_BY_SEQ
};

static struct gt_wish crowd_wish(enum crowd crowd, uint64_t i)
{
    struct gt_wish wish = {1, 1, NEED_THAT};
    if (crowd == WISHES_BY_ID)
        wish.id = i;
    else if (crowd == WISHES_BY_HIGH_BITS)
        wish.id = i << 44;
    else if (crowd == WISHES_BY_SEQ)
        wish.seq = i << 44;
    return wish;
}

/* Which lane is woken next: the earliest one if they share a wish, else in any order. */
static size_t crowd_order(enum crowd crowd, size_t i)
{
    if (crowd == ONE_WISH)
        return i;
    return crowd == ONE_WISH_LATEST_FIRST ? CROWD - 2 - i : i * 99991 % (CROWD - 1);
}

/* Parks all lanes but one, and wakes them one by one. */
static void run_crowd(struct gt_frontier *frontier, struct gt_lane *lanes, enum crowd crowd)
{
    const struct gt_lane *last = &lanes[CROWD - 1];
    for (size_t i = 0; i < CROWD; i++) {
        struct gt_wish wish = crowd_wish(crowd, i);
        memset(&lanes[i], 0, sizeof(lanes[i]));
        lanes[i].rank = (uint32_t) i;
        set_wish(&lanes[i], &wish);
        lanes[i].time = crowd == ONE_WISH_LATEST_FIRST ? -(int64_t) i : (int64_t) i;
    }
    lanes[CROWD - 1].time = INT64_MAX;
    assert_status(gt_frontier_start(frontier, CROWD), GT_OK);
    for (size_t i = 0; i < CROWD; i++)
        gt_frontier_add(frontier, &lanes[i]);
    while (frontier->first != last)
        assert_status(gt_frontier_park(frontier), GT_OK);
    for (size_t i = 0; i + 1 < CROWD; i++) {
        size_t next = crowd_order(crowd, i);
        struct gt_wish wish = crowd_wish(crowd, next);
        gt_frontier_wake(frontier, wish.need, wish.id, wish.seq);
        gt_frontier_resift(frontier);
        assert_ptr_equal(frontier->first, &lanes[next]);
        gt_frontier_remove(frontier);
    }
    assert_ptr_equal(frontier->first, last);
    assert_int_equal(frontier->parked_count, 0);
    gt_frontier_remove(frontier);
}

static void test_crowds_are_woken_in_time(void **state)
{
    struct gt_lane *lanes = calloc(CROWD, sizeof(*lanes));
    struct gt_frontier frontier;
    struct gt_mem mem;
    (void) state;
    assert_non_null(lanes);
    gt_mem_init(&mem, NULL, 0);
    gt_frontier_init(&frontier, &mem);
    for (int crowd = ONE_WISH; crowd <= WISHES_BY_SEQ; crowd++) {
        double seconds = test_cpu_seconds();
        run_crowd(&frontier, lanes, (enum crowd) crowd);
        seconds = test_cpu_seconds() - seconds;
        if (seconds > 2)
            fail_msg("crowd %d takes %.1f s", crowd, seconds);
    }
    gt_frontier_destroy(&frontier);
    assert_int_equal(mem.used, 0);
    free(lanes);
}

/* Parks all lanes but the last, and wakes them one by one. */
static gt_status park_and_wake(struct gt_frontier *frontier, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        gt_status status = gt_frontier_park(frontier);
        if (status != GT_OK)
            return status;
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(frontier->first->rank, (i + count - 1) % count);
        gt_frontier_wake(frontier, NEED_THIS, 0, 0);
        gt_frontier_remove(frontier);
    }
    assert_null(frontier->first);
    return GT_OK;
}

/* A frontier without memory must be destroyed, and can be used again after that. */
static gt_status run_generation(struct gt_frontier *frontier, size_t count)
{
    struct gt_lane lanes[60];
    gt_status status = gt_frontier_start(frontier, count);
    memset(lanes, 0, sizeof(lanes));
    for (size_t i = 0; i < count && status == GT_OK; i++) {
        lanes[i].rank = (uint32_t) i;
        gt_frontier_add(frontier, &lanes[i]);
    }
    if (status == GT_OK)
        status = park_and_wake(frontier, count);
    if (status != GT_OK)
        gt_frontier_destroy(frontier);
    return status;
}

static void run(struct failing *failing)
{
    struct gt_frontier frontier;
    gt_frontier_init(&frontier, &failing->mem);
    for (size_t count = 20; count <= 60; count += 20) {
        if (!TRY(failing, run_generation(&frontier, count)))
            break;
    }
    gt_frontier_destroy(&frontier);
}

static void test_failed_allocations_are_reported(void **state)
{
    (void) state;
    failing_each(run, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_lanes_come_in_order),
        cmocka_unit_test(test_no_lanes_have_no_first),
        cmocka_unit_test(test_equal_times_go_by_rank),
        cmocka_unit_test(test_extreme_times_are_ordered),
        cmocka_unit_test(test_times_at_the_edge_of_keys_are_ordered),
        cmocka_unit_test(test_far_lanes_wait_and_are_woken),
        cmocka_unit_test(test_wake_takes_the_earliest),
        cmocka_unit_test(test_wake_all_takes_all_of_one_wish),
        cmocka_unit_test(test_lanes_woken_late_come_in_order),
        cmocka_unit_test(test_other_wishes_wake_nobody),
        cmocka_unit_test(test_crowds_are_woken_in_time),
        cmocka_unit_test(test_failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("frontier", tests, NULL, NULL);
}
