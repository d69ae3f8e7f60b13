/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * GT_READER_LENIENT where other things lie in the file of a trace of Go 1.5 to 1.21: text that the
 * program prints there, another trace, and zeros. All events of the trace are given, and none of
 * another one. Damage costs the batches that it is in.
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/repairs.h"
#include "support/test.h"
#include "support/v1wire.h"

/* The first bytes of most of these are those of some record, too. */
static const char *const lines[] = {
    "worker 3: request 1 took 1.11 ms\n",
    "404 page not found\n",
    "1 item ",
    "\n\n",
    "\n",
    "# heading\n",
    "%d items are in the queue of this worker\n",
    "A\n",
    "Zap works\n",
    "Starting\n",
    "foo bar\n",
    "ERROR: no\n",
    "{\"msg\":\"\xc3\xa9t\xc3\xa9\"}\r\n",
    "\x1b[31mred\x1b[0m\n",
};

enum {
    LINES = sizeof(lines) / sizeof(*lines),
    HEADER = 16,
    WRITES = 8
};

#define NOON     UINT64_C(5000000000) /* in units of the clock */
#define MORNING  UINT64_C(4000000000)
#define SEQUENCE 2

/* A trace, and where the runtime has begun to write each piece of it. */
struct pieces {
    struct wire wire;
    size_t at[WRITES];
    size_t count;
};

static void piece_begin(struct pieces *pieces)
{
    assert_true(pieces->count < WRITES);
    pieces->at[pieces->count++] = pieces->wire.size;
}

static void batch_begin(struct pieces *pieces, uint64_t proc, uint64_t ticks)
{
    piece_begin(pieces);
    v1_batch(&pieces->wire, proc, ticks);
}

static void write_names(struct wire *wire, const char *name)
{
    if (wire->version >= 7) {
        v1_string(wire, 1, name);
        v1_string(wire, 2, "main.go");
        v1_string(wire, 'd', "the one that \"%d items\" would be");
    }
    v1_stack_one(wire, 1, (struct v1_frame){0x1000, 1, 2, 7});
    v1_stack_one(wire, 2, (struct v1_frame){0x2000, 1, 2, 8});
}

/*
 * Proc 0 runs goroutine 1 in two batches, of which the first ends while it runs, and proc 1 some
 * others in the batch between.
 */
static void write_trace(struct pieces *pieces, unsigned version, uint64_t ticks,
                        unsigned goroutines, const char *name)
{
    struct wire *wire = &pieces->wire;
    memset(pieces, 0, sizeof(*pieces));
    wire_begin(wire, version);
    batch_begin(pieces, 0, ticks);
    V1_EVENT(wire, V1_GO_CREATE, 1, 1, 0, 0);
    V1_EVENT(wire, V1_PROC_START, 1, 5);
    V1_EVENT(wire, V1_GO_START, 1, 1, 1);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 4, 0);
    for (unsigned i = 0; i < goroutines; i++)
        V1_EVENT(wire, V1_GO_CREATE, 1, 100 + i, 1, 2);
    batch_begin(pieces, 1, ticks + 1000);
    V1_EVENT(wire, V1_PROC_START, 1, 6);
    for (unsigned i = 0; i < goroutines; i++) {
        V1_EVENT(wire, V1_GO_START, 1, 100 + i, 1);
        V1_EVENT(wire, V1_HEAP_ALLOC, 1, 1 << 20);
        V1_EVENT(wire, V1_GO_BLOCK, 1, 2);
    }
    V1_EVENT(wire, V1_PROC_STOP, 1);
    batch_begin(pieces, 0, ticks + 2000);
    V1_EVENT(wire, V1_GO_SCHED, 1, 1);
    V1_EVENT(wire, V1_GO_START, 1, 1, SEQUENCE);
    V1_EVENT(wire, V1_GO_END, 200);
    piece_begin(pieces);
    V1_EVENT(wire, V1_FREQUENCY, WIRE_NANOSECONDS);
    batch_begin(pieces, 0, ticks + 3000);
    write_names(wire, name);
}

