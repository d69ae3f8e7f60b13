/* SPDX-License-Identifier: BSD-3-Clause */

/* Reading a batch: its header, and how many bytes are requested from the source. */

#include "v2/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/feed.h"
#include "support/test.h"
#include "support/wire.h"
#include "unit/failing.h"
#include "v2/spec.h"

/* A batch to write. */
struct written {
    uint64_t experiment; /* 0: an ordinary batch */
    uint64_t generation;
    uint64_t thread;
    uint64_t time;
    uint64_t size;
};

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    gt_error error;
    struct gt_source source;
    struct feed feed;
};

static const size_t one[] = {1};

/* Opens a source that returns `wire` byte by byte. */
static void begin(struct fixture *f, const struct wire *wire)
{
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    memset(&f->error, 0, sizeof(f->error));
    feed_init(&f->feed, wire->data, wire->size);
    f->feed.steps = one;
    f->feed.step_count = 1;
    gt_source_init(&f->source, &f->mem, &f->error);
    gt_source_open_callback(&f->source, feed_read, &f->feed);
}

static void end(struct fixture *f)
{
    gt_source_close(&f->source);
    probe_check(&f->probe);
}

/* The byte at a place of a batch. */
static uint8_t content(const struct written *batch, uint64_t i)
{
    return (uint8_t) (batch->thread * 31 + i * 7);
}

/* Writes the header of a batch, and returns its length. */
static size_t write_header(struct wire *wire, const struct written *batch)
{
    size_t start = wire->size;
    if (batch->experiment) {
        wire_byte(wire, EV_EXPERIMENTAL_BATCH);
        wire_byte(wire, (unsigned) batch->experiment);
    } else {
        wire_byte(wire, EV_EVENT_BATCH);
    }
    wire_varint(wire, batch->generation);
    wire_varint(wire, batch->thread);
    wire_varint(wire, batch->time);
    wire_varint(wire, batch->size);
    return wire->size - start;
}

static size_t write_batch(struct wire *wire, const struct written *batch)
{
    size_t header = write_header(wire, batch);
    for (uint64_t i = 0; i < batch->size; i++)
        wire_byte(wire, content(batch, i));
    return header;
}

static void assert_batch(const struct gt_v2_batch *read, const struct written *batch,
                         uint64_t offset, size_t header)
{
    assert_int_equal(read->offset, offset);
    assert_int_equal(read->data_offset, offset + header);
    assert_int_equal(read->experiment, batch->experiment);
    assert_int_equal(read->generation, batch->generation);
    assert_int_equal(read->thread, batch->thread);
    assert_int_equal(read->time, batch->time);
    assert_int_equal(read->size, batch->size);
    assert_int_equal(read->end_of_generation, 0);
    for (uint64_t i = 0; i < batch->size; i++) {
        if (read->data[i] != content(batch, i))
            fail_msg("byte %lu is wrong", (unsigned long) i);
    }
}

static const struct written samples[] = {
    {0, 1, 2, 3, 0},
    {0, 1, 0, 0, 1},
    {7, 300, 70000, 5, 100},
    {255, 1, UINT64_MAX, 1, 0},
    {0, UINT64_MAX, UINT64_MAX, UINT64_MAX, 127},
    {0, 127, 128, 16383, 128},
    {1, 2, 3, UINT64_C(1) << 40, 5000},
    {0, 2, 3, 4, GT_V2_MAX_BATCH},
};

#define SAMPLES (sizeof(samples) / sizeof(samples[0]))

/* Reads the batches one after the other. Not a byte more than each has must be requested. */
static void check_batches(unsigned width)
{
    struct wire wire = {0};
    size_t headers[SAMPLES], ends[SAMPLES];
    struct gt_v2_batch batch;
    struct fixture f;
    wire.width = width;
    for (size_t i = 0; i < SAMPLES; i++) {
        headers[i] = write_batch(&wire, &samples[i]);
        ends[i] = wire.size;
    }
    begin(&f, &wire);
    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t offset = i > 0 ? ends[i - 1] : 0, calls;
        assert_status(gt_v2_batch_peek(&f.source, &batch), GT_OK);
        assert_batch(&batch, &samples[i], offset, headers[i]);
        assert_int_equal(f.feed.position, ends[i]);
        /* It was not taken, so it is read again. */
        calls = f.feed.calls;
        assert_status(gt_v2_batch_peek(&f.source, &batch), GT_OK);
        assert_batch(&batch, &samples[i], offset, headers[i]);
        assert_int_equal(f.feed.calls, calls);
        gt_v2_batch_take(&f.source, &batch);
        assert_int_equal(gt_source_offset(&f.source), ends[i]);
    }
    assert_status(gt_v2_batch_peek(&f.source, &batch), GT_END);
    assert_status(gt_v2_batch_peek(&f.source, &batch), GT_END);
    end(&f);
    wire_free(&wire);
}

