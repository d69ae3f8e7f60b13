/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/remake.h"

#include <stdlib.h>

#include "support/test.h"

void remake_begin(struct remake *remake)
{
    *remake = (struct remake){.sync = GT_SYNC_INIT};
}

void remake_end(struct remake *remake)
{
    free(remake->batches);
    remake->batches = NULL;
}

static void describe_sync(struct remake *remake, const gt_event *event)
{
    gt_event_make_options *options = &remake->options;
    if (gt_event_sync(event, &remake->sync) == GT_OK && remake->sync.batch_count != 0) {
        free(remake->batches);
        remake->batches = calloc(remake->sync.batch_count, sizeof(*remake->batches));
        assert_non_null(remake->batches);
        options->batches = remake->batches;
        for (uint32_t i = 0; i < remake->sync.batch_count; i++) {
            remake->batches[i] = (gt_experimental_batch) GT_EXPERIMENTAL_BATCH_INIT;
            assert_status(gt_event_experimental_batch(event, i, &remake->batches[i]), GT_OK);
        }
    }
    if (remake->sync.number != 0)
        options->sync = &remake->sync;
}

static void describe_values(struct remake *remake, const gt_event *event)
{
    gt_event_make_options *options = &remake->options;
    uint32_t count = options->range ? options->range->attribute_count : 0;
    gt_string name;
    if (options->experimental)
        count = options->experimental->argument_count;
    assert_true(count <= sizeof(remake->values) / sizeof(remake->values[0]));
    for (uint32_t i = 0; i < count; i++) {
        gt_status status =
            options->range ? gt_event_range_attribute(event, i, &name, &remake->values[i])
                           : gt_event_experimental_argument(event, i, &name, &remake->values[i]);
        assert_status(status, GT_OK);
    }
    options->values = count == 0 ? NULL : remake->values;
}

/* Each getter says whether the event is of its kind. */
#define DESCRIBE(remake, event, member, init)                                                      \
    do {                                                                                           \
        (remake)->member = (gt_##member) init;                                                     \
        if (gt_event_##member((event), &(remake)->member) == GT_OK)                                \
            (remake)->options.member = &(remake)->member;                                          \
    } while (0)

static void describe_content(struct remake *remake, const gt_event *event)
{
    DESCRIBE(remake, event, metric, GT_METRIC_INIT);
    DESCRIBE(remake, event, label, GT_LABEL_INIT);
    DESCRIBE(remake, event, range, GT_RANGE_INIT);
    DESCRIBE(remake, event, task, GT_TASK_INIT);
    DESCRIBE(remake, event, region, GT_REGION_INIT);
    DESCRIBE(remake, event, log, GT_LOG_INIT);
    DESCRIBE(remake, event, transition, GT_TRANSITION_INIT);
    DESCRIBE(remake, event, experimental, GT_EXPERIMENTAL_INIT);
    describe_sync(remake, event);
    describe_values(remake, event);
}

gt_status remake_describe(struct remake *remake, gt_reader *reader, const gt_event *event)
{
    gt_event_make_options *options = &remake->options;
    *options = (gt_event_make_options) GT_EVENT_MAKE_OPTIONS_INIT;
    options->kind = event->kind;
    options->time = event->time;
    options->thread = event->thread;
    options->proc = event->proc;
    options->goroutine = event->goroutine;
    options->stack = gt_event_stack(event);
    describe_content(remake, event);
    gt_status status =
        gt_event_frames(reader, event, options->stack, &options->frames, &options->frame_count);
    if (status == GT_OK && options->transition)
        status = gt_event_frames(reader, event, remake->transition.stack,
                                 &options->transition_frames, &options->transition_frame_count);
    return status;
}

gt_event *remake_event(struct remake *remake, gt_reader *reader, const gt_event *event)
{
    gt_error error = GT_ERROR_INIT;
    gt_event *made;
    assert_status(remake_describe(remake, reader, event), GT_OK);
    if (gt_event_make(&made, &remake->options, &error) != GT_OK)
        fail_msg("event of kind %u: %s", event->kind, error.message);
    return made;
}
