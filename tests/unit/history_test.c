/* SPDX-License-Identifier: BSD-3-Clause */

/* The past of goroutines, in blocks that grow, of which the oldest chunks are used again. */

#include "analysis/path/history.h"

#include "support/test.h"
#include "unit/failing.h"

enum {
    /* The first blocks of several chunks come after eight chunks. */
    RECORDS = 400000,
    /* A block of several chunks that fails is no failure, as one chunk takes its place. */
    FAILING_RECORDS = 30000,
    /* The least that a record of this test takes, and the most. */
    LEAST = 2,
    MOST = 42
};

/* What the history has to know: records and their numbers, in the order in which they came. */
static struct gt_history_record records[RECORDS];
static uint64_t numbers[RECORDS];

/* A number of each size up to `most`, from a sequence that looks random. */
static uint64_t number_of(uint64_t seed, uint64_t most)
{
    uint64_t mixed = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= mixed >> 31;
    return (mixed >> mixed % 64) % (most + 1);
}

/* Names one of the records before record `index`, or none. */
static uint64_t earlier(size_t index, uint64_t seed)
{
    uint64_t before = number_of(seed, index);
    return before == 0 ? 0 : numbers[index - (size_t) before];
}

static struct gt_history_record record_of(size_t index)
{
    uint64_t seed = (uint64_t) index * 8;
    return (struct gt_history_record){
        /* Some are far from the others, and need all eight bytes. */
        .time = index % 7 == 5    ? INT64_MIN + (int64_t) index
                : index % 11 == 3 ? INT64_MAX - (int64_t) index
                                  : (int64_t) index * 300,
        .previous = earlier(index, seed),
        .cause = index % 3 == 0 ? earlier(index, seed + 1) : 0,
        .goroutine = (uint32_t) number_of(seed + 2, UINT32_MAX),
        .label = (uint32_t) number_of(seed + 3, UINT32_MAX),
        .is_busy = index % 5 == 0,
    };
}

static gt_status add(struct gt_history *history, size_t index)
{
    gt_status status = gt_history_reserve(history);
    if (status != GT_OK)
        return status;
    records[index] = record_of(index);
    numbers[index] = gt_history_add(history, &records[index]);
    if (index % 7 == 3) {
        records[index].is_busy = true;
        gt_history_set_busy(history, numbers[index]);
    }
    return GT_OK;
}

static void add_all(struct gt_history *history, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(add(history, i), GT_OK);
}

static void assert_record(const struct gt_history *history, size_t index)
{
    const struct gt_history_record *expected = &records[index];
    struct gt_history_record record;
    assert_true(gt_history_get(history, numbers[index], &record) > numbers[index]);
    assert_true(record.time == expected->time);
    assert_true(record.previous == expected->previous);
    assert_true(record.cause == expected->cause);
    assert_true(record.goroutine == expected->goroutine);
    assert_true(record.label == expected->label);
    assert_true(record.is_busy == expected->is_busy);
}

/* The records up to `count` that were not forgotten can be had, and no others. */
static void assert_kept(const struct gt_history *history, size_t count)
{
    struct gt_history_record record;
    assert_int_equal(gt_history_get(history, 0, &record), 0);
    for (size_t i = 0; i < history->forgotten; i++) {
        assert_int_equal(gt_history_get(history, numbers[i], &record), 0);
    }
    for (size_t i = (size_t) history->forgotten; i < count; i++)
        assert_record(history, i);
}

static void test_all_records_are_kept_without_a_bound(void **state)
{
    struct probe probe;
    struct gt_mem mem;
    struct gt_history history;
    (void) state;
    probe_init(&probe);
    gt_mem_init(&mem, &probe.allocator, 0);
    gt_history_init(&history, &mem, 0);
    add_all(&history, RECORDS);
    assert_null(gt_history_oldest(&history));
    assert_int_equal(history.forgotten, 0);
    assert_kept(&history, RECORDS);
    assert_in_range(mem.used, (uint64_t) RECORDS * LEAST, (uint64_t) RECORDS * 24);
    assert_true(history.blocks.count < history.chunks.count / 2);
    gt_history_destroy(&history);
    probe_check(&probe);
}

/* The oldest chunk has the records that are forgotten next. */
static void assert_oldest(const struct gt_history *history, const struct gt_history_chunk *oldest)
{
    uint64_t number = gt_history_oldest_number(history);
    struct gt_history_record record;
    for (size_t i = 0; i < oldest->count; i++) {
        assert_true(number == numbers[(size_t) history->forgotten + i]);
        number = gt_history_get(history, number, &record);
    }
}

static void test_the_oldest_chunk_makes_room_within_a_bound(void **state)
{
    static const uint64_t bounds[] = {2, 3, 9, 50};
    (void) state;
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        struct probe probe;
        struct gt_mem mem;
        struct gt_history history;
        uint64_t bytes = bounds[i] * GT_HISTORY_CHUNK;
        probe_init(&probe);
        gt_mem_init(&mem, &probe.allocator, 0);
        gt_history_init(&history, &mem, bytes);
        for (size_t j = 0; j < RECORDS; j++) {
            const struct gt_history_chunk *oldest = gt_history_oldest(&history);
            if (oldest)
                assert_oldest(&history, oldest);
            assert_int_equal(add(&history, j), GT_OK);
        }
        assert_in_range(RECORDS - history.forgotten,
                        (bounds[i] - 1) * (GT_HISTORY_CHUNK - MOST) / MOST, bytes / LEAST);
        /* A record that is forgotten is marked without effect. */
        gt_history_set_busy(&history, numbers[0]);
        assert_kept(&history, RECORDS);
        /* Besides the records there are only the lists of chunks and blocks. */
        assert_in_range(probe.peak_bytes, bytes, bytes + GT_HISTORY_CHUNK / 2);
        gt_history_destroy(&history);
        probe_check(&probe);
    }
}

static void run_failing(struct failing *failing)
{
    struct gt_history history;
    size_t count = 0;
    gt_history_init(&history, &failing->mem, 0);
    while (count < FAILING_RECORDS && TRY(failing, add(&history, count)))
        count++;
    assert_kept(&history, count);
    gt_history_destroy(&history);
}

static void test_failures_lose_nothing(void **state)
{
    (void) state;
    failing_each(run_failing, 7);
}

/* Where there is no room for a block of several chunks, there may be some for one. */
static void test_a_chunk_fits_where_a_block_does_not(void **state)
{
    struct gt_mem mem;
    struct gt_history history;
    size_t count = 0;
    (void) state;
    gt_mem_init(&mem, NULL, 17 * GT_HISTORY_CHUNK);
    gt_history_init(&history, &mem, 0);
    gt_status status = GT_OK;
    while (status == GT_OK) {
        status = add(&history, count);
        count += status == GT_OK;
    }
    assert_int_equal(status, GT_ERR_LIMIT);
    assert_int_equal(history.chunks.count, 16);
    assert_kept(&history, count);
    gt_history_destroy(&history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_records_are_kept_without_a_bound),
        cmocka_unit_test(test_the_oldest_chunk_makes_room_within_a_bound),
        cmocka_unit_test(test_failures_lose_nothing),
        cmocka_unit_test(test_a_chunk_fits_where_a_block_does_not),
    };

    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
