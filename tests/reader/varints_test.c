/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The numbers of events in every length that they may have, and in one that they may not. Recorded
 * traces have the shortest numbers only, but Go's reader accepts all up to ten bytes.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/files.h"
#include "support/test.h"

enum {
    VARINT_MAX = 10,
    /* A batch may have 64 KiB; the next event must fit, too. */
    BATCH_FULL = 60000,
    HEADER = 16,
    TYPES = 256,
    ARGUMENTS = 8
};

/* A trace that is copied, with other lengths of its numbers. */
struct copying {
    const uint8_t *from, *end;
    uint8_t *to;
    size_t size, capacity;
    unsigned version;
    /* How many bytes each number of an event has at least. */
    unsigned least;
    /* The argument of a type whose first occurrence is not a number at all; type 0: none. */
    unsigned bad_type, bad_argument;
    bool is_bad;
    /* Which arguments of which types there are. */
    bool seen[TYPES][ARGUMENTS];
};

static void copying_put(struct copying *copying, const void *data, size_t size)
{
    if (copying->size + size > copying->capacity) {
        copying->capacity = 2 * (copying->size + size);
        copying->to = realloc(copying->to, copying->capacity);
        assert_non_null(copying->to);
    }
    memcpy(copying->to + copying->size, data, size);
    copying->size += size;
}

static void copying_put_number(struct copying *copying, uint64_t value, unsigned least)
{
    uint8_t bytes[VARINT_MAX];
    unsigned size = 0;
    for (; value >= 0x80 || size + 1 < least; value >>= 7)
        bytes[size++] = (uint8_t) (value & 0x7f) | 0x80;
    bytes[size++] = (uint8_t) value;
    copying_put(copying, bytes, size);
}

static uint64_t copying_take_number(struct copying *copying)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        assert_true(copying->from < copying->end && shift < 70);
        byte = *copying->from++;
        value |= (uint64_t) (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return value;
}

static void copy_argument(struct copying *copying, unsigned type, unsigned argument)
{
    static const uint8_t none[VARINT_MAX + 1] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                 0xff, 0xff, 0xff, 0xff, 0xff};
    uint64_t value = copying_take_number(copying);
    assert_true(argument < ARGUMENTS);
    copying->seen[type][argument] = true;
    if (!copying->is_bad && type == copying->bad_type && argument == copying->bad_argument) {
        copying->is_bad = true;
        copying_put(copying, none, sizeof(none));
    } else {
        copying_put_number(copying, value, copying->least);
    }
}

static void batch_put(struct copying *copying, const uint64_t header[3], const struct copying *part)
{
    static const uint8_t type = GT_WIRE_EVENT_BATCH;
    copying_put(copying, &type, 1);
    for (int i = 0; i < 3; i++)
        copying_put_number(copying, header[i], 1);
    copying_put_number(copying, part->size, 1);
    copying_put(copying, part->to, part->size);
}

/* Copies the events of a batch to one batch, or to several if they have become too long. */
static void copy_events(struct copying *copying, uint64_t header[3], const uint8_t *end)
{
    struct copying part = *copying;
    uint64_t time = header[2];
    part.to = NULL;
    part.size = part.capacity = 0;
    part.end = end;
    while (part.from < end) {
        uint8_t type = *part.from++;
        const gt_wire_spec *spec = gt_wire_spec_get(copying->version, type);
        assert_non_null(spec);
        assert_int_equal(spec->flags & (GT_WIRE_HAS_DATA | GT_WIRE_HAS_FRAMES), 0);
        assert_int_equal(spec->arguments[0].kind, GT_WIRE_TIME_DELTA);
        if (part.size > BATCH_FULL) {
            batch_put(copying, header, &part);
            part.size = 0;
            header[2] = time;
        }
        const uint8_t *first = part.from;
        time += copying_take_number(&part);
        part.from = first;
        copying_put(&part, &type, 1);
        for (unsigned i = 0; i < spec->argument_count; i++)
            copy_argument(&part, type, i);
    }
    batch_put(copying, header, &part);
    memcpy(copying->seen, part.seen, sizeof(part.seen));
    copying->is_bad = part.is_bad;
    copying->from = end;
    free(part.to);
}

