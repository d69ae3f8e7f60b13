/* SPDX-License-Identifier: BSD-3-Clause */
/* The splitter. viewer_test.py compares the parts with those of a simple splitter. */
#include <stdbool.h>
#include <string.h>

#include <gotrace/viewer_json.h>

#include "support/probe.h"
#include "support/test.h"
#include "viewer/log.h"
#include "viewer/steps.h"

struct fixture {
    gt_splitter *splitter;
    gt_consumer consumer;
    gt_emitter *emitter;
};

static void begin(struct fixture *f, uint64_t part_bytes)
{
    memset(f, 0, sizeof(*f));
    f->consumer.size = sizeof(f->consumer);
    assert_status(gt_splitter_open(&f->splitter, part_bytes, NULL, NULL), GT_OK);
    assert_status(gt_splitter_consumer(f->splitter, &f->consumer), GT_OK);
    assert_status(gt_emitter_open(&f->emitter, &f->consumer, NULL, NULL), GT_OK);
    /* Names of rows are a good part of each part. */
    assert_status(gt_emitter_follow_go(f->emitter), GT_OK);
}

static void end(struct fixture *f)
{
    gt_emitter_close(&f->emitter);
    gt_splitter_close(&f->splitter);
    assert_null(f->splitter);
}

/* All events have the same size in JSON, as long as `i` has two digits. */
static void add_event(struct fixture *f, int64_t i, bool required)
{
    gt_viewer_event event = {0};
    event.size = sizeof(event);
    event.phase = 'X';
    event.time = 1000 * i;
    event.name = event.category = event.scope = event.color = text_of("");
    assert_status(gt_emitter_event(f->emitter, &event, required), GT_OK);
}

static void add_events(struct fixture *f, int64_t first, int64_t last)
{
    for (; first <= last; first++)
        add_event(f, first, 0);
}

static const gt_part *parts_of(struct fixture *f, size_t expected)
{
    size_t count = 99;
    const gt_part *parts;
    assert_null(gt_splitter_parts(f->splitter, &count));
    assert_int_equal(count, 0);
    assert_status(gt_emitter_flush(f->emitter), GT_OK);
    assert_status(gt_splitter_status(f->splitter), GT_OK);
    parts = gt_splitter_parts(f->splitter, &count);
    assert_int_equal(count, expected);
    return parts;
}

/* Checks a part's events, of which number 0 is at time 10. */
static void check_part(const gt_part *part, uint64_t first, uint64_t last)
{
    assert_int_equal(part->first, first);
    assert_int_equal(part->last, last);
    assert_int_equal(part->start_time, 1000 * (10 + first));
    assert_int_equal(part->end_time, 1000 * (10 + last));
}

/* Returns the largest size of parts that end with event number `events`, from 1. */
static uint64_t bytes_for(uint64_t events)
{
    for (uint64_t bytes = 1;; bytes++) {
        struct fixture f;
        const gt_part *parts;
        size_t count;
        uint64_t last;
        begin(&f, bytes);
        add_events(&f, 10, 30);
        assert_status(gt_emitter_flush(f.emitter), GT_OK);
        parts = gt_splitter_parts(f.splitter, &count);
        assert_true(count > 1);
        last = parts[0].last;
        end(&f);
        if (last == events)
            return bytes - 1;
    }
}

/* Every event exceeds the size, and so has a part of its own. */
static void test_event_that_exceeds_the_size_is_a_part(void **state)
{
    struct fixture f;
    const gt_part *parts;
    (void) state;
    begin(&f, 1);
    add_events(&f, 10, 14);
    parts = parts_of(&f, 5);
    for (uint64_t i = 0; i < 5; i++)
        check_part(&parts[i], i, i);
    end(&f);
}

/* Each part counts what is common to all parts once, and its own events. */
static void test_each_event_counts_its_own_bytes(void **state)
{
    uint64_t one = bytes_for(1), two = bytes_for(2), three = bytes_for(3);
    const char event[] = "{\"ph\":\"X\",\"ts\":10,\"pid\":0,\"tid\":0}\n,";
    (void) state;
    assert_int_equal(two - one, sizeof(event) - 1);
    assert_int_equal(three - two, sizeof(event) - 1);
    assert_in_range(one, 1000, 1400);
}

