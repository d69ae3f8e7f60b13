/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: how they start, stop, are asked for and written. */
#include "recorder/flight.h"

#include "base/error.h"
#include "base/sized.h"
#include "recorder/collector.h"
#include "recorder/generation.h"
#include "recorder/hold.h"
#include "recorder/output.h"
#include "recorder/stream.h"
#include "recorder/ticker.h"
#include "recorder/window.h"

/* Those of Go's flight recorder. */
static const uint64_t FLIGHT_AGE = UINT64_C(10) * 1000000000;
static const uint64_t FLIGHT_BYTES = UINT64_C(10) << 20;
/* A window has at least about so many generations. */
static const uint64_t FLIGHT_PARTS = 4;
static const uint64_t FLIGHT_PERIOD_LEAST = 1000000;

static gt_status flight_take_options(gt_recorder_window_options *options,
                                     const gt_recorder_window_options *in, gt_error *failure)
{
    gt_recorder_window_options defaults = GT_RECORDER_WINDOW_OPTIONS_INIT;
    *options = defaults;
    if (in) {
        gt_status status = gt_struct_take_named(options, sizeof(*options),
                                                GT_UP_TO(gt_recorder_window_options, user_data), in,
                                                "options.", failure);
        if (status != GT_OK)
            return status;
    }
    if (!gt_options_bits_are_known(options->flags, 0, "options.flags", failure))
        return GT_ERR_INVALID_ARGUMENT;
    if (options->min_age == 0)
        options->min_age = FLIGHT_AGE;
    if (options->max_bytes == 0)
        options->max_bytes = FLIGHT_BYTES;
    return GT_OK;
}

static uint64_t flight_period(const gt_recorder *recorder, uint64_t min_age)
{
    uint64_t period = min_age / FLIGHT_PARTS;
    if (period < FLIGHT_PERIOD_LEAST)
        period = FLIGHT_PERIOD_LEAST;
    return period < recorder->period ? period : recorder->period;
}

/* With the lock of generations. */
static gt_status flight_start(gt_recorder *recorder, const gt_recorder_window_options *options)
{
    struct gt_recorder_window *window = &recorder->window;
    if (window->is_on)
        return GT_ERR_STATE;
    window->min_age = options->min_age;
    window->max_bytes = options->max_bytes;
    window->on_request = options->on_request;
    window->user_data = options->user_data;
    gt_atomic_set(&window->is_requested, false);
    gt_atomic_set(&recorder->ticker_period, flight_period(recorder, options->min_age));
    gt_status status = gt_recorder_begin(recorder, &recorder->first_kept);
    if (status == GT_OK)
        window->is_on = true;
    else
        gt_atomic_set(&recorder->ticker_period, recorder->period);
    return status;
}

gt_status gt_recorder_window_start(gt_recorder *recorder, const gt_recorder_window_options *options,
                                   gt_error *error)
{
    gt_error failure = GT_ERROR_INIT;
    gt_recorder_window_options taken;
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    if (!recorder)
        return gt_error_report_plain(error, GT_ERR_INVALID_ARGUMENT);
    if (flight_take_options(&taken, options, &failure) != GT_OK)
        return gt_error_report(error, &failure);
    gt_status status = gt_recorder_may_control(recorder);
    if (status != GT_OK)
        return gt_error_report_plain(error, status);
    struct gt_recorder_hold hold = gt_recorder_hold(recorder, true);
    gt_recorder_lock(recorder);
    status = flight_start(recorder, &taken);
    gt_recorder_unlock(recorder);
    gt_recorder_release(&hold);
    return status == GT_OK ? GT_OK : gt_error_report_plain(error, status);
}

/* With the lock of generations. Events of the generation that has begun are in no window. */
static gt_status flight_stop(gt_recorder *recorder)
{
    struct gt_recorder_window *window = &recorder->window;
    if (!window->is_on)
        return GT_ERR_STATE;
    window->is_on = false;
    gt_atomic_set(&recorder->first_kept, GT_NO_GENERATION);
    gt_atomic_set(&recorder->ticker_period, recorder->period);
    if (!gt_recorder_is_recording(recorder))
        gt_recorder_end_generation(recorder, true);
    gt_recorder_window_clear(recorder);
    return GT_OK;
}

