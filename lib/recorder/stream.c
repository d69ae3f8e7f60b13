/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "recorder/generation.h"
#include "recorder/output.h"
#include "recorder/ticker.h"

/* The header of a trace, which is padded to 16 bytes. */
static const char STREAM_HEADER[16] = "go 1.26 trace";

/* Whether the calling thread ends a generation: it is in the callback that writes. */
static bool stream_is_in_callback(gt_recorder *recorder)
{
    return gt_atomic_get(&recorder->advancer) == gt_system_thread_id();
}

/* The locks that the calling thread holds, and so must not be cancelled. */
struct stream_hold {
    gt_recorder *recorder;
    bool has_control;
    int cancel;
};

/* `control` says whether recording is to be started or stopped. */
static struct stream_hold stream_hold(gt_recorder *recorder, bool control)
{
    struct stream_hold hold = {recorder, control, gt_system_hold_cancel()};
    if (control)
        gt_system_lock(&recorder->control);
    return hold;
}

static void stream_release(const struct stream_hold *hold)
{
    if (hold->has_control)
        gt_system_unlock(&hold->recorder->control);
    gt_system_release_cancel(hold->cancel);
}

static void stream_lock(gt_recorder *recorder)
{
    gt_system_lock(&recorder->advancing);
    gt_atomic_set(&recorder->advancer, gt_system_thread_id());
}

static void stream_unlock(gt_recorder *recorder)
{
    gt_atomic_set(&recorder->advancer, 0);
    gt_system_unlock(&recorder->advancing);
}

static int stream_write_fd(void *user_data, const void *data, size_t size)
{
    gt_recorder *recorder = user_data;
    const char *at = data;
    while (size > 0) {
        ssize_t written = gt_system_write(recorder->fd, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            recorder->write_error = written < 0 ? errno : EIO;
            return 1;
        }
        at += written;
        size -= (size_t) written;
    }
    return 0;
}

/* Begins a trace with its header. With the lock of generations. */
static gt_status stream_begin(gt_recorder *recorder)
{
    gt_error none = GT_ERROR_INIT;
    recorder->error = none;
    if ((gt_atomic_get(&recorder->generation) >> 1) + 4 > GT_LAST_GENERATION)
        return GT_ERR_LIMIT;
    gt_atomic_set(&recorder->bytes, 0);
    gt_atomic_set(&recorder->generations, 0);
    gt_recorder_output(recorder, STREAM_HEADER, sizeof(STREAM_HEADER));
    gt_recorder_output_flush(recorder);
    return (gt_status) recorder->error.status;
}

static gt_status stream_start(gt_recorder *recorder)
{
    gt_status status = stream_begin(recorder);
    if (status != GT_OK)
        return status;
    recorder->stream = GT_STREAM_OPEN;
    recorder->moment = gt_system_moment();
    if (!gt_recorder_ticker_start(recorder)) {
        recorder->stream = GT_STREAM_NONE;
        return GT_ERR_NO_MEMORY;
    }
    recorder->has_gc = false;
    gt_atomic_set(&recorder->first_generation, (gt_atomic_get(&recorder->generation) >> 1) + 1);
    gt_system_lock(&recorder->registry);
    gt_recorder_begin_generation(recorder, true);
    gt_system_unlock(&recorder->registry);
    return GT_OK;
}

static gt_status stream_report(gt_status status, gt_error *error)
{
    return status == GT_OK ? GT_OK : gt_error_report_plain(error, status);
}

/* `fd` is -1 where the caller has a callback. */
static gt_status stream_start_with(gt_recorder *recorder, gt_write_fn write, void *user_data,
                                   int fd, gt_error *error)
{
    if (stream_is_in_callback(recorder))
        return gt_error_report_plain(error, GT_ERR_BUSY);
    struct stream_hold hold = stream_hold(recorder, true);
    stream_lock(recorder);
    gt_error failure = GT_ERROR_INIT;
    gt_status status = GT_ERR_STATE;
    if (recorder->stream == GT_STREAM_NONE) {
        recorder->write = write;
        recorder->write_data = user_data;
        recorder->fd = fd;
        status = stream_start(recorder);
        failure = recorder->error;
    }
    stream_unlock(recorder);
    stream_release(&hold);
    return failure.status != GT_OK ? gt_error_report(error, &failure)
                                   : stream_report(status, error);
}

gt_status gt_recorder_start(gt_recorder *recorder, gt_write_fn write, void *user_data,
                            gt_error *error)
{
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    if (!recorder || !write)
        return gt_error_report_plain(error, GT_ERR_INVALID_ARGUMENT);
    return stream_start_with(recorder, write, user_data, -1, error);
}

gt_status gt_recorder_start_fd(gt_recorder *recorder, int fd, gt_error *error)
{
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    if (!recorder || fd < 0)
        return gt_error_report_plain(error, GT_ERR_INVALID_ARGUMENT);
    return stream_start_with(recorder, stream_write_fd, recorder, fd, error);
}

/* Ends the generation if one is recorded; the result is the error that ended the stream. */
static gt_status stream_advance(gt_recorder *recorder, bool stops)
{
    stream_lock(recorder);
    gt_status status = GT_ERR_STATE;
    if (recorder->stream == GT_STREAM_OPEN)
        gt_recorder_end_generation(recorder, stops);
    if (recorder->stream != GT_STREAM_NONE)
        status = (gt_status) recorder->error.status;
    if (stops)
        recorder->stream = GT_STREAM_NONE;
    stream_unlock(recorder);
    return status;
}

gt_status gt_recorder_advance(gt_recorder *recorder)
{
    if (!recorder)
        return GT_ERR_INVALID_ARGUMENT;
    if (stream_is_in_callback(recorder))
        return GT_ERR_BUSY;
    struct stream_hold hold = stream_hold(recorder, false);
    gt_status status = stream_advance(recorder, false);
    stream_release(&hold);
    return status;
}

gt_status gt_recorder_stop(gt_recorder *recorder, gt_error *error)
{
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    if (!recorder)
        return gt_error_report_plain(error, GT_ERR_INVALID_ARGUMENT);
    if (stream_is_in_callback(recorder))
        return gt_error_report_plain(error, GT_ERR_BUSY);
    struct stream_hold hold = stream_hold(recorder, true);
    gt_recorder_ticker_stop(recorder);
    gt_status status = stream_advance(recorder, true);
    gt_error failure = recorder->error;
    stream_release(&hold);
    return status == GT_ERR_STATE ? stream_report(status, error) : gt_error_report(error, &failure);
}
