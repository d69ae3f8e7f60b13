/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * GT_READER_LENIENT: what is repaired in traces of Go 1.5 to 1.21, and which repairs are reported.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/reading.h"
#include "support/repairs.h"
#include "support/sample.h"
#include "support/test.h"
#include "support/v1wire.h"

static void read_lenient(struct digest *digest, const uint8_t *data, size_t size,
                         struct repairs *repairs)
{
    gt_reader_options options = repairs_options(repairs);
    digest_memory(digest, data, size, &options);
}

/* A trace without damage is read without repairs. */
static void test_good_trace_is_not_repaired(void **state)
{
    struct digest strict, repaired;
    struct repairs repairs;
    struct wire wire = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        sample_trace(&wire, v1_versions[k], 1, 300);
        digest_memory(&strict, wire.data, wire.size, NULL);
        assert_status(strict.status, GT_END);
        read_lenient(&repaired, wire.data, wire.size, &repairs);
        digest_assert_equal(&repaired, &strict);
        assert_int_equal(repairs.count, 0);
        repairs_check_sound(wire.data, wire.size, &repairs);
        assert_int_equal(repairs.count, 0);
        digest_free(&repaired);
        digest_free(&strict);
    }
    wire_free(&wire);
}

/* Only what is cut off is lost. */
static void check_cut(const uint8_t *data, size_t size, const struct digest *whole)
{
    struct digest strict, before, repaired;
    struct repairs repairs;
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    memcpy(bytes, data, size);
    digest_memory(&strict, bytes, size, NULL);
    read_lenient(&repaired, bytes, size, &repairs);
    assert_status(repaired.status, GT_END);
    if (strict.status == GT_END) {
        digest_assert_equal(&repaired, &strict);
        assert_int_equal(repairs.count, 0);
    } else {
        assert_status(strict.status, GT_ERR_TRUNCATED);
        assert_int_equal(repairs.count, 1);
        assert_status(repairs.status[0], GT_ERR_TRUNCATED);
        assert_int_equal(repairs.offset[0], strict.error.offset);
        digest_memory(&before, bytes, strict.error.offset, NULL);
        digest_assert_equal(&repaired, &before);
        digest_free(&before);
    }
    /* The duration of a system call and the position of its exit depend on later events. */
    assert_true(digest_common(&repaired, whole) + 3 >= repaired.count);
    digest_free(&repaired);
    digest_free(&strict);
    free(bytes);
}

static void test_cut_trace_gives_everything_before_the_cut(void **state)
{
    struct digest whole;
    struct wire wire = {0};
    size_t start;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&wire, v1_versions[k]);
        start = wire.size;
        sample_trace(&wire, v1_versions[k], 1, 60);
        digest_memory(&whole, wire.data, wire.size, NULL);
        assert_status(whole.status, GT_END);
        for (size_t size = start; size < wire.size; size++)
            check_cut(wire.data, size, &whole);
        digest_free(&whole);
    }
    wire_free(&wire);
}

/* A trace with or without a frequency; its ticks are those of a slow clock. */
static void write_clock(struct wire *wire, unsigned version, int told)
{
    wire_begin(wire, version);
    v1_batch(wire, 0, V1_TICKS);
    if (told)
        V1_EVENT(wire, V1_FREQUENCY, 1000000);
    V1_EVENT(wire, V1_GO_CREATE, 1, 1, 0, 0);
    V1_EVENT(wire, V1_PROC_START, 1, 5);
    V1_EVENT(wire, V1_GO_START, 1, 1, 1);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 4, 0);
    V1_EVENT(wire, V1_HEAP_ALLOC, 1000, 77);
    V1_EVENT(wire, V1_GO_END, 1000);
}

static void test_missing_frequency_is_one_repair(void **state)
{
    struct digest digest;
    struct repairs repairs;
    struct wire wire = {0};
    size_t count;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        write_clock(&wire, v1_versions[k], 1);
        digest_memory(&digest, wire.data, wire.size, NULL);
        assert_status(digest.status, GT_END);
        count = digest.count;
        digest_free(&digest);
        write_clock(&wire, v1_versions[k], 0);
        read_lenient(&digest, wire.data, wire.size, &repairs);
        assert_status(digest.status, GT_END);
        assert_int_equal(digest.count, count);
        assert_int_equal(repairs.count, 1);
        assert_status(repairs.status[0], GT_ERR_TRUNCATED);
        digest_free(&digest);
    }
    wire_free(&wire);
}

