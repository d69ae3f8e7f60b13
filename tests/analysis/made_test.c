/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Analyses that are fed with events of no reader: made of what the getters of a reader's events
 * return, they give what these give.
 */

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "shown.h"
#include "support/files.h"
#include "support/remake.h"
#include "support/test.h"

enum {
    /* The making of an event needs memory of its own besides that of the event. */
    PLACES = 2
};

/* An allocator for two blocks at a time, which are always at the same places. */
struct place {
    gt_allocator allocator;
    size_t live[PLACES];
    alignas(max_align_t) unsigned char bytes[PLACES][1 << 16];
};

static void *place_allocate(void *context, size_t size)
{
    struct place *place = context;
    int at = place->live[0] != 0;
    assert_int_equal(place->live[at], 0);
    assert_true(size <= sizeof(place->bytes[at]));
    place->live[at] = size;
    return place->bytes[at];
}

static void *place_reallocate(void *context, void *block, size_t old_size, size_t size)
{
    struct place *place = context;
    int at = block == place->bytes[1];
    assert_int_equal(place->live[at], old_size);
    place->live[at] = size;
    return place->bytes[at];
}

static void place_release(void *context, void *block, size_t size)
{
    struct place *place = context;
    int at = block == place->bytes[1];
    assert_ptr_equal(block, place->bytes[at]);
    assert_int_equal(place->live[at], size);
    place->live[at] = 0;
    memset(place->bytes[at], 0xee, sizeof(place->bytes[at]));
}

static struct place *place_new(void)
{
    struct place *place = calloc(1, sizeof(*place));
    assert_non_null(place);
    place->allocator = (gt_allocator){sizeof(place->allocator), place, place_allocate,
                                      place_reallocate, place_release};
    return place;
}

/* What the analyses give of a trace; with `place` each event is made again there. */
static char *analyse(const char *path, struct place *place)
{
    struct remake remake;
    struct shown shown;
    const gt_event *event;
    gt_reader *reader;
    assert_status(gt_reader_open_file(&reader, path, NULL, NULL), GT_OK);
    remake_begin(&remake);
    shown_open(&shown, NULL);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_event *made = NULL;
        if (place) {
            assert_status(remake_describe(&remake, reader, event), GT_OK);
            remake.options.allocator = &place->allocator;
            /* A made Sync needs memory for its list of batches as well. */
            if (remake.options.batches)
                remake.options.allocator = NULL;
            assert_status(gt_event_make(&made, &remake.options, NULL), GT_OK);
        }
        shown_event(&shown, place ? NULL : reader, place ? made : event);
        gt_event_free(&made);
    }
    shown_finish(&shown);
    char *text = shown_text(&shown);
    shown_close(&shown);
    remake_end(&remake);
    gt_reader_close(&reader);
    return text;
}

static void test_made_events_count_like_those_of_a_reader(void **state)
{
    char *directory = files_join(files_testdata(), "v2");
    struct place *place = place_new();
    struct file_list list = {NULL, 0};
    (void) state;
    files_list(&list, directory, "", ".trace");
    assert_true(list.count > 10);
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(directory, list.names[i]);
        char *read = analyse(path, NULL), *made = analyse(path, place);
        assert_string_equal(made, read);
        free(made);
        free(read);
        free(path);
    }
    files_list_free(&list);
    free(directory);
    free(place);
}

static size_t count_reasons(const gt_latency *latency)
{
    size_t count = 0;
    for (size_t i = 0; i < gt_latency_series_count(latency); i++) {
        gt_latency_series series = GT_LATENCY_SERIES_INIT;
        assert_status(gt_latency_get_series(latency, i, &series), GT_OK);
        count += series.kind == GT_LATENCY_BLOCK && series.group == GT_LATENCY_BY_REASON;
    }
    return count;
}

