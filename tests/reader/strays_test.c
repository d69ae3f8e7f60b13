/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * GT_READER_LENIENT where other things lie in the file of a trace of Go 1.22 and later: text that
 * the program prints there, another trace, the same bytes again, and zeros. All events of the trace
 * are given, and none of another one.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/gen.h"
#include "support/gen_events.h"
#include "support/repairs.h"
#include "support/test.h"

/* Some of these lines begin as an end marker or as a batch of an experiment does, or look so. */
static const char *const lines[] = {
    "404 page not found\n",
    "1 1 1 1 1 1\n",
    "4\n",
    "44\n",
    "11:11:11 GET /4\r\n",
    "{\"msg\":\"\xc3\xa9t\xc3\xa9\"}\n",
    "\x1b[31mred\x1b[0m\n",
    "1 item",
    "\n",
};

enum {
    LINES = sizeof(lines) / sizeof(*lines),
    HEADER = 16,
    SECOND = 1000000000 /* in units of the clock */
};

static const unsigned versions[] = {22, 23, 25, 26};

/* Two generations of two threads. The name is in strings of all of them. */
static void write_trace(struct gen *g, unsigned version, bool is_padded, uint64_t time,
                        unsigned goroutines, const char *name)
{
    memset(g, 0, sizeof(*g));
    gen_begin(g, version);
    g->wire.size_width = is_padded ? 10 : 1;
    g->time = time;
    for (uint64_t number = 1; number <= 2; number++) {
        gen_generation(g, number);
        gen_running(g, 5, 0, 1);
        for (uint64_t i = 0; i < goroutines; i++) {
            uint64_t stack = GEN_STACK(g, {name, "main.go", 7 + i});
            gen_go_create(g, 100 * number + i, stack, stack);
        }
        gen_running(g, 6, 1, 2);
        gen_log(g, 0, "key", name, 0);
        gen_end(g);
    }
}

static size_t batch_end(const struct wire *wire, size_t at)
{
    size_t end = wire_batch_after(wire->data, wire->size, at);
    assert_int_not_equal(end, 0);
    return end;
}

static void read_lenient(struct digest *digest, const struct wire *wire, struct repairs *repairs)
{
    gt_reader_options options = repairs_options(repairs);
    memset(digest, 0, sizeof(*digest));
    digest_memory(digest, wire->data, wire->size, &options);
    assert_status(digest->status, GT_END);
}

static void assert_same_events(const struct wire *wire, const struct digest *clean, size_t count)
{
    struct repairs repairs;
    struct digest digest;
    read_lenient(&digest, wire, &repairs);
    digest_assert_equal(&digest, clean);
    assert_int_equal(repairs.count, count);
    digest_free(&digest);
    repairs_check_sound(wire->data, wire->size, &repairs);
}

/* The same in pieces of a byte, and of a few. */
static void assert_same_in_pieces(const struct wire *wire, const struct digest *clean)
{
    static const size_t steps[][2] = {{1, 1}, {7, 30}};
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
        struct repairs repairs;
        gt_reader_options options = repairs_options(&repairs);
        struct digest digest = {0};
        struct feed feed;
        feed_init(&feed, wire->data, wire->size);
        feed.steps = steps[i];
        feed.step_count = 2;
        digest_push(&digest, &feed, &options);
        assert_status(digest.status, GT_END);
        assert_int_equal(digest.count, clean->count);
        assert_true(digest.chain[digest.count - 1] == clean->chain[clean->count - 1]);
        digest_free(&digest);
    }
}

/* Copies a trace with text before its batches, from the line `first` on, and at its end. */
static void print_between(struct wire *to, const struct wire *from, size_t first, size_t every)
{
    size_t line = first, at = HEADER, place = 0;
    memset(to, 0, sizeof(*to));
    wire_bytes(to, from->data, HEADER);
    while (at < from->size) {
        size_t end = batch_end(from, at);
        if (place++ % every == 0) {
            wire_bytes(to, lines[line % LINES], strlen(lines[line % LINES]));
            line++;
        }
        wire_bytes(to, from->data + at, end - at);
        at = end;
    }
    wire_bytes(to, "bye\n", 4);
}