static void read_lenient(struct digest *digest, const struct wire *wire, struct repairs *repairs)
{
    gt_reader_options options = repairs_options(repairs);
    memset(digest, 0, sizeof(*digest));
    digest_memory(digest, wire->data, wire->size, &options);
    assert_status(digest->status, GT_END);
}

static void read_clean(struct digest *clean, const struct wire *wire)
{
    struct repairs repairs;
    read_lenient(clean, wire, &repairs);
    assert_int_equal(repairs.count, 0);
}

static void assert_same_events(const struct wire *wire, const struct digest *clean, size_t count)
{
    struct repairs repairs;
    struct digest digest;
    read_lenient(&digest, wire, &repairs);
    digest_assert_equal(&digest, clean);
    assert_int_equal(repairs.count, count);
    /* That of text, or of a batch that is cut off, and not of an event that cannot be. */
    if (count != 0 && repairs.offset[0] + 2 < wire->size)
        assert_status(repairs.status[0], GT_ERR_BATCH);
    digest_free(&digest);
}

/* Copies a trace with a line before one piece of it; `piece` is their number: at the end. */
static void print_before(struct wire *to, const struct pieces *from, size_t piece, const char *line)
{
    size_t at = piece < from->count ? from->at[piece] : from->wire.size;
    memset(to, 0, sizeof(*to));
    wire_bytes(to, from->wire.data, at);
    wire_bytes(to, line, strlen(line));
    wire_bytes(to, from->wire.data + at, from->wire.size - at);
}

static void test_text_before_a_piece_is_left_out(void **state)
{
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        struct pieces pieces;
        struct digest clean;
        write_trace(&pieces, v1_versions[k], NOON, 3, "main.work");
        read_clean(&clean, &pieces.wire);
        for (size_t line = 0; line < LINES; line++) {
            for (size_t piece = 0; piece <= pieces.count; piece++) {
                struct wire mixed;
                print_before(&mixed, &pieces, piece, lines[line]);
                assert_same_events(&mixed, &clean, 1);
                wire_free(&mixed);
            }
        }
        digest_free(&clean);
        wire_free(&pieces.wire);
    }
}

static void keep_message(void *user_data, const gt_error *repair)
{
    gt_error_format(repair, user_data, 256);
}

/* All lines before each piece. */
static void test_all_text_is_one_repair_that_quotes_a_line(void **state)
{
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        char message[256] = "", expected[256];
        struct pieces pieces;
        struct digest clean, digest = {0};
        struct wire mixed = {0};
        gt_reader_options options = GT_READER_OPTIONS_INIT;
        write_trace(&pieces, v1_versions[k], NOON, 3, "main.work");
        read_clean(&clean, &pieces.wire);
        wire_bytes(&mixed, pieces.wire.data, HEADER);
        for (size_t piece = 0; piece < pieces.count; piece++) {
            size_t end = piece + 1 < pieces.count ? pieces.at[piece + 1] : pieces.wire.size;
            for (size_t line = 0; line < LINES; line++)
                wire_bytes(&mixed, lines[line], strlen(lines[line]));
            wire_bytes(&mixed, pieces.wire.data + pieces.at[piece], end - pieces.at[piece]);
        }
        options.flags = GT_READER_LENIENT;
        options.on_repair = keep_message;
        options.repair_data = message;
        digest_memory(&digest, mixed.data, mixed.size, &options);
        digest_assert_equal(&digest, &clean);
        snprintf(expected, sizeof(expected),
                 "%u lines of text lie in the trace, the first: \"%.32s\"; left out; the program "
                 "prints to the trace's file, too (offset 16)",
                 (unsigned) (pieces.count * LINES), lines[0]);
        assert_string_equal(message, expected);
        digest_free(&digest);
        digest_free(&clean);
        wire_free(&mixed);
        wire_free(&pieces.wire);
    }
}

