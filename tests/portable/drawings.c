/* SPDX-License-Identifier: BSD-3-Clause */

/* Sums of the JSON for a trace, and of where it would be split. */

#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

#include "sum.h"
#include "support/test.h"

#define PART_BYTES 20000

static void draw(const struct trace *trace, const gt_consumer *consumer, uint32_t view,
                 uint64_t flags)
{
    gt_timeline_options options = GT_TIMELINE_OPTIONS_INIT;
    gt_reader *reader = sum_open(trace, 0);
    const gt_event *event;
    gt_emitter *emitter;
    gt_timeline *timeline;

    options.view = view;
    options.flags = flags;
    assert_status(gt_emitter_open(&emitter, consumer, NULL, NULL), GT_OK);
    assert_status(gt_timeline_open(&timeline, reader, emitter, &options, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_timeline_event(timeline, event), GT_OK);
    assert_status(gt_timeline_finish(timeline), GT_OK);
    assert_status(gt_emitter_flush(emitter), GT_OK);
    gt_timeline_close(&timeline);
    gt_emitter_close(&emitter);
    gt_reader_close(&reader);
}

static void sum_view(struct sum *sum, const struct trace *trace, uint32_t view, uint64_t flags)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_json_writer *writer;

    assert_status(gt_json_writer_open(&writer, sum_write, sum, NULL, NULL), GT_OK);
    assert_status(gt_json_writer_consumer(writer, &consumer), GT_OK);
    draw(trace, &consumer, view, flags);
    gt_json_writer_close(&writer);
}

static void sum_parts(struct sum *sum, const struct trace *trace)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_splitter *splitter;
    const gt_part *parts;
    size_t count;

    assert_status(gt_splitter_open(&splitter, PART_BYTES, NULL, NULL), GT_OK);
    assert_status(gt_splitter_consumer(splitter, &consumer), GT_OK);
    draw(trace, &consumer, GT_VIEW_PROC, 0);
    parts = gt_splitter_parts(splitter, &count);
    for (size_t i = 0; i < count; i++) {
        sum_number(sum, parts[i].first);
        sum_number(sum, parts[i].last);
    }
    gt_splitter_close(&splitter);
}

void sum_json(struct sum *sum, const struct trace *trace)
{
    sum_view(sum, trace, GT_VIEW_PROC, 0);
    sum_view(sum, trace, GT_VIEW_THREAD, GT_TIMELINE_EXACT);
    sum_view(sum, trace, GT_VIEW_GOROUTINE, GT_TIMELINE_STATES | GT_TIMELINE_EXACT);
    sum_parts(sum, trace);
}