/* Whether a batch that begins with this has events of threads, and not a table or the clock. */
static bool batch_has_events(uint8_t type)
{
    return type != GT_WIRE_STACKS && type != GT_WIRE_STRINGS && type != GT_WIRE_CPU_SAMPLES &&
           type != GT_WIRE_FREQUENCY && type != GT_WIRE_SYNC && type != GT_WIRE_CLOCK_SNAPSHOT;
}

static void copy_batch(struct copying *copying)
{
    const uint8_t *start = copying->from++;
    uint64_t header[3];
    if (*start == GT_WIRE_END_OF_GENERATION) {
        copying_put(copying, start, 1);
        return;
    }
    assert_true(*start == GT_WIRE_EVENT_BATCH || *start == GT_WIRE_EXPERIMENTAL_BATCH);
    if (*start == GT_WIRE_EXPERIMENTAL_BATCH)
        copying_take_number(copying);
    for (int i = 0; i < 3; i++)
        header[i] = copying_take_number(copying);
    uint64_t size = copying_take_number(copying);
    assert_true(size <= (uint64_t) (copying->end - copying->from));
    const uint8_t *end = copying->from + size;
    if (*start == GT_WIRE_EVENT_BATCH && size > 0 && batch_has_events(*copying->from)) {
        copy_events(copying, header, end);
        return;
    }
    copying->from = end;
    copying_put(copying, start, (size_t) (end - start));
}

static void copy_trace(struct copying *copying, const uint8_t *data, size_t size)
{
    copying->from = data + HEADER;
    copying->end = data + size;
    copying->version = (unsigned) strtoul((const char *) data + strlen("go 1."), NULL, 10);
    copying->size = 0;
    copying->is_bad = false;
    copying_put(copying, data, HEADER);
    while (copying->from < copying->end)
        copy_batch(copying);
}

static void check_lengths(const uint8_t *data, size_t size, const struct digest *plain)
{
    struct copying copying = {.to = NULL};
    for (copying.least = 1; copying.least <= VARINT_MAX; copying.least++) {
        struct digest longer;
        copy_trace(&copying, data, size);
        digest_memory(&longer, copying.to, copying.size, NULL);
        digest_assert_equal(&longer, plain);
        digest_free(&longer);
    }
    free(copying.to);
}

static void check_bad(const uint8_t *data, size_t size, const struct digest *plain)
{
    struct copying copying = {.to = NULL, .least = 1};
    copy_trace(&copying, data, size);
    for (unsigned type = 1; type < TYPES; type++) {
        for (unsigned argument = 0; argument < ARGUMENTS; argument++) {
            struct digest bad;
            if (!copying.seen[type][argument])
                continue;
            copying.bad_type = type;
            copying.bad_argument = argument;
            copy_trace(&copying, data, size);
            assert_true(copying.is_bad);
            digest_memory(&bad, copying.to, copying.size, NULL);
            assert_status(bad.status, GT_ERR_EVENT);
            digest_assert_prefix(&bad, plain);
            digest_free(&bad);
        }
    }
    free(copying.to);
}

static void check_traces(void (*check)(const uint8_t *, size_t, const struct digest *))
{
    static const char *const names[] = {"v2/go1.22-syscall.trace", "v2/go1.26-tasks.trace",
                                        "v2/go1.25-gc.trace", "v2/go1.27-mix.trace"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct digest plain;
        char *path = files_join(files_testdata(), names[i]);
        size_t size;
        uint8_t *data = files_read(path, &size);
        digest_memory(&plain, data, size, NULL);
        assert_status(plain.status, GT_END);
        check(data, size, &plain);
        digest_free(&plain);
        free(data);
        free(path);
    }
}

static void test_numbers_may_have_up_to_ten_bytes(void **state)
{
    (void) state;
    check_traces(check_lengths);
}

static void test_numbers_without_an_end_are_refused_everywhere(void **state)
{
    (void) state;
    check_traces(check_bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_may_have_up_to_ten_bytes),
        cmocka_unit_test(test_numbers_without_an_end_are_refused_everywhere),
    };
    return cmocka_run_group_tests_name("varints", tests, NULL, NULL);
}
