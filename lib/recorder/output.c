/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/output.h"

#include "base/error.h"

/* Only of a write to a descriptor of ours the errno is known. */
static void output_fail(gt_recorder *recorder)
{
    gt_error_set(&recorder->error, GT_ERR_IO, GT_NO_OFFSET, 0, "the trace was not written");
    if (recorder->fd >= 0)
        gt_error_set_system(&recorder->error, recorder->write_error);
}

void gt_recorder_output_flush(gt_recorder *recorder)
{
    struct gt_recorder_output *output = recorder->output;
    if (recorder->error.status == GT_OK && output->size > 0) {
        if (recorder->write(recorder->write_data, output->bytes, output->size) == 0)
            gt_atomic_add(&recorder->bytes, output->size);
        else
            output_fail(recorder);
    }
    output->size = 0;
}

void gt_recorder_output(gt_recorder *recorder, const void *data, size_t size)
{
    struct gt_recorder_output *output = recorder->output;
    if (size > sizeof(output->bytes) - output->size)
        gt_recorder_output_flush(recorder);
    memcpy(output->bytes + output->size, data, size);
    output->size += size;
}

void gt_recorder_batch_begin(gt_recorder *recorder, uint64_t generation, uint64_t thread,
                             uint64_t time)
{
    struct gt_recorder_output *output = recorder->output;
    output->content = gt_recorder_batch_head(output->batch, generation, thread, time);
    output->to = output->content;
}

bool gt_recorder_batch_has_room(const gt_recorder *recorder, size_t size)
{
    const struct gt_recorder_output *output = recorder->output;
    return output->to && GT_BUFFER_CONTENT - (size_t) (output->to - output->content) >= size;
}

void gt_recorder_batch_bytes(gt_recorder *recorder, const void *data, size_t size)
{
    struct gt_recorder_output *output = recorder->output;
    memcpy(output->to, data, size);
    output->to += size;
}

void gt_recorder_batch_end(gt_recorder *recorder)
{
    struct gt_recorder_output *output = recorder->output;
    if (!output->to)
        return;
    gt_recorder_batch_length(output->content, (size_t) (output->to - output->content));
    gt_recorder_output(recorder, output->batch, (size_t) (output->to - output->batch));
    output->to = NULL;
}
