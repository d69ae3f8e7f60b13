/* SPDX-License-Identifier: BSD-3-Clause */
#include "summing.h"

#include <string.h>

void summing_begin(struct gen *gen, unsigned version)
{
    gen_begin(gen, version);
    gen->time = 1000;
    gen->dt = 10;
    gen_generation(gen, 1);
}

static gt_status take_all(gt_reader *reader, gt_summary *summary)
{
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        status = gt_summary_event(summary, reader, event);
        if (status != GT_OK)
            return status;
    }
    assert_status(status, GT_END);
    return gt_summary_finish(summary);
}

int summing_bytes(gt_summary **summary, const void *data, size_t size,
                  const gt_summary_options *options)
{
    gt_reader *reader;
    gt_status status = gt_summary_open(summary, options, NULL);
    if (status == GT_OK) {
        assert_status(gt_reader_open_memory(&reader, data, size, NULL, NULL), GT_OK);
        status = take_all(reader, *summary);
        gt_reader_close(&reader);
    }
    if (status != GT_OK && status != GT_ERR_NO_MEMORY)
        assert_status(status, GT_ERR_LIMIT);
    return status == GT_OK;
}

gt_summary *summing_read(struct gen *gen, const gt_summary_options *options)
{
    struct reading reading = {0};
    gt_summary *summary;
    gen_read(gen, &reading);
    assert_status(gt_summary_open(&summary, options, NULL), GT_OK);
    assert_status(take_all(reading.reader, summary), GT_OK);
    reading_close(&reading);
    return summary;
}

void assert_spent(const gt_summary_times *times, struct spent expected)
{
    assert_int_equal(times->execution, expected.execution);
    assert_int_equal(times->sched_wait, expected.sched_wait);
    assert_int_equal(times->syscall, expected.syscall);
    assert_int_equal(times->syscall_block, expected.syscall_block);
    assert_int_equal(times->block, expected.block);
    assert_int_equal(times->unknown, expected.unknown);
    assert_int_equal(times->total, expected.total);
}

void assert_named(const gt_summary_time *list, size_t size, size_t count, const char *name,
                  int64_t time)
{
    assert_int_equal(size, count);
    for (size_t i = 0; i < size; i++) {
        if (list[i].name.size == strlen(name) &&
            memcmp(list[i].name.data, name, list[i].name.size) == 0) {
            assert_int_equal(list[i].time, time);
            return;
        }
    }
    fail_msg("no time for '%s'", name);
}
