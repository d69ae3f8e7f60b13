/* SPDX-License-Identifier: BSD-3-Clause */

/* A writer on traces that are made for it: where the output begins and ends, and what it refuses.
 */

#include <string.h>

#include "rewrite/copy.h"
#include "support/gen_events.h"
#include "support/test.h"

/* Writes the events from number `first` to `last` of a description, which is then freed. */
static void cut(struct gen *gen, struct copy *copy, uint64_t first, uint64_t last)
{
    gen_end(gen);
    copy_init(copy);
    copy->first = first;
    copy->last = last;
    copy_make(copy, gen->wire.data, gen->wire.size);
    gen_free(gen);
    assert_status(copy->wrote, GT_OK);
    struct findings found = copy_validate(copy->out.data, copy->out.size);
    assert_int_equal(found.findings, 0);
    assert_status(found.read, GT_END);
}

/* Reads the copy up to the first event that is not made up. */
static void open_copy(struct reading *reading, const struct copy *copy)
{
    reading->reader = copy_open(copy);
    reading_sync(reading);
    reading_skip(reading, (unsigned) copy->info.made_up);
}

/* Asserts that the last label of a copy refers to its text by a number of one byte. */
static void expect_short_label(const struct copy *copy)
{
    const gt_raw_event *record;
    gt_raw_reader *reader;
    uint64_t text = 0;
    assert_status(gt_raw_reader_open_memory(&reader, copy->out.data, copy->out.size, NULL, NULL),
                  GT_OK);
    while (gt_raw_reader_next_event(reader, &record) == GT_OK)
        if (record->type == GT_WIRE_GO_LABEL)
            text = record->arguments[1];
    assert_in_range(text, 1, 127);
    gt_raw_reader_close(&reader);
}

/* The types of the records of a copy, in their order. */
static void expect_types(const struct copy *copy, const uint32_t *types, size_t count)
{
    const gt_raw_event *record;
    gt_raw_reader *reader;
    size_t found = 0;
    assert_status(gt_raw_reader_open_memory(&reader, copy->out.data, copy->out.size, NULL, NULL),
                  GT_OK);
    while (gt_raw_reader_next_event(reader, &record) == GT_OK)
        found += found < count && record->type == types[found];
    assert_int_equal(found, count);
    gt_raw_reader_close(&reader);
}

#define EXPECT_TYPES(copy, ...)                                                                    \
    expect_types((copy), (const uint32_t[]){__VA_ARGS__},                                          \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Begins a trace with a clock that can be, and its first generation. */
static void begin(struct gen *g)
{
    gen_begin(g, 26);
    g->clock.monotonic = g->clock.seconds = 1000;
    gen_generation(g, 1);
}

/*
 * Goroutine 1 switches to the waiting goroutine 2: events 5 to 7 of the trace, after a Sync and the
 * statuses.
 */
static void describe_switch(struct gen *g)
{
    begin(g);
    gen_running(g, 5, 0, 1);
    gen_go_create_blocked(g, 2, 0, 0);
    gen_go_switch(g, 2);
    gen_label(g, "after");
}

static void test_switch_is_one_record(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe_switch(&g);
    cut(&g, &copy, 0, 0);
    EXPECT_TYPES(&copy, EV_GO_SWITCH, EV_GO_LABEL);
    assert_int_equal(copy.info.events, 7);
    copy_free(&copy);
}

static void test_switch_may_be_cut_after_each_of_its_events(void **state)
{
    (void) state;
    for (uint64_t last = 5; last <= 6; last++) {
        struct reading r = {0};
        struct gen g = {0};
        struct copy copy;
        describe_switch(&g);
        cut(&g, &copy, 0, last);
        open_copy(&r, &copy);
        reading_skip(&r, 3);
        reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
        if (last == 6)
            reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_WAITING);
        reading_end(&r);
        copy_free(&copy);
    }
}

