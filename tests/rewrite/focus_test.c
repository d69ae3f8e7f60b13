/* SPDX-License-Identifier: BSD-3-Clause */

/* What is written with a focus: the states of all, and the details of what was asked for. */

#include <string.h>

#include "rewrite/copy.h"
#include "support/gen_events.h"
#include "support/probe.h"
#include "support/test.h"

/* What was asked for; 0 and NULL for nothing. */
struct asked {
    int64_t goroutine;
    uint64_t task;
    const char *region;
};

/* What a copy has. */
struct found {
    char texts[256]; /* the logs, regions and tasks, each as a letter and what it says */
    unsigned stacks;
    unsigned samples;
    unsigned transitions;
};

static void add_text(struct found *found, char kind, gt_string text)
{
    size_t used = strlen(found->texts);
    assert_true(used + text.size + 3 < sizeof(found->texts));
    found->texts[used] = kind;
    if (text.size != 0)
        memcpy(found->texts + used + 1, text.data, text.size);
    strcpy(found->texts + used + 1 + text.size, " ");
}

static void look(struct found *found, const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    gt_region region = GT_REGION_INIT;
    gt_log log = GT_LOG_INIT;
    found->stacks += gt_event_stack(event) != GT_STACK_NONE;
    found->samples += event->kind == GT_EVENT_STACK_SAMPLE;
    found->transitions += event->kind == GT_EVENT_STATE_TRANSITION;
    if (gt_event_task(event, &task) == GT_OK)
        add_text(found, event->kind == GT_EVENT_TASK_BEGIN ? 'T' : 't', task.type);
    if (gt_event_region(event, &region) == GT_OK)
        add_text(found, event->kind == GT_EVENT_REGION_BEGIN ? 'R' : 'r', region.type);
    if (gt_event_log(event, &log) == GT_OK)
        add_text(found, 'l', log.message);
}

static struct found look_at_all(const struct copy *copy)
{
    struct found found = {.stacks = 0};
    gt_reader *reader = copy_open(copy);
    const gt_event *event;
    while (gt_reader_next_event(reader, &event) == GT_OK)
        look(&found, event);
    gt_reader_close(&reader);
    return found;
}

/* Opens a focus of what was asked for, and lets it read the trace. */
static gt_focus *focus_open(const struct asked *asked, const struct wire *wire, gt_status expected)
{
    gt_focus *focus;
    gt_reader *reader;
    const gt_event *event;
    gt_error error = GT_ERROR_INIT;
    assert_status(gt_focus_open(&focus, NULL, NULL), GT_OK);
    if (asked->goroutine != 0)
        assert_status(gt_focus_add_goroutine(focus, asked->goroutine), GT_OK);
    if (asked->task != 0)
        assert_status(gt_focus_add_task(focus, asked->task), GT_OK);
    if (asked->region)
        assert_status(gt_focus_add_region(focus, (gt_string){asked->region, strlen(asked->region)}),
                      GT_OK);
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_focus_event(focus, event), GT_OK);
    gt_reader_close(&reader);
    assert_status(gt_focus_finish(focus, &error), expected);
    assert_int_equal(error.message[0] != '\0', expected != GT_OK);
    return focus;
}

/* Writes all of the trace, with the details of what was asked for. */
static struct found write_focused(struct gen *g, const struct asked *asked)
{
    struct copy copy;
    copy_init(&copy);
    gt_focus *focus = focus_open(asked, &g->wire, GT_OK);
    assert_status(gt_focus_apply(focus, &copy.options), GT_OK);
    copy_make(&copy, g->wire.data, g->wire.size);
    copy_expect_good(&copy);
    assert_int_equal(copy_validate(copy.out.data, copy.out.size).findings, 0);
    struct found found = look_at_all(&copy);
    /* The second reading can begin again. */
    size_t size = copy.out.size;
    assert_status(gt_focus_rewind(focus), GT_OK);
    copy_make(&copy, g->wire.data, g->wire.size);
    assert_int_equal(copy.out.size, size);
    gt_focus_close(&focus);
    copy_free(&copy);
    return found;
}