static void test_rest_is_a_part_unless_it_is_one_event(void **state)
{
    struct fixture f;
    const gt_part *parts;
    (void) state;
    begin(&f, bytes_for(3));
    add_events(&f, 10, 17);
    parts = parts_of(&f, 3);
    check_part(&parts[0], 0, 2);
    check_part(&parts[1], 3, 5);
    check_part(&parts[2], 6, 7);
    end(&f);
    /* A single event does not make a part. */
    begin(&f, bytes_for(3));
    add_events(&f, 10, 16);
    parts = parts_of(&f, 2);
    check_part(&parts[0], 0, 2);
    check_part(&parts[1], 3, 6);
    end(&f);
    begin(&f, bytes_for(3));
    add_events(&f, 10, 15);
    parts = parts_of(&f, 2);
    check_part(&parts[1], 3, 5);
    end(&f);
    /* One full part and a rest are not split. */
    begin(&f, bytes_for(3));
    add_events(&f, 10, 14);
    assert_null(parts_of(&f, 0));
    end(&f);
    begin(&f, 1);
    assert_null(parts_of(&f, 0));
    end(&f);
}

/* A required event has an ordinal, but belongs to no part. */
static void test_required_events_belong_to_no_part(void **state)
{
    struct fixture f;
    const gt_part *parts;
    (void) state;
    begin(&f, 1);
    add_event(&f, 10, 1);
    add_events(&f, 11, 12);
    add_event(&f, 13, 1);
    add_events(&f, 14, 14);
    parts = parts_of(&f, 3);
    check_part(&parts[0], 1, 1);
    check_part(&parts[1], 2, 2);
    check_part(&parts[2], 4, 4);
    end(&f);
}

/* 0 means 100 MiB, which these events do not fill. */
static void test_default_size_is_large(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, 0);
    add_events(&f, 10, 99);
    assert_null(parts_of(&f, 0));
    end(&f);
}

static gt_status split_steps(const gt_allocator *allocator)
{
    struct fixture f;
    gt_status status;
    memset(&f, 0, sizeof(f));
    f.consumer.size = sizeof(f.consumer);
    status = gt_splitter_open(&f.splitter, 1, allocator, NULL);
    if (status != GT_OK) {
        assert_null(f.splitter);
        return status;
    }
    assert_status(gt_splitter_consumer(f.splitter, &f.consumer), GT_OK);
    assert_status(gt_emitter_open(&f.emitter, &f.consumer, NULL, NULL), GT_OK);
    for (size_t i = 0; i < step_count && status == GT_OK; i++) {
        status = steps[i].call(f.emitter);
        if (status != GT_OK) {
            size_t count = 99;
            assert_status(status, GT_ERR_CALLBACK);
            status = gt_splitter_status(f.splitter);
            assert_int_not_equal(status, GT_OK);
            assert_null(gt_splitter_parts(f.splitter, &count));
            assert_int_equal(count, 0);
        }
    }
    end(&f);
    return status;
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    struct probe probe;
    gt_status status = GT_ERR_NO_MEMORY;
    uint64_t n;
    (void) state;
    for (n = 1; status != GT_OK; n++) {
        probe_init(&probe);
        probe.fail_at = n;
        status = split_steps(&probe.allocator);
        assert_status(status, probe.failed ? GT_ERR_NO_MEMORY : GT_OK);
        probe_check(&probe);
    }
    /* The splitter, frames, events and parts, of which the last two grow. */
    assert_in_range(n, 8, 20);
}

/* An event takes some tens of bytes. */
static void test_event_takes_little_memory(void **state)
{
    enum {
        EVENTS = 100000
    };
    struct probe probe;
    struct fixture f;
    (void) state;
    probe_init(&probe);
    memset(&f, 0, sizeof(f));
    f.consumer.size = sizeof(f.consumer);
    assert_status(gt_splitter_open(&f.splitter, 0, &probe.allocator, NULL), GT_OK);
    assert_status(gt_splitter_consumer(f.splitter, &f.consumer), GT_OK);
    assert_status(gt_emitter_open(&f.emitter, &f.consumer, NULL, NULL), GT_OK);
    add_events(&f, 0, EVENTS - 1);
    assert_in_range(probe.live_bytes, EVENTS, 40 * EVENTS);
    end(&f);
    probe_check(&probe);
}

