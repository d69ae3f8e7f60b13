/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What gt_event_wire says of the events of recorded traces: the types and statuses of the records,
 * which a raw reader counts.
 */

#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/gen_events.h"
#include "support/suite.h"
#include "support/test.h"

#define TYPES    256
#define STATUSES 5

/* How many records of a trace have a type, and of these, a status. */
struct census {
    uint64_t types[TYPES];
    uint64_t statuses[TYPES][STATUSES];
};

static void census_count(struct census *census, uint32_t type, uint64_t status)
{
    assert_true(type < TYPES);
    census->types[type]++;
    if (type == GT_WIRE_PROC_STATUS || type == GT_WIRE_GO_STATUS ||
        type == GT_WIRE_GO_STATUS_STACK) {
        assert_true(status < STATUSES);
        census->statuses[type][status]++;
    } else {
        assert_int_equal(status, 0);
    }
}

static gt_status census_of_events(struct census *census, gt_reader *reader)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        assert_status(gt_event_wire(event, &wire), GT_OK);
        assert_int_equal(wire.type == 0, event->kind == GT_EVENT_SYNC);
        if (wire.type != 0)
            census_count(census, wire.type, wire.status);
    }
    return status;
}

/* Whether a record becomes an event. */
static bool record_is_event(uint32_t type)
{
    return type == GT_WIRE_CPU_SAMPLE ||
           (wire_event_counts[type] != 0 && type != GT_WIRE_CLOCK_SNAPSHOT);
}

static uint64_t record_status(const gt_raw_event *record)
{
    switch (record->type) {
    case GT_WIRE_PROC_STATUS:
        return record->arguments[2];
    case GT_WIRE_GO_STATUS:
    case GT_WIRE_GO_STATUS_STACK:
        return record->arguments[3];
    default:
        return 0;
    }
}

/* Counts what the reader makes of the records: three events of a switch. */
static void census_of_records(struct census *census, gt_raw_reader *reader)
{
    const gt_raw_event *record;
    gt_status status;
    while ((status = gt_raw_reader_next_event(reader, &record)) == GT_OK) {
        if (!record_is_event(record->type))
            continue;
        census_count(census, record->type, record_status(record));
        if (record->type != GT_WIRE_GO_SWITCH && record->type != GT_WIRE_GO_SWITCH_DESTROY)
            continue;
        census->types[GT_WIRE_GO_START]++;
        census->types[record->type == GT_WIRE_GO_SWITCH ? GT_WIRE_GO_BLOCK : GT_WIRE_GO_DESTROY]++;
    }
    assert_status(status, GT_END);
}

static void test_types_and_statuses_are_those_of_the_records(void **state)
{
    const char *path = *state;
    struct census events = {0}, records = {0};
    gt_raw_reader *raw;
    gt_reader *reader;
    assert_status(gt_reader_open_file(&reader, path, NULL, NULL), GT_OK);
    gt_status status = census_of_events(&events, reader);
    gt_reader_close(&reader);
    if (status != GT_END) /* a trace that is cut */
        skip();
    assert_status(gt_raw_reader_open_file(&raw, path, NULL, NULL), GT_OK);
    census_of_records(&records, raw);
    gt_raw_reader_close(&raw);
    /* A GoDestroySyscall has a ProcSteal of its own where its thread has a proc. */
    assert_in_range(events.types[GT_WIRE_PROC_STEAL], records.types[GT_WIRE_PROC_STEAL],
                    records.types[GT_WIRE_PROC_STEAL] + records.types[GT_WIRE_GO_DESTROY_SYSCALL]);
    events.types[GT_WIRE_PROC_STEAL] = records.types[GT_WIRE_PROC_STEAL];
    for (unsigned type = 0; type < TYPES; type++) {
        assert_int_equal(events.types[type], records.types[type]);
        assert_memory_equal(events.statuses[type], records.statuses[type],
                            sizeof(records.statuses[type]));
    }
}