static void test_text_between_batches_is_left_out(void **state)
{
    (void) state;
    for (size_t i = 0; i < 2 * sizeof(versions) / sizeof(*versions); i++) {
        struct gen g;
        struct digest clean;
        struct repairs repairs;
        write_trace(&g, versions[i / 2], i % 2 == 0, SECOND, 3, "main.work");
        read_lenient(&clean, &g.wire, &repairs);
        assert_int_equal(repairs.count, 0);
        for (size_t line = 0; line < LINES; line++) {
            for (size_t every = 1; every <= 3; every++) {
                struct wire mixed;
                print_between(&mixed, &g.wire, line, every);
                assert_same_events(&mixed, &clean, 1);
                if (every == 1)
                    assert_same_in_pieces(&mixed, &clean);
                wire_free(&mixed);
            }
        }
        digest_free(&clean);
        gen_free(&g);
    }
}

static void keep_message(void *user_data, const gt_error *repair)
{
    gt_error_format(repair, user_data, 256);
}

static void test_text_is_one_repair_that_quotes_a_line(void **state)
{
    char message[256] = "";
    struct gen g;
    struct wire mixed;
    struct digest digest = {0};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    (void) state;
    write_trace(&g, 26, true, SECOND, 1, "main.work");
    print_between(&mixed, &g.wire, 5, 4);
    options.flags = GT_READER_LENIENT;
    options.on_repair = keep_message;
    options.repair_data = message;
    digest_memory(&digest, mixed.data, mixed.size, &options);
    assert_string_equal(
        message,
        "4 lines of text lie in the trace, the first: \"{'msg':'\xc3\xa9t\xc3\xa9'}\"; left "
        "out; the program prints to the trace's file, too (offset 16)");
    digest_free(&digest);
    wire_free(&mixed);
    gen_free(&g);
}

/* A shorter run is written over an older file, wherever that goes on behind it. */
static void test_rest_of_an_older_trace_is_left_out(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        struct gen old, new;
        struct digest clean;
        struct repairs repairs;
        write_trace(&old, versions[i], true, SECOND, 40, "main.old");
        write_trace(&new, versions[i], true, 5 * (uint64_t) SECOND, 2, "main.new");
        read_lenient(&clean, &new.wire, &repairs);
        assert_true(old.wire.size > new.wire.size);
        for (size_t at = HEADER; at < old.wire.size; at++) {
            struct wire both = {0};
            wire_bytes(&both, new.wire.data, new.wire.size);
            wire_bytes(&both, old.wire.data + at, old.wire.size - at);
            assert_same_events(&both, &clean, 1);
            wire_free(&both);
        }
        digest_free(&clean);
        gen_free(&old);
        gen_free(&new);
    }
}

/*
 * The same where the shorter run broke off, so that its last generation has no strings: the older
 * ones are not taken for them.
 */
static void test_rest_under_a_trace_that_broke_off_is_left_out(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        struct gen old, new;
        write_trace(&old, versions[i], true, SECOND, 40, "main.old");
        write_trace(&new, versions[i], true, 5 * (uint64_t) SECOND, 2, "main.new");
        for (size_t cut = batch_end(&new.wire, HEADER); cut < new.wire.size;
             cut = batch_end(&new.wire, cut)) {
            struct repairs repairs;
            struct digest alone;
            struct wire part = {0};
            wire_bytes(&part, new.wire.data, cut);
            read_lenient(&alone, &part, &repairs);
            for (size_t at = HEADER; at < old.wire.size; at = batch_end(&old.wire, at)) {
                struct digest joined;
                struct wire both = {0};
                wire_bytes(&both, part.data, part.size);
                wire_bytes(&both, old.wire.data + at + 1, old.wire.size - at - 1);
                read_lenient(&joined, &both, &repairs);
                assert_int_equal(joined.count, alone.count);
                assert_int_equal(digest_common(&joined, &alone), alone.count);
                digest_free(&joined);
                wire_free(&both);
            }
            digest_free(&alone);
            wire_free(&part);
        }
        gen_free(&old);
        gen_free(&new);
    }
}