static void test_output_may_begin_within_a_switch(void **state)
{
    (void) state;
    for (uint64_t first = 6; first <= 7; first++) {
        struct reading r = {0};
        struct gen g = {0};
        struct copy copy;
        describe_switch(&g);
        cut(&g, &copy, first, 0);
        open_copy(&r, &copy);
        if (first == 6)
            reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_WAITING);
        reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reading_next(&r, GT_EVENT_LABEL);
        reading_end(&r);
        copy_free(&copy);
    }
}

/* C code calls into Go on thread 6 and returns, which takes the proc from the thread. */
static void describe_callback(struct gen *g)
{
    begin(g);
    gen_on(g, 6);
    gen_go_create_syscall(g, 7);
    gen_proc_status(g, 3, PROC_SYSCALL);
    gen_go_destroy_syscall(g);
    gen_on(g, 5);
    gen_proc_steal(g, 3, WIRE_NONE);
    gen_proc_start(g, 3);
}

static void test_end_of_a_callback_is_one_record(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe_callback(&g);
    cut(&g, &copy, 0, 0);
    EXPECT_TYPES(&copy, EV_GO_CREATE_SYSCALL, EV_PROC_STATUS, EV_GO_DESTROY_SYSCALL);
    assert_int_equal(copy.info.events, 6);
    copy_free(&copy);
}

/* The proc can still be stolen afterwards, although the record that abandons it is not there. */
static void test_output_may_begin_within_the_end_of_a_callback(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe_callback(&g);
    cut(&g, &copy, 5, 0);
    open_copy(&r, &copy);
    reading_goroutine(&r, 7, GT_GO_SYSCALL, GT_GO_NOT_EXIST);
    reading_proc(&r, 3, GT_PROC_IDLE, GT_PROC_IDLE);
    reading_proc(&r, 3, GT_PROC_IDLE, GT_PROC_RUNNING);
    reading_end(&r);
    copy_free(&copy);
}

static void test_output_may_end_within_the_end_of_a_callback(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe_callback(&g);
    cut(&g, &copy, 0, 4);
    open_copy(&r, &copy);
    reading_skip(&r, 2);
    reading_proc(&r, 3, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_end(&r);
    copy_free(&copy);
}

/* A thread steals its own proc, which another record than the end of its goroutine says. */
static void describe_self_steal(struct gen *g)
{
    begin(g);
    gen_running(g, 5, 0, 1);
    gen_syscall_begin(g, 0);
    gen_proc_steal(g, 0, 5);
    gen_go_destroy_syscall(g);
    gen_proc_start(g, 0);
}

static void test_self_steal_before_the_end_of_a_callback_is_kept(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe_self_steal(&g);
    cut(&g, &copy, 0, 0);
    EXPECT_TYPES(&copy, EV_PROC_STEAL, EV_GO_DESTROY_SYSCALL, EV_PROC_START);
    output_expect_peer_reads(copy.out.data, copy.out.size);
    open_copy(&r, &copy);
    reading_skip(&r, 3);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_NOT_EXIST);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_RUNNING);
    reading_end(&r);
    copy_free(&copy);
}

static void test_output_may_begin_after_a_self_steal(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe_self_steal(&g);
    cut(&g, &copy, 6, 0);
    open_copy(&r, &copy);
    reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_NOT_EXIST);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_RUNNING);
    reading_end(&r);
    copy_free(&copy);
}

/* A stop of the world is open where the output begins, on a goroutine that runs there or not. */
static void describe_stop(struct gen *g, bool runs)
{
    begin(g);
    gen_running(g, 5, 0, 1);
    gen_stw_begin(g, "read mem stats", 0);
    if (!runs)
        gen_go_stop(g, "", 0);
    gen_on(g, 6);
    gen_proc_status(g, 1, PROC_IDLE);
    gen_on(g, 5);
    if (!runs)
        gen_go_start(g, 1);
    gen_bare(g, EV_STW_END);
}

