/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/lowered.h"

#include <string.h>

#include "support/test.h"

void lowered_init(struct lowered *lowered)
{
    memset(lowered, 0, sizeof(*lowered));
    lowered->options = (gt_downgrader_options) GT_DOWNGRADER_OPTIONS_INIT;
}

void lowered_free(struct lowered *lowered)
{
    output_free(&lowered->out);
    lowered_init(lowered);
}

static void lowered_take(struct lowered *lowered, gt_reader *reader)
{
    gt_downgrader *downgrader;
    const gt_event *event;
    lowered->error = (gt_error) GT_ERROR_INIT;
    lowered->info = (gt_downgrader_info) GT_DOWNGRADER_INFO_INIT;
    lowered->out.size = 0;
    lowered->wrote = gt_downgrader_open(&downgrader, reader, output_write, &lowered->out,
                                        &lowered->options, &lowered->error);
    if (lowered->wrote != GT_OK) {
        assert_null(downgrader);
        return;
    }
    while (lowered->wrote == GT_OK &&
           (lowered->read = gt_reader_next_event(reader, &event)) == GT_OK)
        lowered->wrote = gt_downgrader_event(downgrader, event);
    if (lowered->wrote == GT_OK)
        lowered->wrote = gt_downgrader_finish(downgrader);
    assert_status(gt_downgrader_error(downgrader, &lowered->error), GT_OK);
    assert_int_equal(lowered->error.status, lowered->wrote);
    assert_status(gt_downgrader_get_info(downgrader, &lowered->info), GT_OK);
    assert_int_equal(lowered->info.bytes, lowered->out.size);
    gt_downgrader_close(&downgrader);
    assert_null(downgrader);
}

void lowered_make(struct lowered *lowered, const void *data, size_t size)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    options.flags = lowered->reader_flags;
    assert_status(gt_reader_open_memory(&reader, data, size, &options, NULL), GT_OK);
    lowered_take(lowered, reader);
    gt_reader_close(&reader);
}

void lowered_expect_good(const struct lowered *lowered)
{
    if (lowered->wrote != GT_OK)
        fail_msg("writing failed: %s", lowered->error.message);
    assert_status(lowered->read, GT_END);
}
