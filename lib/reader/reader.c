/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/reader.h"

#include "base/error.h"
#include "base/likely.h"
#include "base/sized.h"
#include "base/wraps.h"
#include "reader/options.h"
#include "source/header.h"

static void reader_prepare(struct gt_input *input, const void *options)
{
    struct gt_reader *reader = (struct gt_reader *) input;
    reader->options = *(const gt_reader_options *) options;
    gt_decoder_init(&reader->decoder, &input->mem, &input->source, &input->fault);
    gt_ahead_init(&reader->ahead, &reader->decoder);
    gt_ahead_set_options(&reader->ahead, &reader->options);
    input->watch.on_progress = reader->options.on_progress;
    input->watch.user_data = reader->options.progress_data;
    reader->list = reader->next = reader->end = reader->ahead.events.list;
}

static gt_status reader_start(struct gt_input *input)
{
    struct gt_reader *reader = (struct gt_reader *) input;
    bool allow_newer = (reader->options.flags & GT_READER_KNOWN_VERSIONS) == 0;
    gt_status status = GT_OK;
    if ((reader->options.flags & GT_READER_LENIENT) != 0)
        status = gt_preface_skip(&reader->preface, &input->source);
    if (status == GT_OK)
        status = gt_header_read(&input->source, allow_newer, &input->version);
    if (status == GT_OK)
        status = gt_decoder_start(&reader->decoder, input->version, &reader->options,
                                  &reader->preface.run);
    input->is_started = status == GT_OK;
    return status;
}

static void reader_free(struct gt_input *input)
{
    struct gt_reader *reader = (struct gt_reader *) input;
    gt_live_free(reader->live);
    gt_ahead_destroy(&reader->ahead);
    gt_interned_destroy(&reader->interned, &input->mem);
    gt_decoder_destroy(&reader->decoder);
    gt_input_close(input, sizeof(*reader));
}

static gt_status reader_open(gt_reader **reader, const struct gt_origin *origin,
                             const gt_reader_options *options, gt_error *error)
{
    gt_allocator allocator;
    gt_reader_options taken;
    struct gt_input *input;
    gt_error failure = GT_ERROR_INIT;
    gt_reader_options_take(&taken, &allocator, options, &failure);
    if (reader)
        *reader = NULL;
    else
        gt_error_refuse(&failure, "reader is NULL");
    const struct gt_opening opening = {
        .size = sizeof(**reader),
        .origin = origin,
        .allocator = &allocator,
        .memory_limit = taken.memory_limit,
        .options = &taken,
        .prepare = reader_prepare,
        .start = reader_start,
        .close = reader_free,
    };
    gt_status status = gt_input_open(&input, &opening, &failure, error);
    if (reader)
        *reader = (struct gt_reader *) input;
    return status;
}

gt_status gt_reader_open_memory(gt_reader **reader, const void *data, size_t size,
                                const gt_reader_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_MEMORY, .data = data, .size = size};
    return reader_open(reader, &origin, options, error);
}

gt_status gt_reader_open_file(gt_reader **reader, const char *path,
                              const gt_reader_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_FILE, .path = path};
    return reader_open(reader, &origin, options, error);
}

gt_status gt_reader_open_fd(gt_reader **reader, int fd, const gt_reader_options *options,
                            gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_FD, .fd = fd};
    return reader_open(reader, &origin, options, error);
}

gt_status gt_reader_open_callback(gt_reader **reader, gt_read_fn read, void *user_data,
                                  const gt_reader_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_CALLBACK, .read = read, .user_data = user_data};
    return reader_open(reader, &origin, options, error);
}

gt_status gt_reader_open_push(gt_reader **reader, const gt_reader_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_FED};
    return reader_open(reader, &origin, options, error);
}

gt_status gt_reader_feed(gt_reader *reader, const void *data, size_t size)
{
    return gt_input_feed(reader ? &reader->input : NULL, data, size);
}

gt_status gt_reader_finish(gt_reader *reader)
{
    return gt_input_finish(reader ? &reader->input : NULL);
}

void gt_reader_cancel(gt_reader *reader)
{
    if (reader)
        gt_watch_cancel(&reader->input.watch);
}

void gt_reader_close(gt_reader **reader)
{
    if (!reader || !*reader || (*reader)->input.busy)
        return;
    struct gt_input *input = &(*reader)->input;
    *reader = NULL;
    reader_free(input);
}

/*
 * Applies the events that the next ones will replace to the state of the program, if it is tracked.
 */
static gt_status reader_track(struct gt_reader *reader)
{
    if (!(reader->options.flags & GT_READER_TRACK))
        return GT_OK;
    if (!reader->live)
        reader->live = gt_live_new(&reader->input.mem, reader->end);
    gt_status status = reader->live ? gt_live_take(reader->live, reader, reader->end)
                                    : gt_mem_failure(&reader->input.mem);
    if (status == GT_OK)
        return GT_OK;
    return gt_error_set(&reader->input.fault, status, gt_source_offset(&reader->input.source), 0,
                        "%s", gt_status_text(status));
}

/* Points `*events` at the next events. Reads the header first if it was not read yet. */
static gt_status reader_fill(struct gt_reader *reader, const struct gt_events **events)
{
    *events = &reader->ahead.events;
    gt_status status = reader_track(reader);
    if (status == GT_OK && !reader->input.is_started)
        status = reader_start(&reader->input);
    return status == GT_OK ? gt_ahead_fill(&reader->ahead, events) : status;
}

/* Reports to the program how much was decoded. */
static void reader_watch(struct gt_reader *reader, const struct gt_events *events)
{
    struct gt_watch *watch = &reader->input.watch;
    uint64_t offset = gt_source_offset(&reader->input.source);
    uint64_t decoded = offset - events->undecoded;
    uint64_t before = watch->progress.bytes_decoded;
    if (decoded <= before)
        return;
    watch->progress.bytes_decoded = decoded;
    gt_watch_pass(watch, offset, decoded - before);
}

