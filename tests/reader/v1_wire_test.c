/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Malformed traces of Go 1.5 to 1.21. The first call reads the whole input, so such a trace gives
 * nothing but the error of the wire format.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/fault.h"
#include "support/reading.h"
#include "support/test.h"
#include "support/v1sample.h"
#include "support/v1wire.h"

/* More numbers than any event has, except a stack. */
#define NUMBERS_MAX 8

static const uint64_t ones[NUMBERS_MAX] = {1, 1, 1, 1, 1, 1, 1, 1};

static bool is_there(unsigned type, unsigned version)
{
    return v1_specs[type].since != 0 && v1_specs[type].since <= version;
}

/* Checks what is written from `offset` on, with a good event after it. */
static int check(const char *name, struct wire *wire, gt_status status, size_t offset)
{
    struct fault fault = {status, offset, 0, 0};
    if (status != GT_ERR_TRUNCATED)
        V1_EVENT(wire, V1_HEAP_ALLOC, 1, 1);
    return fault_check(name, wire, &fault);
}

#define FIRST(type, code) (V1_##type | (code) << 6)
#define COUNTED(type)     FIRST(type, 3)

/* A varint of 65 bits. */
#define OVERFLOW 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02

/* Bytes after a good start, in the versions since `least`. */
static const struct bytes_fault {
    const char *name;
    unsigned least;
    gt_status status;
    size_t size;
    uint8_t bytes[32];
} bytes_faults[] = {
    {"type 0", 5, GT_ERR_EVENT, 1, {0}},
    {"type 0, counted", 5, GT_ERR_EVENT, 2, {COUNTED(NONE), 0}},
    {"type 50", 5, GT_ERR_EVENT, 2, {50, 1}},
    {"type 63", 5, GT_ERR_EVENT, 4, {0xff, 2, 1, 1}},
    {"argument overflows", 5, GT_ERR_EVENT, 13, {FIRST(HEAP_ALLOC, 1), 1, OVERFLOW, 1}},
    {"dt overflows", 5, GT_ERR_EVENT, 13, {FIRST(PROC_STOP, 0), OVERFLOW, 1, 1}},
    {"length overflows", 5, GT_ERR_EVENT, 13, {COUNTED(GO_CREATE), OVERFLOW, 1, 1}},
    {"varint without an end",
     5,
     GT_ERR_EVENT,
     14,
     {FIRST(HEAP_ALLOC, 1), 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 1}},
    {"length ends within a number", 5, GT_ERR_EVENT, 6, {COUNTED(GO_CREATE), 4, 1, 2, 0, 0x80}},
    {"no length, no arguments", 5, GT_ERR_EVENT, 2, {COUNTED(GO_CREATE), 0}},
    {"batch, code 0", 5, GT_ERR_BATCH, 3, {FIRST(BATCH, 0), 0, 1}},
    {"batch, code 2", 5, GT_ERR_BATCH, 4, {FIRST(BATCH, 2), 0, 1, 1}},
    {"batch, code 3", 5, GT_ERR_BATCH, 5, {COUNTED(BATCH), 3, 0, 1, 1}},
    {"batch, proc 2^31", 5, GT_ERR_BATCH, 8, {FIRST(BATCH, 1), 0x80, 0x80, 0x80, 0x80, 0x08, 1, 1}},
    {"batch, proc -2",
     5,
     GT_ERR_BATCH,
     13,
     {FIRST(BATCH, 1), 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 1, 1}},
    {"batch, proc overflows", 5, GT_ERR_BATCH, 13, {FIRST(BATCH, 1), OVERFLOW, 1, 1}},
    {"batch, ticks overflow", 7, GT_ERR_BATCH, 12, {FIRST(BATCH, 1), 1, OVERFLOW}},
    {"string, id overflows", 7, GT_ERR_STRINGS, 13, {V1_STRING, OVERFLOW, 1, 'x'}},
    {"string, length overflows", 7, GT_ERR_STRINGS, 13, {V1_STRING, 1, OVERFLOW, 'x'}},
    {"string, id 0", 7, GT_ERR_STRINGS, 4, {V1_STRING, 0, 1, 'x'}},
    {"string, empty", 7, GT_ERR_STRINGS, 3, {V1_STRING, 1, 0}},
    {"string, repeated", 7, GT_ERR_STRINGS, 4, {V1_STRING, 77, 1, 'x'}},
    {"frequency overflows", 7, GT_ERR_EVENT, 12, {FIRST(FREQUENCY, 0), OVERFLOW, 1}},
    {"log, message's length overflows",
     11,
     GT_ERR_EVENT,
     17,
     {COUNTED(LOG), 4, 1, 0, 0, 0, OVERFLOW, 'x'}},
    {"stack, number overflows", 5, GT_ERR_STACKS, 14, {COUNTED(STACK), 12, 1, OVERFLOW, 1}},
    {"stack, no argument", 5, GT_ERR_STACKS, 2, {COUNTED(STACK), 0}},
    {"stack, one argument", 5, GT_ERR_STACKS, 3, {COUNTED(STACK), 1, 1}},
    {"stack, a frame too few", 5, GT_ERR_STACKS, 8, {COUNTED(STACK), 6, 1, 2, 1, 1, 1, 1}},
    {"stack, a number too few", 7, GT_ERR_STACKS, 7, {COUNTED(STACK), 5, 1, 1, 1, 1, 1}},
    {"stack, a number too many", 7, GT_ERR_STACKS, 9, {COUNTED(STACK), 7, 1, 1, 1, 1, 1, 1, 1}},
    {"stack, a frame too many", 5, GT_ERR_STACKS, 8, {COUNTED(STACK), 6, 1, 0, 1, 1, 1, 1}},
    {"stack, number of frames overflows when multiplied",
     5,
     GT_ERR_STACKS,
     13,
     {COUNTED(STACK), 11, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}},
    {"nothing but a type", 5, GT_ERR_TRUNCATED, 1, {FIRST(HEAP_ALLOC, 1)}},
    {"argument missing", 5, GT_ERR_TRUNCATED, 2, {FIRST(HEAP_ALLOC, 1), 1}},
    {"argument cut", 5, GT_ERR_TRUNCATED, 3, {FIRST(PROC_STOP, 0), 0x80, 0x80}},
    {"length missing", 5, GT_ERR_TRUNCATED, 1, {COUNTED(GO_CREATE)}},
    {"length cut", 5, GT_ERR_TRUNCATED, 2, {COUNTED(GO_CREATE), 0x84}},
    {"counted arguments cut", 5, GT_ERR_TRUNCATED, 4, {COUNTED(GO_CREATE), 4, 1, 1}},
    {"counted arguments longer than any file",
     5,
     GT_ERR_TRUNCATED,
     12,
     {COUNTED(STACK), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 1}},
    {"batch, nothing else", 5, GT_ERR_TRUNCATED, 1, {FIRST(BATCH, 1)}},
    {"batch, proc cut", 5, GT_ERR_TRUNCATED, 3, {FIRST(BATCH, 1), 0x80, 0x80}},
    {"batch, no ticks", 5, GT_ERR_TRUNCATED, 2, {FIRST(BATCH, 1), 0}},
    {"batch, ticks cut", 5, GT_ERR_TRUNCATED, 3, {FIRST(BATCH, 1), 0, 0xff}},
    {"frequency, nothing else", 5, GT_ERR_TRUNCATED, 1, {FIRST(FREQUENCY, 0)}},
    {"string, nothing else", 7, GT_ERR_TRUNCATED, 1, {V1_STRING}},
    {"string, id cut", 7, GT_ERR_TRUNCATED, 2, {V1_STRING, 0x81}},
    {"string, no length", 7, GT_ERR_TRUNCATED, 2, {V1_STRING, 1}},
    {"string, length cut", 7, GT_ERR_TRUNCATED, 3, {V1_STRING, 1, 0x83}},
    {"string, no text", 7, GT_ERR_TRUNCATED, 3, {V1_STRING, 1, 3}},
    {"string, text cut", 7, GT_ERR_TRUNCATED, 5, {V1_STRING, 1, 3, 'x', 'y'}},
    {"log, no message", 11, GT_ERR_TRUNCATED, 6, {COUNTED(LOG), 4, 1, 0, 0, 0}},
    {"log, message's length cut", 11, GT_ERR_TRUNCATED, 7, {COUNTED(LOG), 4, 1, 0, 0, 0, 0x80}},
    {"log, message missing", 11, GT_ERR_TRUNCATED, 7, {COUNTED(LOG), 4, 1, 0, 0, 0, 2}},
    {"log, message cut", 11, GT_ERR_TRUNCATED, 8, {COUNTED(LOG), 4, 1, 0, 0, 0, 2, 'x'}},
};