/* The message of the error says how it can be read, and that repair says that it is cut off. */
static void test_cut_trace_says_how_to_read_it(void **state)
{
    struct digest digest;
    struct repairs repairs;
    struct wire wire = {0};
    (void) state;
    write_clock(&wire, 19, 0);
    digest_memory(&digest, wire.data, wire.size, NULL);
    assert_status(digest.status, GT_ERR_TRUNCATED);
    assert_string_equal(digest.error.message,
                        "cut off before its frequency; try GT_READER_LENIENT");
    digest_free(&digest);
    read_lenient(&digest, wire.data, wire.size, &repairs);
    assert_status(digest.status, GT_END);
    assert_int_equal(repairs.count, 1);
    assert_status(repairs.status[0], GT_ERR_TRUNCATED);
    digest_free(&digest);
    wire_free(&wire);
}

/* Many samples show how fast the clock was: the profiler takes 100 per second. */
static void test_missing_frequency_is_estimated_from_samples(void **state)
{
    struct repairs repairs;
    gt_reader_options options = repairs_options(&repairs);
    struct reading r = {0};
    (void) state;
    write_clock(&r.wire, 19, 0);
    for (uint64_t i = 0; i < 100; i++)
        V1_EVENT(&r.wire, V1_CPU_SAMPLE, 1, 10000 * (i + 1), 0, 1, 0);
    reading_open(&r, &options);
    reading_skip(&r, V1_START_EVENTS + 2);
    for (uint64_t i = 0; i < 100; i++)
        reading_next(&r, GT_EVENT_STACK_SAMPLE);
    /* A million ticks are about a second. */
    assert_in_range(r.event->time, 900000000, 1100000000);
    assert_int_equal(repairs.count, 1);
    reading_end(&r);
}

static void test_bad_frequency_is_repaired(void **state)
{
    struct digest digest;
    struct repairs repairs;
    struct wire wire = {0};
    size_t offset;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        write_clock(&wire, v1_versions[k], 0);
        offset = wire.size;
        V1_EVENT(&wire, V1_FREQUENCY, 0);
        read_lenient(&digest, wire.data, wire.size, &repairs);
        assert_status(digest.status, GT_END);
        assert_int_equal(digest.count, V1_START_EVENTS + 3);
        assert_in_range(repairs.count, 1, 2);
        assert_status(repairs.status[0], GT_ERR_TIME);
        assert_int_equal(repairs.offset[0], offset);
        digest_free(&digest);
    }
    wire_free(&wire);
}

/* The end of each trace, which must come out however much is repaired before it: 5 metrics. */
static void write_tail(struct wire *wire)
{
    v1_batch(wire, 0, 10000000);
    for (uint64_t i = 0; i < 5; i++)
        V1_EVENT(wire, V1_HEAP_ALLOC, 1, 7000 + i);
}

