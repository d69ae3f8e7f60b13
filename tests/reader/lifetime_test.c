/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How long stacks and strings live: a profiler may count by handle, and ask for frames and texts
 * when the Sync after them has come.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/feed.h"
#include "support/sample.h"
#include "support/test.h"

enum {
    MOST_HELD = 6000
};

/* How bytes come to the reader. */
enum way {
    WAY_MEMORY,
    WAY_CALLBACK,
    WAY_PUSH,
    WAYS
};

/* A stack or a string of the trace, and a copy of it that was made at once. */
struct held {
    gt_stack stack;
    gt_string string;
    char *copy;
    size_t copy_size;
    uint32_t generation;
};

struct holding {
    struct held *list;
    size_t count;
    uint32_t generation; /* of the last Sync */
    uint64_t expired;    /* how many stacks were found to be gone */
};

/* A text of all frames of a stack, which the caller frees. NULL if the stack has expired. */
static char *frames_text(gt_reader *reader, gt_stack stack, size_t *size)
{
    const gt_frame *frames;
    size_t count;
    gt_status status = gt_stack_view(reader, stack, &frames, &count);
    if (status == GT_ERR_EXPIRED)
        return NULL;
    assert_status(status, GT_OK);
    *size = 0;
    for (size_t i = 0; i < count; i++)
        *size += 16 + frames[i].function.size + frames[i].file.size;
    char *text = malloc(*size + 1), *to = text;
    for (size_t i = 0; i < count; i++) {
        const gt_string names[] = {frames[i].function, frames[i].file};
        memcpy(to, &frames[i].pc, 8);
        memcpy(to + 8, &frames[i].line, 8);
        to += 16;
        for (size_t k = 0; k < 2; k++) {
            memcpy(to, names[k].data, names[k].size);
            to += names[k].size;
        }
    }
    return text;
}

static void hold_stack(struct holding *holding, gt_reader *reader, gt_stack stack, bool is_resolved)
{
    struct held held = {.stack = stack, .generation = holding->generation};
    if (stack == GT_STACK_NONE)
        return;
    if (is_resolved)
        held.copy = frames_text(reader, stack, &held.copy_size);
    assert_true(holding->count < MOST_HELD);
    holding->list[holding->count++] = held;
}

static void hold_string(struct holding *holding, gt_string string)
{
    struct held held = {.string = string, .generation = holding->generation};
    held.copy = malloc(string.size + 1);
    held.copy_size = string.size;
    memcpy(held.copy, string.data, string.size);
    assert_true(holding->count < MOST_HELD);
    holding->list[holding->count++] = held;
}

/* Holds all stacks and strings of an event. Every second stack is not asked for its frames yet. */
static void hold_event(struct holding *holding, gt_reader *reader, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    gt_region region = GT_REGION_INIT;
    gt_range range = GT_RANGE_INIT;
    gt_task task = GT_TASK_INIT;
    gt_log log = GT_LOG_INIT;
    hold_stack(holding, reader, gt_event_stack(event), holding->count % 2 == 0);
    if (gt_event_transition(event, &transition) == GT_OK) {
        hold_stack(holding, reader, transition.stack, holding->count % 2 == 0);
        hold_string(holding, transition.reason);
    }
    if (gt_event_region(event, &region) == GT_OK)
        hold_string(holding, region.type);
    if (gt_event_range(event, &range) == GT_OK)
        hold_string(holding, range.cause);
    if (gt_event_task(event, &task) == GT_OK)
        hold_string(holding, task.type);
    if (gt_event_log(event, &log) == GT_OK) {
        hold_string(holding, log.category);
        hold_string(holding, log.message);
    }
}

/* Asserts that everything of `generation` is still what it was, or that its stacks are gone. */
static void check_generation(struct holding *holding, gt_reader *reader, uint32_t generation,
                             bool is_alive)
{
    for (size_t i = 0; i < holding->count; i++) {
        const struct held *held = &holding->list[i];
        size_t size = 0;
        if (held->generation != generation)
            continue;
        if (held->stack == GT_STACK_NONE) {
            assert_int_equal(held->string.size, held->copy_size);
            if (is_alive)
                assert_memory_equal(held->string.data, held->copy, held->copy_size);
            continue;
        }
        char *text = frames_text(reader, held->stack, &size);
        assert_int_equal(text != NULL, is_alive);
        holding->expired += !text;
        if (text && held->copy) {
            assert_int_equal(size, held->copy_size);
            assert_memory_equal(text, held->copy, size);
        }
        free(text);
    }
}

static void holding_free(struct holding *holding)
{
    for (size_t i = 0; i < holding->count; i++)
        free(holding->list[i].copy);
    free(holding->list);
}

/* The next event; bytes are fed to a reader that wants some. */
static gt_status next_event(gt_reader *reader, struct feed *feed, const gt_event **event)
{
    for (;;) {
        uint8_t bytes[300];
        gt_status status = gt_reader_next_event(reader, event);
        if (status != GT_AGAIN)
            return status;
        int64_t got = feed_read(feed, bytes, sizeof(bytes));
        status = got > 0 ? gt_reader_feed(reader, bytes, (size_t) got) : gt_reader_finish(reader);
        assert_status(status, GT_OK);
    }
}

