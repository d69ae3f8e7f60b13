/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Recorded traces, written and read again: all of each, and random stretches. Each trace is a test.
 * If $GT_PEER names a binary that does what `go tool trace` does, it has to read the copies, too.
 */

#include <stdlib.h>
#include <string.h>

#include "rewrite/copy.h"
#include "support/feed.h"
#include "support/files.h"
#include "support/suite.h"
#include "support/test.h"

#define TEXT_MAX (1 << 16)
#define WINDOWS  8

/* The text of an event, with its stacks. */
struct event_text {
    char text[TEXT_MAX];
    size_t size;
};

static void text_of(struct event_text *text, gt_reader *reader, const gt_event *event)
{
    assert_status(gt_event_format(reader, event, text->text, sizeof(text->text), &text->size),
                  GT_OK);
}

static void expect_same_text(gt_reader *a_reader, const gt_event *a, gt_reader *b_reader,
                             const gt_event *b)
{
    static struct event_text texts[2];
    text_of(&texts[0], a_reader, a);
    text_of(&texts[1], b_reader, b);
    if (texts[0].size != texts[1].size || memcmp(texts[0].text, texts[1].text, texts[0].size) != 0)
        fail_msg("input:\n%.*s\ncopy:\n%.*s", (int) texts[0].size, texts[0].text,
                 (int) texts[1].size, texts[1].text);
}

/* Asserts that both readers deliver the same, up to a failure of the input's. */
static void expect_same_events(gt_reader *input, gt_reader *copy)
{
    const gt_event *a, *b;
    gt_status status;
    while ((status = gt_reader_next_event(input, &a)) == GT_OK) {
        assert_status(gt_reader_next_event(copy, &b), GT_OK);
        expect_same_text(input, a, copy, b);
    }
    if (status == GT_END)
        assert_status(gt_reader_next_event(copy, &b), GT_END);
}

/* A recorded trace. */
struct recorded {
    char *path;
    uint8_t *data;
    size_t size;
};

static int load(void **state)
{
    struct recorded *trace = *state;
    trace->data = files_read(trace->path, &trace->size);
    return 0;
}

static void check_copy(const struct recorded *trace, const struct copy *copy)
{
    gt_reader *input, *output = copy_open(copy);
    assert_status(gt_reader_open_memory(&input, trace->data, trace->size, NULL, NULL), GT_OK);
    expect_same_events(input, output);
    gt_reader_close(&input);
    gt_reader_close(&output);
}

static void expect_same_bytes(const struct copy *a, const struct copy *b)
{
    assert_int_equal(a->out.size, b->out.size);
    assert_memory_equal(a->out.data, b->out.data, a->out.size);
}

/* However the input is read, and also if the input is a copy itself, the bytes are the same. */
static void check_bytes(const struct recorded *trace, const struct copy *copy)
{
    static const size_t steps[] = {7, 4096, 1};
    struct copy other;
    struct feed feed;
    gt_reader *reader;
    copy_init(&other);
    copy_make(&other, copy->out.data, copy->out.size);
    copy_expect_good(&other);
    expect_same_bytes(&other, copy);
    other.reader_flags = GT_READER_AHEAD;
    copy_make(&other, trace->data, trace->size);
    expect_same_bytes(&other, copy);
    feed_init(&feed, trace->data, trace->size);
    feed.steps = steps;
    feed.step_count = sizeof(steps) / sizeof(*steps);
    assert_status(gt_reader_open_callback(&reader, feed_read, &feed, NULL, NULL), GT_OK);
    copy_take(&other, reader);
    gt_reader_close(&reader);
    expect_same_bytes(&other, copy);
    copy_free(&other);
}

/* A trace that fails at once has no generation, and no copy unless that is a good one, too. */
static bool expect_nothing(struct copy *copy)
{
    if (copy->wrote != GT_ERR_NOT_AVAILABLE || copy->info.generations != 0)
        return false;
    assert_true(copy->read < 0);
    copy_free(copy);
    return true;
}

static void test_copy_has_the_same_events(void **state)
{
    const struct recorded *trace = *state;
    struct copy copy;
    copy_init(&copy);
    copy_make(&copy, trace->data, trace->size);
    if (expect_nothing(&copy))
        return;
    assert_status(copy.wrote, GT_OK);
    check_copy(trace, &copy);
    check_bytes(trace, &copy);
    if (copy.read == GT_END) {
        struct findings found = copy_validate(copy.out.data, copy.out.size);
        struct findings expected = copy_validate(trace->data, trace->size);
        assert_int_equal(found.findings, expected.findings);
        assert_int_equal(found.events, expected.events);
    }
    assert_int_equal(copy.info.left_out + copy.info.delayed + copy.info.made_up, 0);
    /* Times in nanoseconds take more bytes than those of the runtime's clock. */
    assert_true(copy.out.size <= trace->size * 5 / 4 + 1024);
    output_expect_peer_reads(copy.out.data, copy.out.size);
    copy_free(&copy);
}