bool gt_recorder_is_answering(gt_recorder *recorder)
{
    return gt_atomic_get(&recorder->window.answerer) == gt_system_thread_id();
}

/*
 * Waits until no other thread is in `on_request`, whose data the host may free then. No other lock
 * may be held, because `on_request` calls the recorder.
 */
static void flight_await_answer(gt_recorder *recorder)
{
    if (gt_recorder_is_answering(recorder))
        return;
    gt_system_lock(&recorder->window.answering);
    gt_system_unlock(&recorder->window.answering);
}

gt_status gt_recorder_window_stop(gt_recorder *recorder)
{
    if (!recorder)
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = gt_recorder_may_control(recorder);
    if (status != GT_OK)
        return status;
    struct gt_recorder_hold hold = gt_recorder_hold(recorder, true);
    gt_recorder_lock(recorder);
    status = flight_stop(recorder);
    bool is_idle = !gt_recorder_is_recording(recorder);
    gt_recorder_unlock(recorder);
    if (is_idle)
        gt_recorder_ticker_stop(recorder);
    gt_recorder_release(&hold);
    flight_await_answer(recorder);
    return status;
}

void gt_recorder_window_request(gt_recorder *recorder)
{
    if (!recorder)
        return;
    gt_atomic_set(&recorder->window.is_requested, true);
    gt_system_bell_ring(&recorder->bell);
}

/* Takes what to call for a request, if there is one. */
static void (*flight_take_request(gt_recorder *recorder, void **user_data))(void *)
{
    struct gt_recorder_window *window = &recorder->window;
    uint64_t is_requested = true;
    if (!gt_atomic_swap(&window->is_requested, &is_requested, false))
        return NULL;
    gt_recorder_lock(recorder);
    void (*on_request)(void *) = window->is_on ? window->on_request : NULL;
    *user_data = window->user_data;
    gt_recorder_unlock(recorder);
    return on_request;
}

void gt_recorder_answer_request(gt_recorder *recorder)
{
    struct gt_recorder_window *window = &recorder->window;
    void *user_data = NULL;
    /* `on_request` may advance the recorder. */
    if (!gt_atomic_get(&window->is_requested) || gt_recorder_is_answering(recorder))
        return;
    gt_system_lock(&window->answering);
    gt_atomic_set(&window->answerer, gt_system_thread_id());
    void (*on_request)(void *) = flight_take_request(recorder, &user_data);
    if (on_request)
        on_request(user_data);
    gt_atomic_set(&window->answerer, 0);
    gt_system_unlock(&window->answering);
}

/* The generations of a window that are being written, and where to. */
struct flight {
    struct gt_recorder_kept *first, *last;
    uint64_t first_number;
    gt_write_fn write;
    void *user_data;
    bool has_gc; /* as in gt_recorder */
    bool has_failed;
};

/* Ends the generation, and takes the window. */
static gt_status flight_take(gt_recorder *recorder, struct flight *flight)
{
    struct gt_recorder_window *window = &recorder->window;
    gt_status status = GT_ERR_STATE;
    gt_recorder_lock(recorder);
    if (window->is_on) {
        gt_recorder_end_generation(recorder, false);
        gt_system_lock(&window->lock);
        flight->first = window->first;
        flight->last = window->last;
        flight->first_number = window->first ? window->first->number : 0;
        for (struct gt_recorder_kept *kept = window->first; kept; kept = kept->next)
            kept->is_taken = true;
        gt_system_unlock(&window->lock);
        status = flight->first ? GT_OK : GT_STALE;
    }
    gt_recorder_unlock(recorder);
    return status;
}

/* The generation after one that was taken. Others may be added after the last one. */
static struct gt_recorder_kept *flight_next(const struct flight *flight,
                                            const struct gt_recorder_kept *kept)
{
    return kept == flight->last ? NULL : kept->next;
}

