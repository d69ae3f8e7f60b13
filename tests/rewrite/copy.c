/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/copy.h"

#include <string.h>

#include "support/test.h"

void copy_init(struct copy *copy)
{
    memset(copy, 0, sizeof(*copy));
    copy->options = (gt_writer_options) GT_WRITER_OPTIONS_INIT;
}

void copy_free(struct copy *copy)
{
    output_free(&copy->out);
    copy_init(copy);
}

static gt_status copy_write_events(struct copy *copy, gt_reader *reader, gt_writer *writer)
{
    const gt_event *event;
    uint64_t number = 0;
    gt_status status = GT_OK;
    while (status == GT_OK && (copy->read = gt_reader_next_event(reader, &event)) == GT_OK) {
        number++;
        if (copy->last != 0 && number > copy->last)
            break;
        status =
            number < copy->first ? gt_writer_skip(writer, event) : gt_writer_event(writer, event);
    }
    return status == GT_OK ? gt_writer_finish(writer) : status;
}

void copy_take(struct copy *copy, gt_reader *reader)
{
    gt_writer *writer;
    copy->error = (gt_error) GT_ERROR_INIT;
    copy->info = (gt_writer_info) GT_WRITER_INFO_INIT;
    copy->out.size = 0;
    copy->wrote =
        gt_writer_open(&writer, reader, output_write, &copy->out, &copy->options, &copy->error);
    if (copy->wrote != GT_OK) {
        assert_null(writer);
        return;
    }
    copy->wrote = copy_write_events(copy, reader, writer);
    assert_status(gt_writer_error(writer, &copy->error), GT_OK);
    assert_status(gt_writer_get_info(writer, &copy->info), GT_OK);
    assert_int_equal(copy->info.bytes, copy->out.size);
    gt_writer_close(&writer);
    assert_null(writer);
}

void copy_make(struct copy *copy, const void *data, size_t size)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    options.flags = copy->reader_flags;
    assert_status(gt_reader_open_memory(&reader, data, size, &options, NULL), GT_OK);
    copy_take(copy, reader);
    gt_reader_close(&reader);
}

void copy_expect_good(const struct copy *copy)
{
    if (copy->wrote != GT_OK)
        fail_msg("writing failed: %s", copy->error.message);
    assert_status(copy->read, GT_END);
}

gt_reader *copy_open(const struct copy *copy)
{
    gt_reader *reader;
    assert_status(gt_reader_open_memory(&reader, copy->out.data, copy->out.size, NULL, NULL),
                  GT_OK);
    return reader;
}

void copy_expect_own_records(const struct copy *copy)
{
    const gt_raw_event *record;
    gt_raw_reader *reader;
    gt_status status;
    assert_status(gt_raw_reader_open_memory(&reader, copy->out.data, copy->out.size, NULL, NULL),
                  GT_OK);
    while ((status = gt_raw_reader_next_event(reader, &record)) == GT_OK)
        assert_non_null(gt_wire_spec_get(copy->info.version, record->type));
    assert_status(status, GT_END);
    gt_raw_reader_close(&reader);
}

struct findings copy_validate(const void *data, size_t size)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    struct findings result = {GT_OK, 0, 0};
    gt_validator *validator;
    const gt_event *event;
    gt_reader *reader;
    assert_status(gt_reader_open_memory(&reader, data, size, NULL, NULL), GT_OK);
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    options.version = info.version;
    assert_status(gt_validator_open(&validator, &options, NULL), GT_OK);
    while ((result.read = gt_reader_next_event(reader, &event)) == GT_OK) {
        result.events++;
        assert_status(gt_validator_event(validator, reader, event), GT_OK);
    }
    result.findings = gt_validator_count(validator);
    gt_reader_close(&reader);
    gt_validator_close(&validator);
    return result;
}
