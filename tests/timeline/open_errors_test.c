/* SPDX-License-Identifier: BSD-3-Clause */

/* What the functions that open an object say of options that they do not accept. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <gotrace/format.h>
#include <gotrace/latency.h>
#include <gotrace/make.h>
#include <gotrace/mmu.h>
#include <gotrace/profile.h>
#include <gotrace/raw.h>
#include <gotrace/summary.h>
#include <gotrace/timeline.h>
#include <gotrace/validate.h>
#include <gotrace/viewer_json.h>

#include "support/probe.h"
#include "support/test.h"

/* How options begin. */
struct head {
    size_t size;
    uint64_t flags;
};

/* The options of one type, with members behind them that only a later release has. */
union given {
    struct head head;
    gt_emitter_options emitter;
    gt_event_make_options make;
    gt_formatter_options formatter;
    gt_json_options json;
    gt_latency_options latency;
    gt_mmu_options mmu;
    gt_profile_options profile;
    gt_raw_options raw;
    gt_reader_options reader;
    gt_selector_options selector;
    gt_summary_options summary;
    gt_timeline_options timeline;
    gt_validator_options validator;
    unsigned char bytes[5000];
};

/* What some functions need besides options. */
static gt_reader *some_reader;
static gt_emitter *some_emitter;

static int write_nothing(void *user_data, const void *data, size_t size)
{
    (void) user_data, (void) data, (void) size;
    return 0;
}

/* Opens an object, unless `nowhere`, and closes it. Asserts that the pointer is NULL otherwise. */
#define DEFINE_OPENING(name, type, close, call)                                                    \
    static gt_status name##_try(const union given *given, gt_error *error, bool nowhere)           \
    {                                                                                              \
        int other = 0;                                                                             \
        type *opened = (type *) (void *) &other, **out = nowhere ? NULL : &opened;                 \
        gt_status status = call;                                                                   \
        if (status != GT_OK && !nowhere)                                                           \
            assert_null(opened);                                                                   \
        if (status == GT_OK)                                                                       \
            close(&opened);                                                                        \
        return status;                                                                             \
    }

DEFINE_OPENING(reader, gt_reader, gt_reader_close, gt_reader_open_push(out, &given->reader, error))
DEFINE_OPENING(raw_reader, gt_raw_reader, gt_raw_reader_close,
               gt_raw_reader_open_push(out, &given->raw, error))
DEFINE_OPENING(raw_writer, gt_raw_writer, gt_raw_writer_close,
               gt_raw_writer_open(out, 26, GT_RAW_TEXT, write_nothing, NULL, &given->raw, error))
DEFINE_OPENING(event, gt_event, gt_event_free, gt_event_make(out, &given->make, error))
DEFINE_OPENING(summary, gt_summary, gt_summary_close, gt_summary_open(out, &given->summary, error))
DEFINE_OPENING(latency, gt_latency, gt_latency_close, gt_latency_open(out, &given->latency, error))
DEFINE_OPENING(profile, gt_profile, gt_profile_close, gt_profile_open(out, &given->profile, error))
DEFINE_OPENING(mmu, gt_mmu, gt_mmu_close, gt_mmu_open(out, &given->mmu, error))
DEFINE_OPENING(validator, gt_validator, gt_validator_close,
               gt_validator_open(out, &given->validator, error))
DEFINE_OPENING(formatter, gt_formatter, gt_formatter_close,
               gt_formatter_open(out, some_reader, &given->formatter, error))
DEFINE_OPENING(selector, gt_selector, gt_selector_close,
               gt_selector_open(out, GT_SELECT_GOROUTINE, 1, &given->selector, error))
DEFINE_OPENING(timeline, gt_timeline, gt_timeline_close,
               gt_timeline_open(out, some_reader, some_emitter, &given->timeline, error))
DEFINE_OPENING(emitter, gt_emitter, gt_emitter_close,
               gt_emitter_open(out, &(const gt_consumer) GT_CONSUMER_INIT, &given->emitter, error))
DEFINE_OPENING(writer, gt_json_writer, gt_json_writer_close,
               gt_json_writer_open(out, write_nothing, NULL, &given->json, error))