static void test_malformed_bytes_are_an_error(void **state)
{
    const struct bytes_fault *f;
    struct wire wire = {0};
    size_t offset;
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(bytes_faults) / sizeof(*bytes_faults); i++) {
        for (size_t k = 0; k < V1_VERSIONS; k++) {
            f = &bytes_faults[i];
            if (v1_versions[k] < f->least)
                continue;
            v1_start(&wire, v1_versions[k]);
            if (v1_versions[k] >= 7)
                v1_string(&wire, 77, "seventy-seven");
            offset = wire.size;
            wire_bytes(&wire, f->bytes, f->size);
            bad += check(f->name, &wire, f->status, offset);
        }
    }
    assert_int_equal(bad, 0);
}

/* Every event in each older version that does not have it yet. */
static void test_event_of_a_newer_version_is_an_error(void **state)
{
    struct wire wire = {0};
    size_t offset;
    int bad = 0;
    (void) state;
    for (unsigned type = 1; type < V1_TYPES; type++) {
        for (size_t k = 0; k < V1_VERSIONS; k++) {
            if (is_there(type, v1_versions[k]))
                continue;
            v1_start(&wire, v1_versions[k]);
            offset = wire.size;
            if (type == V1_STRING)
                v1_string(&wire, 1, "text");
            else if (type == V1_LOG)
                v1_log(&wire, 0, 0, 0, "text");
            else
                v1_plain(&wire, type, ones, v1_count(v1_versions[k], type));
            bad += check("newer event", &wire, GT_ERR_EVENT, offset);
        }
    }
    assert_int_equal(bad, 0);
}

