/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/repairs.h"

#include <string.h>

#include "support/digest.h"
#include "support/states.h"
#include "support/test.h"

static uint64_t hash_add(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

static void note_repair(void *user_data, const gt_error *repair)
{
    struct repairs *repairs = user_data;

    assert_int_equal(repair->size, sizeof(*repair));
    assert_true(repair->status < 0);
    assert_in_range(strlen(repair->message), 1, GT_ERROR_MESSAGE_SIZE - 1);
    if (repairs->count < REPAIRS_MAX) {
        repairs->status[repairs->count] = (gt_status) repair->status;
        repairs->offset[repairs->count] = repair->offset;
    }
    repairs->count++;
    for (const char *c = repair->message; *c != '\0'; c++)
        repairs->hash = hash_add(repairs->hash, (unsigned char) *c);
    repairs->hash = hash_add(repairs->hash, repair->offset);
}

gt_reader_options repairs_options(struct repairs *repairs)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;

    memset(repairs, 0, sizeof(*repairs));
    options.flags = GT_READER_LENIENT;
    options.on_repair = note_repair;
    options.repair_data = repairs;
    return options;
}

void repairs_assert_equal(const struct repairs *actual, const struct repairs *expected)
{
    assert_int_equal(actual->count, expected->count);
    assert_true(actual->hash == expected->hash);
}

/* Whether an event can follow those before it. Prints it if not. */
static int follows(struct states *states, const char *name, const gt_event *event, int64_t *last)
{
    gt_transition transition = GT_TRANSITION_INIT;
    int later = event->time > *last;

    *last = event->time;
    if (!later)
        print_error("%s: the event at %lld is not later than the one before it\n", name,
                    (long long) event->time);
    if (states_follow(states, event))
        return later;
    assert_status(gt_event_transition(event, &transition), GT_OK);
    print_error("%s: the event at %lld moves %s %lld from %u to %u, which it was not in\n", name,
                (long long) event->time, gt_resource_kind_name(transition.resource.kind),
                (long long) transition.resource.id, (unsigned) transition.from,
                (unsigned) transition.to);
    return 0;
}

/* The same as repairs_check, but the first `free` events need not follow those before them. */
static int check_from(const char *name, const uint8_t *data, size_t size, size_t free,
                      struct repairs *repairs)
{
    gt_reader_options options = repairs_options(repairs);
    gt_reader_info info = GT_READER_INFO_INIT;
    struct states states = {0};
    const gt_event *event;
    gt_reader *reader;
    int64_t last = INT64_MIN;
    gt_status status;
    size_t count = 0;
    int bad = 0;

    assert_status(gt_reader_open_memory(&reader, data, size, &options, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK && !bad) {
        if (count++ < free)
            states_follow(&states, event);
        else
            bad = !follows(&states, name, event, &last);
    }
    if (!bad) {
        assert_status(status, GT_END);
        assert_status(gt_reader_get_info(reader, &info), GT_OK);
        /* A generation reports only the first missing thing of a kind. */
        assert_true(info.repairs >= repairs->count && (repairs->count > 0 || info.repairs == 0));
    }
    gt_reader_close(&reader);
    states_free(&states);
    return bad;
}

int repairs_check(const char *name, const uint8_t *data, size_t size, struct repairs *repairs)
{
    return check_from(name, data, size, 0, repairs);
}

void repairs_check_sound(const uint8_t *data, size_t size, struct repairs *repairs)
{
    assert_int_equal(repairs_check("lenient", data, size, repairs), 0);
}

void repairs_check_like_strict(const uint8_t *data, size_t size, struct repairs *repairs)
{
    gt_reader_options options = repairs_options(repairs);
    struct digest strict, lenient;

    digest_memory(&strict, data, size, NULL);
    if (strict.status == GT_END) {
        digest_memory(&lenient, data, size, &options);
        digest_assert_equal(&lenient, &strict);
        assert_int_equal(repairs->count, 0);
        digest_free(&lenient);
    } else {
        /* The time of an event is repaired after its state is decided. */
        assert_int_equal(check_from("lenient", data, size, strict.count + 1, repairs), 0);
    }
    digest_free(&strict);
}