/* Writes the frequency, and the names with this time. */
static void write_end(struct pieces *pieces, uint64_t ticks)
{
    piece_begin(pieces);
    V1_EVENT(&pieces->wire, V1_FREQUENCY, WIRE_NANOSECONDS);
    batch_begin(pieces, 0, ticks);
    write_names(&pieces->wire, "main.work");
}

/* A line before any piece from `first` on costs no event. Frees the trace. */
static void check_printed(struct pieces *pieces, size_t first)
{
    struct digest clean;
    read_clean(&clean, &pieces->wire);
    for (size_t piece = first; piece <= pieces->count; piece++) {
        struct wire mixed;
        print_before(&mixed, pieces, piece, "404 page not found\n");
        assert_same_events(&mixed, &clean, 1);
        wire_free(&mixed);
    }
    digest_free(&clean);
    wire_free(&pieces->wire);
}

/* The last event of a batch may have no byte that text has not. */
static void test_events_that_look_like_text_stay(void **state)
{
    struct pieces pieces = {0};
    struct wire *wire = &pieces.wire;
    (void) state;
    wire_begin(wire, 21);
    batch_begin(&pieces, 0, NOON);
    V1_EVENT(wire, V1_GO_CREATE, 1, 1, 0, 0);
    V1_EVENT(wire, V1_PROC_START, 1, 5);
    V1_EVENT(wire, V1_GO_START, 1, 1, 1);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 4, 0);
    V1_EVENT(wire, V1_MARK_ASSIST_START, 'a', 'b');
    batch_begin(&pieces, 0, NOON + 1000);
    V1_EVENT(wire, V1_MARK_ASSIST_DONE, 1);
    V1_EVENT(wire, V1_GO_SYS_CALL, 1, 1);
    V1_EVENT(wire, V1_GO_SCHED, 'o', 'n');
    batch_begin(&pieces, 0, NOON + 2000);
    V1_EVENT(wire, V1_GO_START_LOCAL, 'o', 1);
    V1_EVENT(wire, V1_GO_SCHED, 1, 1);
    V1_EVENT(wire, V1_GO_START_LOCAL, 1, 1);
    V1_EVENT(wire, V1_GO_BLOCK, '?', '?');
    write_end(&pieces, NOON + 3000);
    check_printed(&pieces, 1);
}

/* The time of a batch may have no byte that text has not, as with many procs. */
static void test_batches_that_look_like_text_stay(void **state)
{
    static const uint8_t ticks[] = {0xc3, 0xa9, 0xc3, 0xa9, 'A'}; /* two letters with accents */
    struct pieces pieces = {0};
    struct wire *wire = &pieces.wire;
    uint64_t time = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(ticks); i++)
        time |= (uint64_t) (ticks[i] & 0x7f) << (7 * i);
    wire_begin(wire, 21);
    batch_begin(&pieces, 'p', time);
    V1_EVENT(wire, V1_GO_CREATE, 1, 1, 0, 0);
    V1_EVENT(wire, V1_PROC_START, 1, 5);
    V1_EVENT(wire, V1_GO_START, 1, 1, 1);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 128, 0);
    batch_begin(&pieces, 'q', time);
    V1_EVENT(wire, V1_PROC_START, 1, 6);
    V1_EVENT(wire, V1_PROC_STOP, 1);
    batch_begin(&pieces, 'p', time + 1000);
    V1_EVENT(wire, V1_GO_END, 1);
    write_end(&pieces, time + 3000);
    check_printed(&pieces, 0);
}

