/* SPDX-License-Identifier: BSD-3-Clause */

/* Lists of events that were recorded late, which consist of sorted runs. */

#include "v1/late.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "unit/failing.h"

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct gt_v1_late late;
};

static void begin(struct fixture *f)
{
    memset(f, 0, sizeof(*f));
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
}

static void end(struct fixture *f)
{
    gt_v1_late_destroy(&f->late, &f->mem);
    assert_null(f->late.events);
    assert_int_equal(f->late.count, 0);
    assert_int_equal(gt_v1_late_time(&f->late), INT64_MAX);
    assert_int_equal(f->mem.used, 0);
    probe_check(&f->probe);
}

/* Offsets increase as events are added, by more than one. */
static uint64_t offset_of(size_t i)
{
    return 16 + 7 * (uint64_t) i;
}

static void add_all(struct fixture *f, const int64_t *times, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_status(gt_v1_late_add(&f->late, &f->mem, times[i], offset_of(i)), GT_OK);
    assert_int_equal(f->late.count, count);
}

/* Sorts by insertion, which is stable. */
static void sort_model(struct gt_v1_late_event *events, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct gt_v1_late_event event = events[i];
        size_t k = i;
        for (; k > 0 && events[k - 1].time > event.time; k--)
            events[k] = events[k - 1];
        events[k] = event;
    }
}

/* Sorts events with these times, at most 500, and compares the result with the model's. */
static void check_sort(const int64_t *times, size_t count)
{
    struct gt_v1_late_event expected[500];
    struct fixture f;
    begin(&f);
    add_all(&f, times, count);
    if (count > 0)
        memcpy(expected, f.late.events, count * sizeof(*expected));
    sort_model(expected, count);
    assert_status(gt_v1_late_sort(&f.late, &f.mem, NULL), GT_OK);
    assert_int_equal(f.late.count, count);
    assert_int_equal(f.late.next, 0);
    if (count > 0)
        assert_memory_equal(f.late.events, expected, count * sizeof(*expected));
    assert_int_equal(f.mem.used, f.late.capacity * sizeof(*f.late.events));
    end(&f);
}

static void test_added_events_are_kept(void **state)
{
    static const int64_t times[] = {5, INT64_MIN, 0, INT64_MAX, -1};
    struct fixture f;
    (void) state;
    begin(&f);
    add_all(&f, times, 5);
    /* The largest offset. */
    assert_status(gt_v1_late_add(&f.late, &f.mem, 6, UINT64_MAX >> 2), GT_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(f.late.events[i].time, times[i]);
        assert_int_equal(gt_v1_late_offset(&f.late.events[i]), offset_of(i));
        assert_int_equal(gt_v1_late_mark(&f.late.events[i]), 0);
    }
    assert_int_equal(gt_v1_late_offset(&f.late.events[5]), UINT64_MAX >> 2);
    assert_int_equal(gt_v1_late_mark(&f.late.events[5]), 0);
    end(&f);
}

/* A mark is stored with the offset, and changes no bit of it. */
static void test_marks_leave_the_offset(void **state)
{
    static const uint64_t offsets[] = {
        0, 1, 16, 0x5555, UINT64_C(0x2aaaaaaaaaaaaaaa), UINT64_MAX >> 2};
    static const unsigned marks[] = {1, GT_V1_LATE_MERGED, GT_V1_LATE_OVER};
    struct fixture f;
    (void) state;
    begin(&f);
    for (size_t i = 0; i < 6; i++) {
        assert_status(gt_v1_late_add(&f.late, &f.mem, 0, offsets[i]), GT_OK);
        for (size_t k = 0; k < 3; k++) {
            struct gt_v1_late_event event = f.late.events[i];
            event.place |= marks[k];
            assert_int_equal(gt_v1_late_mark(&event), marks[k]);
            assert_int_equal(gt_v1_late_offset(&event), offsets[i]);
        }
    }
    end(&f);
}

/* The time of the first event that is left, while events are taken. */
static void test_time_is_that_of_the_next(void **state)
{
    static const int64_t times[] = {-3, 2, 2, INT64_MAX - 1};
    struct fixture f;
    (void) state;
    begin(&f);
    assert_int_equal(gt_v1_late_time(&f.late), INT64_MAX);
    add_all(&f, times, 4);
    for (; f.late.next < 4; f.late.next++)
        assert_int_equal(gt_v1_late_time(&f.late), times[f.late.next]);
    assert_int_equal(gt_v1_late_time(&f.late), INT64_MAX);
    end(&f);
}

/* All combinations of up to 6 events with up to 6 times, which may be equal. */
static void test_sort_orders_few_events(void **state)
{
    (void) state;
    for (size_t count = 0; count <= 6; count++) {
        uint64_t ways = 1;
        for (size_t i = 0; i < count; i++)
            ways *= count;
        for (uint64_t way = 0; way < ways; way++) {
            int64_t times[6];
            uint64_t rest = way;
            for (size_t i = 0; i < count; i++) {
                times[i] = (int64_t) (rest % count);
                rest /= count;
            }
            check_sort(times, count);
        }
    }
}