static void flight_put(struct flight *flight, const void *data, size_t size)
{
    if (!flight->has_failed && flight->write(flight->user_data, data, size) != 0)
        flight->has_failed = true;
}

/* In the first generation, after its clock: that a cycle of the collector has begun before. */
static void flight_put_gc(struct flight *flight, const struct gt_recorder_kept *kept)
{
    uint8_t batch[2 * GT_BUFFER_HEAD];
    if (kept->number != flight->first_number || !kept->gc.is_open)
        return;
    const uint8_t *end = gt_recorder_gc_put_active(batch, &kept->gc, kept->time);
    flight_put(flight, batch, (size_t) (end - batch));
    flight->has_gc = true;
}

static void flight_put_piece(struct flight *flight, const struct gt_recorder_kept *kept,
                             const struct gt_recorder_piece *piece)
{
    uint8_t batch[2 * GT_BUFFER_HEAD];
    if (!piece->is_lead || flight->has_gc) {
        flight_put(flight, piece->bytes, piece->size);
        return;
    }
    const uint8_t *end = gt_recorder_gc_put_lead(batch, &kept->gc);
    flight_put(flight, batch, (size_t) (end - batch));
    flight->has_gc = true;
}

static void flight_put_kept(struct flight *flight, const struct gt_recorder_kept *kept)
{
    for (const struct gt_recorder_piece *piece = kept->first; piece; piece = piece->next) {
        flight_put_piece(flight, kept, piece);
        if (piece == kept->first)
            flight_put_gc(flight, kept);
    }
}

/* Gives each generation back as soon as it is written, because its memory may be needed. */
static void flight_write(gt_recorder *recorder, struct flight *flight)
{
    struct gt_recorder_header header = gt_recorder_header(recorder);
    flight_put(flight, header.bytes, sizeof(header.bytes));
    struct gt_recorder_kept *kept = flight->first, *next;
    for (; kept; kept = next) {
        flight_put_kept(flight, kept);
        next = flight_next(flight, kept);
        gt_recorder_window_give_back(recorder, kept);
    }
}

static gt_status flight_write_with(gt_recorder *recorder, gt_write_fn write, void *user_data,
                                   const struct gt_recorder_file *file, gt_error *error)
{
    gt_error failure = GT_ERROR_INIT;
    struct flight flight = {NULL, NULL, 0, write, user_data, false, false};
    uint64_t is_writing = false;
    gt_status status = gt_recorder_may_advance(recorder);
    if (status == GT_OK && !gt_atomic_swap(&recorder->window.is_writing, &is_writing, true))
        status = GT_ERR_BUSY;
    if (status != GT_OK)
        return gt_error_report_plain(error, status);
    struct gt_recorder_hold hold = gt_recorder_hold(recorder, false);
    status = flight_take(recorder, &flight);
    if (status == GT_OK)
        flight_write(recorder, &flight);
    gt_atomic_set(&recorder->window.is_writing, false);
    gt_recorder_release(&hold);
    if (flight.has_failed) {
        gt_error_set(&failure, GT_ERR_IO, GT_NO_OFFSET, 0, "the window was not written");
        if (file)
            gt_error_set_system(&failure, file->error);
        return gt_error_report(error, &failure);
    }
    return status >= GT_OK ? status : gt_error_report_plain(error, status);
}

gt_status gt_recorder_window_write(gt_recorder *recorder, gt_write_fn write, void *user_data,
                                   gt_error *error)
{
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    if (!recorder || !write)
        return gt_error_report_plain(error, GT_ERR_INVALID_ARGUMENT);
    return flight_write_with(recorder, write, user_data, NULL, error);
}

gt_status gt_recorder_window_write_fd(gt_recorder *recorder, int fd, gt_error *error)
{
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    if (!recorder || fd < 0)
        return gt_error_report_plain(error, GT_ERR_INVALID_ARGUMENT);
    struct gt_recorder_file file = {fd, 0};
    return flight_write_with(recorder, gt_recorder_write_file, &file, &file, error);
}