/* A shorter run is written over an older file, wherever that goes on behind it. */
static void test_rest_of_an_older_trace_is_left_out(void **state)
{
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        struct pieces old, new;
        struct digest clean;
        write_trace(&old, v1_versions[k], MORNING, 40, "main.old");
        write_trace(&new, v1_versions[k], NOON, 2, "main.new");
        read_clean(&clean, &new.wire);
        assert_true(old.wire.size > new.wire.size);
        for (size_t at = HEADER; at < old.wire.size; at++) {
            struct wire both = {0};
            struct repairs repairs;
            struct digest digest;
            wire_bytes(&both, new.wire.data, new.wire.size);
            wire_bytes(&both, old.wire.data + at, old.wire.size - at);
            read_lenient(&digest, &both, &repairs);
            /* The rest may be no more than a stack that the trace does not use. */
            assert_true(repairs.count <= 2);
            digest_assert_equal(&digest, &clean);
            digest_free(&digest);
            wire_free(&both);
        }
        digest_free(&clean);
        wire_free(&old.wire);
        wire_free(&new.wire);
    }
}

/* A download that broke off, and another one behind it: the first is read as far as it goes. */
static void test_another_header_ends_the_trace(void **state)
{
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        struct pieces pieces;
        write_trace(&pieces, v1_versions[k], NOON, 2, "main.work");
        for (size_t cut = HEADER; cut <= pieces.wire.size; cut++) {
            struct repairs repairs;
            struct digest alone, joined;
            struct wire part = {0};
            wire_bytes(&part, pieces.wire.data, cut);
            read_lenient(&alone, &part, &repairs);
            wire_bytes(&part, pieces.wire.data, pieces.wire.size);
            read_lenient(&joined, &part, &repairs);
            assert_true(repairs.count >= 1);
            digest_assert_equal(&joined, &alone);
            digest_free(&alone);
            digest_free(&joined);
            wire_free(&part);
        }
        wire_free(&pieces.wire);
    }
}

/* Goroutine 1 gives way with a stack, and ends 201 ns later. */
static void check_last_events(const struct wire *wire, struct repairs *repairs)
{
    gt_reader_options options = repairs_options(repairs);
    gt_transition transition = GT_TRANSITION_INIT;
    const gt_event *event;
    gt_reader *reader;
    gt_status status;
    int64_t gave_way = -1, ended = -1;
    const gt_frame *frames;
    size_t count = 0;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, &options, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        if (event->goroutine != 1 || gt_event_transition(event, &transition) != GT_OK ||
            transition.resource.kind != GT_RESOURCE_GOROUTINE)
            continue;
        if (transition.to == GT_GO_RUNNABLE)
            gave_way = event->time;
        if (transition.to == GT_GO_RUNNABLE)
            assert_status(gt_stack_view(reader, transition.stack, &frames, &count), GT_OK);
        if (transition.to == GT_GO_NOT_EXIST)
            ended = event->time;
    }
    assert_status(status, GT_END);
    assert_int_equal(ended - gave_way, 201);
    assert_int_equal(count, 1);
    gt_reader_close(&reader);
}

/* Bytes are changed: the batches behind are read, with the stacks and the frequency. */
static void test_damage_costs_no_later_batch(void **state)
{
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        struct pieces pieces;
        struct repairs repairs;
        struct wire part = {0};
        write_trace(&pieces, v1_versions[k], NOON, 2, "main.work");
        size_t end = pieces.at[1];
        wire_bytes(&part, pieces.wire.data, end - 4);
        wire_bytes(&part, "\xff\xff\xff\xff", 4);
        wire_bytes(&part, pieces.wire.data + end, pieces.wire.size - end);
        check_last_events(&part, &repairs);
        assert_true(repairs.count >= 1);
        wire_free(&part);
        wire_free(&pieces.wire);
    }
}

/*
 * The last batch of Go 1.21: the end of a system call, which is recorded late, a sample, a
 * goroutine that blocks with a stack, the frequency and the names. Bytes that are no record follow.
 */
