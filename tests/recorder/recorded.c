/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "support/output.h"
#include "support/test.h"

const char recorded_letters[] = "?NRXWS";

int recorded_write(void *user_data, const void *data, size_t size)
{
    struct recorded *trace = user_data;
    if (++trace->calls == trace->fail_at)
        return 1;
    if (size > trace->capacity - trace->size) {
        trace->capacity = 2 * (trace->size + size);
        trace->data = realloc(trace->data, trace->capacity);
        if (!trace->data)
            abort();
    }
    memcpy(trace->data + trace->size, data, size);
    trace->size += size;
    return 0;
}

void recorded_free(struct recorded *trace)
{
    free(trace->data);
    memset(trace, 0, sizeof(*trace));
}

gt_reader *recorded_open(const struct recorded *trace)
{
    gt_reader *reader;
    assert_status(gt_reader_open_memory(&reader, trace->data, trace->size, NULL, NULL), GT_OK);
    return reader;
}

uint64_t recorded_check(const struct recorded *trace)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    gt_validator *validator;
    const gt_event *event;
    gt_status status;
    uint64_t events = 0;
    gt_reader *reader = recorded_open(trace);
    options.version = trace->version ? trace->version : 26;
    assert_status(gt_validator_open(&validator, &options, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        assert_status(gt_validator_event(validator, reader, event), GT_OK);
        events++;
    }
    if (status != GT_END) {
        gt_error error = GT_ERROR_INIT;
        char text[GT_ERROR_TEXT_SIZE];
        gt_reader_error(reader, &error);
        gt_error_format(&error, text, sizeof(text));
        fail_msg("the trace is refused: %s", text);
    }
    if (gt_validator_count(validator) > 0) {
        gt_finding finding = GT_FINDING_INIT;
        assert_status(gt_validator_finding(validator, 0, &finding), GT_OK);
        fail_msg("the validator finds: %s", finding.message);
    }
    gt_validator_close(&validator);
    gt_reader_close(&reader);
    return events;
}

uint64_t recorded_check_by_peer(const struct recorded *trace)
{
    uint64_t events = recorded_check(trace);
    output_expect_peer_reads(trace->data, trace->size);
    return events;
}

unsigned recorded_generations(const struct recorded *trace)
{
    gt_reader *reader = recorded_open(trace);
    const gt_event *event;
    unsigned count = 0;
    while (gt_reader_next_event(reader, &event) == GT_OK)
        count += event->kind == GT_EVENT_SYNC;
    gt_reader_close(&reader);
    return count - 1;
}

gt_recorder *recorded_recorder(void)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_recorder *recorder;
    options.flags = GT_RECORDER_NO_THREAD;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_OK);
    return recorder;
}

uint64_t recorded_lost_samples(const gt_recorder *recorder)
{
    gt_recorder_info info = GT_RECORDER_INFO_INIT;
    assert_status(gt_recorder_get_info(recorder, &info), GT_OK);
    return info.lost_samples;
}

gt_rec_text recorded_text(gt_recorder *recorder, const char *text)
{
    gt_rec_text id;
    assert_status(gt_recorder_text(recorder, text, strlen(text), &id), GT_OK);
    return id;
}