/* An open function, and what is known of its options. */
struct opening {
    const char *name; /* of the object */
    gt_status (*attempt)(const union given *given, gt_error *error, bool nowhere);
    const void *defaults;
    size_t size;
    size_t least; /* the size in the first release */
    size_t allocator;
};

static const gt_emitter_options emitter_defaults = GT_EMITTER_OPTIONS_INIT;
static const gt_formatter_options formatter_defaults = GT_FORMATTER_OPTIONS_INIT;
static const gt_json_options writer_defaults = GT_JSON_OPTIONS_INIT;
static const gt_latency_options latency_defaults = GT_LATENCY_OPTIONS_INIT;
static const gt_mmu_options mmu_defaults = GT_MMU_OPTIONS_INIT;
static const gt_raw_options raw_reader_defaults = GT_RAW_OPTIONS_INIT;
static const gt_raw_options raw_writer_defaults = GT_RAW_OPTIONS_INIT;
static const gt_reader_options reader_defaults = GT_READER_OPTIONS_INIT;
static const gt_selector_options selector_defaults = GT_SELECTOR_OPTIONS_INIT;
static const gt_summary_options summary_defaults = GT_SUMMARY_OPTIONS_INIT;
static const gt_timeline_options timeline_defaults = GT_TIMELINE_OPTIONS_INIT;
static const gt_validator_options validator_defaults = GT_VALIDATOR_OPTIONS_INIT;
static gt_event_make_options event_defaults = GT_EVENT_MAKE_OPTIONS_INIT;
static gt_profile_options profile_defaults = GT_PROFILE_OPTIONS_INIT;

#define OPENING(name, type, last)                                                                  \
    {                                                                                              \
#name, name##_try, &name##_defaults, sizeof(type),                                         \
            offsetof(type, last) + sizeof(((type *) 0)->last), offsetof(type, allocator)           \
    }

static const struct opening openings[] = {
    OPENING(reader, gt_reader_options, execute_data),
    OPENING(raw_reader, gt_raw_options, progress_data),
    OPENING(raw_writer, gt_raw_options, progress_data),
    OPENING(event, gt_event_make_options, values),
    OPENING(summary, gt_summary_options, user_data),
    OPENING(latency, gt_latency_options, allocator),
    OPENING(profile, gt_profile_options, allocator),
    OPENING(mmu, gt_mmu_options, allocator),
    OPENING(validator, gt_validator_options, keep),
    OPENING(formatter, gt_formatter_options, escape),
    OPENING(selector, gt_selector_options, allocator),
    OPENING(timeline, gt_timeline_options, allocator),
    OPENING(emitter, gt_emitter_options, allocator),
    OPENING(writer, gt_json_options, allocator),
};

/* The defaults, or what is opened if nothing is wrong. */
static union given *given_init(union given *given, const struct opening *opening)
{
    memset(given, 0, sizeof(*given));
    memcpy(given, opening->defaults, opening->size);
    return given;
}

static void expect_error(const struct opening *opening, const union given *given, gt_status status,
                         const char *text)
{
    gt_error error = GT_ERROR_INIT;
    gt_status got = opening->attempt(given, &error, false);
    if (got != status || error.status != status || strcmp(error.message, text) != 0)
        fail_msg("%s: %d, %d: \"%s\", not \"%s\"", opening->name, (int) got, (int) error.status,
                 error.message, text);
    assert_int_equal(error.size, sizeof(error));
    assert_true(error.offset == GT_NO_OFFSET);
    assert_int_equal(error.generation, 0);
    assert_status(opening->attempt(given, NULL, false), status);
}

static void expect_refused(const struct opening *opening, const union given *given,
                           const char *text)
{
    expect_error(opening, given, GT_ERR_INVALID_ARGUMENT, text);
}

#define FOR_EACH_OPENING(opening)                                                                  \
    for (const struct opening *opening = openings;                                                 \
         opening < openings + sizeof(openings) / sizeof(openings[0]); opening++)

