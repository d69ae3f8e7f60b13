/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"
#include "sweep/use.h"

static gt_status open_writer(struct run *run, const struct use *use, gt_raw_reader *reader,
                             gt_raw_writer **writer)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    gt_raw_info info = GT_RAW_INFO_INIT;

    assert_status(gt_raw_reader_get_info(reader, &info), GT_OK);
    options.flags = use->flags;
    options.allocator = &run->probe.allocator;
    return gt_raw_writer_open(writer, info.version, use->kind, run_write, run, &options, NULL);
}

/* Writes record by record. Returns the failure of the writing, or how the reading ended. */
static gt_status copy(gt_raw_reader *reader, gt_raw_writer *writer)
{
    const gt_raw_event *event;
    gt_status status = GT_OK, read;

    while ((read = gt_raw_reader_next_event(reader, &event)) == GT_OK) {
        status = gt_raw_writer_write_event(writer, event);
        if (status != GT_OK)
            break;
    }
    if (status == GT_OK) {
        assert_null(event);
        assert_status(gt_raw_reader_next_event(reader, &event), read);
    }
    /* A batch whose size is to be set is not flushed after the reading failed. */
    if (read == GT_END)
        status = gt_raw_writer_flush(writer);
    if (status == GT_OK)
        return read;
    assert_status(gt_raw_writer_flush(writer), status);
    assert_status(gt_raw_writer_flush(writer), status);
    return status;
}

static void run_raw(struct run *run, const struct use *use)
{
    gt_raw_reader *reader;
    gt_raw_writer *writer = NULL;

    run->status = run_open_raw(run, &reader);
    if (run->status == GT_OK)
        run->status = open_writer(run, use, reader, &writer);
    if (run->status == GT_OK)
        run->status = copy(reader, writer);
    gt_raw_writer_close(&writer);
    gt_raw_reader_close(&reader);
}

const struct use use_raws[] = {
    {"to bytes", run_raw, 0, GT_RAW_BYTES, 0, GT_ERR_IO},
    {"to text", run_raw, 0, GT_RAW_TEXT, 0, GT_ERR_IO},
    {"to bytes with sizes", run_raw, GT_RAW_SET_SIZES, GT_RAW_BYTES, 0, GT_ERR_IO},
    {"to text with sizes", run_raw, GT_RAW_SET_SIZES, GT_RAW_TEXT, 0, GT_ERR_IO},
    {"to text as Go's", run_raw, GT_RAW_AS_GO, GT_RAW_TEXT, 0, GT_ERR_IO},
};

const size_t use_raw_count = sizeof(use_raws) / sizeof(use_raws[0]);