static void test_sort_orders_extreme_times(void **state)
{
    static const int64_t times[] = {INT64_MAX, INT64_MIN, 0,         -1, INT64_MAX,
                                    1,         INT64_MIN, INT64_MAX, 0,  INT64_MIN};
    (void) state;
    check_sort(times, 10);
}

/* Runs like those of procs: each is sorted; they have any length and overlap. */
static void test_sort_merges_runs(void **state)
{
    uint64_t seed = 271828;
    (void) state;
    for (int round = 0; round < 300; round++) {
        size_t count = test_random(&seed) % 500, most = 1 + test_random(&seed) % 60;
        size_t left = 0;
        int64_t times[500], time = 0;
        for (size_t i = 0; i < count; i++) {
            if (left-- == 0) {
                left = test_random(&seed) % most;
                time = (int64_t) (test_random(&seed) % 1000) - 500;
            }
            time += (int64_t) (test_random(&seed) % 3);
            times[i] = time;
        }
        check_sort(times, count);
    }
}

static void test_sort_orders_random_times(void **state)
{
    uint64_t seed = 314159;
    (void) state;
    for (int round = 0; round < 200; round++) {
        size_t count = test_random(&seed) % 500;
        uint64_t range = 1 + test_random(&seed) % 300;
        int64_t times[500];
        for (size_t i = 0; i < count; i++)
            times[i] = (int64_t) (test_random(&seed) % range);
        check_sort(times, count);
    }
}

/* A list that is in order already, as in most traces with one proc, takes no memory. */
static void test_sort_of_sorted_allocates_nothing(void **state)
{
    int64_t times[300];
    (void) state;
    for (int equal = 0; equal <= 1; equal++) {
        struct fixture f;
        uint64_t calls;
        for (size_t i = 0; i < 300; i++)
            times[i] = equal ? 77 : (int64_t) (i / 2) - 40;
        begin(&f);
        add_all(&f, times, 300);
        calls = f.probe.calls;
        assert_status(gt_v1_late_sort(&f.late, &f.mem, NULL), GT_OK);
        assert_int_equal(f.probe.calls, calls);
        for (size_t i = 0; i < 300; i++) {
            assert_int_equal(f.late.events[i].time, times[i]);
            assert_int_equal(gt_v1_late_offset(&f.late.events[i]), offset_of(i));
        }
        end(&f);
    }
}

#define MANY 1000000

/* Event i of MANY that make up `runs` sorted runs over the same time. */
static int64_t time_in_run(size_t i, size_t runs)
{
    size_t length = MANY / runs;
    return (int64_t) (i % length * runs + i / length * 7919 % runs);
}

/* Sorts MANY events of sorted runs, which must take no more than seconds, and checks the result. */
static void check_many(size_t runs)
{
    uint8_t *seen = calloc(MANY, 1);
    struct fixture f;
    double seconds;
    assert_non_null(seen);
    begin(&f);
    for (size_t i = 0; i < MANY; i++) {
        int64_t time = runs == MANY ? -(int64_t) i : time_in_run(i, runs);
        assert_status(gt_v1_late_add(&f.late, &f.mem, time, i), GT_OK);
    }
    seconds = test_cpu_seconds();
    assert_status(gt_v1_late_sort(&f.late, &f.mem, NULL), GT_OK);
    seconds = test_cpu_seconds() - seconds;
    if (seconds > 2)
        fail_msg("%u runs take %.1f s", (unsigned) runs, seconds);
    for (size_t i = 0; i < MANY; i++) {
        const struct gt_v1_late_event *event = &f.late.events[i];
        uint64_t offset = gt_v1_late_offset(event);
        assert_true(i == 0 || event[-1].time < event->time);
        assert_true(offset < MANY && !seen[offset]);
        seen[offset] = 1;
        assert_int_equal(event->time, runs == MANY ? -(int64_t) offset : time_in_run(offset, runs));
    }
    /* The list, and as much again to merge into. */
    assert_true(f.mem.peak <= 2 * f.late.capacity * sizeof(*f.late.events));
    end(&f);
    free(seen);
}

/* A sort that takes a step for each pair of events, or of an event and a run, takes too long. */
static void test_sort_of_many_takes_seconds(void **state)
{
    (void) state;
    check_many(1);
    check_many(2);
    check_many(100);
    check_many(20000);
    /* Reversed: each event is a run of its own. */
    check_many(MANY);
}

