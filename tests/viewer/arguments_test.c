/* SPDX-License-Identifier: BSD-3-Clause */
/* Structures of callers that have other sizes, and invalid arguments. */
#include <string.h>

#include <gotrace/emitter.h>
#include <gotrace/viewer_json.h>

#include "support/test.h"
#include "viewer/log.h"
#include "viewer/steps.h"

static const gt_string no_string = {NULL, 1};

/* A structure of a program that was built with later headers. */
struct later {
    union {
        gt_slice slice;
        gt_instant instant;
        gt_arrow arrow;
        gt_viewer_event event;
        gt_consumer consumer;
        gt_emitter_options options;
        gt_json_options json_options;
        gt_emitter_info info;
    } known;

    uint64_t more[4];
};

static struct log the_log;

static gt_emitter *open_emitter(void)
{
    gt_emitter *emitter;
    log_init(&the_log);
    assert_status(gt_emitter_open(&emitter, &the_log.consumer, NULL, NULL), GT_OK);
    assert_log(&the_log, "unit ns\n");
    return emitter;
}

static gt_status add_slice(gt_emitter *emitter, const void *slice)
{
    return gt_emitter_slice(emitter, slice);
}

static gt_status add_task_slice(gt_emitter *emitter, const void *slice)
{
    return gt_emitter_task_slice(emitter, slice);
}

static gt_status add_async_slice(gt_emitter *emitter, const void *slice)
{
    return gt_emitter_async_slice(emitter, slice);
}

static gt_status add_instant(gt_emitter *emitter, const void *instant)
{
    return gt_emitter_instant(emitter, instant);
}

static gt_status add_arrow(gt_emitter *emitter, const void *arrow)
{
    return gt_emitter_arrow(emitter, arrow);
}

static gt_status add_task_arrow(gt_emitter *emitter, const void *arrow)
{
    return gt_emitter_task_arrow(emitter, arrow);
}

static gt_status add_event(gt_emitter *emitter, const void *event)
{
    return gt_emitter_event(emitter, event, 0);
}

static gt_status open_with_consumer(gt_emitter *emitter, const void *consumer)
{
    gt_emitter *other;
    gt_status status = gt_emitter_open(&other, consumer, NULL, NULL);
    (void) emitter;
    assert_int_equal(other != NULL, status == GT_OK);
    gt_emitter_close(&other);
    return status;
}

static gt_status open_with_options(gt_emitter *emitter, const void *options)
{
    gt_consumer none = GT_CONSUMER_INIT;
    gt_emitter *other;
    gt_status status = gt_emitter_open(&other, &none, options, NULL);
    (void) emitter;
    assert_int_equal(other != NULL, status == GT_OK);
    gt_emitter_close(&other);
    return status;
}

static int discard(void *user_data, const void *data, size_t size)
{
    (void) user_data;
    (void) data;
    (void) size;
    return 0;
}

static gt_status open_writer(gt_emitter *emitter, const void *options)
{
    gt_json_writer *writer;
    gt_status status = gt_json_writer_open(&writer, discard, NULL, options, NULL);
    (void) emitter;
    assert_int_equal(writer != NULL, status == GT_OK);
    gt_json_writer_close(&writer);
    return status;
}

static const gt_slice good_slice = GT_SLICE_INIT;
static const gt_instant good_instant = GT_INSTANT_INIT;
static const gt_arrow good_arrow = GT_ARROW_INIT;
static const gt_consumer good_consumer = GT_CONSUMER_INIT;
static const gt_emitter_options good_options = GT_EMITTER_OPTIONS_INIT;
static const gt_json_options good_json_options = GT_JSON_OPTIONS_INIT;
static gt_viewer_event good_event;