static int setup(void **state)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    (void) state;
    profile_defaults.kinds = GT_PROFILE_BIT(GT_PROFILE_SYNC);
    event_defaults.kind = GT_EVENT_TASK_END;
    static gt_task task = GT_TASK_INIT;
    event_defaults.task = &task;
    assert_status(gt_reader_open_push(&some_reader, NULL, NULL), GT_OK);
    assert_status(gt_emitter_open(&some_emitter, &consumer, NULL, NULL), GT_OK);
    return 0;
}

static int teardown(void **state)
{
    (void) state;
    gt_emitter_close(&some_emitter);
    gt_reader_close(&some_reader);
    return 0;
}

static void test_good_options_leave_the_error_alone(void **state)
{
    union given given;
    (void) state;
    FOR_EACH_OPENING(opening)
    {
        gt_error error = GT_ERROR_INIT;
        const gt_error before = error;
        if (opening->attempt(given_init(&given, opening), &error, false) != GT_OK)
            fail_msg("%s: %s", opening->name, error.message);
        assert_memory_equal(&error, &before, sizeof(error));
        given.head.size += 8;
        assert_status(opening->attempt(&given, &error, false), GT_OK);
    }
}

static void test_wrong_size_of_options_is_named(void **state)
{
    union given given;
    char text[200];
    (void) state;
    FOR_EACH_OPENING(opening)
    {
        given_init(&given, opening)->head.size = 0;
        snprintf(text, sizeof(text), "options.size is 0, less than %zu", opening->least);
        expect_refused(opening, &given, text);
        given.head.size = opening->least - 1;
        snprintf(text, sizeof(text), "options.size is %zu, less than %zu", opening->least - 1,
                 opening->least);
        expect_refused(opening, &given, text);
        given.head.size = sizeof(given);
        expect_refused(opening, &given, "options.size is 5000, more than 4096");
    }
}

static void test_member_of_a_later_release_is_named(void **state)
{
    union given given;
    char text[200];
    (void) state;
    FOR_EACH_OPENING(opening)
    {
        given_init(&given, opening)->head.size = opening->size + 16;
        given.bytes[opening->size + 5] = 1;
        snprintf(text, sizeof(text),
                 "options.size is %zu, but only %zu bytes are known, and byte %zu is not 0",
                 opening->size + 16, opening->size, opening->size + 5);
        expect_refused(opening, &given, text);
    }
}

static void test_unknown_flag_is_named(void **state)
{
    union given given;
    (void) state;
    FOR_EACH_OPENING(opening)
    {
        given_init(&given, opening)->head.flags |= UINT64_C(0x8000000000100000);
        expect_refused(opening, &given, "options.flags has unknown bits 0x8000000000100000");
    }
}

static void refuse_allocator(const struct opening *opening, const gt_allocator *allocator,
                             const char *text)
{
    union given given;
    given_init(&given, opening);
    memcpy(given.bytes + opening->allocator, &allocator, sizeof(allocator));
    expect_refused(opening, &given, text);
}

static void test_bad_allocator_is_named(void **state)
{
    struct probe probe;
    char text[200];
    (void) state;
    probe_init(&probe);
    snprintf(text, sizeof(text), "options.allocator->size is 1, less than %zu",
             sizeof(gt_allocator));
    FOR_EACH_OPENING(opening)
    {
        gt_allocator broken = probe.allocator;
        broken.size = 1;
        refuse_allocator(opening, &broken, text);
        broken = probe.allocator;
        broken.allocate = NULL;
        refuse_allocator(opening, &broken, "options.allocator->allocate is NULL");
        broken = probe.allocator;
        broken.reallocate = NULL;
        refuse_allocator(opening, &broken, "options.allocator->reallocate is NULL");
        broken = probe.allocator;
        broken.release = NULL;
        refuse_allocator(opening, &broken, "options.allocator->release is NULL");
    }
    probe_check(&probe);
}