/* The events of old traces have the types of later ones, and each status is a known one. */
static void test_old_traces_have_types_and_statuses_of_later_ones(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct census census = {0};
    gt_reader *reader;
    options.flags = GT_READER_AS_RECORDED;
    assert_status(gt_reader_open_file(&reader, *state, &options, NULL), GT_OK);
    census_of_events(&census, reader);
    gt_reader_close(&reader);
    for (unsigned type = 0; type < TYPES; type++)
        assert_true(census.types[type] == 0 || record_is_event(type));
    assert_int_equal(census.statuses[GT_WIRE_GO_STATUS][GO_BAD], 0);
    assert_int_equal(census.statuses[GT_WIRE_PROC_STATUS][PROC_BAD], 0);
}

static gt_wire_event wire_of(const gt_event *event)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    assert_status(gt_event_wire(event, &wire), GT_OK);
    return wire;
}

/* A transition does not tell the statuses of a proc in a system call from those of one that runs.
 */
static void test_status_of_a_proc_tells_a_system_call(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 1, 5, GO_SYSCALL);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_SYSCALL);
    reading_open(&r, NULL);
    reading_sync(&r);
    reading_goroutine(&r, 1, GT_GO_UNDETERMINED, GT_GO_SYSCALL);
    assert_int_equal(wire_of(r.event).status, GO_SYSCALL);
    reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    assert_int_equal(wire_of(r.event).status, PROC_SYSCALL);
    assert_int_equal(wire_of(r.event).type, EV_PROC_STATUS);
    reading_close(&r);
}

static void test_copy_has_the_type_of_its_event(void **state)
{
    struct reading r = {0};
    gt_event *copy;
    (void) state;
    reading_begin_running(&r);
    reading_open(&r, NULL);
    reading_skip(&r, 1);
    reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    assert_status(gt_event_copy(r.reader, r.event, NULL, &copy), GT_OK);
    reading_close(&r);
    assert_int_equal(wire_of(copy).type, EV_PROC_STATUS);
    assert_int_equal(wire_of(copy).status, PROC_RUNNING);
    gt_event_free(&copy);
}

/* What gt_event_make makes of a metric is a record; a transition with any states is none. */
static void test_made_transition_is_no_record(void **state)
{
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_transition transition = GT_TRANSITION_INIT;
    gt_wire_event wire = {sizeof(wire), 7, 8};
    gt_event *event;
    (void) state;
    assert_status(gt_goroutine_transition_make(7, GT_GO_RUNNING, GT_GO_WAITING, &transition),
                  GT_OK);
    options.kind = GT_EVENT_STATE_TRANSITION;
    options.goroutine = 7;
    options.transition = &transition;
    assert_status(gt_event_make(&event, &options, NULL), GT_OK);
    assert_status(gt_event_wire(event, &wire), GT_ERR_NOT_AVAILABLE);
    assert_int_equal(wire.type, 7);
    assert_int_equal(wire.status, 8);
    wire.size = 1;
    assert_status(gt_event_wire(event, &wire), GT_ERR_INVALID_ARGUMENT);
    gt_event_free(&event);
}

static void recorded_add(struct suite *suite, const char *name, CMUnitTestFunction function)
{
    char *directory = files_join(files_testdata(), name);
    struct file_list list = {NULL, 0};
    files_list(&list, directory, "", ".trace");
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(directory, list.names[i]);
        assert_non_null(path);
        suite_add(suite, path, function, path);
    }
    files_list_free(&list);
    free(directory);
}

#define ADD(suite, test) suite_add((suite), #test, (test), NULL)

int main(void)
{
    struct suite suite = {NULL, 0};
    ADD(&suite, test_status_of_a_proc_tells_a_system_call);
    ADD(&suite, test_copy_has_the_type_of_its_event);
    ADD(&suite, test_made_transition_is_no_record);
    recorded_add(&suite, "v2", test_types_and_statuses_are_those_of_the_records);
    recorded_add(&suite, "v1", test_old_traces_have_types_and_statuses_of_later_ones);
    int failures = suite_run(&suite, "recorded");
    suite_free(&suite, free);
    return failures;
}