static gt_reader *open_way(enum way way, struct feed *feed, const gt_reader_options *options)
{
    gt_reader *reader = NULL;
    gt_status status;
    if (way == WAY_MEMORY)
        status = gt_reader_open_memory(&reader, feed->data, feed->size, options, NULL);
    else if (way == WAY_CALLBACK)
        status = gt_reader_open_callback(&reader, feed_read, feed, options, NULL);
    else
        status = gt_reader_open_push(&reader, options, NULL);
    assert_status(status, GT_OK);
    return reader;
}

/* Reads a trace, and asserts at each Sync, and at the end, what is alive and what has expired. */
static void check_lifetimes(const struct wire *wire, enum way way, uint64_t flags, bool is_cut)
{
    static const size_t steps[] = {7, 300, 4096, 1, 70000};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct holding holding = {.list = calloc(MOST_HELD, sizeof(struct held))};
    bool keeps = (flags & GT_READER_KEEP) != 0;
    bool after_sync = false;
    const gt_event *event;
    struct feed feed;
    gt_status status;
    feed_init(&feed, wire->data, wire->size);
    feed.steps = steps;
    feed.step_count = 5;
    options.flags = flags;
    gt_reader *reader = open_way(way, &feed, &options);
    while ((status = next_event(reader, &feed, &event)) == GT_OK) {
        gt_sync sync = GT_SYNC_INIT;
        uint32_t generation = holding.generation;
        if (after_sync && generation > 1)
            check_generation(&holding, reader, generation - 1, keeps);
        after_sync = false;
        if (gt_event_sync(event, &sync) != GT_OK) {
            hold_event(&holding, reader, event);
            continue;
        }
        check_generation(&holding, reader, generation, true);
        if (sync.generation == 0)
            continue;
        after_sync = true;
        holding.generation++;
    }
    assert_true(is_cut ? status < 0 : status == GT_END);
    for (uint32_t i = 1; i <= holding.generation; i++)
        check_generation(&holding, reader, i, keeps || i == holding.generation);
    assert_int_equal(holding.expired != 0, holding.generation > 1 && !keeps);
    assert_true(holding.count > 100);
    gt_reader_close(&reader);
    holding_free(&holding);
}

static const unsigned versions[] = {5, 11, 19, 21, 22, 23, 25, 26};

static void check_all_ways(const struct wire *wire, uint64_t more_flags, bool is_cut)
{
    static const uint64_t flags[] = {0, GT_READER_KEEP, GT_READER_AHEAD,
                                     GT_READER_KEEP | GT_READER_AHEAD};
    for (int way = 0; way < WAYS; way++) {
        for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
            check_lifetimes(wire, (enum way) way, flags[i] | more_flags, is_cut);
    }
}

static void test_stacks_and_strings_live_until_the_call_after_the_next_sync(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        struct wire wire = {0};
        sample_trace(&wire, versions[i], 4, 700);
        check_all_ways(&wire, 0, false);
        check_all_ways(&wire, GT_READER_LENIENT, false);
        wire_free(&wire);
    }
}

/* What was delivered before an error lives on. */
static void test_last_generation_lives_after_an_error(void **state)
{
    static const unsigned cut[] = {22, 26};
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        struct wire wire = {0};
        sample_trace(&wire, cut[i], 4, 300);
        wire.size -= 100;
        check_all_ways(&wire, 0, true);
        wire_free(&wire);
    }
}

/* A stack of a generation that has not begun is no handle, even while its bytes come. */
static void test_handle_of_the_future_is_refused(void **state)
{
    struct wire wire = {0};
    const gt_frame *frames;
    const gt_event *event;
    gt_stack stack = GT_STACK_NONE;
    gt_reader *reader;
    size_t count = 0;
    (void) state;
    sample_trace(&wire, 26, 2, 50);
    assert_status(gt_reader_open_push(&reader, NULL, NULL), GT_OK);
    assert_status(gt_reader_feed(reader, wire.data, wire.size - 10), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        assert_status(gt_stack_view(reader, UINT64_C(2) << 32 | 1, &frames, &count),
                      GT_ERR_INVALID_ARGUMENT);
        if (count == 0)
            stack = gt_event_stack(event);
        assert_status(gt_stack_view(reader, stack, &frames, &count), GT_OK);
    }
    assert_status(gt_reader_next_event(reader, &event), GT_AGAIN);
    assert_status(gt_stack_view(reader, UINT64_C(2) << 32 | 1, &frames, &count),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_view(reader, stack, &frames, &count), GT_OK);
    assert_true(count > 0);
    gt_reader_close(&reader);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stacks_and_strings_live_until_the_call_after_the_next_sync),
        cmocka_unit_test(test_last_generation_lives_after_an_error),
        cmocka_unit_test(test_handle_of_the_future_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