static const struct {
    gt_status (*call)(gt_emitter *emitter, const void *structure);
    const void *good;
    size_t size;
} structures[] = {
    {add_slice, &good_slice, sizeof(good_slice)},
    {add_task_slice, &good_slice, sizeof(good_slice)},
    {add_async_slice, &good_slice, sizeof(good_slice)},
    {add_instant, &good_instant, sizeof(good_instant)},
    {add_arrow, &good_arrow, sizeof(good_arrow)},
    {add_task_arrow, &good_arrow, sizeof(good_arrow)},
    {add_event, &good_event, sizeof(good_event)},
    {open_with_consumer, &good_consumer, sizeof(good_consumer)},
    {open_with_options, &good_options, sizeof(good_options)},
    {open_writer, &good_json_options, sizeof(good_json_options)},
};

static void set_size(struct later *later, size_t size)
{
    memcpy(later, &size, sizeof(size));
}

static void check_sizes(gt_emitter *emitter, size_t i)
{
    struct later later;
    memset(&later, 0, sizeof(later));
    memcpy(&later, structures[i].good, structures[i].size);
    assert_status(structures[i].call(emitter, &later), GT_OK);
    set_size(&later, 0);
    assert_status(structures[i].call(emitter, &later), GT_ERR_INVALID_ARGUMENT);
    set_size(&later, structures[i].size - 1);
    assert_status(structures[i].call(emitter, &later), GT_ERR_INVALID_ARGUMENT);
    set_size(&later, SIZE_MAX);
    assert_status(structures[i].call(emitter, &later), GT_ERR_INVALID_ARGUMENT);
    /* A member that this release does not know must be zero. */
    set_size(&later, structures[i].size + 8);
    assert_status(structures[i].call(emitter, &later), GT_OK);
    ((unsigned char *) &later)[structures[i].size + 7] = 1;
    assert_status(structures[i].call(emitter, &later), GT_ERR_INVALID_ARGUMENT);
}

static void make_good_event(void)
{
    memset(&good_event, 0, sizeof(good_event));
    good_event.size = sizeof(good_event);
    good_event.phase = 'I';
    good_event.name = good_event.category = good_event.scope = good_event.color = text_of("");
}

static void test_structures_of_wrong_size_are_refused(void **state)
{
    gt_emitter *emitter = open_emitter();
    (void) state;
    make_good_event();
    for (size_t i = 0; i < sizeof(structures) / sizeof(*structures); i++)
        check_sizes(emitter, i);
    gt_emitter_close(&emitter);
}

/* Later members at the end do not matter for the known ones. */
static void test_slice_of_later_headers_is_emitted(void **state)
{
    gt_emitter *emitter = open_emitter();
    struct later later;
    (void) state;
    memset(&later, 0, sizeof(later));
    later.known.slice = good_slice;
    later.known.slice.size = sizeof(gt_slice) + 16;
    later.known.slice.resource = 7;
    later.known.slice.task = 3;
    assert_status(gt_emitter_async_slice(emitter, &later.known.slice), GT_OK);
    assert_log(&the_log, "b 0/7 @0 color=thread_state_runnable id=1\n"
                         "e 0/7 @0 color=thread_state_runnable id=1\n");
    gt_emitter_close(&emitter);
}