/* An event after v1_start_four that is wrong, and how it is repaired. */
static const struct damage {
    const char *name;
    unsigned least, most;

    enum {
        /* The result is the same as without the event. */
        LEFT_OUT,
        /* The event is delivered, whatever comes before it. */
        GIVEN,
        /* Either of these. */
        ANY
    } repair;

    uint64_t proc;
    unsigned type, count;
    uint64_t args[5];
    /* The state of the goroutine after an event that is delivered. */
    int64_t goroutine;
    uint32_t to;
} damages[] = {
    {"GoStart of none", 5, 21, GIVEN, 1, V1_GO_START, 3, {1, 9, 1}, 9, GT_GO_RUNNING},
    {"GoStart of one that waits", 5, 21, GIVEN, 1, V1_GO_START, 3, {1, 2, 9}, 2, GT_GO_RUNNING},
    {"GoStart of one that runs", 5, 21, GIVEN, 1, V1_GO_START, 3, {1, 1, 9}, 1, GT_GO_RUNNING},
    {"GoStart with the wrong number", 7, 21, GIVEN, 1, V1_GO_START, 3, {1, 3, 9}, 3, GT_GO_RUNNING},
    {"GoStart on a busy proc", 5, 21, GIVEN, 0, V1_GO_START, 3, {1, 3, 1}, 3, GT_GO_RUNNING},
    {"GoUnblock of one that runs",
     5,
     21,
     ANY,
     0,
     V1_GO_UNBLOCK,
     4,
     {1, 1, 9, 0},
     1,
     GT_GO_RUNNABLE},
    {"GoUnblock of one that can run",
     5,
     21,
     ANY,
     0,
     V1_GO_UNBLOCK,
     4,
     {1, 3, 9, 0},
     3,
     GT_GO_RUNNABLE},
    {"GoUnblock of none", 5, 21, GIVEN, 0, V1_GO_UNBLOCK, 4, {1, 9, 9, 0}, 9, GT_GO_RUNNABLE},
    {"GoUnblock with the wrong number",
     7,
     21,
     GIVEN,
     0,
     V1_GO_UNBLOCK,
     4,
     {1, 2, 9, 0},
     2,
     GT_GO_RUNNABLE},
    {"GoSysExit with the wrong number",
     7,
     21,
     GIVEN,
     1,
     V1_GO_SYS_EXIT,
     4,
     {1, 4, 9, 0},
     4,
     GT_GO_RUNNABLE},
    {"GoSysExit of one that runs", 5, 21, ANY, 1, V1_GO_SYS_EXIT, 4, {1, 1, 9, 0}, 0, 0},
    {"GoBlock without a goroutine", 5, 21, LEFT_OUT, 1, V1_GO_BLOCK, 2, {1, 0}, 0, 0},
    {"GoEnd without a goroutine", 5, 21, LEFT_OUT, 1, V1_GO_END, 1, {1}, 0, 0},
    {"GoSysCall without a goroutine", 5, 21, LEFT_OUT, 1, V1_GO_SYS_CALL, 2, {1, 0}, 0, 0},
    {"GoCreate of one that is there", 5, 21, ANY, 0, V1_GO_CREATE, 4, {1, 2, 0, 0}, 0, 0},
    {"ProcStart of one that runs", 5, 21, ANY, 0, V1_PROC_START, 2, {1, 6}, 0, 0},
    {"ProcStop of one that does not run", 5, 21, ANY, 1, V1_PROC_STOP, 1, {1}, 0, 0},
    {"ProcStop with a goroutine", 5, 21, ANY, 0, V1_PROC_STOP, 1, {1}, 0, 0},
    {"GCDone without a collection", 5, 21, LEFT_OUT, 0, V1_GC_DONE, 1, {1}, 0, 0},
    {"GCStart with the wrong number", 7, 21, ANY, 0, V1_GC_START, 3, {1, 7, 0}, 0, 0},
    {"STWDone of a world that runs", 5, 21, LEFT_OUT, 0, V1_STW_DONE, 1, {1}, 0, 0},
    {"SweepDone without a sweep", 5, 21, LEFT_OUT, 0, V1_SWEEP_DONE, 3, {1, 1, 1}, 0, 0},
    {"Region of mode 2", 11, 21, LEFT_OUT, 0, V1_REGION, 5, {1, 0, 2, 0, 0}, 0, 0},
    {"FutileWakeup", 11, 21, LEFT_OUT, 0, V1_FUTILE_WAKEUP, 1, {1}, 0, 0},
};

/* Writes the events with or without the damaged one; returns its offset. */
static size_t write_damage(struct wire *wire, unsigned version, const struct damage *damage,
                           bool with)
{
    size_t offset;
    v1_start_four(wire, version);
    v1_batch(wire, damage->proc, V1_TICKS + 100);
    offset = wire->size;
    if (with)
        v1_event(wire, damage->type, damage->args, damage->count);
    write_tail(wire);
    return offset;
}

/* Whether the goroutine enters a state, and the tail follows. */
static bool is_given(const struct wire *wire, const struct damage *damage)
{
    struct repairs repairs;
    gt_reader_options options = repairs_options(&repairs);
    gt_transition transition = GT_TRANSITION_INIT;
    const gt_event *event;
    gt_reader *reader;
    unsigned metrics = 0;
    int given = 0;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, &options, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        metrics += event->kind == GT_EVENT_METRIC;
        if (event->kind != GT_EVENT_STATE_TRANSITION || event->time < 99)
            continue;
        assert_status(gt_event_transition(event, &transition), GT_OK);
        given |= transition.resource.kind == GT_RESOURCE_GOROUTINE &&
                 transition.resource.id == damage->goroutine && transition.to == damage->to;
    }
    gt_reader_close(&reader);
    assert_int_equal(metrics, 5);
    return given;
}