static uint64_t a_stack(struct gen *g, const char *function)
{
    return GEN_STACK(g, {function, "main.go", 7});
}

/*
 * Goroutine 1 begins task 7 and creates goroutine 2, which has a subtask, two regions, a log and a
 * sample; it also has regions and logs of its own and of no task.
 */
static void describe(struct gen *g)
{
    gen_begin(g, 26);
    g->clock.monotonic = g->clock.seconds = 1000;
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
    gen_log(g, 0, "", "before", a_stack(g, "main.before"));
    gen_task_begin(g, 7, 0, "job", a_stack(g, "main.begin"));
    gen_region_begin(g, 0, "own", a_stack(g, "main.own"));
    gen_log(g, 0, "", "inside", a_stack(g, "main.inside"));
    gen_region_end(g, 0, "own", a_stack(g, "main.own"));
    uint64_t start = a_stack(g, "main.two");
    gen_go_create(g, 2, start, a_stack(g, "main.create"));
    gen_go_block(g, "chan receive", a_stack(g, "main.wait"));
    gen_go_start(g, 2);
    gen_task_begin(g, 8, 7, "part", a_stack(g, "main.part"));
    gen_region_begin(g, 8, "outer", a_stack(g, "main.outer"));
    gen_sample(g, 5, 0, 2, a_stack(g, "main.sample"));
    gen_region_begin(g, 8, "inner", a_stack(g, "main.inner"));
    gen_log(g, 8, "", "deep", a_stack(g, "main.deep"));
    gen_region_end(g, 8, "inner", a_stack(g, "main.inner"));
    gen_go_unblock(g, 1, a_stack(g, "main.wake"));
    gen_region_end(g, 8, "outer", a_stack(g, "main.outer"));
    gen_task_end(g, 8, a_stack(g, "main.part"));
    gen_go_destroy(g);
    gen_go_start(g, 1);
    gen_task_end(g, 7, a_stack(g, "main.end"));
    gen_log(g, 0, "", "after", a_stack(g, "main.after"));
    gen_sample(g, 5, 0, 1, a_stack(g, "main.last"));
    gen_end(g);
}

/* Each row: what is asked for, and what the copy has of it. All have the states of all. */
static const struct {
    struct asked asked;
    const char *texts;
    unsigned stacks, samples;
} focuses[] = {
    /* Of goroutine 2 also that it is created, and the task that its own task is a part of not. */
    {{.goroutine = 2}, "Tpart Router Rinner ldeep rinner router tpart ", 10, 1},
    {{.goroutine = 1}, "lbefore Tjob Rown linside rown tjob lafter ", 11, 1},
    /* While the task is open, goroutine 1 creates a goroutine and blocks, with stacks. */
    {{.task = 7}, "Tjob Tpart Router Rinner ldeep rinner router tpart tjob ", 13, 1},
    {{.task = 8}, "Tpart Router Rinner ldeep rinner router tpart ", 9, 1},
    /* The region names its task, which therefore has a type. */
    {{.region = "inner"}, "Tpart Rinner ldeep rinner tpart ", 5, 0},
    {{.region = "outer"}, "Tpart Router Rinner ldeep rinner router tpart ", 9, 1},
    {{.region = "own"}, "Rown linside rown ", 3, 0},
    {{.goroutine = 2, .region = "own"},
     "Rown linside rown Tpart Router Rinner ldeep rinner router tpart ",
     13,
     1},
};

static void test_details_are_those_of_what_was_asked_for(void **state)
{
    struct gen g = {0};
    (void) state;
    for (size_t i = 0; i < sizeof(focuses) / sizeof(*focuses); i++) {
        describe(&g);
        struct found found = write_focused(&g, &focuses[i].asked);
        assert_string_equal(found.texts, focuses[i].texts);
        assert_int_equal(found.stacks, focuses[i].stacks);
        assert_int_equal(found.samples, focuses[i].samples);
        assert_int_equal(found.transitions, 8);
        gen_free(&g);
    }
}

