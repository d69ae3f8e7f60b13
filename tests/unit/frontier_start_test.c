/* SPDX-License-Identifier: BSD-3-Clause */

/* How the merge of lanes starts, even in the middle of another one, and with no ready lane. */

#include "merge/frontier.h"

#include <string.h>

#include "support/test.h"
#include "unit/failing.h"

/* Few enough to try each. */
#define LANES 70

/* The tree of lanes has a power of two of leaves. */
static const size_t counts[] = {1, 2, 3, 31, 32, 33, LANES};

#define COUNTS (sizeof(counts) / sizeof(counts[0]))

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct gt_frontier frontier;
    struct gt_lane lanes[LANES]; /* by rank */
    uint8_t there[LANES];        /* whether it must be ready */
    uint64_t seed;
};

static void begin(struct fixture *f)
{
    memset(f, 0, sizeof(*f));
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    gt_frontier_init(&f->frontier, &f->mem);
    f->seed = 20231121;
}

static void end(struct fixture *f)
{
    gt_frontier_destroy(&f->frontier);
    assert_int_equal(f->mem.used, 0);
    probe_check(&f->probe);
}

static size_t ready_count(const struct gt_frontier *frontier)
{
    size_t count = 0;
    for (size_t i = 0; i < frontier->leaves; i++)
        count += frontier->keys[frontier->leaves + i] != GT_FRONTIER_NONE;
    return count;
}

/* Starts again. Nothing of before must be left. */
static void start(struct fixture *f, size_t count)
{
    assert_status(gt_frontier_start(&f->frontier, count), GT_OK);
    assert_null(f->frontier.first);
    assert_int_equal(f->frontier.parked_count, 0);
    assert_int_equal(gt_frontier_parked_time(&f->frontier), INT64_MAX);
    memset(f->there, 0, sizeof(f->there));
}

/* The earliest ready lane but for `other`. */
static struct gt_lane *earliest(struct fixture *f, const struct gt_lane *other)
{
    struct gt_lane *first = NULL;
    for (size_t i = 0; i < LANES; i++) {
        struct gt_lane *lane = &f->lanes[i];
        if (f->there[i] && lane != other && (!first || lane->time < first->time))
            first = lane;
    }
    return first;
}

static void check_first(struct fixture *f)
{
    const struct gt_lane *first = earliest(f, NULL);
    const struct gt_lane *second = earliest(f, first);
    int64_t next = second ? second->time : INT64_MAX;
    assert_ptr_equal(f->frontier.first, first);
    assert_int_equal(f->frontier.next_time, next);
}

static void add(struct fixture *f, size_t rank, int64_t time)
{
    struct gt_lane *lane = &f->lanes[rank];
    lane->rank = (uint32_t) rank;
    lane->time = time;
    f->there[rank] = 1;
    gt_frontier_add(&f->frontier, lane);
    check_first(f);
}

/* Adds lanes, some of which have equal times. */
static void add_all(struct fixture *f, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(f, i, (int64_t) (test_random(&f->seed) % count) - 5);
}

static void remove_first(struct fixture *f)
{
    f->there[f->frontier.first->rank] = 0;
    gt_frontier_remove(&f->frontier);
    check_first(f);
}

/* Parks the first lane, which waits for `id`. */
static void park(struct fixture *f, uint64_t id)
{
    struct gt_lane *lane = f->frontier.first;
    lane->wish_id = id;
    lane->wish_seq = 1;
    lane->need = 2;
    f->there[lane->rank] = 0;
    assert_status(gt_frontier_park(&f->frontier), GT_OK);
    check_first(f);
}

/* Wakes the lane that waits for `id`. It is ready once it was admitted. */
static void wake(struct fixture *f, uint64_t id, size_t rank)
{
    size_t parked = f->frontier.parked_count;
    gt_frontier_wake(&f->frontier, 2, id, 1);
    assert_int_equal(f->frontier.parked_count, parked - 1);
    f->there[rank] = 1;
}

