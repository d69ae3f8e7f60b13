/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes what it reads from any input, all of it or from some event on, and reads that again. */

#include <stdbool.h>

#include "fuzz/input.h"
#include "support/output.h"
#include "support/test.h"

/* Bits of the choices. */
#define FROM_LATER   1
#define OTHER_HEADER 2
#define LENIENT      4
#define TASKS        8
#define DIVIDES      16

/* From here on a reader, which computes with doubles, does not have every time. */
#define EXACT_TIMES (INT64_C(1) << 53)

#define TEXT_MAX (1 << 16)

struct fuzz {
    const struct input *input;
    gt_writer *writer;
    struct output out;
    gt_status written;
    bool is_old;     /* the input is of Go 1.21 or before */
    bool is_lowered; /* the output is for Go 1.22, which lacks records and empty generations */
    bool is_repaired;
    gt_writer_info info;
};

static gt_status open_writer(struct fuzz *fuzz, gt_reader *reader, const gt_allocator *allocator)
{
    static const uint32_t versions[] = {23, 26, 22};
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;

    if (fuzz->input->flags & OTHER_HEADER)
        options.version = versions[fuzz->input->pick % (sizeof(versions) / sizeof(*versions))];
    if (fuzz->input->flags & LENIENT)
        options.flags |= GT_WRITER_LENIENT;
    if (fuzz->input->flags & TASKS)
        options.flags |= GT_WRITER_TASKS;
    if (fuzz->input->flags & DIVIDES)
        options.generation_bytes = 1;
    options.memory_limit = input_limit(fuzz->input);
    options.allocator = allocator;
    return gt_writer_open(&fuzz->writer, reader, output_write, &fuzz->out, &options, NULL);
}

static void write_all(struct fuzz *fuzz, gt_reader *reader)
{
    uint64_t first = fuzz->input->flags & FROM_LATER ? fuzz->input->pick : 0, number = 0;
    const gt_event *event;

    while (fuzz->written == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
        fuzz->written = number++ < first ? gt_writer_skip(fuzz->writer, event)
                                         : gt_writer_event(fuzz->writer, event);
    if (fuzz->written == GT_OK)
        fuzz->written = gt_writer_finish(fuzz->writer);
    gt_reader_info info = GT_READER_INFO_INIT;
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    fuzz->is_old = info.version < 22;
    fuzz->is_repaired = info.repairs != 0;
    fuzz->info = (gt_writer_info) GT_WRITER_INFO_INIT;
    assert_status(gt_writer_get_info(fuzz->writer, &fuzz->info), GT_OK);
    fuzz->is_lowered = fuzz->info.version == 22;
}

static void assert_same(gt_reader *a_reader, const gt_event *a, gt_reader *b_reader,
                        const gt_event *b)
{
    static char texts[2][TEXT_MAX];
    size_t sizes[2];

    assert_int_equal(a->kind, b->kind);
    if (a->kind == GT_EVENT_SYNC)
        return;
    assert_int_equal(a->time, b->time);
    assert_status(gt_event_format(a_reader, a, texts[0], TEXT_MAX, &sizes[0]), GT_OK);
    assert_status(gt_event_format(b_reader, b, texts[1], TEXT_MAX, &sizes[1]), GT_OK);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(texts[0], texts[1], sizes[0] < TEXT_MAX ? sizes[0] : TEXT_MAX);
}

/* The copy of all events has the same ones. */
static void check_same(const struct fuzz *fuzz)
{
    const gt_event *a, *b;
    gt_reader *input, *copy;

    assert_status(gt_reader_open_memory(&input, fuzz->input->data, fuzz->input->size, NULL, NULL),
                  GT_OK);
    assert_status(gt_reader_open_memory(&copy, fuzz->out.data, fuzz->out.size, NULL, NULL), GT_OK);
    while (gt_reader_next_event(input, &a) == GT_OK && a->time < EXACT_TIMES) {
        assert_status(gt_reader_next_event(copy, &b), GT_OK);
        assert_same(input, a, copy, b);
    }
    gt_reader_close(&input);
    gt_reader_close(&copy);
}

/* Whatever was written can be read to its end. */
static void check_good(const struct fuzz *fuzz)
{
    const gt_event *event;
    gt_reader *copy;
    gt_status status;
    uint64_t syncs = 0, events = 0;

    assert_status(gt_reader_open_memory(&copy, fuzz->out.data, fuzz->out.size, NULL, NULL), GT_OK);
    while ((status = gt_reader_next_event(copy, &event)) == GT_OK) {
        syncs += event->kind == GT_EVENT_SYNC;
        events += event->kind != GT_EVENT_SYNC;
    }
    assert_status(status, GT_END);
    assert_int_equal(syncs, fuzz->info.generations + 1);
    assert_true(events <= fuzz->info.events + fuzz->info.made_up + 2 * fuzz->info.handed_over);
    gt_reader_close(&copy);
}

/* A lenient writer changes nothing that a strict one can write. */
static void check_needed(const struct fuzz *fuzz)
{
    struct input input = *fuzz->input;
    struct fuzz strict = {.input = &input};
    gt_reader *reader;

    input.flags &= (uint8_t) ~LENIENT;
    input.trouble = TROUBLE_NONE;
    assert_status(gt_reader_open_memory(&reader, input.data, input.size, NULL, NULL), GT_OK);
    strict.written = open_writer(&strict, reader, NULL);
    if (strict.written == GT_OK)
        write_all(&strict, reader);
    gt_writer_close(&strict.writer);
    gt_reader_close(&reader);
    output_free(&strict.out);
    assert_status(strict.written, GT_ERR_NOT_AVAILABLE);
}

static void check(struct fuzz *fuzz)
{
    /* What was repaired may be written as something that no reader accepts. */
    if (fuzz->written != GT_OK || fuzz->is_repaired)
        return;
    check_good(fuzz);
    bool is_whole = !(fuzz->input->flags & FROM_LATER) || fuzz->input->pick == 0;
    if (fuzz->is_old || fuzz->is_lowered || !is_whole || (fuzz->input->flags & DIVIDES))
        return;
    if (fuzz->input->flags & LENIENT && (fuzz->info.made_up || fuzz->info.left_out))
        check_needed(fuzz);
    else
        check_same(fuzz);
}

/* What cannot be written at all, besides what the input makes fail. */
static bool is_refused(gt_status status)
{
    return status == GT_ERR_NOT_AVAILABLE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {0};
    struct input input;
    struct probe probe;
    gt_reader *reader;
    gt_reader_options options = GT_READER_OPTIONS_INIT;

    if (!input_take(&input, data, size, 0))
        return 0;
    fuzz.input = &input;
    if (input.flags & LENIENT)
        options.flags |= GT_READER_LENIENT;
    if (gt_reader_open_memory(&reader, input.data, input.size, &options, NULL) == GT_OK) {
        input_probe(&input, &probe);
        fuzz.written = open_writer(&fuzz, reader, &probe.allocator);
        if (fuzz.written == GT_OK)
            write_all(&fuzz, reader);
        gt_writer_close(&fuzz.writer);
        input_check_memory(&input, &probe, 0);
        if (!is_refused(fuzz.written))
            input_check_failure(&input, &probe, fuzz.written);
        check(&fuzz);
    }
    gt_reader_close(&reader);
    output_free(&fuzz.out);
    input_free(&input);
    return 0;
}
