/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Traces of Go 1.21 and earlier whose numbers and lengths have more bytes than they need, and whose
 * last events end where the input does. Recorded traces have neither, but Go's reader accepts them.
 */

/* For MAP_ANONYMOUS, which POSIX lacks. */
#define _DEFAULT_SOURCE

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/digest.h"
#include "support/files.h"
#include "support/test.h"
#include "support/v1wire.h"
#include "support/wire.h"

enum {
    VARINT_MAX = 10,
    HEADER = 16,
    LAST_EVENTS = 40,
    COUNTED = 3 /* the argument code of an event whose arguments' length precedes them */
};

/* A recorded trace, from which another one is made. */
struct source {
    uint8_t *data;
    const uint8_t *at, *end;
    unsigned version;
};

/* How the numbers are written: with at least so many bytes. */
struct widths {
    unsigned number;
    unsigned length; /* of arguments */
};

enum kind {
    BATCHES = 1,
    EVENTS = 2,
    TABLES = 4 /* strings, stacks and the frequency */
};

static uint64_t source_number(struct source *source)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        assert_true(source->at < source->end && shift < 70);
        byte = *source->at++;
        value |= (uint64_t) (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return value;
}

static unsigned number_size(uint64_t value, unsigned least)
{
    unsigned size = 1;
    for (; value >= 0x80; value >>= 7)
        size++;
    return size < least ? least : size;
}

static void put_number(struct wire *wire, uint64_t value, unsigned least)
{
    wire_varint_wide(wire, value, number_size(value, least));
}

/* Moves past a record that is copied as it is: a batch's header, a string or a stack. */
static void source_skip(struct source *source, unsigned type, unsigned code)
{
    if (type == V1_BATCH) {
        source_number(source);
        source_number(source);
    } else if (type == V1_STRING || code == COUNTED) {
        if (type == V1_STRING)
            source_number(source);
        source->at += source_number(source);
    } else {
        for (unsigned i = 0; i <= code; i++)
            source_number(source);
    }
}

static enum kind kind_of(unsigned type)
{
    if (type == V1_BATCH)
        return BATCHES;
    return type == V1_STRING || type == V1_STACK || type == V1_FREQUENCY ? TABLES : EVENTS;
}

/* Copies the numbers of an event, and the message of a log. */
static void copy_numbers(struct source *source, struct wire *wire, unsigned type, unsigned code,
                         const struct widths *widths)
{
    const size_t count = v1_count(source->version, type);
    uint64_t numbers[8];
    unsigned size = 0;
    assert_in_range(count, 1, 8);
    if (code == COUNTED)
        source_number(source);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = source_number(source);
        size += number_size(numbers[i], widths->number);
    }
    if (code == COUNTED)
        put_number(wire, size, widths->length);
    for (size_t i = 0; i < count; i++)
        put_number(wire, numbers[i], widths->number);
    if (type != V1_LOG)
        return;
    uint64_t length = source_number(source);
    put_number(wire, length, widths->number);
    wire_bytes(wire, source->at, length);
    source->at += length;
}

/* Copies the records of these kinds, up to `most` events. Returns the number of events. */
static size_t copy_records(struct source *source, struct wire *wire, unsigned kinds, size_t most,
                           const struct widths *widths)
{
    size_t events = 0;
    source->at = source->data + HEADER;
    while (source->at < source->end && events < most) {
        const uint8_t *start = source->at++;
        unsigned type = *start & 0x3f, code = *start >> 6;
        struct wire unused = {.data = NULL};
        struct wire *to = kinds & kind_of(type) ? wire : &unused;
        if (kind_of(type) == EVENTS) {
            wire_byte(to, *start);
            copy_numbers(source, to, type, code, widths);
            events++;
        } else {
            source_skip(source, type, code);
            wire_bytes(to, start, (size_t) (source->at - start));
        }
        if (to == &unused)
            wire_free(&unused);
    }
    return events;
}