/* Asserts between which events, by their distance from the first one, that happened. */
static void expect_span(const struct asked *asked, int64_t start, int64_t end)
{
    struct gen g = {0};
    int64_t found[2];
    describe(&g);
    gt_focus *focus = focus_open(asked, &g.wire, GT_OK);
    assert_status(gt_focus_get_span(focus, &found[0], &found[1]), GT_OK);
    int64_t first = (int64_t) g.time - (int64_t) 23;
    assert_int_equal(found[0] - first, start);
    if (end == INT64_MAX)
        assert_true(found[1] == INT64_MAX);
    else
        assert_int_equal(found[1] - first, end);
    gt_focus_close(&focus);
    gen_free(&g);
}

static void test_span_is_that_of_what_was_asked_for(void **state)
{
    (void) state;
    expect_span(&(struct asked){.goroutine = 1}, 1, INT64_MAX);
    expect_span(&(struct asked){.goroutine = 2}, 7, 19);
    expect_span(&(struct asked){.task = 7}, 3, 21);
    expect_span(&(struct asked){.task = 8}, 10, 18);
    expect_span(&(struct asked){.region = "inner"}, 13, 15);
    expect_span(&(struct asked){.task = 8, .region = "own"}, 4, 18);
}

static void test_what_the_trace_lacks_is_named(void **state)
{
    static const struct asked asked[] = {{.goroutine = 3}, {.task = 9}, {.region = "out"}};
    struct gen g = {0};
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;
    int64_t start, end;
    (void) state;
    describe(&g);
    for (size_t i = 0; i < 3; i++) {
        gt_focus *focus = focus_open(&asked[i], &g.wire, GT_ERR_NOT_AVAILABLE);
        assert_status(gt_focus_get_span(focus, &start, &end), GT_ERR_INVALID_ARGUMENT);
        assert_status(gt_focus_apply(focus, &options), GT_ERR_INVALID_ARGUMENT);
        gt_focus_close(&focus);
    }
    gen_free(&g);
}

/* The regions and tasks that began before the trace begin with it, and others end with it. */
static void test_what_is_cut_off_lasts_to_the_ends_of_the_trace(void **state)
{
    struct gen g = {0};
    int64_t start, end;
    (void) state;
    gen_begin(&g, 26);
    g.clock.monotonic = g.clock.seconds = 1000;
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    gen_log(&g, 0, "", "early", 0);
    gen_region_end(&g, 0, "early", 0);
    gen_log(&g, 0, "", "late", 0);
    gen_task_end(&g, 7, 0);
    gen_region_begin(&g, 0, "late", 0);
    gen_task_begin(&g, 8, 0, "open", 0);
    gen_end(&g);
    gt_focus *focus = focus_open(&(struct asked){.region = "early"}, &g.wire, GT_OK);
    assert_status(gt_focus_get_span(focus, &start, &end), GT_OK);
    assert_true(start == INT64_MIN && end != INT64_MAX);
    gt_focus_close(&focus);
    assert_string_equal(write_focused(&g, &(struct asked){.region = "early"}).texts,
                        "learly rearly ");
    focus = focus_open(&(struct asked){.region = "late"}, &g.wire, GT_OK);
    assert_status(gt_focus_get_span(focus, &start, &end), GT_OK);
    assert_true(start != INT64_MIN && end == INT64_MAX);
    gt_focus_close(&focus);
    focus = focus_open(&(struct asked){.task = 7}, &g.wire, GT_OK);
    assert_status(gt_focus_get_span(focus, &start, &end), GT_OK);
    assert_true(start == INT64_MIN && end != INT64_MAX);
    gt_focus_close(&focus);
    focus = focus_open(&(struct asked){.task = 8}, &g.wire, GT_OK);
    assert_status(gt_focus_get_span(focus, &start, &end), GT_OK);
    assert_true(start != INT64_MIN && end == INT64_MAX);
    gt_focus_close(&focus);
    gen_free(&g);
}

/* Lets a focus that is open read the trace, and returns the first error. */
static gt_status read_first(gt_focus *focus, const struct wire *wire)
{
    gt_reader *reader;
    const gt_event *event;
    gt_status status = gt_focus_add_goroutine(focus, 2);
    if (status == GT_OK)
        status = gt_focus_add_task(focus, 7);
    if (status == GT_OK)
        status = gt_focus_add_region(focus, (gt_string){"own", 3});
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
        status = gt_focus_event(focus, event);
    gt_reader_close(&reader);
    assert_status(gt_focus_finish(focus, NULL), status);
    return status;
}

