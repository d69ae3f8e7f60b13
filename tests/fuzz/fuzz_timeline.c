/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws any input as a timeline, up to the JSON, and in parts. */

#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

#include "fuzz/convert.h"
#include "fuzz/input.h"
#include "fuzz/json.h"
#include "support/test.h"

/* Bits of the choices; the lowest two choose the view, or the states of goroutines. */
enum {
    CHOICE_VIEW = 3,
    CHOICE_EXACT = 4,
    CHOICE_ENCLOSING = 8,
    CHOICE_LENIENT = 16,
    CHOICE_RANGE = 32,
    CHOICE_SELECT = 64,
    CHOICE_SPLIT = 128
};

#define PART_BYTES 4096

/* The size at which writing fails, as a small trace can name very many rows. */
#define JSON_MAX (1 << 18)

struct fuzz {
    const struct input *input;
    struct probe probe;
    gt_selector *selector;
    gt_splitter *splitter;
    gt_json_writer *writer;
    gt_emitter *emitter;
    struct converted json;
    /* The first and the last event that are written. */
    uint64_t first;
    uint64_t last;
};

static int take_json(void *user_data, const void *data, size_t size)
{
    struct converted *json = user_data;

    return json->size > JSON_MAX ? 1 : converted_take(json, data, size);
}

static gt_reader *open_reader(const struct fuzz *fuzz)
{
    const struct input *input = fuzz->input;
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;

    options.flags = input->flags & CHOICE_LENIENT ? GT_READER_LENIENT : 0;
    gt_status status = gt_reader_open_memory(&reader, input->data, input->size, &options, NULL);
    return status == GT_OK ? reader : NULL;
}

/* Selects a goroutine or a task that may exist. */
static gt_status select_rows(struct fuzz *fuzz)
{
    gt_selector_options options = GT_SELECTOR_OPTIONS_INIT;
    gt_reader *reader = open_reader(fuzz);
    const gt_event *event;
    gt_status status;

    options.memory_limit = input_limit(fuzz->input);
    options.allocator = &fuzz->probe.allocator;
    status = gt_selector_open(&fuzz->selector, GT_SELECT_GOROUTINE + fuzz->input->pick % 3,
                              fuzz->input->pick / 3, &options, NULL);
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
        status = gt_selector_event(fuzz->selector, event);
    gt_reader_close(&reader);
    return status == GT_OK ? gt_selector_finish(fuzz->selector) : status;
}

static gt_status open_consumer(struct fuzz *fuzz, gt_consumer *consumer)
{
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    gt_status status;

    if (fuzz->splitter)
        return gt_splitter_consumer(fuzz->splitter, consumer);
    options.first = fuzz->first;
    options.last = fuzz->last;
    options.memory_limit = input_limit(fuzz->input);
    options.allocator = &fuzz->probe.allocator;
    status = gt_json_writer_open(&fuzz->writer, take_json, &fuzz->json, &options, NULL);
    return status == GT_OK ? gt_json_writer_consumer(fuzz->writer, consumer) : status;
}

static gt_status open_emitter(struct fuzz *fuzz)
{
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_status status = open_consumer(fuzz, &consumer);

    if (status != GT_OK)
        return status;
    options.flags = fuzz->input->flags & CHOICE_ENCLOSING ? GT_EMITTER_ENCLOSING : 0;
    if (fuzz->input->flags & CHOICE_RANGE) {
        options.range_start = fuzz->input->pick;
        options.range_end = (int64_t) fuzz->input->steps[1] << 4;
    }
    if (fuzz->selector)
        assert_status(gt_selector_apply(fuzz->selector, &options), GT_OK);
    options.memory_limit = input_limit(fuzz->input);
    options.allocator = &fuzz->probe.allocator;
    return gt_emitter_open(&fuzz->emitter, &consumer, &options, NULL);
}

