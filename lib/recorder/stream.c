/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/stream.h"

#include "base/error.h"
#include "recorder/flight.h"
#include "recorder/generation.h"
#include "recorder/hold.h"
#include "recorder/modules.h"
#include "recorder/output.h"
#include "recorder/ticker.h"

enum {
    /* The numbers of a strict generation, one that is recorded, and some after them. */
    STREAM_NUMBERS = 6
};

struct gt_recorder_header gt_recorder_header(const gt_recorder *recorder)
{
    static const struct gt_recorder_header newest = {"go 1.26 trace"}, oldest = {"go 1.23 trace"};
    return recorder->version == GT_RECORDER_OLDEST ? oldest : newest;
}

static void begin_with_next(gt_recorder *recorder, struct gt_atomic *first)
{
    gt_atomic_set(first, gt_recorder_number(recorder) + 1);
    if (gt_recorder_is_recording(recorder))
        gt_recorder_end_generation(recorder, false);
    if (gt_recorder_records(recorder))
        return;
    /* Nothing was recorded, or what was has just failed, and its last generation is over. */
    gt_recorder_clock_calibrate(&recorder->clock);
    gt_recorder_begin_strict(recorder);
    gt_atomic_set(first, gt_recorder_number(recorder) + 1);
    gt_recorder_modules_update(recorder);
    recorder->moment = gt_recorder_clock_moment(&recorder->clock, recorder->moment.time);
    gt_system_lock(&recorder->registry);
    gt_recorder_begin_generation(recorder, GT_MODE_ON);
    gt_system_unlock(&recorder->registry);
}

gt_status gt_recorder_begin(gt_recorder *recorder, struct gt_atomic *first)
{
    if (gt_recorder_number(recorder) + STREAM_NUMBERS > GT_LAST_GENERATION)
        return GT_ERR_LIMIT;
    if (!gt_recorder_ticker_start(recorder))
        return GT_ERR_NO_MEMORY;
    /* It may wait for a longer period. */
    gt_system_bell_ring(&recorder->bell);
    begin_with_next(recorder, first);
    return GT_OK;
}

/* Begins a trace with its header. */
static gt_status stream_begin(gt_recorder *recorder)
{
    gt_error none = GT_ERROR_INIT;
    struct gt_recorder_header header = gt_recorder_header(recorder);
    recorder->error = none;
    recorder->has_gc = false;
    gt_atomic_set(&recorder->bytes, 0);
    gt_atomic_set(&recorder->generations, 0);
    recorder->output->to_stream = true;
    recorder->output->to_window = false;
    gt_recorder_output(recorder, header.bytes, sizeof(header.bytes));
    gt_recorder_output_flush(recorder);
    return (gt_status) recorder->error.status;
}

static gt_status stream_start(gt_recorder *recorder)
{
    if (gt_recorder_number(recorder) + STREAM_NUMBERS > GT_LAST_GENERATION)
        return GT_ERR_LIMIT;
    gt_status status = stream_begin(recorder);
    if (status == GT_OK)
        status = gt_recorder_begin(recorder, &recorder->first_streamed);
    if (status == GT_OK)
        recorder->stream = GT_STREAM_OPEN;
    return status;
}

static gt_status stream_report(gt_status status, gt_error *error)
{
    return status == GT_OK ? GT_OK : gt_error_report_plain(error, status);
}

/* `fd` is -1 where the caller has a callback. */
static gt_status stream_start_with(gt_recorder *recorder, gt_write_fn write, void *user_data,
                                   int fd, gt_error *error)
{
    gt_status status = gt_recorder_may_control(recorder);
    if (status != GT_OK)
        return gt_error_report_plain(error, status);
    struct gt_recorder_hold hold = gt_recorder_hold(recorder, true);
    gt_recorder_lock(recorder);
    gt_error failure = GT_ERROR_INIT;
    status = GT_ERR_STATE;
    if (recorder->stream == GT_STREAM_NONE) {
        recorder->write = write;
        recorder->write_data = user_data;
        recorder->has_file = fd >= 0;
        recorder->file = (struct gt_recorder_file){fd, 0};
        status = stream_start(recorder);
        failure = recorder->error;
    }
    gt_recorder_unlock(recorder);
    gt_recorder_release(&hold);
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
    return stream_start_with(recorder, gt_recorder_write_file, &recorder->file, fd, error);
}

/* Ends the generation if one is recorded; the result is the error that ended the stream. */
static gt_status stream_advance(gt_recorder *recorder)
{
    gt_recorder_lock(recorder);
    bool is_recording = gt_recorder_is_recording(recorder);
    gt_status status = GT_ERR_STATE;
    if (is_recording)
        gt_recorder_end_generation(recorder, false);
    if (recorder->stream != GT_STREAM_NONE)
        status = (gt_status) recorder->error.status;
    else if (is_recording)
        status = GT_OK;
    gt_recorder_unlock(recorder);
    return status;
}

gt_status gt_recorder_advance(gt_recorder *recorder)
{
    if (!recorder)
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = gt_recorder_may_advance(recorder);
    if (status != GT_OK)
        return status;
    struct gt_recorder_hold hold = gt_recorder_hold(recorder, false);
    status = stream_advance(recorder);
    gt_recorder_release(&hold);
    if (recorder->flags & GT_RECORDER_NO_THREAD)
        gt_recorder_answer_request(recorder);
    return status;
}

/* Ends the stream. A window goes on. With the lock of generations. */
static gt_status stream_stop(gt_recorder *recorder)
{
    gt_status status = GT_ERR_STATE;
    if (recorder->stream == GT_STREAM_OPEN)
        gt_recorder_end_generation(recorder, !recorder->window.is_on);
    if (recorder->stream != GT_STREAM_NONE)
        status = (gt_status) recorder->error.status;
    recorder->stream = GT_STREAM_NONE;
    gt_atomic_set(&recorder->first_streamed, GT_NO_GENERATION);
    return status;
}

gt_status gt_recorder_stop(gt_recorder *recorder, gt_error *error)
{
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    if (!recorder)
        return gt_error_report_plain(error, GT_ERR_INVALID_ARGUMENT);
    gt_status status = gt_recorder_may_control(recorder);
    if (status != GT_OK)
        return gt_error_report_plain(error, status);
    struct gt_recorder_hold hold = gt_recorder_hold(recorder, true);
    gt_recorder_lock(recorder);
    status = stream_stop(recorder);
    gt_error failure = recorder->error;
    bool is_idle = !gt_recorder_is_recording(recorder);
    gt_recorder_unlock(recorder);
    if (is_idle)
        gt_recorder_ticker_stop(recorder);
    gt_recorder_release(&hold);
    return status == GT_ERR_STATE ? stream_report(status, error) : gt_error_report(error, &failure);
}