static void test_batches_take_only_their_own_bytes(void **state)
{
    (void) state;
    check_batches(0);
    check_batches(5);
    check_batches(10);
}

/* The end marker is recognised before any byte of the next generation is there. */
static void test_end_marker_needs_no_next_batch(void **state)
{
    struct wire wire = {0};
    struct gt_v2_batch batch;
    struct fixture f;
    (void) state;
    wire_byte(&wire, EV_END_OF_GENERATION);
    write_batch(&wire, &samples[2]);
    begin(&f, &wire);
    memset(&batch, 0xee, sizeof(batch));
    assert_status(gt_v2_batch_peek(&f.source, &batch), GT_OK);
    assert_int_equal(batch.end_of_generation, 1);
    assert_int_equal(batch.offset, 0);
    assert_int_equal(batch.generation, 0);
    assert_int_equal(batch.thread, 0);
    assert_int_equal(batch.time, 0);
    assert_int_equal(batch.size, 0);
    assert_int_equal(batch.experiment, 0);
    assert_int_equal(f.feed.position, 1);
    gt_v2_batch_take(&f.source, &batch);
    assert_int_equal(gt_source_offset(&f.source), 1);
    assert_status(gt_v2_batch_peek(&f.source, &batch), GT_OK);
    assert_int_equal(batch.offset, 1);
    end(&f);
    wire_free(&wire);
}

/* Peeks at `wire`, which must fail with an error at `offset`. */
static void assert_fault(const struct wire *wire, uint64_t offset, gt_status status,
                         uint64_t generation, const char *message, size_t taken)
{
    struct gt_v2_batch batch;
    struct fixture f;
    begin(&f, wire);
    assert_status(gt_source_need(&f.source, (size_t) offset), GT_OK);
    f.source.cur += offset;
    assert_status(gt_v2_batch_peek(&f.source, &batch), status);
    assert_int_equal(f.error.status, status);
    assert_int_equal(f.error.offset, offset);
    assert_int_equal(f.error.generation, generation);
    assert_string_equal(f.error.message, message);
    assert_int_equal(f.feed.position, offset + taken);
    end(&f);
}

static const char *const fields[] = {"type", "experiment", "generation", "thread", "time", "size"};

/* Sets the widths of a header's fields, in the order of `fields`. */
static void measure(const struct written *batch, size_t *widths)
{
    const uint64_t numbers[] = {batch->generation, batch->thread, batch->time, batch->size};
    struct wire wire = {0};
    widths[0] = 1;
    widths[1] = batch->experiment ? 1 : 0;
    for (size_t i = 0; i < 4; i++) {
        wire.size = 0;
        wire_varint(&wire, numbers[i]);
        widths[2 + i] = wire.size;
    }
    wire_free(&wire);
}

/* The error names the field at which the header is cut off, even before its first byte. */
static void test_cut_header_names_its_field(void **state)
{
    (void) state;
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t widths[6], field = 0, behind;
        struct wire wire = {0};
        char message[100];
        wire_byte(&wire, 0xee);
        measure(&samples[i], widths);
        write_header(&wire, &samples[i]);
        behind = 1;
        for (size_t cut = 1; cut < wire.size - 1; cut++) {
            struct wire part = wire;
            while (cut >= behind)
                behind += widths[++field];
            snprintf(message, sizeof(message), "batch header is cut off at its %s", fields[field]);
            part.size = 1 + cut;
            assert_fault(&part, 1, GT_ERR_TRUNCATED, 0, message, cut);
        }
        wire_free(&wire);
    }
}