/* Looks for each event with each value that `next` can have. */
static void check_find(const int64_t *times, size_t count)
{
    struct fixture f;
    begin(&f);
    add_all(&f, times, count);
    assert_status(gt_v1_late_sort(&f.late, &f.mem, NULL), GT_OK);
    for (f.late.next = 0; f.late.next <= count; f.late.next++) {
        for (size_t i = 0; i < count; i++) {
            struct gt_v1_late_event *event = &f.late.events[i];
            assert_ptr_equal(gt_v1_late_find(&f.late, event->time, gt_v1_late_offset(event)),
                             event);
            /* The marks of the event and of others do not matter. */
            event->place |= (i + f.late.next) % 4;
        }
    }
    end(&f);
}

static void test_find_finds_each_event(void **state)
{
    static const size_t counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 100};
    int64_t times[100];
    uint64_t seed = 602214;
    (void) state;
    for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
        /* All times are equal, there are few, and there are many. */
        for (uint64_t range = 1; range <= 1000; range *= 10) {
            for (size_t i = 0; i < counts[k]; i++)
                times[i] = (int64_t) (test_random(&seed) % range) - 3;
            check_find(times, counts[k]);
        }
    }
}

static void test_find_finds_extreme_times(void **state)
{
    static const int64_t times[] = {INT64_MAX, INT64_MIN, INT64_MAX, 0, INT64_MIN, 0};
    (void) state;
    check_find(times, 6);
}

static void test_find_finds_events_among_many(void **state)
{
    uint64_t seed = 137035;
    struct fixture f;
    (void) state;
    begin(&f);
    for (size_t i = 0; i < MANY; i++)
        assert_status(gt_v1_late_add(&f.late, &f.mem, (int64_t) (i / 3), offset_of(i)), GT_OK);
    for (size_t i = 0; i < MANY; i++) {
        uint64_t pick = test_random(&seed);
        size_t index = pick % MANY;
        size_t near = (size_t) (pick >> 40) % 20;
        f.late.next = pick % 3 == 0 ? (size_t) (pick >> 20) % (MANY + 1) : index + near;
        if (pick % 3 == 1)
            f.late.next = index < near ? 0 : index - near;
        assert_ptr_equal(gt_v1_late_find(&f.late, (int64_t) (index / 3), offset_of(index)),
                         &f.late.events[index]);
    }
    end(&f);
}

/* Without memory to sort with, the list stays as it was added. */
static void test_sort_without_memory_changes_nothing(void **state)
{
    static const int64_t times[] = {9, 8, 7, 1, 2, 3};
    struct fixture f;
    (void) state;
    begin(&f);
    add_all(&f, times, 6);
    f.mem.limit = f.mem.used + 1;
    assert_status(gt_v1_late_sort(&f.late, &f.mem, NULL), GT_ERR_LIMIT);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(f.late.events[i].time, times[i]);
        assert_int_equal(gt_v1_late_offset(&f.late.events[i]), offset_of(i));
    }
    while (f.late.count < f.late.capacity)
        assert_status(gt_v1_late_add(&f.late, &f.mem, 0, 0), GT_OK);
    assert_status(gt_v1_late_add(&f.late, &f.mem, 0, 0), GT_ERR_LIMIT);
    assert_int_equal(f.late.count, f.late.capacity);
    f.mem.limit = 0;
    assert_status(gt_v1_late_sort(&f.late, &f.mem, NULL), GT_OK);
    assert_int_equal(f.late.events[f.late.count - 1].time, 9);
    end(&f);
}

static void run(struct failing *failing)
{
    struct gt_v1_late late = {0};
    size_t count = 0;
    while (count < 200 &&
           TRY(failing, gt_v1_late_add(&late, &failing->mem, (int64_t) (count * 37 % 50), count)))
        count++;
    assert_int_equal(late.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(gt_v1_late_offset(&late.events[i]), i);
    if (count == 200 && TRY(failing, gt_v1_late_sort(&late, &failing->mem, NULL))) {
        for (size_t i = 0; i < count; i++)
            assert_int_equal(late.events[i].time, i / 4);
    }
    gt_v1_late_destroy(&late, &failing->mem);
}

static void test_failed_allocations_are_reported(void **state)
{
    (void) state;
    failing_each(run, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added_events_are_kept),
        cmocka_unit_test(test_marks_leave_the_offset),
        cmocka_unit_test(test_time_is_that_of_the_next),
        cmocka_unit_test(test_sort_orders_few_events),
        cmocka_unit_test(test_sort_orders_extreme_times),
        cmocka_unit_test(test_sort_merges_runs),
        cmocka_unit_test(test_sort_orders_random_times),
        cmocka_unit_test(test_sort_of_sorted_allocates_nothing),
        cmocka_unit_test(test_sort_of_many_takes_seconds),
        cmocka_unit_test(test_find_finds_each_event),
        cmocka_unit_test(test_find_finds_extreme_times),
        cmocka_unit_test(test_find_finds_events_among_many),
        cmocka_unit_test(test_sort_without_memory_changes_nothing),
        cmocka_unit_test(test_failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("late", tests, NULL, NULL);
}