static void test_lack_of_memory_is_an_error_with_a_text(void **state)
{
    struct probe probe;
    union given given;
    (void) state;
    FOR_EACH_OPENING(opening)
    {
        probe_init(&probe);
        const gt_allocator *allocator = &probe.allocator;
        given_init(&given, opening);
        memcpy(given.bytes + opening->allocator, &allocator, sizeof(allocator));
        assert_status(opening->attempt(&given, NULL, false), GT_OK);
        uint64_t calls = probe.calls;
        assert_true(calls > 0);
        for (uint64_t i = 1; i <= calls; i++) {
            gt_error error = GT_ERROR_INIT;
            probe.calls = 0;
            probe.fail_at = i;
            assert_status(opening->attempt(&given, &error, false), GT_ERR_NO_MEMORY);
            assert_status(error.status, GT_ERR_NO_MEMORY);
            assert_string_equal(error.message, "out of memory");
        }
        probe_check(&probe);
    }
}

static void test_missing_place_for_the_object_is_named(void **state)
{
    union given given;
    char text[200];
    (void) state;
    FOR_EACH_OPENING(opening)
    {
        gt_error error = GT_ERROR_INIT;
        const char *name =
            strncmp(opening->name, "raw_", 4) == 0 ? &opening->name[4] : opening->name;
        given_init(&given, opening);
        assert_status(opening->attempt(&given, &error, true), GT_ERR_INVALID_ARGUMENT);
        snprintf(text, sizeof(text), "%s is NULL", name);
        assert_string_equal(error.message, text);
        assert_status(opening->attempt(&given, NULL, true), GT_ERR_INVALID_ARGUMENT);
    }
}

/* An error of a wrong size is refused, and nothing is written to it. */
static void test_error_of_a_wrong_size_is_refused(void **state)
{
    union given given;
    (void) state;
    FOR_EACH_OPENING(opening)
    {
        for (size_t size = 0; size < offsetof(gt_error, message); size += sizeof(size_t)) {
            gt_error error = GT_ERROR_INIT;
            error.size = size;
            const gt_error before = error;
            assert_status(opening->attempt(given_init(&given, opening), &error, false),
                          GT_ERR_INVALID_ARGUMENT);
            assert_memory_equal(&error, &before, sizeof(error));
            given.head.flags = UINT64_MAX;
            assert_status(opening->attempt(&given, &error, true), GT_ERR_INVALID_ARGUMENT);
            assert_memory_equal(&error, &before, sizeof(error));
        }
    }
}

static const struct opening *opening_find(const char *name)
{
    FOR_EACH_OPENING(opening)
    {
        if (strcmp(opening->name, name) == 0)
            return opening;
    }
    fail_msg("no %s", name);
    return NULL;
}