/* Reads the trace from memory behind which nothing can be read. */
static void read_guarded(const struct wire *wire, struct digest *digest)
{
    const size_t page = (size_t) sysconf(_SC_PAGESIZE);
    const size_t size = (wire->size + page - 1) / page * page;
    uint8_t *block =
        mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(block != MAP_FAILED);
    assert_int_equal(mprotect(block + size, page, PROT_NONE), 0);
    memcpy(block + size - wire->size, wire->data, wire->size);
    digest_memory(digest, block + size - wire->size, wire->size, NULL);
    munmap(block, size + page);
}

/* All numbers of events and all lengths of their arguments get wider. */
static void check_widths(struct source *source)
{
    struct digest plain;
    digest_memory(&plain, source->data, (size_t) (source->end - source->data), NULL);
    assert_status(plain.status, GT_END);
    for (unsigned i = 0; i < 2 * VARINT_MAX; i++) {
        const struct widths widths = {1 + i / 2, 1 + i % 2};
        struct digest wide;
        struct wire wire = {.data = NULL};
        wire_begin(&wire, source->version);
        copy_records(source, &wire, BATCHES | EVENTS | TABLES, SIZE_MAX, &widths);
        read_guarded(&wire, &wide);
        digest_assert_equal(&wide, &plain);
        digest_free(&wide);
        wire_free(&wire);
    }
    digest_free(&plain);
}

/* Reads the first `most` events, with the tables before them or behind them. */
static void read_part(struct source *source, size_t most, bool is_last, struct digest *digest)
{
    const struct widths widths = {1, 1};
    struct wire wire = {.data = NULL};
    wire_begin(&wire, source->version);
    if (is_last)
        copy_records(source, &wire, BATCHES | TABLES, SIZE_MAX, &widths);
    copy_records(source, &wire, BATCHES | EVENTS, most, &widths);
    if (!is_last)
        copy_records(source, &wire, TABLES, SIZE_MAX, &widths);
    read_guarded(&wire, digest);
    wire_free(&wire);
}

/* Each of the last events in turn is the last one, and then also the last bytes of the input. */
static void check_end(struct source *source)
{
    const struct widths widths = {1, 1};
    struct wire unused = {.data = NULL};
    size_t most = copy_records(source, &unused, 0, SIZE_MAX, &widths);
    wire_free(&unused);
    for (size_t i = 0; i < LAST_EVENTS && i < most; i++) {
        struct digest plain, last;
        read_part(source, most - i, false, &plain);
        read_part(source, most - i, true, &last);
        assert_int_equal(last.status, plain.status);
        assert_int_equal(last.count, plain.count);
        assert_int_equal(digest_common(&last, &plain), plain.count);
        digest_free(&plain);
        digest_free(&last);
    }
}

static void check_traces(void (*check)(struct source *))
{
    static const char *const names[] = {"v1/go1.19-net.trace",  "v1/go1.19-tasks.trace",
                                        "v1/go1.21-gc.trace",   "v1/go1.21-procs.trace",
                                        "v1/go1.21-sync.trace", "v1/go1.21-syscall.trace",
                                        "v1/go1.21-cpu.trace",  "v1/go1.21-tasks.trace"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *path = files_join(files_testdata(), names[i]);
        size_t size;
        struct source source = {.data = files_read(path, &size)};
        source.end = source.data + size;
        source.version = (unsigned) strtoul((const char *) source.data + strlen("go 1."), NULL, 10);
        check(&source);
        free(source.data);
        free(path);
    }
}

static void test_numbers_and_lengths_may_have_more_bytes(void **state)
{
    (void) state;
    check_traces(check_widths);
}

static void test_nothing_is_read_behind_the_last_event(void **state)
{
    (void) state;
    check_traces(check_end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_and_lengths_may_have_more_bytes),
        cmocka_unit_test(test_nothing_is_read_behind_the_last_event),
    };
    return cmocka_run_group_tests_name("v1_lengths", tests, NULL, NULL);
}