/* Older tools read the header 23, with which a copy has the same events but no clock. */
static void test_copy_in_another_version_has_the_same_events(void **state)
{
    static const uint32_t versions[] = {23, 25, 26};
    const struct recorded *trace = *state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        gt_reader_info info = GT_READER_INFO_INIT;
        const gt_event *a, *b;
        gt_reader *input, *output;
        struct copy copy;
        copy_init(&copy);
        copy.options.version = versions[i];
        copy_make(&copy, trace->data, trace->size);
        if (expect_nothing(&copy))
            continue;
        assert_status(copy.wrote, GT_OK);
        output = copy_open(&copy);
        assert_status(gt_reader_open_memory(&input, trace->data, trace->size, NULL, NULL), GT_OK);
        while (gt_reader_next_event(input, &a) == GT_OK) {
            assert_status(gt_reader_next_event(output, &b), GT_OK);
            if (a->kind != GT_EVENT_SYNC)
                expect_same_text(input, a, output, b);
        }
        assert_status(gt_reader_get_info(output, &info), GT_OK);
        assert_int_equal(info.version, versions[i]);
        gt_reader_close(&input);
        gt_reader_close(&output);
        output_expect_peer_reads(copy.out.data, copy.out.size);
        copy_free(&copy);
    }
}

/* The next event of a reader that is no Sync; the trace must have one. */
static const gt_event *read_event(gt_reader *reader)
{
    const gt_event *event;
    do
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
    while (event->kind == GT_EVENT_SYNC);
    return event;
}

/* Asserts that two events are the same, although their times and stacks may differ. */
static void expect_same_change(const gt_event *a, const gt_event *b)
{
    gt_transition changes[2] = {GT_TRANSITION_INIT, GT_TRANSITION_INIT};
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->proc, b->proc);
    assert_int_equal(a->goroutine, b->goroutine);
    if (gt_event_transition(a, &changes[0]) != GT_OK)
        return;
    assert_status(gt_event_transition(b, &changes[1]), GT_OK);
    assert_int_equal(changes[0].resource.id, changes[1].resource.id);
    assert_int_equal(changes[0].from, changes[1].from);
    assert_int_equal(changes[0].to, changes[1].to);
}

/*
 * Asserts that a copy for Go 1.22 has the counterpart of an event. A goroutine that is created
 * to wait is created, and runs and blocks before the next event, for which that of the event stops.
 */
static void expect_counterpart(const struct copy *copy, gt_reader *input, const gt_event *a,
                               gt_reader *output)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    gt_transition change = GT_TRANSITION_INIT;
    const gt_event *b = read_event(output);
    assert_status(gt_event_wire(a, &wire), GT_OK);
    if (wire.type == GT_WIRE_GO_CREATE_BLOCKED) {
        assert_status(gt_event_transition(b, &change), GT_OK);
        assert_int_equal(change.to, GT_GO_RUNNABLE);
        for (int i = a->goroutine == GT_NO_GOROUTINE ? 2 : 4; i > 0; i--)
            b = read_event(output);
    } else if (wire.type == GT_WIRE_GO_STATUS_STACK || copy->info.made_up != 0) {
        expect_same_change(a, b);
    } else {
        expect_same_text(input, a, output, b);
    }
}

static void test_copy_for_go_1_22_has_the_same_events(void **state)
{
    const struct recorded *trace = *state;
    const gt_event *event;
    gt_reader *input, *output;
    struct copy copy;
    uint64_t left_out = 0;
    copy_init(&copy);
    copy.options.version = 22;
    copy_make(&copy, trace->data, trace->size);
    if (expect_nothing(&copy))
        return;
    assert_status(copy.wrote, GT_OK);
    assert_int_equal(copy_validate(copy.out.data, copy.out.size).read, GT_END);
    copy_expect_own_records(&copy);
    output = copy_open(&copy);
    assert_status(gt_reader_open_memory(&input, trace->data, trace->size, NULL, NULL), GT_OK);
    while (gt_reader_next_event(input, &event) == GT_OK) {
        left_out += event->kind == GT_EVENT_EXPERIMENTAL;
        if (event->kind != GT_EVENT_SYNC && event->kind != GT_EVENT_EXPERIMENTAL)
            expect_counterpart(&copy, input, event, output);
    }
    assert_int_equal(copy.info.left_out, left_out);
    gt_reader_close(&input);
    gt_reader_close(&output);
    output_expect_peer_reads(copy.out.data, copy.out.size);
    copy_free(&copy);
}