static void test_info_is_filled_as_far_as_the_caller_has_room(void **state)
{
    gt_emitter *emitter = open_emitter();
    struct later later;
    (void) state;
    memset(&later, 0x55, sizeof(later));
    later.known.info.size = sizeof(gt_emitter_info) + 8;
    assert_status(gt_emitter_get_info(emitter, &later.known.info), GT_OK);
    assert_int_equal(later.known.info.size, sizeof(gt_emitter_info) + 8);
    assert_int_equal(later.known.info.events, 0);
    assert_int_equal(((unsigned char *) &later)[sizeof(gt_emitter_info)], 0x55);
    later.known.info.size = sizeof(gt_emitter_info) - 1;
    assert_status(gt_emitter_get_info(emitter, &later.known.info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_emitter_get_info(emitter, NULL), GT_ERR_INVALID_ARGUMENT);
    later.known.info.size = sizeof(gt_emitter_info);
    assert_status(gt_emitter_get_info(NULL, &later.known.info), GT_ERR_INVALID_ARGUMENT);
    gt_emitter_close(&emitter);
}

static void test_bad_options_are_refused(void **state)
{
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_json_options json = GT_JSON_OPTIONS_INIT;
    gt_allocator allocator = {sizeof(allocator), NULL, NULL, NULL, NULL};
    gt_consumer none = GT_CONSUMER_INIT;
    gt_emitter *emitter = (gt_emitter *) (void *) &none;
    gt_splitter *splitter = (gt_splitter *) (void *) &none;
    (void) state;
    options.flags = 2;
    assert_status(open_with_options(NULL, &options), GT_ERR_INVALID_ARGUMENT);
    options.flags = UINT64_C(1) << 63;
    assert_status(open_with_options(NULL, &options), GT_ERR_INVALID_ARGUMENT);
    options.flags = 0;
    options.allocator = json.allocator = &allocator;
    assert_status(open_with_options(NULL, &options), GT_ERR_INVALID_ARGUMENT);
    assert_status(open_writer(NULL, &json), GT_ERR_INVALID_ARGUMENT);
    json.allocator = NULL;
    json.flags = 1;
    assert_status(open_writer(NULL, &json), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_splitter_open(&splitter, 0, &allocator, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(splitter);
    assert_status(gt_emitter_open(&emitter, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(emitter);
    assert_status(gt_emitter_open(NULL, &none, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
}

static void test_null_arguments_are_refused_and_change_nothing(void **state)
{
    gt_emitter *emitter = open_emitter();
    const gt_emitter_frame frame = {1, 2, {NULL, 1}, {"", 0}};
    const gt_emitter_frame of_no_file = {1, 2, {"", 0}, {NULL, 1}};
    uint32_t stack = 7;
    (void) state;
    for (size_t i = 0; i < step_count; i++)
        assert_status(steps[i].call(NULL), GT_ERR_INVALID_ARGUMENT);
    for (size_t i = 0; i < 7; i++)
        assert_status(structures[i].call(emitter, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_emitter_stack(emitter, &frame, 1, &stack), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(stack, 0);
    assert_status(gt_emitter_stack(emitter, &of_no_file, 1, &stack), GT_ERR_INVALID_ARGUMENT);
    stack = 7;
    assert_status(gt_emitter_stack(emitter, NULL, 1, &stack), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(stack, 0);
    assert_status(gt_emitter_stack(emitter, &frame, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_emitter_name_section(emitter, 1, no_string), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_emitter_name_resource(emitter, 1, no_string), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_emitter_name_task(emitter, 1, no_string, 1), GT_ERR_INVALID_ARGUMENT);
    assert_log(&the_log, "");
    /* None of these errors ended the emitting. */
    for (size_t i = 0; i < step_count; i++)
        assert_status(steps[i].call(emitter), GT_OK);
    gt_emitter_close(&emitter);
}

/* Makes a call with a copy of a valid structure in which one member is invalid. */
#define CHECK_BAD(good, call, member, value)                                                       \
    do {                                                                                           \
        bad = (good);                                                                              \
        bad.member = (value);                                                                      \
        assert_status(call, GT_ERR_INVALID_ARGUMENT);                                              \
    } while (0)

static void test_slice_with_a_bad_member_is_refused(void **state)
{
    gt_emitter *emitter = open_emitter();
    static const gt_viewer_argument bad_kinds[] = {
        {{"k", 1}, 0, 0, 0, {NULL, 0}, 0},
        {{"k", 1}, 5, 0, 0, {NULL, 0}, 0},
        {{NULL, 1}, GT_VIEWER_SIGNED, 0, 0, {NULL, 0}, 0},
        {{"k", 1}, GT_VIEWER_STRING, 0, 0, {NULL, 1}, 0},
    };
    gt_slice bad;
    (void) state;
    CHECK_BAD(good_slice, gt_emitter_slice(emitter, &bad), name, no_string);
    CHECK_BAD(good_slice, gt_emitter_async_slice(emitter, &bad), category, no_string);
    CHECK_BAD(good_slice, gt_emitter_async_slice(emitter, &bad), scope, no_string);
    CHECK_BAD(good_slice, gt_emitter_task_slice(emitter, &bad), stack, 1);
    CHECK_BAD(good_slice, gt_emitter_slice(emitter, &bad), end_stack, 1);
    CHECK_BAD(good_slice, gt_emitter_slice(emitter, &bad), argument_count, 1);
    for (size_t i = 0; i < 4; i++) {
        bad = good_slice;
        bad.arguments = &bad_kinds[i];
        bad.argument_count = 1;
        assert_status(gt_emitter_slice(emitter, &bad), GT_ERR_INVALID_ARGUMENT);
    }
    assert_log(&the_log, "");
    gt_emitter_close(&emitter);
}

static void test_instant_or_arrow_with_a_bad_member_is_refused(void **state)
{
    gt_emitter *emitter = open_emitter();
    (void) state;
    {
        gt_instant bad;
        CHECK_BAD(good_instant, gt_emitter_instant(emitter, &bad), name, no_string);
        CHECK_BAD(good_instant, gt_emitter_instant(emitter, &bad), category, no_string);
        CHECK_BAD(good_instant, gt_emitter_instant(emitter, &bad), stack, 1);
        CHECK_BAD(good_instant, gt_emitter_instant(emitter, &bad), reserved, 1);
        CHECK_BAD(good_instant, gt_emitter_instant(emitter, &bad), argument_count, 1);
    }
    {
        gt_arrow bad;
        CHECK_BAD(good_arrow, gt_emitter_arrow(emitter, &bad), name, no_string);
        CHECK_BAD(good_arrow, gt_emitter_task_arrow(emitter, &bad), from_stack, 1);
        CHECK_BAD(good_arrow, gt_emitter_arrow(emitter, &bad), reserved, 1);
    }
    assert_log(&the_log, "");
    gt_emitter_close(&emitter);
}

static void test_event_with_a_bad_member_is_refused(void **state)
{
    static const unsigned phases[] = {0, ' ', '"', '\\', 0x7f, 0x100 + 'X'};
    gt_emitter *emitter = open_emitter();
    gt_viewer_event bad;
    (void) state;
    make_good_event();
    for (size_t i = 0; i < sizeof(phases) / sizeof(*phases); i++)
        CHECK_BAD(good_event, gt_emitter_event(emitter, &bad, 1), phase, phases[i]);
    CHECK_BAD(good_event, gt_emitter_event(emitter, &bad, 1), name, no_string);
    CHECK_BAD(good_event, gt_emitter_event(emitter, &bad, 1), category, no_string);
    CHECK_BAD(good_event, gt_emitter_event(emitter, &bad, 1), scope, no_string);
    CHECK_BAD(good_event, gt_emitter_event(emitter, &bad, 1), color, no_string);
    CHECK_BAD(good_event, gt_emitter_event(emitter, &bad, 1), stack, 1);
    CHECK_BAD(good_event, gt_emitter_event(emitter, &bad, 1), end_stack, 1);
    CHECK_BAD(good_event, gt_emitter_event(emitter, &bad, 1), argument_count, 1);
    assert_log(&the_log, "");
    gt_emitter_close(&emitter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structures_of_wrong_size_are_refused),
        cmocka_unit_test(test_slice_of_later_headers_is_emitted),
        cmocka_unit_test(test_info_is_filled_as_far_as_the_caller_has_room),
        cmocka_unit_test(test_bad_options_are_refused),
        cmocka_unit_test(test_null_arguments_are_refused_and_change_nothing),
        cmocka_unit_test(test_slice_with_a_bad_member_is_refused),
        cmocka_unit_test(test_instant_or_arrow_with_a_bad_member_is_refused),
        cmocka_unit_test(test_event_with_a_bad_member_is_refused),
    };
    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