/* The events before the damage are the same as without it, and the repair is reported. */
static int check_damage(const struct damage *damage, unsigned version)
{
    struct digest without, repaired;
    struct wire wire = {0}, damaged = {0};
    struct repairs repairs;
    size_t offset, tail = 5 + 1;
    int bad = 0;
    write_damage(&wire, version, damage, 0);
    digest_memory(&without, wire.data, wire.size, NULL);
    assert_status(without.status, GT_END);
    offset = write_damage(&damaged, version, damage, 1);
    repairs_check_sound(damaged.data, damaged.size, &repairs);
    read_lenient(&repaired, damaged.data, damaged.size, &repairs);
    bad |= repairs.count == 0 || repairs.offset[0] != offset;
    bad |= repairs.status[0] != GT_ERR_ORDER && repairs.status[0] != GT_ERR_STUCK &&
           repairs.status[0] != GT_ERR_EVENT;
    bad |= digest_common(&repaired, &without) < without.count - tail;
    if (damage->repair == LEFT_OUT)
        bad |=
            digest_common(&repaired, &without) != without.count || repaired.count != without.count;
    if (damage->repair == GIVEN)
        bad |= !is_given(&damaged, damage);
    if (bad)
        print_error("%s of version %u: %s at %lu, not %lu, %lu events in common of %lu and %lu\n",
                    damage->name, version, gt_status_text(repairs.status[0]),
                    (unsigned long) repairs.offset[0], (unsigned long) offset,
                    (unsigned long) digest_common(&repaired, &without),
                    (unsigned long) repaired.count, (unsigned long) without.count);
    digest_free(&without);
    digest_free(&repaired);
    wire_free(&wire);
    wire_free(&damaged);
    return bad;
}

static void test_each_damage_is_repaired_as_expected(void **state)
{
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
        for (size_t k = 0; k < V1_VERSIONS; k++) {
            if (v1_versions[k] >= damages[i].least && v1_versions[k] <= damages[i].most)
                bad += check_damage(&damages[i], v1_versions[k]);
        }
    }
    assert_int_equal(bad, 0);
}

/*
 * The first GOMAXPROCS, with which the existing goroutines are reported, is earlier than the next
 * event by more than nanoseconds can express.
 */
static void test_distant_first_time_is_repaired(void **state)
{
    struct repairs repairs;
    struct wire wire = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start_open(&wire, v1_versions[k]);
        V1_EVENT(&wire, V1_GO_CREATE, 1, 7, 0, 0);
        v1_batch(&wire, 0, UINT64_MAX / 2 + 5);
        V1_EVENT(&wire, V1_GOMAXPROCS, 1, 4, 0);
        assert_int_equal(repairs_check("ages", wire.data, wire.size, &repairs), 0);
        assert_true(repairs.count > 0);
    }
    wire_free(&wire);
}

/* An event that is too early is moved to 1 ns after the one that it follows. */
static void test_early_event_is_moved_after_the_one_before(void **state)
{
    struct repairs repairs;
    gt_reader_options options = repairs_options(&repairs);
    struct reading r = {0};
    size_t first, second;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 100, 1);
        v1_batch(&r.wire, 0, V1_TICKS + 50);
        first = r.wire.size;
        V1_EVENT(&r.wire, V1_GO_END, 1);
        second = r.wire.size;
        V1_EVENT(&r.wire, V1_PROC_STOP, 1);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1000, 2);
        repairs.count = 0;
        reading_open(&r, &options);
        reading_skip(&r, V1_START_EVENTS + 1);
        assert_int_equal(r.event->time, 103);
        reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_NOT_EXIST);
        assert_int_equal(r.event->time, 104);
        reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
        assert_int_equal(r.event->time, 105);
        reading_next(&r, GT_EVENT_METRIC);
        assert_int_equal(r.event->time, 1051);
        reading_end(&r);
        assert_int_equal(repairs.count, 2);
        assert_status(repairs.status[0], GT_ERR_TIME);
        assert_status(repairs.status[1], GT_ERR_TIME);
        assert_int_equal(repairs.offset[0], first);
        assert_int_equal(repairs.offset[1], second);
    }
}