static void write_last_batch(struct wire *wire)
{
    v1_batch(wire, 1, NOON + 2000);
    V1_EVENT(wire, V1_PROC_START, 1, 6);
    V1_EVENT(wire, V1_GO_SYS_EXIT, 1, 1, 2, NOON + 1500);
    V1_EVENT(wire, V1_GO_START, 1, 1, 3);
    V1_EVENT(wire, V1_CPU_SAMPLE, 1, NOON + 2001, 1, 1, 1);
    V1_EVENT(wire, V1_GO_BLOCK, 1, 1);
    V1_EVENT(wire, V1_FREQUENCY, WIRE_NANOSECONDS);
    write_names(wire, "main.work");
    wire_bytes(wire, "\xff\xff", 2);
}

static void write_damaged(struct wire *wire, const char *last, size_t size)
{
    memset(wire, 0, sizeof(*wire));
    wire_begin(wire, 21);
    v1_batch(wire, 0, NOON);
    V1_EVENT(wire, V1_GO_CREATE, 1, 1, 0, 0);
    V1_EVENT(wire, V1_PROC_START, 1, 5);
    V1_EVENT(wire, V1_GO_START, 1, 1, 1);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 4, 0);
    V1_EVENT(wire, V1_GO_SYS_CALL, 1, 1);
    V1_EVENT(wire, V1_GO_SYS_BLOCK, 1);
    V1_EVENT(wire, V1_PROC_STOP, 1);
    wire_bytes(wire, last, size);
    write_last_batch(wire);
}

/*
 * The first byte of a GoStart before a batch takes the header of the batch for its numbers, so that
 * all of the batch is read as a part of the one before, up to the bytes that are no record. Then it
 * is read again, and nothing of it is there twice or missing.
 */
static void test_what_was_read_in_a_gap_is_forgotten(void **state)
{
    struct wire whole, damaged;
    struct digest expected, digest;
    struct repairs repairs;
    (void) state;
    write_damaged(&whole, "", 0);
    write_damaged(&damaged, "\x8e", 1);
    read_lenient(&expected, &whole, &repairs);
    assert_int_equal(repairs.count, 1);
    read_lenient(&digest, &damaged, &repairs);
    assert_int_equal(repairs.count, 2);
    assert_int_equal(repairs.offset[1], damaged.size - 2);
    digest_assert_equal(&digest, &expected);
    digest_free(&digest);
    digest_free(&expected);
    wire_free(&damaged);
    wire_free(&whole);
}

/* A file that was made larger than the trace needs. */
static void test_zeros_behind_a_complete_trace_are_no_damage(void **state)
{
    static const uint8_t zeros[100];
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        struct pieces pieces;
        struct digest clean, digest;
        struct repairs repairs;
        write_trace(&pieces, v1_versions[k], NOON, 2, "main.work");
        read_clean(&clean, &pieces.wire);
        wire_bytes(&pieces.wire, zeros, sizeof(zeros));
        assert_same_events(&pieces.wire, &clean, 0);
        pieces.wire.size = pieces.at[2];
        wire_bytes(&pieces.wire, zeros, sizeof(zeros));
        read_lenient(&digest, &pieces.wire, &repairs);
        assert_true(repairs.count >= 1);
        digest_free(&digest);
        digest_free(&clean);
        wire_free(&pieces.wire);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_before_a_piece_is_left_out),
        cmocka_unit_test(test_all_text_is_one_repair_that_quotes_a_line),
        cmocka_unit_test(test_events_that_look_like_text_stay),
        cmocka_unit_test(test_batches_that_look_like_text_stay),
        cmocka_unit_test(test_rest_of_an_older_trace_is_left_out),
        cmocka_unit_test(test_another_header_ends_the_trace),
        cmocka_unit_test(test_damage_costs_no_later_batch),
        cmocka_unit_test(test_what_was_read_in_a_gap_is_forgotten),
        cmocka_unit_test(test_zeros_behind_a_complete_trace_are_no_damage),
    };
    return cmocka_run_group_tests_name("v1 strays", tests, NULL, NULL);
}