/*
 * Runs `check_type` for each event in each version that has it, except those that consist of more
 * than numbers.
 */
static void for_all_types(int (*check_type)(struct wire *wire, unsigned type))
{
    struct wire wire = {0};
    int bad = 0;
    for (unsigned type = 1; type < V1_TYPES; type++) {
        if (type == V1_BATCH || type == V1_STACK || type == V1_STRING)
            continue;
        for (size_t k = 0; k < V1_VERSIONS; k++) {
            if (!is_there(type, v1_versions[k]))
                continue;
            wire_begin(&wire, v1_versions[k]);
            bad += check_type(&wire, type);
        }
    }
    assert_int_equal(bad, 0);
}

/* One argument less, or one more. */
static int check_wrong_counts(struct wire *wire, unsigned type)
{
    unsigned version = wire->version;
    size_t offset, count = v1_count(version, type);
    int bad = 0;
    for (int more = 0; more <= 1; more++) {
        v1_start(wire, version);
        offset = wire->size;
        v1_plain(wire, type, ones, more ? count + 1 : count - 1);
        if (type == V1_LOG)
            wire_varint(wire, 0);
        bad += check(more ? "an argument more" : "an argument less", wire, GT_ERR_EVENT, offset);
    }
    return bad;
}

static void test_wrong_argument_count_is_an_error(void **state)
{
    (void) state;
    for_all_types(check_wrong_counts);
}

/* Whether the wire format is read: the first call gives the Sync, whatever comes of the rest. */
static bool is_read(struct wire *wire)
{
    const gt_event *event;
    gt_reader *reader;
    gt_status status;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    status = gt_reader_next_event(reader, &event);
    assert_true(status != GT_OK || event->kind == GT_EVENT_SYNC);
    gt_reader_close(&reader);
    return status == GT_OK;
}

/*
 * The right number of arguments, in the code for that number, and also with an explicit count that
 * is not needed.
 */
static int check_right_count(struct wire *wire, unsigned type)
{
    size_t count = v1_count(wire->version, type);
    unsigned version = wire->version;
    int bad = 0;
    for (int counted = 0; counted <= 1; counted++) {
        v1_start(wire, version);
        if (counted)
            v1_raw(wire, 3, type, ones, count);
        else
            v1_plain(wire, type, ones, count);
        if (type == V1_LOG)
            wire_varint(wire, 0);
        if (!is_read(wire)) {
            print_error("type %u of version %u is not read\n", type, version);
            bad++;
        }
        wire_free(wire);
    }
    return bad;
}