/* A download that broke off, and another one behind it: the first is read as far as it goes. */
static void test_another_header_ends_the_trace(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        struct gen g;
        write_trace(&g, versions[i], true, SECOND, 2, "main.work");
        for (size_t cut = HEADER; cut <= g.wire.size; cut++) {
            struct repairs repairs;
            struct digest alone, joined;
            struct wire part = {0};
            wire_bytes(&part, g.wire.data, cut);
            read_lenient(&alone, &part, &repairs);
            wire_bytes(&part, g.wire.data, g.wire.size);
            read_lenient(&joined, &part, &repairs);
            assert_true(repairs.count >= 1);
            digest_assert_equal(&joined, &alone);
            digest_free(&alone);
            digest_free(&joined);
            wire_free(&part);
        }
        gen_free(&g);
    }
}

/* A piece of the file is there twice. */
static void test_batches_that_come_again_are_left_out(void **state)
{
    struct gen g;
    struct digest clean;
    struct repairs repairs;
    (void) state;
    write_trace(&g, 26, true, SECOND, 2, "main.work");
    read_lenient(&clean, &g.wire, &repairs);
    for (size_t from = HEADER; from < g.wire.size; from = batch_end(&g.wire, from)) {
        for (size_t to = batch_end(&g.wire, from); to < g.wire.size; to = batch_end(&g.wire, to)) {
            struct wire twice = {0};
            wire_bytes(&twice, g.wire.data, to);
            wire_bytes(&twice, "\0\0", 2);
            wire_bytes(&twice, g.wire.data + from, g.wire.size - from);
            assert_same_events(&twice, &clean, 1);
            wire_free(&twice);
        }
    }
    digest_free(&clean);
    gen_free(&g);
}

/* A file that was made larger than the trace needs. */
static void test_zeros_behind_a_complete_trace_are_no_damage(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        struct gen g;
        struct digest clean, digest;
        struct repairs repairs;
        static const uint8_t zeros[100];
        write_trace(&g, versions[i], true, SECOND, 2, "main.work");
        read_lenient(&clean, &g.wire, &repairs);
        wire_bytes(&g.wire, zeros, sizeof(zeros));
        assert_same_events(&g.wire, &clean, 0);
        g.wire.size -= sizeof(zeros) + 30;
        wire_bytes(&g.wire, zeros, sizeof(zeros));
        read_lenient(&digest, &g.wire, &repairs);
        assert_true(repairs.count >= 1);
        digest_free(&digest);
        digest_free(&clean);
        gen_free(&g);
    }
}

/* Whatever the first numbers of a batch of events are, they are no string's and no stack's. */
static void test_first_event_may_have_any_time(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        for (uint64_t dt = 1; dt < 10; dt++) {
            struct gen g = {0};
            struct digest clean;
            struct repairs repairs;
            gen_begin(&g, versions[i]);
            g.wire.size_width = 10;
            g.time = SECOND;
            gen_generation(&g, 1);
            gen_running(&g, 5, 1, 1);
            gen_on_at(&g, 7, g.time);
            g.dt = dt;
            gen_proc_status(&g, 0, PROC_IDLE);
            gen_end(&g);
            read_lenient(&clean, &g.wire, &repairs);
            assert_int_equal(repairs.count, 0);
            digest_free(&clean);
            gen_free(&g);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_event_may_have_any_time),
        cmocka_unit_test(test_text_between_batches_is_left_out),
        cmocka_unit_test(test_text_is_one_repair_that_quotes_a_line),
        cmocka_unit_test(test_rest_of_an_older_trace_is_left_out),
        cmocka_unit_test(test_rest_under_a_trace_that_broke_off_is_left_out),
        cmocka_unit_test(test_another_header_ends_the_trace),
        cmocka_unit_test(test_batches_that_come_again_are_left_out),
        cmocka_unit_test(test_zeros_behind_a_complete_trace_are_no_damage),
    };
    return cmocka_run_group_tests_name("strays", tests, NULL, NULL);
}
