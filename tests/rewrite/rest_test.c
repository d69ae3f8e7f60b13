/* SPDX-License-Identifier: BSD-3-Clause */

/* Outputs without events, and states that the input tells only after the output. */

#include "rewrite/copy.h"
#include "support/gen_events.h"
#include "support/test.h"

enum {
    NO_THREAD = -1,
    WAITING = 4,
    /* The time between the events between which everything sleeps. */
    LONG = 1000
};

/* The call that an event is passed to, by the number of the event. */
struct calls {
    uint64_t first; /* the first one that is written */
    uint64_t late;  /* the first one that comes after the output */
    bool rests;     /* there is none, so the states are written */
};

static gt_status pass(gt_writer *writer, const gt_event *event, uint64_t number,
                      const struct calls *calls)
{
    if (number >= calls->late)
        return gt_writer_late(writer, event);
    return number >= calls->first ? gt_writer_event(writer, event) : gt_writer_skip(writer, event);
}

/*
 * Goroutine 1 runs and stops; then everything sleeps. Goroutine 3 has slept from before the trace
 * on, which the trace tells when the generation ends, after goroutine 1 has gone on.
 */
static void describe(struct gen *g, unsigned version)
{
    gen_begin(g, version);
    g->clock.monotonic = g->clock.seconds = 1000;
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
    gen_go_stop(g, "preempted", 0);
    g->dt = LONG;
    gen_go_start(g, 1);
    g->dt = 1;
    gen_on(g, (uint64_t) NO_THREAD);
    gen_go_status(g, 3, (uint64_t) NO_THREAD, WAITING);
    gen_end(g);
}

/* Writes from `start` to `end`, nanoseconds after the first event, if the calls say so. */
static void write_part(struct gen *g, struct copy *copy, const struct calls *calls, int64_t start,
                       int64_t end)
{
    gt_reader *reader;
    gt_writer *writer;
    const gt_event *event;
    int64_t first = 0;
    uint64_t number = 0;
    copy_init(copy);
    copy->info = (gt_writer_info) GT_WRITER_INFO_INIT;
    assert_status(gt_reader_open_memory(&reader, g->wire.data, g->wire.size, NULL, NULL), GT_OK);
    assert_status(gt_writer_open(&writer, reader, output_write, &copy->out, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        first = number++ == 1 ? event->time : first;
        assert_status(pass(writer, event, number, calls), GT_OK);
    }
    if (calls->rests)
        assert_status(gt_writer_states(writer, first + start, first + end), GT_OK);
    assert_status(gt_writer_states(writer, first, first), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_finish(writer), GT_OK);
    assert_status(gt_writer_get_info(writer, &copy->info), GT_OK);
    gt_writer_close(&writer);
    gt_reader_close(&reader);
    assert_int_equal(copy_validate(copy->out.data, copy->out.size).findings, 0);
}

/* Asserts which states the copy has last: those of goroutines 1 and 3. */
static void expect_states(const struct copy *copy, uint32_t one, uint32_t three, int64_t lasts)
{
    gt_reader *reader = copy_open(copy);
    const gt_event *event;
    uint32_t states[4] = {0};
    int64_t first = 0, last = 0;
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_transition change = GT_TRANSITION_INIT;
        if (gt_event_transition(event, &change) != GT_OK)
            continue;
        first = first == 0 ? event->time : first;
        last = event->time;
        if (change.resource.kind == GT_RESOURCE_GOROUTINE)
            states[change.resource.id & 3] = change.to;
    }
    gt_reader_close(&reader);
    assert_int_equal(states[1], one);
    assert_int_equal(states[3], three);
    assert_int_equal(last - first, lasts);
}

static const unsigned versions[] = {22, 23, 25, 26};

#define FOR_EACH_VERSION(i) for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)

static void test_stretch_without_events_has_the_states(void **state)
{
    (void) state;
    FOR_EACH_VERSION(i)
    {
        struct gen g = {0};
        struct copy copy;
        describe(&g, versions[i]);
        write_part(&g, &copy, &(struct calls){.first = 99, .late = 5, .rests = true}, 100, 300);
        expect_states(&copy, GT_GO_RUNNABLE, GT_GO_WAITING, 203);
        assert_int_equal(copy.info.version, versions[i]);
        assert_int_equal(copy.info.made_up, 4);
        assert_int_equal(copy.info.events, 0);
        copy_free(&copy);
        gen_free(&g);
    }
}

/* Event 4 stops the goroutine, 5 starts it again. */
static void test_states_that_come_late_follow_the_last_event(void **state)
{
    (void) state;
    FOR_EACH_VERSION(i)
    {
        struct gen g = {0};
        struct copy copy;
        describe(&g, versions[i]);
        write_part(&g, &copy, &(struct calls){.first = 1, .late = 5}, 0, 0);
        expect_states(&copy, GT_GO_RUNNABLE, GT_GO_WAITING, 3);
        assert_int_equal(copy.info.events, 3);
        assert_int_equal(copy.info.made_up, 1);
        copy_free(&copy);
        gen_free(&g);
    }
}

/* Goroutine 1 runs when it is named, and may not do so twice. */
static void test_generation_without_events_gets_the_states_of_the_next(void **state)
{
    (void) state;
    FOR_EACH_VERSION(i)
    {
        struct gen g = {0};
        struct copy copy;
        gen_begin(&g, versions[i]);
        g.clock.monotonic = g.clock.seconds = 1000;
        gen_generation(&g, 1);
        g.clock.monotonic = g.clock.seconds = 2000;
        g.dt = LONG;
        gen_generation(&g, 2);
        gen_running(&g, 5, 0, 1);
        gen_go_stop(&g, "preempted", 0);
        gen_on(&g, (uint64_t) NO_THREAD);
        gen_go_status(&g, 3, (uint64_t) NO_THREAD, WAITING);
        gen_end(&g);
        write_part(&g, &copy, &(struct calls){.first = 1, .late = 2}, 0, 0);
        expect_states(&copy, GT_GO_RUNNING, GT_GO_WAITING, 2);
        copy_free(&copy);
        gen_free(&g);
    }
}

static void test_nothing_follows_what_comes_late(void **state)
{
    struct gen g = {0};
    gt_reader *reader;
    gt_writer *writer;
    const gt_event *event;
    struct copy copy;
    (void) state;
    copy_init(&copy);
    describe(&g, 26);
    assert_status(gt_reader_open_memory(&reader, g.wire.data, g.wire.size, NULL, NULL), GT_OK);
    assert_status(gt_writer_open(&writer, reader, output_write, &copy.out, NULL, NULL), GT_OK);
    assert_status(gt_writer_states(writer, 1, 2), GT_ERR_INVALID_ARGUMENT);
    for (int i = 0; i < 2; i++)
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
    assert_status(gt_writer_late(writer, event), GT_OK);
    assert_status(gt_writer_late(writer, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_next_event(reader, &event), GT_OK);
    assert_status(gt_writer_event(writer, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_skip(writer, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_states(writer, 2, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_finish(writer), GT_ERR_NOT_AVAILABLE);
    gt_writer_close(&writer);
    gt_reader_close(&reader);
    copy_free(&copy);
    gen_free(&g);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stretch_without_events_has_the_states),
        cmocka_unit_test(test_states_that_come_late_follow_the_last_event),
        cmocka_unit_test(test_generation_without_events_gets_the_states_of_the_next),
        cmocka_unit_test(test_nothing_follows_what_comes_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