static void test_right_argument_count_is_read(void **state)
{
    (void) state;
    for_all_types(check_right_count);
}

static void test_event_before_a_batch_is_an_error(void **state)
{
    struct wire wire = {0};
    int bad = 0;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        wire_begin(&wire, v1_versions[k]);
        V1_EVENT(&wire, V1_HEAP_ALLOC, 1, 1);
        bad += check("event before any batch", &wire, GT_ERR_EVENT, 16);
        wire_begin(&wire, v1_versions[k]);
        V1_EVENT(&wire, V1_PROC_STOP, 1);
        v1_batch(&wire, 0, 1000);
        V1_EVENT(&wire, V1_FREQUENCY, 1);
        bad += check("event before the first batch", &wire, GT_ERR_EVENT, 16);
    }
    assert_int_equal(bad, 0);
}

/* The lowest and the highest proc, and the id of no proc. */
static void test_lowest_and_highest_proc_are_read(void **state)
{
    static const uint64_t procs[] = {0, 0x7fffffff, WIRE_NONE};
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        for (size_t i = 0; i < 3; i++) {
            wire_begin(&r.wire, v1_versions[k]);
            v1_batch(&r.wire, procs[i], 1);
            V1_EVENT(&r.wire, V1_FREQUENCY, 1);
            V1_EVENT(&r.wire, V1_HEAP_GOAL, 1, 1);
            reading_open(&r, NULL);
            reading_skip(&r, 1);
            reading_next(&r, GT_EVENT_METRIC);
            reading_context(&r, GT_NO_THREAD, (int64_t) procs[i], GT_NO_GOROUTINE);
            reading_end(&r);
        }
    }
}

/*
 * A string of 10^6 bytes is read, and one that is a byte longer is not; the same is true of
 * messages.
 */
static void test_longest_texts_are_read(void **state)
{
    const size_t most = 1000000;
    char *text = calloc(most + 1, 1);
    struct reading r = {0};
    gt_log log = GT_LOG_INIT;
    size_t offset;
    (void) state;
    assert_non_null(text);
    v1_start(&r.wire, 21);
    v1_string_sized(&r.wire, 1, text, most);
    v1_log_sized(&r.wire, 0, 1, 0, text, most);
    reading_open(&r, NULL);
    reading_skip(&r, V1_START_EVENTS);
    assert_status(gt_event_log(reading_next(&r, GT_EVENT_LOG), &log), GT_OK);
    assert_int_equal(log.category.size, most);
    assert_int_equal(log.message.size, most);
    reading_end(&r);
    v1_start(&r.wire, 21);
    offset = r.wire.size;
    v1_string_sized(&r.wire, 1, text, most + 1);
    assert_int_equal(check("long string", &r.wire, GT_ERR_STRINGS, offset), 0);
    v1_start(&r.wire, 21);
    offset = r.wire.size;
    v1_log_sized(&r.wire, 0, 0, 0, text, most + 1);
    assert_int_equal(check("long message", &r.wire, GT_ERR_EVENT, offset), 0);
    free(text);
}

/* The code bits of a string may have any value. */
static void test_code_of_a_string_is_ignored(void **state)
{
    struct reading r = {0};
    gt_label label = GT_LABEL_INIT;
    (void) state;
    for (unsigned code = 0; code <= 3; code++) {
        v1_start(&r.wire, 8);
        wire_byte(&r.wire, V1_STRING | code << 6);
        wire_bytes(&r.wire, "\1\4text", 6);
        V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
        V1_EVENT(&r.wire, V1_GO_START_LABEL, 1, 1, 2, 1);
        reading_open(&r, NULL);
        reading_skip(&r, V1_START_EVENTS + 2);
        assert_status(gt_event_label(reading_next(&r, GT_EVENT_LABEL), &label), GT_OK);
        assert_text(label.label, "text");
        reading_end(&r);
    }
}

/*
 * A stack of 1000 frames takes far more than the 2048 bytes that Go allows; 1001 frames are too
 * many.
 */