/* Checks that no lane waits for any of the ids up to `count`. */
static void check_nobody_waits(struct fixture *f, size_t count)
{
    size_t parked = f->frontier.parked_count;
    for (uint64_t id = 0; id <= count; id++) {
        gt_frontier_wake(&f->frontier, 2, id, 1);
        assert_int_equal(f->frontier.parked_count, parked);
    }
}

static void test_added_lanes_come_in_order(void **state)
{
    static struct fixture f;
    (void) state;
    begin(&f);
    for (int round = 0; round < 20; round++) {
        for (size_t i = 0; i < COUNTS; i++) {
            start(&f, counts[i]);
            add_all(&f, counts[i]);
            while (f.frontier.first)
                remove_first(&f);
            assert_null(earliest(&f, NULL));
        }
    }
    end(&f);
}

static void test_sorted_lanes_come_in_order(void **state)
{
    static struct fixture f;
    (void) state;
    begin(&f);
    for (size_t i = 0; i < COUNTS; i++) {
        for (int step = -1; step <= 1; step++) {
            start(&f, counts[i]);
            for (size_t k = 0; k < counts[i]; k++)
                add(&f, k, (int64_t) k * step);
            while (f.frontier.first)
                remove_first(&f);
        }
    }
    end(&f);
}

/* Fewer lanes may be added than there is room for: a proc may have no events. */
static void test_fewer_lanes_than_room_will_do(void **state)
{
    static struct fixture f;
    (void) state;
    for (size_t i = 0; i < COUNTS; i++) {
        for (size_t k = 0; k <= counts[i]; k += 1 + counts[i] / 3) {
            begin(&f);
            start(&f, counts[i]);
            check_first(&f);
            add_all(&f, k);
            while (f.frontier.first)
                park(&f, f.frontier.first->rank);
            assert_int_equal(f.frontier.parked_count, k);
            end(&f);
        }
    }
}

/* If all lanes are parked, a lane that is woken is ready once it was admitted. */
static void test_admitted_lane_is_ready(void **state)
{
    static struct fixture f;
    (void) state;
    begin(&f);
    for (size_t i = 0; i < COUNTS; i++) {
        size_t count = counts[i];
        start(&f, count);
        add_all(&f, count);
        while (f.frontier.first)
            park(&f, f.frontier.first->rank);
        gt_frontier_admit(&f.frontier);
        assert_null(f.frontier.first);
        assert_int_equal(f.frontier.parked_count, count);
        for (size_t k = 0; k < count; k++) {
            wake(&f, count - 1 - k, count - 1 - k);
            assert_null(f.frontier.first);
            gt_frontier_admit(&f.frontier);
            check_first(&f);
            park(&f, 1000 + k);
        }
        /* And all of them at once. */
        for (size_t k = 0; k < count; k++)
            wake(&f, 1000 + k, count - 1 - k);
        gt_frontier_admit(&f.frontier);
        check_first(&f);
        assert_int_equal(f.frontier.parked_count, 0);
        while (f.frontier.first)
            remove_first(&f);
    }
    end(&f);
}

/* Lanes that are ready stay so, and none is added twice. */
static void test_admitting_nobody_changes_nothing(void **state)
{
    static struct fixture f;
    (void) state;
    begin(&f);
    start(&f, 40);
    add_all(&f, 40);
    gt_frontier_admit(&f.frontier);
    check_first(&f);
    park(&f, 1);
    gt_frontier_admit(&f.frontier);
    check_first(&f);
    assert_int_equal(ready_count(&f.frontier), 39);
    assert_int_equal(f.frontier.parked_count, 1);
    end(&f);
}

/* Runs a merge in which one lane waits to its end. */
static void merge_to_the_end(struct fixture *f, size_t count)
{
    size_t rank;
    start(f, count);
    add_all(f, count);
    rank = f->frontier.first->rank;
    park(f, 1);
    wake(f, 1, rank);
    gt_frontier_admit(&f->frontier);
    check_first(f);
    while (f->frontier.first)
        remove_first(f);
}

