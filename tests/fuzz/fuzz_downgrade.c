/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes what it reads from any input in the format of Go 1.21, and reads that again. */

#include <stdbool.h>

#include "fuzz/input.h"
#include "support/output.h"
#include "support/test.h"

struct fuzz {
    const struct input *input;
    gt_downgrader *downgrader;
    struct output out;
    gt_status written;
    uint64_t starts; /* how often goroutines have started to run in the input */
    gt_downgrader_info info;
};

static bool is_start(const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;

    return gt_event_goroutine_transition(event, &change) == GT_OK &&
           change.from == GT_GO_RUNNABLE && change.to == GT_GO_RUNNING;
}

static void write_all(struct fuzz *fuzz, gt_reader *reader)
{
    const gt_event *event;

    while (fuzz->written == GT_OK && gt_reader_next_event(reader, &event) == GT_OK) {
        fuzz->starts += is_start(event);
        fuzz->written = gt_downgrader_event(fuzz->downgrader, event);
    }
    if (fuzz->written == GT_OK)
        fuzz->written = gt_downgrader_finish(fuzz->downgrader);
    fuzz->info = (gt_downgrader_info) GT_DOWNGRADER_INFO_INIT;
    assert_status(gt_downgrader_get_info(fuzz->downgrader, &fuzz->info), GT_OK);
    assert_int_equal(fuzz->info.bytes <= fuzz->out.size, 1);
}

/* Whatever was written can be read to its end; a start may be one more after a system call. */
static void check(const struct fuzz *fuzz)
{
    const gt_event *event;
    gt_reader *copy;
    gt_status status;
    uint64_t starts = 0;

    if (fuzz->written != GT_OK)
        return;
    assert_status(gt_reader_open_memory(&copy, fuzz->out.data, fuzz->out.size, NULL, NULL), GT_OK);
    while ((status = gt_reader_next_event(copy, &event)) == GT_OK)
        starts += is_start(event);
    assert_status(status, GT_END);
    assert_true(starts >= fuzz->starts);
    gt_reader_close(&copy);
}

/* What cannot be written at all, besides what the input makes fail. */
static bool is_refused(gt_status status)
{
    return status == GT_ERR_VERSION || status == GT_ERR_NOT_AVAILABLE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gt_downgrader_options options = GT_DOWNGRADER_OPTIONS_INIT;
    struct fuzz fuzz = {0};
    struct input input;
    struct probe probe;
    gt_reader *reader;

    if (!input_take(&input, data, size, 0))
        return 0;
    fuzz.input = &input;
    if (gt_reader_open_memory(&reader, input.data, input.size, NULL, NULL) == GT_OK) {
        input_probe(&input, &probe);
        options.memory_limit = input_limit(&input);
        options.allocator = &probe.allocator;
        fuzz.written =
            gt_downgrader_open(&fuzz.downgrader, reader, output_write, &fuzz.out, &options, NULL);
        if (fuzz.written == GT_OK)
            write_all(&fuzz, reader);
        gt_downgrader_close(&fuzz.downgrader);
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