static void test_longest_stack_is_read(void **state)
{
    struct v1_frame frames[1001] = {{0}};
    struct reading r = {0};
    size_t count, offset;
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < 1001; i++)
        frames[i].pc = (UINT64_C(1) << 60) + i;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GOMAXPROCS, 1, 1, 1);
        v1_stack(&r.wire, 1, frames, 1000);
        reading_open(&r, NULL);
        reading_skip(&r, V1_START_EVENTS);
        reading_next(&r, GT_EVENT_METRIC);
        assert_status(gt_stack_frames(r.reader, gt_event_stack(r.event), NULL, 0, &count), GT_OK);
        assert_int_equal(count, 1000);
        reading_end(&r);
        v1_start(&r.wire, v1_versions[k]);
        offset = r.wire.size;
        v1_stack(&r.wire, 1, frames, 1001);
        bad += check("long stack", &r.wire, GT_ERR_STACKS, offset);
    }
    assert_int_equal(bad, 0);
}

static void test_bad_frequency_is_an_error(void **state)
{
    static const uint64_t wrong[] = {0, UINT64_C(1) << 63, UINT64_MAX};
    struct wire wire = {0};
    size_t offset;
    int bad = 0;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        for (size_t i = 0; i < 3; i++) {
            wire_begin(&wire, v1_versions[k]);
            v1_batch(&wire, 0, 1);
            V1_EVENT(&wire, V1_HEAP_ALLOC, 1, 1);
            offset = wire.size;
            V1_EVENT(&wire, V1_FREQUENCY, wrong[i]);
            bad += check("bad frequency", &wire, GT_ERR_TIME, offset);
        }
        wire_begin(&wire, v1_versions[k]);
        bad += fault_check("header only", &wire, &(struct fault){GT_ERR_TRUNCATED, 16, 0, 0});
        wire_begin(&wire, v1_versions[k]);
        v1_batch(&wire, 0, 1);
        V1_EVENT(&wire, V1_HEAP_ALLOC, 1, 1);
        bad += fault_check("cut off", &wire, &(struct fault){GT_ERR_TRUNCATED, wire.size, 0, 0});
        wire_begin(&wire, v1_versions[k]);
        v1_batch(&wire, 0, 1);
        v1_stack_one(&wire, 1, (struct v1_frame){7, 0, 0, 1});
        bad +=
            fault_check("no frequency", &wire, &(struct fault){GT_ERR_GENERATION, wire.size, 0, 0});
    }
    assert_int_equal(bad, 0);
}

/* Numbers that take more bytes than they need. */
static void test_padded_numbers_are_read(void **state)
{
    struct digest padded, whole;
    struct wire wire = {0};
    uint64_t numbers[] = {1, 7};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        for (unsigned width = 0; width <= 10; width += 5) {
            v1_start(&wire, v1_versions[k]);
            wire.width = width;
            V1_EVENT(&wire, V1_GO_CREATE, 1, 2, 1, 1);
            V1_EVENT(&wire, V1_HEAP_ALLOC, numbers[0], numbers[1]);
            v1_stack_one(&wire, 1, (struct v1_frame){9, 0, 0, 3});
            v1_batch(&wire, 1, 2000);
            V1_EVENT(&wire, V1_PROC_START, 1, 6);
            digest_memory(width ? &padded : &whole, wire.data, wire.size, NULL);
            if (width == 0)
                continue;
            assert_status(whole.status, GT_END);
            digest_assert_equal(&padded, &whole);
            digest_free(&padded);
        }
        digest_free(&whole);
    }
    wire_free(&wire);
}

/*
 * A boundary between records of a trace: its offset, and how many events the trace gives up to it.
 */
struct cut {
    size_t offset;
    size_t events;
};