/* The texts of one event are where those of the event before were. */
static void test_texts_at_the_same_place_are_told_apart(void **state)
{
    static const char *const causes[] = {"first cause", "other cause"};
    gt_latency *latency;
    gt_summary *summary;
    struct place *place = place_new();
    (void) state;
    assert_status(gt_latency_open(&latency, NULL, NULL), GT_OK);
    assert_status(gt_summary_open(&summary, NULL, NULL), GT_OK);
    for (int i = 0; i < 4; i++) {
        gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
        gt_transition change = GT_TRANSITION_INIT;
        gt_event *event;
        options.kind = GT_EVENT_STATE_TRANSITION;
        options.time = 1000 * (i + 1);
        options.allocator = &place->allocator;
        options.transition = &change;
        gt_goroutine_transition_make(1, i % 2 == 0 ? GT_GO_RUNNING : GT_GO_WAITING,
                                     i % 2 == 0 ? GT_GO_WAITING : GT_GO_RUNNING, &change);
        change.reason = (gt_string){causes[i / 2], strlen(causes[i / 2])};
        assert_status(gt_event_make(&event, &options, NULL), GT_OK);
        assert_status(gt_latency_event(latency, NULL, event), GT_OK);
        assert_status(gt_summary_event(summary, NULL, event), GT_OK);
        gt_event_free(&event);
    }
    assert_status(gt_latency_finish(latency), GT_OK);
    assert_status(gt_summary_finish(summary), GT_OK);
    assert_int_equal(count_reasons(latency), 2);
    const gt_goroutine_summary *goroutine = gt_summary_find_goroutine(summary, 1);
    assert_int_equal(goroutine->times->block_count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(goroutine->times->blocks[i].time, 1000);
    gt_summary_close(&summary);
    gt_latency_close(&latency);
    free(place);
}

/* The numbers of stacks may be as large as they can; that costs no memory. */
static void test_large_number_of_a_stack_costs_nothing(void **state)
{
    gt_profile_options limits = GT_PROFILE_OPTIONS_INIT;
    gt_profile *profile;
    const gt_frame frame = {.pc = 7, .line = 1, .function = {"main.work", 9}, .file = {"", 0}};
    (void) state;
    limits.kinds = GT_PROFILE_BIT(GT_PROFILE_CPU);
    limits.memory_limit = 1 << 20;
    assert_status(gt_profile_open(&profile, &limits, NULL), GT_OK);
    for (uint32_t i = 0; i < 100; i++) {
        const uint32_t number = 1 + i * (GT_STACK_EMPTY_SLOT / 100);
        gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
        gt_event *event;
        options.kind = GT_EVENT_STACK_SAMPLE;
        options.time = number;
        options.stack = gt_stack_make(1, number);
        options.frames = &frame;
        options.frame_count = 1;
        assert_status(gt_event_make(&event, &options, NULL), GT_OK);
        assert_status(gt_profile_event(profile, NULL, event), GT_OK);
        gt_event_free(&event);
    }
    assert_status(gt_profile_finish(profile), GT_OK);
    assert_int_equal(gt_profile_count(profile, GT_PROFILE_CPU), 1);
    gt_profile_close(&profile);
}

/* Only an event that needs no reader is taken without one, and none is taken for another's. */
static void test_event_of_another_reader_is_refused(void **state)
{
    char *path = files_join(files_testdata(), "v2/go1.26-tasks.trace");
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;
    gt_profile *profile;
    gt_reader *reader;
    const gt_event *event;
    gt_event *copy;
    (void) state;
    options.kinds = GT_PROFILE_BIT(GT_PROFILE_CPU);
    assert_status(gt_profile_open(&profile, &options, NULL), GT_OK);
    assert_status(gt_reader_open_file(&reader, path, NULL, NULL), GT_OK);
    assert_status(gt_reader_next_event(reader, &event), GT_OK);
    assert_status(gt_event_copy(reader, event, NULL, &copy), GT_OK);
    assert_status(gt_profile_event(profile, NULL, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_event(profile, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_event(profile, reader, copy), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_event(profile, NULL, copy), GT_OK);
    gt_event_free(&copy);
    gt_reader_close(&reader);
    gt_profile_close(&profile);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_events_count_like_those_of_a_reader),
        cmocka_unit_test(test_texts_at_the_same_place_are_told_apart),
        cmocka_unit_test(test_large_number_of_a_stack_costs_nothing),
        cmocka_unit_test(test_event_of_another_reader_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