/* Whether an event tells what existed before the window. */
static bool names_something(const gt_event *event)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    assert_status(gt_event_wire(event, &wire), GT_OK);
    switch (wire.type) {
    case GT_WIRE_PROC_STATUS:
    case GT_WIRE_GO_STATUS:
    case GT_WIRE_GC_SWEEP_ACTIVE:
    case GT_WIRE_GC_MARK_ASSIST_ACTIVE:
    case GT_WIRE_GC_ACTIVE:
    case GT_WIRE_STW_BEGIN:
    case GT_WIRE_PROCS_CHANGE:
        return true;
    default:
        return false;
    }
}

/* Of these events the window need not have the same text, but the same kind and context. */
static bool may_differ(const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    if (event->kind == GT_EVENT_TASK_END || event->kind == GT_EVENT_SYNC)
        return true;
    if (gt_event_proc_transition(event, &change) == GT_OK)
        return change.from == GT_PROC_NOT_EXIST;
    /* What remains of the end of a callback has lost the proc. */
    return gt_event_goroutine_transition(event, &change) == GT_OK && change.from == GT_GO_SYSCALL &&
           change.to == GT_GO_NOT_EXIST;
}

static void expect_same_event(gt_reader *a_reader, const gt_event *a, gt_reader *b_reader,
                              const gt_event *b)
{
    if (!may_differ(a)) {
        expect_same_text(a_reader, a, b_reader, b);
        return;
    }
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->time, b->time);
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->goroutine, b->goroutine);
}

/* Reads what names the state before the window, up to the first event in it, which is `first`.
 * GOMAXPROCS may be told behind that, if no goroutine ran before. */
static const gt_event *read_names(gt_reader *reader, const struct copy *copy, const gt_event *first)
{
    const gt_event *event;
    assert_status(gt_reader_next_event(reader, &event), GT_OK);
    assert_int_equal(event->kind, GT_EVENT_SYNC);
    for (uint64_t i = 0; i <= copy->info.made_up; i++) {
        if (i == copy->info.made_up && event->time >= first->time && first->kind != GT_EVENT_SYNC)
            break;
        assert_true(event->time < first->time || first->kind == GT_EVENT_SYNC);
        assert_true(i == 0 || names_something(event));
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
    }
    return event;
}

/* Leaves out an event that tells GOMAXPROCS between those of the window. It has no stack. */
static const gt_event *skip_procs(gt_reader *reader, const gt_event *event)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    assert_status(gt_event_wire(event, &wire), GT_OK);
    if (wire.type == GT_WIRE_PROCS_CHANGE && gt_event_stack(event) == GT_STACK_NONE)
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
    return event;
}

/*
 * Compares the events of the window with those of the copy, which lacks ranges that are named as
 * active a second time, and ends of stops of the world whose begin it could not have.
 */
static void check_window(const struct recorded *trace, const struct copy *copy)
{
    uint64_t left_out = 0;
    const gt_event *a, *b = NULL;
    gt_reader *input, *output = copy_open(copy);
    assert_status(gt_reader_open_memory(&input, trace->data, trace->size, NULL, NULL), GT_OK);
    for (uint64_t i = 1; i <= copy->last; i++) {
        assert_status(gt_reader_next_event(input, &a), GT_OK);
        if (i < copy->first)
            continue;
        if (!b)
            b = read_names(output, copy, a);
        if (i == copy->first && a->kind == GT_EVENT_SYNC)
            continue; /* the copy has its own, before what it names */
        b = skip_procs(output, b);
        if (a->time != b->time) {
            left_out += a->kind == GT_EVENT_RANGE_END;
            if (a->kind != GT_EVENT_RANGE_END && a->kind != GT_EVENT_RANGE_ACTIVE)
                fail_msg("event %d, of kind %d, has another time", (int) i, (int) a->kind);
            continue;
        }
        expect_same_event(input, a, output, b);
        assert_status(gt_reader_next_event(output, &b), GT_OK);
    }
    b = skip_procs(output, b);
    assert_int_equal(left_out, copy->info.left_out);
    if (a->kind != GT_EVENT_SYNC) {
        assert_int_equal(b->kind, GT_EVENT_SYNC);
        assert_status(gt_reader_next_event(output, &b), GT_END);
    }
    gt_reader_close(&input);
    gt_reader_close(&output);
}

static void check_random_window(const struct recorded *trace, uint64_t events, uint64_t *random)
{
    struct copy copy;
    copy_init(&copy);
    copy.first = 2 + test_random(random) % (events - 2);
    copy.last = copy.first + test_random(random) % (events - copy.first);
    if (test_random(random) % 4 == 0)
        copy.last = copy.first;
    copy_make(&copy, trace->data, trace->size);
    if (copy.wrote != GT_OK)
        fail_msg("events %d to %d: %s", (int) copy.first, (int) copy.last, copy.error.message);
    if (copy_validate(copy.out.data, copy.out.size).findings != 0)
        fail_msg("events %d to %d: a bad trace", (int) copy.first, (int) copy.last);
    check_window(trace, &copy);
    output_expect_peer_reads(copy.out.data, copy.out.size);
    copy_free(&copy);
}