/* The content is cut off: all that is there was read, and the error says how much. */
static void test_cut_content_says_how_much_there_is(void **state)
{
    const struct written *batch = &samples[2];
    struct wire wire = {0};
    size_t header;
    (void) state;
    wire_byte(&wire, 0xee);
    header = write_batch(&wire, batch);
    for (size_t left = 0; left < batch->size; left++) {
        struct wire part = wire;
        char message[100];
        part.size = 1 + header + left;
        snprintf(message, sizeof(message), "batch is cut off: %lu of 100 bytes",
                 (unsigned long) left);
        assert_fault(&part, 1, GT_ERR_TRUNCATED, batch->generation, message, header + left);
    }
    wire_free(&wire);
}

/* A number that does not end is recognised after 10 bytes. */
static void test_overlong_number_is_an_error(void **state)
{
    (void) state;
    for (unsigned experiment = 0; experiment <= 1; experiment++) {
        for (unsigned bad = 0; bad < 4; bad++) {
            struct wire wire = {0};
            char message[100];
            wire_byte(&wire, experiment ? EV_EXPERIMENTAL_BATCH : EV_EVENT_BATCH);
            if (experiment)
                wire_byte(&wire, 3);
            for (unsigned i = 0; i < bad; i++)
                wire_varint(&wire, 5);
            wire_varint_overlong(&wire);
            wire_bytes(&wire, "more bytes that nobody needs", 28);
            snprintf(message, sizeof(message), "malformed %s in a batch header", fields[2 + bad]);
            assert_fault(&wire, 0, GT_ERR_BATCH, 0, message, 11 + bad + experiment);
            wire_free(&wire);
        }
    }
}

/* A batch that is too large is an error before any of its content is read. */
static void test_too_large_batch_is_not_read(void **state)
{
    static const uint64_t sizes[] = {GT_V2_MAX_BATCH + 1, UINT32_MAX, UINT64_C(1) << 32,
                                     UINT64_MAX - 5, UINT64_MAX};
    (void) state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct written batch = {0, 9, 8, 7, sizes[i]};
        struct wire wire = {0};
        char message[100];
        size_t header;
        header = write_header(&wire, &batch);
        wire_bytes(&wire, "content", 7);
        snprintf(message, sizeof(message), "batch of %llu bytes, more than 65536",
                 (unsigned long long) sizes[i]);
        assert_fault(&wire, 0, GT_ERR_BATCH, 9, message, header);
        wire_free(&wire);
    }
}

/* Bytes that start no batch are an error, for which one byte is read. */
static void test_other_first_byte_is_an_error(void **state)
{
    (void) state;
    for (unsigned byte = 0; byte < 256; byte++) {
        struct wire wire = {0};
        char message[100];
        if (byte == EV_EVENT_BATCH || byte == EV_EXPERIMENTAL_BATCH || byte == EV_END_OF_GENERATION)
            continue;
        wire_byte(&wire, 0xee);
        wire_byte(&wire, byte);
        wire_bytes(&wire, "\1\1\1\1", 4);
        snprintf(message, sizeof(message), "expected a batch, found byte %u", byte);
        assert_fault(&wire, 1, GT_ERR_BATCH, 0, message, 1);
        wire_free(&wire);
    }
}

/* The error of the source is returned, wherever it happens. */
static void test_error_of_the_source_is_returned(void **state)
{
    const struct written *batch = &samples[2];
    struct wire wire = {0};
    (void) state;
    write_batch(&wire, batch);
    for (size_t at = 0; at < wire.size; at++) {
        struct gt_v2_batch read;
        struct fixture f;
        begin(&f, &wire);
        f.feed.fail_at = at;
        f.feed.failure = -7;
        assert_status(gt_v2_batch_peek(&f.source, &read), GT_ERR_IO);
        assert_int_equal(f.error.status, GT_ERR_IO);
        assert_int_equal(f.error.offset, at);
        end(&f);
    }
    wire_free(&wire);
}

