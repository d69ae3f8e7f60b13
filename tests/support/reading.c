/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/reading.h"

#include "support/test.h"

void reading_begin(struct reading *reading)
{
    wire_begin(&reading->wire, 23);
    wire_sync(&reading->wire, 1, 1, WIRE_NANOSECONDS);
    wire_batch(&reading->wire, 1, 5, 10);
}

void reading_begin_running(struct reading *reading)
{
    reading_begin(reading);
    wire_running(&reading->wire, 5, 0, 1);
}

void reading_open(struct reading *reading, const gt_reader_options *options)
{
    gt_error error = GT_ERROR_INIT;

    wire_batch_end(&reading->wire);
    assert_status(gt_reader_open_memory(&reading->reader, reading->wire.data, reading->wire.size,
                                        options, &error),
                  GT_OK);
}

const gt_event *reading_next(struct reading *reading, uint32_t kind)
{
    gt_error error = GT_ERROR_INIT;
    gt_status status = gt_reader_next_event(reading->reader, &reading->event);

    if (status != GT_OK) {
        gt_reader_error(reading->reader, &error);
        print_error("%s\n", error.message);
    }
    assert_status(status, GT_OK);
    assert_string_equal(gt_event_kind_name(reading->event->kind), gt_event_kind_name(kind));
    return reading->event;
}

void reading_skip(struct reading *reading, unsigned count)
{
    while (count-- > 0)
        assert_status(gt_reader_next_event(reading->reader, &reading->event), GT_OK);
}

void reading_context(const struct reading *reading, int64_t thread, int64_t proc, int64_t goroutine)
{
    assert_int_equal(reading->event->thread, thread);
    assert_int_equal(reading->event->proc, proc);
    assert_int_equal(reading->event->goroutine, goroutine);
}

void reading_time(const struct reading *reading, int64_t time)
{
    assert_int_equal(reading->event->time, time);
}

void reading_metric(struct reading *reading, uint64_t value)
{
    gt_metric metric = GT_METRIC_INIT;

    assert_status(gt_event_metric(reading_next(reading, GT_EVENT_METRIC), &metric), GT_OK);
    assert_int_equal(metric.value.kind, GT_VALUE_UINT64);
    assert_int_equal(metric.value.number, value);
}

gt_transition reading_transition(const struct reading *reading)
{
    gt_transition transition = GT_TRANSITION_INIT;

    assert_status(gt_event_transition(reading->event, &transition), GT_OK);
    return transition;
}

void reading_goroutine(struct reading *reading, int64_t id, uint32_t from, uint32_t to)
{
    gt_transition transition;

    reading_next(reading, GT_EVENT_STATE_TRANSITION);
    transition = reading_transition(reading);
    assert_int_equal(transition.resource.kind, GT_RESOURCE_GOROUTINE);
    assert_int_equal(transition.resource.id, id);
    assert_string_equal(gt_go_state_name(transition.from), gt_go_state_name(from));
    assert_string_equal(gt_go_state_name(transition.to), gt_go_state_name(to));
}

void reading_proc(struct reading *reading, int64_t id, uint32_t from, uint32_t to)
{
    gt_transition transition;

    reading_next(reading, GT_EVENT_STATE_TRANSITION);
    transition = reading_transition(reading);
    assert_int_equal(transition.resource.kind, GT_RESOURCE_PROC);
    assert_int_equal(transition.resource.id, id);
    assert_string_equal(gt_proc_state_name(transition.from), gt_proc_state_name(from));
    assert_string_equal(gt_proc_state_name(transition.to), gt_proc_state_name(to));
    assert_true(transition.stack == GT_STACK_NONE);
    assert_text(transition.reason, "");
}

gt_sync reading_sync(struct reading *reading)
{
    gt_sync sync = GT_SYNC_INIT;

    reading_next(reading, GT_EVENT_SYNC);
    assert_status(gt_event_sync(reading->event, &sync), GT_OK);
    return sync;
}

void reading_close(struct reading *reading)
{
    gt_reader_close(&reading->reader);
    wire_free(&reading->wire);
}

void reading_end(struct reading *reading)
{
    assert_int_equal(reading_sync(reading).generation, 0);
    reading_fail(reading, GT_END);
}

void reading_fail(struct reading *reading, gt_status status)
{
    assert_status(gt_reader_next_event(reading->reader, &reading->event), status);
    assert_null(reading->event);
    reading_close(reading);
}
