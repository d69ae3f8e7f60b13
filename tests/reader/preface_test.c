/* SPDX-License-Identifier: BSD-3-Clause */

/* GT_READER_LENIENT where text precedes the header of a trace. */

#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/gen.h"
#include "support/gen_events.h"
#include "support/repairs.h"
#include "support/test.h"
#include "support/v1wire.h"

enum {
    MOST = 64 << 10 /* the most bytes of text before the header */
};

static const char *const prefaces[] = {
    "listening on :8080\n", "go 1.26 trace\n", /* not a header, as it ends with a line feed */
    "going\ngo 1.2",        "\xe2\x86\x92 d\xc3\xa9\r\n\n",
    "\x1b[1mgo\x1b[0m\n",
};

static void write_trace(struct wire *wire, unsigned version)
{
    struct gen g = {0};
    memset(wire, 0, sizeof(*wire));
    if (version <= 21) {
        v1_start(wire, version);
        return;
    }
    gen_begin(&g, version);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    gen_end(&g);
    wire_bytes(wire, g.wire.data, g.wire.size);
    gen_free(&g);
}

static void put_before(struct wire *to, const void *text, size_t size, const struct wire *trace)
{
    memset(to, 0, sizeof(*to));
    wire_bytes(to, text, size);
    wire_bytes(to, trace->data, trace->size);
}

static const unsigned versions[] = {5, 11, 21, 22, 26};

static void test_text_before_the_header_is_left_out(void **state)
{
    (void) state;
    for (size_t v = 0; v < sizeof(versions) / sizeof(*versions); v++) {
        struct wire trace;
        struct digest clean = {0};
        struct repairs repairs;
        gt_reader_options options = repairs_options(&repairs);
        write_trace(&trace, versions[v]);
        digest_memory(&clean, trace.data, trace.size, &options);
        for (size_t i = 0; i < sizeof(prefaces) / sizeof(*prefaces); i++) {
            struct wire mixed;
            struct digest digest = {0};
            options = repairs_options(&repairs);
            put_before(&mixed, prefaces[i], strlen(prefaces[i]), &trace);
            digest_memory(&digest, mixed.data, mixed.size, &options);
            digest_assert_equal(&digest, &clean);
            assert_int_equal(repairs.count, 1);
            assert_int_equal(repairs.offset[0], 0);
            digest_free(&digest);
            wire_free(&mixed);
        }
        digest_free(&clean);
        wire_free(&trace);
    }
}

/* The text comes byte by byte, as from a pipe. */
static void test_text_may_come_in_pieces(void **state)
{
    (void) state;
    for (size_t v = 0; v < sizeof(versions) / sizeof(*versions); v++) {
        static const size_t steps[] = {1};
        struct wire trace, mixed;
        struct digest clean = {0}, digest = {0};
        struct repairs repairs;
        struct feed feed;
        gt_reader_options options = repairs_options(&repairs);
        write_trace(&trace, versions[v]);
        digest_memory(&clean, trace.data, trace.size, &options);
        put_before(&mixed, prefaces[0], strlen(prefaces[0]), &trace);
        feed_init(&feed, mixed.data, mixed.size);
        feed.steps = steps;
        feed.step_count = 1;
        options = repairs_options(&repairs);
        digest_push(&digest, &feed, &options);
        digest_assert_equal(&digest, &clean);
        assert_int_equal(repairs.count, 1);
        digest_free(&digest);
        digest_free(&clean);
        wire_free(&mixed);
        wire_free(&trace);
    }
}

static gt_status open_status(const struct wire *wire, const gt_reader_options *options)
{
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader;
    gt_status status = gt_reader_open_memory(&reader, wire->data, wire->size, options, &error);
    assert_int_equal(error.offset == 0, status != GT_OK);
    gt_reader_close(&reader);
    return status;
}

static void test_only_bounded_text_may_precede_the_header(void **state)
{
    static char text[MOST + 1];
    struct wire trace, mixed;
    struct repairs repairs;
    gt_reader_options options = repairs_options(&repairs);
    (void) state;
    memset(text, 'a', sizeof(text));
    write_trace(&trace, 26);
    put_before(&mixed, text, MOST, &trace);
    assert_status(open_status(&mixed, &options), GT_OK);
    assert_status(open_status(&mixed, NULL), GT_ERR_NOT_A_TRACE);
    wire_free(&mixed);
    put_before(&mixed, text, MOST + 1, &trace);
    assert_status(open_status(&mixed, &options), GT_ERR_NOT_A_TRACE);
    wire_free(&mixed);
    put_before(&mixed, "text\0", 5, &trace);
    assert_status(open_status(&mixed, &options), GT_ERR_NOT_A_TRACE);
    wire_free(&mixed);
    put_before(&mixed, "half a character \xe2\x86", 19, &trace);
    assert_status(open_status(&mixed, &options), GT_ERR_NOT_A_TRACE);
    wire_free(&mixed);
    wire_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_before_the_header_is_left_out),
        cmocka_unit_test(test_text_may_come_in_pieces),
        cmocka_unit_test(test_only_bounded_text_may_precede_the_header),
    };
    return cmocka_run_group_tests_name("preface", tests, NULL, NULL);
}