/* The event of a proc that waits in vain is let happen after a sample that is later. */
static void test_forced_event_follows_a_later_sample(void **state)
{
    struct repairs repairs;
    gt_reader_options options = repairs_options(&repairs);
    struct reading r = {0};
    (void) state;
    v1_start(&r.wire, 21);
    v1_batch(&r.wire, 1, V1_TICKS + 50);
    V1_EVENT(&r.wire, V1_PROC_START, 1, 6);
    V1_EVENT(&r.wire, V1_GO_START, 1, 9, 3);
    V1_EVENT(&r.wire, V1_CPU_SAMPLE, 1, V1_TICKS + 80, 0, 1, 0);
    repairs.count = 0;
    reading_open(&r, &options);
    reading_skip(&r, V1_START_EVENTS);
    reading_proc(&r, 1, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    assert_int_equal(r.event->time, 50);
    reading_next(&r, GT_EVENT_STACK_SAMPLE);
    assert_int_equal(r.event->time, 79);
    while (gt_reader_next_event(r.reader, &r.event) == GT_OK)
        assert_true(r.event->time > 79);
    reading_close(&r);
    /* It waits for a goroutine, and its time runs backwards. */
    assert_int_equal(repairs.count, 2);
    assert_status(repairs.status[0], GT_ERR_STUCK);
    assert_status(repairs.status[1], GT_ERR_TIME);
}

/* A proc that waits, whose clock is as far as possible from those of the others. */
static void test_distant_clocks_are_repaired(void **state)
{
    struct repairs repairs;
    struct wire wire = {0};
    (void) state;
    for (size_t k = 1; k < V1_VERSIONS; k++) {
        v1_start_four(&wire, v1_versions[k]);
        v1_batch(&wire, 1, (UINT64_C(1) << 63) + 1000);
        V1_EVENT(&wire, V1_GO_START, 1, 9, 1);
        v1_batch(&wire, 0, (UINT64_C(1) << 63) - 1000);
        V1_EVENT(&wire, V1_HEAP_ALLOC, 1, 1);
        repairs_check_sound(wire.data, wire.size, &repairs);
        assert_true(repairs.count > 0);
    }
    wire_free(&wire);
}

/*
 * Without the flag nothing is repaired or reported, and without a callback the repair is made all
 * the same.
 */
static void test_repairs_need_the_flag_but_no_callback(void **state)
{
    struct repairs repairs;
    gt_reader_options options = repairs_options(&repairs);
    gt_reader_info info = GT_READER_INFO_INIT;
    struct reading r = {0};
    (void) state;
    v1_start(&r.wire, 21);
    V1_EVENT(&r.wire, V1_GC_DONE, 1);
    options.flags = 0;
    reading_open(&r, &options);
    reading_skip(&r, V1_START_EVENTS);
    assert_status(gt_reader_next_event(r.reader, &r.event), GT_ERR_ORDER);
    assert_int_equal(repairs.count, 0);
    gt_reader_close(&r.reader);
    options = repairs_options(&repairs);
    options.on_repair = NULL;
    reading_open(&r, &options);
    reading_skip(&r, V1_START_EVENTS);
    reading_sync(&r);
    assert_status(gt_reader_get_info(r.reader, &info), GT_OK);
    assert_int_equal(info.repairs, 1);
    reading_fail(&r, GT_END);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_trace_is_not_repaired),
        cmocka_unit_test(test_cut_trace_gives_everything_before_the_cut),
        cmocka_unit_test(test_missing_frequency_is_one_repair),
        cmocka_unit_test(test_cut_trace_says_how_to_read_it),
        cmocka_unit_test(test_missing_frequency_is_estimated_from_samples),
        cmocka_unit_test(test_bad_frequency_is_repaired),
        cmocka_unit_test(test_each_damage_is_repaired_as_expected),
        cmocka_unit_test(test_distant_first_time_is_repaired),
        cmocka_unit_test(test_early_event_is_moved_after_the_one_before),
        cmocka_unit_test(test_forced_event_follows_a_later_sample),
        cmocka_unit_test(test_distant_clocks_are_repaired),
        cmocka_unit_test(test_repairs_need_the_flag_but_no_callback),
    };
    return cmocka_run_group_tests_name("v1 lenient", tests, NULL, NULL);
}