/* Makes calls that no emitter makes. */
static void test_calls_in_a_wrong_order_are_refused(void **state)
{
    const gt_viewer_frame frame = {sizeof(frame), 2, 0, 0, {"", 0}, 0, {"", 0}};
    struct fixture f;
    gt_emitter *second;
    (void) state;
    begin(&f, 1);
    assert_int_not_equal(f.consumer.frame(f.consumer.user_data, &frame), 0);
    assert_status(gt_splitter_status(f.splitter), GT_ERR_INVALID_ARGUMENT);
    end(&f);
    begin(&f, 1);
    assert_int_not_equal(f.consumer.event(f.consumer.user_data, NULL, 0), 0);
    assert_status(gt_splitter_status(f.splitter), GT_ERR_INVALID_ARGUMENT);
    end(&f);
    begin(&f, 1);
    assert_status(gt_emitter_open(&second, &f.consumer, NULL, NULL), GT_ERR_CALLBACK);
    assert_status(gt_splitter_status(f.splitter), GT_ERR_INVALID_ARGUMENT);
    end(&f);
    begin(&f, 1);
    assert_status(gt_emitter_flush(f.emitter), GT_OK);
    assert_int_not_equal(f.consumer.flush(f.consumer.user_data), 0);
    assert_status(gt_splitter_status(f.splitter), GT_ERR_INVALID_ARGUMENT);
    end(&f);
}

/* Opens a splitter without an emitter, for calls that no emitter makes. */
static gt_splitter *open_bare(gt_consumer *consumer)
{
    gt_splitter *splitter;
    *consumer = (gt_consumer) GT_CONSUMER_INIT;
    assert_status(gt_splitter_open(&splitter, 1, NULL, NULL), GT_OK);
    assert_status(gt_splitter_consumer(splitter, consumer), GT_OK);
    return splitter;
}

/* After a failure every call is refused, and the first failure stays. */
static void expect_failed(gt_splitter **splitter, const gt_consumer *consumer)
{
    const gt_viewer_frame frame = {sizeof(frame), 1, 0, 0, {"", 0}, 0, {"", 0}};
    gt_viewer_event event = {0};
    size_t count = 99;
    event.size = sizeof(event);
    assert_int_not_equal(consumer->time_unit(consumer->user_data, "ns"), 0);
    assert_int_not_equal(consumer->event(consumer->user_data, &event, 0), 0);
    assert_int_not_equal(consumer->frame(consumer->user_data, &frame), 0);
    assert_int_not_equal(consumer->flush(consumer->user_data), 0);
    assert_status(gt_splitter_status(*splitter), GT_ERR_INVALID_ARGUMENT);
    assert_null(gt_splitter_parts(*splitter, &count));
    assert_int_equal(count, 0);
    gt_splitter_close(splitter);
}

static void test_bad_time_unit_is_refused(void **state)
{
    gt_viewer_event event = {0};
    gt_consumer consumer;
    gt_splitter *splitter;
    (void) state;
    splitter = open_bare(&consumer);
    assert_int_not_equal(consumer.time_unit(consumer.user_data, NULL), 0);
    expect_failed(&splitter, &consumer);
    splitter = open_bare(&consumer);
    assert_int_equal(consumer.time_unit(consumer.user_data, "ns"), 0);
    assert_int_not_equal(consumer.time_unit(consumer.user_data, "ns"), 0);
    expect_failed(&splitter, &consumer);
    splitter = open_bare(&consumer);
    event.size = sizeof(event);
    event.phase = 'I';
    event.name = event.category = event.scope = event.color = text_of("");
    assert_int_equal(consumer.event(consumer.user_data, &event, 0), 0);
    assert_int_not_equal(consumer.time_unit(consumer.user_data, "ns"), 0);
    expect_failed(&splitter, &consumer);
    splitter = open_bare(&consumer);
    assert_int_equal(consumer.flush(consumer.user_data), 0);
    assert_int_not_equal(consumer.time_unit(consumer.user_data, "ns"), 0);
    expect_failed(&splitter, &consumer);
}