/* Discards the decoded events, so that no event precedes the next one. */
static void reader_leave_events(struct gt_reader *reader)
{
    reader->events_taken -= (uint64_t) (reader->end - reader->next);
    if (reader->live)
        gt_live_leave(reader->live, reader, reader->ahead.events.list);
    reader->list = reader->next = reader->end = reader->ahead.events.list;
    reader->batch = NULL;
}

/* Fetches the next block of events, and points reader->next and reader->end at its bounds. */
static gt_status reader_next_block(struct gt_reader *reader)
{
    const struct gt_events *events;
    gt_status status = gt_input_begin(&reader->input);
    if (status == GT_CANCELLED)
        reader_leave_events(reader);
    if (status != GT_OK)
        return status;
    status = reader_fill(reader, &events);
    if (reader->input.watch.on_progress && status == GT_OK)
        reader_watch(reader, events);
    gt_input_end(&reader->input, status);
    reader->repairs = events->repairs;
    reader->first_procs = events->first_procs;
    reader_leave_events(reader);
    if (status != GT_OK)
        return status;
    reader->list = reader->next = events->list;
    reader->end = reader->next + events->count;
    if (reader->live)
        reader->live->next = reader->next;
    reader->events_taken += events->count;
    return GT_OK;
}

/*
 * Fetches the next block out of line, so that the usual path of gt_reader_next_event saves no
 * registers.
 */
static GT_NOINLINE gt_status reader_next_slow(struct gt_reader *reader, const gt_event **event)
{
    gt_status status = reader_next_block(reader);
    *event = status == GT_OK ? &(reader->next++)->event : NULL;
    return status;
}

gt_status gt_reader_next_event(gt_reader *reader, const gt_event **event)
{
    if (!reader || !event) {
        if (event)
            *event = NULL;
        return GT_ERR_INVALID_ARGUMENT;
    }
    const struct gt_event_data *next = reader->next;
    if (next < reader->end && !gt_input_is_barred(&reader->input)) {
        reader->next = next + 1;
        *event = &next->event;
        return GT_OK;
    }
    return reader_next_slow(reader, event);
}

/* Sets the addresses of the events of the block, which is usually the same as before. */
static const gt_event *const *reader_point(struct gt_reader *reader)
{
    if (reader->pointed != reader->list) {
        for (size_t i = 0; i < GT_EVENTS_AHEAD; i++)
            reader->pointers[i] = &reader->list[i].event;
        reader->pointed = reader->list;
    }
    return reader->pointers + (reader->next - reader->list);
}

gt_status gt_reader_next_events(gt_reader *reader, const gt_event *const **events, size_t *count)
{
    gt_status status = reader && events && count ? GT_OK : GT_ERR_INVALID_ARGUMENT;
    if (events)
        *events = NULL;
    if (count)
        *count = 0;
    if (status != GT_OK)
        return status;
    if (reader->next == reader->end || gt_input_is_barred(&reader->input))
        status = reader_next_block(reader);
    if (status != GT_OK)
        return status;
    *events = reader_point(reader);
    *count = (size_t) (reader->end - reader->next);
    reader->batch = reader->next;
    reader->next = reader->end;
    return GT_OK;
}

/*
 * Returns whether the event is one of those that the last call has delivered, if that call was
 * gt_reader_next_events. The event may be anywhere in memory, so only addresses are compared.
 */
GT_WRAPS static bool reader_batch_has(const struct gt_reader *reader, const gt_event *event)
{
    uintptr_t offset = (uintptr_t) event - (uintptr_t) reader->batch;
    return reader->batch && offset < (uintptr_t) reader->next - (uintptr_t) reader->batch &&
           offset % sizeof(*reader->batch) == 0;
}

int gt_reader_has_event(const gt_reader *reader, const gt_event *event)
{
    return reader && event &&
           (reader_batch_has(reader, event) || gt_event_data_of(event) + 1 == reader->next);
}

uint64_t gt_reader_event_number(const gt_reader *reader)
{
    if (!reader || reader->input.busy || reader->next == reader->ahead.events.list)
        return 0;
    return reader->events_taken - (uint64_t) (reader->end - reader->next);
}

gt_status gt_reader_error(const gt_reader *reader, gt_error *error)
{
    return gt_input_error(reader ? &reader->input : NULL, error);
}

gt_ending gt_reader_get_ending(const gt_reader *reader)
{
    bool is_over = reader && !reader->input.busy && reader->next == reader->end;
    return is_over && !reader->decoder.v1 ? reader->decoder.v2.ending : GT_ENDING_UNKNOWN;
}

uint64_t gt_reader_get_first_procs(const gt_reader *reader)
{
    return reader && !reader->input.busy ? reader->first_procs : 0;
}

gt_status gt_reader_get_info(const gt_reader *reader, gt_reader_info *info)
{
    if (!reader || reader->input.busy || !gt_struct_fits(info, GT_UP_TO(gt_reader_info, repairs)))
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_input *input = &reader->input;
    gt_reader_info known = GT_READER_INFO_INIT;
    known.version = input->version;
    known.newer = input->version > GT_NEWEST;
    known.bytes = gt_source_offset(&input->source);
    known.events = reader->events_taken - (uint64_t) (reader->end - reader->next);
    known.generations = gt_decoder_generations(&reader->decoder);
    known.repairs = reader->repairs;
    gt_mem_count(&input->mem, &known.memory, &known.memory_peak);
    gt_struct_give(info, &known, sizeof(known));
    return GT_OK;
}