/* Uses a focus with the memory of the probe, and returns the first error. */
static gt_status use_memory(const struct wire *wire, struct probe *probe)
{
    gt_focus_options options = GT_FOCUS_OPTIONS_INIT;
    struct copy copy;
    gt_focus *focus;
    options.allocator = &probe->allocator;
    gt_status status = gt_focus_open(&focus, &options, NULL);
    if (status != GT_OK)
        return status;
    status = read_first(focus, wire);
    copy_init(&copy);
    if (status == GT_OK) {
        assert_status(gt_focus_apply(focus, &copy.options), GT_OK);
        copy_make(&copy, wire->data, wire->size);
        status = copy.wrote;
    }
    copy_free(&copy);
    gt_focus_close(&focus);
    return status;
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    struct gen g = {0};
    struct probe probe;
    (void) state;
    describe(&g);
    probe_init(&probe);
    assert_status(use_memory(&g.wire, &probe), GT_OK);
    probe_check(&probe);
    uint64_t calls = probe.calls;
    assert_true(calls > 10);
    for (uint64_t at = 1; at <= calls; at++) {
        probe_init(&probe);
        probe.fail_at = at;
        assert_status(use_memory(&g.wire, &probe), GT_ERR_NO_MEMORY);
        probe_check(&probe);
    }
    gen_free(&g);
}

static void test_wrong_calls_are_refused(void **state)
{
    gt_focus *focus;
    int64_t start, end;
    gt_error error = GT_ERROR_INIT;
    gt_focus_options options = GT_FOCUS_OPTIONS_INIT;
    (void) state;
    options.flags = 1;
    assert_status(gt_focus_open(&focus, &options, &error), GT_ERR_INVALID_ARGUMENT);
    assert_null(focus);
    assert_status(gt_focus_open(&focus, NULL, NULL), GT_OK);
    assert_status(gt_focus_add_goroutine(focus, -1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_focus_add_task(focus, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_focus_add_task(focus, GT_NO_TASK), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_focus_add_region(focus, (gt_string){NULL, 1}), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_focus_rewind(focus), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_focus_finish(focus, NULL), GT_OK);
    assert_status(gt_focus_finish(focus, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_focus_add_goroutine(focus, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_focus_get_span(focus, &start, &end), GT_OK);
    assert_true(start == INT64_MIN && end == INT64_MAX);
    gt_focus_close(&focus);
    gt_focus_close(&focus);
}

static int keep_nothing(void *user_data, const gt_event *event)
{
    unsigned *count = user_data;
    (void) event;
    return *count == 0 ? GT_ERR_BUSY : ((*count)--, 0);
}

/* The writer fails with what the function returns; labels are states, and metrics of no one. */
static void test_function_says_what_is_kept(void **state)
{
    struct gen g = {0};
    struct copy copy;
    unsigned count = 1000;
    (void) state;
    describe(&g);
    copy_init(&copy);
    copy.options.keep = keep_nothing;
    copy.options.keep_data = &count;
    copy_make(&copy, g.wire.data, g.wire.size);
    copy_expect_good(&copy);
    struct found found = look_at_all(&copy);
    assert_string_equal(found.texts, "");
    assert_int_equal(found.stacks + found.samples, 0);
    assert_int_equal(found.transitions, 8);
    count = 3;
    copy_make(&copy, g.wire.data, g.wire.size);
    assert_status(copy.wrote, GT_ERR_BUSY);
    copy_free(&copy);
    gen_free(&g);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_details_are_those_of_what_was_asked_for),
        cmocka_unit_test(test_span_is_that_of_what_was_asked_for),
        cmocka_unit_test(test_what_the_trace_lacks_is_named),
        cmocka_unit_test(test_what_is_cut_off_lasts_to_the_ends_of_the_trace),
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_wrong_calls_are_refused),
        cmocka_unit_test(test_function_says_what_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
