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