/* Writes a trace, and stores the boundary after each of its records: at most `most` of them. */
static size_t write_cuts(struct wire *wire, unsigned version, struct cut *cuts)
{
    size_t count = 0, events = 1;
#define CUT(made) cuts[count++] = (struct cut){wire->size, events += (made)}
    v1_start(wire, version);
    events = V1_START_EVENTS;
    CUT(0);
    V1_EVENT(wire, V1_HEAP_ALLOC, 1, 1 << 20);
    CUT(1);
    v1_stack_one(wire, 1, (struct v1_frame){1 << 20, 0, 0, 300});
    CUT(0);
    V1_EVENT(wire, V1_GO_CREATE, 300, 2, 1, 1);
    CUT(1);
    v1_batch(wire, 1, 5000);
    CUT(0);
    V1_EVENT(wire, V1_PROC_START, 1, 6);
    CUT(1);
    V1_EVENT(wire, V1_GO_START, 1, 2, 1);
    CUT(1);
    if (version >= 11) {
        v1_string(wire, 1, "a key");
        CUT(0);
        v1_log(wire, 0, 1, 0, "a message");
        CUT(1);
    }
    V1_EVENT(wire, V1_GO_BLOCK_SEND, 1, 0);
    CUT(1);
    V1_EVENT(wire, V1_TIMER_GOROUTINE, 9);
    CUT(0);
#undef CUT
    return count;
}

/* Cut between records a trace is a shorter trace, cut within a record it is an error. */
static void check_cut(const struct wire *wire, size_t size, const struct cut *before,
                      const struct digest *whole)
{
    uint8_t *bytes = malloc(size);
    struct digest part;
    assert_non_null(bytes);
    memcpy(bytes, wire->data, size);
    digest_memory(&part, bytes, size, NULL);
    if (size == before->offset) {
        assert_status(part.status, GT_END);
        assert_int_equal(part.count, before->events + 1);
        assert_true(digest_common(&part, whole) >= before->events);
    } else {
        assert_status(part.status, GT_ERR_TRUNCATED);
        assert_int_equal(part.count, 0);
        assert_int_equal(part.error.offset, before->offset);
    }
    digest_free(&part);
    free(bytes);
}

static void test_cut_within_a_record_is_an_error(void **state)
{
    struct digest whole, part;
    struct wire wire = {0};
    struct cut cuts[32];
    size_t size, count;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        count = write_cuts(&wire, v1_versions[k], cuts);
        digest_memory(&whole, wire.data, wire.size, NULL);
        assert_status(whole.status, GT_END);
        assert_int_equal(whole.count, cuts[count - 1].events + 1);
        for (size = 0; size < cuts[0].offset; size++) {
            digest_memory(&part, wire.data, size, NULL);
            assert_true(size >= 16 || part.status == GT_ERR_NOT_A_TRACE);
            digest_free(&part);
        }
        for (size_t i = 0; size <= wire.size; size++) {
            i += i + 1 < count && size == cuts[i + 1].offset;
            check_cut(&wire, size, &cuts[i], &whole);
        }
        digest_free(&whole);
    }
    wire_free(&wire);
}

static void test_versions_that_never_existed_are_refused(void **state)
{
    static const unsigned refused[] = {1, 4, 6, 12, 13, 14, 15, 16, 17, 18, 20, 24};
    struct wire wire = {0};
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        wire_begin(&wire, v1_versions[k]);
        assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, NULL, &error), GT_OK);
        assert_status(gt_reader_get_info(reader, &info), GT_OK);
        assert_int_equal(info.version, v1_versions[k]);
        assert_int_equal(info.newer, 0);
        gt_reader_close(&reader);
    }
    for (size_t k = 0; k < sizeof(refused) / sizeof(*refused); k++) {
        wire_begin(&wire, refused[k]);
        assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, NULL, &error),
                      GT_ERR_VERSION);
        assert_int_equal(error.offset, 0);
        assert_null(reader);
    }
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_malformed_bytes_are_an_error),
        cmocka_unit_test(test_event_of_a_newer_version_is_an_error),
        cmocka_unit_test(test_wrong_argument_count_is_an_error),
        cmocka_unit_test(test_right_argument_count_is_read),
        cmocka_unit_test(test_lowest_and_highest_proc_are_read),
        cmocka_unit_test(test_event_before_a_batch_is_an_error),
        cmocka_unit_test(test_longest_texts_are_read),
        cmocka_unit_test(test_code_of_a_string_is_ignored),
        cmocka_unit_test(test_longest_stack_is_read),
        cmocka_unit_test(test_bad_frequency_is_an_error),
        cmocka_unit_test(test_cut_within_a_record_is_an_error),
        cmocka_unit_test(test_padded_numbers_are_read),
        cmocka_unit_test(test_versions_that_never_existed_are_refused),
    };
    return cmocka_run_group_tests_name("v1 wire", tests, NULL, NULL);
}