static void test_stop_of_the_world_begins_anew(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    gt_range range = GT_RANGE_INIT;
    (void) state;
    describe_stop(&g, true);
    cut(&g, &copy, 5, 0);
    open_copy(&r, &copy);
    reading_proc(&r, 1, GT_PROC_UNDETERMINED, GT_PROC_IDLE);
    assert_status(gt_event_range(reading_next(&r, GT_EVENT_RANGE_END), &range), GT_OK);
    assert_text(range.cause, "read mem stats");
    assert_int_equal(copy.info.left_out, 0);
    reading_end(&r);
    copy_free(&copy);
}

static void test_end_of_a_stop_without_begin_is_left_out(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe_stop(&g, false);
    cut(&g, &copy, 6, 0);
    open_copy(&r, &copy);
    reading_proc(&r, 1, GT_PROC_UNDETERMINED, GT_PROC_IDLE);
    reading_goroutine(&r, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    assert_int_equal(copy.info.left_out, 1);
    reading_end(&r);
    copy_free(&copy);
}

/* Ranges are named where the output begins; the input's own RangeActive would be a second one. */
static void test_active_ranges_are_named_once(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    begin(&g);
    gen_running(&g, 5, 0, 1);
    gen_gc_begin(&g, 0);
    GEN_EVENT(&g, EV_GC_SWEEP_BEGIN, 0);
    GEN_EVENT(&g, EV_GC_MARK_ASSIST_BEGIN, 0);
    gen_generation(&g, 2);
    gen_running(&g, 5, 0, 1);
    gen_label(&g, "first");
    gen_gc_active(&g);
    GEN_EVENT(&g, EV_GC_SWEEP_ACTIVE, 0);
    GEN_EVENT(&g, EV_GC_MARK_ASSIST_ACTIVE, 1);
    GEN_EVENT(&g, EV_GC_SWEEP_END, 1, 2);
    gen_bare(&g, EV_GC_MARK_ASSIST_END);
    gen_gc_end(&g);
    cut(&g, &copy, 10, 0);
    EXPECT_TYPES(&copy, EV_GO_LABEL, EV_GC_SWEEP_END, EV_GC_MARK_ASSIST_END, EV_GC_END,
                 EV_GC_SWEEP_ACTIVE, EV_GC_MARK_ASSIST_ACTIVE, EV_GC_ACTIVE);
    assert_int_equal(copy.info.events, 7);
    assert_int_equal(copy.info.made_up, 5);
    copy_free(&copy);
}

/* There is no room for the statuses before the first event. */
static void test_events_are_delayed_where_time_begins(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    begin(&g);
    gen_running(&g, 5, 0, 1);
    gen_label(&g, "first");
    gen_label(&g, "second");
    cut(&g, &copy, 4, 0);
    assert_int_equal(copy.info.made_up, 2);
    open_copy(&r, &copy);
    reading_next(&r, GT_EVENT_LABEL);
    reading_time(&r, 4);
    reading_next(&r, GT_EVENT_LABEL);
    reading_end(&r);
    copy_free(&copy);
}

static void test_offset_moves_all_times(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe_switch(&g);
    gen_end(&g);
    copy_init(&copy);
    copy.options.offset = INT64_C(1) << 55;
    copy_make(&copy, g.wire.data, g.wire.size);
    copy_expect_good(&copy);
    r.reader = copy_open(&copy);
    gt_sync sync = reading_sync(&r);
    assert_true(sync.clock_trace >= INT64_C(1) << 55);
    int64_t first = reading_next(&r, GT_EVENT_STATE_TRANSITION)->time;
    assert_true(first > INT64_C(1) << 55);
    reading_close(&r);
    copy.options.offset = -1000;
    copy_make(&copy, g.wire.data, g.wire.size);
    assert_status(copy.wrote, GT_ERR_NOT_AVAILABLE);
    assert_string_equal(copy.error.message, "a time below 0 cannot be written");
    copy_free(&copy);
    gen_free(&g);
}

/*
 * A reader takes a time of 0 for an unknown one. The Sync, whose batch and snapshot have it, is
 * delivered at 1, as is that of the copy.
 */
static void test_times_from_zero_on_are_kept(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    wire_begin(&g.wire, 26);
    wire_sync(&g.wire, 1, 0, UINT64_C(1) << 50);
    wire_batch(&g.wire, 1, 5, 0);
    wire_running(&g.wire, 5, 0, 1);
    wire_generation_end(&g.wire);
    copy_init(&copy);
    copy_make(&copy, g.wire.data, g.wire.size);
    copy_expect_good(&copy);
    r.reader = copy_open(&copy);
    reading_sync(&r);
    reading_time(&r, 1);
    reading_next(&r, GT_EVENT_STATE_TRANSITION);
    reading_time(&r, 2);
    reading_close(&r);
    copy_free(&copy);
    gen_free(&g);
}

static void test_wall_clock_may_be_given(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    gen_begin(&g, 23);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    gen_end(&g);
    copy_init(&copy);
    copy.options.version = 26;
    copy.options.wall_seconds = 1700000000;
    copy_make(&copy, g.wire.data, g.wire.size);
    copy_expect_good(&copy);
    r.reader = copy_open(&copy);
    gt_sync sync = reading_sync(&r);
    assert_int_equal(sync.clock_seconds, 1700000000);
    assert_int_equal(sync.clock_trace, r.event->time);
    reading_close(&r);
    copy_free(&copy);
    gen_free(&g);
}

/* A lenient reader lets goroutine 9 run, which nobody has created. */
static void test_repaired_traces_are_refused(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    begin(&g);
    gen_running(&g, 5, 0, 1);
    gen_go_block(&g, "", 0);
    gen_go_start(&g, 9);
    gen_end(&g);
    copy_init(&copy);
    copy.reader_flags = GT_READER_LENIENT;
    copy_make(&copy, g.wire.data, g.wire.size);
    assert_status(copy.wrote, GT_ERR_NOT_AVAILABLE);
    /* Likewise if the output ends before the Sync that follows. */
    copy.last = 6;
    copy_make(&copy, g.wire.data, g.wire.size);
    assert_status(copy.wrote, GT_ERR_NOT_AVAILABLE);
    /* If the caller accepts that, goroutine 9 exists from the beginning. */
    copy.last = 0;
    copy.options.flags = GT_WRITER_LENIENT;
    copy_make(&copy, g.wire.data, g.wire.size);
    assert_status(copy.wrote, GT_OK);
    assert_int_equal(copy_validate(copy.out.data, copy.out.size).findings, 0);
    copy_free(&copy);
    gen_free(&g);
}

/* A reader lets statuses say that two threads have proc 0, and both threads goroutine 1. */
static void test_contradictory_statuses_are_refused(void **state)
{
    (void) state;
    for (unsigned i = 0; i < 2; i++) {
        struct gen g = {0};
        struct copy copy;
        begin(&g);
        gen_running(&g, 5, 0, 1);
        gen_on(&g, 6);
        if (i == 0)
            gen_proc_status(&g, 0, PROC_RUNNING);
        else
            gen_go_status(&g, 1, 6, GO_RUNNING);
        gen_end(&g);
        copy_init(&copy);
        copy_make(&copy, g.wire.data, g.wire.size);
        assert_status(copy.wrote, GT_ERR_NOT_AVAILABLE);
        assert_non_null(strstr(copy.error.message, "on two threads at once"));
        copy_free(&copy);
        gen_free(&g);
    }
}

/*
 * Thread 5, without a proc, records that goroutine 2 is in a system call on thread 6: the context
 * of the first such event is that of thread 5, and of later ones that of thread 6.
 */
static void test_system_call_may_be_recorded_by_another_thread(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    begin(&g);
    gen_on(&g, 5);
    gen_go_status(&g, 1, 5, GO_SYSCALL);
    gen_go_status(&g, 2, 6, GO_SYSCALL);
    gen_go_status(&g, 2, 6, GO_SYSCALL);
    cut(&g, &copy, 0, 0);
    open_copy(&r, &copy);
    reading_goroutine(&r, 1, GT_GO_UNDETERMINED, GT_GO_SYSCALL);
    reading_goroutine(&r, 2, GT_GO_UNDETERMINED, GT_GO_SYSCALL);
    reading_context(&r, 6, GT_NO_PROC, 1);
    reading_goroutine(&r, 2, GT_GO_SYSCALL, GT_GO_SYSCALL);
    reading_context(&r, 6, GT_NO_PROC, 2);
    reading_end(&r);
    copy_free(&copy);
}

static int write_nothing(void *user_data, const void *data, size_t size)
{
    (void) user_data;
    (void) data;
    (void) size;
    return 0;
}

/* Events refer to texts more often than stacks do, which may have come earlier. */
static void test_texts_of_events_have_short_numbers(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    begin(&g);
    gen_running(&g, 5, 0, 1);
    for (uint64_t i = 0; i < 200; i++) {
        char name[] = {'f', (char) ('a' + i / 20), (char) ('a' + i % 20), '\0'};
        gen_go_create(&g, 10 + i, GEN_STACK(&g, {name, "main.go", 1 + i}), 0);
    }
    gen_label(&g, "after");
    cut(&g, &copy, 0, 0);
    expect_short_label(&copy);
    copy_free(&copy);
}

static void test_states_cannot_be_left_out_of_the_output(void **state)
{
    struct reading r = {0};
    gt_writer *writer;
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_HEAP_ALLOC, 1, 7);
    reading_open(&r, NULL);
    assert_status(gt_writer_open(&writer, r.reader, write_nothing, NULL, NULL, NULL), GT_OK);
    reading_sync(&r);
    assert_status(gt_writer_event(writer, r.event), GT_OK);
    reading_skip(&r, 1);
    assert_status(gt_writer_skip(writer, r.event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_event(writer, r.event), GT_OK);
    reading_skip(&r, 1);
    assert_status(gt_writer_event(writer, r.event), GT_OK);
    reading_metric(&r, 7);
    assert_status(gt_writer_skip(writer, r.event), GT_OK);
    assert_status(gt_writer_finish(writer), GT_OK);
    assert_status(gt_writer_event(writer, r.event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_finish(writer), GT_ERR_INVALID_ARGUMENT);
    gt_writer_close(&writer);
    reading_close(&r);
}

static void test_nothing_written_is_no_trace(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe_switch(&g);
    gen_end(&g);
    copy_init(&copy);
    copy.first = 1000;
    copy_make(&copy, g.wire.data, g.wire.size);
    assert_status(copy.wrote, GT_ERR_NOT_AVAILABLE);
    assert_int_equal(copy.out.size, 0);
    copy_free(&copy);
    gen_free(&g);
}

static void test_failed_write_is_reported_and_stays(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe_switch(&g);
    gen_end(&g);
    copy_init(&copy);
    copy.out.fail_at = 1;
    copy_make(&copy, g.wire.data, g.wire.size);
    assert_status(copy.wrote, GT_ERR_IO);
    assert_string_equal(copy.error.message, "writing failed");
    copy_free(&copy);
    gen_free(&g);
}

/* A write function that uses the writer that has called it. */
struct intruder {
    gt_writer *writer;
    const gt_event *event;
    unsigned calls;
};

static int write_and_intrude(void *user_data, const void *data, size_t size)
{
    struct intruder *intruder = user_data;
    gt_writer_info info = GT_WRITER_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_writer *same = intruder->writer;
    (void) data;
    (void) size;
    intruder->calls++;
    assert_status(gt_writer_event(intruder->writer, intruder->event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_finish(intruder->writer), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_error(intruder->writer, &error), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_get_info(intruder->writer, &info), GT_ERR_INVALID_ARGUMENT);
    gt_writer_close(&same);
    assert_ptr_equal(same, intruder->writer);
    return 0;
}

static void test_write_function_cannot_use_the_writer(void **state)
{
    struct intruder intruder = {0};
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    reading_open(&r, NULL);
    assert_status(
        gt_writer_open(&intruder.writer, r.reader, write_and_intrude, &intruder, NULL, NULL),
        GT_OK);
    while (gt_reader_next_event(r.reader, &intruder.event) == GT_OK)
        assert_status(gt_writer_event(intruder.writer, intruder.event), GT_OK);
    assert_status(gt_writer_finish(intruder.writer), GT_OK);
    assert_true(intruder.calls > 0);
    assert_status(gt_writer_finish(intruder.writer), GT_ERR_INVALID_ARGUMENT);
    gt_writer_close(&intruder.writer);
    reading_close(&r);
}

static void test_bad_arguments_are_refused(void **state)
{
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;
    gt_writer_info info = GT_WRITER_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    struct reading r = {0};
    gt_writer *writer;
    (void) state;
    reading_begin_running(&r);
    reading_open(&r, NULL);
    assert_status(gt_writer_open(NULL, r.reader, write_nothing, NULL, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_open(&writer, NULL, write_nothing, NULL, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_open(&writer, r.reader, NULL, NULL, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    options.version = 24;
    assert_status(gt_writer_open(&writer, r.reader, write_nothing, NULL, &options, &error),
                  GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "options.version is not 0, 22, 23, 25 or 26");
    options.version = 0;
    options.flags = 1 << 3;
    assert_status(gt_writer_open(&writer, r.reader, write_nothing, NULL, &options, &error),
                  GT_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "flags"));
    options.flags = 0;
    options.reserved = 1;
    assert_status(gt_writer_open(&writer, r.reader, write_nothing, NULL, &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    options.reserved = 0;
    options.wall_seconds = UINT64_MAX;
    assert_status(gt_writer_open(&writer, r.reader, write_nothing, NULL, &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_event(NULL, r.event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_skip(NULL, r.event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_error(NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_get_info(NULL, &info), GT_ERR_INVALID_ARGUMENT);
    gt_writer_close(NULL);
    assert_status(gt_writer_open(&writer, r.reader, write_nothing, NULL, NULL, NULL), GT_OK);
    assert_status(gt_writer_event(writer, NULL), GT_ERR_INVALID_ARGUMENT);
    info.size = 1;
    assert_status(gt_writer_get_info(writer, &info), GT_ERR_INVALID_ARGUMENT);
    gt_writer_close(&writer);
    gt_writer_close(&writer);
    reading_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_switch_is_one_record),
        cmocka_unit_test(test_switch_may_be_cut_after_each_of_its_events),
        cmocka_unit_test(test_output_may_begin_within_a_switch),
        cmocka_unit_test(test_end_of_a_callback_is_one_record),
        cmocka_unit_test(test_output_may_begin_within_the_end_of_a_callback),
        cmocka_unit_test(test_output_may_end_within_the_end_of_a_callback),
        cmocka_unit_test(test_self_steal_before_the_end_of_a_callback_is_kept),
        cmocka_unit_test(test_output_may_begin_after_a_self_steal),
        cmocka_unit_test(test_stop_of_the_world_begins_anew),
        cmocka_unit_test(test_end_of_a_stop_without_begin_is_left_out),
        cmocka_unit_test(test_active_ranges_are_named_once),
        cmocka_unit_test(test_events_are_delayed_where_time_begins),
        cmocka_unit_test(test_offset_moves_all_times),
        cmocka_unit_test(test_times_from_zero_on_are_kept),
        cmocka_unit_test(test_wall_clock_may_be_given),
        cmocka_unit_test(test_repaired_traces_are_refused),
        cmocka_unit_test(test_contradictory_statuses_are_refused),
        cmocka_unit_test(test_system_call_may_be_recorded_by_another_thread),
        cmocka_unit_test(test_texts_of_events_have_short_numbers),
        cmocka_unit_test(test_states_cannot_be_left_out_of_the_output),
        cmocka_unit_test(test_nothing_written_is_no_trace),
        cmocka_unit_test(test_failed_write_is_reported_and_stays),
        cmocka_unit_test(test_write_function_cannot_use_the_writer),
        cmocka_unit_test(test_bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
