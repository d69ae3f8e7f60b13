/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/convert.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

void converted_free(struct converted *out)
{
    free(out->data);
    memset(out, 0, sizeof(*out));
}

int converted_take(void *user_data, const void *data, size_t size)
{
    struct converted *out = user_data;

    if (out->capacity - out->size < size) {
        out->capacity = 2 * (out->size + size);
        out->data = realloc(out->data, out->capacity);
        assert_non_null(out->data);
    }
    if (size)
        memcpy(out->data + out->size, data, size);
    out->size += size;
    return 0;
}

/* A gt_write_fn that fails after as many bytes as the input says. */
struct taker {
    struct converted *out;
    const struct input *input;
    int failed;
};

static int take(void *user_data, const void *data, size_t size)
{
    struct taker *taker = user_data;

    if (taker->input && taker->input->trouble == TROUBLE_READ &&
        taker->out->size + size > taker->input->at) {
        taker->failed = 1;
        return 1;
    }
    return converted_take(taker->out, data, size);
}

static void copy(struct converted *out, gt_raw_reader *reader, gt_raw_writer *writer)
{
    const gt_raw_event *event;
    uint64_t end = 0;

    while ((out->status = gt_raw_reader_next_event(reader, &event)) == GT_OK) {
        assert_true(event->offset >= end);
        end = event->offset + event->length;
        out->written = gt_raw_writer_write_event(writer, event);
        assert_true(out->written != GT_ERR_INVALID_ARGUMENT);
        if (out->written != GT_OK)
            return;
    }
    assert_null(event);
    assert_status(gt_raw_reader_next_event(reader, &event), out->status);
    out->written = gt_raw_writer_flush(writer);
}

static void convert_open(struct converted *out, gt_raw_reader *reader, uint32_t form,
                         const gt_raw_options *options, const struct input *input)
{
    struct taker taker = {out, input, 0};
    gt_raw_writer *writer;

    assert_status(gt_raw_reader_get_info(reader, &out->info), GT_OK);
    out->written =
        gt_raw_writer_open(&writer, out->info.version, form, take, &taker, options, NULL);
    if (out->written == GT_OK)
        copy(out, reader, writer);
    assert_int_equal(taker.failed, out->written == GT_ERR_IO);
    gt_raw_writer_close(&writer);
    assert_status(gt_raw_reader_error(reader, &out->error), GT_OK);
    assert_status(gt_raw_reader_get_info(reader, &out->info), GT_OK);
}

static void prepare(struct converted *out)
{
    converted_free(out);
    out->error.size = sizeof(out->error);
    out->info.size = sizeof(out->info);
}

void convert(struct converted *out, const void *data, size_t size, uint32_t form, uint64_t flags)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    gt_raw_reader *reader;
    struct probe probe;

    probe_init(&probe);
    options.flags = flags;
    options.allocator = &probe.allocator;
    prepare(out);
    out->status = gt_raw_reader_open_memory(&reader, data, size, NULL, &out->error);
    if (out->status == GT_OK)
        convert_open(out, reader, form, &options, NULL);
    gt_raw_reader_close(&reader);
    probe_check(&probe);
    assert_status(out->written, GT_OK);
    assert_int_equal(input_is_trouble(out->status), 0);
}

static gt_status open_troubled(gt_raw_reader **reader, const struct input *input, struct feed *feed,
                               const gt_raw_options *options, gt_error *error)
{
    if (!input->pieces)
        return gt_raw_reader_open_memory(reader, input->data, input->size, options, error);
    input_feed(input, feed);
    return gt_raw_reader_open_callback(reader, feed_read, feed, options, error);
}

void convert_troubled(const struct input *input, uint32_t form, uint64_t flags,
                      const struct converted *plain)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    struct converted out = {0};
    gt_raw_reader *reader;
    struct probe probe;
    struct feed feed;

    input_probe(input, &probe);
    options.allocator = &probe.allocator;
    options.memory_limit = input_limit(input);
    prepare(&out);
    out.status = open_troubled(&reader, input, &feed, &options, &out.error);
    options.flags = flags;
    if (out.status == GT_OK)
        convert_open(&out, reader, form, &options, input);
    gt_raw_reader_close(&reader);
    probe_check(&probe);
    input_check_failure(input, &probe, out.status);
    input_check_failure(input, &probe, out.written);
    if (out.written == GT_OK && !input_is_trouble(out.status)) {
        assert_status(out.status, plain->status);
        assert_string_equal(out.error.message, plain->error.message);
        converted_assert_equal(&out, plain);
    }
    /* A batch whose size is to be set is missing if the reading ended in it. */
    if (!(flags & GT_RAW_SET_SIZES)) {
        assert_true(out.size <= plain->size);
        assert_memory_equal(out.data, plain->data, out.size);
    }
    converted_free(&out);
}

void converted_assert_equal(const struct converted *a, const struct converted *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}
