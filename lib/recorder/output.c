/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/output.h"

#include <errno.h>

#include "base/error.h"
#include "recorder/window.h"

int gt_recorder_write_file(void *user_data, const void *data, size_t size)
{
    struct gt_recorder_file *file = user_data;
    const char *at = data;
    while (size > 0) {
        ssize_t written = gt_system_write(file->fd, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            file->error = written < 0 ? errno : EIO;
            return 1;
        }
        at += written;
        size -= (size_t) written;
    }
    return 0;
}

/* Only of a write to a descriptor of ours the errno is known. */
static void output_fail(gt_recorder *recorder)
{
    gt_error_set(&recorder->error, GT_ERR_IO, GT_NO_OFFSET, 0, "the trace was not written");
    if (recorder->has_file)
        gt_error_set_system(&recorder->error, recorder->file.error);
}

static void output_stream(gt_recorder *recorder, const void *data, size_t size)
{
    if (!recorder->output->to_stream || recorder->error.status != GT_OK || size == 0)
        return;
    if (recorder->write(recorder->write_data, data, size) == 0)
        gt_atomic_add(&recorder->bytes, size);
    else
        output_fail(recorder);
}

static void output_window(gt_recorder *recorder, const void *data, size_t size, bool is_lead)
{
    if (recorder->output->to_window && size > 0)
        gt_recorder_window_add(recorder, data, size, is_lead);
}

void gt_recorder_output_flush(gt_recorder *recorder)
{
    struct gt_recorder_output *output = recorder->output;
    output_stream(recorder, output->bytes, output->size);
    output_window(recorder, output->bytes, output->size, false);
    output->size = 0;
}

void gt_recorder_output_to_stream(gt_recorder *recorder, const void *data, size_t size)
{
    gt_recorder_output_flush(recorder);
    output_stream(recorder, data, size);
}

void gt_recorder_output_lead(gt_recorder *recorder, const void *data, size_t size,
                             const void *other, size_t other_size)
{
    gt_recorder_output_flush(recorder);
    if (other)
        output_stream(recorder, other, other_size);
    else
        output_stream(recorder, data, size);
    output_window(recorder, data, size, true);
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