/* A header is found where it is, whether or not the data behind it are there. */
static void test_a_header_ahead_is_found(void **state)
{
    static const struct written batch = {0, 5, 1, 2, 10};

    static const struct {
        struct written next;
        bool is_found;
    } cases[] = {{{0, 5, 9, 9, 3}, true},
                 {{7, 6, 9, 8, 30}, true},
                 {{0, 0, 9, 9, GT_V2_MAX_BATCH}, true},
                 {{0, 5, 9, 9, GT_V2_MAX_BATCH + 1}, false}};

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct wire wire = {0};
        struct gt_v2_batch read, next;
        struct fixture f;
        size_t next_end, at;
        write_batch(&wire, &batch);
        at = wire.size;
        write_header(&wire, &cases[i].next);
        begin(&f, &wire);
        assert_status(gt_v2_batch_look(&f.source, at, &next, &next_end), GT_OK);
        assert_int_equal(next_end != 0, cases[i].is_found);
        if (next_end != 0) {
            assert_int_equal(next_end, wire.size + cases[i].next.size);
            assert_int_equal(next.offset, at);
            assert_int_equal(next.generation, cases[i].next.generation);
            assert_int_equal(next.time, cases[i].next.time);
        }
        assert_status(gt_v2_batch_look(&f.source, at + 1, &next, &next_end), GT_OK);
        assert_int_equal(next_end, 0);
        assert_status(gt_v2_batch_peek(&f.source, &read), GT_OK);
        assert_int_equal(read.generation, batch.generation);
        end(&f);
        wire_free(&wire);
    }
}

/* The memory ends with the batch, so that tools find reads beyond it. */
static void test_no_byte_after_the_batch_is_read(void **state)
{
    (void) state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct wire wire = {0};
        struct gt_v2_batch batch;
        gt_error error;
        struct gt_source source;
        struct gt_mem mem;
        uint8_t *data;
        size_t header;
        header = write_batch(&wire, &samples[i]);
        data = malloc(wire.size);
        assert_non_null(data);
        memcpy(data, wire.data, wire.size);
        gt_mem_init(&mem, NULL, 0);
        gt_source_init(&source, &mem, &error);
        gt_source_open_memory(&source, data, wire.size);
        assert_status(gt_v2_batch_peek(&source, &batch), GT_OK);
        assert_batch(&batch, &samples[i], 0, header);
        assert_ptr_equal(batch.data, data + header);
        gt_v2_batch_take(&source, &batch);
        assert_status(gt_v2_batch_peek(&source, &batch), GT_END);
        gt_source_close(&source);
        free(data);
        wire_free(&wire);
    }
}

static struct wire failing_wire;

static void run(struct failing *failing)
{
    gt_error error = GT_ERROR_INIT;
    struct gt_source source;
    struct gt_v2_batch batch;
    struct feed feed;
    feed_init(&feed, failing_wire.data, failing_wire.size);
    gt_source_init(&source, &failing->mem, &error);
    gt_source_open_callback(&source, feed_read, &feed);
    for (size_t i = 0; i < 40; i++) {
        if (!TRY(failing, gt_v2_batch_peek(&source, &batch)))
            break;
        assert_int_equal(batch.size, GT_V2_MAX_BATCH);
        assert_int_equal(batch.thread, i);
        gt_v2_batch_take(&source, &batch);
    }
    gt_source_close(&source);
}

static void test_failed_allocations_are_reported(void **state)
{
    (void) state;
    for (uint64_t i = 0; i < 40; i++) {
        struct written batch = {0, 1, i, 1, GT_V2_MAX_BATCH};
        write_batch(&failing_wire, &batch);
    }
    failing_each(run, 3);
    wire_free(&failing_wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_take_only_their_own_bytes),
        cmocka_unit_test(test_end_marker_needs_no_next_batch),
        cmocka_unit_test(test_cut_header_names_its_field),
        cmocka_unit_test(test_cut_content_says_how_much_there_is),
        cmocka_unit_test(test_overlong_number_is_an_error),
        cmocka_unit_test(test_too_large_batch_is_not_read),
        cmocka_unit_test(test_other_first_byte_is_an_error),
        cmocka_unit_test(test_error_of_the_source_is_returned),
        cmocka_unit_test(test_a_header_ahead_is_found),
        cmocka_unit_test(test_no_byte_after_the_batch_is_read),
        cmocka_unit_test(test_failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