/* A new merge uses the memory of the last one, and allocates more if it needs more. */
static void test_restart_reuses_memory(void **state)
{
    static struct fixture f;
    uint64_t calls;
    (void) state;
    begin(&f);
    for (size_t i = 0; i < COUNTS; i++)
        merge_to_the_end(&f, counts[i]);
    calls = f.probe.calls;
    for (size_t i = COUNTS; i > 0; i--)
        merge_to_the_end(&f, counts[i - 1]);
    assert_int_equal(f.probe.calls, calls);
    end(&f);
}

/* Abandons a merge of `count` lanes in which some wait, some were woken, and some are ready. */
static void abandon(struct fixture *f, size_t count, size_t waiting, size_t woken)
{
    start(f, count);
    for (size_t i = 0; i < count; i++)
        add(f, i, (int64_t) i);
    for (size_t i = 0; i < waiting; i++)
        park(f, i);
    for (size_t i = 0; i < woken; i++)
        wake(f, i, i);
}

/* Runs a merge of the same lanes, all of which wait and are woken. */
static void merge(struct fixture *f, size_t count)
{
    start(f, count);
    check_nobody_waits(f, count);
    for (size_t i = 0; i < count; i++)
        add(f, i, -(int64_t) i);
    assert_int_equal(ready_count(&f->frontier), count);
    for (size_t i = 0; i < count; i++) {
        /* While a lane waits, only its own wish can wake it. */
        park(f, count + i % 3);
        check_nobody_waits(f, count - 1);
    }
    for (size_t i = 0; i < count; i++) {
        wake(f, count + i % 3, count - 1 - i);
        gt_frontier_admit(&f->frontier);
        check_first(f);
    }
    assert_int_equal(ready_count(&f->frontier), count);
    while (f->frontier.first)
        remove_first(f);
}

/* A merge that did not run to its end leaves nothing to the next one. */
static void test_restart_drops_parked_lanes(void **state)
{
    static struct fixture f;
    (void) state;
    for (size_t i = 0; i < COUNTS; i++) {
        for (size_t k = 0; k < COUNTS; k++) {
            size_t step = 1 + counts[i] / 4;
            for (size_t waiting = 0; waiting <= counts[i]; waiting += step) {
                for (size_t woken = 0; woken <= waiting; woken += step) {
                    begin(&f);
                    abandon(&f, counts[i], waiting, woken);
                    merge(&f, counts[k]);
                    end(&f);
                }
            }
        }
    }
}

static gt_status start_and_park(struct gt_frontier *frontier, struct gt_lane *lanes, size_t count)
{
    gt_status status = gt_frontier_start(frontier, count);
    for (size_t i = 0; i < count && status == GT_OK; i++) {
        lanes[i].rank = (uint32_t) i;
        gt_frontier_add(frontier, &lanes[i]);
    }
    return status == GT_OK ? gt_frontier_park(frontier) : status;
}

/* After an allocation failed, the frontier can be destroyed, or started again. */
static void run(struct failing *failing)
{
    struct gt_frontier frontier;
    struct gt_lane lanes[LANES];
    memset(lanes, 0, sizeof(lanes));
    gt_frontier_init(&frontier, &failing->mem);
    for (size_t i = 0; i < COUNTS; i++) {
        if (!TRY(failing, start_and_park(&frontier, lanes, counts[i])))
            break;
        assert_int_equal(frontier.parked_count, 1);
        assert_int_equal(ready_count(&frontier), counts[i] - 1);
    }
    gt_frontier_destroy(&frontier);
    assert_null(frontier.first);
    assert_int_equal(frontier.parked_count, 0);
}

static void test_failed_allocations_are_reported(void **state)
{
    (void) state;
    failing_each(run, 2 * COUNTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added_lanes_come_in_order),
        cmocka_unit_test(test_sorted_lanes_come_in_order),
        cmocka_unit_test(test_fewer_lanes_than_room_will_do),
        cmocka_unit_test(test_admitted_lane_is_ready),
        cmocka_unit_test(test_admitting_nobody_changes_nothing),
        cmocka_unit_test(test_restart_reuses_memory),
        cmocka_unit_test(test_restart_drops_parked_lanes),
        cmocka_unit_test(test_failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("frontier start", tests, NULL, NULL);
}
