/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "support/feed.h"
#include "support/test.h"

int rewritten_take(void *user_data, const void *data, size_t size)
{
    struct rewritten *out = user_data;
    if (out->capacity - out->size <= size) {
        out->capacity = 2 * (out->size + size) + 1;
        out->data = realloc(out->data, out->capacity);
        assert_non_null(out->data);
    }
    memcpy(out->data + out->size, data, size);
    out->size += size;
    out->data[out->size] = '\0';
    return 0;
}

void rewritten_free(struct rewritten *out)
{
    free(out->data);
    memset(out, 0, sizeof(*out));
}

static void copy(struct rewritten *out, gt_raw_reader *reader, uint32_t form, uint64_t flags)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_raw_writer *writer;
    const gt_raw_event *event;
    options.flags = flags;
    assert_status(gt_raw_reader_get_info(reader, &info), GT_OK);
    assert_status(
        gt_raw_writer_open(&writer, info.version, form, rewritten_take, out, &options, NULL),
        GT_OK);
    while ((out->status = gt_raw_reader_next_event(reader, &event)) == GT_OK) {
        assert_status(gt_raw_writer_write_event(writer, event), GT_OK);
        out->events++;
    }
    assert_null(event);
    assert_status(gt_raw_reader_next_event(reader, &event), out->status);
    assert_status(gt_raw_writer_flush(writer), GT_OK);
    out->error.size = sizeof(out->error);
    assert_status(gt_raw_reader_error(reader, &out->error), GT_OK);
    gt_raw_writer_close(&writer);
    gt_raw_reader_close(&reader);
}

void rewrite(struct rewritten *out, const void *data, size_t size, uint32_t form, uint64_t flags)
{
    gt_error error = GT_ERROR_INIT;
    gt_raw_reader *reader;
    rewritten_free(out);
    out->status = gt_raw_reader_open_memory(&reader, data, size, NULL, &error);
    if (out->status == GT_OK)
        copy(out, reader, form, flags);
    else
        out->error = error;
}

/* Copies the records that have come, and returns why there are no others. */
static gt_status copy_some(struct rewritten *out, gt_raw_reader *reader, gt_raw_writer **writer)
{
    gt_raw_info info = GT_RAW_INFO_INIT;
    const gt_raw_event *event;
    while ((out->status = gt_raw_reader_next_event(reader, &event)) == GT_OK) {
        assert_status(gt_raw_reader_get_info(reader, &info), GT_OK);
        if (!*writer)
            assert_status(gt_raw_writer_open(writer, info.version, GT_RAW_TEXT, rewritten_take, out,
                                             NULL, NULL),
                          GT_OK);
        assert_status(gt_raw_writer_write_event(*writer, event), GT_OK);
        out->events++;
    }
    assert_null(event);
    return out->status;
}

void rewrite_pushed(struct rewritten *out, const void *data, size_t size, size_t step)
{
    gt_raw_writer *writer = NULL;
    gt_raw_reader *reader;
    rewritten_free(out);
    assert_status(gt_raw_reader_open_push(&reader, NULL, NULL), GT_OK);
    for (size_t at = 0; at < size && copy_some(out, reader, &writer) == GT_AGAIN; at += step)
        assert_status(gt_raw_reader_feed(reader, (const uint8_t *) data + at,
                                         size - at < step ? size - at : step),
                      GT_OK);
    assert_status(gt_raw_reader_finish(reader), GT_OK);
    assert_true(copy_some(out, reader, &writer) != GT_AGAIN);
    out->error.size = sizeof(out->error);
    assert_status(gt_raw_reader_error(reader, &out->error), GT_OK);
    if (writer)
        assert_status(gt_raw_writer_flush(writer), GT_OK);
    gt_raw_writer_close(&writer);
    gt_raw_reader_close(&reader);
}

/* Asserts that a reader that is fed gives the same; only opening differs. */
static void expect_same_pushed(const struct rewritten *out, const void *data, size_t size,
                               size_t step)
{
    struct rewritten pushed = {0};
    rewrite_pushed(&pushed, data, size, step);
    assert_status(pushed.status, out->status);
    assert_string_equal(pushed.error.message, out->error.message);
    assert_int_equal(pushed.error.offset, out->error.offset);
    assert_int_equal(pushed.events, out->events);
    if (out->events > 0)
        assert_string_equal(pushed.data, out->data);
    rewritten_free(&pushed);
}

void rewrite_in_steps(struct rewritten *out, const void *data, size_t size, size_t step)
{
    gt_error error = GT_ERROR_INIT;
    gt_raw_reader *reader;
    struct feed feed;
    feed_init(&feed, data, size);
    feed.steps = &step;
    feed.step_count = 1;
    rewritten_free(out);
    out->status = gt_raw_reader_open_callback(&reader, feed_read, &feed, NULL, &error);
    if (out->status == GT_OK)
        copy(out, reader, GT_RAW_TEXT, 0);
    else
        out->error = error;
    expect_same_pushed(out, data, size, step);
}

void rewrite_assert(const char *text, const char *expected)
{
    struct rewritten out = {0};
    rewrite(&out, text, strlen(text), GT_RAW_TEXT, 0);
    if (out.status != GT_END)
        print_error("%s\n", out.error.message);
    assert_status(out.status, GT_END);
    assert_string_equal(out.data, expected);
    rewrite_in_steps(&out, text, strlen(text), 1);
    assert_status(out.status, GT_END);
    assert_string_equal(out.data, expected);
    rewritten_free(&out);
}