/* Expects a text of the defaults in which one member has another value. */
#define REFUSE(object, member, value, text)                                                        \
    do {                                                                                           \
        union given given_;                                                                        \
        const struct opening *opening_ = opening_find(#object);                                    \
        given_init(&given_, opening_)->object.member = (value);                                    \
        expect_refused(opening_, &given_, (text));                                                 \
    } while (0)

static void test_impossible_options_of_profiles_are_named(void **state)
{
    union given given;
    const struct opening *opening = opening_find("profile");
    gt_profile *profile;
    gt_error error = GT_ERROR_INIT;
    (void) state;
    REFUSE(profile, kinds, 0, "options.kinds is 0, which asks for no profile");
    REFUSE(profile, kinds, 3, "options.kinds has unknown bits 0x1");
    REFUSE(profile, kinds, UINT64_C(1) << 63, "options.kinds has unknown bits 0x8000000000000000");
    REFUSE(profile, goroutine.size, 3, "options.goroutine.data is NULL");
    given_init(&given, opening)->profile.goroutine = (gt_string){"main.main", 9};
    given.profile.flags = GT_PROFILE_REGIONS;
    expect_refused(opening, &given, "options.goroutine cannot be combined with GT_PROFILE_REGIONS");
    assert_status(gt_profile_open(&profile, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "options is NULL");
}

static void test_impossible_options_of_timelines_are_named(void **state)
{
    gt_selector *selector;
    (void) state;
    REFUSE(validator, reserved, 1, "options.reserved is not 0");
    REFUSE(timeline, reserved, 1, "options.reserved is not 0");
    REFUSE(timeline, view, 3, "options.view is not a gt_view");
    REFUSE(timeline, flags, GT_TIMELINE_STATES,
           "options.flags has GT_TIMELINE_STATES, but options.view is not GT_VIEW_GOROUTINE");
    assert_status(gt_selector_open(&selector, GT_SELECT_TASK, 1, NULL, NULL), GT_OK);
    REFUSE(timeline, selector, selector, "options.selector is not finished");
    assert_status(gt_selector_finish(selector), GT_ERR_NOT_AVAILABLE);
    REFUSE(timeline, selector, selector, "options.selector has failed");
    gt_selector_close(&selector);
}

static void expect_text(gt_error *error, gt_status status, const char *text)
{
    assert_status(status, GT_ERR_INVALID_ARGUMENT);
    assert_status(error->status, GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error->message, text);
    *error = (gt_error) GT_ERROR_INIT;
}

static void test_other_bad_arguments_are_named(void **state)
{
    gt_error error = GT_ERROR_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_allocator broken = {sizeof(broken), NULL, NULL, NULL, NULL};
    gt_formatter *formatter;
    gt_selector *selector;
    gt_timeline *timeline;
    gt_emitter *emitter;
    gt_json_writer *writer;
    gt_splitter *splitter;
    gt_raw_writer *raw;
    char text[200];
    (void) state;
    expect_text(&error, gt_formatter_open(&formatter, NULL, NULL, &error), "reader is NULL");
    expect_text(&error, gt_selector_open(&selector, 9, 1, NULL, &error),
                "selection is not a gt_selection");
    expect_text(&error, gt_timeline_open(&timeline, NULL, some_emitter, NULL, &error),
                "reader is NULL");
    expect_text(&error, gt_timeline_open(&timeline, some_reader, NULL, NULL, &error),
                "emitter is NULL");
    expect_text(&error, gt_emitter_open(&emitter, NULL, NULL, &error), "consumer is NULL");
    consumer.size = 8;
    snprintf(text, sizeof(text), "consumer->size is 8, less than %zu", sizeof(consumer));
    expect_text(&error, gt_emitter_open(&emitter, &consumer, NULL, &error), text);
    expect_text(&error, gt_json_writer_open(&writer, NULL, NULL, NULL, &error), "write is NULL");
    expect_text(&error, gt_splitter_open(NULL, 0, NULL, &error), "splitter is NULL");
    expect_text(&error, gt_splitter_open(&splitter, 0, &broken, &error),
                "allocator->allocate is NULL");
    expect_text(&error, gt_raw_writer_open(&raw, 26, 7, write_nothing, NULL, NULL, &error),
                "form is not a GT_RAW_ form");
    expect_text(&error, gt_raw_writer_open(&raw, 26, GT_RAW_TEXT, NULL, NULL, NULL, &error),
                "write is NULL");
}

static int refuse_unit(void *user_data, const char *unit)
{
    (void) user_data, (void) unit;
    return 1;
}

static void test_refusal_of_the_consumer_is_an_error_with_a_text(void **state)
{
    gt_error error = GT_ERROR_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter *emitter;
    (void) state;
    consumer.time_unit = refuse_unit;
    assert_status(gt_emitter_open(&emitter, &consumer, NULL, &error), GT_ERR_CALLBACK);
    assert_null(emitter);
    assert_status(error.status, GT_ERR_CALLBACK);
    assert_string_equal(error.message, "ended by a callback");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_options_leave_the_error_alone),
        cmocka_unit_test(test_wrong_size_of_options_is_named),
        cmocka_unit_test(test_member_of_a_later_release_is_named),
        cmocka_unit_test(test_unknown_flag_is_named),
        cmocka_unit_test(test_bad_allocator_is_named),
        cmocka_unit_test(test_lack_of_memory_is_an_error_with_a_text),
        cmocka_unit_test(test_missing_place_for_the_object_is_named),
        cmocka_unit_test(test_error_of_a_wrong_size_is_refused),
        cmocka_unit_test(test_impossible_options_of_profiles_are_named),
        cmocka_unit_test(test_impossible_options_of_timelines_are_named),
        cmocka_unit_test(test_other_bad_arguments_are_named),
        cmocka_unit_test(test_refusal_of_the_consumer_is_an_error_with_a_text),
    };
    return cmocka_run_group_tests_name("open_errors", tests, setup, teardown);
}