/* Frames must come in the order of their ids, and callers before the frames that they call. */
static void test_bad_frame_is_refused(void **state)
{
    static const struct {
        uint32_t id;
        uint32_t parent;
    } wrong[] = {{0, 0}, {3, 0}, {2, 2}, {2, 3}};

    gt_viewer_frame frame = {sizeof(frame), 1, 0, 0, {"f", 1}, 0, {"", 0}};
    gt_consumer consumer;
    gt_splitter *splitter;
    (void) state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        splitter = open_bare(&consumer);
        frame.id = 1;
        frame.parent = 0;
        assert_int_equal(consumer.frame(consumer.user_data, &frame), 0);
        frame.id = wrong[i].id;
        frame.parent = wrong[i].parent;
        assert_int_not_equal(consumer.frame(consumer.user_data, &frame), 0);
        expect_failed(&splitter, &consumer);
    }
    splitter = open_bare(&consumer);
    frame.size = 1;
    assert_int_not_equal(consumer.frame(consumer.user_data, &frame), 0);
    expect_failed(&splitter, &consumer);
    frame.size = sizeof(frame);
    frame.id = 1;
    frame.parent = 0;
    splitter = open_bare(&consumer);
    assert_int_equal(consumer.flush(consumer.user_data), 0);
    assert_int_not_equal(consumer.frame(consumer.user_data, &frame), 0);
    expect_failed(&splitter, &consumer);
}

/* An event after the flush is refused. A stack that is not known counts no bytes. */
static void test_event_after_the_flush_is_refused(void **state)
{
    gt_viewer_event event = {0};
    gt_consumer consumer;
    gt_splitter *splitter;
    size_t count;
    (void) state;
    splitter = open_bare(&consumer);
    event.size = sizeof(event);
    event.phase = 'I';
    event.stack = 7;
    event.name = event.category = event.scope = event.color = text_of("");
    assert_int_equal(consumer.event(consumer.user_data, &event, 0), 0);
    assert_int_equal(consumer.event(consumer.user_data, &event, 0), 0);
    assert_int_equal(consumer.flush(consumer.user_data), 0);
    assert_non_null(gt_splitter_parts(splitter, &count));
    assert_int_equal(count, 2);
    assert_int_not_equal(consumer.event(consumer.user_data, &event, 0), 0);
    expect_failed(&splitter, &consumer);
}

static void test_bad_arguments_are_refused(void **state)
{
    gt_splitter *splitter;
    gt_consumer consumer = GT_CONSUMER_INIT;
    size_t count = 99;
    (void) state;
    assert_status(gt_splitter_open(NULL, 1, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_splitter_consumer(NULL, &consumer), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_splitter_open(&splitter, 1, NULL, NULL), GT_OK);
    assert_status(gt_splitter_consumer(splitter, NULL), GT_ERR_INVALID_ARGUMENT);
    consumer.size = 8;
    assert_status(gt_splitter_consumer(splitter, &consumer), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_splitter_status(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(gt_splitter_parts(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(gt_splitter_parts(splitter, NULL));
    gt_splitter_close(&splitter);
    gt_splitter_close(&splitter);
    gt_splitter_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_that_exceeds_the_size_is_a_part),
        cmocka_unit_test(test_each_event_counts_its_own_bytes),
        cmocka_unit_test(test_rest_is_a_part_unless_it_is_one_event),
        cmocka_unit_test(test_required_events_belong_to_no_part),
        cmocka_unit_test(test_default_size_is_large),
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_event_takes_little_memory),
        cmocka_unit_test(test_calls_in_a_wrong_order_are_refused),
        cmocka_unit_test(test_bad_time_unit_is_refused),
        cmocka_unit_test(test_bad_frame_is_refused),
        cmocka_unit_test(test_event_after_the_flush_is_refused),
        cmocka_unit_test(test_bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