static gt_status draw_all(struct fuzz *fuzz, gt_reader *reader)
{
    gt_timeline_options options = GT_TIMELINE_OPTIONS_INIT;
    gt_timeline *timeline;
    const gt_event *event;
    gt_status status;

    options.flags = fuzz->input->flags & CHOICE_EXACT ? GT_TIMELINE_EXACT : 0;
    options.view = fuzz->input->flags & CHOICE_VIEW;
    if (options.view > GT_VIEW_GOROUTINE) {
        options.view = GT_VIEW_GOROUTINE;
        options.flags |= GT_TIMELINE_STATES;
    }
    options.selector = fuzz->selector;
    options.memory_limit = input_limit(fuzz->input);
    options.allocator = &fuzz->probe.allocator;
    status = gt_timeline_open(&timeline, reader, fuzz->emitter, &options, NULL);
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
        status = gt_timeline_event(timeline, event);
    if (status == GT_OK)
        status = gt_timeline_finish(timeline);
    if (status == GT_OK)
        status = gt_emitter_flush(fuzz->emitter);
    gt_timeline_close(&timeline);
    return status;
}

/* Draws the trace, and closes everything but the splitter. */
static gt_status draw(struct fuzz *fuzz)
{
    gt_reader *reader = open_reader(fuzz);
    gt_status status = open_emitter(fuzz);

    if (status == GT_OK)
        status = draw_all(fuzz, reader);
    if (status == GT_ERR_CALLBACK)
        status = fuzz->splitter ? gt_splitter_status(fuzz->splitter)
                                : gt_json_writer_status(fuzz->writer);
    if (status == GT_ERR_IO && fuzz->json.size > JSON_MAX)
        status = GT_OK;
    else if (status == GT_OK && !fuzz->splitter)
        assert_true(json_is_good(fuzz->json.data, fuzz->json.size));
    assert_true(status == GT_OK || status == GT_ERR_NO_MEMORY || status == GT_ERR_LIMIT);
    gt_emitter_close(&fuzz->emitter);
    gt_json_writer_close(&fuzz->writer);
    gt_reader_close(&reader);
    return status;
}

/* Parts are contiguous. The part that the input picks is written. */
static void check_parts(struct fuzz *fuzz)
{
    const gt_part *parts;
    size_t count;

    parts = gt_splitter_parts(fuzz->splitter, &count);
    for (size_t i = 0; i < count; i++) {
        assert_true(parts[i].first <= parts[i].last);
        if (i > 0)
            assert_int_equal(parts[i].first, parts[i - 1].last + 1);
    }
    if (count > 0) {
        fuzz->first = parts[fuzz->input->pick % count].first;
        fuzz->last = parts[fuzz->input->pick % count].last;
    }
}

static gt_status split(struct fuzz *fuzz)
{
    gt_status status = gt_splitter_open(&fuzz->splitter, PART_BYTES, &fuzz->probe.allocator, NULL);

    if (status == GT_OK)
        status = draw(fuzz);
    if (status == GT_OK)
        check_parts(fuzz);
    gt_splitter_close(&fuzz->splitter);
    return status;
}

static void run(struct fuzz *fuzz)
{
    gt_status status = GT_OK;

    input_probe(fuzz->input, &fuzz->probe);
    if (fuzz->input->flags & CHOICE_SELECT)
        status = select_rows(fuzz);
    if (status == GT_OK && fuzz->input->flags & CHOICE_SPLIT)
        status = split(fuzz);
    if (status == GT_OK)
        status = draw(fuzz);
    gt_selector_close(&fuzz->selector);
    converted_free(&fuzz->json);
    /* Each object has a limit of its own. */
    probe_check(&fuzz->probe);
    input_check_failure(fuzz->input, &fuzz->probe, status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {.last = UINT64_MAX};
    struct input input;
    gt_reader *reader;

    if (!input_take(&input, data, size, 0))
        return 0;
    fuzz.input = &input;
    reader = open_reader(&fuzz);
    if (reader)
        run(&fuzz);
    gt_reader_close(&reader);
    input_free(&input);
    return 0;
}