static void test_any_window_is_a_trace_with_its_events(void **state)
{
    const struct recorded *trace = *state;
    struct findings whole = copy_validate(trace->data, trace->size);
    uint64_t random = trace->size;
    if (whole.events < 4 || whole.findings != 0)
        skip();
    for (unsigned i = 0; i < WINDOWS; i++)
        check_random_window(trace, whole.events, &random);
}

enum {
    PIECES = 6
};

/* Writes to the piece to which `user_data` points. */
static int write_piece(void *user_data, const void *data, size_t size)
{
    struct copy **piece = user_data;
    return output_write(&(*piece)->out, data, size);
}

/* Writes the pieces of a trace, each of which has the number of its first and its last event. */
static void write_pieces(const struct recorded *trace, struct copy *pieces, size_t count)
{
    struct copy *piece = pieces;
    gt_reader *reader;
    gt_writer *writer;
    const gt_event *event;
    uint64_t number = 0;
    assert_status(gt_reader_open_memory(&reader, trace->data, trace->size, NULL, NULL), GT_OK);
    assert_status(gt_writer_open(&writer, reader, write_piece, &piece, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        if (++number > piece->last && piece + 1 < pieces + count) {
            assert_status(gt_writer_restart(writer), GT_OK);
            piece++;
        }
        assert_status(gt_writer_event(writer, event), GT_OK);
    }
    assert_status(gt_writer_finish(writer), GT_OK);
    gt_writer_close(&writer);
    gt_reader_close(&reader);
}

/* A writer that begins anew at some events writes what one does that has skipped those before. */
static void test_pieces_are_cuts_that_follow_each_other(void **state)
{
    const struct recorded *trace = *state;
    struct findings whole = copy_validate(trace->data, trace->size);
    struct copy pieces[PIECES], cut;
    uint64_t random = trace->size, at = 1;
    if (whole.events < 8 * PIECES || whole.findings != 0)
        skip();
    for (size_t i = 0; i < PIECES; i++) {
        copy_init(&pieces[i]);
        pieces[i].first = at;
        at += 1 + test_random(&random) % (whole.events / PIECES - 1);
        pieces[i].last = i + 1 == PIECES ? whole.events : at - 1;
    }
    write_pieces(trace, pieces, PIECES);
    for (size_t i = 0; i < PIECES; i++) {
        copy_init(&cut);
        cut.first = pieces[i].first;
        cut.last = pieces[i].last;
        copy_make(&cut, trace->data, trace->size);
        assert_status(cut.wrote, GT_OK);
        expect_same_bytes(&pieces[i], &cut);
        copy_free(&cut);
        copy_free(&pieces[i]);
    }
}

static int unload(void **state)
{
    struct recorded *trace = *state;
    free(trace->data);
    return 0;
}

static void recorded_free(void *state)
{
    struct recorded *trace = state;
    free(trace->path);
    free(trace);
}

static void add(struct suite *suite, const char *directory, const char *prefix)
{
    static const CMUnitTestFunction functions[] = {
        test_copy_has_the_same_events,
        test_copy_in_another_version_has_the_same_events,
        test_copy_for_go_1_22_has_the_same_events,
        test_any_window_is_a_trace_with_its_events,
        test_pieces_are_cuts_that_follow_each_other,
    };
    struct file_list list = {NULL, 0};
    files_list(&list, directory, prefix, ".trace");
    for (size_t i = 0; i < list.count; i++) {
        for (size_t j = 0; j < sizeof(functions) / sizeof(*functions); j++) {
            struct recorded *trace = calloc(1, sizeof(*trace));
            assert_non_null(trace);
            trace->path = files_join(directory, list.names[i]);
            suite_add(suite, trace->path, functions[j], trace);
            suite->tests[suite->count - 1].setup_func = load;
            suite->tests[suite->count - 1].teardown_func = unload;
        }
    }
    files_list_free(&list);
}

int main(void)
{
    static const char *const versions[] = {"go1.22", "go1.23", "go1.24",
                                           "go1.25", "go1.26", "go1.27"};
    char *directory = files_join(files_testdata(), "v2");
    struct suite suite = {NULL, 0};
    int failures;
    add(&suite, directory, "");
    for (size_t i = 0; files_corpus() && i < sizeof(versions) / sizeof(*versions); i++)
        add(&suite, files_corpus(), versions[i]);
    failures = suite_run(&suite, "traces");
    suite_free(&suite, recorded_free);
    free(directory);
    return failures;
}
